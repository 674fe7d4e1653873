/**
 * The loop of a worker: sends whatever can be sent in the lanes of its accounts, looks for outcomes and at closed fiscal days, until it is
 * interrupted. Any number of workers share a store; lanes are what they hand each other, never documents. A worker that ended in the middle is
 * noticed, and its lanes go on.
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
import type { StoreError } from "../ledger/StoreError.ts"
import type { Change } from "../submission/Submission.ts"
import { SubmissionStore } from "../submission/SubmissionStore.ts"
import { Submitter, type SubmitterConfigError } from "./Submitter.ts"

/** Something that is other than it was: for a person who watches, or a log. */
export type WorkerEvent =
  | { readonly _tag: "Opened"; readonly account: OpenAccount }
  /** Nothing is sent for the account; it is asked about again by and by. */
  | { readonly _tag: "NotOpened"; readonly error: AccountStopped }
  /** The worker that had the lane is gone, or stood still for longer than its lease. */
  | { readonly _tag: "TakenOver"; readonly lane: string; readonly from: string }
  /** How a lane was left, unless nothing was sent and it was left the same way before. */
  | { readonly _tag: "Left"; readonly report: LaneReport }
  /** A call to /status failed; null when one succeeded again. */
  | { readonly _tag: "Asking"; readonly account: string; readonly problem: string | null }
  /** It was told to end: nothing more is begun, and in so many lanes an answer may still be waited for. */
  | { readonly _tag: "Leaving"; readonly lanes: number }
  /** The store cannot be reached; null when it can again. Nothing is begun meanwhile. */
  | { readonly _tag: "Store"; readonly error: StoreError | null }

/** How a worker shares its time; all of it has a default. */
export interface WorkerOptions {
  /** How many lanes send at once. Default 16. */
  readonly lanes?: number | undefined
  /** How often the store is looked at where nobody says that something has changed: how soon a dead worker is noticed. Default 250 ms. */
  readonly look?: Duration.Input
  /** How long a lane sends while others wait for room. Default 5 s. */
  readonly turn?: Duration.Input
  /** How long an account that could not be opened is left alone. Default 1 minute. */
  readonly pause?: Duration.Input
  readonly observe?: (event: WorkerEvent) => Effect.Effect<void>
}

/** One lane that is being worked here. */
interface Running {
  readonly fiber: Fiber.Fiber<void>
  readonly since: number
  /** It has been told to make room. */
  leaving: boolean
}

// how often outcomes are looked for
const betweenSweeps = Duration.seconds(1)
// where nobody can tell when a lane goes on
const millisBetweenLooks = 1000
// something earlier may have been planned by another process
const longestWait = 10_000
// a day is closed once; a difference may be explained by an outcome that arrives later
const betweenDayLooks = Duration.minutes(15)
// wake-ups come in crowds
const together = Duration.millis(50)

/** Whether a lane may go on by what has happened. */
const isNews = ({ to }: Change): boolean => to !== "Sending" && to !== "Accepted" && to !== "Unknown"

type Services = SubmissionStore | Submitter | StatusPoller

/**
 * Works until it is interrupted; then it begins nothing more, waits for the answers of the requests that are under way (at most the longest
 * request) and writes them down. Accounts are opened as `opening` allows; none is sent for that the store never sent for. Fails where going on is
 * useless: the store is another version's or damaged, or the options do not fit.
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
      goOnAfter: assumptions?.["ORD-1"] ?? defaults["ORD-1"],
      unknown: credentials === "exclusive" || unknown === "resend-flagged" ? "explained" : "for-a-person"
    }))
    const running = new Map<string, Running>()
    /** When a lane that had to wait is looked at again. */
    const later = new Map<string, number>()
    /** When a lane was last worked here: who waited longest goes first. */
    const worked = new Map<string, number>()
    /** How a lane was last said to be left. */
    const said = new Map<string, string>()
    const asking = new Set<string>()
    const agreedDays: DayDifferences.AgreedDays = new Map()
    const refusedStatus = new Map<string, string>()
    const news = yield* Queue.sliding<void>(1)
    const fatal = yield* Deferred.make<never, StoreError | SubmitterConfigError>()
    let away = false

    /** A store that is away for a while comes back, and the loop over the lanes says so; whatever else it says ends the worker. */
    const patiently = <A>(effect: Effect.Effect<A, StoreError | SubmitterConfigError, Services>) =>
      Effect.catch(Effect.asSome(effect), (error) =>
        error._tag === "StoreError" && (error.reason === "unavailable" || error.reason === "conflict")
          ? Effect.succeed(Option.none<A>())
          : Effect.as(Deferred.fail(fatal, error), Option.none<A>())
      )
    /** What runs beside the loops; a bug in it is not to be run into again and again in silence. */
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
      const words = JSON.stringify([report.end._tag, report.end._tag === "Waiting" ? report.end.wait : null])
      const isSaid = said.get(report.lane) === words && report.attempts === 0
      said.set(report.lane, words)
      return isSaid ? Effect.void : observe({ _tag: "Left", report })
    }

    const workLane = ({ holder, lane, stop }: ClaimableLane) =>
      Effect.gen(function* () {
        const view = (yield* store.lanes()).find((view) => view.lane === lane)
        const own = accounts.filter(({ account }) => view?.accounts.includes(account))
        // a stop without a time is cleared by whoever opens the account
        const opened = yield* stop !== null && stop.retryAt === null ? permissions.anew(own) : permissions.of(own)
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
          later.set(lane, Math.min(at, now + longestWait))
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

    /** What can be worked here now: what a dead worker left first, then who waited longest. */
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

    /** Lanes that have sent for long enough make room for those that wait; for what a dead worker left, at once. */
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
      // what happened in this process is known by its lane
      Stream.runForEach(store.changes, (change) =>
        Effect.sync(() => (isNews(change) ? later.delete(change.lane) : undefined))
      )
    ]
    const rest = Effect.suspend(() => {
      if (away) return Effect.sleep("1 second")
      // nobody new has room
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
      // a person who starts a worker hears at once what stands in its way
      Effect.andThen(patiently(Effect.flatMap(pinned, permissions.of)), Effect.never),
      Deferred.await(fatal)
    ]
    const everything = Effect.all(loops, { concurrency: "unbounded", discard: true })
    // all of them at once: none begins anything while another's answer is waited for
    const ended = Effect.suspend(() =>
      Effect.andThen(
        observe({ _tag: "Leaving", lanes: running.size }),
        Fiber.interruptAll([...running.values()].map(({ fiber }) => fiber))
      )
    )
    return yield* Effect.andThen(Effect.ensuring(everything, ended), Effect.never)
  }).pipe(Effect.scoped)
