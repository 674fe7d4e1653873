/** Figures complete, tax looked up if the book knows the spelling. */
import { BigDecimal } from "effect"
import * as Money from "../document/Money.ts"
import type { FindingCode } from "../finding/FindingCode.ts"
import type { Path } from "../finding/Finding.ts"
import type { BookTax } from "../mapping/MappingBook.ts"
import { TranslateFinding } from "./TranslateFinding.ts"

export interface DraftLine {
  readonly origin: Path
  readonly description: string | null
  readonly quantity: Money.Money
  readonly unitAmount: Money.Money
  readonly lineAmount: Money.Money
  readonly discountAmount: Money.Money | null
  readonly taxSpelling: string
  readonly tax: BookTax | undefined
  readonly statedTax: Money.Money | undefined
  readonly productCode: string | null
}

/** Returns the tax as the device groups lines: several codes may be one tax. */
export const taxKey = ({ tax, taxSpelling }: Pick<DraftLine, "tax" | "taxSpelling">): number | string =>
  tax?.device ?? taxSpelling

export interface Discount {
  readonly amount: Money.Money
  readonly tax: Money.Money | undefined
  /**
   * Upper limit of the discount. `all of the lines` allows a discount that leaves nothing, as a
   * code of 100 % does. Default: `less than the lines`.
   */
  readonly most?: "less than the lines" | "all of the lines"
}

/**
 * Spreads the discount over the matching lines in proportion to their amounts. Shares are cents and
 * add up exactly.
 *
 * A stated tax of a line refers to the amount before the discount, so the tax is reduced as well,
 * or dropped if the discount does not state a tax. Returns the finding if the discount has no
 * place.
 */
export const spreadDiscount = (
  lines: ReadonlyArray<DraftLine>,
  { amount, most = "less than the lines", tax }: Discount,
  hasPart: (line: DraftLine) => boolean
): ReadonlyArray<DraftLine> | FindingCode => {
  const whole = BigDecimal.sumAll(lines.filter(hasPart).map((line) => line.lineAmount))
  if (!lines.some(hasPart)) return TranslateFinding.DISCOUNT_WITHOUT_LINES
  if (BigDecimal.isGreaterThan(amount, whole) || BigDecimal.isZero(whole)) return TranslateFinding.DISCOUNT_UNPLACED
  if (BigDecimal.equals(amount, whole) && most === "less than the lines") return TranslateFinding.DISCOUNT_OF_ALL
  const before = { sum: Money.zero, amount: Money.zero, tax: Money.zero }
  return lines.map((line) => {
    if (!hasPart(line)) return line
    before.sum = BigDecimal.sum(before.sum, line.lineAmount)
    const taken = (what: "amount" | "tax", of: Money.Money) => {
      const due = Money.quotient(BigDecimal.multiply(of, before.sum), whole, 2)
      const share = BigDecimal.subtract(due, before[what])
      before[what] = due
      return share
    }
    const share = taken("amount", amount)
    const taxShare = tax && taken("tax", tax)
    if (BigDecimal.isZero(share)) return line
    return {
      ...line,
      lineAmount: BigDecimal.subtract(line.lineAmount, share),
      discountAmount: BigDecimal.sum(line.discountAmount ?? Money.zero, share),
      statedTax: line.statedTax && taxShare && BigDecimal.subtract(line.statedTax, taxShare)
    }
  })
}
