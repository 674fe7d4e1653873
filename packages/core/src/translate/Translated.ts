/** A source document in the wire's terms, before its receipt date is settled. */
import type { CivilDate } from "../document/CivilDate.ts"
import type { UndatedDocument } from "../document/FiscalDocument.ts"
import type { TaxCode } from "../document/Identifiers.ts"
import type { Instant } from "../document/Instant.ts"
import type { Path } from "../finding/Finding.ts"
import type { BookTax } from "../mapping/MappingBook.ts"

/** What translation made of a source document, with what was found on the way. */
export interface Translated {
  /** `partial`: a line lacks a figure or its tax, so that the totals mean nothing; the document is refused, its other lines are still checked. */
  readonly completeness: "complete" | "partial"
  readonly document: UndatedDocument
  /** As the source states it; its receipt date is settled when it is planned (docs/architecture.md#receipt-dates). */
  readonly date: CivilDate | Instant
  /** The day on which taxes were looked up: the document's, for a credit note its original's (DOC-15). */
  readonly taxDate: CivilDate
  /** The book's entry for every tax code on the lines. */
  readonly taxes: ReadonlyMap<TaxCode, BookTax>
  /** The currency code the device knows: the book's DestinationCurrency. */
  readonly deviceCurrency: string
  /** For each line item, where it comes from in the source document: `["lines", 2]` or `["charges", 0]`. */
  readonly origins: ReadonlyArray<Path>
}
