/**
 * The account's mapping book: the export's spelling → the account's own code → the device's tax or
 * currency for the code.
 */
import type { DateTime, Schema } from "effect"
import type { Address } from "../document/BuyerContact.ts"
import type { CivilDate } from "../document/CivilDate.ts"
import type { TaxCode } from "../document/Identifiers.ts"
import type { Money } from "../document/Money.ts"
import { known, type PaymentMethod } from "../document/PaymentMethod.ts"
import type * as BookEntry from "./BookEntry.ts"

/** Meaning of the spellings in an account's exports, and the policies for translation. */
export interface MappingBook {
  /** The business zone, in which civil dates are read: an offset or an IANA zone (DOC-9). */
  readonly zone: DateTime.TimeZone
  readonly rounding: "per-line" | "per-group" | "as-inclusive"
  readonly times: "spread" | "stated" | "at-submission"
  /** Seconds after midnight of a day's first receipt under `spread`. */
  readonly opens: number
  readonly late: "hold" | "restamp"
  /** Documents that replace one which may have a receipt. */
  readonly replacements: "hold" | "send"
  readonly taxes: ReadonlyArray<BookTax>
  readonly currencies: ReadonlyArray<BookCurrency>
  readonly payments: ReadonlyArray<BookPayment>
  readonly productCodes: ReadonlyArray<BookProductCode>
  /** Number of a credit note without a stated original → number of the invoice that it credits. */
  readonly originals?: Readonly<Record<string, string>>
  readonly defaults: BookDefaults
  /**
   * Parts that complete a buyer's partly stated address; the device accepts all four parts or none
   * (DOC-11).
   */
  readonly address: Address
  readonly policies: Policies
  readonly relaxed: ReadonlyArray<BookRelaxation>
}

/**
 * Named choices for `translate` if a source document leaves a question open. No choice is made
 * silently.
 */
export interface Policies extends Schema.Schema.Type<typeof BookEntry.Policies> {}

/**
 * Tax entry. One TaxCode means one device tax forever; a new rate needs a new code. Periods are
 * inclusive civil dates.
 */
export interface BookTax {
  /**
   * The export's spellings; `""` is a line without a stated tax, limited by `accounts`, `products`
   * or `lines`.
   */
  readonly from: ReadonlyArray<string>
  /**
   * Only for `""`: the entry applies to lines with one of these ledger accounts or product codes.
   */
  readonly accounts?: ReadonlyArray<string>
  readonly products?: ReadonlyArray<string>
  /** Kind of lines without a tax code that have neither such an account nor such a product. */
  readonly lines?: BlankLines
  readonly since: CivilDate | undefined
  readonly until: CivilDate | undefined
  readonly code: TaxCode
  readonly name: string
  /** DestinationTaxId of the gateway's mapping. */
  readonly device: number
  /** Percent as 15, not 0.15; null is exempt, which differs from 0 (DOC-7). */
  readonly percent: Money | null
}

/**
 * Lines without a tax code: all lines, lines that the export states to be taxable or exempt, or
 * lines whose amount of tax works out at the percent of the entry. `charges`: shipping and fees
 * beside the lines.
 */
export type BlankLines = "all" | "taxable" | "exempt" | "amounts" | "charges"

/** Meaning of a currency spelling. */
export interface BookCurrency extends Schema.Schema.Type<typeof BookEntry.CurrencyEntry> {}

/** Meaning of a payment method spelling. */
export interface BookPayment extends Schema.Schema.Type<typeof BookEntry.PaymentEntry> {}

/** HS code (DOC-2) for the export's product codes or line descriptions. */
export interface BookProductCode extends Schema.Schema.Type<typeof BookEntry.ProductCodeEntry> {}

/**
 * A receipt rule (docs/gateway.md#rules) whose breach no longer refuses a document, and the reason.
 */
export interface BookRelaxation {
  readonly rule: string
  readonly because: string
}

/**
 * Values for fields that the source does not state; null leaves the field empty. Only values
 * written here are filled in.
 */
export interface BookDefaults extends Schema.Schema.Type<typeof BookEntry.Defaults> {}

/** Returns the tax of a spelling on a day. A code is always a spelling of itself. */
export const taxOn = (book: MappingBook, spelling: string, day: CivilDate): BookTax | undefined => {
  if (spelling === "") return undefined
  // a loop, because this runs for every line
  for (const tax of book.taxes) if ((tax.code === spelling || tax.from.includes(spelling)) && isOn(day)(tax)) return tax
  return undefined
}

/** Returns a filter for entries that apply on a day. */
export const isOn =
  (day: CivilDate) =>
  ({ since, until }: Pick<BookTax, "since" | "until">): boolean =>
    (since === undefined || since <= day) && (until === undefined || day <= until)

