import * as Schema from "effect/Schema"
import { currentOutcome } from "../gateway/Submission.ts"
import type { WorldState } from "../gateway/World.ts"

/**
 * Counts of one document.
 * - `accepted`: submissions accepted as a new document; an honored retry is not counted.
 * - `receipts`: receipts the device issued for the document; two are a double fiscalization.
 * - `state`: of the latest request: `pending`, `failed` or `fiscalised`.
 */
export const AcceptedDocument = Schema.Struct({
  account: Schema.String,
  kind: Schema.Literals(["invoice", "credit-note"]),
  id: Schema.String,
  number: Schema.String,
  accepted: Schema.Int,
  receipts: Schema.Int,
  state: Schema.Literals(["pending", "failed", "fiscalised"]),
  requestIds: Schema.Array(Schema.String)
}).annotate({ identifier: "AcceptedDocument" })
export type AcceptedDocument = typeof AcceptedDocument.Type

const states = { Pending: "pending", Failed: "failed", Fiscalised: "fiscalised" } as const

/** Returns one entry per account, kind and document id, in the order of first acceptance. */
export const all = (world: WorldState): ReadonlyArray<AcceptedDocument> =>
  Array.from(world.documents.values(), (submissions) => {
    const [first] = submissions
    const originals = submissions.filter((submission) => submission.sharesReceiptOf === null)
    const latest = submissions[submissions.length - 1] ?? first
    return {
      account: first.account,
      kind: first.document.kind,
      id: first.document.id,
      number: first.document.number,
      accepted: originals.length,
      receipts: originals.filter((submission) => submission.outcome._tag === "Fiscalised").length,
      state: states[currentOutcome(world, latest)._tag],
      requestIds: submissions.map((submission) => submission.requestId)
    }
  })
