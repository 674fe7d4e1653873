/**
 * The one definition of what is known of an attempt `a`: a receipt exists, no receipt exists, or it
 * is open. A document is free only if no attempt of it is `receipt` or `open`. A test compares the
 * definition with one without SQL.
 */
import type { SqlClient } from "effect/sql/SqlClient"
import type { NoneBy } from "../../submission/ledger/Settled.ts"

type SqlLiterals = Pick<SqlClient, "literal">

const has = (condition: string) => `exists (select 1 from fiscal_outcome o where o.attempt = a.id and ${condition})`

export type SettledText = "receipt" | NoneBy | "open"

// 2: the operator repeated the statement after a refusal (store/lanes/Refutation)
const isRuledOut = "((a.ruled_out > 0 and a.request_id is null) or a.ruled_out = 2)"

/** Contradictory answers that no operator has decided about since. */
const contradictory = `o.outcome = 'Contradictory' and not exists (select 1 from fiscal_outcome d
  where d.submission = o.submission and d.source = 'operator' and d.id > o.id)`

const settledText = `case when ${has("o.outcome = 'Fiscalised'")} then 'receipt'
  when a.possibly_processed = 0 then 'not-processed'
  when ${has(contradictory)} then 'open'
  when ${has("o.outcome = 'Rejected' and o.source <> 'operator' and o.request_id = a.request_id")} then 'rejected'
  when ${has("o.outcome = 'Rejected' and o.source = 'operator'")} or ${isRuledOut} then 'statement'
  else 'open' end`

export const isContradictory = (sql: SqlLiterals) => sql.literal(contradictory)

export const settled = (sql: SqlLiterals) => sql.literal(settledText)

/** SQL condition: the attempt is not settled. An open attempt is possibly processed. */
export const openText = `a.possibly_processed = 1 and ${settledText} = 'open'`
export const isOpen = (sql: SqlLiterals) => sql.literal(openText)

/** SQL condition: a receipt of the attempt exists or may still be made. */
export const mayBeReceiptText = `${settledText} in ('receipt', 'open')`
export const mayBeReceipt = (sql: SqlLiterals) => sql.literal(mayBeReceiptText)

/**
 * SQL condition: the receipt date of the attempt may have reached the device. A rejected request
 * has
 * reached it, too. The caller excludes the document's own attempts.
 */
export const mayHaveReached = (sql: SqlLiterals) => sql.literal(`a.possibly_processed = 1 and not ${isRuledOut}`)
