/**
 * Claims the lane, sends its documents one after the other, releases it and reports how the run
 * ended.
 */
import { Cause, Clock, DateTime, Duration, Effect, Exit, Option, Random, Result } from "effect"
import * as ExchangeFacts from "../gateway/contract/ExchangeFacts.ts"
import { type Deadline, SendDeadline, isPast } from "../gateway/contract/SendDeadline.ts"
import * as DualClock from "../gateway/contract/DualClock.ts"
import { traced } from "../gateway/contract/Traced.ts"
import { isPassing } from "../gateway/exchange/ReadRetry.ts"
import * as SubmitCapability from "../gateway/internal/SubmitCapability.ts"
import { type Classification, classify } from "../submission/AttemptResult.ts"
import * as HistoricalGuard from "../account/HistoricalGuard.ts"
import * as OpenAccount from "../account/OpenAccount.ts"
import * as LackedReceipts from "../day/LackedReceipts.ts"
import type { Holder } from "../submission/Holder.ts"
import { isOfStore, type LaneLease, type LaneStop, type LaneWait, type OwnStop } from "../submission/Lane.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import type { AttemptOptions, BegunAttempt, NextAttempt } from "../submission/Attempt.ts"
import * as SendingAbility from "../account/SendingAbility.ts"
import * as Patience from "../submission/ledger/Patience.ts"
import type { SubmissionStoreOperations } from "../submission/SubmissionStore.ts"
import * as AttemptMetrics from "./AttemptMetrics.ts"
import { policyOf } from "./StatusPoller.ts"
import { stopCause } from "../account/StopReason.ts"
import * as Unwritten from "./Unwritten.ts"

/** End of a run. */
export type LaneEnd =
  | { readonly _tag: "Drained" }
  | { readonly _tag: "Waiting"; readonly wait: LaneWait }
  | { readonly _tag: "Stopped"; readonly stop: LaneStop }
  /** Another worker has the lane. */
  | { readonly _tag: "Busy"; readonly holder: string; readonly until: DateTime.Utc }

/** Result of a run: how the run ended, and after how many attempts. */
export interface LaneReport {
  readonly lane: string
  readonly attempts: number
  readonly end: LaneEnd
}

/** Options of the Submitter, with all defaults applied. */
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

/** Everything that one run of a lane needs. */
export interface LaneRun {
  readonly store: SubmissionStoreOperations
  readonly terms: Terms
  readonly holder: string
  readonly lane: string
  readonly accounts: ReadonlyArray<OpenAccount.OpenAccount>
  /** Answer that is not stored yet. At the end of the run: the answer that it could not store. */
  readonly unwritten: Unwritten.Unwritten
}

/** An account of a run with its durations, which stay as they were when the account was opened. */
type Sender = ReturnType<typeof opened>

const opened = (permission: OpenAccount.OpenAccount, { shortestQuiet }: Terms) => ({
  permission,
  quietPeriod: Duration.max(Duration.fromInputUnsafe(permission.quietPeriod ?? Patience.quietPeriod.is), shortestQuiet),
  retention: policyOf(permission).retention,
  firstLook: policyOf(permission).firstLook,
  pace: permission.pace === undefined ? undefined : Duration.fromInputUnsafe(permission.pace)
})

const optionsOf = (senders: ReadonlyArray<Sender>, { lease, skew }: Terms, now: DateTime.Utc): AttemptOptions => ({
  accounts: senders.map(({ permission, quietPeriod, retention }) => {
    const { account, assumptions, destination, notBefore } = permission
    return {
      get behindClose() {
        const { device, zone } = permission
        return HistoricalGuard.check(device, DateTime.setZone(now, zone), assumptions["HIST-1"])
      },
      ...(notBefore === undefined ? {} : { notBefore }),
      quietPeriod,
      retention,
      account,
      environment: destination.environment,
      afterRejection: assumptions["DOC-10b"],
      continueAfter: assumptions["ORD-1"],
      fiscalDay: OpenAccount.fiscalDayOf(permission),
      failures: failuresOf(permission, now),
      interruptions: OpenAccount.interruptionsOf(permission)
    }
  }),
  lease,
  skew,
  clockLead: Duration.millis(Math.max(0, ...senders.map(({ permission }) => aheadOf(permission))))
})

const millisBetweenReads = Duration.toMillis(Patience.betweenReads.is)

/** In milliseconds. */
const untilNextRead = (account: OpenAccount.OpenAccount, now: DateTime.Utc): number =>
  Math.max(0, Math.min(OpenAccount.renewedAt(account) + millisBetweenReads - now.epochMilliseconds, millisBetweenReads))

/**
 * A failure by a receipt rule is a fault of its document, so the lane goes on until the account may
 * be queried again.
 */
