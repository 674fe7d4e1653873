import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { objectOf } from "../wire/ExactJson.ts"
import { FiscalDevice } from "../wire/FiscalDevice.ts"
import { Profile } from "../wire/Profile.ts"
import { Subscription } from "../wire/Subscription.ts"
import { Gate } from "./Gate.ts"
import { Headers, Malformed, NotFound, SignedHeaders, Unauthorised } from "./GatewayHeaders.ts"

/** Body of POST /test (OP-8): any JSON object. */
export const Anything = objectOf(Schema.Record(Schema.String, Schema.Unknown))

export class AccountApi extends HttpApiGroup.make("account", { topLevel: true })
  // On each endpoint: the compiler orders the union members made by a group's middleware
  // differently from build to build.
  .add(
    HttpApiEndpoint.get("profile", "/profile", { headers: Headers, success: Profile, error: Unauthorised }).middleware(
      Gate
    ),
    HttpApiEndpoint.get("fiscalDevice", "/fiscaldevice", {
      headers: Headers,
      success: FiscalDevice,
      error: [Unauthorised, NotFound]
    }).middleware(Gate),
    HttpApiEndpoint.get("subscription", "/subscription", {
      headers: Headers,
      success: Subscription,
      error: [Unauthorised, NotFound]
    }).middleware(Gate),
    HttpApiEndpoint.post("test", "/test", {
      headers: SignedHeaders,
      payload: Anything,
      success: Schema.Struct({ Message: Schema.String }),
      error: [Malformed, Unauthorised]
    }).middleware(Gate)
  )
  .annotateMerge(OpenApi.annotations({ title: "Account" })) {}
