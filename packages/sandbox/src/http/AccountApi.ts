/**
 * The account and what is attached to it, as interface.md describes them.
 */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { FiscalDevice } from "../wire/FiscalDevice.ts"
import { Profile } from "../wire/Profile.ts"
import { Gate } from "./Gate.ts"
import { Headers, NotFound, Unauthorised } from "./GatewayHeaders.ts"

export class AccountApi extends HttpApiGroup.make("account", { topLevel: true })
  .add(
    HttpApiEndpoint.get("profile", "/profile", { headers: Headers, success: Profile, error: Unauthorised }),
    HttpApiEndpoint.get("fiscalDevice", "/fiscaldevice", {
      headers: Headers,
      success: FiscalDevice,
      error: [Unauthorised, NotFound]
    })
  )
  .middleware(Gate)
  .annotateMerge(OpenApi.annotations({ title: "Account" })) {}
