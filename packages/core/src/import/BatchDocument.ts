/** Translates and checks one document without other documents, and writes its row. */
import type { CivilDate } from "../document/CivilDate.ts"
import * as Money from "../document/Money.ts"
import * as NumberFold from "../document/NumberFold.ts"
import * as WrittenDocument from "../document/WrittenDocument.ts"
import * as Finding from "../finding/Finding.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import { check } from "../preflight/check.ts"
import * as FromBook from "../preflight/FromBook.ts"
import type { DeviceFacts } from "../preflight/DeviceFacts.ts"
import { lastDayOn } from "../preflight/deviceRules.ts"
import * as StatedDate from "../dating/StatedDate.ts"
import * as ValidUntil from "../dating/ValidUntil.ts"
import type { Tolerances } from "../preflight/documentRules.ts"
import { fingerprint, roundedFingerprints } from "../source/Fingerprint.ts"
import { isPlace } from "../source/ReadingCheck.ts"
import type { SourceDocument } from "../source/SourceDocument.ts"
import { civilDateOf, type ResolvedOriginal, translate } from "../translate/translate.ts"
import { TranslateFinding } from "../translate/TranslateFinding.ts"
import type { Translated } from "../translate/Translated.ts"
import { ImportFinding } from "./ImportFinding.ts"
import * as Lossless from "./Lossless.ts"
import type { DocumentRow, TranslationRow } from "./StagingArea.ts"

export interface BatchOptions {
  readonly account: string
  readonly book: MappingBook
  readonly originals: ReadonlyMap<string, string>
  /**
   * Known device facts. Without them, rules that need device facts are left to the gateway, and a
   * credit note needs its original.
   */
  readonly device?: DeviceFacts
  readonly tolerances?: Tolerances
  /** Rule for the numbers of prepared credit notes. Default: `{original}-C{n}`. */
  readonly creditNumbers?: string
}

export interface ExaminedDocument {
  readonly source: SourceDocument
  readonly translated: Translated | undefined
  readonly findings: ReadonlyArray<Finding.Finding>
}

export const examine = (
  source: SourceDocument,
  options: BatchOptions,
  original?: ResolvedOriginal
): ExaminedDocument => {
  const { findings, translated } = translate(source, options.book, original)
  if (translated === undefined) return { source, translated, findings }
  return {
    source,
    translated,
    findings: [...findings, ...beside(findings, check(source, translated, options)), ...filledIn(source, translated)]
  }
}

/**
 * Returns the check's findings without precision errors if translation already reported precision
 * errors for the same figures.
 */
export const beside = (
  translating: ReadonlyArray<Finding.Finding>,
  checking: ReadonlyArray<Finding.Finding>
): ReadonlyArray<Finding.Finding> =>
  translating.some(({ code }) => code === precision) ? checking.filter(({ code }) => code !== precision) : checking

const precision = TranslateFinding.PRECISION_EXCEEDED.code

/** A plan shows them. */
const filledIn = (source: SourceDocument, translated: Translated): ReadonlyArray<Finding.Finding> =>
  FromBook.of(source, translated).map(({ count, value, what }) =>
    Finding.make(ImportFinding.FILLED_FROM_BOOK, {
      message: `the ${what} comes from the mapping book`,
      detail: count === 1 ? value : `${value} on ${count} lines`
    })
  )

/** True if the document must not be sent. */
export const isRefused = ({ findings, translated }: ExaminedDocument): boolean =>
  translated === undefined || findings.some(Finding.refuses)

export const translationRow = (
  seq: number,
  { translated }: ExaminedDocument,
  { device }: Pick<BatchOptions, "device">
): ReadonlyArray<TranslationRow> => {
  if (translated === undefined) return []
  const { buyer, currency, originalInvoiceId, taxCodes, text, total } = WrittenDocument.of(translated.document)
  return [
    {
      seq,
      completeness: translated.completeness,
      good_until: ValidUntil.of(translated, lastDayOn(device)),
      original_id: originalInvoiceId,
      buyer,
      currency,
      total: Money.formatAmount(total),
      tax_codes: JSON.stringify(taxCodes),
      text
    }
  ]
}

const dayOf = ({ date }: SourceDocument, book: MappingBook): CivilDate | null =>
  date === undefined ? null : civilDateOf(date, book.zone)

/**
 * A document as staged. An invoice is examined; the statement of a credit note is kept until its
 * original is known.
 */
export interface StagedDocument {
  readonly document: DocumentRow
  readonly examined: ExaminedDocument | null
  readonly stated: string | null
}

export const stagedOf = (seq: number, source: SourceDocument, options: BatchOptions): StagedDocument => {
  const { date, id, kind, number, order, replaces } = source
  const isNote = kind === "credit-note"
  // a document without a usable identifier is refused, and never a repeat of another document
  const isNamed =
    (id || number) !== "" && !source.findings?.some(({ path, severity }) => path[0] === "id" && severity === "error")
  return {
    document: {
      seq,
      place: order,
      kind,
      id,
      number,
      folded: NumberFold.of(number),
      replaces: replaces === undefined ? null : JSON.stringify(replaces),
      key: isNamed ? `${kind} ${id || number}` : `${kind}\n${seq}`,
      fingerprint: fingerprint(source),
      rounded: roundedFingerprints(source).join(" "),
      modified: source.modified ?? null,
      day: dayOf(source, options.book),
      buyer_id: source.buyer?.id ?? null,
      date: date === undefined ? null : StatedDate.format(date),
      source: JSON.stringify(placeOf(source))
    },
    examined: isNote ? null : examine(source, options),
    stated: isNote ? Lossless.encode(statement(source)) : null
  }
}

// `where` is adapter code that may not have been type-checked
const placeOf = (source: SourceDocument) => {
  const at = source.where([])
  if (!isPlace(at)) throw new TypeError("where gave no place")
  return at
}

type DocumentStatement = Omit<SourceDocument, "where">

/** Fields that an adapter adds to its documents are not staged. */
const statements: Record<keyof DocumentStatement, true> = {
  _tag: true,
  kind: true,
  id: true,
  number: true,
  order: true,
  date: true,
  due: true,
  currency: true,
  taxMode: true,
  buyer: true,
  lines: true,
  charges: true,
  totals: true,
  originals: true,
  replaces: true,
  reason: true,
  reference: true,
  paymentMethod: true,
  modified: true,
  words: true,
  amounts: true,
  findings: true
}

const statement = (source: SourceDocument): Partial<DocumentStatement> =>
  Object.fromEntries(Object.entries(source).filter(([field]) => field in statements))

/** The place of a staged document's finding is looked up in the export later, if needed. */
const nowhere = { file: "" }

export const statedBy = (stated: string): SourceDocument => ({
  ...Lossless.decode<DocumentStatement>(stated),
  where: () => nowhere
})

export const unplaced = (findings: ReadonlyArray<Finding.Finding>): ReadonlyArray<Finding.Finding> =>
  findings.map((finding) => (finding.at === nowhere ? { ...finding, at: undefined } : finding))
