/**
 * Polls and webhooks, each outcome once. The outcome of a known request is evaluated at once and
 * not purged. An outcome with an unknown request id waits for its request, within the limits in
 * `unclaimed`.
 */
import { Duration, Effect } from "effect"
import type { RequestId } from "../../document/Identifiers.ts"
import type { StatusItem } from "../../gateway/operation/Status.ts"
import { ruleCodes } from "../../submission/ledger/StatedFailure.ts"
import * as Patience from "../../submission/ledger/Patience.ts"
import type { SettlesAfter } from "../../submission/ledger/Settled.ts"
import type { Change } from "../../submission/Submission.ts"
import type { PollPolicy, PollResult, SweepFacts } from "../../submission/Outcome.ts"
import { type AttemptRow, type Integer, number } from "../rows/Rows.ts"
import type { SqlEffect, Transaction } from "../database/Transaction.ts"
import { inOneTrip } from "../database/Statements.ts"
import * as Failures from "./Failures.ts"
import { keep, keepAhead } from "./KeepOutcome.ts"
import * as LaneCauses from "../lanes/LaneCauses.ts"
import * as Quiet from "../lanes/Quiet.ts"
import type { LaneRow } from "../lanes/Lanes.ts"
import * as StoredOutcome from "./StoredOutcome.ts"
import { weigh, weighEach } from "./Verdicts.ts"

const readAttempt = ({ sql }: Transaction, account: string, requestId: RequestId) =>
  sql.ahead<Failures.TimedAttempt & Pick<LaneRow, "same_count">>`select a.*, ${Quiet.times({ sql })},
      (select l.same_count from fiscal_lane l where l.lane = a.lane) as same_count
    from fiscal_attempt a where a.account = ${account} and a.request_id = ${requestId} order by a.id desc limit 1`

const noLongerAwaited = ({ sql }: Transaction, account: string, requestId: string) =>
  sql`update fiscal_attempt set poll_at = null where account = ${account} and request_id = ${requestId}`

/**
 * The answer and the outcome were written at the same moment, and neither transaction saw the
 * other.
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
 * A late answer claims its early outcome within minutes, and a purged outcome can be polled again.
 */
const forgetUnclaimed = (transaction: Transaction, account: string) =>
  Effect.andThen(Failures.forgetUnclaimed(transaction, account, unclaimed), forgetOutcomes(transaction, account))

const forgetOutcomes = ({ earliest, sql }: Transaction, account: string) =>
  sql`delete from fiscal_outcome where account = ${account} and submission is null and (arrived_at < ${earliest - unclaimed.millis}
    or id <= (select id from fiscal_outcome where account = ${account} and submission is null
      order by id desc limit 1 offset ${unclaimed.most}))`

/** True if the request is not asked for any more. */
const decides = (item: StatusItem): boolean => item._tag === "Fiscalised" && item.missing === undefined

const isResult = (item: StatusItem): boolean =>
  item._tag === "Rejected" ? ruleCodes(item.error).length > 0 : item._tag !== "Pending"

/**
 * Records each item separately: an unknown request id is stored for later and fails no other item.
 * `news`: known requests with a statement that was not stored before.
 *
 * Each query is sent for all items at once. Each submission is weighed once, with all new evidence.
 */
