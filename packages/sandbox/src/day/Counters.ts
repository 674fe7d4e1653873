/** Counters (DOC-14) from the device's own amounts: always consistent, whatever was submitted. */
import * as BigDecimal from "effect/BigDecimal"
import * as Schema from "effect/Schema"
import type { IssuedReceipt } from "./IssuedReceipt.ts"

/**
 * One counter. `taxId` and `taxPercent` (a percentage; null for exempt) are null for a Balance,
 * `paymentMethod` is null for all other types. `amount` is in `currency` with two places; amounts
 * of credit notes are negative.
 */
export const Counter = Schema.Struct({
  counterType: Schema.Literals(["Sale", "SaleTax", "CreditNote", "CreditNoteTax", "Balance"]),
  currency: Schema.String,
  taxPercent: Schema.NullOr(Schema.BigDecimal),
  taxId: Schema.NullOr(Schema.Int),
  paymentMethod: Schema.NullOr(Schema.String),
  amount: Schema.BigDecimal
})
export type Counter = typeof Counter.Type

const order: ReadonlyArray<Counter["counterType"]> = ["Sale", "SaleTax", "CreditNote", "CreditNoteTax", "Balance"]

const compare = (left: Counter, right: Counter): number =>
  (left.currency < right.currency ? -1 : left.currency > right.currency ? 1 : 0) ||
  order.indexOf(left.counterType) - order.indexOf(right.counterType) ||
  (left.taxId ?? 0) - (right.taxId ?? 0) ||
  ((left.paymentMethod ?? "") < (right.paymentMethod ?? "") ? -1 : 1)

const contributions = (receipt: IssuedReceipt): ReadonlyArray<Counter> => {
  const isCredit = receipt.kind === "credit-note"
  const signed = (amount: BigDecimal.BigDecimal) => (isCredit ? BigDecimal.negate(amount) : amount)
  const { currency } = receipt
  return receipt.groups.flatMap(({ gross, tax, taxId, taxPercent }): ReadonlyArray<Counter> => {
    const byTax = { currency, taxPercent, taxId, paymentMethod: null }
    return [
      { ...byTax, counterType: isCredit ? "CreditNote" : "Sale", amount: signed(gross) },
      { ...byTax, counterType: isCredit ? "CreditNoteTax" : "SaleTax", amount: signed(tax) },
      {
        counterType: "Balance",
        currency,
        taxPercent: null,
        taxId: null,
        paymentMethod: receipt.paymentMethod,
        amount: signed(gross)
      }
    ]
  })
}

const keyOf = ({ counterType, currency, paymentMethod, taxId, taxPercent }: Counter): string =>
  JSON.stringify([counterType, currency, taxId, taxPercent && BigDecimal.format(taxPercent), paymentMethod])

/**
 * Returns the counters of receipts, by currency, type and tax. Per currency, the balances equal
 * sales plus credit notes. A rate that changed during the day has one counter per percentage.
 */
export const of = (receipts: ReadonlyArray<IssuedReceipt>): ReadonlyArray<Counter> => {
  const counters = new Map<string, Counter>()
  for (const counter of receipts.flatMap(contributions)) {
    const key = keyOf(counter)
    const known = counters.get(key)
    counters.set(
      key,
      known === undefined ? counter : { ...counter, amount: BigDecimal.sum(known.amount, counter.amount) }
    )
  }
  return [...counters.values()].toSorted(compare)
}