/**
 * Returns every period of a spelling; empty if the book does not know the spelling, and for a
 * blank, which depends on its line.
 */
export const taxesOf = (book: MappingBook, spelling: string): ReadonlyArray<BookTax> =>
  spelling === "" ? [] : book.taxes.filter(({ code, from }) => code === spelling || from.includes(spelling))

/** Facts about a line without a tax code. `flag`: the export's statement, taxable or exempt. */
export interface BlankLine {
  readonly account?: string | undefined
  readonly productCode?: string | undefined
  readonly description?: string | null | undefined
  readonly flag?: "taxable" | "exempt" | undefined
  /** Tests if the stated amount of tax works out at a percent; undefined if zero or unstated. */
  readonly isAt?: ((percent: Money) => boolean) | undefined
}

/** Returns what `products` of an entry names: the product code, or the description without one. */
export const itemOf = ({ description, productCode }: Pick<BlankLine, "description" | "productCode">): string =>
  productCode?.trim() || description?.trim() || ""

/**
 * Returns every period of the taxes that a line without a tax code can mean: by the entries for its
 * account or product (its description, if it has no product code); otherwise for its amount of tax,
 * for its flag, and for all lines, in this order. Never exceeds the limits of the book's blanks.
 */
export const blankTaxesOf = (book: Pick<MappingBook, "taxes">, line: BlankLine): ReadonlyArray<BookTax> => {
  const account = line.account?.trim() ?? ""
  const product = itemOf(line)
  const blank = book.taxes.filter(({ from }) => from.includes(""))
  if (blank.length === 0) return blank
  const named = blank.filter(
    ({ accounts = [], products = [] }) => accounts.includes(account) || products.includes(product)
  )
  if (named.length > 0) return named
  const { isAt } = line
  const worked = isAt
    ? blank.filter(({ lines, percent }) => lines === "amounts" && percent !== null && isAt(percent))
    : []
  if (worked.length > 0) return worked
  const flagged = line.flag === undefined ? [] : blank.filter(({ lines }) => lines === line.flag)
  return flagged.length > 0 ? flagged : blank.filter(({ lines }) => lines === "all")
}

/** Returns the book's currency for a spelling of the export, or for its code. */
export const currencyOf = (book: MappingBook, spelling: string): BookCurrency | undefined =>
  book.currencies.find(({ code, from }) => code === spelling || from.includes(spelling))

/**
 * Returns the payment method for a spelling of the export. A wire name without an entry means
 * itself.
 */
export const paymentOf = (book: MappingBook, spelling: string): PaymentMethod | undefined =>
  book.payments.find(({ from }) => from.includes(spelling))?.method ?? known.find((method) => method === spelling)

/** Returns the invoice that the book names for a credit note without a stated original. */
export const originalOf = ({ originals = {} }: Pick<MappingBook, "originals">, number: string): string | undefined =>
  Object.hasOwn(originals, number) ? originals[number] : undefined

/**
 * Returns the HS code of a line. A stated product code is translated by its entry, or used
 * unchanged. Without one, the description's entry applies, then the default. Null if none applies.
 */
export const productCodeOf = (
  book: Pick<MappingBook, "productCodes" | "defaults">,
  line: { readonly productCode?: string | undefined; readonly description?: string | null | undefined }
): string | null => {
  const stated = line.productCode?.trim() ?? ""
  const { ofCode, ofDescription } = indexOf(book.productCodes)
  if (stated !== "") return ofCode.get(stated) ?? stated
  return ofDescription.get(line.description?.trim() ?? "") ?? book.defaults.productCode
}

interface ProductCodeIndex {
  readonly ofCode: ReadonlyMap<string, string>
  readonly ofDescription: ReadonlyMap<string, string>
}

const indexes = new WeakMap<MappingBook["productCodes"], ProductCodeIndex>()

const indexOf = (entries: MappingBook["productCodes"]): ProductCodeIndex => {
  const known = indexes.get(entries)
  if (known !== undefined) return known
  const index = {
    ofCode: new Map(entries.flatMap(({ from, productCode }) => from.map((text) => [text, productCode] as const))),
    ofDescription: new Map(
      entries.flatMap(({ descriptions, productCode }) => descriptions.map((text) => [text, productCode] as const))
    )
  }
  indexes.set(entries, index)
  return index
}

/**
 * Completes a partly stated address from the book. An address without any stated part stays empty.
 */
export const addressOf = ({ address }: Pick<MappingBook, "address">, stated: Address): Address =>
  Object.values(stated).every((part) => part === null)
    ? stated
    : {
        province: stated.province ?? address.province,
        street: stated.street ?? address.street,
        houseNo: stated.houseNo ?? address.houseNo,
        city: stated.city ?? address.city
      }
