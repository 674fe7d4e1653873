/** The facts by which it is decided what becomes of a document that comes again (submission/Revisit). */
import type { SqlClient } from "effect/sql/SqlClient"
import type { RevisitFacts } from "../../submission/Revisit.ts"
import { rejectionOf, type SubmissionRow } from "./Rows.ts"

/** Of attempts `a`: those that may have been processed, about which nobody has said anything, and which no person has ruled out. */
export const isOpen = (sql: Pick<SqlClient, "literal">) =>
  sql.literal(`a.possibly_processed = 1 and a.ruled_out = 0 and a.request_id is null
    and not exists (select 1 from fiscal_outcome o where o.attempt = a.id)`)

/** `open`: how many attempts of it are. */
export const revisitFacts = (
  { hold_cause, rejection, state }: Pick<SubmissionRow, "state" | "hold_cause" | "rejection">,
  open: number
): RevisitFacts => ({
  state,
  hold: hold_cause,
  nature:
    rejection === null ? null : rejectionOf(rejection, () => "rejection of a document (fiscal_submission)").nature,
  attempts: open > 0 ? "open" : "settled"
})
