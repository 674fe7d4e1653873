/** Attempts that the gateway has under their request id by nothing but a person's word: the person may have mistyped it. */
import { Effect } from "effect"
import type { Fragment } from "effect/sql/Statement"
import type { AttemptRow, SubmissionRow } from "../rows/Rows.ts"
import type { Transaction } from "../database/Transaction.ts"
import { locked, move } from "../lanes/Transition.ts"

// that nobody answers for it is our own conclusion, not the gateway's word
const hasNoOutcome = `a.named_by = 'operator'
  and not exists (select 1 from fiscal_outcome o where o.account = a.account and o.request_id = a.request_id
    and o.source <> 'operator' and o.outcome <> 'Expired')`

/** The condition on `fiscal_attempt a`. */
export const onTrust = ({ sql }: Pick<Transaction, "sql">): Fragment =>
  sql.literal(`${hasNoOutcome} and a.mentioned_at is null`)

/** The same, where a status may have mentioned the id: that the gateway knows it says nothing of whose it is. */
export const namedWithoutOutcome = ({ sql }: Pick<Transaction, "sql">): Fragment => sql.literal(hasNoOutcome)

/** Takes back a request id that a person gave: the outcome is as unknown as before. */
export const takeBack = (
  transaction: Transaction,
  row: SubmissionRow,
  { id, request_id, said }: AttemptRow,
  cause: "operator" | "contradicted",
  because: string
) =>
  Effect.gen(function* () {
    const { sql } = transaction
    yield* sql`update fiscal_attempt set request_id = null, named_by = null, known_at = null, poll_at = null, looks = 0,
      mentioned_at = null where id = ${id}`
    // no more than that nobody answered for it, which says nothing of whoever has it next
    yield* sql`delete from fiscal_outcome where account = ${row.account} and request_id = ${request_id}`
    yield* move(transaction, row, "Unknown", cause, {
      text: `the request id ${request_id} is taken back: ${because}`,
      patch: { request_id: null, said }
    })
    return (yield* locked(transaction, row.seq))!
  })
