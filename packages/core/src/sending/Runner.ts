/**
 * Drains lanes and polls until nothing more can change without an operator: `import`, `submit` and
 * `resume`.
 */
import { Clock, Deferred, Duration, Effect, Option } from "effect"
import * as HandingOver from "./HandingOver.ts"
import { resumesAt } from "./LaneResumption.ts"
import type { LaneReport } from "./LaneRun.ts"
import type { OpenAccount } from "../account/OpenAccount.ts"
import { type PollProblem, retentionOf, StatusPoller } from "./StatusPoller.ts"
import * as Patience from "../submission/ledger/Patience.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import type { SubmissionKey } from "../submission/PlannedDocument.ts"
import { SubmissionStore } from "../submission/SubmissionStore.ts"
import { Submitter, type SubmitterConfigError } from "./Submitter.ts"

/** Limits on waiting. */
export interface RunOptions {
  /**
   * Longest wait for outcomes, back-offs and other workers while nothing changes. Default 3
   * minutes: longer than a lease, so that the lane of a process that froze is taken. At most one
   * minute if only documents are left whose failure proves nothing yet.
   */
  readonly patience?: Duration.Input
}

/** Result of a run. */
export interface Settlement {
  /** Waiting documents of accepted imports, handed over here before anything was sent. */
  readonly handedOver: HandingOver.HandOverResult
  /** End of the last run of each lane, with the number of all attempts made. */
  readonly lanes: ReadonlyArray<LaneReport>
  /**
   * Number of submissions in these accounts' lanes that are still Planned, Sending or Accepted.
   * Submissions that are settled or wait for an operator do not count.
   */
  readonly open: number
  /** Outcomes that the last status calls left open, with reasons. Empty if nothing is open. */
  readonly problems: ReadonlyArray<PollProblem>
}

/** A stop with one of these causes may pass while the caller waits. */
const passes = ({ end }: LaneReport): boolean =>
  end._tag !== "Stopped" ||
  end.stop.cause === "limited" ||
  end.stop.cause === "not-sent" ||
  end.stop.cause === "mark-in-future"

/** Planned documents that wait for such a document, or in a stopped lane, do not count. */
const areAllUnproven = Effect.fnUntraced(function* (
  accounts: ReadonlyArray<OpenAccount>,
  lanes: ReadonlyArray<LaneReport>,
  retention: Duration.Duration
) {
  const store = yield* SubmissionStore
  const unproven = yield* store.unproven(accounts.map(({ account }) => account))
  if (unproven.length === 0) return false
  const names = new Set(unproven.map(({ key }) => nameOf(key)))
  const waiting = lanes.filter(
    (report) =>
      !passes(report) ||
      (report.end._tag === "Waiting" && report.end.wait.for === "outcome" && names.has(nameOf(report.end.wait.key)))
  )
  return names.size === (yield* openIn(lanes, retention, new Set(waiting.map(({ lane }) => lane))))
})

const nameOf = ({ account, id, kind }: SubmissionKey) => JSON.stringify([account, kind, id])

// Pause between looks if the time of the next change is unknown.
const millisBetweenLooks = 1000
// Pause between polls for outcomes while the lanes are drained.
const betweenSweeps = Duration.millis(200)

/** `waiting`: lanes whose Planned documents do not count. */
const openIn = Effect.fnUntraced(function* (
  lanes: ReadonlyArray<LaneReport>,
  retention: Duration.Duration,
  waiting: ReadonlySet<string> = new Set()
) {
  const health = yield* (yield* SubmissionStore).health(retention)
  const own = new Set(lanes.map(({ lane }) => lane))
  return health.lanes
    .filter(({ lane }) => own.has(lane))
    .reduce(
      (sum, { counts, lane }) =>
        sum + (waiting.has(lane) ? 0 : (counts.Planned ?? 0)) + (counts.Sending ?? 0) + (counts.Accepted ?? 0),
      0
    )
})

const round = Effect.fnUntraced(function* (accounts: ReadonlyArray<OpenAccount>, before: ReadonlyArray<PollProblem>) {
  const submitter = yield* Submitter
  const poller = yield* StatusPoller
  const drained = yield* Deferred.make<void>()
  let answers = 0
  let problems = before
  const sweep = Effect.map(poller.sweep(accounts), (report) => {
    answers += report.answered + report.expired
    // A sweep without any call says nothing about the problems of the sweep before.
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

/**
 * In milliseconds since the epoch; null if nothing changes without an operator. An outcome that has
 * just arrived may have freed a lane, so the next look is immediate.
 */
const nextLookAt = Effect.fnUntraced(function* (
  accounts: ReadonlyArray<OpenAccount>,
  lanes: ReadonlyArray<LaneReport>,
  answers: number
) {
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
 * Sends and polls until everything of these accounts is settled, only an operator can continue, or
 * nothing has changed for as long as `patience`. Everything else stays as it is; the next call
 * continues there.
 */
export const run = (
  accounts: ReadonlyArray<OpenAccount>,
  options: RunOptions = {}
): Effect.Effect<Settlement, StoreError | SubmitterConfigError, Submitter | StatusPoller | SubmissionStore> =>
  Effect.gen(function* () {
    const patience = Duration.toMillis(Duration.fromInputUnsafe(options.patience ?? "3 minutes"))
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
      const isShort = at !== null && now >= movedAt && (yield* areAllUnproven(accounts, lanes, retention))
      const longest = isShort ? Math.min(patience, Duration.toMillis(Patience.unprovenLeft.is)) : patience
      if (at === null || at > movedAt + longest || now >= movedAt + longest) {
        const open = yield* openIn(lanes, retention)
        return { handedOver, lanes, problems: open === 0 ? [] : problems, open }
      }
      // Sleeps at least 1 ms if nothing has changed, so that the loop does not spin. The store
      // counts whole milliseconds, so a time just reached on this clock may not be due in the store
      // yet.
      if (at > now || !moved) yield* Effect.sleep(Duration.millis(Math.max(1, Math.ceil(at - now))))
    }
  })
