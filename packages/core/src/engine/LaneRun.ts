/** One run of one lane: claim it, send its documents one after the other, leave it and say how. */
import { Cause, Clock, DateTime, Duration, Effect, Exit, Option, Random, Result, Schedule } from "effect"
import * as Exchanged from "../gateway/contract/Exchanged.ts"
import { type Deadline, HandOverBy, isPast } from "../gateway/contract/HandOverBy.ts"
import * as Moment from "../gateway/contract/Moment.ts"
import { traced } from "../gateway/contract/Traced.ts"
import * as SubmitCapability from "../gateway/internal/SubmitCapability.ts"
import { type Classification, classify } from "../submission/AttemptResult.ts"
import * as HistoricalGuard from "../account/HistoricalGuard.ts"
import * as OpenAccount from "../account/OpenAccount.ts"
import type { Holder } from "../submission/Holder.ts"
import type { LaneLease, LaneStop, LaneWait, StopCause } from "../submission/Lane.ts"
import type { StoreError } from "../ledger/StoreError.ts"
import type { AttemptOptions, BegunAttempt, FinishedAttempt, NextAttempt } from "../submission/Attempt.ts"
import * as QuietPeriod from "../ledger/QuietPeriod.ts"
import type { SubmissionStoreOperations } from "../submission/SubmissionStore.ts"
import * as AttemptMetrics from "./AttemptMetrics.ts"
import { policyOf } from "./StatusPoller.ts"
import { stopCause } from "../account/StopReason.ts"

/** How a lane was left. */
export type LaneEnd =
  /** Nothing Planned is left. */
  | { readonly _tag: "Drained" }
  | { readonly _tag: "Waiting"; readonly wait: LaneWait }
  | { readonly _tag: "Stopped"; readonly stop: LaneStop }
  /** Another worker has the lane. */
  | { readonly _tag: "Busy"; readonly holder: string; readonly until: DateTime.Utc }

/** How a run left a lane, and with how many attempts. */
export interface LaneReport {
  readonly lane: string
  /** Attempts made in this run. */
  readonly attempts: number
  readonly end: LaneEnd
}

/** The Submitter's options, settled. */
export interface Terms {
  readonly lease: Duration.Duration
  readonly longestRequest: Duration.Duration
  /** Shortest permitted quiet period. */
  readonly shortestQuiet: Duration.Duration
  readonly firstBackOff: Duration.Duration
  readonly longestBackOff: Duration.Duration
  readonly skew: Duration.Duration
  readonly holder: Holder
}

/** What one run of a lane works with. */
export interface LaneRun {
  readonly store: SubmissionStoreOperations
  readonly terms: Terms
  readonly holder: string
  readonly lane: string
  readonly accounts: ReadonlyArray<OpenAccount.OpenAccount>
}

const optionsOf = ({ accounts, terms }: LaneRun, now: DateTime.Utc): AttemptOptions => ({
  accounts: accounts.map((permission) => {
    const { account, assumptions, destination, device, notBefore, zone } = permission
    return {
      behindClose: HistoricalGuard.check(device, DateTime.setZone(now, zone), assumptions["HIST-1"]),
      ...(notBefore === undefined ? {} : { notBefore }),
      quietPeriod: Duration.max(
        Duration.fromInputUnsafe(permission.quietPeriod ?? QuietPeriod.standard),
        terms.shortestQuiet
      ),
      retention: policyOf(permission).retention,
      account,
      environment: destination.environment,
      afterRejection: assumptions["DOC-10b"],
      goOnAfter: assumptions["ORD-1"],
      fiscalDay: OpenAccount.fiscalDayOf(permission),
      interruptions: OpenAccount.interruptionsOf(permission)
    }
  }),
  lease: terms.lease,
  skew: terms.skew,
  ahead: Duration.millis(Math.max(0, ...accounts.map(aheadOf)))
})

/** The gateway's time came in whole seconds: ours may be a second further ahead than it shows. */
const aheadOf = ({ clock }: OpenAccount.OpenAccount): number =>
  clock._tag === "Told" && clock.aheadMillis > 0 ? clock.aheadMillis + 1000 : 0

const unknown = (because: string): Classification => ({
  result: { _tag: "Unknown", because },
  stop: null,
  retryAfter: null
})

const unanswered = (longest: Duration.Duration): Classification =>
  unknown(`no answer within ${Duration.format(longest)}`)

