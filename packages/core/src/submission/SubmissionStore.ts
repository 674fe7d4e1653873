/**
 * Port to the store. Each operation is one committed transaction and may be repeated. Times come
 * from the Clock. Evidence is never deleted, with two exceptions: unmatched outcomes too old for
 * any attempt to claim, and our own Expired conclusions about a withdrawn request id.
 */
import { Context, type Effect, type Queue, type Scope, type Stream } from "effect"
import type { CivilDate } from "../document/CivilDate.ts"
import type { DualClock } from "../gateway/contract/DualClock.ts"
import type { AcceptedUnknownOperations } from "./ledger/AcceptedUnknown.ts"
import type { Ledger } from "./ledger/Ledger.ts"
import type { StoreMarks, MarkComparison, WitnessedMarks } from "./ledger/NewestAttempt.ts"
import type { StoreEffect, WriteFailure } from "./ledger/StoreError.ts"
import type { AttemptOperations } from "./Attempt.ts"
import type { DecisionOperations } from "./Decision.ts"
import type { HealthOperations } from "./Health.ts"
import type { ImportOperations } from "./KeptImport.ts"
import type { LaneOperations } from "./Lane.ts"
import type { LiveSourceOperations } from "./LiveSourceState.ts"
import type { OutcomeOperations } from "./Outcome.ts"
import type { PinOperations } from "./Pin.ts"
import type { RefusedOperations } from "./ledger/RefusedDocument.ts"
import type { PlanOperations } from "./PlanResult.ts"
import type { Change, SourceChange } from "./Submission.ts"
import type { SubmissionQueries } from "./SubmissionQuery.ts"

export type { RegisteredOriginal } from "./ledger/Original.ts"

/**
 * Identity of the store. Both values are also recorded outside the store (StoreWitness), so that a
 * lost store or an older copy is recognized.
 */
export interface StoreIdentity {
  /** Random text from the creation of the store. */
  readonly id: string
  readonly attempts: number
}

/** Operations of the store as a whole: its identity, its place, its copies, its changes. */
export interface WholeStoreOperations {
  readonly identity: StoreEffect<StoreIdentity>
  /**
   * Text that differs after every commit of any process. Compare it only with an earlier text of
   * the same open store.
   */
  readonly version: StoreEffect<string>
  /**
   * Compares the store with the newest attempts and the last acceptance known to this process, and
   * with the marks witnessed outside the store. A missing attempt or acceptance makes the store an
   * older copy.
   */
  readonly compareMarks: (witnessed: StoreMarks) => StoreEffect<MarkComparison>
  /**
   * Stops an older copy as a whole, for every process and for lanes that the copy does not have.
   * From then on the store refuses to plan, to register originals and to begin an attempt. Only an
   * operator clears the stop.
   *
   * Compares again in the same transaction: the newest copy may be in place again, where nothing
   * would ever clear a stop.
   */
  readonly stopOlder: (witnessed: WitnessedMarks | undefined) => StoreEffect<void>
  /**
   * Accepts an older copy as the live store. An operator's decision.
   *
   * Attempts known elsewhere but missing here no longer make the store an older copy, and lanes
   * stopped because of these attempts resume. The acceptance has its own number and token, so that
   * a copy from before the acceptance is recognized.
   *
   * In every lane, also in one that the copy does not have, documents dated up to `until` are held
   * for an operator, because a lost attempt may have sent them. During one quiet period no decision
   * permits a resend. `witnessed`: the known marks of the lost store.
   */
  readonly acceptOlder: (until: CivilDate, witnessed: StoreMarks) => StoreEffect<void>
  /**
   * Stops a store in another database than `provenAs`, as `stopOlder`. A process that proves the
   * store complete clears the stop.
   */
  readonly stopUnproven: (text: string, provenAs: string | null) => StoreEffect<void>
  /**
   * Records that this process has compared the closed days of the lane. `text`: receipts of the
   * device that the store lacks, which stop the store as `stopOlder`; null if none are known. An
   * operator clears the stop: by an acceptance, or by the statement that others use the device.
   */
  readonly compareDays: (lane: string, text: string | null) => StoreEffect<void>
  /**
   * Records that the store was found complete in this database (`MarkComparison.place`; null if the
   * database cannot be read), and clears the stop of an unproven store.
   */
  readonly proven: (place: string | null) => StoreEffect<void>
  /**
   * Records the gateway's time for this process, null if it is not known, and returns the
   * milliseconds by which the database's clock is ahead of this machine's. Null if the store uses
   * this machine's clock.
   *
   * A time that permits something ends by the earliest of the known clocks.
   */
  readonly compareClocks: (account: string, gateway: DualClock | null) => StoreEffect<number | null>
  /**
   * Number of times the store was unreachable, or its server restarted, since it was opened. A
   * holder of a permission to send renews the permission after each interruption.
   */
  readonly interruptions: Effect.Effect<number>
  /** Writes of this process that the store does not take. Null if none failed lately. */
  readonly writeFailure: Effect.Effect<WriteFailure | null>
  /** Writes nothing lasting, and returns `writeFailure` after that. */
  readonly tryWrite: Effect.Effect<WriteFailure | null>
  /** Reports if commits survive a power failure, with the current settings of the database. */
  readonly durability: StoreEffect<Durability>
  /**
   * Wakes subscribers that wait for work: a document was planned, released or settled, so that
   * something may be sent now.
   *
   * This process notifies at once, and on PostgreSQL so does every process. On SQLite, poll now and
   * then for changes of other processes. A wake-up may be spurious, and several may arrive as one.
   */
  readonly planned: Effect.Effect<Queue.Dequeue<void>, never, Scope.Scope>
  /** State changes made by this process, after their commit. */
  readonly changes: Stream.Stream<Change>
  /**
   * Documents with a changed statement of the source, as recorded by this process, after the
   * commit.
   */
  readonly sourceChanges: Stream.Stream<SourceChange>
}

/** Operations of the store, by subject. Each operation is one committed transaction. */
export interface SubmissionStoreOperations
  extends
    WholeStoreOperations,
    LaneOperations,
    PinOperations,
    AttemptOperations,
    ImportOperations,
    PlanOperations,
    OutcomeOperations,
    DecisionOperations,
    SubmissionQueries,
    HealthOperations,
    AcceptedUnknownOperations {
  readonly refused: RefusedOperations
  readonly liveSources: LiveSourceOperations
  readonly ledger: Ledger
}

/** Survival of commits in a crash of the machine. */
export type Durability =
  | { readonly _tag: "Durable" }
  | { readonly _tag: "MayLose"; /** Setting at fault, as the database names it. */ readonly text: string }

/** The store as a service. */
export class SubmissionStore extends Context.Service<SubmissionStore, SubmissionStoreOperations>()(
  "@fiscal-connector/core/submission/SubmissionStore"
) {}
