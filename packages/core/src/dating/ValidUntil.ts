/**
 * The device checks the receipt date, which `restamp` and `at-submission` set long after the
 * document's own date. By then a tax may have ended on the device (RCPT025), or a credit note's
 * original may be too old (RCPT033). Pure.
 */
import * as CivilDate from "../document/CivilDate.ts"
import { originalOf } from "../document/FiscalDocument.ts"
import type { WrittenDocument } from "../document/WrittenDocument.ts"
import { type BookTax, type MappingBook, taxOn } from "../mapping/MappingBook.ts"
import type { Translated } from "../translate/Translated.ts"

/**
 * True if the document's taxes must be valid on its own receipt date. A credit note with an
 * original uses the original's taxes, on any day (DOC-15).
 */
export const hasOwnTaxes = ({
  kind,
  originalInvoiceId
}: Pick<WrittenDocument, "kind" | "originalInvoiceId">): boolean => kind === "invoice" || originalInvoiceId === null

/**
 * Returns the last receipt date allowed by the device's taxes or by the original's age; null if no
 * end is known. `lastDay`: the last day on which the device applies a tax.
 */
export const of = (
  { document, taxDate, taxes }: Translated,
  lastDay: (tax: BookTax, day: CivilDate.CivilDate) => CivilDate.CivilDate | null
): CivilDate.CivilDate | null =>
  hasOwnTaxes({ kind: document.kind, originalInvoiceId: originalOf(document) })
    ? earliest(Array.from(taxes.values(), (tax) => lastDay(tax, taxDate)))
    : CivilDate.yearAfter(taxDate)

export interface LimitedDate extends Pick<WrittenDocument, "kind" | "originalInvoiceId" | "taxCodes"> {
  readonly lastDay: CivilDate.CivilDate | null
}

/**
 * True if the document may have a receipt date of the day. The device checks the receipt
 * date: an old rate would be red (RCPT025), and so would an original that is too old (RCPT033).
 */
export const permits = (document: LimitedDate, day: CivilDate.CivilDate, book: MappingBook): boolean =>
  (document.lastDay === null || day <= document.lastDay) &&
  (!hasOwnTaxes(document) || document.taxCodes.every((code) => taxOn(book, code, day)?.code === code))

/**
 * Returns the last permitted receipt date from `day` on: the earliest limit of the device, the
 * original's age and the book's periods. Null if unlimited.
 */
export const within = (
  document: LimitedDate,
  day: CivilDate.CivilDate,
  book: MappingBook
): CivilDate.CivilDate | null =>
  hasOwnTaxes(document)
    ? earliest([document.lastDay, ...document.taxCodes.map((code) => taxOn(book, code, day)?.until ?? null)])
    : document.lastDay

const earliest = (days: ReadonlyArray<CivilDate.CivilDate | null>): CivilDate.CivilDate | null => {
  let first: CivilDate.CivilDate | null = null
  for (const day of days) if (first === null || (day !== null && day < first)) first = day
  return first
}
