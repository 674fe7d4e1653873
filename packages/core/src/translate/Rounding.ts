/**
 * The only place that rounds tax (DOC-7): half-up to cents, per line or per tax group by a named
 * policy.
 */
import { BigDecimal, Option } from "effect"
import { TaxCode } from "../document/Identifiers.ts"
import type { LineItem } from "../document/LineItem.ts"
import * as Money from "../document/Money.ts"
import type { BookTax } from "../mapping/MappingBook.ts"

export type Basis = "inclusive" | "exclusive"

export interface TaxedAmount {
  readonly lineAmount: Money.Money
  readonly tax: BookTax
}

const hundred = BigDecimal.make(100n, 0)

/**
 * Returns the tax on an amount, half-up to cents: inclusive L·p/(100+p), exclusive L·p/100. Zero
 * for exempt and 0 %.
 */
export const taxOn = (amount: Money.Money, percent: Money.Money | null, basis: Basis): Money.Money =>
  percent === null
    ? Money.zero
    : Money.quotient(
        BigDecimal.multiply(amount, percent),
        basis === "inclusive" ? BigDecimal.sum(hundred, percent) : hundred,
        2
      )

/**
 * Returns half a unit of the last stated place, at most half a cent. Ignores trailing zeros, since
 * formats pad figures with zeros; amounts have at least two places.
 */
export const halfUnit = (stated: Money.Money): Money.Money =>
  BigDecimal.make(5n, Math.max(BigDecimal.normalize(stated).scale, 2) + 1)

const halfCent = BigDecimal.make(5n, 3)

export interface Part {
  readonly of: Money.Money
  readonly in: Money.Money
}

const wholly: Part = { of: hundred, in: hundred }

export const partOf = (figure: "tax" | "net" | "total", percent: Money.Money | null, basis: Basis): Part => {
  const rate = percent ?? Money.zero
  const gross = BigDecimal.sum(hundred, rate)
  if (figure === "tax") return { of: rate, in: basis === "inclusive" ? gross : hundred }
  if ((figure === "net") === (basis === "exclusive")) return wholly
  return figure === "net" ? { of: hundred, in: gross } : { of: gross, in: hundred }
}

/**
 * True if a stated figure is the given part of an amount. Tolerance: half a unit of the
 * figure's last place, plus the rounding of the amount to cents.
 */
export const isPart = (stated: Money.Money, amount: Money.Money, part: Part): boolean => {
  const off = BigDecimal.subtract(BigDecimal.multiply(stated, part.in), BigDecimal.multiply(amount, part.of))
  const own = BigDecimal.multiply(halfUnit(stated), part.in)
  return BigDecimal.isLessThanOrEqualTo(
    BigDecimal.abs(off),
    BigDecimal.sum(own, BigDecimal.multiply(halfCent, part.of))
  )
}

/**
 * A tax group as the device forms it: all lines with one device tax. The device does not see the
 * account's codes.
 */
export interface TaxGroup {
  readonly tax: BookTax
  readonly amount: Money.Money
  readonly taxAmount: Money.Money
}

/**
 * Groups lines by device tax and computes the tax on each sum, as the device does. Lines without a
 * tax are skipped.
 */
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
      // a one-element literal takes less memory than an array grown by push
      if (sums === undefined) sums = [group]
      else sums.push(group)
    }
    group.sum.add(line.lineAmount)
  }
  return (sums ?? []).map(({ sum: { amount }, tax }) => ({ tax, amount, taxAmount: taxOn(amount, tax.percent, basis) }))
}

/** A closure would be allocated for every line. */
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

type KeptTaxes = ReadonlyArray<readonly [code: string, device: number, percent: string | null]>

export const keptTaxes = (taxes: KeptTaxes): ReadonlyMap<TaxCode, BookTax> =>
  new Map(
    taxes.map(([name, device, percent]) => {
      const code = TaxCode.make(name)
      const parsed = percent === null ? null : Option.getOrThrow(Money.parse(percent))
      return [code, { from: [], since: undefined, until: undefined, code, name: "", device, percent: parsed }]
    })
  )

export interface DeviceShare {
  readonly of: BookTax
  readonly net: Money.Money
  readonly tax: Money.Money
  readonly total: Money.Money
}

/**
 * Returns the figures of a document by tax of the device. Undefined if they are not known: a code
 * has no meaning, or a tax has two percents, which the device's counters do not distinguish.
 */
export const deviceShares = (
  {
    isTaxInclusive,
    lineItems
  }: { readonly isTaxInclusive: boolean; readonly lineItems: ReadonlyArray<Pick<LineItem, "lineAmount" | "taxCode">> },
  kept: KeptTaxes
): ReadonlyMap<number, DeviceShare> | undefined => {
  const taxes = keptTaxes(kept)
  if (lineItems.some(({ taxCode }) => !taxes.has(taxCode))) return undefined
  const of = groups(lineItems, ({ taxCode }) => taxes.get(taxCode), isTaxInclusive ? "inclusive" : "exclusive")
  const shares = new Map(
    of.map(({ amount, tax: of, taxAmount: tax }) => {
      const total = isTaxInclusive ? amount : BigDecimal.sum(amount, tax)
      return [of.device, { of, net: BigDecimal.subtract(total, tax), tax, total }]
    })
  )
  return shares.size < of.length ? undefined : shares
}

export const perGroup = (lines: ReadonlyArray<TaxedAmount>, basis: Basis): Money.Money =>
  BigDecimal.sumAll(groups(lines, ({ tax }) => tax, basis).map(({ taxAmount }) => taxAmount))

export const sumOf = (lines: ReadonlyArray<{ readonly lineAmount: Money.Money }>): Money.Money => {
  const sum = new Money.Sum()
  for (let i = 0; i < lines.length; i++) sum.add(lines[i]!.lineAmount)
  return sum.amount
}