/** The process was stopped before the socket, or no connection came about: nobody has to look for it at the gateway. */
const notHandedOver = (longest: Duration.Duration): Classification => ({
  result: { _tag: "NotProcessed", because: `not sent: it was not handed over within ${Duration.format(longest)}` },
  stop: "not-sent",
  retryAfter: null
})

const accountOf = ({ accounts }: LaneRun, { key }: BegunAttempt) =>
  accounts.find(({ account }) => account === key.account)!

/** Sends once. The timeout races the request in a fiber of its own: whoever waits may be told to stop, the request in flight is not. */
const send = (run: LaneRun, attempt: BegunAttempt, kept: Exchanged.Kept): Effect.Effect<Classification> =>
  traced(
    AttemptMetrics.counted(run.lane, sending(run, attempt, kept)),
    "FiscalConnector.attempt",
    () => ({ attributes: { ...attempt.key, number: attempt.number, lane: run.lane, attempt: attempt.attempt } }),
    ({ result }) =>
      result._tag === "Accepted" ? { result: "Accepted", requestId: result.requestId } : { result: result._tag }
  )

const sending = Effect.fnUntraced(function* (
  run: LaneRun,
  attempt: BegunAttempt,
  kept: Exchanged.Kept
): Effect.fn.Return<Classification> {
  const { longestRequest } = run.terms
  const submit = yield* SubmitCapability.of(accountOf(run, attempt))
  const exit = yield* submit(attempt.document).pipe(
    Effect.map((requestId): Classification => ({
      result: { _tag: "Accepted", requestId },
      stop: null,
      retryAfter: null
    })),
    Effect.timeoutOrElse({
      duration: longestRequest,
      // broken off by now, and so is a hand-over that had not begun: what was not handed over never will be
      orElse: () => Effect.sync(() => (kept.facts?.stage === "not-sent" ? notHandedOver : unanswered)(longestRequest))
    }),
    Effect.provideService(Exchanged.Kept, kept),
    Effect.exit
  )
  if (Exit.isSuccess(exit)) return exit.value
  const error = Cause.findErrorOption(exit.cause)
  // a defect's own text may hold anything
  return Option.match(error, { onNone: () => unknown("the client broke off"), onSome: classify })
})

type Sent = { readonly _tag: "Sent"; readonly classification: Classification }

/** An answer that has been read and is not written yet: the next commit takes it along. */
interface Unwritten {
  answer: FinishedAttempt | undefined
}

/** Writes the answer by itself. It is not lost to a store that is busy for a moment; if it is in the end, the attempt is Unknown at the next claim. */
const write = (run: LaneRun, unwritten: Unwritten) =>
  Effect.suspend(() => {
    const { answer } = unwritten
    if (answer === undefined) return Effect.void
    return run.store.finishAttempt(answer).pipe(
      Effect.retry({
        times: 6,
        schedule: Schedule.exponential("50 millis"),
        while: ({ reason }) => reason === "unavailable"
      }),
      Effect.andThen(
        Effect.sync(() => {
          unwritten.answer = undefined
        })
      )
    )
  })

const stoodStill: Classification = {
  result: { _tag: "NotProcessed", because: "not sent: this process was suspended after it stored the request" },
  stop: null,
  retryAfter: null
}

/**
 * Until when a request may be handed over that was asked for then, so that it cannot outlast the lease it was written under, nor go long after the
 * device was last seen. The process may have been
 * stopped, or the machine asleep, since: another worker has the lane, and a person may have been told by the gateway that nothing of it has arrived.
 */
const handOverBy = ({ terms: { lease, longestRequest } }: LaneRun, asked: Moment.Moment): Deadline => ({
  from: asked,
  within: Duration.toMillis(lease) - Duration.toMillis(longestRequest)
})

/** Begins and sends one attempt, asked for after a look at the permissions; not to be interrupted half-way. */
const sendNext = Effect.fnUntraced(function* (
  run: LaneRun,
  lease: LaneLease,
  unwritten: Unwritten,
  asked: Moment.Moment
): Effect.fn.Return<Exclude<NextAttempt, BegunAttempt> | Sent, StoreError> {
  const next = yield* run.store.beginAttempt(lease, optionsOf(run, yield* DateTime.now), unwritten.answer)
  unwritten.answer = undefined
  if (next._tag !== "Begun") return next
  const account = accountOf(run, next)
  yield* OpenAccount.witnessSending(account)
  const kept: Exchanged.Kept = { facts: undefined }
  const by = handOverBy(run, asked)
  const isTooLate = isPast(by, yield* Clock.Clock)
  const classification = isTooLate
    ? stoodStill
    : // looked at once more before the socket
      yield* Effect.provideService(send(run, next, kept), HandOverBy, by)
  unwritten.answer = {
    attempt: next.attempt,
    token: next.newest.token,
    result: classification.result,
    exchanged: kept.facts,
    firstLook: policyOf(account).firstLook,
    pace: account.pace === undefined ? undefined : Duration.fromInputUnsafe(account.pace)
  }
  return { _tag: "Sent", classification }
}, Effect.uninterruptible)

