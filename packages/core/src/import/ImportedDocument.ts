import { type FiscalDocument, type DocumentKind, stamp } from "../document/FiscalDocument.ts"
import * as WrittenDocument from "../document/WrittenDocument.ts"
import * as CivilDate from "../document/CivilDate.ts"
import type { Instant } from "../document/Instant.ts"
import type { CurrencyCode } from "../document/Identifiers.ts"
import { formatAmount, type Money } from "../document/Money.ts"
import { type Finding, make } from "../finding/Finding.ts"
import type { Provenance } from "../finding/Provenance.ts"
import type { ImportEntry } from "./ImportEntry.ts"
import { ImportFinding } from "./ImportFinding.ts"
import { textOf } from "../submission/OutcomeRecord.ts"
import type { HoldCause } from "../submission/PlannedDocument.ts"
import type { Proof, State, Submission } from "../submission/Submission.ts"
import type { Skipped } from "../source/SourceDocument.ts"
import type { SummedTaxShare } from "./TaxShares.ts"

/** One document of an import as shown to users and programs. */
export interface ImportedDocument {
  readonly kind: DocumentKind | null
  readonly id: string | null
  readonly number: string
  /** The document as it would be sent or was sent; null if incomplete. */
  readonly document: WrittenDocument.WrittenDocument | null
  /** Currency as sent or to be sent; null if the document could not be shaped. */
  readonly currency: CurrencyCode | null
  readonly total: Money | null
  /** The buyer's name; null for a walk-in, or if no longer known. */
  readonly buyer: string | null
  /** Tax shares at planning time; null if they follow from `document`. */
  readonly shares: ReadonlyArray<SummedTaxShare> | null
  readonly receiptDate: Instant | "at-submission" | null
  readonly day: CivilDate.CivilDate | null
  readonly findings: ReadonlyArray<Finding>
  readonly source: Provenance
  readonly state: State | "Refused" | "Skipped"
  readonly requestId: string | null
  readonly verificationCode: string | null
  readonly proof: Proof | null
  readonly text: string | null
  readonly cause: HoldCause | null
  /** Number or id of the document that this one replaces, as the source states it. */
  readonly replaces: string | null
  /** `known`: the document was in the store before, and no action was needed. */
  readonly news: "new" | "known"
}

/**
 * Returns the document of an entry. `submissions`: the store's submissions after the import, by
 * `kind id`.
 *
 * `sent`: sent texts of documents that are not sent again. All fields of such a document come from
 * the sent text; a book or export that now differs is reported as a finding.
 */
export const ofEntry = (
  entry: ImportEntry,
  submissions: ReadonlyMap<string, Submission>,
  sent: ReadonlyMap<string, WrittenDocument.WrittenDocument> = new Map()
): ImportedDocument => {
  const { at, id, kind, number, replaces } = entry.source
  const common = { kind, id: id || number, number, source: at, replaces: replaces?.value ?? null }
  switch (entry._tag) {
    case "Refused":
      return {
        ...common,
        ...nothing,
        ...figuresOf(entry.document),
        day: entry.day,
        findings: entry.findings,
        state: "Refused"
      }
    case "Known": {
      const document = sent.get(`${kind} ${common.id}`) ?? null
      return {
        ...common,
        ...nothing,
        ...fieldsOf(entry.submission),
        number: entry.submission.number,
        document,
        findings: besideSent(entry, document),
        news: "known"
      }
    }
    case "Planned": {
      const { document, held, heldCause, receiptDate } = entry.planned
      const submission = submissions.get(`${kind} ${common.id}`)
      const before = sent.get(`${kind} ${common.id}`)
      if (submission !== undefined && before !== undefined) {
        return {
          ...common,
          ...nothing,
          ...fieldsOf(submission),
          number: submission.number,
          document: before,
          findings: besideSent(entry, before)
        }
      }
      return {
        ...common,
        ...nothing,
        receiptDate,
        state: held === null ? "Planned" : "Held",
        text: held,
        cause: heldCause ?? null,
        ...(submission && fieldsOf(submission)),
        ...figuresOf(document),
        findings: entry.findings
      }
    }
  }
}

