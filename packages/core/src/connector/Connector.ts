/**
 * What a job asks beside its session: one lane's turn, outcomes of its own webhook, how a document stands, and decisions of an operator. Every call may be
 * made again, by any number of workers, at any time.
 */
import { Data, DateTime, Duration, Effect, Option } from "effect"
import type { OpenAccount } from "../account/OpenAccount.ts"
import type { StatusItem } from "../gateway/operation/Status.ts"
import type { LaneReport } from "../engine/LaneRun.ts"
import { Submitter, type SubmitterConfigError } from "../engine/Submitter.ts"
import type { Although, Decision, Resolution } from "../submission/Decision.ts"
import type { SubmissionKey } from "../submission/PlannedDocument.ts"
import type { StoreError } from "../ledger/StoreError.ts"
import { type Change, type State, type Submission, isSettled } from "../submission/Submission.ts"
import type { Explanation } from "../submission/Explanation.ts"
import { SubmissionStore } from "../submission/SubmissionStore.ts"

/**
 * Sends what can be sent now in one lane, and says how it was left: the unit of work for an engine that hands out lanes (docs/workers.md). It may be
 * called again, late, twice at once or by several machines. `Drained`: done until something is planned. `Busy`, `Waiting`: call again later,
 * `LaneResumption.resumesAt` says when. `Stopped`: the reason, and when it is looked at again. Interrupted, it ends after the request under way.
 */
export const drainLane = (
  accounts: ReadonlyArray<OpenAccount>,
  lane: string
): Effect.Effect<LaneReport, StoreError | SubmitterConfigError, Submitter> =>
  Submitter.use((submitter) => submitter.drainLane(accounts, lane))

/** Takes what a host's own webhook or poll brought: items of any order, number and age. Returns the states that changed. */
export const applyOutcome = (
  account: string,
  items: ReadonlyArray<StatusItem>,
  source: "webhook" | "poll"
): Effect.Effect<ReadonlyArray<Change>, StoreError, SubmissionStore> =>
  SubmissionStore.use((store) => store.recordOutcomes(account, items, source))

/** How a document stands; none when the store does not have it. */
export const outcomeOf = (key: SubmissionKey): Effect.Effect<Option.Option<Submission>, StoreError, SubmissionStore> =>
  SubmissionStore.use((store) => store.get(key))

/** The deadline passed and there is no outcome. Nothing is wrong by that: the document is still on its way, or waits for a person. */
export class StillPending extends Data.TaggedError("StillPending")<{
  readonly key: SubmissionKey
  /** Null when the store does not have the document. */
  readonly state: State | null
  readonly since: DateTime.Utc | null
}> {
  override get message() {
    const { id, kind } = this.key
    return `${kind} ${id} is ${this.state ?? "not in the store"}; no result yet`
  }
}

/**
 * Waits until the document is Fiscalised, Rejected, Declined or Withdrawn, at most `deadline` long. Looks at the store alone: some worker has
 * to `resume`, or a webhook to come in.
 */
export const waitForOutcome = (
  key: SubmissionKey,
  deadline: Duration.Input
): Effect.Effect<Submission, StillPending | StoreError, SubmissionStore> =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const until = DateTime.addDuration(yield* DateTime.now, deadline)
    let pause = Duration.millis(100)
    while (true) {
      const found = Option.getOrNull(yield* store.get(key))
      if (found !== null && isSettled(found.state)) return found
      const left = DateTime.distance(yield* DateTime.now, until)
      if (Duration.isLessThanOrEqualTo(left, Duration.zero)) {
        return yield* new StillPending({ key, state: found?.state ?? null, since: found?.since ?? null })
      }
      yield* Effect.sleep(Duration.min(pause, left))
      pause = Duration.min(Duration.times(pause, 2), Duration.seconds(5))
    }
  })

/** Everything there is about a document: payload, attempts, timeline, conflicts. Evidence is never deleted. */
export const explain = (key: SubmissionKey): Effect.Effect<Option.Option<Explanation>, StoreError, SubmissionStore> =>
  SubmissionStore.use((store) => store.explain(key))

/**
 * A person's decision, with the reason; refused where it contradicts the gateway's evidence or does not fit the state, and, where it lets the
 * document be sent again, while its last request may still arrive (`Refused.from` is the end of that). `although` overrides the latter.
 */
export const resolve = (
  key: SubmissionKey,
  decision: Decision,
  because: string,
  although?: Although
): Effect.Effect<Resolution, StoreError, SubmissionStore> =>
  SubmissionStore.use((store) => store.decide(key, decision, because, although))

/** Never to be sent, or no longer waited for; evidence that comes later is still taken. Refused like a decision while a request may still arrive. */
export const withdraw = (
  key: SubmissionKey,
  because: string,
  although?: Although
): Effect.Effect<Resolution, StoreError, SubmissionStore> => resolve(key, { _tag: "Withdrawn" }, because, although)