const failuresOf = (account: OpenAccount.OpenAccount, now: DateTime.Utc) => {
  const { ofRules, others } = OpenAccount.failuresOf(account)
  return untilNextRead(account, now) > 0 ? { others } : { ofRules, others }
}

/** Rounded up by a second, because the gateway's time came in whole seconds. */
const aheadOf = ({ clock }: OpenAccount.OpenAccount): number =>
  clock._tag === "Told" && clock.aheadMillis > 0 ? clock.aheadMillis + 1000 : 0

const going = (result: Classification["result"]): Classification => ({ result, stop: null, retryAfter: null })

const unknown = (text: string): Classification => going({ _tag: "Unknown", text })

const unanswered = (longest: Duration.Duration): Classification =>
  unknown(`no answer within ${Duration.format(longest)}`)

/**
 * No connection was made, or the process was suspended before the socket: nothing can have reached
 * the gateway.
 */
const notHandedOver = (longest: Duration.Duration): Classification => ({
  result: { _tag: "NotProcessed", text: `not sent: it was not handed over within ${Duration.format(longest)}` },
  stop: "not-sent",
  retryAfter: null
})

const senderOf = (senders: ReadonlyArray<Sender>, { key }: Pick<BegunAttempt, "key">) =>
  senders.find(({ permission: { account } }) => account === key.account)!

/**
 * The timeout races the request in a separate fiber, so that interrupting the caller does not
 * interrupt the request in flight.
 */
const send = (
  run: LaneRun,
  account: OpenAccount.OpenAccount,
  attempt: BegunAttempt,
  kept: ExchangeFacts.StoredFacts
): Effect.Effect<Classification> =>
  traced(
    AttemptMetrics.counted(run.lane, sending(run.terms, account, attempt, kept)),
    "FiscalConnector.attempt",
    () => ({ attributes: { ...attempt.key, number: attempt.number, lane: run.lane, attempt: attempt.attempt } }),
    ({ result }) =>
      result._tag === "Accepted" ? { result: "Accepted", requestId: result.requestId } : { result: result._tag }
  )

const sending = Effect.fnUntraced(function* (
  { longestRequest }: Terms,
  account: OpenAccount.OpenAccount,
  attempt: BegunAttempt,
  kept: ExchangeFacts.StoredFacts
): Effect.fn.Return<Classification> {
  const submit = yield* SubmitCapability.of(account)
  const exit = yield* submit(attempt.document).pipe(
    Effect.map((requestId) => going({ _tag: "Accepted", requestId })),
    Effect.timeoutOrElse({
      duration: longestRequest,
      // The request is interrupted by now. A hand-over that had not begun is interrupted too, so
      // the document can never be sent by this attempt.
      orElse: () => Effect.sync(() => (kept.facts?.stage === "not-sent" ? notHandedOver : unanswered)(longestRequest))
    }),
    Effect.provideService(ExchangeFacts.StoredFacts, kept),
    Effect.exit
  )
  if (Exit.isSuccess(exit)) return exit.value
  const error = Cause.findErrorOption(exit.cause)
  // The text of a defect may contain anything, secrets included.
  return Option.match(error, { onNone: () => unknown("the client broke off"), onSome: classify })
})

type SentAttempt = { readonly _tag: "Sent"; readonly classification: Classification }

const suspended = going({
  _tag: "NotProcessed",
  text: "not sent: this process was suspended after it stored the request"
})

/**
 * Counted from `asked`. The request must end before its lease does, and follow closely on the last
 * look at the device. The process may have been suspended, or the machine asleep, since then:
 * another worker may have the lane, and the gateway may have answered an operator that nothing of
 * the document arrived.
 */
const handOverBy = ({ terms: { lease, longestRequest } }: LaneRun, asked: DualClock.DualClock): Deadline => ({
  from: asked,
  within: Duration.toMillis(lease) - Duration.toMillis(longestRequest)
})

/** `asked`: time before the last check of the permissions. Uninterruptible. */
const sendNext = Effect.fnUntraced(function* (
  run: LaneRun,
  senders: ReadonlyArray<Sender>,
  lease: LaneLease,
  asked: DualClock.DualClock
): Effect.fn.Return<Exclude<NextAttempt, BegunAttempt> | SentAttempt, StoreError> {
  const { terms, unwritten } = run
  const options = optionsOf(senders, terms, yield* DateTime.now)
  const next = yield* run.store.beginAttempt(lease, options, unwritten.answer)
  unwritten.answer = undefined
  if (next._tag !== "Begun") return next
  const { firstLook, pace, permission } = senderOf(senders, next)
  yield* OpenAccount.witnessSending(permission)
  const kept: ExchangeFacts.StoredFacts = { facts: undefined }
  const by = handOverBy(run, asked)
  const isTooLate = isPast(by, yield* Clock.Clock)
  const classification = isTooLate
    ? suspended
    : // The HTTP client checks the deadline again, right before the socket.
      yield* Effect.provideService(send(run, permission, next, kept), SendDeadline, by)
  unwritten.document = `${next.key.kind} ${next.number}`
  unwritten.answer = {
    attempt: next.attempt,
    token: next.newest.token,
    result: classification.result,
    exchanged: kept.facts,
    firstLook,
    pace
  }
  return { _tag: "Sent", classification }
}, Effect.uninterruptible)