/** True if the export differs from the sent document. */
export const isConflict = ({ code }: Finding): boolean => code === ImportFinding.DIFFERS_FROM_SENT.code

/**
 * Returns the differences between a sent document and the current export or book, and the errors of
 * reading it. Other findings of the new translation are dropped, because the translation is not
 * sent. `sent`: null if no longer known.
 */
export const besideSent = (
  entry: Extract<ImportEntry, { readonly _tag: "Known" | "Planned" }>,
  sent: WrittenDocument.WrittenDocument | null
): ReadonlyArray<Finding> =>
  entry._tag === "Planned"
    ? entry.findings.filter(isConflict)
    : [
        ...entry.findings,
        // a settled difference comes from the source, not from the book
        ...(sent === null || entry.states === "settled" ? [] : bookDiffers(sent, entry.translated, entry.source.at))
      ]

/** True if the document is not sent again, so that the sent data is shown. */
export const isSentBefore = (entry: ImportEntry): boolean =>
  entry._tag === "Known" || (entry._tag === "Planned" && entry.findings.some(isConflict))

/** The buyer comes from the source and is not compared. */
const bookDiffers = (
  sent: WrittenDocument.WrittenDocument,
  translated: WrittenDocument.WrittenDocument | null,
  at: Provenance
): ReadonlyArray<Finding> => {
  if (translated === null) return []
  const compared = [
    ["tax codes", codesOf(sent), codesOf(translated)],
    [
      "total",
      `${sent.currency} ${formatAmount(sent.total)}`,
      `${translated.currency} ${formatAmount(translated.total)}`
    ]
  ] as const
  const differing = compared.filter(([, was, is]) => was !== is).map(([what, was, is]) => `${what} ${was}, now ${is}`)
  if (differing.length === 0) return []
  return [make(ImportFinding.BOOK_DIFFERS_FROM_SENT, { detail: differing.join("; "), at })]
}

const codesOf = ({ taxCodes }: WrittenDocument.WrittenDocument): string => [...taxCodes].toSorted().join(", ")

/** Returns a stored document, from any import. */
export const ofSubmission = (submission: Submission): ImportedDocument => ({
  ...nothing,
  ...fieldsOf(submission),
  kind: submission.kind,
  id: submission.id,
  number: submission.number,
  source: submission.source,
  findings: [],
  news: "known"
})

const figuresOf = (document: WrittenDocument.WrittenDocument | null) =>
  document === null
    ? {}
    : {
        document,
        currency: document.currency,
        total: document.total,
        buyer: document.buyer
      }

const nothing = {
  news: "new" as const,
  document: null,
  currency: null,
  total: null,
  buyer: null,
  shares: null,
  receiptDate: null,
  day: null,
  requestId: null,
  verificationCode: null,
  proof: null,
  text: null,
  cause: null
} as const

const fieldsOf = ({
  buyer,
  currency,
  hold,
  proof,
  receiptDate,
  replaces,
  requestId,
  state,
  total,
  ...submission
}: Submission) => ({
  state,
  buyer,
  currency,
  total,
  receiptDate,
  requestId,
  verificationCode: proof?.verificationCode ?? null,
  proof,
  text: textOf({ ...submission, hold }),
  cause: hold?.cause ?? null,
  replaces
})

/** Returns the document for a skipped reading. */
export const ofSkipped = ({ at, key, reason }: Skipped): ImportedDocument => ({
  ...nothing,
  kind: null,
  id: null,
  number: key,
  source: at,
  replaces: null,
  findings: [],
  state: "Skipped",
  text: reason
})

/**
 * Returns the document as it would be sent or was sent; null without a complete payload.
 *
 * A date not set yet is `now`; for a refused document, the start of the document's day.
 */
export const stamped = ({ day, document, receiptDate }: ImportedDocument, now: Instant): FiscalDocument | null => {
  if (document === null) return null
  const settled = receiptDate === null || receiptDate === "at-submission" ? undefined : receiptDate
  return stamp(
    WrittenDocument.read(document),
    settled ?? (day === null ? now : CivilDate.at(day, 0, now.zone)),
    "first"
  )
}
