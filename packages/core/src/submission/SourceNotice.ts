/** What the source states now of a document that the store has, beside what was sent of it. */
import type { DateTime } from "effect"
import type { DocumentNumber } from "../document/Identifiers.ts"
import type { SubmissionKey } from "./PlannedDocument.ts"
import type { State } from "./Submission.ts"

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

/** A document of which the source states something else than before, after the commit that noted it. */
export interface SourceChange {
  readonly key: SubmissionKey
  readonly number: DocumentNumber
  readonly lane: string
  readonly state: State
  /** What differs from what was sent, or null. */
  readonly changed: string | null
  /** How the source cancelled it, or null. */
  readonly cancelled: string | null
  readonly at: DateTime.Utc
}
