/** Schemas of the entries in a mapping book's lists, as written in the file. */
import { BigDecimal, Option, Schema } from "effect"
import { CivilDate } from "../document/CivilDate.ts"
import { CurrencyCode, TaxCode } from "../document/Identifiers.ts"
import * as Money from "../document/Money.ts"
import { PaymentMethod } from "../document/PaymentMethod.ts"

const Percent = Schema.Union([Schema.String, Schema.Finite]).check(
  Schema.makeFilter((percent) => {
    const number = Money.parse(String(percent))
    return (
      (Option.isSome(number) && BigDecimal.sign(number.value) >= 0) || 'expected a percent as "15", or null for exempt'
    )
  })
)

const Spellings = Schema.Array(Schema.NonEmptyString.check(Schema.isTrimmed()))
const from = Schema.optionalKey(
  Spellings.annotate({ description: "the export's spellings; the code itself always is one" })
)

export const TaxEntry = Schema.Struct({
  from: Schema.optionalKey(
    Schema.Array(Schema.String.check(Schema.isTrimmed())).annotate({
      description:
        'the export\'s spellings; the code itself always is one. [""] is a line without a tax code, and needs accounts, products or lines'
    })
  ),
  accounts: Schema.optionalKey(
    Spellings.annotate({
      description: 'of "from": [""]: lines booked to these ledger accounts, as the export has them'
    })
  ),
  products: Schema.optionalKey(
    Spellings.annotate({ description: 'of "from": [""]: lines of these product codes, as the export has them' })
  ),
  lines: Schema.optionalKey(
    Schema.Literals(["all", "taxable", "exempt"]).annotate({
      description:
        'of "from": [""]: lines without a tax code that no account or product settles: all, or those that the export states to be taxable or exempt'
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
  from,
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
  from: Schema.optionalKey(Spellings.annotate({ description: "product codes as the export has them" })),
  descriptions: Schema.optionalKey(
    Spellings.annotate({ description: "descriptions of lines without a product code, word for word" })
  ),
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
