/** The account's reviewable file: the export's spelling → the account's own code → what the gateway must map that code to. */
import type { DateTime } from "effect"
import type { Address } from "../document/BuyerContact.ts"
import type { CivilDate } from "../document/CivilDate.ts"
import type { CurrencyCode, TaxCode } from "../document/Identifiers.ts"
import type { Money } from "../document/Money.ts"
import { known, type PaymentMethod } from "../document/PaymentMethod.ts"

/** What the spellings of an account's exports mean, and the policies it is translated by. */
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
  readonly productCodes: ReadonlyArray<BookProductCode>
  readonly defaults: BookDefaults
  /** The parts a buyer's address lacks of which the source states some; the device takes all four or none (DOC-11). */
  readonly address: Address
  readonly policies: Policies
  readonly relaxed: ReadonlyArray<BookRelaxation>
}

/** The choices `translate` makes where a source document leaves one open; each is named here, none is silent. */
export interface Policies {
  /** Shipping, fees, adjustments: refused, or lines of their own with the tax they state, or with the tax that all lines share. A negative one is spread over the lines as a discount. */
  readonly charges: "refuse" | "as-line" | "as-line-taxed-like-lines"
  /** A line with a negative amount: refused, or spread as a discount over the lines of the same tax. */
  readonly negativeLines: "refuse" | "as-discount"
  /** A line with a description and no amount: refused, left out, or its text joined to the line before it. */
  readonly textLines: "refuse" | "drop" | "append"
  /** A line with an amount and no quantity: refused, or one piece. */
  readonly quantities: "stated" | "one-if-missing"
  /** A unit price that is missing or does not give the line amount: refused, or the line amount, before its discount, by the quantity, to 6 places. */
  readonly unitPrices: "stated" | "from-line-amount"
  /** A credit note over several invoices: refused, or credited to the one with the largest amount. Never split. */
  readonly allocations: "refuse" | "largest"
  /** A description longer than the device takes: refused, or cut to that length. */
  readonly longDescriptions: "refuse" | "cut"
  /** A buyer of whom the source states an address, e-mail or phone, and neither name nor number: refused (RCPT043), or left out as a walk-in. */
  readonly namelessBuyers: "refuse" | "walk-in"
  /** Spaces in a buyer's TIN or VAT number: refused, or taken out. */
  readonly numberSpaces: "refuse" | "remove"
  /** A buyer's TIN of 9 digits or VAT number of 8, as where a spreadsheet dropped a leading zero: refused, or sent with a zero before it. */
  readonly numberZeros: "refuse" | "restore"
  /** An address that lacks a part: left out, or sent with empty text in the place of the part (DOC-11). */
  readonly addresses: "whole" | "as-stated"
  /** Control characters in a text that is sent: refused, or replaced by a space. */
  readonly controlCharacters: "refuse" | "remove"
}

/** What stands when the book names no policy: nothing is decided for the person. */
export const strictPolicies: Policies = {
  charges: "refuse",
  negativeLines: "refuse",
  textLines: "refuse",
  quantities: "stated",
  unitPrices: "stated",
  allocations: "refuse",
  longDescriptions: "refuse",
  namelessBuyers: "refuse",
  numberSpaces: "refuse",
  numberZeros: "refuse",
  addresses: "whole",
  controlCharacters: "refuse"
}

