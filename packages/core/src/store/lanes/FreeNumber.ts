/** A number is used once (RCPT013): only one that never reached the device becomes free again. */
import type { SubmissionRow } from "../rows/Rows.ts"
import { mayHaveReached } from "../rows/SettledSql.ts"
import type { Transaction } from "../database/Transaction.ts"

/** Frees the number of the document unless one of its requests may have been processed. */
export const freeNumber = ({ sql }: Transaction, { account, id, kind, number, seq, taxpayer }: SubmissionRow) =>
  sql`delete from fiscal_number where taxpayer = ${taxpayer} and number = ${number}
    and account = ${account} and kind = ${kind} and id = ${id}
    and not exists (select 1 from fiscal_attempt a where a.submission = ${seq} and ${mayHaveReached(sql)})`
