import * as Schema from "effect/Schema"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { ControlBody } from "../control/ControlBody.ts"
import { ErrorBody } from "../http/Answer.ts"
import { DeliveryAttempt, Registration, TestResult } from "./DeliveryLog.ts"
import { WebhookConfig } from "./WebhookConfig.ts"

const NotRegistered = ErrorBody.annotate({
  identifier: "NotRegistered",
  httpApiStatus: 404,
  description: "The account, or its webhook, is not known"
})

const account = { account: Schema.String }

export class WebhookApi extends HttpApiGroup.make("webhooks")
  // On each endpoint: the compiler orders the union members made by a group's middleware
  // differently from build to build.
  .add(
    HttpApiEndpoint.get("webhooks", "/_control/webhooks", { success: Schema.Array(Registration) }).middleware(
      ControlBody
    ),
    HttpApiEndpoint.put("registerWebhook", "/_control/webhooks/:account", {
      params: account,
      payload: Schema.toEncoded(WebhookConfig),
      success: Schema.Array(TestResult),
      error: NotRegistered
    }).middleware(ControlBody),
    HttpApiEndpoint.delete("removeWebhook", "/_control/webhooks/:account", {
      params: account,
      error: NotRegistered
    }).middleware(ControlBody),
    HttpApiEndpoint.post("testWebhook", "/_control/webhooks/:account/test", {
      params: account,
      success: Schema.Array(TestResult),
      error: NotRegistered
    }).middleware(ControlBody),
    HttpApiEndpoint.get("deliveries", "/_control/deliveries", { success: Schema.Array(DeliveryAttempt) }).middleware(
      ControlBody
    ),
    HttpApiEndpoint.delete("forgetDeliveries", "/_control/deliveries").middleware(ControlBody)
  )
  .annotate(HttpApi.PayloadParseOptions, { errors: "all", onExcessProperty: "error" })
  .annotateMerge(OpenApi.annotations({ title: "Webhooks of the sandbox" })) {}
