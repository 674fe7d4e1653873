/** A line on its way from the source's statement to the wire: figures complete, tax looked up where the book knows it. */
import { BigDecimal } from "effect"
import * as Money from "../document/Money.ts"
import type { Path } from "../finding/Finding.ts"
import type { BookTax } from "../mapping/MappingBook.ts"

export interface DraftLine {
  /** Where the line comes from in the source document: `["lines", 2]` or `["charges", 0]`. */
  readonly origin: Path
  readonly description: string | null
  readonly quantity: Money.Money
  readonly unitAmount: Money.Money
  /** After discount. */
  readonly lineAmount: Money.Money
  /** Positive, the whole line's. */
  readonly discountAmount: Money.Money | null
  /** The export's spelling, for when the book does not know it. */
  readonly taxSpelling: string
  readonly tax: BookTax | undefined
  /** The line's tax as the source states it. */
  readonly statedTax: Money.Money | undefined
  readonly productCode: string | null
}

/** What makes two lines lines of the same tax. */
export const taxKey = ({ tax, taxSpelling }: Pick<DraftLine, "tax" | "taxSpelling">): string => tax?.code ?? taxSpelling

/** A discount over several lines: what it takes off their amounts and, where the source states it, off their taxes; both positive. */
export interface Discount {
  readonly amount: Money.Money
  readonly tax: Money.Money | undefined
  /** Whether the discount may leave nothing of the lines, as a code of 100 % does. Default: it may not. */
  readonly most?: "less than the lines" | "all of the lines"
}

/**
 * Takes the discount off the lines that have a part in it, in proportion to their amounts; the shares are cents and add up exactly.
 * What the source stated as a line's tax was on its amount before: it is lessened likewise, and goes where the discount's own tax is not
 * stated. None where those lines amount to less than the discount.
 */
export const spreadDiscount = (
  lines: ReadonlyArray<DraftLine>,
  { amount, most = "less than the lines", tax }: Discount,
  hasPart: (line: DraftLine) => boolean
): ReadonlyArray<DraftLine> | undefined => {
  const whole = BigDecimal.sumAll(lines.filter(hasPart).map((line) => line.lineAmount))
  if (BigDecimal.isGreaterThan(amount, whole) || BigDecimal.isZero(whole)) return undefined
  if (BigDecimal.equals(amount, whole) && most === "less than the lines") return undefined
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
