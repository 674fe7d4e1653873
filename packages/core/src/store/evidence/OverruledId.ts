/**
 * Handles the answer to an attempt whose request id was entered by an operator, while the sending
 * process had the answer in memory. The gateway's answer wins.
 */
import { Effect } from "effect"
import type { AttemptResult } from "../../submission/AttemptResult.ts"
import type { SqlReturn, Transaction } from "../database/Transaction.ts"
import { locked } from "../lanes/Transition.ts"
import { type AttemptRow, type Integer, type MovableRow, number } from "../rows/Rows.ts"
import { namedWithoutOutcome, takeBack } from "./UnconfirmedIds.ts"
import { recordConflict } from "./Verdicts.ts"

const said = (answer: AttemptResult): string =>
  answer._tag === "Accepted"
    ? `the gateway has answered with the request id ${answer.requestId}`
    : "the gateway has answered that it did not take the document"

/**
 * Withdraws the operator's request id if the answer contradicts it: the document is Unknown until
 * the answer is written. Records a conflict if the id already has an outcome. Returns the
 * document's row as it is now.
 */
export const settle = Effect.fnUntraced(function* <Row extends MovableRow & { readonly attempt: Integer }>(
  transaction: Transaction,
  row: Row,
  answer: AttemptResult
): SqlReturn<Row> {
  const { sql } = transaction
  const [attempt] = yield* sql<AttemptRow & { readonly has_none: Integer }>`select a.*,
      case when ${namedWithoutOutcome(transaction)} then 1 else 0 end as has_none
    from fiscal_attempt a where a.id = ${row.attempt}`
  if (answer._tag === "Accepted" && answer.requestId === attempt!.request_id) return row
  const whole = (yield* locked(transaction, row.seq))!
  if (number(attempt!.has_none) === 1) {
    const { state } = yield* takeBack(transaction, whole, attempt!, "contradicted", said(answer))
    return { ...row, state }
  }
  const text = `an operator entered the request id ${attempt!.request_id}, and ${said(answer)}: the outcome is probably another document's`
  yield* recordConflict(transaction, whole, "OUTCOME_CONFLICT", text)
  return row
})
