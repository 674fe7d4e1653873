/** One document of an import batch: translated, held against every rule that needs no other document, and written as a row. */
import type { CivilDate } from "../document/CivilDate.ts"
import * as Instant from "../document/Instant.ts"
import * as Money from "../document/Money.ts"
import * as WrittenDocument from "../document/WrittenDocument.ts"
import * as Finding from "../finding/Finding.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import { check } from "../preflight/check.ts"
import * as FromBook from "../preflight/FromBook.ts"
import type { DeviceFacts } from "../preflight/DeviceFacts.ts"
import * as ValidUntil from "../preflight/ValidUntil.ts"
import type { Tolerances } from "../preflight/Rule.ts"
import { fingerprint } from "../source/Fingerprint.ts"
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
  /** Credit note number or id → invoice number or id, settled by hand (`--original CN=INV`). */
  readonly originals: ReadonlyMap<string, string>
  /** What the device is known to take. Without it the rules that need to know are left to the gateway, and a credit note needs its original. */
  readonly device?: DeviceFacts
  readonly tolerances?: Tolerances
}

/** What has been found about a document. An error among the findings refuses it. */
export interface Examined {
  readonly source: SourceDocument
  readonly translated: Translated | undefined
  readonly findings: ReadonlyArray<Finding.Finding>
}

/** Translates one document and holds it against every rule that needs no other document. */
export const examine = (source: SourceDocument, options: BatchOptions, original?: ResolvedOriginal): Examined => {
  const { findings, translated } = translate(source, options.book, original)
  if (translated === undefined) return { source, translated, findings }
  return {
    source,
    translated,
    findings: [...findings, ...beside(findings, check(source, translated, options)), ...filledIn(source, translated)]
  }
}

/** Translation says of a stated figure what the check of the body says of it again. */
export const beside = (
  translating: ReadonlyArray<Finding.Finding>,
  checking: ReadonlyArray<Finding.Finding>
): ReadonlyArray<Finding.Finding> =>
  translating.some(({ code }) => code === precision) ? checking.filter(({ code }) => code !== precision) : checking

const precision = TranslateFinding.PRECISION_EXCEEDED.code

/** What the book says and the source does not: shown in a plan, never silent. */
const filledIn = (source: SourceDocument, translated: Translated): ReadonlyArray<Finding.Finding> =>
  FromBook.of(source, translated).map(({ count, value, what }) =>
    Finding.make(ImportFinding.FILLED_FROM_BOOK, {
      message: `the ${what} comes from the mapping book`,
      detail: count === 1 ? value : `${value} on ${count} lines`
    })
  )

/** Whether nothing of the document may be sent. */
export const isRefused = ({ findings, translated }: Examined): boolean =>
  translated === undefined || findings.some(Finding.refuses)

/** The row of what has been translated; none where nothing could be shaped. */
export const translationRow = (
  seq: number,
  { translated }: Examined,
  { device }: Pick<BatchOptions, "device">
): ReadonlyArray<TranslationRow> => {
  if (translated === undefined) return []
  const { buyer, currency, originalInvoiceId, taxCodes, text, total } = WrittenDocument.of(translated.document)
  return [
    {
      seq,
      completeness: translated.completeness,
      good_until: ValidUntil.of(translated, device),
      original_id: originalInvoiceId,
      buyer,
      currency,
      total: Money.formatAmount(total),
      tax_codes: JSON.stringify(taxCodes),
      text
    }
  ]
}

/** The day of a document in the book's zone, where it states one. */
const dayOf = ({ date }: SourceDocument, book: MappingBook): CivilDate | null =>
  date === undefined ? null : civilDateOf(date, book.zone)

/** A document as it is read. An invoice has been examined; what a credit note states is kept until its original is known. */
export interface Staged {
  readonly document: DocumentRow
  readonly examined: Examined | null
  readonly stated: string | null
}

export const staged = (seq: number, source: SourceDocument, options: BatchOptions): Staged => {
  const { date, id, kind, number, order } = source
  const isNote = kind === "credit-note"
  return {
    document: {
      seq,
      place: order,
      kind,
      id,
      number,
      key: `${kind} ${id || number}`,
      fingerprint: fingerprint(source),
      modified: source.modified ?? null,
      day: dayOf(source, options.book),
      buyer_id: source.buyer?.id ?? null,
      date: date === undefined ? null : typeof date === "string" ? date : Instant.format(date),
      source: JSON.stringify(placeOf(source))
    },
    examined: isNote ? null : examine(source, options),
    stated: isNote ? Lossless.encode(statement(source)) : null
  }
}

// its `where` is code of an adapter that no type checker may have seen
const placeOf = (source: SourceDocument) => {
  const at = source.where([])
  if (!isPlace(at)) throw new TypeError("where gave no place")
  return at
}

type Statement = Omit<SourceDocument, "where">

/** All there is of it; what else an adapter keeps in its documents is the adapter's. */
const statements: Record<keyof Statement, true> = {
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
  reason: true,
  reference: true,
  paymentMethod: true,
  modified: true,
  words: true,
  amounts: true,
  findings: true
}

const statement = (source: SourceDocument): Partial<Statement> =>
  Object.fromEntries(Object.entries(source).filter(([field]) => field in statements))

/** Where a finding about a staged document stands is looked up in the export later, if there is any. */
const nowhere = { file: "" }

/** A credit note as its row has it. */
export const statedBy = (stated: string): SourceDocument => ({
  ...Lossless.decode<Statement>(stated),
  where: () => nowhere
})

/** The findings, those without the places nobody has looked up yet. */
export const unplaced = (findings: ReadonlyArray<Finding.Finding>): ReadonlyArray<Finding.Finding> =>
  findings.map((finding) => (finding.at === nowhere ? { ...finding, at: undefined } : finding))
