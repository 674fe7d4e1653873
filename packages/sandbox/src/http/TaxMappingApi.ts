import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { TaxMapping, TaxMappingBody, TaxMappingChange } from "../wire/TaxMapping.ts"
import { Gate } from "./Gate.ts"
import { Headers, Malformed, NotFound, SignedHeaders, Unauthorised } from "./GatewayHeaders.ts"

const params = { id: Schema.String.annotate({ description: "Id of the mapping" }) }

export class TaxMappingApi extends HttpApiGroup.make("taxMappings", { topLevel: true })
  // On each endpoint: the compiler orders the union members made by a group's middleware
  // differently from build to build.
  .add(
    HttpApiEndpoint.get("taxMappings", "/taxmapping", {
      headers: Headers,
      success: Schema.Array(TaxMapping),
      error: Unauthorised
    }).middleware(Gate),
    HttpApiEndpoint.get("taxMapping", "/taxmapping/:id", {
      headers: Headers,
      params,
      success: TaxMapping,
      error: [Unauthorised, NotFound]
    }).middleware(Gate),
    HttpApiEndpoint.post("addTaxMapping", "/taxmapping", {
      headers: SignedHeaders,
      payload: TaxMappingBody,
      success: TaxMapping,
      error: [Malformed, Unauthorised]
    }).middleware(Gate),
    HttpApiEndpoint.put("updateTaxMapping", "/taxmapping/:id", {
      headers: SignedHeaders,
      params,
      payload: TaxMappingChange,
      success: Schema.Boolean,
      error: [Malformed, Unauthorised, NotFound]
    }).middleware(Gate),
    HttpApiEndpoint.delete("deleteTaxMapping", "/taxmapping/:id", {
      headers: Headers,
      params,
      success: Schema.Boolean,
      error: [Unauthorised, NotFound]
    }).middleware(Gate)
  )
  .annotateMerge(OpenApi.annotations({ title: "Tax mappings" })) {}
