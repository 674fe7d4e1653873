/** A document's totals under the book's rounding policy, held against what the source states; a stated total is never altered. */
import { BigDecimal } from "effect"
import * as Money from "../document/Money.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import type { SourceDocument } from "../source/SourceDocument.ts"
import type { DraftLine } from "./DraftLine.ts"
import type { Report } from "./Report.ts"
import * as Rounding from "./Rounding.ts"
import { TranslateFinding } from "./TranslateFinding.ts"

export type TaxedLine = DraftLine & Rounding.TaxedAmount

/** SubTotal = Total − TotalTax in both modes (DOC-6); amounts in the document's currency. */
export interface Totals {
  readonly basis: Rounding.Basis
  readonly lines: ReadonlyArray<TaxedLine>
  readonly total: Money.Money
  readonly totalTax: Money.Money
  readonly subTotal: Money.Money
}

/** Adds up the lines; a difference to a stated figure refuses the document with the arithmetic. */
export const totals = (
  stated: SourceDocument["totals"],
  lines: ReadonlyArray<TaxedLine>,
  basis: Rounding.Basis,
  rounding: MappingBook["rounding"],
  report: Report
): Totals => {
  const sum = BigDecimal.sumAll(lines.map(({ lineAmount }) => lineAmount))
  const lineTaxes = BigDecimal.sumAll(lines.map((line) => lineTax(line, basis)))
  if (
    rounding === "as-inclusive" &&
    basis === "exclusive" &&
    !BigDecimal.equals(lineTaxes, Rounding.perGroup(lines, basis))
  ) {
    return totals(stated, lines.map(grossed), "inclusive", rounding, report)
  }
  const totalTax = rounding === "per-line" ? lineTaxes : Rounding.perGroup(lines, basis)
  const total = basis === "inclusive" ? sum : BigDecimal.sum(sum, totalTax)
  const computed = { basis, lines, total, totalTax, subTotal: BigDecimal.subtract(total, totalTax) }
  reconcile(stated, computed, rounding, lineTaxes, report)
  return computed
}

/** The source's own tax of the line where it states one, else what rounding per line gives. */
const lineTax = ({ lineAmount, statedTax, tax }: TaxedLine, basis: Rounding.Basis): Money.Money =>
  statedTax ?? Rounding.taxOn(lineAmount, tax.percent, basis)

/** The line stated gross: its amount with its own rounded tax, the unit price to 6 places (DESIGN, `as-inclusive`). */
const grossed = (line: TaxedLine): TaxedLine => {
  const lineAmount = BigDecimal.sum(line.lineAmount, lineTax(line, "exclusive"))
  const discountAmount =
    line.discountAmount === null
      ? null
      : BigDecimal.sum(line.discountAmount, Rounding.taxOn(line.discountAmount, line.tax.percent, "exclusive"))
  const beforeDiscount = BigDecimal.sum(lineAmount, discountAmount ?? Money.zero)
  return { ...line, lineAmount, discountAmount, unitAmount: Money.quotient(beforeDiscount, line.quantity, 6) }
}

const reconcile = (
  stated: SourceDocument["totals"],
  { basis, lines, subTotal, total, totalTax }: Totals,
  rounding: MappingBook["rounding"],
  lineTaxes: Money.Money,
  report: Report
) => {
  const arithmetic =
    basis === "inclusive"
      ? `${sumOf(lines)} = ${Money.formatAmount(total)}`
      : `${sumOf(lines)} + tax ${Money.formatAmount(totalTax)} = ${Money.formatAmount(total)}`
  const roundedPerLine = basis === "inclusive" ? total : BigDecimal.sum(subTotal, lineTaxes)
  if (stated.total !== undefined && !BigDecimal.equals(stated.total, total)) {
    const difference = Money.formatAmount(BigDecimal.subtract(stated.total, total))
    report.add(TranslateFinding.TOTAL_MISMATCH, ["totals", "total"], {
      detail: `${arithmetic}, stated ${Money.formatAmount(stated.total)}: ${difference} apart`,
      ...(BigDecimal.equals(stated.total, roundedPerLine) && {
        fix: "The source rounds tax per line, the device per tax code: set `rounding` of the mapping book to `as-inclusive`."
      })
    })
    return
  }
  const restated = { tax: totalTax, net: subTotal } as const
  for (const name of ["tax", "net"] as const) {
    const figure = stated[name]
    if (figure === undefined || BigDecimal.equals(figure, restated[name])) continue
    const detail = `${name} stated ${Money.formatAmount(figure)}, the device's is ${Money.formatAmount(restated[name])} (${arithmetic})`
    const code =
      rounding === "as-inclusive" && basis === "inclusive"
        ? TranslateFinding.TAX_RESTATED
        : TranslateFinding.TAX_TOTAL_MISMATCH
    report.add(code, ["totals", name], { detail })
  }
}

const sumOf = (lines: ReadonlyArray<TaxedLine>): string =>
  lines.length > 6
    ? `${lines.length} lines ${Money.formatAmount(BigDecimal.sumAll(lines.map(({ lineAmount }) => lineAmount)))}`
    : lines.map(({ lineAmount }) => Money.formatAmount(lineAmount)).join(" + ")