/** Stops the lane for a while that grows with every stop in a row. */
const stop = (run: LaneRun, cause: StopCause, because: string, retryAfter: Duration.Duration | null) =>
  Effect.gen(function* () {
    const { accounts, lane, store, terms } = run
    const views = yield* store.lanes(accounts.map(({ account }) => account))
    const view = views.find((view) => view.lane === lane)
    const doubled = Duration.times(terms.firstBackOff, 2 ** Math.min(view?.stops ?? 0, 30))
    const longest = Duration.min(doubled, terms.longestBackOff)
    const drawn = Duration.millis(Math.ceil(Duration.toMillis(longest) * (0.5 + (yield* Random.next) / 2)))
    const hinted = Duration.min(retryAfter ?? Duration.zero, terms.longestBackOff)
    const now = yield* DateTime.now
    const stop: LaneStop = { cause, because, retryAt: DateTime.addDuration(now, Duration.max(drawn, hinted)) }
    yield* store.stop(lane, stop)
    return stop
  })

/** Settles the permissions anew; where one cannot be had the lane is stopped with what stands in its way. Null when it may send. */
const renew = (run: LaneRun, which: ReadonlyArray<OpenAccount.OpenAccount>) =>
  Effect.gen(function* () {
    for (const account of which) {
      const refused = yield* OpenAccount.renew(account).pipe(
        Effect.as(null),
        Effect.catchTag("AccountStopped", (error) => Effect.succeed(error))
      )
      if (refused === null) continue
      const causes = refused.reasons.map(stopCause)
      // the store has already said, and stopped, what a device that changed comes to
      if (causes.includes("device-changed") || causes.includes("store-older")) return yield* ownStop(run)
      const cause = causes.find((cause) => cause !== null) ?? "device-refuses"
      return yield* stop(run, cause, refused.message, null)
    }
    return null
  })

const ownStop = (run: LaneRun) =>
  Effect.map(run.store.lanes(), (views) => views.find(({ lane }) => lane === run.lane)?.stop ?? null)

/** What was seen of these accounts is too old to send by. */
const stale = (run: LaneRun) => Effect.filter(run.accounts, (account) => OpenAccount.isStale(account, run.lane))

const betweenRefusals = Duration.minutes(1)

/**
 * What the lane is stopped by, where it is too soon to ask again: before its back-off is over; a stop without a time is a person's to end, and is
 * looked at once a minute. Whoever works several lanes comes by every second.
 */
const tooSoon = (run: LaneRun, which: ReadonlyArray<OpenAccount.OpenAccount>) =>
  Effect.gen(function* () {
    const stopped = yield* ownStop(run)
    if (stopped === null) return null
    if (stopped.retryAt !== null) return DateTime.isLessThan(yield* DateTime.now, stopped.retryAt) ? stopped : null
    const refused = yield* Effect.filter(which, (account) => OpenAccount.wasRefusedWithin(account, betweenRefusals))
    return refused.length > 0 ? stopped : null
  })

/** An account was moved to another device meanwhile: what it sends here is no longer this run's to say. */
const isElsewhere = ({ accounts, lane }: LaneRun) => accounts.some(({ destination }) => destination.lane !== lane)

/** The lane is another's, or its accounts are others, by now: called again, it goes on as it is then. */
const lost = Effect.map(DateTime.now, (until): LaneEnd => ({ _tag: "Busy", holder: "another worker", until }))

/** Looks whether the cause of a stop is gone; null when the lane may go on. */
const probe = (run: LaneRun, stopped: LaneStop) =>
  Effect.gen(function* () {
    const now = yield* DateTime.now
    if (stopped.retryAt === null || DateTime.isLessThan(now, stopped.retryAt)) return stopped
    const refused = yield* renew(run, run.accounts)
    if (refused !== null) return refused
    yield* run.store.restart(run.lane)
    return null
  })

