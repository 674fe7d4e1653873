/**
 * Refusals that may be the answer to an earlier request: nothing but an operator's statement, or a
 * policy, says that it was not processed. Column `ruled_out` of an attempt: 0 nothing rules it out,
 * 1 an operator's statement does, 2 the operator repeated the statement after such a refusal. A
 * refusal ends the first statement.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { permits } from "../../submission/Submission.ts"
import { type Integer, type MovableRow, rejectionOf } from "../rows/Rows.ts"
import type { SqlEffect, Transaction } from "../database/Transaction.ts"
import { amend, holdBack, locked, note } from "./Transition.ts"

const byGateway = "o.source <> 'operator' and o.outcome"

const isUnproven = `a.possibly_processed = 1 and a.ruled_out < 2
  and (a.request_id is null or exists (select 1 from fiscal_outcome o where o.attempt = a.id))
  and not exists (select 1 from fiscal_outcome o where o.attempt = a.id and ${byGateway} <> 'Expired')`

const isRefused = `(b.result = 'Declined' or exists (select 1 from fiscal_outcome o
  where o.attempt = b.id and ${byGateway} = 'Rejected'))`

export const isRefuted = (sql: Pick<SqlClient, "literal">) =>
  sql.literal(`${isUnproven} and exists (select 1 from fiscal_attempt b
    where b.submission = a.submission and b.id > a.id and ${isRefused})`)

const wordsOf = ({ sql }: Transaction, seq: Integer) =>
  Effect.map(
    sql<{ readonly said: string | null; readonly detail: string | null }>`select b.said, (select max(o.detail)
        from fiscal_outcome o where o.attempt = b.id and ${sql.literal(`${byGateway} = 'Rejected'`)}) as detail
      from fiscal_attempt b where b.submission = ${seq} and ${sql.literal(isRefused)} order by b.id desc limit 1`,
    ([row]) =>
      row?.detail == null ? (row?.said ?? "") : rejectionOf(row.detail, () => `outcome of a document (${seq})`).error
  )

export const hold = (transaction: Transaction, { seq }: Pick<MovableRow, "seq">): SqlEffect<boolean> =>
  Effect.gen(function* () {
    const { sql } = transaction
    const row = (yield* locked(transaction, seq))!
    // a settled document goes the ordinary way: its correction is held before it is sent
    if (row.state !== "Held" && !permits(row.state, "Held", "contradicted")) return false
    const refuted = yield* sql`update fiscal_attempt set ruled_out = 0 where id in
      (select a.id from fiscal_attempt a where a.submission = ${seq} and ${isRefuted(sql)}) returning id`
    if (refuted.length === 0) return false
    const text = `an earlier request may have been fiscalised; the gateway now says: ${yield* wordsOf(transaction, seq)}`
    if (row.state !== "Held") yield* holdBack(transaction, row, "contradicted", text)
    else if (row.hold_cause !== "contradicted" || row.hold_because !== text) {
      yield* amend(transaction, row, { hold_cause: "contradicted", hold_because: text })
      note(transaction, row, "contradicted", text)
    }
    return true
  })

export const settle = ({ sql }: Transaction, seq: Integer) =>
  sql`update fiscal_attempt set ruled_out = 2 where id in
    (select a.id from fiscal_attempt a where a.submission = ${seq} and ${sql.literal(isUnproven)})`
