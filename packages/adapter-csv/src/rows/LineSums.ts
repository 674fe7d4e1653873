/** Sums of a document's lines and charges, which its totals and its rows are compared with. */
import * as Money from "@fiscal-connector/core/document/Money"
import type { SourceCharge, SourceDocument, SourceLine } from "@fiscal-connector/core/source/SourceDocument"
import { BigDecimal } from "effect"

/** Stated sums of a document. */
export type Totals = SourceDocument["totals"]

/**
 * Returns the sum of the lines after discounts, with its tolerance; undefined if a line lacks a
 * figure.
 */
export const worthOf = (lines: ReadonlyArray<SourceLine>) => {
  let [sum, tolerance] = [Money.zero, Money.zero]
  for (const { discount, lineAmount, quantity, unitPrice } of lines) {
    if (lineAmount !== undefined) {
      sum = BigDecimal.sum(sum, lineAmount)
      continue
    }
    if (quantity === undefined || unitPrice === undefined) {
      // a text line without figures
      if (quantity === undefined && unitPrice === undefined) continue
      return undefined
    }
    const product = BigDecimal.multiply(quantity, unitPrice)
    const size =
      discount === undefined
        ? Money.zero
        : "amount" in discount
          ? BigDecimal.abs(discount.amount)
          : BigDecimal.multiply(BigDecimal.multiply(BigDecimal.abs(product), discount.percent), Money.cent)
    sum = BigDecimal.sum(
      sum,
      BigDecimal.isNegative(product) ? BigDecimal.sum(product, size) : BigDecimal.subtract(product, size)
    )
    if (BigDecimal.normalize(sum).scale > 2) tolerance = BigDecimal.sum(tolerance, halfCent)
  }
  return { sum, tolerance }
}

const halfCent = BigDecimal.make(5n, 3)

/** Returns the sum that the charges add to the lines. */
export const chargesOf = (charges: ReadonlyArray<SourceCharge>): Money.Money =>
  BigDecimal.sumAll(
    charges.map(({ amount, kind }) => (kind === "discount" ? BigDecimal.negate(BigDecimal.abs(amount)) : amount))
  )