/** One TaxCode means one device tax for ever; a new rate is a new code. Periods are inclusive civil dates. */
export interface BookTax {
  /** The export's spellings; `""` is a line that states no tax, and goes with `accounts` or `products`. */
  readonly from: ReadonlyArray<string>
  /** What a blank is limited to: ledger accounts, and product codes of the export. */
  readonly accounts?: ReadonlyArray<string>
  readonly products?: ReadonlyArray<string>
  /** Lines without a tax code that are neither of such an account nor of such a product. */
  readonly lines?: BlankLines
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

/** Lines without a tax code: those that the export states to be taxable or exempt, or all of them. */
export type BlankLines = "all" | "taxable" | "exempt"

/** What a spelling of a currency means. */
export interface BookCurrency {
  readonly from: ReadonlyArray<string>
  readonly code: CurrencyCode
  /** The DestinationCurrency. */
  readonly device: string
}

/** What a spelling of a payment method means. */
export interface BookPayment {
  readonly from: ReadonlyArray<string>
  readonly method: PaymentMethod
}

/** The HS code (DOC-2) of what the export calls otherwise, or only describes. */
export interface BookProductCode {
  /** The export's product codes. */
  readonly from: ReadonlyArray<string>
  /** Descriptions of lines that state no product code, word for word. */
  readonly descriptions: ReadonlyArray<string>
  readonly productCode: string
}

/** A receipt rule (docs/gateway.md#rules) whose breach no longer refuses a document, and why. */
export interface BookRelaxation {
  readonly rule: string
  readonly because: string
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
export const taxOn = (book: MappingBook, spelling: string, day: CivilDate): BookTax | undefined => {
  if (last?.book === book && last.spelling === spelling && last.day === day) return last.tax
  const tax = taxesOf(book, spelling).find(isOn(day))
  last = { book, spelling, day, tax }
  return tax
}

/** Lines have the tax and the day of the line before. */
let last:
  | {
      readonly book: MappingBook
      readonly spelling: string
      readonly day: CivilDate
      readonly tax: BookTax | undefined
    }
  | undefined

/** Whether an entry applies on a day. */
export const isOn =
  (day: CivilDate) =>
  ({ since, until }: Pick<BookTax, "since" | "until">): boolean =>
    (since === undefined || since <= day) && (until === undefined || day <= until)

/** Every period of a spelling; empty when the book does not know it at all, and for a blank, which means something only on a line. */
export const taxesOf = (book: MappingBook, spelling: string): ReadonlyArray<BookTax> =>
  spelling === "" ? [] : book.taxes.filter(({ code, from }) => code === spelling || from.includes(spelling))

/** What is known of a line without a tax code. `flag`: the export states whether it is taxed. */
export interface BlankLine {
  readonly account?: string | undefined
  readonly productCode?: string | undefined
  readonly flag?: "taxable" | "exempt" | undefined
}

/**
 * What a line without a tax code can mean: every period. An entry for its account or product goes before one for its flag, and that before one for all
 * lines. Never more than the book limits a blank to.
 */
export const blankTaxesOf = (book: Pick<MappingBook, "taxes">, line: BlankLine): ReadonlyArray<BookTax> => {
  const account = line.account?.trim() ?? ""
  const product = line.productCode?.trim() ?? ""
  const blank = book.taxes.filter(({ from }) => from.includes(""))
  if (blank.length === 0) return blank
  const named = blank.filter(
    ({ accounts = [], products = [] }) => accounts.includes(account) || products.includes(product)
  )
  if (named.length > 0) return named
  const flagged = line.flag === undefined ? [] : blank.filter(({ lines }) => lines === line.flag)
  return flagged.length > 0 ? flagged : blank.filter(({ lines }) => lines === "all")
}

/** The book's currency for an export's spelling, or for its code. */
export const currencyOf = (book: MappingBook, spelling: string): BookCurrency | undefined =>
  book.currencies.find(({ code, from }) => code === spelling || from.includes(spelling))

/** A payment method by its spelling in the export; a wire name no entry spells otherwise means itself. */
export const paymentOf = (book: MappingBook, spelling: string): PaymentMethod | undefined =>
  book.payments.find(({ from }) => from.includes(spelling))?.method ?? known.find((method) => method === spelling)

/**
 * The HS code of a line: what an entry says of the product code the source states, else that code itself; where it states none, what an entry
 * says of the description, else the default. Null where nobody says.
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

/** Made once per book: it may have thousands of product codes, and every line asks. */
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

/** An address of which the source states some parts, with the book's for those it lacks; one with no part stated stays empty. */
export const addressOf = ({ address }: Pick<MappingBook, "address">, stated: Address): Address =>
  Object.values(stated).every((part) => part === null)
    ? stated
    : {
        province: stated.province ?? address.province,
        street: stated.street ?? address.street,
        houseNo: stated.houseNo ?? address.houseNo,
        city: stated.city ?? address.city
      }
