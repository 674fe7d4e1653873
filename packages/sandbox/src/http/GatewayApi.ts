/**
 * The whole of the sandbox as one HttpApi: the gateway's operations and the sandbox's own controls.
 */
import * as HttpApi from "effect/http-api/HttpApi"
import * as OpenApi from "effect/http-api/OpenApi"
import { ControlApi } from "../control/ControlApi.ts"
import { AccountApi } from "./AccountApi.ts"
import { CurrencyMappingApi } from "./CurrencyMappingApi.ts"
import { TaxMappingApi } from "./TaxMappingApi.ts"
import { TransactionApi } from "./TransactionApi.ts"

export class GatewayApi extends HttpApi.make("gateway")
  .add(AccountApi)
  .add(TransactionApi)
  .add(TaxMappingApi)
  .add(CurrencyMappingApi)
  .add(ControlApi)
  .annotateMerge(OpenApi.annotations({ title: "Fiscal invoicing gateway (sandbox)", version: "1" })) {}
