/** Unmatched outcomes first, then the account's policy. */
import { Duration, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { SqlClient } from "effect/sql/SqlClient"
import type { InboxItem } from "../../submission/Explanation.ts"
import { unclaimed } from "./Evidence.ts"
import { failedItem, type StatementRow } from "./Failures.ts"
import { identify } from "./Finish.ts"
import { onTrust } from "./UnconfirmedIds.ts"
import { type AttemptRow, type Integer, number, type OutcomeRow, type SubmissionRow } from "../rows/Rows.ts"
import * as Patience from "../../submission/ledger/Patience.ts"
import * as Stored from "../../submission/ledger/Stored.ts"
import { unmarked } from "../../submission/ledger/NewestAttempt.ts"
import type { SqlEffect, Transaction } from "../database/Transaction.ts"
import * as KnownAttempts from "../lanes/KnownAttempts.ts"
import { until } from "../lanes/Quiet.ts"
import { move } from "../lanes/Transition.ts"
import { itemOf } from "./StoredOutcome.ts"
import { weigh } from "./Verdicts.ts"

/**
 * Under `resend-flagged`: plans Unknown documents again once no request of them can be in flight.
 * Plans nothing in a stopped store.
 */
export const resend = (transaction: Transaction, account: string): SqlEffect<number> =>
  Effect.gen(function* () {
    const { dialect, earliest, sql, stop } = transaction
    if (stop !== null) return 0
    const rows = yield* sql<SubmissionRow>`select s.* from fiscal_submission s
      where s.state = 'Unknown' and s.account = ${account}
      and not exists (select 1 from fiscal_attempt a where a.submission = s.seq and ${until(transaction)} > ${earliest})
      order by s.seq ${dialect.forUpdate}`
    for (const row of rows) {
      yield* move(transaction, row, "Planned", "resend-policy", {
        text: "sent again with IsRetry; the gateway de-duplicates (DOC-10)"
      })
    }
    return rows.length
  })

/** Up to two. Excludes attempts that were followed by an attempt with a request id. */
const idless = ({ sql }: Transaction, account: string) =>
  sql<AttemptRow>`select a.* from fiscal_attempt a
    where a.account = ${account} and a.possibly_processed = 1 and a.request_id is null
    and not exists (select 1 from fiscal_attempt b
      where b.submission = a.submission and b.id > a.id and b.request_id is not null)
    order by a.id limit 2`

/**
 * The first request's result may still arrive under another request id until unmatched outcomes are
 * purged (8 days). Excludes attempts that an operator has ruled out after their quiet period.
 */
const sentAgain = ({ earliest, sql }: Transaction, account: string) =>
  sql`select 1 from fiscal_attempt a
    where a.account = ${account} and a.possibly_processed = 1 and a.request_id is null
    and (a.ruled_out = 0 or a.hurried_at is not null)
    and a.begun_at > ${earliest - unclaimed.millis}
    and exists (select 1 from fiscal_attempt b
      where b.submission = a.submission and b.id > a.id and b.request_id is not null)
    limit 1`

/** An unmatched outcome may belong to an attempt with a mistyped request id. */
const mayBeMistyped = (transaction: Transaction, account: string) =>
  transaction.sql`select 1 from fiscal_attempt a where a.account = ${account} and ${onTrust(transaction.sql)} limit 1`

const soonAfter = Duration.toMillis(Patience.elimination.is)

/**
 * This process knows an attempt that is missing, a process has recognized the store as an older
 * copy, or an operator has accepted one within the last 8 days.
 */
const lacksRequests = (transaction: Transaction, known: KnownAttempts.KnownAttempts): SqlEffect<boolean> =>
  Effect.gen(function* () {
    const { earliest, sql, stop } = transaction
    if (stop !== null) return true
    const doubts = yield* sql`select 1 from fiscal_store where accepted_at > ${earliest - unclaimed.millis}`
    if (doubts.length > 0) return true
    const { acceptance, missing } = yield* KnownAttempts.compareWithin(transaction, known, unmarked)
    return acceptance === "lost" || missing.length > 0
  })

const unmatched = (sql: Pick<SqlClient, "literal">) =>
  sql.literal("not exists (select 1 from fiscal_attempt a where a.account = t.account and a.request_id = t.request_id)")

/**
 * Assigns a request id by elimination: exactly one attempt lacks a request id, exactly one
 * unmatched request id arrived soon after the attempt began, none arrived later, no other attempt
 * can own the id, and the store is not known to lack requests. The attempt lies between the first
 * and the last one that this process began in the lane: outside, a restored store may lack requests
 * of which nothing here tells.
 *
 * Sound only if no other system submits with the account's credentials.
 */
export const joinByElimination = (
  transaction: Transaction,
  known: KnownAttempts.KnownAttempts,
  account: string
): SqlEffect<number> =>
  Effect.gen(function* () {
    const { sql } = transaction
    const [attempt, second] = yield* idless(transaction, account)
    // an attempt in flight may still learn its own id
    if (attempt === undefined || second !== undefined || attempt.result !== "Unknown") return 0
    const { own } = known.of(attempt.lane)
    if (own === undefined || number(attempt.id) < own.first || number(attempt.id) > own.last) return 0
    const ids = yield* sql<{ readonly request_id: string; readonly arrived_at: Integer }>`
      select request_id, min(arrived_at) as arrived_at from (
        select request_id, arrived_at from fiscal_outcome where account = ${account} and submission is null
        union all select t.request_id, t.first_at as arrived_at from fiscal_statement t
          where t.account = ${account} and ${unmatched(sql)}) o
      where arrived_at >= ${attempt.begun_at}
      group by request_id limit 2`
    const [id, otherId] = ids
    if (id === undefined || otherId !== undefined) return 0
    if (number(id.arrived_at) > number(attempt.begun_at) + soonAfter) return 0
    if ((yield* sentAgain(transaction, account)).length > 0) return 0
    if ((yield* mayBeMistyped(transaction, account)).length > 0) return 0
    if (yield* lacksRequests(transaction, known)) return 0
    yield* identify(transaction, attempt.id, id.request_id, null)
    yield* weigh(transaction, attempt.submission, "fresh")
    return 1
  })

export const inbox = (
  sql: SqlClient,
  account: string,
  since: number
): Effect.Effect<ReadonlyArray<InboxItem>, SqlError> =>
  Effect.zipWith(
    sql<OutcomeRow>`select * from fiscal_outcome
      where account = ${account} and submission is null and arrived_at >= ${since} order by id`,
    sql<StatementRow>`select t.* from fiscal_statement t
      where t.account = ${account} and t.first_at >= ${since} and ${unmatched(sql)} order by t.first_at`,
    (outcomes, failures) => [
      ...outcomes.map((row) => ({
        account,
        item: itemOf(row),
        arrivedAt: Stored.time(row.arrived_at, () => `arrived_at of outcome ${row.id}`)
      })),
      ...failures.map((row) => ({
        account,
        item: failedItem(row),
        arrivedAt: Stored.time(row.first_at, () => `first_at of a failure of request ${row.request_id}`)
      }))
    ]
  )
