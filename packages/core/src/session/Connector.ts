/**
 * Calls of a job outside its session. Every call may be repeated, by any number of workers, at any
 * time.
 */
import { Data, DateTime, Duration, Effect, Option } from "effect"
import type { OpenAccount } from "../account/OpenAccount.ts"
import type { StatusItem } from "../gateway/operation/Status.ts"
import type { LaneReport } from "../sending/LaneRun.ts"
import { Submitter, type SubmitterConfigError } from "../sending/Submitter.ts"
import type { Although, Decision, DecisionResult } from "../submission/Decision.ts"
import type { SubmissionKey } from "../submission/PlannedDocument.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import { type Change, type State, type Submission, isSettled } from "../submission/Submission.ts"
import type { Explanation } from "../submission/Explanation.ts"
import { SubmissionStore } from "../submission/SubmissionStore.ts"

/**
 * Sends everything that can be sent now in one lane, and reports how the lane was left: the unit of
 * work for an engine that distributes lanes (docs/run.md#engines). May be called again, late, twice
 * at once or from several machines. `Drained`: done until something is planned. `Busy`, `Waiting`:
 * call again later; `LaneResumption.resumesAt` says when. `Stopped`: the reason, and the time of
 * the next look. Interruption takes effect after the request under way.
 */
export const drainLane = (
  accounts: ReadonlyArray<OpenAccount>,
  lane: string
): Effect.Effect<LaneReport, StoreError | SubmitterConfigError, Submitter> =>
  Submitter.use((submitter) => submitter.drainLane(accounts, lane))

/**
 * Applies items received by a host's own webhook or poll, in any order, number and age. Returns the
 * changes of state.
 */
export const applyOutcome = (
  account: string,
  items: ReadonlyArray<StatusItem>,
  source: "webhook" | "poll"
): Effect.Effect<ReadonlyArray<Change>, StoreError, SubmissionStore> =>
  SubmissionStore.use((store) => store.recordOutcomes(account, items, source))

/** Returns the document in its current state. Empty if the store does not have the document. */
export const outcomeOf = (key: SubmissionKey): Effect.Effect<Option.Option<Submission>, StoreError, SubmissionStore> =>
  SubmissionStore.use((store) => store.get(key))

/**
 * The deadline passed without an outcome. Not a failure of the document: the document is still on
 * the way, or waits for an operator.
 */
export class StillPending extends Data.TaggedError("StillPending")<{
  readonly key: SubmissionKey
  readonly state: State | null
  readonly since: DateTime.Utc | null
}> {
  override get message() {
    const { id, kind } = this.key
    return `${kind} ${id} is ${this.state ?? "not in the store"}; no result yet`
  }
}

/**
 * Waits until the document is Fiscalised, Rejected, Declined or Withdrawn, at most for `deadline`.
 * Looks at the store only: a worker must `resume`, or a webhook must receive the outcome. Fails
 * with StillPending at the deadline.
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

/**
 * Returns everything known about a document: payload, attempts, timeline, conflicts. Evidence is
 * never deleted.
 */
export const explain = (key: SubmissionKey): Effect.Effect<Option.Option<Explanation>, StoreError, SubmissionStore> =>
  SubmissionStore.use((store) => store.explain(key))

/**
 * Records an operator's decision with its reason. Refused if the decision contradicts the gateway's
 * evidence or does not fit the state. A decision that lets the document be sent again is also
 * refused while the document's last request may still arrive, until `Refused.from`. `although`
 * overrides this last refusal. `shown`: `since` of the submission that the operator has seen; the
 * decision is refused if the document has changed its state after it, because another request may
 * have been sent. Default: not compared.
 */
export const resolve = (
  key: SubmissionKey,
  decision: Decision,
  because: string,
  although?: Although,
  shown?: DateTime.Utc
): Effect.Effect<DecisionResult, StoreError, SubmissionStore> =>
  SubmissionStore.use((store) => store.decide(key, decision, because, although, shown))

/**
 * Withdraws a document: never sent, or no longer waited for. Later evidence is still recorded.
 * Refused like a decision while a request may still arrive.
 */
export const withdraw = (
  key: SubmissionKey,
  because: string,
  although?: Although
): Effect.Effect<DecisionResult, StoreError, SubmissionStore> => resolve(key, { _tag: "Withdrawn" }, because, although)
