/**
 * The answered attempt has another request id meanwhile, from an operator or by elimination: the
 * sending process was stopped with the answer in memory. The gateway's answer wins.
 */
import { Effect } from "effect"
import type { AttemptResult } from "../../submission/AttemptResult.ts"
import type { SqlReturn, Transaction } from "../database/Transaction.ts"
import { locked } from "../lanes/Transition.ts"
import { type Integer, type MovableRow, number } from "../rows/Rows.ts"
import { clear, identified, isWaiting, takeBack } from "./UnconfirmedIds.ts"
import { recordConflict } from "./Conflicts.ts"

const textOf = (answer: AttemptResult): string =>
  answer._tag === "Accepted"
    ? `the gateway has answered with the request id ${answer.requestId}`
    : "the gateway has answered that it did not take the document"

/**
 * Withdraws the operator's request id: a waiting document is Unknown until the answer is written.
 * Records a conflict if the request id already has an outcome. Returns the document's row as it is
 * now.
 */
export const settle = Effect.fnUntraced(function* <Row extends MovableRow & { readonly attempt: Integer }>(
  transaction: Transaction,
  row: Row,
  answer: AttemptResult
): SqlReturn<Row> {
  const attempt = yield* identified(transaction, row.attempt)
  const whole = (yield* locked(transaction, row.seq))!
  if (number(attempt.unconfirmed) === 1) {
    // another attempt has settled the document
    if (!isWaiting(whole)) return yield* Effect.as(clear(transaction, attempt), row)
    const { state } = yield* takeBack(transaction, whole, attempt, "contradicted", textOf(answer))
    return { ...row, state }
  }
  const presumed =
    attempt.named_by === "operator"
      ? `an operator entered the request id ${attempt.request_id}`
      : `the request id ${attempt.request_id} was assigned by elimination`
  const text = `${presumed}, and ${textOf(answer)}: the outcome is probably another document's`
  yield* recordConflict(transaction, whole, "OUTCOME_CONFLICT", text)
  return row
})
