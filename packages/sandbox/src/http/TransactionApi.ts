import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { idsPerCall } from "../gateway/Status.ts"
import { CreditNote, Invoice } from "../wire/Document.ts"
import { StatusItem } from "../wire/StatusItem.ts"
import { Gate } from "./Gate.ts"
import { Headers, Malformed, NotFound, PdfBytes, SignedHeaders, Unauthorised } from "./GatewayHeaders.ts"

const RequestId = Schema.String.annotate({ description: "Request identifier" }).pipe(HttpApiSchema.asText())

export class TransactionApi extends HttpApiGroup.make("transactions", { topLevel: true })
  // On each endpoint: the compiler orders the union members made by a group's middleware
  // differently from build to build.
  .add(
    HttpApiEndpoint.post("submitInvoice", "/invoice", {
      headers: SignedHeaders,
      payload: Invoice,
      success: RequestId,
      error: [Malformed, Unauthorised, NotFound]
    }).middleware(Gate),
    HttpApiEndpoint.post("submitCreditNote", "/creditnote", {
      headers: SignedHeaders,
      payload: CreditNote,
      success: RequestId,
      error: [Malformed, Unauthorised, NotFound]
    }).middleware(Gate),
    HttpApiEndpoint.post("status", "/status", {
      headers: SignedHeaders,
      payload: Schema.Array(Schema.String).check(Schema.isMaxLength(idsPerCall)),
      success: Schema.Array(StatusItem),
      error: [Malformed, Unauthorised]
    }).middleware(Gate),
    HttpApiEndpoint.get("downloadPdf", "/download/:file", {
      headers: Headers,
      params: { file: Schema.String },
      success: PdfBytes,
      error: [Unauthorised, NotFound]
    }).middleware(Gate)
  )
  .annotateMerge(OpenApi.annotations({ title: "Transactions" })) {}
