/**
 * A request id already recorded for another document. If an operator entered it, the gateway's
 * answer wins.
 */
import { Effect } from "effect"
import type { AttemptResult } from "../../submission/AttemptResult.ts"
import type { SqlReturn, Transaction } from "../database/Transaction.ts"
import { locked } from "../lanes/Transition.ts"
import { type Integer, type MovableRow, number, type SubmissionRow } from "../rows/Rows.ts"
import { identified, isWaiting, takeBack } from "./UnconfirmedIds.ts"
import { recordConflict } from "./Conflicts.ts"

const nameOf = ({ kind, number }: Pick<SubmissionRow, "kind" | "number">): string =>
  `the ${kind === "invoice" ? "invoice" : "credit note"} ${number}`

const gave = (row: MovableRow): string => `the gateway has given it to ${nameOf(row)}`

/**
 * Withdraws the request id from other documents with an unconfirmed operator-entered id, and
 * records a conflict if such an id already has an outcome. Returns the answer, or Unknown if
 * another document keeps the id.
 */
export const settle = Effect.fnUntraced(function* (
  transaction: Transaction,
  row: MovableRow,
  answer: Extract<AttemptResult, { readonly _tag: "Accepted" }>
): SqlReturn<AttemptResult> {
  const { sql } = transaction
  const { requestId } = answer
  const others = yield* sql<{ readonly id: Integer; readonly submission: Integer }>`select max(id) as id, submission
    from fiscal_attempt where account = ${row.account} and request_id = ${requestId} and submission <> ${row.seq}
    group by submission order by submission`
  let kept: SubmissionRow | undefined
  for (const { id, submission } of others) {
    const other = (yield* locked(transaction, submission))!
    const attempt = yield* identified(transaction, id)
    if (isWaiting(other) && number(attempt.unconfirmed) === 1) {
      yield* takeBack(transaction, other, attempt, "contradicted", gave(row))
      continue
    }
    kept = other
    if (attempt.named_by !== "operator") continue
    const text = `an operator entered the request id ${requestId}, and ${gave(row)}: the receipt is probably the other's`
    yield* recordConflict(transaction, other, "OUTCOME_CONFLICT", text)
  }
  if (kept === undefined) return answer
  return {
    _tag: "Unknown",
    text: `the gateway answered with the request id ${requestId}, which ${nameOf(kept)} has`
  }
})
