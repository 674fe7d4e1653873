/** What planning a document comes to, and what is known of one that has been planned before. */
import type { SubmissionKey } from "./PlannedDocument.ts"
import type { RevisitFacts, Word } from "./Revisit.ts"
import type { Hold, State, Submission } from "./Submission.ts"

/** What planning one document came to. */
export type PlanVerdict =
  /** New: Planned, or Held with the reason it came with. */
  | { readonly _tag: "Planned" }
  /** It was Planned or Held and is now what came; its receipt date stays, unless the source's date is another. */
  | { readonly _tag: "Replaced" }
  /** It was Declined or Rejected (correctable) and the source, or its translation, differs: a new revision. */
  | { readonly _tag: "Revised" }
  /** Nothing to do. */
  | { readonly _tag: "Unchanged" }
  /** It is on its way or done, and the export now states something else: for a person. */
  | { readonly _tag: "Conflict"; readonly because: string }
  /** Another document of the taxpayer has this number (RCPT013). Nothing is stored. */
  | { readonly _tag: "NumberTaken"; readonly by: SubmissionKey }
  /** The account is pinned to another device. Nothing is stored; see `pin`. */
  | { readonly _tag: "OtherLane"; readonly pinned: string }

/** What planning one document came to, and how it stands. */
export interface PlanResult {
  readonly key: SubmissionKey
  readonly verdict: PlanVerdict
  /** How the submission stands now; null when nothing is stored. */
  readonly state: State | null
  readonly hold: Hold | null
}

/** A submission as an export meets it again (submission/Revisit). */
export interface KnownDocument {
  readonly submission: Submission
  readonly facts: RevisitFacts
  readonly word: Word | null
  /** What was sent, as the store writes it, where that decides; else null. */
  readonly body: string | null
  /** The id of the invoice that a credit note credits, as it was last planned. */
  readonly original: string | null
  /**
   * Whose the time of its receipt date is. `assigned`: it was given, nothing of the document may have been processed, and so the lane gives it a later
   * one of its day where another goes first.
   */
  readonly dated: "stated" | "assigned"
  /** Whether the source stated something else than what was sent, or had cancelled the document, when it was last imported. */
  readonly lastStated: "as-sent" | "otherwise"
  /** What an operator has dealt with of that: the fingerprint of the source's other statement, and whether its cancelling. Null and `open` where neither. */
  readonly settled: { readonly change: string | null; readonly cancelling: "open" | "settled" }
}

/** What an import found about one document of the store. */
export interface SourceNotice {
  readonly key: SubmissionKey
  /** `as-sent`: the source states what was sent. `changed`: it states something else. `cancelled`: it has cancelled the document. */
  readonly states: "as-sent" | "changed" | "cancelled"
  /** Fingerprint of what the source states now; null for `cancelled`. The same change is noted once. */
  readonly fingerprint: string | null
  /** Of `changed`, in words for people. */
  readonly because: string | null
}
