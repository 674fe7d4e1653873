/** Complete HttpApi of the sandbox: the gateway's operations and the sandbox's own controls. */
import * as HttpApi from "effect/http-api/HttpApi"
import * as OpenApi from "effect/http-api/OpenApi"
import { ControlApi } from "../control/ControlApi.ts"
import { WebhookApi } from "../webhook/WebhookApi.ts"
import { AccountApi } from "./AccountApi.ts"
import { CurrencyMappingApi } from "./CurrencyMappingApi.ts"
import { ReportApi } from "./ReportApi.ts"
import { TaxMappingApi } from "./TaxMappingApi.ts"
import { TransactionApi } from "./TransactionApi.ts"

const description = `
A fiscal invoicing gateway to run against. The operations are those of the gateway's interface; everything under \`/_control\` is
the sandbox's own and needs no credentials.

Send \`X-Api-Key\`, \`X-Application\` and \`X-App-Station\` with every request, and \`X-Api-Signature\`, the Base64 of the
HMAC-SHA256 of the exact body under the account's secret, with every POST and PUT of an account that has one.

A submission answers with a request id at once and is processed after the processing delay. The device issues a receipt even when it
breaks a rule, and marks it: \`GET /_control/receipts/coloured\`. One red receipt makes \`POST /_control/close-day\` fail until
\`POST /_control/repair-day\`. Faults are set by \`POST /_control/faults\`: a kind with its own fields, and a trigger
(\`operations\`, \`documents\`, \`accounts\`, \`skip\`, \`times\`, \`probability\` with \`seed\`).
What was accepted, per document, is at \`GET /_control/accepted\`.
`

export class GatewayApi extends HttpApi.make("gateway")
  .add(AccountApi)
  .add(TransactionApi)
  .add(ReportApi)
  .add(TaxMappingApi)
  .add(CurrencyMappingApi)
  .add(ControlApi)
  .add(WebhookApi)
  .annotateMerge(OpenApi.annotations({ title: "Fiscal invoicing gateway (sandbox)", version: "1", description })) {}
