/**
 * Totals under the book's rounding policy, compared with the stated totals, which are never
 * altered.
 */
import { BigDecimal } from "effect"
import * as Money from "../document/Money.ts"
import type { Finding } from "../finding/Finding.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import type { SourceDocument } from "../source/SourceDocument.ts"
import type { Charged } from "./Charged.ts"
import type { DraftLine } from "./DraftLine.ts"
import type { TranslationNotes } from "./Report.ts"
import * as Rounding from "./Rounding.ts"
import { TranslateFinding } from "./TranslateFinding.ts"

export type TaxedLine = DraftLine & Rounding.TaxedAmount

/**
 * Totals in the document's currency. SubTotal = Total − TotalTax (DOC-6), whether amounts include
 * tax or not.
 */
export interface Totals {
  readonly basis: Rounding.Basis
  readonly lines: ReadonlyArray<TaxedLine>
  readonly total: Money.Money
  readonly totalTax: Money.Money
  readonly subTotal: Money.Money
}

export interface StatedTotals extends Pick<SourceDocument, "totals"> {
  readonly charges: Money.Money
  readonly charged: Charged | undefined
}

/**
 * Adds up the lines. A difference from a stated figure refuses the document and shows the
 * arithmetic. Only a rounding difference of the tax or net amount is a warning (TAX_RESTATED).
 */
export const totals = (
  stated: StatedTotals,
  lines: ReadonlyArray<TaxedLine>,
  statedBasis: Rounding.Basis,
  rounding: MappingBook["rounding"],
  report: TranslationNotes
): Totals => {
  let taxesOfLines: ReadonlyArray<Money.Money> | undefined
  // lazy: most documents do not need the taxes per line
  const eachTax = () => (taxesOfLines ??= lines.map((line) => Money.round(lineTax(line, statedBasis), 2)))
  const lineTaxes = () => BigDecimal.sumAll(eachTax())
  const isGrossed =
    rounding === "as-inclusive" && statedBasis === "exclusive" && !agreesPerGroup(stated, lines, lineTaxes())
  const basis = isGrossed ? "inclusive" : statedBasis
  const settled = isGrossed ? allGrossed(stated, lines, eachTax(), report) : lines
  const sum = Rounding.sumOf(settled)
  const totalTax = rounding === "per-line" ? lineTaxes() : Rounding.perGroup(settled, basis)
  const total = basis === "inclusive" ? sum : BigDecimal.sum(sum, totalTax)
  const computed = { basis, lines: settled, total, totalTax, subTotal: BigDecimal.subtract(total, totalTax) }
  reconcile(stated, computed, rounding, { lineTaxes, statedBasis }, report)
  return computed
}

/** Rounding per line and per group agree, or the source rounds per group like the device. */
const agreesPerGroup = (
  { charged, totals: { tax, total } }: StatedTotals,
  lines: ReadonlyArray<TaxedLine>,
  lineTaxes: Money.Money
) => {
  const groupTaxes = Rounding.perGroup(lines, "exclusive")
  const net = Rounding.sumOf(lines)
  if (charged?.total !== undefined) return BigDecimal.equals(charged.total, BigDecimal.sum(net, groupTaxes))
  if (BigDecimal.equals(lineTaxes, groupTaxes)) return true
  if (charged !== undefined) return false
  if (total === undefined) return tax !== undefined && BigDecimal.equals(tax, groupTaxes)
  return BigDecimal.equals(total, BigDecimal.sum(net, groupTaxes))
}

/**
 * The source's tax if it is a rounding of the book's, otherwise the tax rounded per line. A stated
 * tax may have more places than a cent.
 */
const lineTax = ({ lineAmount, statedTax, tax }: TaxedLine, basis: Rounding.Basis) => {
  const due = Rounding.taxOn(lineAmount, tax.percent, basis)
  return statedTax !== undefined && Money.within(statedTax, due, Money.cent) ? statedTax : due
}

