/** One document of an import with what became of it: its payload, where it stands, everything found. */
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
import type { HoldCause } from "../submission/PlannedDocument.ts"
import type { Proof, State, Submission } from "../submission/Submission.ts"
import type { Skipped } from "../source/SourceDocument.ts"
import type { TaxShare } from "./TaxShares.ts"

/** One document of an import as a person or a program is told of it. */
export interface ImportedDocument {
  readonly kind: DocumentKind | null
  readonly id: string | null
  readonly number: string
  /** As it would be sent, or was; null where there is no complete one. */
  readonly document: WrittenDocument.WrittenDocument | null
  /** As sent, or as it would be; null where it could not be shaped. */
  readonly currency: CurrencyCode | null
  readonly total: Money | null
  /** The buyer's name; null for a walk-in, and where it is not known any more. */
  readonly buyer: string | null
  /** Its taxes as they were when it was planned; null where they are those of `document`. */
  readonly shares: ReadonlyArray<TaxShare> | null
  readonly receiptDate: Instant | "at-submission" | null
  /** The day a refused document states. */
  readonly day: CivilDate.CivilDate | null
  readonly findings: ReadonlyArray<Finding>
  readonly source: Provenance
  readonly state: State | "Refused" | "Skipped"
  readonly requestId: string | null
  readonly verificationCode: string | null
  /** What proves that it is fiscalised; null where it is not. */
  readonly proof: Proof | null
  /** Why it stands as it does, where that needs a word. */
  readonly said: string | null
  /** Why it is held. */
  readonly cause: HoldCause | null
  /** `known`: the store had it before, and there was nothing to do about it. */
  readonly news: "new" | "known"
}

/**
 * The row of a document; `submissions` are those of the store, after the import, by `kind id`. `sent`: what was sent of documents that are not sent
 * again. Everything shown of these is from what was sent; a book or an export that now says otherwise is a finding beside it.
 */
export const ofEntry = (
  entry: ImportEntry,
  submissions: ReadonlyMap<string, Submission>,
  sent: ReadonlyMap<string, WrittenDocument.WrittenDocument> = new Map()
): ImportedDocument => {
  const { at, id, kind, number } = entry.source
  const common = { kind, id: id || number, number, source: at }
  switch (entry._tag) {
    case "Refused":
      return {
        ...common,
        ...nothing,
        ...figuresOf(entry.completeness === "complete" ? entry.document : null),
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
        said: held,
        cause: heldCause ?? null,
        ...(submission && fieldsOf(submission)),
        ...figuresOf(document),
        findings: entry.findings
      }
    }
  }
}

/** The export states something else than what was sent. */
export const isConflict = ({ code }: Finding): boolean => code === ImportFinding.DIFFERS_FROM_SENT.code

/**
 * Returns what the export, or the book, says otherwise now of a document that is not sent again. What was found while it was translated again is about
 * a document that nobody sends. `sent`: null where it is not known any more.
 */
export const besideSent = (
  entry: Extract<ImportEntry, { readonly _tag: "Known" | "Planned" }>,
  sent: WrittenDocument.WrittenDocument | null
): ReadonlyArray<Finding> =>
  entry._tag === "Planned"
    ? entry.findings.filter(isConflict)
    : sent === null
      ? []
      : bookDiffers(sent, entry.translated, entry.source.at)

/** True if the document is not sent again, so that what was sent of it is shown. */
export const isSentBefore = (entry: ImportEntry): boolean =>
  entry._tag === "Known" || (entry._tag === "Planned" && entry.findings.some(isConflict))

/** A finding where the book would give it another tax code or total today. Its buyer is the source's, and not compared. */
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

/** A document of the store, whatever import it came with. */
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
  said: null,
  cause: null
} as const

const fieldsOf = ({
  buyer,
  currency,
  hold,
  proof,
  receiptDate,
  rejection,
  requestId,
  said,
  state,
  total
}: Submission) => ({
  state,
  buyer,
  currency,
  total,
  receiptDate,
  requestId,
  verificationCode: proof?.verificationCode ?? null,
  proof,
  said: hold?.because ?? rejection?.error ?? said,
  cause: hold?.cause ?? null
})

/** What is told of a document that was skipped. */
export const ofSkipped = ({ at, key, reason }: Skipped): ImportedDocument => ({
  ...nothing,
  kind: null,
  id: null,
  number: key,
  source: at,
  findings: [],
  state: "Skipped",
  said: reason
})

/**
 * The document as it would be sent, or was; null where there is no complete payload. A date that is not settled yet is now's, that of a refused
 * document the beginning of its own day.
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
