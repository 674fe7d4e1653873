/**
 * One accepted request: the document, when its outcome is due, and what became of it.
 */
import type { IssuedReceipt } from "../day/IssuedReceipt.ts"
import type { Document } from "../wire/Document.ts"

/** What the gateway says of a request. Instants are milliseconds since 1970. */
export type Outcome =
  | { readonly _tag: "Pending" }
  | { readonly _tag: "Failed"; readonly at: number; readonly error: string; readonly actionable: boolean }
  | { readonly _tag: "Fiscalised"; readonly at: number; readonly receipt: IssuedReceipt }

/** What a fault decided about a document's processing, before it began. */
export type Verdict =
  | { readonly _tag: "Process" }
  | { readonly _tag: "Reject"; readonly error: string; readonly actionable: boolean }
  | { readonly _tag: "Pend" }

export const pending: Outcome = { _tag: "Pending" }
export const process: Verdict = { _tag: "Process" }

/**
 * - `account`: the account's name. `deviceId`: the device the account was attached to on acceptance.
 * - `acceptedAt`, `readyAt`: milliseconds since 1970 on the sandbox's clock.
 * - `sharesReceiptOf`: the request whose receipt this one reports, when IsRetry was honoured with a new id.
 */
export interface Submission {
  readonly requestId: string
  readonly account: string
  readonly deviceId: number
  readonly document: Document
  readonly acceptedAt: number
  readonly readyAt: number
  readonly verdict: Verdict
  readonly sharesReceiptOf: string | null
  outcome: Outcome
}
