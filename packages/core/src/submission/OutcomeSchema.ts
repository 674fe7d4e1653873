/**
 * Schema of a document's outcome, for the published JSON Schemas. The type of the outcome is made of
 * it. Loaded by no job: it needs most of the schema library.
 */
import { Schema } from "effect"
import { states } from "./Submission.ts"

const { NullOr, String: Text } = Schema

/** Schema of the outcome of a document. Times are ISO 8601, amounts exact decimal texts. */
export const OutcomeSchema = Schema.Struct({
  account: Text,
  kind: Schema.Literals(["invoice", "credit-note"]),
  id: Text,
  number: Text,
  state: Schema.Literals(states),
  /** Time at which the document entered the state, in UTC. */
  since: Text,
  /** Null until it is settled. */
  receiptDate: NullOr(Text),
  currency: Text,
  /** Total with tax, positive for credit notes as well. */
  total: Text,
  requestId: NullOr(Text),
  verificationCode: NullOr(Text),
  qrCodeUrl: NullOr(Text),
  /** Reason for the state, if the state needs one. */
  because: NullOr(Text),
  /** Difference between the source and the sent document; null if there is none. */
  changed: NullOr(Text),
  /** How the source canceled the document; null if it did not. */
  cancelled: NullOr(Text)
})
