/**
 * Loop of a worker: sends everything that can be sent in the lanes of its accounts and looks for
 * outcomes and closed fiscal days, until interrupted. Any number of workers share a store. Workers
 * pass lanes to each other, never documents. A worker that died is noticed, and its lanes continue.
 */
import { Cause, Clock, Deferred, Duration, Effect, Fiber, Option, Queue, Random, Stream } from "effect"
import { defaults } from "../gateway/contract/AssumptionSwitches.ts"
import type { AccountSettings } from "../account/AccountSettings.ts"
import type { ClaimableLane, LaneFeeder } from "../submission/Lane.ts"
import * as DayDifferences from "../day/DayDifferences.ts"
import { resumesAt } from "./LaneResumption.ts"
import { type LaneReport, workerOf } from "./LaneRun.ts"
import type { OpenAccount, OpeningOptions } from "../account/OpenAccount.ts"
import * as Permissions from "./Permissions.ts"
import { type PollProblem, StatusPoller } from "./StatusPoller.ts"
import type { AccountStopped } from "../account/StopReason.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
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
  | { readonly _tag: "Asking"; readonly account: string; readonly problem: string | null }
  /**
   * The worker was interrupted and begins nothing more. In this many lanes an answer may still be
   * awaited.
   */
  | { readonly _tag: "Leaving"; readonly lanes: number }
  /** The store is unreachable, and nothing is begun meanwhile. Null when the store is back. */
  | { readonly _tag: "Store"; readonly error: StoreError | null }

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

/** A lane that this worker is working. */
interface Running {
  readonly fiber: Fiber.Fiber<void>
  readonly since: number
  /** True if the lane has to make room. */
  leaving: boolean
}

// Pause between looks for outcomes.
const betweenSweeps = Duration.seconds(1)
// Pause if the time at which a lane continues is unknown.
const millisBetweenLooks = 1000
// Upper limit on waiting: another process may have planned an earlier document.
const longestWait = 10_000
// A day is closed once, but a late outcome may still explain a difference.
const betweenDayLooks = Duration.minutes(15)
// Wake-ups come in groups, and one look serves the group.
const together = Duration.millis(50)

/** True if a lane may continue because of the change. */
const isNews = ({ to }: Change): boolean => to !== "Sending" && to !== "Accepted" && to !== "Unknown"

