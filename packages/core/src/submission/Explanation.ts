import type { DateTime } from "effect"
import type { UndatedDocument } from "../document/FiscalDocument.ts"
import type { RequestId } from "../document/Identifiers.ts"
import type { ControlAnswer } from "./ledger/Settled.ts"
import type { StatusItem } from "../gateway/operation/Status.ts"
import type { Attempt } from "./Attempt.ts"
import type { Evidence } from "./Outcome.ts"
import type { DecisionFacts } from "./PermittedDecision.ts"
import type { Cause, ConflictCode, Rejection, State, Submission } from "./Submission.ts"

/** Everything known about one submission. */
export interface Explanation {
  readonly submission: Submission
  readonly document: UndatedDocument
  readonly attempts: ReadonlyArray<Attempt>
  readonly timeline: ReadonlyArray<TimelineEntry>
  readonly evidence: ReadonlyArray<KeptEvidence>
  readonly conflicts: ReadonlyArray<StoredConflict>
  /**
   * End of the quiet period: until then the last request may still arrive, and no decision permits
   * a resend. Null if the quiet period is over.
   */
  readonly quietUntil: DateTime.Utc | null
  /**
   * Failures that the gateway states for open requests and that prove nothing yet, in the order of
   * their last look.
   */
  readonly failures: ReadonlyArray<StatedFailure>
  readonly facts: DecisionFacts
  /** For Unknown: outcomes that may belong to the submission. */
  readonly candidates: ReadonlyArray<InboxItem>
}

/** Failure that the gateway states and that proves nothing yet (submission/ledger/Settled). */
export interface StatedFailure extends Rejection {
  readonly requestId: RequestId
  readonly firstAt: DateTime.Utc
  readonly lastAt: DateTime.Utc
  /**
   * `same`: the gateway says this of an id that no request has, so it says nothing of the document.
   */
  readonly control: ControlAnswer
  /** Earliest time at which an operator can settle the failure. Null if no operator can. */
  readonly personFrom: DateTime.Utc | null
  /** Earliest time at which time alone can settle the failure. Null if time never does. */
  readonly timeFrom: DateTime.Utc | null
}

/** One entry of a submission's timeline. */
export interface TimelineEntry {
  readonly at: DateTime.Utc
  readonly from: State | null
  readonly to: State
  /** `replaced`, `conflict` and `noted` do not change the state. */
  readonly cause: Cause | "planned" | "replaced" | "conflict" | "noted"
  /**
   * Description of the event: the gateway's answer, an operator's reason, the moved receipt date.
   */
  readonly text: string | null
  readonly attempt: number | null
}

/** Conflict that an operator must check, settled by `decide`. */
export interface StoredConflict {
  readonly code: ConflictCode
  readonly detail: string
  readonly at: DateTime.Utc
  readonly settledAt: DateTime.Utc | null
}

/** Outcome with a request id of no known attempt: a candidate for an Unknown attempt. */
export interface InboxItem {
  readonly account: string
  readonly item: StatusItem
  readonly arrivedAt: DateTime.Utc
}

/** Stored evidence about a submission. */
export interface KeptEvidence extends Evidence {
  readonly at: DateTime.Utc
  /**
   * Fields of the gateway's answer without a field here, under the wire's names. Null if there were
   * none.
   */
  readonly unknownFields: Readonly<Record<string, unknown>> | null
}