export const record = (
  transaction: Transaction,
  account: string,
  items: ReadonlyArray<StatusItem>,
  seen: Failures.SeenFailure
): SqlEffect<{
  readonly failures: ReadonlyMap<string, Failures.Recorded>
  readonly news: ReadonlySet<string | null>
}> =>
  Effect.gen(function* () {
    const counts = Map.groupBy(items, ({ requestId }) => requestId)
    const statements = items.flatMap((item) => {
      const stated = item._tag === "Rejected" ? null : StoredOutcome.ofItem(item)
      return stated === null ? [] : [{ account, requestId: item.requestId, stated, decides: decides(item) }]
    })
    const failed = items.filter((item) => item._tag === "Rejected")
    const asked = [...statements, ...failed]
    const attempts = yield* inOneTrip(asked, ({ requestId }) => readAttempt(transaction, account, requestId))
    const about = statements.map((one, n) => ({ ...one, attempt: attempts[n]![0] }))
    const kept = yield* inOneTrip(about, (one) => keepAhead(transaction, one, one.stated, seen.source))
    const isNew = kept.map((rows) => rows.length > 0)
    const stated = failed.map((item, n): Failures.StatedItem => {
      const others = (counts.get(item.requestId) ?? []).filter(
        (one) => one._tag !== "Rejected" || one.error !== item.error
      )
      const isPending = others.every(({ _tag }) => _tag === "Pending")
      const beside = others.every(isResult) ? "with-results" : isPending ? "with-pending" : "with-others"
      const answer = others.length === 0 ? "alone" : beside
      return { item, attempt: attempts[statements.length + n]![0], answer }
    })
    const failures = yield* Failures.record(transaction, account, stated, seen)
    if (
      about.some(({ attempt }, n) => attempt === undefined && isNew[n]) ||
      stated.some(({ attempt }) => attempt === undefined)
    ) {
      yield* forgetUnclaimed(transaction, account)
    }
    const ours = about.flatMap(({ attempt, decides, requestId }, n) =>
      attempt === undefined ? [] : [{ attempt, decides, requestId, isNew: isNew[n] }]
    )
    for (const { decides, requestId } of ours) if (decides) yield* noLongerAwaited(transaction, account, requestId)
    const known = ours.filter(({ isNew }) => !isNew)
    const claimed = yield* inOneTrip(known, (one) => claimAhead(transaction, account, one.requestId, one.attempt))
    const news = ours.flatMap(({ attempt, isNew }) => (isNew ? [attempt] : []))
    const settled = stated.flatMap(({ attempt, item }) => {
      const become = failures.get(item.requestId)
      return attempt !== undefined && become?._tag === "Settled" && become.is === "new" ? [attempt] : []
    })
    yield* weighEach(
      transaction,
      [...news, ...claimed.flat(), ...settled].map(({ submission }) => submission)
    )
    const taken = new Set(known.flatMap(({ requestId }, n) => (claimed[n]!.length > 0 ? [requestId] : [])))
    // a success ends a row of failures; usually there is none, and then it costs nothing
    const heard = about.flatMap(({ attempt, requestId, stated: { outcome } }, n) => {
      if (attempt === undefined || !(isNew[n] || taken.has(requestId)) || outcome._tag !== "Fiscalised") return []
      return number(attempt.same_count) === 0 ? [] : [{ lane: attempt.lane, requestId, error: null }]
    })
    // each text of a failure once, settled or not; the control's text says nothing about the lane
    const failing = stated.flatMap(({ attempt, item: { error, requestId } }) => {
      const become = failures.get(requestId)
      const isOwn = become?._tag === "Settled" || become?.control !== "same"
      return attempt === undefined || become?.is !== "new" || !isOwn ? [] : [{ lane: attempt.lane, requestId, error }]
    })
    if (heard.length + failing.length > 0) yield* LaneCauses.hear(transaction, [...heard, ...failing])
    return { failures, news: new Set([...news.map((attempt) => attempt.request_id), ...taken]) }
  })

/**
 * Records signed deliveries. A failure that a delivery does not settle is looked at again when the
 * quiet period of its attempt is over.
 */
export const recordDelivered = (
  transaction: Transaction,
  account: string,
  items: ReadonlyArray<StatusItem>,
  source: Failures.SeenFailure["source"],
  after: SettlesAfter = Patience.unproven.is
): SqlEffect<ReadonlyArray<Change>> =>
  Effect.gen(function* () {
    const { now, sql } = transaction
    const { failures } = yield* record(transaction, account, items, { source, control: null, ability: null, after })
    for (const [requestId, { _tag }] of failures) {
      if (_tag === "Settled") continue
      const [attempt] = yield* Effect.flatten(readAttempt(transaction, account, requestId as RequestId))
      if (attempt === undefined) continue
      const at = Math.max(now, Failures.quietOf(attempt).quietUntil)
      yield* sql`update fiscal_attempt set poll_at = ${at} where id = ${attempt.id} and (poll_at is null or poll_at > ${at})`
    }
    return [...transaction.changes]
  })

// minimum: a first look at once (zero delay) must not make every later look immediate
const shortestPause = 100

const pause = ({ firstLook, longestPause }: PollPolicy, looks: number): number =>
  Math.max(
    shortestPause,
    Math.min(Duration.toMillis(firstLook) * 2 ** Math.min(looks, 30), Duration.toMillis(longestPause))
  )

