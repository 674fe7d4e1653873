/** Source lines with their figures completed and checked, by the book's policies; nothing is completed that no policy names. */
import { BigDecimal } from "effect"
import type { CivilDate } from "../document/CivilDate.ts"
import * as Money from "../document/Money.ts"
import type { Path } from "../finding/Finding.ts"
import { type BookTax, type MappingBook, taxesOf, taxOn } from "../mapping/MappingBook.ts"
import type { SourceLine, SourceTax } from "../source/SourceDocument.ts"
import { type DraftLine, spreadDiscount } from "./DraftLine.ts"
import type { Report } from "./Report.ts"
import { TranslateFinding } from "./TranslateFinding.ts"

/** Every line that can be shaped; the report is refused where one cannot. */
export const draftLines = (
  lines: ReadonlyArray<SourceLine>,
  book: MappingBook,
  taxDate: CivilDate,
  report: Report
): ReadonlyArray<DraftLine> => {
  const drafts: Array<DraftLine> = []
  for (const [index, line] of lines.entries()) {
    const origin = ["lines", index]
    if (isTextOnly(line) && !report.isUnreadable(origin)) {
      const previous = drafts.at(-1)
      if (book.policies.textLines === "append" && previous !== undefined && line.description !== undefined) {
        drafts[drafts.length - 1] = {
          ...previous,
          description: [previous.description, line.description].filter(Boolean).join("\n")
        }
      } else if (book.policies.textLines === "refuse") report.add(TranslateFinding.LINE_TEXT_ONLY, origin)
      continue
    }
    const figures = complete(line, origin, book, report)
    const tax = taxOf(line.taxes, book, taxDate, [...origin, "taxes"], report)
    if (figures === undefined || tax === undefined) continue
    drafts.push({
      origin,
      description: line.description ?? null,
      ...figures,
      ...tax,
      productCode: line.productCode ?? book.defaults.productCode
    })
  }
  return withoutNegatives(drafts, book, report)
}

/** The tax a line or charge states: exactly one; unknown ones keep their spelling so that every other check still runs. */
export const taxOf = (
  taxes: ReadonlyArray<SourceTax>,
  book: MappingBook,
  taxDate: CivilDate,
  path: Path,
  report: Report
): Pick<DraftLine, "tax" | "taxSpelling" | "statedTax"> | undefined => {
  const stated = taxes[0]
  if (taxes.length > 1) {
    const message = `a line states ${taxes.length} taxes: ${taxes.map(({ code }) => `"${code}"`).join(", ")}`
    report.add(TranslateFinding.TAX_SEVERAL, path, { message })
    return undefined
  }
  if (stated === undefined || stated.code.trim() === "") {
    report.add(TranslateFinding.TAX_UNMAPPED, path, { message: "a line states no tax code" })
    return undefined
  }
  const tax = taxOn(book, stated.code, taxDate)
  if (tax === undefined) reportUnknown(stated.code, taxesOf(book, stated.code), taxDate, path, report)
  else if (stated.percent !== undefined && !BigDecimal.equals(stated.percent, tax.percent ?? Money.zero)) {
    const percent = tax.percent === null ? "exempt" : `${Money.formatPlain(tax.percent)} %`
    const message = `tax code "${stated.code}" is ${Money.formatPlain(stated.percent)} % in the source and ${percent} in the book`
    report.add(TranslateFinding.TAX_PERCENT_DIFFERS, path, { message })
  }
  return { tax, taxSpelling: stated.code, statedTax: stated.amount }
}

const reportUnknown = (
  spelling: string,
  periods: ReadonlyArray<BookTax>,
  day: CivilDate,
  path: Path,
  report: Report
) => {
  if (periods.length === 0) {
    report.add(TranslateFinding.TAX_UNMAPPED, path, { message: `tax code "${spelling}" is not in the mapping book` })
    return
  }
  const known = periods.map(({ code, since, until }) => `${code} ${since ?? "…"} to ${until ?? "…"}`).join(", ")
  const message = `tax code "${spelling}" has no entry in the mapping book for ${day}`
  report.add(TranslateFinding.TAX_OUT_OF_PERIOD, path, { message, detail: known })
}

const isNought = (number: Money.Money | undefined) => number === undefined || BigDecimal.isZero(number)

const isTextOnly = ({ lineAmount, quantity, unitAmount }: SourceLine) =>
  isNought(lineAmount) && (isNought(unitAmount) || isNought(quantity))

type LineFigures = Pick<DraftLine, "quantity" | "unitAmount" | "lineAmount" | "discountAmount">

