/** What can be done about an Unknown without a person: look in the inbox first, then what the account's policy allows. */
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { SqlClient } from "effect/sql/SqlClient"
import type { StatusItem } from "../../gateway/operation/Status.ts"
import type { RequestId } from "../../document/Identifiers.ts"
import type { InboxItem } from "../../submission/Explanation.ts"
import { unclaimed } from "./Evidence.ts"
import { identify } from "./Finish.ts"
import { onTrust } from "./OnTrust.ts"
import { type AttemptRow, type OutcomeRow, proofOf, rejectionOf, type SubmissionRow } from "../rows/Rows.ts"
import * as Stored from "../../ledger/Stored.ts"
import type { SqlEffect, Transaction } from "../database/Transaction.ts"
import { until } from "../lanes/Quiet.ts"
import { move } from "../lanes/Transition.ts"
import { weigh } from "./Verdicts.ts"

/** Under `resend-flagged`: Unknown again Planned once nothing of its last attempt can still be under way. */
export const resend = (transaction: Transaction, account: string): SqlEffect<number> =>
  Effect.gen(function* () {
    const { dialect, now, sql } = transaction
    const rows = yield* sql<SubmissionRow>`select s.* from fiscal_submission s
      where s.state = 'Unknown' and s.account = ${account}
      and not exists (select 1 from fiscal_attempt a where a.submission = s.seq and ${until(transaction)} > ${now})
      order by s.seq ${dialect.forUpdate}`
    for (const row of rows) {
      yield* move(transaction, row, "Planned", "resend-policy", {
        text: "sent again with IsRetry; the gateway de-duplicates (DOC-10)"
      })
    }
    return rows.length
  })

/** Attempts of the account that may have been processed and whose request id nobody knows, none that was sent again under an id. */
const idless = ({ sql }: Transaction, account: string) =>
  sql<AttemptRow>`select a.* from fiscal_attempt a
    where a.account = ${account} and a.possibly_processed = 1 and a.request_id is null
    and not exists (select 1 from fiscal_attempt b
      where b.submission = a.submission and b.id > a.id and b.request_id is not null)
    order by a.id limit 2`

/**
 * Attempts that were sent again under an id: what they came to may still be told under one of their own, for as long as outcomes nobody knows are
 * kept. What a person ruled out comes to nothing.
 */
const sentAgain = ({ now, sql }: Transaction, account: string) =>
  sql`select 1 from fiscal_attempt a
    where a.account = ${account} and a.possibly_processed = 1 and a.request_id is null and a.ruled_out = 0
    and a.begun_at > ${now - unclaimed.millis}
    and exists (select 1 from fiscal_attempt b
      where b.submission = a.submission and b.id > a.id and b.request_id is not null)
    limit 1`

/** Attempts whose id may be another than the one a person named: what the inbox has may be theirs. */
const mayBeMistyped = (transaction: Transaction, account: string) =>
  transaction.sql`select 1 from fiscal_attempt a where a.account = ${account} and ${onTrust(transaction)} limit 1`

/**
 * Joins by elimination: exactly one attempt lacks an id, exactly one request id in the inbox arrived after it began, and it can be no other's.
 * Sound only where nobody else submits with the account's credentials.
 */
export const joinByElimination = (transaction: Transaction, account: string): SqlEffect<number> =>
  Effect.gen(function* () {
    const { sql } = transaction
    const [attempt, second] = yield* idless(transaction, account)
    // an attempt in flight may still learn its own id
    if (attempt === undefined || second !== undefined || attempt.result !== "Unknown") return 0
    const ids = yield* sql<{ readonly request_id: string }>`select distinct request_id from fiscal_outcome
      where account = ${account} and submission is null and arrived_at >= ${attempt.begun_at} limit 2`
    if (ids.length !== 1) return 0
    if ((yield* sentAgain(transaction, account)).length > 0) return 0
    if ((yield* mayBeMistyped(transaction, account)).length > 0) return 0
    yield* identify(transaction, attempt.id, ids[0]!.request_id, null)
    yield* weigh(transaction, attempt.submission, "fresh")
    return 1
  })

const itemOf = (row: OutcomeRow): StatusItem => {
  const place = () => `outcome ${row.id}, which has no document`
  const requestId = Stored.name<RequestId>(row.request_id, place)
  if (row.outcome === "Rejected") return { _tag: "Rejected", requestId, ...rejectionOf(row.detail, place) }
  const { fiscalInvoicePdf, said, ...qrData } = proofOf(row.detail, place)
  return { _tag: "Fiscalised", requestId, qrData, fiscalInvoicePdf, ...(said !== undefined && { said }) }
}

/** Outcomes of request ids that no attempt has, since then. */
export const inbox = (
  sql: SqlClient,
  account: string,
  since: number
): Effect.Effect<ReadonlyArray<InboxItem>, SqlError> =>
  Effect.map(
    sql<OutcomeRow>`select * from fiscal_outcome
      where account = ${account} and submission is null and arrived_at >= ${since} order by id`,
    (rows) =>
      rows.map((row) => ({
        account,
        item: itemOf(row),
        arrivedAt: Stored.time(row.arrived_at, () => `arrived_at of outcome ${row.id}`)
      }))
  )
