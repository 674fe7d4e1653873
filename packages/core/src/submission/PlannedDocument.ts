/** What the store is given to plan: one checked document with its receipt date settled. */
import type { DocumentKind, UndatedDocument } from "../document/FiscalDocument.ts"
import type { CivilDate } from "../document/CivilDate.ts"
import type { Instant } from "../document/Instant.ts"
import type { Provenance } from "../finding/Provenance.ts"

/** The key of a submission (DESIGN, Submission: states). */
export interface SubmissionKey {
  readonly account: string
  readonly kind: DocumentKind
  readonly id: string
}

export interface PlannedDocument {
  readonly account: string
  /** Whose numbers these are: the TIN of the device's taxpayer (RCPT013). */
  readonly taxpayer: string
  /** The lane: the DeviceId the gateway named. */
  readonly lane: string
  readonly environment: "sandbox" | "test" | "live"
  readonly document: UndatedDocument
  /** SHA-256 over what the source states (source/Fingerprint). */
  readonly fingerprint: string
  /** The source's own date, kept and shown when the receipt date is another. */
  readonly sourceDate: CivilDate
  /** Settled once, when planned; used again by every attempt (DOC-9). Not settled under `at-submission` until the first attempt is written. */
  readonly receiptDate: Instant | "at-submission"
  /** The original a credit note waits for; null for invoices and notes without an original. */
  readonly original: SubmissionKey | null
  /** Why it must not be sent yet; null plans it. */
  readonly held: string | null
  readonly source: Provenance
}