/** Amounts with tax add up to the amount charged, if the rounded taxes of the lines allow. */
const allGrossed = (
  { charged, totals }: StatedTotals,
  lines: ReadonlyArray<TaxedLine>,
  taxes: ReadonlyArray<Money.Money>,
  report: TranslationNotes
): ReadonlyArray<TaxedLine> => {
  const due = charged?.total ?? totals.total
  const net = Rounding.sumOf(lines)
  const comesTo = (each: ReadonlyArray<Money.Money>) =>
    due === undefined || BigDecimal.equals(due, BigDecimal.sum(net, BigDecimal.sumAll(each)))
  const other = comesTo(taxes) ? taxes : roundedInTurn(lines)
  const counting = comesTo(other) ? other : taxes
  return lines.map((line, i) => grossed(line, counting[i]!, report))
}

/** The rounded taxes add up to the rounded sum. */
const roundedInTurn = (lines: ReadonlyArray<TaxedLine>): ReadonlyArray<Money.Money> => {
  let [sum, before] = [Money.zero, Money.zero]
  return lines.map((line) => {
    sum = BigDecimal.sum(sum, lineTax(line, "exclusive"))
    const rounded = Money.round(sum, 2)
    const tax = BigDecimal.subtract(rounded, before)
    before = rounded
    return tax
  })
}

/** Unit price to 6 places (docs/decisions/007). */
const grossed = (line: TaxedLine, tax: Money.Money, report: TranslationNotes): TaxedLine => {
  const { discountAmount: discount, origin, quantity } = line
  const lineAmount = BigDecimal.sum(line.lineAmount, tax)
  const discountAmount =
    discount === null ? null : BigDecimal.sum(discount, Rounding.taxOn(discount, line.tax.percent, "exclusive"))
  const beforeDiscount = BigDecimal.sum(lineAmount, discountAmount ?? Money.zero)
  const unitAmount = Money.quotient(beforeDiscount, quantity, 6)
  const product = BigDecimal.multiply(quantity, unitAmount)
  if (!Money.within(product, beforeDiscount, Money.cent)) {
    report.add(TranslateFinding.LINE_AMOUNT_MISMATCH, [...origin, "unitPrice"], {
      detail: `with tax ${Money.formatPlain(quantity)} × ${Money.formatPlain(unitAmount)} = ${Money.formatAmount(product)}, not ${Money.formatAmount(beforeDiscount)}`,
      fix: "Six decimal places are too few for this quantity: state the line in a larger unit, or state amounts including tax."
    })
  }
  return { ...line, lineAmount, discountAmount, unitAmount }
}

/**
 * Marks lines or taxes as proven by the stated totals of a document whose lines cannot be added up
 * yet. The totals may prove them later, so doubts must not refuse the document now.
 */
export const proveLater = (
  { net, tax, total }: StatedTotals["totals"],
  basis: Rounding.Basis | undefined,
  report: TranslationNotes
): void => {
  if (total !== undefined || net !== undefined) report.prove("lines")
  if (tax !== undefined || (basis === "inclusive" ? net : total) !== undefined) report.prove("taxes")
}

