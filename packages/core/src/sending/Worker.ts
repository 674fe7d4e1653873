/**
 * Sends everything that can be sent in the lanes of its accounts and looks for outcomes and closed
 * fiscal days, until interrupted. Any number of workers share a store. They pass lanes to each
 * other, never documents. A worker that died is noticed, and its lanes continue.
 */
import { Cause, Clock, DateTime, Deferred, Duration, Effect, Fiber, Option, Queue, Random, Stream } from "effect"
import { defaults } from "../gateway/contract/AssumptionSwitches.ts"
import type { AccountSettings } from "../account/AccountSettings.ts"
import type { ClaimableLane, LaneFeeder } from "../submission/Lane.ts"
import * as DayDifferences from "../day/DayDifferences.ts"
import { resumesAt } from "./LaneResumption.ts"
import { type LaneReport, workerOf } from "./LaneRun.ts"
import type { OpenAccount, OpeningOptions } from "../account/OpenAccount.ts"
import * as Permissions from "./Permissions.ts"
import { StatusPoller } from "./StatusPoller.ts"
import type { AccountStopped } from "../account/StopReason.ts"
import * as StoreWitness from "../account/StoreWitness.ts"
import * as Patience from "../submission/ledger/Patience.ts"
import { StoreError, type WriteFailure } from "../submission/ledger/StoreError.ts"
import type { Change } from "../submission/Submission.ts"
import { SubmissionStore } from "../submission/SubmissionStore.ts"
import { Submitter, type SubmitterConfigError } from "./Submitter.ts"

/** A change, for an operator who watches or for a log. */
export type WorkerEvent =
  | { readonly _tag: "Opened"; readonly account: OpenAccount }
  /** Nothing is sent for the account. The permission is requested again from time to time. */
  | { readonly _tag: "NotOpened"; readonly error: AccountStopped }
  /** The worker that had the lane is dead, or was suspended for longer than its lease. */
  | { readonly _tag: "TakenOver"; readonly lane: string; readonly from: string }
  /**
   * End of a lane's run. Not reported if nothing was sent and the lane was left in the same way
   * before.
   */
  | { readonly _tag: "Left"; readonly report: LaneReport }
  /** A call to /status failed. Null when a call succeeds again. */
  | { readonly _tag: "Asking"; readonly account: string; readonly text: string | null }
  /**
   * The worker was interrupted and begins nothing more. In this many lanes an answer may still be
   * awaited.
   */
  | { readonly _tag: "Leaving"; readonly lanes: number }
  /** The store is unreachable, and nothing is begun meanwhile. Null when the store is back. */
  | { readonly _tag: "Store"; readonly error: StoreError | null }
  /** The store can be read and not written. Null when it is written again. */
  | { readonly _tag: "Unwritten"; readonly failure: WriteFailure | null }

/** Shares of a worker's time. Every option has a default. */
export interface WorkerOptions {
  /** Number of lanes that send at once. Default 16. */
  readonly lanes?: number | undefined
  /**
   * Pause between looks at the store if no change is announced; also the time until a dead worker
   * is noticed. Default 250 ms.
   */
  readonly look?: Duration.Input
  /** Time for which a lane sends while other lanes wait for a slot. Default 5 s. */
  readonly turn?: Duration.Input
  /** Time until an account that could not be opened is tried again. Default 1 minute. */
  readonly pause?: Duration.Input
  readonly observe?: (event: WorkerEvent) => Effect.Effect<void>
}

interface KnownLane {
  /** Null while the lane is not worked here. */
  run: {
    readonly fiber: Fiber.Fiber<void>
    readonly since: number
    /** True if the lane has to make room. */
    leaving: boolean
  } | null
  /** Time at which the lane is looked at again, if it waits. */
  later: number
  /** Time at which the lane was last worked here. The lane that waited longest is first. */
  worked: number
  /** End of the lane's run as last reported. */
  reported: string
}

const policy = Patience.worker
const betweenLooks = Duration.toMillis(policy.betweenLooks.is)

/** True if a lane may continue because of the change. */
const isNews = ({ to }: Change): boolean => to !== "Sending" && to !== "Accepted" && to !== "Unknown"

type WorkerServices = SubmissionStore | Submitter | StatusPoller
type WorkerError = StoreError | SubmitterConfigError
type Observe = NonNullable<WorkerOptions["observe"]>

