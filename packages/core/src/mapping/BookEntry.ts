/** The entries of a mapping book's lists as the file writes them. */
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

export const TaxEntry = Schema.Struct({
  from: Schema.optionalKey(Spellings),
  since: Schema.optionalKey(CivilDate),
  until: Schema.optionalKey(CivilDate),
  code: TaxCode,
  name: Schema.optionalKey(Schema.NonEmptyString),
  device: Schema.Int,
  percent: Schema.NullOr(Percent)
})
export type TaxEntry = typeof TaxEntry.Type

export const CurrencyEntry = Schema.Struct({
  from: Schema.optionalKey(Spellings),
  code: CurrencyCode,
  device: Schema.NonEmptyString
})
export type CurrencyEntry = typeof CurrencyEntry.Type

export const PaymentEntry = Schema.Struct({ from: Spellings, method: PaymentMethod })
export type PaymentEntry = typeof PaymentEntry.Type
