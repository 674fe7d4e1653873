/** Schemas of the parts of a mapping book, as written in the file, with their defaults. */
import { BigDecimal, Option, Schema } from "effect"
import { CivilDate } from "../document/CivilDate.ts"
import { CurrencyCode, TaxCode } from "../document/Identifiers.ts"
import * as Money from "../document/Money.ts"
import { PaymentMethod } from "../document/PaymentMethod.ts"
import { withDefault } from "../document/WithDefault.ts"

const orNull = <S extends Schema.Constraint>(schema: S) => withDefault(Schema.NullOr(schema), null)

export const listOf = <S extends Schema.Constraint>(entry: S, description?: string) =>
  withDefault(Schema.Array(entry).annotate(description === undefined ? {} : { description }), [])

export const choice = <const Values extends readonly [string, ...ReadonlyArray<string>]>(
  values: Values,
  description: string
) => withDefault(Schema.Literals(values).annotate({ description: `${description}; default ${values[0]}` }), values[0])

const Percent = Schema.Union([Schema.String, Schema.Finite]).check(
  Schema.makeFilter((percent) => {
    const number = Money.parse(String(percent))
    return (
      (Option.isSome(number) && BigDecimal.sign(number.value) >= 0) || 'expected a percent as "15", or null for exempt'
    )
  })
)

const Spelling = Schema.NonEmptyString.check(Schema.isTrimmed())
const Spellings = Schema.Array(Spelling)

export const TaxEntry = Schema.Struct({
  from: listOf(
    Schema.String.check(Schema.isTrimmed()),
    'the export\'s spellings; the code itself always is one. [""] is a line without a tax code, and needs accounts, products or lines'
  ),
  accounts: Schema.optionalKey(
    Spellings.annotate({
      description: 'of "from": [""]: lines booked to these ledger accounts, as the export has them'
    })
  ),
  products: Schema.optionalKey(
    Spellings.annotate({
      description:
        'of "from": [""]: lines of these product codes, or descriptions without a code, as the export has them'
    })
  ),
  lines: Schema.optionalKey(
    Schema.Literals(["all", "taxable", "exempt", "amounts", "charges"]).annotate({
      description:
        'of "from": [""]: lines without a tax code that no account or product settles: all, those that the export states to be taxable or exempt, or those whose amount of tax works out at this percent; or charges'
    })
  ),
  since: Schema.optionalKey(CivilDate.annotate({ description: "first day, included, as 2026-01-01" })),
  until: Schema.optionalKey(CivilDate.annotate({ description: "last day, included, as 2025-12-31" })),
  code: TaxCode.annotate({ description: "TaxCode: the account's own code; one code is one device tax for ever" }),
  name: Schema.optionalKey(Schema.NonEmptyString.annotate({ description: "TaxName; the code where it is left out" })),
  device: Schema.Int.annotate({ description: "DestinationTaxId: the device's tax" }),
  percent: Schema.NullOr(Percent).annotate({ description: 'percent as "15"; null is exempt, which is not 0' })
})
export type TaxEntry = typeof TaxEntry.Type

export const CurrencyEntry = Schema.Struct({
  from: listOf(Spelling, "the export's spellings; the code itself always is one"),
  code: CurrencyCode.annotate({ description: "CurrencyCode: the account's own code" }),
  device: Schema.NonEmptyString.annotate({ description: "DestinationCurrency: the device's currency" })
})
export type CurrencyEntry = typeof CurrencyEntry.Type

export const PaymentEntry = Schema.Struct({ from: Spellings, method: PaymentMethod })
export type PaymentEntry = typeof PaymentEntry.Type

const ProductCode = Schema.String.check(
  Schema.isPattern(/^(\d{4}|\d{8})$/u, { message: "expected an HS code of 8 digits, or of 4" })
)

export const ProductCodeEntry = Schema.Struct({
  from: listOf(Spelling, "product codes as the export has them"),
  descriptions: listOf(Spelling, "descriptions of lines without a product code, word for word"),
  productCode: ProductCode.annotate({ description: "ProductCode: the HS code" })
})
export type ProductCodeEntry = typeof ProductCodeEntry.Type

