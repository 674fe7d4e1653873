import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { CurrencyMapping, CurrencyMappingBody, CurrencyMappingChange } from "../wire/CurrencyMapping.ts"
import { Gate } from "./Gate.ts"
import { Headers, Malformed, NotFound, SignedHeaders, Unauthorised } from "./GatewayHeaders.ts"

const params = { id: Schema.String.annotate({ description: "Id of the mapping" }) }

export class CurrencyMappingApi extends HttpApiGroup.make("currencyMappings", { topLevel: true })
  // On each endpoint: the compiler orders the union members made by a group's middleware
  // differently from build to build.
  .add(
    HttpApiEndpoint.get("supportedCurrencies", "/currencymapping/supported-currencies", {
      headers: Headers,
      success: Schema.Array(Schema.String),
      error: Unauthorised
    }).middleware(Gate),
    HttpApiEndpoint.get("currencyMappings", "/currencymapping", {
      headers: Headers,
      success: Schema.Array(CurrencyMapping),
      error: Unauthorised
    }).middleware(Gate),
    HttpApiEndpoint.get("currencyMapping", "/currencymapping/:id", {
      headers: Headers,
      params,
      success: CurrencyMapping,
      error: [Unauthorised, NotFound]
    }).middleware(Gate),
    HttpApiEndpoint.post("addCurrencyMapping", "/currencymapping", {
      headers: SignedHeaders,
      payload: CurrencyMappingBody,
      success: CurrencyMapping,
      error: [Malformed, Unauthorised]
    }).middleware(Gate),
    HttpApiEndpoint.put("updateCurrencyMapping", "/currencymapping/:id", {
      headers: SignedHeaders,
      params,
      payload: CurrencyMappingChange,
      success: Schema.Boolean,
      error: [Malformed, Unauthorised, NotFound]
    }).middleware(Gate),
    HttpApiEndpoint.delete("deleteCurrencyMapping", "/currencymapping/:id", {
      headers: Headers,
      params,
      success: Schema.Boolean,
      error: [Unauthorised, NotFound]
    }).middleware(Gate)
  )
  .annotateMerge(OpenApi.annotations({ title: "Currency mappings" })) {}
