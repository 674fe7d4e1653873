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

/**
 * Half a unit of the last place that a figure is stated to. Zeros at the end are none, since formats pad figures with them, and amounts are
 * stated to cents at the coarsest.
 */
export const halfUnit = (stated: Money.Money): Money.Money =>
  BigDecimal.make(5n, Math.max(BigDecimal.normalize(stated).scale, 2) + 1)

const halfCent = BigDecimal.make(5n, 3)

/** A fraction of an amount: `of` in `in`. */
export interface Part {
  readonly of: Money.Money
  readonly in: Money.Money
}

const wholly: Part = { of: hundred, in: hundred }

/** What a line's tax, its amount without tax and its amount with tax are of the amount that stands on it. */
export const partOf = (figure: "tax" | "net" | "total", percent: Money.Money | null, basis: Basis): Part => {
  const rate = percent ?? Money.zero
  const gross = BigDecimal.sum(hundred, rate)
  if (figure === "tax") return { of: rate, in: basis === "inclusive" ? gross : hundred }
  if ((figure === "net") === (basis === "exclusive")) return wholly
  return figure === "net" ? { of: hundred, in: gross } : { of: gross, in: hundred }
}

/** Whether a stated figure is this part of an amount, to half a unit of its last place; the amount is itself rounded to cents. */
export const isPart = (stated: Money.Money, amount: Money.Money, part: Part): boolean => {
  const off = BigDecimal.subtract(BigDecimal.multiply(stated, part.in), BigDecimal.multiply(amount, part.of))
  const own = BigDecimal.multiply(halfUnit(stated), part.in)
  return BigDecimal.isLessThanOrEqualTo(
    BigDecimal.abs(off),
    BigDecimal.sum(own, BigDecimal.multiply(halfCent, part.of))
  )
}

/** One tax group as the device forms it: everything of one device tax. It never sees the account's own codes. */
export interface TaxGroup {
  readonly tax: BookTax
  readonly amount: Money.Money
  readonly taxAmount: Money.Money
}

/** What the device computes: lines summed per device tax, tax on the sum. Lines without a tax are in no group. */
export const groups = <Line extends { readonly lineAmount: Money.Money }>(
  lines: ReadonlyArray<Line>,
  taxOf: (line: Line) => BookTax | undefined,
  basis: Basis
): ReadonlyArray<TaxGroup> => {
  let sums: Array<{ readonly tax: BookTax; readonly sum: Money.Sum }> | undefined
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!
    const tax = taxOf(line)
    if (tax === undefined) continue
    let group = sums && groupOf(sums, tax)
    if (group === undefined) {
      group = { tax, sum: new Money.Sum() }
      // a list of one takes less room than one that is added to
      if (sums === undefined) sums = [group]
      else sums.push(group)
    }
    group.sum.add(line.lineAmount)
  }
  return (sums ?? []).map(({ sum: { amount }, tax }) => ({ tax, amount, taxAmount: taxOn(amount, tax.percent, basis) }))
}

/** A loop of its own: what a closure knows of a line is made for every line, whether or not it is called. */
const groupOf = <Group extends Pick<TaxGroup, "tax">>(
  groups: ReadonlyArray<Group>,
  tax: BookTax
): Group | undefined => {
  for (let i = 0; i < groups.length; i++) if (isSameTax(groups[i]!.tax, tax)) return groups[i]
  return undefined
}

const isSameTax = (a: BookTax, b: BookTax): boolean =>
  a === b ||
  (a.device === b.device &&
    (a.percent === null || b.percent === null ? a.percent === b.percent : BigDecimal.equals(a.percent, b.percent)))

/** The device's tax of the whole document. */
export const perGroup = (lines: ReadonlyArray<TaxedAmount>, basis: Basis): Money.Money =>
  BigDecimal.sumAll(groups(lines, ({ tax }) => tax, basis).map(({ taxAmount }) => taxAmount))

/** What lines come to. */
export const sumOf = (lines: ReadonlyArray<{ readonly lineAmount: Money.Money }>): Money.Money => {
  const sum = new Money.Sum()
  for (let i = 0; i < lines.length; i++) sum.add(lines[i]!.lineAmount)
  return sum.amount
}
