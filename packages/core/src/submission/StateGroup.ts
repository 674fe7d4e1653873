/** The group of each state of a document, for every sum, tile and account of documents. */
import type { State } from "./Submission.ts"

/** State of a document, also of one outside the store. */
export type DocumentState = State | "Refused" | "Skipped"

/** Groups of states, in the order of a document's life. */
export type StateGroup = "fiscalised" | "waiting" | "to-send" | "unknown" | "not-accepted" | "held" | "skipped"

/** Group of each state. */
export const groupOf: Readonly<Record<DocumentState, StateGroup>> = {
  Fiscalised: "fiscalised",
  Sending: "waiting",
  Accepted: "waiting",
  Planned: "to-send",
  Unknown: "unknown",
  Expired: "unknown",
  Refused: "not-accepted",
  Rejected: "not-accepted",
  Declined: "not-accepted",
  Held: "held",
  Skipped: "skipped",
  Withdrawn: "skipped"
}
