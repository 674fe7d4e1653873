/**
 * One accepted request: the document, when its outcome is due, and what became of it.
 */
import * as Schema from "effect/Schema"
import { IssuedReceipt } from "../day/IssuedReceipt.ts"
import { Document } from "../wire/Document.ts"

/** What the gateway says of a request. Instants are milliseconds since 1970. */
export const Outcome = Schema.Union([
  Schema.TaggedStruct("Pending", {}),
  Schema.TaggedStruct("Failed", { at: Schema.Int, error: Schema.String, actionable: Schema.Boolean }),
  Schema.TaggedStruct("Fiscalised", { at: Schema.Int, receipt: IssuedReceipt })
])
export type Outcome = typeof Outcome.Type

/** What a fault decided about a document's processing, before it began. */
export const Verdict = Schema.Union([
  Schema.TaggedStruct("Process", {}),
  Schema.TaggedStruct("Reject", { error: Schema.String, actionable: Schema.Boolean }),
  Schema.TaggedStruct("Pend", {})
])
export type Verdict = typeof Verdict.Type

/** Nothing has been said of it yet. */
export const pending: Outcome = { _tag: "Pending" }
/** The device makes of it what its rules say. */
export const process: Verdict = { _tag: "Process" }

/**
 * - `account`: the account's name. `deviceId`: the device the account was attached to on acceptance.
 * - `acceptedAt`, `readyAt`: milliseconds since 1970 on the sandbox's clock.
 * - `sharesReceiptOf`: the request whose receipt this one reports, when IsRetry was honoured with a new id.
 */
export const Submission = Schema.Struct({
  requestId: Schema.String,
  account: Schema.String,
  deviceId: Schema.Int,
  document: Document,
  acceptedAt: Schema.Int,
  readyAt: Schema.Int,
  verdict: Verdict,
  sharesReceiptOf: Schema.NullOr(Schema.String),
  outcome: Schema.mutableKey(Outcome)
})
export type Submission = typeof Submission.Type

/** The outcome of a request, following one that reports another's receipt. */
export const currentOutcome = (
  world: { readonly submissions: ReadonlyMap<string, Submission> },
  { outcome, sharesReceiptOf }: Submission
): Outcome => {
  const original = sharesReceiptOf === null ? undefined : world.submissions.get(sharesReceiptOf)
  return original === undefined ? outcome : currentOutcome(world, original)
}
