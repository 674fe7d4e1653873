/** The only place that rounds tax (DOC-7): half-up to cents, per line or per tax group as a named policy says. */
import { BigDecimal } from "effect"
import * as Money from "../document/Money.ts"
import type { BookTax } from "../mapping/MappingBook.ts"

/** Whether amounts include their tax. */
export type Basis = "inclusive" | "exclusive"

export interface TaxedAmount {
  readonly lineAmount: Money.Money
  readonly tax: BookTax
}

const hundred = BigDecimal.make(100n, 0)

/** Tax on an amount: inclusive L·p/(100+p), exclusive L·p/100, half-up to cents; exempt and 0 % have none. */
export const taxOn = (amount: Money.Money, percent: Money.Money | null, basis: Basis): Money.Money =>
  percent === null
    ? Money.zero
    : Money.quotient(
        BigDecimal.multiply(amount, percent),
        basis === "inclusive" ? BigDecimal.sum(hundred, percent) : hundred,
        2
      )

/** One tax group as the device forms it: everything of one tax code. */
export interface TaxGroup {
  readonly tax: BookTax
  readonly amount: Money.Money
  readonly taxAmount: Money.Money
}

/** What the device computes: lines summed per tax code, tax on the sum. */
export const groups = (lines: Iterable<TaxedAmount>, basis: Basis): ReadonlyArray<TaxGroup> => {
  const sums = new Map<BookTax, Money.Money>()
  for (const { lineAmount, tax } of lines) sums.set(tax, BigDecimal.sum(sums.get(tax) ?? Money.zero, lineAmount))
  return Array.from(sums, ([tax, amount]) => ({ tax, amount, taxAmount: taxOn(amount, tax.percent, basis) }))
}

/** The device's tax of the whole document. */
export const perGroup = (lines: Iterable<TaxedAmount>, basis: Basis): Money.Money =>
  BigDecimal.sumAll(groups(lines, basis).map(({ taxAmount }) => taxAmount))

/** What sources compute that round each line. */
export const perLine = (lines: Iterable<TaxedAmount>, basis: Basis): Money.Money =>
  BigDecimal.sumAll(Array.from(lines, ({ lineAmount, tax }) => taxOn(lineAmount, tax.percent, basis)))
