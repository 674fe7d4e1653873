/**
 * Records outcomes from polls and webhooks, each outcome once. The outcome of a known request is
 * evaluated at once and is not purged. An outcome with an unknown request id waits for its request,
 * and is purged when it exceeds the limits in `unclaimed`.
 */
import { Array as Arr, Duration, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { createHash } from "node:crypto"
import type { RequestId } from "../../document/Identifiers.ts"
import type { StatusItem } from "../../gateway/operation/Status.ts"
import * as Patience from "../../ledger/Patience.ts"
import type { PollPolicy, PollResult } from "../../submission/SubmissionStore.ts"
import { type AttemptRow, type Integer, number } from "../rows/Rows.ts"
import type { SqlEffect, Transaction } from "../database/Transaction.ts"
import { inOneTrip } from "../database/Statements.ts"
import * as LaneCauses from "../lanes/LaneCauses.ts"
import type { LaneRow } from "../lanes/Lanes.ts"
import * as StoredOutcome from "./StoredOutcome.ts"
import { weigh, weighEach } from "./Verdicts.ts"

export interface About {
  readonly account: string
  readonly requestId: string
  readonly attempt: Pick<AttemptRow, "id" | "submission"> | undefined
}

type Source = "poll" | "webhook" | "operator"

/** Sends the insert of one outcome. Returns no row for a known outcome (HOOK-3). */
const keepAhead = ({ now, sql }: Transaction, about: About, stated: StoredOutcome.Statement, source: Source) => {
  const { detail, outcome } = StoredOutcome.columnsOf(stated.outcome)
  return sql.ahead<{ readonly id: Integer }>`insert into fiscal_outcome ${sql.insert({
    account: about.account,
    request_id: about.requestId,
    digest: createHash("sha256")
      .update(`${source === "operator"} ${outcome} ${detail}`)
      .digest("hex"),
    submission: about.attempt?.submission ?? null,
    attempt: about.attempt?.id ?? null,
    source,
    outcome,
    detail,
    unknown_fields: stated.unknownFields === undefined ? null : JSON.stringify(stated.unknownFields),
    arrived_at: now
  })} on conflict (account, request_id, digest) do nothing returning id`
}

/** Stores one outcome. Returns false for a known outcome. */
export const keep = (
  transaction: Transaction,
  about: About,
  stated: StoredOutcome.Statement,
  source: Source
): SqlEffect<boolean> =>
  Effect.map(Effect.flatten(keepAhead(transaction, about, stated, source)), (rows) => rows.length > 0)

/**
 * Sends the query for the attempt with this request id: the last one, if a retry got the same id.
 */
const readAttempt = ({ sql }: Transaction, account: string, requestId: RequestId) =>
  sql.ahead<AttemptRow & Pick<LaneRow, "same_count">>`select a.*,
      (select l.same_count from fiscal_lane l where l.lane = a.lane) as same_count
    from fiscal_attempt a where a.account = ${account} and a.request_id = ${requestId} order by a.id desc limit 1`

const noLongerAwaited = ({ sql }: Transaction, account: string, requestId: string) =>
  sql`update fiscal_attempt set poll_at = null where account = ${account} and request_id = ${requestId}`

/**
 * Assigns unmatched outcomes of the request id to the attempt. The answer and the outcome were
 * written at the same moment, and neither transaction saw the other.
 */
const claimAhead = ({ sql }: Transaction, account: string, requestId: string, attempt: AttemptRow) =>
  sql.ahead<
    Pick<AttemptRow, "submission">
  >`update fiscal_outcome set submission = ${attempt.submission}, attempt = ${attempt.id}
    where account = ${account} and request_id = ${requestId} and submission is null returning submission`

/**
 * Limits per account for outcomes with unknown request ids: number and age. The age exceeds the
 * gateway's retention.
 */
export const unclaimed = { most: 10_000, millis: Duration.toMillis(Patience.unclaimed.is) }

/**
 * Purges the oldest unmatched outcomes. A late answer claims its early outcome within minutes, and
 * a purged outcome can be polled again.
 */
const forgetUnclaimed = ({ now, sql }: Transaction, account: string) =>
  sql`delete from fiscal_outcome where account = ${account} and submission is null and (arrived_at < ${now - unclaimed.millis}
    or id <= (select id from fiscal_outcome where account = ${account} and submission is null
      order by id desc limit 1 offset ${unclaimed.most}))`

/**
 * Records each item separately: an unknown request id is stored for later and fails no other item.
 *
 * Each query is sent for all items at once. Each submission is weighed once, with all new evidence.
 */
export const record = (
  transaction: Transaction,
  account: string,
  items: ReadonlyArray<StatusItem>,
  source: "poll" | "webhook"
): SqlEffect<void> =>
  Effect.gen(function* () {
    const statements = items.flatMap((item) => {
      const stated = StoredOutcome.ofItem(item)
      return stated === null ? [] : [{ account, requestId: item.requestId, stated }]
    })
    const attempts = yield* inOneTrip(statements, ({ requestId }) => readAttempt(transaction, account, requestId))
    const about = statements.map((one, n) => ({ ...one, attempt: attempts[n]![0] }))
    const kept = yield* inOneTrip(about, (one) => keepAhead(transaction, one, one.stated, source))
    const isNew = kept.map((rows) => rows.length > 0)
    if (about.some(({ attempt }, n) => attempt === undefined && isNew[n])) yield* forgetUnclaimed(transaction, account)
    const ours = about.flatMap(({ attempt, requestId }, n) =>
      attempt === undefined ? [] : [{ attempt, requestId, isNew: isNew[n] }]
    )
    for (const { requestId } of ours) yield* noLongerAwaited(transaction, account, requestId)
    const known = ours.filter(({ isNew }) => !isNew)
    const claimed = yield* inOneTrip(known, (one) => claimAhead(transaction, account, one.requestId, one.attempt))
    const news = ours.flatMap(({ attempt, isNew }) => (isNew ? [attempt] : []))
    yield* weighEach(
      transaction,
      [...news, ...claimed.flat()].map(({ submission }) => submission)
    )
    const taken = new Set(known.flatMap(({ requestId }, n) => (claimed[n]!.length > 0 ? [requestId] : [])))
    // a success ends a row of failures; usually there is none, and then it costs nothing
    const heard = about.flatMap(({ attempt, requestId, stated: { outcome } }, n) => {
      if (attempt === undefined || !(isNew[n] || taken.has(requestId)) || outcome._tag === "Expired") return []
      const error = outcome._tag === "Rejected" ? outcome.rejection.error : null
      return error === null && number(attempt.same_count) === 0 ? [] : [{ lane: attempt.lane, requestId, error }]
    })
    if (heard.length > 0) yield* LaneCauses.hear(transaction, heard)
  })

/** Makes awaited requests due at once. Requests that are not awaited stay so. */
export const hasten = ({ now, sql }: Transaction, account: string, requestIds: ReadonlyArray<RequestId>) =>
  Effect.forEach(
    Arr.chunksOf(requestIds, 500),
    (ids) => sql`update fiscal_attempt set poll_at = ${now}
      where account = ${account} and poll_at > ${now} and ${sql.in("request_id", ids)}`,
    { discard: true }
  )

/** Returns true if a look is due. Reads without a lock. */
export const isAnyDue = (sql: SqlClient, account: string) => (now: number) =>
  Effect.map(
    sql`select 1 from fiscal_attempt where account = ${account} and poll_at is not null and poll_at <= ${now} limit 1`,
    (rows) => rows.length > 0
  )

/**
 * Reads requests whose next look is due, and postpones the next look, so that another poller does
 * not ask for the same.
 */
export const due = ({ dialect, now, sql }: Transaction, account: string, limit: number, lease: Duration.Duration) =>
  Effect.map(
    sql<{ readonly request_id: RequestId }>`update fiscal_attempt set poll_at = ${now + Duration.toMillis(lease)}
      where id in (select id from fiscal_attempt
        where account = ${account} and poll_at is not null and poll_at <= ${now}
        order by known_at, id limit ${limit} ${dialect.skipLocked})
      returning request_id`,
    (rows) => [...new Set(rows.map(({ request_id }) => request_id))]
  )

// minimum: a first look at once (zero delay) must not make every later look immediate
const shortestPause = 100

const pause = ({ firstLook, longestPause }: PollPolicy, looks: number): number =>
  Math.max(
    shortestPause,
    Math.min(Duration.toMillis(firstLook) * 2 ** Math.min(looks, 30), Duration.toMillis(longestPause))
  )

/**
 * Records the answer to one status call. A request id without an answer is polled again until its
 * retention time is over.
 */
export const recordPoll = (
  transaction: Transaction,
  account: string,
  asked: ReadonlyArray<RequestId>,
  items: ReadonlyArray<StatusItem>,
  policy: PollPolicy
): SqlEffect<PollResult> =>
  Effect.gen(function* () {
    const { now, sql } = transaction
    const answers = Map.groupBy(items, ({ requestId }) => requestId)
    const settledItems = (requestId: RequestId) =>
      (answers.get(requestId) ?? []).filter((item) => item._tag !== "Pending")
    const answered = asked.filter((requestId) => settledItems(requestId).length > 0)
    yield* record(transaction, account, answered.flatMap(settledItems), "poll")
    let pending = 0
    let expired = 0
    const others = asked.filter((requestId) => settledItems(requestId).length === 0)
    const attempts = yield* inOneTrip(others, (requestId) => readAttempt(transaction, account, requestId))
    for (const [n, requestId] of others.entries()) {
      const [attempt] = attempts[n]!
      if (attempt === undefined) continue
      const isPending = answers.has(requestId)
      const known = number(attempt.known_at ?? attempt.begun_at)
      if (!isPending && now >= known + Duration.toMillis(policy.retention)) {
        expired++
        yield* noLongerAwaited(transaction, account, requestId)
        const isNew = yield* keep(
          transaction,
          { account, requestId, attempt },
          { outcome: { _tag: "Expired" } },
          "poll"
        )
        if (isNew) yield* weigh(transaction, attempt.submission, "fresh")
        continue
      }
      if (isPending) pending++
      const looks = number(attempt.looks) + 1
      yield* sql`update fiscal_attempt set ${sql.update({
        looks,
        poll_at: now + pause(policy, looks),
        known_at: isPending ? now : known,
        mentioned_at: isPending ? now : attempt.mentioned_at
      })} where account = ${account} and request_id = ${requestId}`
    }
    return { answered: answered.length, pending, expired }
  })
