/** The gateway as a service: every operation of interface.md, typed, for one account. */
import { Context, type Effect } from "effect"
import type { FiscalDocument } from "../document/FiscalDocument.ts"
import type { RequestId } from "../document/Identifiers.ts"
import type { GatewayError } from "./GatewayError.ts"
import type { StatusItem } from "./Status.ts"

export interface GatewayOperations {
  /** `POST /invoice` or `POST /creditnote`, once: never retried, never passed through a retrying client. */
  submit(document: FiscalDocument): Effect.Effect<RequestId, GatewayError>
  /** `POST /status` in calls of at most 100; items matched by request id, missing ids simply absent (STAT-5). */
  status(requestIds: ReadonlyArray<RequestId>): Effect.Effect<ReadonlyArray<StatusItem>, GatewayError>
  /** `GET /download/{file}`; the name is encoded as one path segment (OP-1, STAT-4). */
  downloadPdf(fiscalInvoicePdf: string): Effect.Effect<Uint8Array, GatewayError>
}

export class Gateway extends Context.Service<Gateway, GatewayOperations>()("@fiscal-connector/core/gateway/Gateway") {}
