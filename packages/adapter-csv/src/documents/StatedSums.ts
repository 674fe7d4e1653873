/** Compares stated sums with summed figures, and derives whether amounts include tax. */
import { Money, type Provenance, type SourceDocument } from "@fiscal-connector/core/adapter"
import { BigDecimal } from "effect"
import { cellsOfDocument, filledCell } from "../columns/Binding.ts"
import { CsvFinding } from "../finding/CsvFinding.ts"
import type { Interpretation } from "../detect/Interpretation.ts"
import type { Notes } from "./Notes.ts"
import { figureIn, type FigureReading } from "./RowFigure.ts"
import * as NumberForm from "../values/NumberForm.ts"
import { chargesOf, type RowTotals, worthOf } from "../rows/RepeatedRows.ts"
import * as Row from "../scan/Row.ts"
import type { Scanner } from "../scan/Scanner.ts"

export class DocumentTaxes implements FigureReading {
  readonly how: Interpretation
  readonly notes: Notes
  private readonly stated: Array<Money.Money> = []
  private readonly percents: Array<Money.Money> = []
  private first: { readonly row: Row.Row; readonly cell: number } | undefined = undefined

  constructor(how: Interpretation, notes: Notes) {
    this.how = how
    this.notes = notes
  }

  take(record: Scanner, row: Row.Row): void {
    const { binding } = this.how
    // a row that repeats the document's totals also repeats its taxes
    if (
      this.first !== undefined &&
      statesTotals.some((field) => filledCell(record, cellsOfDocument(binding, field)) >= 0)
    )
      return
    for (const cell of binding.documentTaxPercents) {
      const percent = figureIn(this, record, row, [cell], ["lines"], NumberForm.readPercent)
      if (percent !== undefined && !BigDecimal.isZero(percent)) this.percents.push(percent)
    }
    for (const cell of binding.documentTaxAmounts) {
      const amount = figureIn(this, record, row, [cell], ["totals", "tax"])
      if (amount === undefined) continue
      this.first ??= { row, cell }
      this.stated.push(amount)
    }
  }

  /**
   * Percent of the document's single tax; undefined for several taxes, or with a charge among them.
   */
  get percent(): Money.Money | undefined {
    const [percent, another] = this.percents
    const amounts = this.stated.filter((amount) => !BigDecimal.isZero(amount))
    return another === undefined && amounts.length === 1 ? percent : undefined
  }

  completing(totals: SourceDocument.SourceDocument["totals"]): SourceDocument.SourceDocument["totals"] {
    return this.first === undefined || taxOf(totals) !== undefined
      ? totals
      : { ...totals, tax: BigDecimal.sumAll(this.stated) }
  }

  check(totals: SourceDocument.SourceDocument["totals"]): void {
    const tax = taxOf(totals)
    if (tax === undefined || this.first === undefined) return
    const { cell, row } = this.first
    const sum = BigDecimal.sumAll(this.stated)
    const tolerance = BigDecimal.sumAll(this.stated.map(halfUnit))
    if (Money.within(BigDecimal.abs(sum), BigDecimal.abs(tax), tolerance)) return
    const taxes = this.stated.map(Money.formatAmount).join(" + ")
    const detail = `taxes ${taxes}${this.stated.length > 1 ? ` = ${Money.formatAmount(sum)}` : ""}, tax of the document ${Money.formatAmount(tax)}`
    this.notes.report(CsvFinding.CSV_SUMS_DIFFER, { path: ["totals", "tax"], detail, at: Row.where(row, cell) })
  }
}

const statesTotals = ["net", "tax", "total"] as const

const taxOf = ({ net, tax, total }: SourceDocument.SourceDocument["totals"]): Money.Money | undefined =>
  tax ?? (net === undefined || total === undefined ? undefined : BigDecimal.subtract(total, net))

export const checkLines = (
  stated: Money.Money,
  lines: ReadonlyArray<SourceDocument.SourceLine>,
  charges: ReadonlyArray<SourceDocument.SourceCharge>,
  notes: Notes,
  at: () => Provenance.Provenance | undefined
): void => {
  const worth = worthOf(lines)
  if (worth === undefined) return
  const discounts = chargesOf(charges.filter(({ kind }) => kind === "discount"))
  const sums = [worth.sum, BigDecimal.sum(worth.sum, discounts)]
  if (sums.some((sum) => Money.within(BigDecimal.abs(sum), BigDecimal.abs(stated), worth.tolerance))) return
  const less = BigDecimal.isZero(discounts) ? "" : `, less its discount ${Money.formatAmount(sums[1]!)}`
  const detail = `lines come to ${Money.formatAmount(worth.sum)}${less}, stated ${Money.formatAmount(stated)}`
  notes.report(CsvFinding.CSV_SUMS_DIFFER, { path: ["totals"], detail, at: at() })
}

export const comesTo = (lines: ReadonlyArray<SourceDocument.SourceLine>, sum: Money.Money): boolean => {
  const worth = worthOf(lines)
  return worth !== undefined && Money.within(BigDecimal.abs(worth.sum), BigDecimal.abs(sum), worth.tolerance)
}

/** Returns the tax basis of the amounts, if the document's totals allow only one answer. */
export const basisOf = (
  lines: ReadonlyArray<SourceDocument.SourceLine>,
  charges: ReadonlyArray<SourceDocument.SourceCharge>,
  totals: RowTotals
): SourceDocument.SourceDocument["taxMode"] => {
  const worth = worthOf(lines)
  const lineTaxes = lines.flatMap(({ taxes }) => taxes.flatMap(({ amount }) => amount ?? []))
  const tax = taxOf(totals) ?? (lineTaxes.length === 0 ? undefined : BigDecimal.sumAll(lineTaxes))
  const total = totals.total ?? (totals.net && tax && BigDecimal.sum(totals.net, tax))
  if (worth === undefined || tax === undefined || total === undefined) return "unstated"
  const sum = BigDecimal.sum(worth.sum, chargesOf(charges))
  const comesTo = (stated: Money.Money) => Money.within(BigDecimal.abs(sum), BigDecimal.abs(stated), worth.tolerance)
  const [gross, net] = [comesTo(total), comesTo(BigDecimal.subtract(total, tax))]
  if (gross && net) return BigDecimal.isZero(tax) ? "exclusive" : "unstated"
  return gross ? "inclusive" : net ? "exclusive" : "unstated"
}

const halfUnit = (figure: Money.Money): Money.Money => BigDecimal.make(5n, Math.max(figure.scale, 2) + 1)