const reconcile = (
  { charged, charges, totals: stated }: StatedTotals,
  { basis, lines, subTotal, total, totalTax }: Totals,
  rounding: MappingBook["rounding"],
  { lineTaxes, statedBasis }: { readonly lineTaxes: () => Money.Money; readonly statedBasis: Rounding.Basis },
  report: TranslationNotes
) => {
  const arithmetic = () =>
    basis === "inclusive"
      ? `${sumOf(lines)} = ${Money.formatAmount(total)}`
      : `${sumOf(lines)} + tax ${Money.formatAmount(totalTax)} = ${Money.formatAmount(total)}`
  if (stated.total !== undefined && !BigDecimal.equals(stated.total, total)) {
    const difference = Money.formatAmount(BigDecimal.subtract(stated.total, total))
    const isRoundedPerLine =
      basis === "exclusive" && BigDecimal.equals(stated.total, BigDecimal.sum(subTotal, lineTaxes()))
    report.add(TranslateFinding.TOTAL_MISMATCH, ["totals", "total"], {
      detail: `${arithmetic()}, stated ${Money.formatAmount(stated.total)}: ${difference} apart`,
      ...(isRoundedPerLine && { fix: roundedPerLine })
    })
    return
  }
  if (charged?.total !== undefined && !BigDecimal.equals(charged.total, total) && !report.findings.some(isOfALine)) {
    const isRoundedPerLine =
      basis === "exclusive" && BigDecimal.equals(charged.total, BigDecimal.sum(subTotal, lineTaxes()))
    report.add(TranslateFinding.LINES_TOTAL_MISMATCH, ["lines"], {
      detail: `${arithmetic()}, the lines state ${Money.formatAmount(charged.total)}: ${Money.formatAmount(BigDecimal.subtract(charged.total, total))} apart`,
      ...(isRoundedPerLine && { fix: roundedPerLine })
    })
    return
  }
  const isUnstated = stated.total === undefined && stated.tax === undefined && charged?.total === undefined
  if (isUnstated && basis === "exclusive" && rounding === "per-group" && !BigDecimal.equals(totalTax, lineTaxes()))
    report.add(TranslateFinding.ROUNDING_UNSTATED, ["totals"], {
      detail: `${arithmetic()}, or ${Money.formatAmount(BigDecimal.sum(subTotal, lineTaxes()))} with the tax of each line rounded`
    })
  if (stated.total !== undefined) report.prove("lines")
  // if amounts include tax, the total is the same at every percent and proves no tax
  if (stated.total !== undefined && statedBasis === "exclusive") report.prove("taxes")
  for (const name of names) {
    const figure = stated[name]
    if (figure === undefined) continue
    const ofDevice = name === "tax" ? totalTax : subTotal
    const isOfTax = name === "tax" || statedBasis === "inclusive"
    if (isMatch(name, figure, ofDevice, charges)) {
      report.prove(isOfTax ? "taxes" : "lines")
      continue
    }
    const detail = `${name} stated ${Money.formatAmount(figure)}, the device's is ${Money.formatAmount(ofDevice)} (${arithmetic()})`
    const isRounding =
      rounding === "as-inclusive" &&
      basis === "inclusive" &&
      isMatch(name, figure, name === "tax" ? lineTaxes() : BigDecimal.subtract(total, lineTaxes()), charges)
    // the net of lines without tax is the same at every percent
    if (isRounding && isOfTax) report.prove("taxes")
    const code = isRounding ? TranslateFinding.TAX_RESTATED : TranslateFinding.TAX_TOTAL_MISMATCH
    report.add(code, ["totals", name], { detail })
  }
}

const isOfALine = ({ code }: Finding) =>
  code === TranslateFinding.LINE_TOTAL_DIFFERS.code || code === TranslateFinding.TAX_AMOUNT_DIFFERS.code

const roundedPerLine =
  "The source rounds tax per line, the device per tax code: set `rounding` of the mapping book to `as-inclusive`."

const names = ["tax", "net"] as const

/** Some sources state the net amount of the lines only, without charges. */
const isMatch = (name: "tax" | "net", stated: Money.Money, amount: Money.Money, charges: Money.Money): boolean =>
  BigDecimal.equals(stated, amount) ||
  (name === "net" && BigDecimal.equals(stated, BigDecimal.subtract(amount, charges)))

const sumOf = (lines: ReadonlyArray<TaxedLine>): string => {
  if (lines.length === 0) return "no lines"
  const amounts = lines.map(({ lineAmount }) => lineAmount)
  return lines.length > 6
    ? `${lines.length} lines ${Money.formatAmount(BigDecimal.sumAll(amounts))}`
    : amounts.map(Money.formatAmount).join(" + ")
}