/** Runs the parts of a worker until one of them fails in a way that waiting does not end. */
const supervise = Effect.map(Effect.all([Effect.scope, Deferred.make<never, WorkerError>()]), ([scope, fatal]) => ({
  fatal: Deferred.await(fatal),
  end: (error: WorkerError) => Deferred.fail(fatal, error),
  /** The loop over the lanes reports the outage. Any other error of the store ends the worker. */
  patiently: <A>(effect: Effect.Effect<A, WorkerError, WorkerServices>) =>
    Effect.catch(Effect.asSome(effect), (error) =>
      error._tag === "StoreError" && (error.reason === "unavailable" || error.reason === "conflict")
        ? Effect.succeed(Option.none<A>())
        : Effect.as(Deferred.fail(fatal, error), Option.none<A>())
    ),
  /** A bug in the effect ends the worker, so that it cannot recur in silence. */
  beside: <A>(effect: Effect.Effect<A, never, WorkerServices>) =>
    Effect.forkIn(
      Effect.tapCause(effect, (cause) =>
        Cause.hasInterruptsOnly(cause) ? Effect.void : Deferred.failCause(fatal, cause)
      ),
      scope
    )
}))

type Supervision = Effect.Success<typeof supervise>

const free = Effect.fnUntraced(function* (
  known: (lane: string) => KnownLane,
  found: ReadonlyArray<ClaimableLane>,
  now: number
) {
  const { holder } = yield* Submitter
  const dead = new Map<string, boolean>()
  const lanes: Array<ClaimableLane> = []
  for (const one of found) {
    const { later, run } = known(one.lane)
    if (run !== null) continue
    if (one.lease === "live" && one.holder !== null) {
      const name = workerOf(one.holder)
      const isDead = dead.get(name) ?? (yield* holder.presumedDead(name))
      dead.set(name, isDead)
      if (!isDead) continue
    }
    if (one.holder === null && later > now) continue
    if (one.stop?.retryAt != null && one.stop.retryAt.epochMilliseconds > now) continue
    lanes.push(one)
  }
  return Array.from(yield* Random.shuffle(lanes)).toSorted(
    (a, b) => Number(a.holder === null) - Number(b.holder === null) || known(a.lane).worked - known(b.lane).worked
  )
})

/** At most `slots` at once, each for its turn while others wait. */
const workLanes = Effect.fnUntraced(function* (
  accounts: ReadonlyArray<AccountSettings>,
  permissions: Permissions.Permissions,
  { beside, patiently }: Supervision,
  { lanes: slots = policy.lanes.is, ...options }: WorkerOptions,
  { observe, pause }: { readonly observe: Observe; readonly pause: Duration.Duration }
) {
  const store = yield* SubmissionStore
  const submitter = yield* Submitter
  const scope = yield* Effect.scope
  const turn = Duration.toMillis(Duration.fromInputUnsafe(options.turn ?? policy.turn.is))
  const feeders = accounts.map(({ account, assumptions, credentials, unknown }): LaneFeeder => ({
    account,
    continueAfter: assumptions?.["ORD-1"] ?? defaults["ORD-1"],
    unknown: credentials === "exclusive" || unknown === "resend-flagged" ? "explained" : "for-a-person"
  }))
  const lanes = new Map<string, KnownLane>()
  const known = (lane: string): KnownLane => {
    const found = lanes.get(lane) ?? { run: null, later: 0, worked: 0, reported: "" }
    lanes.set(lane, found)
    return found
  }
  const runs = () => [...lanes.values()].flatMap(({ run }) => run ?? [])
  const news = yield* Queue.sliding<void>(1)

  const workLane = Effect.fnUntraced(function* ({ holder, lane, stop }: ClaimableLane) {
    const own = known(lane)
    const view = (yield* store.lanes()).find((view) => view.lane === lane)
    const senders = accounts.filter(({ account }) => view?.accounts.includes(account))
    // Opening the account again clears a stop without a time, unless an operator has to act.
    const isOpenedAgain = stop !== null && stop.retryAt === null
    const opened = yield* isOpenedAgain ? permissions.fresh(senders) : permissions.of(senders)
    const pauseEnds = (yield* Clock.currentTimeMillis) + Duration.toMillis(pause)
    if (opened.length === 0) return void (own.later = pauseEnds)
    const report = yield* submitter.drainLane(opened, lane)
    const soon = (yield* Clock.currentTimeMillis) + betweenLooks
    if (report.end._tag === "Busy") return void (own.later = soon)
    if (holder !== null) yield* observe({ _tag: "TakenOver", lane, from: workerOf(holder) })
    if (report.end._tag !== "Drained") {
      const when = resumesAt(report.end, opened)
      const at = when === "soon" ? soon : when === "never" ? Infinity : when
      // The stop remained, so the account is opened again as late as one that did not open.
      const isInVain = isOpenedAgain && report.end._tag === "Stopped" && report.attempts === 0
      own.later = isInVain ? pauseEnds : Math.min(at, soon - betweenLooks + Duration.toMillis(policy.longestWait.is))
    }
    const end = JSON.stringify([report.end._tag, report.end._tag === "Waiting" ? report.end.wait : null])
    const isReported = own.reported === end && report.attempts === 0
    own.reported = end
    if (!isReported) yield* observe({ _tag: "Left", report })
  })

  const start = Effect.fnUntraced(function* (claimable: ClaimableLane, since: number) {
    const own = known(claimable.lane)
    const done = Effect.suspend(() => {
      own.run = null
      return Queue.offer(news, undefined)
    })
    const putOff = Effect.map(Clock.currentTimeMillis, (now) => void (own.later = now + betweenLooks))
    const one = Effect.flatMap(patiently(workLane(claimable)), (end) => (Option.isNone(end) ? putOff : Effect.void))
    own.worked = since
    const begin = yield* Deferred.make<void>()
    const fiber = yield* beside(Effect.ensuring(Effect.andThen(Deferred.await(begin), one), done))
    own.run = { fiber, since, leaving: false }
    yield* Deferred.succeed(begin, undefined)
  })

  /**
   * Lanes that have sent for their turn. For a dead worker's lane, a lane is interrupted at once.
   */
  const makeRoom = (waiting: ReadonlyArray<ClaimableLane>, now: number) => {
    const leaving = runs().filter(({ leaving }) => leaving).length
    const longest = runs().filter(({ leaving }) => !leaving)
    const leave = longest
      .toSorted((a, b) => a.since - b.since)
      .slice(0, Math.max(0, waiting.length - leaving))
      .filter(({ since }, n) => waiting[leaving + n]?.holder !== null || now - since >= turn)
    for (const one of leave) one.leaving = true
    return Effect.forEach(leave, ({ fiber }) => Effect.forkIn(Fiber.interrupt(fiber), scope), { discard: true })
  }

  return {
    known,
    news,
    runs,
    look: Effect.gen(function* () {
      const found = yield* store.claimable(feeders)
      const now = yield* Clock.currentTimeMillis
      const lanes = yield* free(known, found, now)
      const room = Math.max(0, slots - runs().length)
      yield* Effect.forEach(lanes.slice(0, room), (one) => start(one, now), { discard: true })
      yield* makeRoom(lanes.slice(room), now)
    })
  }
})

