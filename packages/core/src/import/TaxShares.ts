/** Splits a document by tax code into net amount, tax and total. */
import { BigDecimal } from "effect"
import type { TaxCode } from "../document/Identifiers.ts"
import { type Money, zero } from "../document/Money.ts"
import * as WrittenDocument from "../document/WrittenDocument.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import * as Rounding from "../translate/Rounding.ts"

/**
 * Amounts of one tax code, positive for credit notes too (DOC-4); `net` and `tax` add up to
 * `total`.
 */
export interface SummedTaxShare {
  readonly taxCode: TaxCode
  readonly net: Money
  readonly tax: Money
  readonly total: Money
}

export type Percents = ReadonlyMap<TaxCode, Money | null>

export const percentsOf = ({ taxes }: Pick<MappingBook, "taxes">): Percents =>
  new Map(taxes.map(({ code, percent }) => [code, percent]))

/**
 * Returns the shares of a document, which add up to the document's figures to the cent. The largest
 * tax takes the rounding difference. Undefined if the percents of several codes are unknown.
 */
export const of = (
  document: WrittenDocument.WrittenDocument,
  percents: Percents
): ReadonlyArray<SummedTaxShare> | undefined => {
  const [only, ...others] = document.taxCodes
  if (only !== undefined && others.length === 0) {
    const { subTotal, totalTax } = WrittenDocument.sumsOf(document)
    return [{ taxCode: only, net: subTotal, tax: totalTax, total: document.total }]
  }
  const { isTaxInclusive, lineItems, totalTax } = WrittenDocument.read(document).payload
  const amounts = new Map<TaxCode, Money>()
  for (const { lineAmount, taxCode } of lineItems) {
    const known = amounts.get(taxCode)
    amounts.set(taxCode, known === undefined ? lineAmount : BigDecimal.sum(known, lineAmount))
  }
  const basis = isTaxInclusive ? "inclusive" : "exclusive"
  const taxed: Array<{ readonly taxCode: TaxCode; readonly amount: Money; tax: Money }> = []
  const unknown: Array<(typeof taxed)[number]> = []
  for (const [taxCode, amount] of amounts) {
    const percent = percents.get(taxCode)
    const share = { taxCode, amount, tax: percent === undefined ? zero : Rounding.taxOn(amount, percent, basis) }
    taxed.push(share)
    if (percent === undefined) unknown.push(share)
  }
  if (unknown.length > 1) return undefined
  const rest = BigDecimal.subtract(totalTax, BigDecimal.sumAll(taxed.map(({ tax }) => tax)))
  // if the percent of one code is unknown, the code gets the rest of the total tax
  const largest = unknown[0] ?? taxed.toSorted((a, b) => BigDecimal.Order(b.tax, a.tax))[0]
  if (largest !== undefined) largest.tax = BigDecimal.sum(largest.tax, rest)
  return taxed.map(({ amount, tax, taxCode }) =>
    isTaxInclusive
      ? { taxCode, net: BigDecimal.subtract(amount, tax), tax, total: amount }
      : { taxCode, net: amount, tax, total: BigDecimal.sum(amount, tax) }
  )
}

/** Returns the net amount and the tax of a document. Null if its shares are not known. */
export const sumsOf = (
  shares: ReadonlyArray<Pick<SummedTaxShare, "net" | "tax">> | null | undefined
): Record<"net" | "tax", Money | null> => ({
  net: shares ? BigDecimal.sumAll(shares.map(({ net }) => net)) : null,
  tax: shares ? BigDecimal.sumAll(shares.map(({ tax }) => tax)) : null
})