/** Asks once more for the earlier requests of a corrected document. Returns null when the answer is recorded. */
const confirm = (run: LaneRun, { key, requestIds }: Extract<NextAttempt, { readonly _tag: "Unconfirmed" }>) =>
  Effect.gen(function* () {
    const { gateway } = run.accounts.find(({ account }) => account === key.account)!
    const asked = yield* Effect.result(gateway.status(requestIds))
    if (Result.isSuccess(asked)) {
      return yield* Effect.as(run.store.confirmRejections(key, requestIds, asked.success), null)
    }
    const { result, retryAfter, stop: cause } = classify(asked.failure)
    const because = `an earlier request could not be asked for: ${result._tag === "Accepted" ? "" : result.because}`
    return yield* stop(run, cause ?? "not-sent", because, retryAfter)
  })

// a second between two receipts is waited out here; longer waits are for the caller
const shortWait = Duration.seconds(3)

const work = (run: LaneRun, lease: LaneLease, unwritten: Unwritten): Effect.Effect<LaneReport, StoreError> =>
  Effect.gen(function* () {
    const { lane } = run
    let attempts = 0
    const ended = (end: LaneEnd): LaneReport => ({ lane, attempts, end })
    while (true) {
      const asked = yield* Moment.now
      const old = yield* stale(run)
      if (old.length > 0) {
        yield* write(run, unwritten)
        const refused = (yield* tooSoon(run, old)) ?? (yield* renew(run, old))
        if (refused !== null) return ended({ _tag: "Stopped", stop: refused })
        if (isElsewhere(run)) return ended(yield* lost)
        continue
      }
      const step = yield* sendNext(run, lease, unwritten, asked)
      switch (step._tag) {
        case "Sent": {
          attempts++
          const { result, retryAfter, stop: cause } = step.classification
          if (cause === null || result._tag === "Accepted") break
          yield* write(run, unwritten)
          return ended({ _tag: "Stopped", stop: yield* stop(run, cause, result.because, retryAfter) })
        }
        case "Stopped": {
          const stopped = yield* probe(run, step.stop)
          if (stopped !== null) return ended({ _tag: "Stopped", stop: stopped })
          break
        }
        case "Waiting": {
          const { wait } = step
          const now = yield* DateTime.now
          if (wait.for !== "clock") return ended(step)
          const rest = DateTime.distance(now, wait.until)
          if (Duration.isGreaterThan(rest, shortWait)) return ended(step)
          yield* Effect.sleep(Duration.max(rest, Duration.zero))
          break
        }
        case "Unconfirmed": {
          const stopped = yield* confirm(run, step)
          if (stopped !== null) return ended({ _tag: "Stopped", stop: stopped })
          break
        }
        case "Outdated": {
          const refused = yield* renew(run, run.accounts)
          if (refused !== null) return ended({ _tag: "Stopped", stop: refused })
          if (isElsewhere(run)) return ended(yield* lost)
          break
        }
        case "Lost":
          return ended(yield* lost)
        case "Drained":
          return ended(step)
      }
    }
  })

/** The name of the worker that a run's holder belongs to. */
export const workerOf = (holder: string): string => holder.replace(/#\d+$/, "")

/** Takes the lane; from a worker that is gone at once, and not only when its lease has run out. */
const claim = ({ holder, lane, store, terms }: LaneRun) =>
  Effect.gen(function* () {
    const claimed = yield* store.claim(lane, holder, terms.lease, () => false)
    if (claimed._tag === "Claimed" || !(yield* terms.holder.presumedDead(workerOf(claimed.holder)))) return claimed
    return yield* store.claim(lane, holder, terms.lease, (name) => name === claimed.holder)
  })

/** Claims the lane and works it until nothing can be sent; the claim is given back however it ends. */
export const run = (run: LaneRun): Effect.Effect<LaneReport, StoreError> => {
  const { lane, store } = run
  const unwritten: Unwritten = { answer: undefined }
  return Effect.acquireUseRelease(
    claim(run),
    (claim) =>
      claim._tag === "Busy"
        ? Effect.succeed<LaneReport>({ lane, attempts: 0, end: claim })
        : work(run, claim.lease, unwritten),
    (claim) =>
      claim._tag === "Claimed"
        ? Effect.ignore(Effect.andThen(write(run, unwritten), store.release(claim.lease)))
        : Effect.void
  )
}
