/** The operator may have mistyped the request id. */
import { Effect } from "effect"
import type { Fragment } from "effect/sql/Statement"
import type { AttemptRow, Integer, SubmissionRow } from "../rows/Rows.ts"
import type { Transaction } from "../database/Transaction.ts"
import { locked, move } from "../lanes/Transition.ts"

// Expired does not count as an answer: it is our own conclusion, not the gateway's
const hasNoOutcome = `a.named_by = 'operator'
  and not exists (select 1 from fiscal_outcome o where o.account = a.account and o.request_id = a.request_id
    and o.source <> 'operator' and o.outcome <> 'Expired')`

export const onTrust = (sql: Pick<Transaction["sql"], "literal">): Fragment =>
  sql.literal(`${hasNoOutcome} and a.mentioned_at is null`)

/**
 * An attempt; `unconfirmed` is 1 if an operator entered its request id and the id has no outcome. A
 * mention does not confirm the id: the gateway knows the id, but it may belong to another attempt.
 */
export interface IdentifiedAttempt extends AttemptRow {
  readonly unconfirmed: Integer
}

export const identified = ({ sql }: Transaction, attempt: Integer) =>
  Effect.map(
    sql<IdentifiedAttempt>`select a.*, case when ${sql.literal(hasNoOutcome)} then 1 else 0 end as unconfirmed
      from fiscal_attempt a where a.id = ${attempt}`,
    ([row]) => row!
  )

export const isWaiting = ({ state }: Pick<SubmissionRow, "state">): boolean =>
  state === "Accepted" || state === "Expired"

export const clear = ({ sql }: Transaction, { account, id, request_id }: AttemptRow) =>
  Effect.andThen(
    sql`update fiscal_attempt set request_id = null, named_by = null, known_at = null, poll_at = null, looks = 0,
      mentioned_at = null where id = ${id}`,
    // these outcomes are at most Expired, which says nothing about the next owner of the id
    sql`delete from fiscal_outcome where account = ${account} and request_id = ${request_id}`
  )

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
