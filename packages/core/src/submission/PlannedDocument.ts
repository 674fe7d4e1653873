/** One checked document with its receipt date settled. */
import type { CodeMeaning } from "./ledger/Original.ts"
import type { DocumentKind } from "../document/FiscalDocument.ts"
import type { WrittenDocument } from "../document/WrittenDocument.ts"
import type { CivilDate } from "../document/CivilDate.ts"
import type { Instant } from "../document/Instant.ts"
import type { Provenance } from "../finding/Provenance.ts"
import type { ReplacedSale } from "./ledger/SameSale.ts"
import type { OperatorDecision } from "./OperatorRecord.ts"

/** Key of a submission (docs/architecture.md#key). */
export interface SubmissionKey {
  readonly account: string
  readonly kind: DocumentKind
  readonly id: string
}

/** Environment as stated by the gateway, or `sandbox`. */
export type Environment = "sandbox" | "test" | "live"

/**
 * Named cause of a hold.
 *
 * `late`: at or before an attempt of ours.
 * `historical`: at or before the day's ClosedAt only.
 * `outdated`: on the day of its receipt date, the taxes or the original are no longer valid.
 * `original`: the original of a credit note cannot be credited now.
 * `credited`: other credit notes have used up the remaining amount.
 * `contradicted`: an earlier revision turned out fiscalized; or a refusal may be the answer to an
 * earlier request of the document.
 * `operator`: an operator, or a caller of the store, wants to decide.
 * `before-start`: dated before the account begins; another system may have sent it.
 * `older-copy`: planned in an older copy of the store, or dated while the lost store was in use.
 * `rejection-unconfirmed`: the gateway no longer says that an earlier request was rejected.
 * `duplicate`: possibly the same sale as another document, or registered as fiscalized elsewhere.
 * `replaces`: the source states that it replaces a document that may have a receipt; or it is
 * replaced by one.
 */
export type HoldCause =
  | "late"
  | "historical"
  | "outdated"
  | "original"
  | "credited"
  | "contradicted"
  | "operator"
  | "before-start"
  | "older-copy"
  | "rejection-unconfirmed"
  | "duplicate"
  | "replaces"

/**
 * How documents of a cause are decided about: `together`, selected by the cause; or each by its
 * number, alone or in a list, because each needs a look in the gateway's portal first.
 */
export const decided: Readonly<Record<HoldCause, "together" | "each">> = {
  late: "together",
  historical: "together",
  outdated: "together",
  original: "together",
  credited: "together",
  contradicted: "each",
  operator: "each",
  "before-start": "each",
  "older-copy": "each",
  "rejection-unconfirmed": "each",
  duplicate: "each",
  replaces: "each"
}

/**
 * Returns the cause of a stored or a given name. `person` of earlier versions was also the cause
 * after an accepted older copy, so it is read as that, the strictest.
 */
export const causeNamed = (name: HoldCause | "person"): HoldCause => (name === "person" ? "older-copy" : name)

/** A document to plan: its text, its date and its reason for waiting, if any. */
export interface PlannedDocument {
  readonly account: string
  /** TIN of the device's taxpayer, who owns the number series (RCPT013). */
  readonly taxpayer: string
  /** Lane: the DeviceId named by the gateway. */
  readonly lane: string
  readonly environment: Environment
  readonly document: WrittenDocument
  /** Kept with the text, because the mappings may change. Default: not known. */
  readonly meaning?: CodeMeaning
  /** SHA-256 of the source's statements (source/Fingerprint). */
  readonly fingerprint: string
  /** The same with unit prices of two places, as an earlier reading may have shown them. */
  readonly rounded?: ReadonlyArray<string>
  /** Date in the source, kept and shown when the receipt date differs. */
  readonly sourceDate: CivilDate
  /**
   * Receipt date, settled once at planning and reused by every attempt (DOC-9). Under
   * `at-submission`, settled when the first attempt is written.
   */
  readonly receiptDate: Instant | "at-submission"
  /**
   * Origin of the time of the receipt date. `stated`: the source's time, which never changes.
   * `assigned`: the book's policy added a time to a civil date; the time may move if another
   * document is sent first, or if the document goes to another device. Default `stated`.
   */
  readonly dated?: "stated" | "assigned"
  /** Original that a credit note waits for. Null for invoices and notes without an original. */
  readonly original: SubmissionKey | null
  /**
   * Document that this one replaces, as the source states it: held until that one is credited in
   * full, or withdrawn. Default: none.
   */
  readonly replaces?: ReplacedSale
  /**
   * For a credit note prepared by this program: the facts from which it was prepared
   * (submission/ledger/CreditFamily), the other notes that it counts, the receipt that it is meant
   * for if the invoice has several, and the decision, which is recorded with the plan.
   */
  readonly prepared?: {
    readonly basis: string
    readonly beside: ReadonlyArray<SubmissionKey>
    readonly receipt?: string
    readonly decision: OperatorDecision
  }
  readonly held: string | null
  /**
   * Named cause of `held`. Default `operator`: only an operator, or a new import, releases the
   * document.
   */
  readonly heldCause?: HoldCause
  /**
   * Last permitted day of the receipt date: the end of its taxes, or the age limit of a credit
   * note's original (dating/ValidUntil). A date set by the lane is never later. Null if no end
   * is known. Default null.
   */
  readonly validUntil?: CivilDate | null
  /**
   * Book's zone, an offset or an IANA name, for receipt dates settled by the lane. Default
   * `+00:00`.
   */
  readonly zone?: string
  /** The book's `late` setting. Default `hold`. */
  readonly late?: "hold" | "restamp"
  /**
   * `historical`: planned under `--historical`. May be dated at or before the last ClosedAt, never
   * at or before an attempt of ours.
   */
  readonly timing?: "ordinary" | "historical"
  readonly source: Provenance
}