/** The gateway answers for the attempt from its first stated success. */
const succeededAt = ({ sql }: Transaction, { id }: AttemptRow) =>
  Effect.map(
    sql<{ readonly at: Integer | null }>`select min(arrived_at) as at from fiscal_outcome
      where attempt = ${id} and outcome = 'Fiscalised' and source <> 'operator'`,
    ([row]) => number(row?.at ?? 0)
  )

/** A success may come after all. */
const askedAfterSettling = Duration.toMillis(Patience.unproven.is)

/**
 * Records the answer to one status call. A request id without an answer is polled again until its
 * retention time is over; a settled failure for 20 hours, because a success may come after all.
 */
export const recordPoll = (
  transaction: Transaction,
  account: string,
  asked: ReadonlyArray<RequestId>,
  items: ReadonlyArray<StatusItem>,
  policy: PollPolicy,
  facts?: SweepFacts
): SqlEffect<PollResult> =>
  Effect.gen(function* () {
    const { earliest, latest, now, sql } = transaction
    const answers = Map.groupBy(items, ({ requestId }) => requestId)
    const isIn = (requestId: RequestId, tag: StatusItem["_tag"]) =>
      (answers.get(requestId) ?? []).some(({ _tag }) => _tag === tag)
    const after = policy.settlesAfter ?? Patience.unproven.is
    const { failures, news } = yield* record(transaction, account, items, {
      source: "poll",
      control: facts?.control ?? { _tag: "NotAnswered" },
      ability: facts?.ability ?? null,
      after
    })
    const others = asked.filter((requestId) => !(answers.get(requestId) ?? []).some(decides))
    yield* Failures.interrupted(
      transaction,
      account,
      others.filter((requestId) => !failures.has(requestId))
    )
    const attempts = yield* inOneTrip(others, (requestId) => readAttempt(transaction, account, requestId))
    let pending = 0
    let expired = 0
    let answered = asked.length - others.length
    for (const [n, requestId] of others.entries()) {
      const failure = failures.get(requestId)
      // a contradictory answer, or a success without its proof
      const isUndecided = isIn(requestId, "Contradictory") || isIn(requestId, "Fiscalised")
      // the same contradiction again does not count: nothing has changed
      if ((isUndecided && news.has(requestId)) || (failure?._tag === "Settled" && failure.is === "new")) answered++
      const [attempt] = attempts[n]!
      if (attempt === undefined) continue
      const looks = number(attempt.looks) + 1
      const next = now + pause(policy, looks)
      if (failure?._tag === "Settled") {
        const isOver = next > failure.at + askedAfterSettling
        yield* sql`update fiscal_attempt set ${sql.update({ looks, poll_at: isOver ? null : next })}
          where account = ${account} and request_id = ${requestId}`
        continue
      }
      // an answer that an unknown id gets too does not show that the gateway knows the request
      const isKnown = isIn(requestId, "Pending") || failure?.control === "told-apart"
      const known = Math.max(
        number(attempt.known_at ?? attempt.begun_at),
        isIn(requestId, "Fiscalised") ? yield* succeededAt(transaction, attempt) : 0
      )
      const isDoubtful = failure?.control === "not-answered"
      if (!isKnown && !isDoubtful && earliest >= known + Duration.toMillis(policy.retention)) {
        yield* noLongerAwaited(transaction, account, requestId)
        if (isUndecided) continue
        expired++
        const isNew = yield* keep(
          transaction,
          { account, requestId, attempt },
          { outcome: { _tag: "Expired" } },
          "poll"
        )
        if (isNew) yield* weigh(transaction, attempt.submission, "fresh")
        continue
      }
      if (isKnown || failure !== undefined) pending++
      const { quietUntil } = Failures.quietOf(attempt)
      yield* sql`update fiscal_attempt set ${sql.update({
        looks,
        poll_at: failure !== undefined && quietUntil > now ? Math.min(next, quietUntil) : next,
        known_at: isKnown ? latest : known,
        mentioned_at: isKnown || isUndecided ? now : attempt.mentioned_at
      })} where account = ${account} and request_id = ${requestId}`
    }
    return { answered, pending, expired }
  })