const lookForOutcomes = (
  accounts: ReadonlyArray<AccountSettings>,
  { beside, patiently }: Supervision,
  observe: Observe
) => {
  interface CallState {
    call: "open" | "none"
    text: string | null
  }
  const asked = new Map(accounts.map(({ account }): [string, CallState] => [account, { call: "none", text: null }]))
  const ask = Effect.fnUntraced(function* (settings: AccountSettings) {
    const { account } = settings
    const own = asked.get(account)!
    if (own.call === "open") return
    own.call = "open"
    const sweep = StatusPoller.use((poller) =>
      Effect.flatMap(poller.sweep([settings]), ({ problems: [found] }) => {
        const [before, problem] = [own.text, found?.text ?? null]
        own.text = problem
        return before === problem ? Effect.void : observe({ _tag: "Asking", account, text: problem })
      })
    )
    const done = Effect.sync(() => void (own.call = "none"))
    yield* beside(Effect.ensuring(patiently(sweep), done))
  })
  return SubmissionStore.use((store) =>
    Effect.flatMap(store.pollable(accounts.map(({ account }) => account)), (due) =>
      Effect.forEach(
        accounts.filter(({ account }) => due.includes(account)),
        ask,
        { discard: true }
      )
    )
  )
}

/**
 * A failure that lasts is recorded in the witness, so that `health` shows it. If the witness cannot
 * be written either, the worker ends.
 */
const lookAtWrites = Effect.fnUntraced(function* (
  witness: StoreWitness.StoreWitness | undefined,
  { end }: Supervision,
  observe: Observe
) {
  const store = yield* SubmissionStore
  const { id } = yield* store.identity
  const recorded = (yield* witness?.read ?? Effect.succeed([])).find((one) => one.id === id)
  // a worker that has ended may have recorded a failure
  let told = StoreWitness.failureOf(recorded) !== null
  const look = Effect.gen(function* () {
    if (!told && (yield* store.writeFailure) === null) return
    const failure = yield* store.tryWrite
    // fails if the store cannot be read: `health` fails then, too
    const identity = yield* store.identity
    const now = yield* DateTime.now
    const isFailing =
      failure !== null && Duration.isGreaterThanOrEqualTo(DateTime.distance(failure.since, now), Patience.unwritten.is)
    if (isFailing === told || (failure !== null && !isFailing)) return
    told = isFailing
    yield* observe({ _tag: "Unwritten", failure })
    if (witness === undefined || (yield* StoreWitness.noteWrites(witness, identity, failure)) !== "unwritten") return
    if (failure === null) return
    const problem = `${failure.text}. The file that records the progress of the store cannot be written either`
    yield* end(new StoreError({ operation: "write", reason: "unavailable", text: problem }))
  })
  return { look }
})

