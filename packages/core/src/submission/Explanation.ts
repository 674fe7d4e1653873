/** What is known of one submission: its attempts, what happened to it, what was said about it, and what contradicts it. */
import type { DateTime } from "effect"
import type { UndatedDocument } from "../document/FiscalDocument.ts"
import type { StatusItem } from "../gateway/operation/Status.ts"
import type { Attempt } from "./Attempt.ts"
import type { Evidence } from "./Outcome.ts"
import type { Cause, State, Submission } from "./Submission.ts"

/** Everything that is known of one submission. */
export interface Explanation {
  readonly submission: Submission
  readonly document: UndatedDocument
  readonly attempts: ReadonlyArray<Attempt>
  readonly timeline: ReadonlyArray<TimelineEntry>
  readonly evidence: ReadonlyArray<KeptEvidence>
  readonly conflicts: ReadonlyArray<StoredConflict>
  /** Until when its last request may still arrive, and no decision lets it be sent again; null where nothing is on its way. */
  readonly quietUntil: DateTime.Utc | null
  /** While it is Unknown: outcomes that may be its own. */
  readonly candidates: ReadonlyArray<InboxItem>
}

/** One entry of a submission's timeline. */
export interface TimelineEntry {
  readonly at: DateTime.Utc
  readonly from: State | null
  readonly to: State
  /** `replaced`, `conflict` and `noted` leave the state as it is. */
  readonly cause: Cause | "planned" | "replaced" | "conflict" | "noted"
  /** What happened, in words: the gateway's answer, a person's reason, the receipt date that was moved. */
  readonly text: string | null
  readonly attempt: number | null
}

/** What a person must look at; settled by `decide`. */
export interface StoredConflict {
  readonly code: "OUTCOME_CONFLICT" | "DOUBLE_FISCALISED" | "SOURCE_CONFLICT" | "SOURCE_CANCELLED" | "OTHER_DEVICE"
  readonly detail: string
  readonly at: DateTime.Utc
  readonly settledAt: DateTime.Utc | null
}

/** An outcome whose request id belongs to no attempt we know: a candidate for an Unknown one. */
export interface InboxItem {
  readonly account: string
  readonly item: StatusItem
  readonly arrivedAt: DateTime.Utc
}

/** One thing said about a submission, as it was kept. */
export interface KeptEvidence extends Evidence {
  readonly at: DateTime.Utc
  /** Fields of the gateway's answer that have no field here, under the wire's names; null when there were none. */
  readonly unknownFields: Readonly<Record<string, unknown>> | null
}
