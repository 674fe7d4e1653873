/** The account's reviewable file: the export's spelling → the account's own code → what the gateway must map that code to. */
import type { DateTime } from "effect"
import type { CivilDate } from "../document/CivilDate.ts"
import type { CurrencyCode, TaxCode } from "../document/Identifiers.ts"
import type { Money } from "../document/Money.ts"
import { known, type PaymentMethod } from "../document/PaymentMethod.ts"

export interface MappingBook {
  /** The business zone: an offset or an IANA zone (DOC-9). Civil dates are read in it. */
  readonly zone: DateTime.TimeZone
  readonly rounding: "per-line" | "per-group" | "as-inclusive"
  readonly times: "spread" | "stated" | "at-submission"
  /** Seconds after midnight at which a day's first receipt is dated under `spread`. */
  readonly opens: number
  readonly late: "hold" | "restamp"
  readonly taxes: ReadonlyArray<BookTax>
  readonly currencies: ReadonlyArray<BookCurrency>
  readonly payments: ReadonlyArray<BookPayment>
  readonly defaults: BookDefaults
}

/** One TaxCode means one device tax for ever; a new rate is a new code. Periods are inclusive civil dates. */
export interface BookTax {
  /** The export's spellings. */
  readonly from: ReadonlyArray<string>
  readonly since: CivilDate | undefined
  readonly until: CivilDate | undefined
  readonly code: TaxCode
  /** The TaxName of the gateway's mapping. */
  readonly name: string
  /** The DestinationTaxId. */
  readonly device: number
  /** Percent as 15, not 0.15; null is exempt, which is not 0 (DOC-7). */
  readonly percent: Money | null
}

export interface BookCurrency {
  readonly from: ReadonlyArray<string>
  readonly code: CurrencyCode
  /** The DestinationCurrency. */
  readonly device: string
}

export interface BookPayment {
  readonly from: ReadonlyArray<string>
  readonly method: PaymentMethod
}

/** What to put where the source states nothing; null leaves it so. Nothing is invented that is not written here. */
export interface BookDefaults {
  readonly payment: PaymentMethod | null
  /** HS code (DOC-2). */
  readonly productCode: string | null
  readonly creditReason: string | null
  /** Name pattern for a buyer without Tin, as `Cash sale {name}`; null leaves it to RCPT043 to refuse. */
  readonly cashBuyer: string | null
}

/** The tax a spelling means on a day; the code itself is always a spelling of it. */
export const taxOn = (book: MappingBook, spelling: string, day: CivilDate): BookTax | undefined =>
  taxesOf(book, spelling).find(
    ({ since, until }) => (since === undefined || since <= day) && (until === undefined || day <= until)
  )

/** Every period of a spelling; empty when the book does not know it at all. */
export const taxesOf = (book: MappingBook, spelling: string): ReadonlyArray<BookTax> =>
  book.taxes.filter(({ code, from }) => code === spelling || from.includes(spelling))

export const currencyOf = (book: MappingBook, spelling: string): BookCurrency | undefined =>
  book.currencies.find(({ code, from }) => code === spelling || from.includes(spelling))

/** A payment method by its spelling in the export; the wire's own names are always spellings of themselves. */
export const paymentOf = (book: MappingBook, spelling: string): PaymentMethod | undefined =>
  book.payments.find(({ from }) => from.includes(spelling))?.method ?? known.find((method) => method === spelling)
