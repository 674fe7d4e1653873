import * as Schema from "effect/Schema"
import { IssuedReceipt } from "../day/IssuedReceipt.ts"
import { Document } from "../wire/Document.ts"
import { ReportFields } from "./Report.ts"

/** Outcome of a request as the gateway reports it. Instants are milliseconds since 1970. */
export const Outcome = Schema.Union([
  Schema.TaggedStruct("Pending", {}),
  Schema.TaggedStruct("Failed", { at: Schema.Int, error: Schema.String, actionable: Schema.Boolean }),
  Schema.TaggedStruct("Fiscalised", { at: Schema.Int, receipt: IssuedReceipt })
])
export type Outcome = typeof Outcome.Type

/** Decision of a fault about a document's processing, made before the processing begins. */
export const Verdict = Schema.Union([
  Schema.TaggedStruct("Process", {}),
  Schema.TaggedStruct("Reject", { error: Schema.String, actionable: Schema.Boolean }),
  Schema.TaggedStruct("Pend", {})
])
export type Verdict = typeof Verdict.Type

/** Outcome of a request that is not processed yet. */
export const pending: Outcome = { _tag: "Pending" }
/** Verdict without a fault: the device's rules decide. */
export const process: Verdict = { _tag: "Process" }

/**
 * Fields of a submission.
 * - `account`: the account's name. `deviceId`: the device attached to the account on acceptance.
 * - `acceptedAt`, `readyAt`: milliseconds since 1970 on the sandbox's clock.
 * - `sharesReceiptOf`: the request whose receipt this one reports, if IsRetry was honored with a
 *   new id.
 * - `reports`: what faults make the gateway report instead of the outcome.
 */
export const Submission = Schema.Struct({
  requestId: Schema.String,
  account: Schema.String,
  deviceId: Schema.Int,
  document: Document,
  acceptedAt: Schema.Int,
  readyAt: Schema.Int,
  verdict: Verdict,
  reports: Schema.optionalKey(Schema.Array(ReportFields)),
  sharesReceiptOf: Schema.NullOr(Schema.String),
  outcome: Schema.mutableKey(Outcome)
})
export type Submission = typeof Submission.Type

/**
 * Returns the outcome of a request; for a request that shares a receipt, the outcome of the
 * original request.
 */
export const currentOutcome = (
  world: { readonly submissions: ReadonlyMap<string, Submission> },
  { outcome, sharesReceiptOf }: Submission
): Outcome => {
  const original = sharesReceiptOf === null ? undefined : world.submissions.get(sharesReceiptOf)
  return original === undefined ? outcome : currentOutcome(world, original)
}