type Services = SubmissionStore | Submitter | StatusPoller

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
): Effect.Effect<never, StoreError | SubmitterConfigError, Services> =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const submitter = yield* Submitter
    const poller = yield* StatusPoller
    const scope = yield* Effect.scope
    const slots = options.lanes ?? 16
    const look = Duration.fromInputUnsafe(options.look ?? "250 millis")
    const turn = Duration.toMillis(Duration.fromInputUnsafe(options.turn ?? "5 seconds"))
    const pause = Duration.fromInputUnsafe(options.pause ?? "1 minute")
    const observe = options.observe ?? (() => Effect.void)
    const permissions = Permissions.make({
      opening,
      pause,
      onOpened: (account) => observe({ _tag: "Opened", account }),
      onStopped: (error) => observe({ _tag: "NotOpened", error })
    })
    const names = accounts.map(({ account }) => account)
    const feeders = accounts.map(({ account, assumptions, credentials, unknown }): LaneFeeder => ({
      account,
      continueAfter: assumptions?.["ORD-1"] ?? defaults["ORD-1"],
      unknown: credentials === "exclusive" || unknown === "resend-flagged" ? "explained" : "for-a-person"
    }))
    const running = new Map<string, Running>()
    /** Time at which a waiting lane is looked at again. */
    const later = new Map<string, number>()
    /** Time at which a lane was last worked here. The lane that waited longest is first. */
    const worked = new Map<string, number>()
    /** End of each lane's run as last reported. */
    const reported = new Map<string, string>()
    const asking = new Set<string>()
    const agreedDays: DayDifferences.AgreedDays = new Map()
    const refusedStatus = new Map<string, string>()
    const news = yield* Queue.sliding<void>(1)
    const fatal = yield* Deferred.make<never, StoreError | SubmitterConfigError>()
    let away = false

    /**
     * Waits for a store that is unavailable for a while; the loop over the lanes reports the
     * outage. Any other error of the store ends the worker.
     */
    const patiently = <A>(effect: Effect.Effect<A, StoreError | SubmitterConfigError, Services>) =>
      Effect.catch(Effect.asSome(effect), (error) =>
        error._tag === "StoreError" && (error.reason === "unavailable" || error.reason === "conflict")
          ? Effect.succeed(Option.none<A>())
          : Effect.as(Deferred.fail(fatal, error), Option.none<A>())
      )
    /**
     * Runs an effect beside the loops. A bug in the effect ends the worker, so that it cannot recur
     * in silence.
     */
    const beside = <A>(effect: Effect.Effect<A, never, Services>) =>
      Effect.forkIn(
        Effect.tapCause(effect, (cause) =>
          Cause.hasInterruptsOnly(cause) ? Effect.void : Deferred.failCause(fatal, cause)
        ),
        scope
      )
    const watched = (look: typeof lookForLanes) =>
      look.pipe(
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

    const left = (report: LaneReport) => {
      const end = JSON.stringify([report.end._tag, report.end._tag === "Waiting" ? report.end.wait : null])
      const isReported = reported.get(report.lane) === end && report.attempts === 0
      reported.set(report.lane, end)
      return isReported ? Effect.void : observe({ _tag: "Left", report })
    }

    const workLane = ({ holder, lane, stop }: ClaimableLane) =>
      Effect.gen(function* () {
        const view = (yield* store.lanes()).find((view) => view.lane === lane)
        const own = accounts.filter(({ account }) => view?.accounts.includes(account))
        // Opening the account again clears a stop without a time, unless an operator has to act.
        const isOpenedAgain = stop !== null && stop.retryAt === null
        const opened = yield* isOpenedAgain ? permissions.fresh(own) : permissions.of(own)
        const pauseEnds = (yield* Clock.currentTimeMillis) + Duration.toMillis(pause)
        if (opened.length === 0) return void later.set(lane, pauseEnds)
        const report = yield* submitter.drainLane(opened, lane)
        if (report.end._tag === "Busy")
          return void later.set(lane, (yield* Clock.currentTimeMillis) + millisBetweenLooks)
        if (holder !== null) yield* observe({ _tag: "TakenOver", lane, from: workerOf(holder) })
        const when = resumesAt(report.end, opened)
        if (report.end._tag !== "Drained") {
          const now = yield* Clock.currentTimeMillis
          const at = when === "soon" ? now + millisBetweenLooks : when === "never" ? Infinity : when
          // The stop remained, so the account is opened again as late as one that did not open.
          const isInVain = isOpenedAgain && report.end._tag === "Stopped" && report.attempts === 0
          later.set(lane, isInVain ? pauseEnds : Math.min(at, now + longestWait))
        }
        yield* left(report)
      })

    const start = (claimable: ClaimableLane, since: number) =>
      Effect.gen(function* () {
        const { lane } = claimable
        const done = Effect.suspend(() => {
          running.delete(lane)
          return Queue.offer(news, undefined)
        })
        const putOff = Effect.map(Clock.currentTimeMillis, (now) => void later.set(lane, now + millisBetweenLooks))
        const one = Effect.flatMap(patiently(workLane(claimable)), (end) => (Option.isNone(end) ? putOff : Effect.void))
        worked.set(lane, since)
        const begin = yield* Deferred.make<void>()
        const fiber = yield* beside(Effect.ensuring(Effect.andThen(Deferred.await(begin), one), done))
        running.set(lane, { fiber, since, leaving: false })
        yield* Deferred.succeed(begin, undefined)
      })

    /**
     * Returns the lanes that can be worked now: the lanes of dead workers first, then the lanes
     * that waited longest.
     */
    const free = (found: ReadonlyArray<ClaimableLane>, now: number) =>
      Effect.gen(function* () {
        const dead = new Map<string, boolean>()
        const isDead = (name: string) =>
          Effect.gen(function* () {
            const known = dead.get(name) ?? (yield* submitter.holder.presumedDead(name))
            dead.set(name, known)
            return known
          })
        const lanes: Array<ClaimableLane> = []
        for (const one of found) {
          if (running.has(one.lane)) continue
          if (one.lease === "live" && one.holder !== null && !(yield* isDead(workerOf(one.holder)))) continue
          if (one.holder === null && (later.get(one.lane) ?? 0) > now) continue
          if (one.stop?.retryAt != null && one.stop.retryAt.epochMilliseconds > now) continue
          lanes.push(one)
        }
        const shuffled = yield* Random.shuffle(lanes)
        return Array.from(shuffled).toSorted(
          (a, b) =>
            Number(a.holder === null) - Number(b.holder === null) ||
            (worked.get(a.lane) ?? 0) - (worked.get(b.lane) ?? 0)
        )
      })

    /**
     * Interrupts lanes that have sent for their turn, so that waiting lanes get a slot. For a dead
     * worker's lane, a lane is interrupted at once.
     */
    const makeRoom = (waiting: ReadonlyArray<ClaimableLane>, now: number) => {
      const leaving = [...running.values()].filter(({ leaving }) => leaving).length
      const longest = [...running.values()].filter(({ leaving }) => !leaving).toSorted((a, b) => a.since - b.since)
      const leave = longest
        .slice(0, Math.max(0, waiting.length - leaving))
        .filter(({ since }, n) => waiting[leaving + n]?.holder !== null || now - since >= turn)
      for (const one of leave) one.leaving = true
      return Effect.forEach(leave, ({ fiber }) => Effect.forkIn(Fiber.interrupt(fiber), scope), { discard: true })
    }

    const lookForLanes = Effect.gen(function* () {
      const found = yield* store.claimable(feeders)
      const now = yield* Clock.currentTimeMillis
      const lanes = yield* free(found, now)
      const room = Math.max(0, slots - running.size)
      yield* Effect.forEach(lanes.slice(0, room), (one) => start(one, now), { discard: true })
      yield* makeRoom(lanes.slice(room), now)
    })

    const ask = (settings: AccountSettings) => {
      const { account } = settings
      const say = (problem: PollProblem | undefined) => {
        const before = refusedStatus.get(account)
        if (problem === undefined) refusedStatus.delete(account)
        else refusedStatus.set(account, problem.problem)
        if (before === problem?.problem) return Effect.void
        return observe({ _tag: "Asking", account, problem: problem?.problem ?? null })
      }
      const sweep = Effect.flatMap(poller.sweep([settings]), ({ problems: [problem] }) => say(problem))
      return Effect.suspend(() => {
        if (asking.has(account)) return Effect.void
        asking.add(account)
        const done = Effect.sync(() => void asking.delete(account))
        return Effect.asVoid(beside(Effect.ensuring(patiently(sweep), done)))
      })
    }

    const lookForOutcomes = Effect.gen(function* () {
      const due = yield* store.pollable(names)
      yield* Effect.forEach(
        accounts.filter(({ account }) => due.includes(account)),
        ask,
        { discard: true }
      )
    })

    const heard = yield* store.planned
    const listening = [
      Effect.forever(Effect.andThen(Queue.take(heard), Queue.offer(news, undefined))),
      // A change made in this process may let its lane continue at once.
      Stream.runForEach(store.changes, (change) =>
        Effect.sync(() => (isNews(change) ? later.delete(change.lane) : undefined))
      )
    ]
    const rest = Effect.suspend(() => {
      if (away) return Effect.sleep("1 second")
      // No slot is free for another lane.
      if (running.size >= slots) return Effect.sleep(look)
      return Effect.andThen(Effect.timeoutOption(Queue.take(news), look), Effect.sleep(together))
    })
    const pinned = Effect.filter(accounts, ({ account }) => Effect.map(store.pinOf(account), Option.isSome))
    const loops = [
      Effect.forever(Effect.andThen(patiently(watched(lookForLanes)), rest)),
      Effect.forever(Effect.andThen(patiently(lookForOutcomes), Effect.sleep(betweenSweeps))),
      Effect.forever(
        Effect.andThen(patiently(DayDifferences.look(accounts, agreedDays)), Effect.sleep(betweenDayLooks))
      ),
      ...listening.map((listening) => Effect.andThen(listening, Effect.never)),
      // Opens the accounts at once, so that the operator sees every blocker right after the start.
      Effect.andThen(patiently(Effect.flatMap(pinned, permissions.of)), Effect.never),
      Deferred.await(fatal)
    ]
    const everything = Effect.all(loops, { concurrency: "unbounded", discard: true })
    // Interrupt all lanes at the same time, so that no lane begins a request while another lane
    // waits for its answer.
    const ended = Effect.suspend(() =>
      Effect.andThen(
        observe({ _tag: "Leaving", lanes: running.size }),
        Fiber.interruptAll([...running.values()].map(({ fiber }) => fiber))
      )
    )
    return yield* Effect.andThen(Effect.ensuring(everything, ended), Effect.never)
  }).pipe(Effect.scoped)
