/** A source document in the wire's terms, without a receipt date. */
import type { CivilDate } from "../document/CivilDate.ts"
import type { UndatedDocument } from "../document/FiscalDocument.ts"
import type { TaxCode } from "../document/Identifiers.ts"
import type { Instant } from "../document/Instant.ts"
import type { Path } from "../finding/Finding.ts"
import type { BookTax } from "../mapping/MappingBook.ts"

/** Result of translating a source document. */
export interface Translated {
  /**
   * `partial`: a line lacks a figure or a tax, so the totals have no meaning. The document is
   * refused; its other lines are still checked.
   */
  readonly completeness: "complete" | "partial"
  readonly document: UndatedDocument
  /**
   * Date as the source states it; planning sets the receipt date
   * (docs/architecture.md#receipt-dates).
   */
  readonly date: CivilDate | Instant
  /**
   * Day on which taxes were looked up: the document's date, or the original's date for a credit
   * note (DOC-15).
   */
  readonly taxDate: CivilDate
  readonly taxes: ReadonlyMap<TaxCode, BookTax>
  /** Currency code known to the device: the book's DestinationCurrency. */
  readonly deviceCurrency: string
  readonly origins: ReadonlyArray<Path>
}
