import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { GatewayApi } from "../http/GatewayApi.ts"
import type { SandboxError } from "../SandboxError.ts"
import { Webhooks } from "./Webhooks.ts"

const known = <A>(effect: Effect.Effect<A, SandboxError>) =>
  Effect.mapError(effect, (error) => ({ Message: error.message }))

export const layer = HttpApiBuilder.group(
  GatewayApi,
  "webhooks",
  Effect.fnUntraced(function* (handlers) {
    const webhooks = yield* Webhooks
    return handlers.handleAll({
      webhooks: () => webhooks.registrations,
      registerWebhook: ({ params, payload }) => known(webhooks.register(params.account, payload)),
      removeWebhook: ({ params }) =>
        Effect.flatMap(webhooks.remove(params.account), (removal) =>
          removal === "removed" ? Effect.void : Effect.fail({ Message: `${params.account} has no webhook` })
        ),
      testWebhook: ({ params }) => known(webhooks.test(params.account)),
      deliveries: () => webhooks.deliveries,
      forgetDeliveries: () => webhooks.forgetDeliveries
    })
  })
)
