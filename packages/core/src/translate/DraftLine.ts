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

/**
 * Takes `amount` off the lines that have a part in it, in proportion to their amounts; the shares are cents and add up exactly.
 * What the source stated as a line's tax was on its amount before, and goes. None where those lines do not amount to more than that.
 */
export const spreadDiscount = (
  lines: ReadonlyArray<DraftLine>,
  amount: Money.Money,
  hasPart: (line: DraftLine) => boolean
): ReadonlyArray<DraftLine> | undefined => {
  const whole = BigDecimal.sumAll(lines.filter(hasPart).map((line) => line.lineAmount))
  if (BigDecimal.isGreaterThanOrEqualTo(amount, whole)) return undefined
  let running = Money.zero
  let taken = Money.zero
  return lines.map((line) => {
    if (!hasPart(line)) return line
    running = BigDecimal.sum(running, line.lineAmount)
    const due = Money.quotient(BigDecimal.multiply(amount, running), whole, 2)
    const share = BigDecimal.subtract(due, taken)
    taken = due
    if (BigDecimal.isZero(share)) return line
    return {
      ...line,
      lineAmount: BigDecimal.subtract(line.lineAmount, share),
      discountAmount: BigDecimal.sum(line.discountAmount ?? Money.zero, share),
      statedTax: undefined
    }
  })
}
