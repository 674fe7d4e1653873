/**
 * Attempts whose request id was entered by an operator and is unconfirmed: the operator may have
 * mistyped the id.
 */
import { Effect } from "effect"
import type { Fragment } from "effect/sql/Statement"
import type { AttemptRow, SubmissionRow } from "../rows/Rows.ts"
import type { Transaction } from "../database/Transaction.ts"
import { locked, move } from "../lanes/Transition.ts"

// Expired does not count as an answer: it is our own conclusion, not the gateway's
const hasNoOutcome = `a.named_by = 'operator'
  and not exists (select 1 from fiscal_outcome o where o.account = a.account and o.request_id = a.request_id
    and o.source <> 'operator' and o.outcome <> 'Expired')`

/** SQL condition on `fiscal_attempt a`. */
export const onTrust = ({ sql }: Pick<Transaction, "sql">): Fragment =>
  sql.literal(`${hasNoOutcome} and a.mentioned_at is null`)

/**
 * SQL condition without the check for a mention. A mention proves that the gateway knows the id,
 * but not that the id belongs to this attempt.
 */
export const namedWithoutOutcome = ({ sql }: Pick<Transaction, "sql">): Fragment => sql.literal(hasNoOutcome)

/** Removes an operator-entered request id from its attempt. */
export const clear = ({ sql }: Transaction, { account, id, request_id }: AttemptRow) =>
  Effect.andThen(
    sql`update fiscal_attempt set request_id = null, named_by = null, known_at = null, poll_at = null, looks = 0,
      mentioned_at = null where id = ${id}`,
    // these outcomes are at most Expired, which says nothing about the next owner of the id
    sql`delete from fiscal_outcome where account = ${account} and request_id = ${request_id}`
  )

/** Withdraws an operator-entered request id: the outcome is Unknown again. */
export const takeBack = (
  transaction: Transaction,
  row: SubmissionRow,
  attempt: AttemptRow,
  cause: "operator" | "contradicted",
  because: string
) =>
  Effect.gen(function* () {
    yield* clear(transaction, attempt)
    yield* move(transaction, row, "Unknown", cause, {
      text: `the request id ${attempt.request_id} is taken back: ${because}`,
      patch: { request_id: null, said: attempt.said }
    })
    return (yield* locked(transaction, row.seq))!
  })
