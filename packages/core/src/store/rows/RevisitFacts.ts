/** Facts for the decision about a known document in a new import (submission/Revisit). */
import type { SqlClient } from "effect/sql/SqlClient"
import type { RevisitFacts } from "../../submission/Revisit.ts"
import { rejectionOf, type SubmissionRow } from "./Rows.ts"

/**
 * SQL condition for open attempts `a`: possibly processed, without request id or evidence, and not
 * ruled out by an operator.
 */
export const isOpen = (sql: Pick<SqlClient, "literal">) =>
  sql.literal(`a.possibly_processed = 1 and a.ruled_out = 0 and a.request_id is null
    and not exists (select 1 from fiscal_outcome o where o.attempt = a.id)`)

/** Converts a row to the facts. `open`: number of open attempts. */
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
