/** Drains lanes and looks for outcomes until nothing more happens by itself: what `import`, `submit` and `resume` do. */
import { Clock, Deferred, Duration, Effect, Option } from "effect"
import * as HandingOver from "./HandingOver.ts"
import { resumesAt } from "./LaneResumption.ts"
import type { LaneReport } from "./LaneRun.ts"
import type { OpenAccount } from "../account/OpenAccount.ts"
import { type PollProblem, retentionOf, StatusPoller } from "./StatusPoller.ts"
import type { StoreError } from "../ledger/StoreError.ts"
import { SubmissionStore } from "../submission/SubmissionStore.ts"
import { Submitter, type SubmitterConfigError } from "./Submitter.ts"

/** How long a run may wait. */
export interface RunOptions {
  /** How long to wait for outcomes, back-offs and other workers while nothing moves. Default 2 minutes. */
  readonly patience?: Duration.Input
}

/** What a run came to. */
export interface Settlement {
  /** What waited in accepted imports and was handed over here, before anything was sent. */
  readonly handedOver: HandingOver.HandedOver
  /** How each lane was left in the end, with all the attempts made. */
  readonly lanes: ReadonlyArray<LaneReport>
  /** In these accounts' lanes: what is still Planned, Sending or Accepted. 0 when all is settled or waits for a person. */
  readonly open: number
  /** What the last status calls left open and why; none where nothing is open. */
  readonly problems: ReadonlyArray<PollProblem>
}

/** A stop that may pass while somebody waits for it; the others are for a person. */
const passes = ({ end }: LaneReport): boolean =>
  end._tag !== "Stopped" ||
  end.stop.cause === "limited" ||
  end.stop.cause === "not-sent" ||
  end.stop.cause === "mark-in-future"

// how often to look where nobody can tell when something will have changed
const millisBetweenLooks = 1000
// how often outcomes are looked for while the lanes are being drained
const betweenSweeps = Duration.millis(200)

const openIn = (lanes: ReadonlyArray<LaneReport>, retention: Duration.Duration) =>
  Effect.gen(function* () {
    const health = yield* (yield* SubmissionStore).health(retention)
    const own = new Set(lanes.map(({ lane }) => lane))
    return health.lanes
      .filter(({ lane }) => own.has(lane))
      .reduce((sum, { counts }) => sum + (counts.Planned ?? 0) + (counts.Sending ?? 0) + (counts.Accepted ?? 0), 0)
  })

/** One drain, with sweeps beside it and one after it. */
const round = (accounts: ReadonlyArray<OpenAccount>, before: ReadonlyArray<PollProblem>) =>
  Effect.gen(function* () {
    const submitter = yield* Submitter
    const poller = yield* StatusPoller
    const drained = yield* Deferred.make<void>()
    let answers = 0
    let problems = before
    const sweep = Effect.map(poller.sweep(accounts), (report) => {
      answers += report.answered + report.expired
      // a sweep that had nothing to ask says nothing about the one before
      if (report.calls > 0) problems = report.problems
    })
    const sweeping = Effect.gen(function* () {
      while (!(yield* Deferred.isDone(drained))) {
        yield* sweep
        yield* Effect.timeoutOption(Deferred.await(drained), betweenSweeps)
      }
      yield* sweep
    })
    const draining = Effect.ensuring(submitter.drain(accounts), Deferred.succeed(drained, undefined))
    const [lanes] = yield* Effect.all([draining, sweeping], { concurrency: 2 })
    return { lanes, problems, answers }
  })

/** When to look again, in milliseconds; null when nothing changes without a person. What has just been answered may have freed a lane. */
const nextLookAt = (accounts: ReadonlyArray<OpenAccount>, lanes: ReadonlyArray<LaneReport>, answers: number) =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const now = yield* Clock.currentTimeMillis
    const polls = yield* Effect.forEach(accounts, ({ account }) => store.nextPoll(account))
    const times = polls.flatMap((poll) => (Option.isSome(poll) ? [poll.value.epochMilliseconds] : []))
    const resumptions = lanes
      .filter(passes)
      .map(({ end }) => resumesAt(end, accounts))
      .filter((at) => at !== "never")
    const sooner = resumptions.map((at) => (at === "soon" ? (answers > 0 ? now : now + millisBetweenLooks) : at))
    const all = [...times, ...sooner]
    return all.length === 0 ? null : Math.min(...all)
  })

/**
 * Sends and looks until everything of these accounts is settled, only a person can go on, or nothing has moved for as long as patience
 * lasts. What is left is left as it is: calling it again goes on.
 */
export const run = (
  accounts: ReadonlyArray<OpenAccount>,
  options: RunOptions = {}
): Effect.Effect<Settlement, StoreError | SubmitterConfigError, Submitter | StatusPoller | SubmissionStore> =>
  Effect.gen(function* () {
    const patience = Duration.toMillis(Duration.fromInputUnsafe(options.patience ?? "2 minutes"))
    const retention = retentionOf(accounts)
    const handedOver = yield* HandingOver.all(
      yield* SubmissionStore,
      accounts.map(({ account }) => account)
    )
    const attempts = new Map<string, number>()
    let movedAt = yield* Clock.currentTimeMillis
    let problems: ReadonlyArray<PollProblem> = []
    while (true) {
      const { answers, lanes: left, problems: met } = yield* round(accounts, problems)
      problems = met
      for (const { attempts: made, lane } of left) attempts.set(lane, (attempts.get(lane) ?? 0) + made)
      const lanes = left.map((report) => ({ ...report, attempts: attempts.get(report.lane) ?? 0 }))
      const now = yield* Clock.currentTimeMillis
      const moved = answers > 0 || left.some(({ attempts }) => attempts > 0)
      if (moved) movedAt = now
      const at = yield* nextLookAt(accounts, lanes, answers)
      if (at === null || at > movedAt + patience || now >= movedAt + patience) {
        const open = yield* openIn(lanes, retention)
        return { handedOver, lanes, problems: open === 0 ? [] : problems, open }
      }
      // times are kept in whole milliseconds: on a clock with fractions one that has come may not be due yet
      if (at > now || !moved) yield* Effect.sleep(Duration.millis(Math.max(1, Math.ceil(at - now))))
    }
  })