/**
 * The back-off doubles with every stop in a row, up to `longestBackOff`, and is drawn between half
 * and all of that time. The gateway's `retryAfter` is honored up to `longestBackOff`.
 */
const stop = Effect.fnUntraced(function* (
  run: LaneRun,
  cause: OwnStop["cause"],
  text: string,
  retryAfter: Duration.Duration | null
) {
  const { accounts, lane, store, terms } = run
  const views = yield* store.lanes(accounts.map(({ account }) => account))
  const view = views.find((view) => view.lane === lane)
  const doubled = Duration.times(terms.firstBackOff, 2 ** Math.min(view?.stops ?? 0, 30))
  const longest = Duration.min(doubled, terms.longestBackOff)
  const drawn = Duration.millis(Math.ceil(Duration.toMillis(longest) * (0.5 + (yield* Random.next) / 2)))
  const hinted = Duration.min(retryAfter ?? Duration.zero, terms.longestBackOff)
  const now = yield* DateTime.now
  const stop: OwnStop = { cause, text, retryAt: DateTime.addDuration(now, Duration.max(drawn, hinted)) }
  yield* store.stop(lane, stop)
  return stop
})

/**
 * Stops the lane if a permission cannot be renewed, and returns the stop. Null if the lane may
 * send.
 */
const renew = Effect.fnUntraced(function* (run: LaneRun, which: ReadonlyArray<OpenAccount.OpenAccount>) {
  for (const account of which) {
    const refused = yield* OpenAccount.renew(account).pipe(
      Effect.as(null),
      Effect.catchTag("AccountStopped", (error) => Effect.succeed(error))
    )
    if (refused === null) continue
    const causes = refused.reasons.map(stopCause)
    // For these causes the store has already recorded the problem and stopped the lane.
    if (causes.some((cause) => cause === "device-changed" || isOfStore(cause))) return yield* ownStop(run)
    const cause = causes.find((cause) => cause !== null && !isOfStore(cause)) ?? "device-refuses"
    return yield* stop(run, cause, refused.message, null)
  }
  return null
})

const ownStop = (run: LaneRun) =>
  Effect.map(run.store.lanes(), (views) => views.find(({ lane }) => lane === run.lane)?.stop ?? null)

const stale = (run: LaneRun) => Effect.filter(run.accounts, (account) => OpenAccount.isStale(account, run.lane))

/**
 * A stop with a time holds until its back-off is over. A stop without a time is ended by an
 * operator, so the account is asked once a minute only, although a worker of several lanes comes
 * here every second.
 */
const tooSoon = Effect.fnUntraced(function* (run: LaneRun, which: ReadonlyArray<OpenAccount.OpenAccount>) {
  const stopped = yield* ownStop(run)
  if (stopped === null) return null
  if (stopped.retryAt !== null) return DateTime.isLessThan(yield* DateTime.now, stopped.retryAt) ? stopped : null
  const refused = yield* Effect.filter(which, (account) =>
    OpenAccount.wasRefusedWithin(account, Patience.betweenRefusals.is)
  )
  return refused.length > 0 ? stopped : null
})

/** An account moved to another device: this run may no longer decide about its documents. */
const isElsewhere = ({ accounts, lane }: LaneRun) => accounts.some(({ destination }) => destination.lane !== lane)

/**
 * Another worker has the lane by now, or the lane's accounts have changed. The next call works with
 * the new state.
 */
const lost = Effect.map(DateTime.now, (until): LaneEnd => ({ _tag: "Busy", holder: "another worker", until }))

const probe = Effect.fnUntraced(function* (run: LaneRun, stopped: LaneStop) {
  const now = yield* DateTime.now
  if (stopped.retryAt === null || DateTime.isLessThan(now, stopped.retryAt)) return stopped
  const refused = yield* renew(run, run.accounts)
  if (refused !== null) return refused
  yield* run.store.restart(run.lane)
  return null
})

/**
 * Asks about the earlier requests of a corrected document. Null when the answer is recorded, else
 * the stop.
 */