/** Receipt rules that an account may relax; rules about the mapping itself are not included. */
export const relaxable = [
  "RCPT015",
  "RCPT021",
  "RCPT024",
  "RCPT025",
  "RCPT026",
  "RCPT032",
  "RCPT033",
  "RCPT034",
  "RCPT035",
  "RCPT036",
  "RCPT042",
  "RCPT043",
  "RCPT047",
  "RCPT048"
] as const

export const RelaxationEntry = Schema.Struct({
  rule: Schema.Literals(relaxable).annotate({ description: "the rule whose breach no longer refuses a document" }),
  because: Schema.String.check(
    Schema.isPattern(/^\s*\S[\s\S]{9,}$/u, { message: "expected the reason in a few words" })
  ).annotate({ description: "why, and who decided it; shown with every document it lets through" })
})
export type RelaxationEntry = typeof RelaxationEntry.Type

const CashBuyer = Schema.String.check(
  Schema.isPattern(/^Cash/u, { message: 'expected a name pattern that begins with "Cash", as "Cash sale {name}"' })
)

export const Defaults = Schema.Struct({
  payment: orNull(PaymentMethod.annotate({ description: "PaymentMethod of documents that state none" })),
  /** HS code (DOC-2). */
  productCode: orNull(Schema.NonEmptyString.annotate({ description: "HS code of lines that state none" })),
  creditReason: orNull(
    Schema.NonEmptyString.annotate({ description: "Reference of credit notes that state no reason" })
  ),
  /**
   * Name pattern for a buyer without TIN, as `Cash sale {name}`; null lets RCPT043 refuse the
   * document.
   */
  cashBuyer: orNull(CashBuyer.annotate({ description: "name of a buyer without TIN, as Cash sale {name}" }))
})

export const AddressDefaults = Schema.Struct({
  province: orNull(Schema.NonEmptyString),
  street: orNull(Schema.NonEmptyString),
  houseNo: orNull(Schema.NonEmptyString),
  city: orNull(Schema.NonEmptyString)
}).annotate({ description: "the parts that a buyer's address lacks of which the export states some" })

export const Policies = Schema.Struct({
  /**
   * Shipping, fees, adjustments: refused, or separate lines with their stated tax, or with the tax
   * shared by all lines. A negative charge is spread over the lines as a discount.
   */
  charges: choice(["refuse", "as-line", "as-line-taxed-like-lines"], "shipping, fees and adjustments beside the lines"),
  negativeLines: choice(["refuse", "as-discount"], "a line with a negative amount"),
  textLines: choice(["refuse", "drop", "append"], "a line with a description and no amount"),
  /** A line with an amount and no quantity: refused, or quantity 1. */
  quantities: choice(["stated", "one-if-missing"], "a line with an amount and no quantity"),
  /**
   * A unit price that is missing or does not give the line amount: refused, or computed to 6 places
   * as the line amount before discount divided by the quantity.
   */
  unitPrices: choice(["stated", "from-line-amount"], "a unit price that is missing or does not give the line amount"),
  /**
   * A credit note for several invoices: refused, or credited to the invoice with the largest
   * amount. Never split.
   */
  allocations: choice(["refuse", "largest"], "a credit note over several invoices"),
  longDescriptions: choice(["refuse", "cut"], "a description longer than the device takes"),
  /**
   * A buyer with an address, e-mail or phone, but without name and number: refused (RCPT043), or
   * left out as a walk-in.
   */
  namelessBuyers: choice(["refuse", "walk-in"], "a buyer with contact details and neither name nor number"),
  numberSpaces: choice(["refuse", "remove"], "spaces in a buyer's TIN or VAT number"),
  /**
   * A TIN of 9 digits or a VAT number of 8, as if a spreadsheet dropped a leading zero: refused, or
   * sent with a leading zero.
   */
  numberZeros: choice(["refuse", "restore"], "a buyer's TIN or VAT number that lacks one digit: a leading zero"),
  /**
   * An address without all parts: left out, or sent with empty text for the missing parts (DOC-11).
   */
  addresses: choice(["whole", "as-stated"], "an address that lacks a part: left out, or sent with empty parts"),
  controlCharacters: choice(["refuse", "remove"], "control characters in a text that is sent")
})
