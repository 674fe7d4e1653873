/** Results of planning a document, and known facts of a document from an earlier plan. */
import type { SubmissionKey } from "./PlannedDocument.ts"
import type { RevisitFacts, Override } from "./Revisit.ts"
import type { Hold, State, Submission } from "./Submission.ts"

/** Result of planning one document. */
export type PlanVerdict =
  /** New document: Planned, or Held with its given reason. */
  | { readonly _tag: "Planned" }
  /**
   * A Planned or Held document now has the new content. The receipt date stays, unless the source's
   * date differs.
   */
  | { readonly _tag: "Replaced" }
  /**
   * A Declined or Rejected (correctable) document got a new revision, because the source or the
   * translation differs.
   */
  | { readonly _tag: "Revised" }
  /** Nothing to do. */
  | { readonly _tag: "Unchanged" }
  /**
   * The document is in flight or done, but the export now states other values. An operator must
   * decide.
   */
  | { readonly _tag: "Conflict"; readonly because: string }
  /** Another document of the taxpayer has this number (RCPT013). Nothing is stored. */
  | { readonly _tag: "NumberTaken"; readonly by: SubmissionKey }
  /** The account is pinned to another device. Nothing is stored; see `pin`. */
  | { readonly _tag: "OtherLane"; readonly pinned: string }

/** Result of planning one document, and its state. */
export interface PlanResult {
  readonly key: SubmissionKey
  readonly verdict: PlanVerdict
  /** Current state of the submission. Null when nothing is stored. */
  readonly state: State | null
  readonly hold: Hold | null
}

/** A stored submission that appears again in an export (submission/Revisit). */
export interface KnownDocument {
  readonly submission: Submission
  readonly facts: RevisitFacts
  /** Fingerprint of a later reading that shows more places of unit prices, or null. */
  readonly restated: string | null
  readonly override: Override | null
  /** Sent document as the store writes it, if the decision needs it; else null. */
  readonly body: string | null
  /** Id of the invoice that a credit note credits, as last planned. */
  readonly original: string | null
  /**
   * Origin of the time of the receipt date. `assigned`: the policy assigned the time, and no
   * attempt of the document may have been processed. The lane may then move the time later on the
   * same day if another document is sent first.
   */
  readonly dated: "stated" | "assigned"
  /**
   * Statement of the source at the last import, compared with the sent document. `otherwise`
   * includes a cancellation.
   */
  readonly lastStated: "as-sent" | "otherwise"
  /**
   * Settled differences: the fingerprint of the source's settled change, and the state of its
   * cancellation. Null and `open` if an operator has settled nothing.
   */
  readonly settled: { readonly change: string | null; readonly cancelling: "open" | "settled" }
}

/** Finding of an import about one stored document. */
export interface SourceNotice {
  readonly key: SubmissionKey
  /**
   * `as-sent`: the source states the sent values. `restated`: the same, with more places of unit
   * prices than before. `changed`: the source states other values. `cancelled`: the source has
   * canceled the document.
   */
  readonly states: "as-sent" | "restated" | "changed" | "cancelled"
  /**
   * Fingerprint of the source's current statement. Null for `cancelled`. The same change is
   * recorded once.
   */
  readonly fingerprint: string | null
  /** Description of `changed` for people. */
  readonly because: string | null
}