const confirm = Effect.fnUntraced(function* (
  run: LaneRun,
  senders: ReadonlyArray<Sender>,
  { key, requestIds }: Extract<NextAttempt, { readonly _tag: "Unconfirmed" }>
) {
  const { gateway } = senderOf(senders, { key }).permission
  const asked = yield* Effect.result(gateway.status(requestIds))
  if (Result.isSuccess(asked)) {
    const control = yield* SendingAbility.control(gateway)
    return yield* Effect.as(run.store.confirmRejections(key, requestIds, asked.success, control), null)
  }
  const { result, retryAfter, stop: cause } = classify(asked.failure)
  const text = `an earlier request could not be asked for: ${result._tag === "Accepted" ? "" : result.text}`
  return yield* stop(run, cause ?? "not-sent", text, retryAfter)
})

/**
 * The stop if the gateway does not answer now. A report that cannot be read shows nothing: the
 * number of the first receipt decides then.
 */
const compareDays = Effect.fnUntraced(function* (
  run: LaneRun,
  step: Extract<NextAttempt, { readonly _tag: "Uncompared" }>
) {
  const { accounts, lane, store } = run
  const lacked = LackedReceipts.find(store, lane, accounts, step)
  return yield* Effect.flatMap(lacked, (text) => Effect.as(store.compareDays(lane, text), null)).pipe(
    Effect.catchTag("GatewayError", (error) => {
      if (!isPassing(error.reason)) return Effect.as(store.compareDays(lane, null), null)
      const { retryAfter, stop: cause } = classify(error)
      const text = `the report of a closed day could not be read: ${error.message}`
      return stop(run, cause ?? "not-sent", text, retryAfter)
    })
  )
})

// A second between two receipts is waited for here. Longer waits are left to the caller.
const shortWait = Duration.seconds(3)

const work = (run: LaneRun, lease: LaneLease): Effect.Effect<LaneReport, StoreError> =>
  Effect.gen(function* () {
    const { lane, store, unwritten } = run
    const senders = run.accounts.map((permission) => opened(permission, run.terms))
    let attempts = 0
    const ended = (end: LaneEnd): LaneReport => ({ lane, attempts, end })
    const stoppedBy = (stop: LaneStop) => ended({ _tag: "Stopped", stop })
    while (true) {
      const asked = yield* DualClock.now
      const old = yield* stale(run)
      if (old.length > 0) {
        yield* Unwritten.write(store, unwritten)
        const refused = (yield* tooSoon(run, old)) ?? (yield* renew(run, old))
        if (refused !== null) return stoppedBy(refused)
        if (isElsewhere(run)) return ended(yield* lost)
        continue
      }
      const step = yield* sendNext(run, senders, lease, asked)
      switch (step._tag) {
        case "Sent": {
          attempts++
          const { result, retryAfter, stop: cause } = step.classification
          if (cause === null || result._tag === "Accepted") break
          yield* Unwritten.write(store, unwritten)
          return stoppedBy(yield* stop(run, cause, result.text, retryAfter))
        }
        case "Stopped": {
          const stopped = yield* probe(run, step.stop)
          if (stopped !== null) return stoppedBy(stopped)
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
          const stopped = yield* confirm(run, senders, step)
          if (stopped !== null) return stoppedBy(stopped)
          break
        }
        case "Uncompared": {
          const stopped = yield* compareDays(run, step)
          if (stopped !== null) return stoppedBy(stopped)
          break
        }
        case "Failed":
        case "Outdated": {
          const now = yield* DateTime.now
          const rest = step._tag === "Failed" ? Math.max(...run.accounts.map((one) => untilNextRead(one, now))) : 0
          yield* Effect.sleep(rest)
          const refused = yield* renew(run, run.accounts)
          if (refused !== null) return stoppedBy(refused)
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

/** Returns the name of the worker that a run's holder belongs to. */
export const workerOf = (holder: string): string => holder.replace(/#\d+$/, "")

/** The lane of a dead worker is claimed at once, before its lease has expired. */
const claim = Effect.fnUntraced(function* ({ holder, lane, store, terms }: LaneRun) {
  const claimed = yield* store.claim(lane, holder, terms.lease, () => false)
  if (claimed._tag === "Claimed" || !(yield* terms.holder.presumedDead(workerOf(claimed.holder)))) return claimed
  return yield* store.claim(lane, holder, terms.lease, (name) => name === claimed.holder)
})

/**
 * Claims the lane and works until nothing can be sent. The claim is released however the run ends.
 */
export const run = (run: LaneRun): Effect.Effect<LaneReport, StoreError> => {
  const { lane, store, unwritten } = run
  return Effect.acquireUseRelease(
    claim(run),
    (claim) =>
      claim._tag === "Busy" ? Effect.succeed<LaneReport>({ lane, attempts: 0, end: claim }) : work(run, claim.lease),
    (claim) =>
      claim._tag === "Claimed"
        ? Effect.ignore(Effect.andThen(Unwritten.write(store, unwritten), store.release(claim.lease)))
        : Effect.void
  ).pipe(
    Effect.mapError((error) => Unwritten.naming(unwritten, error)),
    Effect.onInterrupt(() => Unwritten.warn(unwritten))
  )
}
