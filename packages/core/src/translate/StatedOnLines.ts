/** Figures stated per line (tax, net, total); a difference beyond rounding refuses the document. */
import { BigDecimal } from "effect"
import * as Money from "../document/Money.ts"
import type { Path } from "../finding/Finding.ts"
import type { BookTax } from "../mapping/MappingBook.ts"
import type { DraftLine } from "./DraftLine.ts"
import type { TranslationNotes } from "./Report.ts"
import * as Rounding from "./Rounding.ts"
import { TranslateFinding } from "./TranslateFinding.ts"

export interface Claim {
  readonly origin: Path
  readonly amount: Money.Money
  readonly figure: "tax" | "net" | "total"
  readonly stated: Money.Money
  readonly tax: BookTax
}

/**
 * Reports every claim that does not match its line, before or after the document's discounts.
 * `lines` are the lines to send. If all claims match under the other tax basis, the fix names that
 * basis.
 */
export const hold = (
  claims: ReadonlyArray<Claim>,
  lines: ReadonlyArray<DraftLine>,
  basis: Rounding.Basis,
  report: TranslationNotes
): void => {
  if (claims.length === 0) return
  const off = claims.filter((claim) => !holds(claim, lines, basis))
  if (off.length === 0) return
  const other = basis === "inclusive" ? "exclusive" : "inclusive"
  const isOtherBasis = claims.every((claim) => holds(claim, lines, other))
  const fix = `The stated amounts of the lines agree if amounts are ${other} of tax: state this in the export, or choose it.`
  for (const { amount, figure, origin, stated, tax } of off) {
    const part = Rounding.partOf(figure, tax.percent, basis)
    const due = Money.quotient(BigDecimal.multiply(amount, part.of), part.in, 2)
    const percent = tax.percent === null ? "exempt" : `at ${Money.formatPlain(tax.percent)} %`
    const detail = `${figure} stated ${Money.formatAmount(stated)}, of ${Money.formatAmount(amount)} ${basis} of tax it is ${Money.formatAmount(due)} (${percent})`
    report.doubt(
      BigDecimal.equals(part.of, part.in) ? "lines" : "taxes",
      figure === "tax" ? TranslateFinding.TAX_AMOUNT_DIFFERS : TranslateFinding.LINE_TOTAL_DIFFERS,
      figure === "tax" ? [...origin, "taxes"] : [...origin, "totals", figure],
      { detail, ...(isOtherBasis && { fix }) }
    )
  }
}

/**
 * Ignores the sign of the stated figure for negative amounts: sources write reductions in either
 * sign.
 */
const holds = (
  { amount, figure, origin, stated, tax }: Claim,
  lines: ReadonlyArray<DraftLine>,
  basis: Rounding.Basis
): boolean => {
  const part = Rounding.partOf(figure, tax.percent, basis)
  const isOf = (of: Money.Money) =>
    BigDecimal.isNegative(amount)
      ? Rounding.isPart(BigDecimal.abs(stated), BigDecimal.abs(of), part)
      : Rounding.isPart(stated, of, part)
  if (isOf(amount)) return true
  const sent = lines.find((line) => line.origin[0] === origin[0] && line.origin[1] === origin[1])
  return sent !== undefined && isOf(sent.lineAmount)
}