/**
 * Works until interrupted. Then begins nothing more, waits for the answers of the requests under
 * way (at most the longest request) and stores the answers. Accounts are opened as `opening`
 * allows; a live device that this store never sent to needs a confirmed first use. Fails if
 * continuing is useless: the store has another version or is damaged, or the options do not fit
 * together.
 */
export const work = (
  accounts: ReadonlyArray<AccountSettings>,
  opening: OpeningOptions = {},
  options: WorkerOptions = {}
): Effect.Effect<never, WorkerError, WorkerServices> =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const look = Duration.fromInputUnsafe(options.look ?? policy.look.is)
    const pause = Duration.fromInputUnsafe(options.pause ?? policy.pause.is)
    const observe = options.observe ?? (() => Effect.void)
    const permissions = Permissions.make({
      opening,
      pause,
      onOpened: (account) => observe({ _tag: "Opened", account }),
      onStopped: (error) => observe({ _tag: "NotOpened", error })
    })
    const supervision = yield* supervise
    const { fatal, patiently } = supervision
    const lanes = yield* workLanes(accounts, permissions, supervision, options, { observe, pause })
    const writes = yield* lookAtWrites(opening.witness, supervision, observe)
    const agreedDays: DayDifferences.AgreedDays = new Map()
    let away = false

    const watched = lanes.look.pipe(
      Effect.tap(() => {
        const isBack = away
        away = false
        return isBack ? Effect.andThen(permissions.prove, observe({ _tag: "Store", error: null })) : Effect.void
      }),
      Effect.tapError((error) => {
        const isNew = !away && error.reason === "unavailable"
        away = away || isNew
        return isNew ? observe({ _tag: "Store", error }) : Effect.void
      })
    )
    const rest = Effect.suspend(() => {
      if (away) return Effect.sleep(policy.betweenLooks.is)
      // No slot is free for another lane.
      if (lanes.runs().length >= (options.lanes ?? policy.lanes.is)) return Effect.sleep(look)
      return Effect.andThen(Effect.timeoutOption(Queue.take(lanes.news), look), Effect.sleep(policy.together.is))
    })
    const heard = yield* store.planned
    const pinned = Effect.filter(accounts, ({ account }) => Effect.map(store.pinOf(account), Option.isSome))
    const again = <A, E, R>(work: Effect.Effect<A, E, R>, rest: Effect.Effect<unknown, E, R>) =>
      Effect.forever(Effect.andThen(work, rest))
    const loops = [
      again(patiently(watched), rest),
      again(patiently(lookForOutcomes(accounts, supervision, observe)), Effect.sleep(policy.betweenLooks.is)),
      again(patiently(DayDifferences.look(accounts, agreedDays)), Effect.sleep(policy.betweenDayLooks.is)),
      again(patiently(writes.look), Effect.sleep(policy.betweenProbes.is)),
      again(Queue.take(heard), Queue.offer(lanes.news, undefined)),
      // A change made in this process may let its lane continue at once.
      Effect.andThen(
        Stream.runForEach(store.changes, (change) =>
          Effect.sync(() => (isNews(change) ? void (lanes.known(change.lane).later = 0) : undefined))
        ),
        Effect.never
      ),
      // Opens the accounts at once, so that the operator sees every blocker right after the start.
      Effect.andThen(patiently(Effect.flatMap(pinned, permissions.of)), Effect.never),
      fatal
    ]
    const everything = Effect.all(loops, { concurrency: "unbounded", discard: true })
    // Interrupt all lanes at the same time, so that no lane begins a request while another lane
    // waits for its answer.
    const ended = Effect.suspend(() =>
      Effect.andThen(
        observe({ _tag: "Leaving", lanes: lanes.runs().length }),
        Fiber.interruptAll(lanes.runs().map(({ fiber }) => fiber))
      )
    )
    return yield* Effect.andThen(Effect.ensuring(everything, ended), Effect.never)
  }).pipe(Effect.scoped)
