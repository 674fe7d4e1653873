import type { RevisitFacts } from "../../submission/Revisit.ts"
import { rejectionOf, type SubmissionRow } from "./Rows.ts"

/** Converts a row to the facts. `open`: number of open attempts. */
export const revisitFacts = (
  { hold_cause, rejection, said, state }: Pick<SubmissionRow, "state" | "hold_cause" | "rejection" | "said">,
  open: number
): RevisitFacts => ({
  state,
  hold: hold_cause,
  nature:
    rejection === null ? null : rejectionOf(rejection, () => "rejection of a document (fiscal_submission)").nature,
  attempts: open > 0 ? "open" : "settled",
  text: said
})