const complete = (line: SourceLine, origin: Path, book: MappingBook, report: Report): LineFigures | undefined => {
  const { lineAmount } = line
  const { policies } = book
  const quantity =
    line.quantity ?? (policies.quantities === "one-if-missing" && lineAmount ? BigDecimal.make(1n, 0) : undefined)
  if (quantity === undefined || BigDecimal.isZero(quantity)) {
    report.add(TranslateFinding.LINE_INCOMPLETE, [...origin, "quantity"], { message: "a line has no quantity" })
    return undefined
  }
  const fromAmount =
    policies.unitPrices === "from-line-amount" && line.discount === undefined && lineAmount !== undefined
  const unitAmount = line.unitAmount ?? (fromAmount ? Money.quotient(lineAmount, quantity, 6) : undefined)
  if (unitAmount === undefined) {
    report.add(TranslateFinding.LINE_INCOMPLETE, [...origin, "unitAmount"], { message: "a line has no unit price" })
    return undefined
  }
  checkPlaces(report, [...origin, "quantity"], quantity, 6)
  checkPlaces(report, [...origin, "unitAmount"], unitAmount, 6)
  const product = BigDecimal.multiply(quantity, unitAmount)
  const stated = statedDiscount(line, product)
  if (lineAmount === undefined) {
    const discount = stated === undefined ? null : Money.round(stated, 2)
    const amount = Money.round(BigDecimal.subtract(Money.round(product, 2), discount ?? Money.zero), 2)
    return { quantity, unitAmount, lineAmount: amount, discountAmount: positiveOrNull(discount) }
  }
  checkPlaces(report, [...origin, "lineAmount"], lineAmount, 2)
  const due = BigDecimal.subtract(product, stated ?? Money.zero)
  if (!within(due, lineAmount, Money.cent)) {
    if (fromAmount)
      return { quantity, unitAmount: Money.quotient(lineAmount, quantity, 6), lineAmount, discountAmount: null }
    const discountText = stated === undefined ? "" : ` − ${Money.formatAmount(stated)}`
    const detail = `${Money.formatPlain(quantity)} × ${Money.formatPlain(unitAmount)}${discountText} = ${Money.formatAmount(due)}, stated ${Money.formatAmount(lineAmount)}`
    report.add(TranslateFinding.LINE_AMOUNT_MISMATCH, [...origin, "lineAmount"], { detail })
    return undefined
  }
  // the discount is what makes the line amount come out to the cent, whichever way the source rounded it
  const discount = stated === undefined ? null : BigDecimal.subtract(Money.round(product, 2), lineAmount)
  return { quantity, unitAmount, lineAmount, discountAmount: positiveOrNull(discount) }
}

const positiveOrNull = (discount: Money.Money | null) =>
  discount !== null && BigDecimal.isPositive(discount) ? discount : null

const statedDiscount = ({ discount }: SourceLine, product: Money.Money): Money.Money | undefined => {
  if (discount === undefined) return undefined
  if ("amount" in discount) return BigDecimal.abs(discount.amount)
  return BigDecimal.multiply(BigDecimal.multiply(product, discount.percent), Money.cent)
}

export const within = (a: Money.Money, b: Money.Money, tolerance: Money.Money): boolean =>
  BigDecimal.isLessThanOrEqualTo(BigDecimal.abs(BigDecimal.subtract(a, b)), tolerance)

const checkPlaces = (report: Report, path: Path, number: Money.Money, places: number) => {
  if (BigDecimal.normalize(number).scale <= places) return
  const message = `${path.at(-1)} has more than ${places} decimal places`
  report.add(TranslateFinding.PRECISION_EXCEEDED, path, { message, detail: Money.formatPlain(number) })
}

const withoutNegatives = (
  drafts: ReadonlyArray<DraftLine>,
  book: MappingBook,
  report: Report
): ReadonlyArray<DraftLine> => {
  let lines = drafts.filter(({ lineAmount }) => !BigDecimal.isNegative(lineAmount))
  for (const negative of drafts) {
    if (!BigDecimal.isNegative(negative.lineAmount)) continue
    if (book.policies.negativeLines === "refuse") {
      report.add(TranslateFinding.LINE_NEGATIVE, negative.origin, { detail: Money.formatAmount(negative.lineAmount) })
      continue
    }
    const sameTax = (line: DraftLine) => line.taxSpelling === negative.taxSpelling
    const spread = spreadDiscount(lines.filter(sameTax), BigDecimal.abs(negative.lineAmount))
    if (spread === undefined) {
      report.add(TranslateFinding.DISCOUNT_UNPLACED, negative.origin, {
        detail: Money.formatAmount(negative.lineAmount)
      })
      continue
    }
    const next = spread.values()
    lines = lines.map((line) => (sameTax(line) ? next.next().value! : line))
  }
  return lines
}
