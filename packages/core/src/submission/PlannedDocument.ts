/** What the store is given to plan: one checked document with its receipt date settled. */
import type { DocumentKind } from "../document/FiscalDocument.ts"
import type { WrittenDocument } from "../document/WrittenDocument.ts"
import type { CivilDate } from "../document/CivilDate.ts"
import type { Instant } from "../document/Instant.ts"
import type { Provenance } from "../finding/Provenance.ts"

/** The key of a submission (docs/architecture.md#key). */
export interface SubmissionKey {
  readonly account: string
  readonly kind: DocumentKind
  readonly id: string
}

/** `test` or `live`, as the gateway says. */
export type Environment = "sandbox" | "test" | "live"

/**
 * The named cause of a hold. `late`: at or before an attempt of ours; `historical`: at or before the day's ClosedAt only;
 * `outdated`: on the day its receipt would be dated its taxes, or its original, are no longer good; `original`: the original of a credit note cannot be
 * credited now; `credited`: other credit notes have taken what was left of it; `contradicted`: an earlier revision turned out fiscalised.
 */
export type HoldCause = "late" | "historical" | "outdated" | "original" | "credited" | "contradicted" | "person"

/** A document as it is handed to the store: its text, its date and why it may have to wait. */
export interface PlannedDocument {
  readonly account: string
  /** Whose numbers these are: the TIN of the device's taxpayer (RCPT013). */
  readonly taxpayer: string
  /** The lane: the DeviceId the gateway named. */
  readonly lane: string
  readonly environment: Environment
  readonly document: WrittenDocument
  /** SHA-256 over what the source states (source/Fingerprint). */
  readonly fingerprint: string
  /** The source's own date, kept and shown when the receipt date is another. */
  readonly sourceDate: CivilDate
  /** Settled once, when planned; used again by every attempt (DOC-9). Not settled under `at-submission` until the first attempt is written. */
  readonly receiptDate: Instant | "at-submission"
  /**
   * Whose the time of the receipt date is: the source's, which stays what it is, or one that the book's policy gave to a civil date, which may be
   * given anew where the document goes to another device. Default `stated`.
   */
  readonly dated?: "stated" | "assigned"
  /** The original a credit note waits for; null for invoices and notes without an original. */
  readonly original: SubmissionKey | null
  /** Why it must not be sent yet; null plans it. */
  readonly held: string | null
  /** The named cause of `held`. Default `person`: only a person, or a new import, releases it. */
  readonly heldCause?: HoldCause
  /**
   * The last day on which its receipt may be dated: its taxes end, or a credit note's original grows too old (preflight/ValidUntil). A date that
   * the lane sets never lies behind it. Null: no end is known. Default null.
   */
  readonly validUntil?: CivilDate | null
  /** The book's zone, an offset or an IANA name, for receipt dates that are settled by the lane. Default `+00:00`. */
  readonly zone?: string
  /** The book's `late`. Default `hold`. */
  readonly late?: "hold" | "restamp"
  /** `historical`: planned under `--historical`; may lie at or before the last ClosedAt, never at or before an attempt of ours. */
  readonly passage?: "ordinary" | "historical"
  readonly source: Provenance
}
