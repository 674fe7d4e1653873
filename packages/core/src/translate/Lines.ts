/** Source lines with their figures completed and checked, by the book's policies; nothing is completed that no policy names. */
import { BigDecimal } from "effect"
import type { CivilDate } from "../document/CivilDate.ts"
import * as Money from "../document/Money.ts"
import type { Path } from "../finding/Finding.ts"
import { type BookTax, type MappingBook, productCodeOf, taxesOf, taxOn } from "../mapping/MappingBook.ts"
import type { SourceLine, SourceTax } from "../source/SourceDocument.ts"
import { type DraftLine, spreadDiscount, taxKey } from "./DraftLine.ts"
import type { Report } from "./Report.ts"
import * as Rounding from "./Rounding.ts"
import type { Claim } from "./StatedOnLines.ts"
import { TranslateFinding } from "./TranslateFinding.ts"

/** What lines and charges are drafted with. */
export interface Drafting {
  readonly book: MappingBook
  /** Taxes are looked up on this day. */
  readonly taxDate: CivilDate
  readonly report: Report
  /** Collects what the source states of lines beside their amounts. */
  readonly claims: Array<Claim>
}

/** Every line that can be shaped; the report is refused where one cannot. */
export const draftLines = (lines: ReadonlyArray<SourceLine>, drafting: Drafting): ReadonlyArray<DraftLine> => {
  const { book, report } = drafting
  const drafts: Array<DraftLine> = []
  for (const [index, line] of lines.entries()) {
    const origin = ["lines", index]
    const description = filled(line.description)
    if (isTextOnly(line) && !report.isUnreadable(origin)) {
      const { textLines } = book.policies
      if (textLines === "refuse") report.add(TranslateFinding.LINE_TEXT_ONLY, origin)
      // a negative line becomes a discount and leaves no text behind
      const place = drafts.findLastIndex(({ lineAmount }) => !BigDecimal.isNegative(lineAmount))
      const previous = drafts[place]
      if (textLines !== "append" || description === null) continue
      if (previous !== undefined) {
        const joined = previous.description === null ? description : `${previous.description}\n${description}`
        drafts[place] = { ...previous, description: joined }
      } else if (drafts.length === lines.slice(0, index).filter((line) => !isTextOnly(line)).length) {
        const fix =
          "No line stands before it to join it to: move it in the source, or set `policies.textLines` to `drop`."
        report.add(TranslateFinding.LINE_TEXT_ONLY, origin, { fix })
      }
      continue
    }
    const figures = complete(line, origin, book, report)
    const tax = taxOf(line.taxes, [...origin, "taxes"], drafting)
    if (figures === undefined || tax === undefined) continue
    claim(drafting, origin, figures.lineAmount, tax, line.totals)
    drafts.push({ origin, description, ...figures, ...tax, productCode: productCodeOf(book, line) })
  }
  return withoutNegatives(drafts, book, report)
}

type LineTax = Pick<DraftLine, "tax" | "taxSpelling" | "statedTax">

/** Keeps what is stated of an amount and its tax, to be held against it once it is known what amounts include. */
export const claim = (
  { claims }: Drafting,
  origin: Path,
  amount: Money.Money,
  { statedTax, tax }: LineTax,
  { net, tax: wholeTax, total }: NonNullable<SourceLine["totals"]> = {}
): void => {
  if (tax === undefined) return
  for (const [figure, stated] of [
    ["tax", statedTax],
    ["tax", wholeTax],
    ["net", net],
    ["total", total]
  ] as const) {
    if (stated !== undefined) claims.push({ origin, amount, figure, stated, tax })
  }
}

/** The tax a line or charge states: exactly one; unknown ones keep their spelling so that every other check still runs. */
export const taxOf = (
  taxes: ReadonlyArray<SourceTax>,
  path: Path,
  { book, report, taxDate }: Drafting
): LineTax | undefined => {
  const stated = taxes[0]
  if (taxes.length > 1) {
    const message = `a line states ${taxes.length} taxes: ${taxes.map(({ code }) => `"${code}"`).join(", ")}`
    report.add(TranslateFinding.TAX_SEVERAL, path, { message })
    return undefined
  }
  const spelling = stated?.code.trim() ?? ""
  if (stated === undefined || spelling === "") {
    report.add(TranslateFinding.TAX_UNMAPPED, path, { message: "a line states no tax code" })
    return undefined
  }
  const tax = taxOn(book, spelling, taxDate)
  if (tax === undefined) reportUnknown({ ...stated, code: spelling }, taxesOf(book, spelling), taxDate, path, report)
  else if (stated.percent !== undefined && !isPercent(stated.percent, tax.percent ?? Money.zero)) {
    const percent = tax.percent === null ? "exempt" : `${Money.formatPlain(tax.percent)} %`
    const message = `tax code "${spelling}" is ${Money.formatPlain(stated.percent)} % in the source and ${percent} in the book`
    report.doubt("taxes", TranslateFinding.TAX_PERCENT_DIFFERS, path, { message })
  }
  return { tax, taxSpelling: spelling, statedTax: stated.amount }
}

/** Whether a stated percent is the book's. One with decimals may be rounded to them; a whole one is meant as it stands: 15 is not 15.5. */
const isPercent = (stated: Money.Money, percent: Money.Money): boolean => {
  const { scale } = BigDecimal.normalize(stated)
  return within(stated, percent, scale <= 0 ? Money.zero : BigDecimal.make(5n, scale + 1))
}

const reportUnknown = (
  { code: spelling, percent }: SourceTax,
  periods: ReadonlyArray<BookTax>,
  day: CivilDate,
  path: Path,
  report: Report
) => {
  const unmapped = {
    what: "tax" as const,
    spelling,
    day,
    ...(percent !== undefined && { percent: Money.formatPlain(percent) })
  }
  if (periods.length === 0) {
    const message = `tax code "${spelling}" is not in the mapping book`
    report.add(TranslateFinding.TAX_UNMAPPED, path, { message, unmapped })
    return
  }
  const known = periods.map(({ code, since, until }) => `${code} ${since ?? "…"} to ${until ?? "…"}`).join(", ")
  const message = `tax code "${spelling}" has no entry in the mapping book for ${day}`
  report.add(TranslateFinding.TAX_OUT_OF_PERIOD, path, { message, detail: known, unmapped })
}

const filled = (text: string | undefined): string | null => (text === undefined || text.trim() === "" ? null : text)

const isNought = (number: Money.Money | undefined) => number === undefined || BigDecimal.isZero(number)

const isTextOnly = ({ lineAmount, quantity, unitAmount }: SourceLine) =>
  isNought(lineAmount) && (isNought(unitAmount) || isNought(quantity))

type LineFigures = Pick<DraftLine, "quantity" | "unitAmount" | "lineAmount" | "discountAmount">

const complete = (line: SourceLine, origin: Path, book: MappingBook, report: Report): LineFigures | undefined => {
  const { policies } = book
  const quantity =
    line.quantity ??
    (policies.quantities === "one-if-missing" && line.lineAmount !== undefined ? BigDecimal.make(1n, 0) : undefined)
  if (quantity === undefined || BigDecimal.isZero(quantity)) {
    report.add(TranslateFinding.LINE_INCOMPLETE, [...origin, "quantity"], { message: "a line has no quantity" })
    return undefined
  }
  const unitAmount = unitAmountOf(line, quantity, policies, origin, report)
  if (unitAmount === undefined) {
    report.add(TranslateFinding.LINE_INCOMPLETE, [...origin, "unitAmount"], { message: "a line has no unit price" })
    return undefined
  }
  checkPlaces(report, [...origin, "quantity"], quantity, 6)
  checkPlaces(report, [...origin, "unitAmount"], unitAmount, 6)
  if (line.discount && "amount" in line.discount) {
    checkPlaces(report, [...origin, "discount"], line.discount.amount, 2)
  }
  const product = BigDecimal.multiply(quantity, unitAmount)
  const stated = statedDiscount(line, product)
  const due = BigDecimal.subtract(product, stated ?? Money.zero)
  const lineAmount = line.lineAmount ?? Money.round(due, 2)
  checkPlaces(report, [...origin, "lineAmount"], lineAmount, 2)
  if (!within(due, lineAmount, Money.cent)) {
    const discount = stated === undefined ? "" : ` − ${Money.formatAmount(stated)}`
    const sum = `${Money.formatPlain(quantity)} × ${Money.formatPlain(unitAmount)}${discount} = ${Money.formatAmount(due)}`
    const detail = `${sum}, stated ${Money.formatAmount(lineAmount)}`
    report.add(TranslateFinding.LINE_AMOUNT_MISMATCH, [...origin, "lineAmount"], { detail })
    return undefined
  }
  // the discount is what makes the line amount come out to the cent, whichever way the source rounded it
  const discount = BigDecimal.subtract(Money.round(product, 2), lineAmount)
  const isDiscounted = stated !== undefined && BigDecimal.isPositive(discount)
  return { quantity, unitAmount, lineAmount, discountAmount: isDiscounted ? discount : null }
}

const unitAmountOf = (
  line: SourceLine,
  quantity: Money.Money,
  { unitPrices }: MappingBook["policies"],
  origin: Path,
  report: Report
): Money.Money | undefined => {
  const { lineAmount, unitAmount } = line
  if (unitPrices === "stated" || lineAmount === undefined) return unitAmount
  if (unitAmount !== undefined) {
    const product = BigDecimal.multiply(quantity, unitAmount)
    const due = BigDecimal.subtract(product, statedDiscount(line, product) ?? Money.zero)
    if (within(due, lineAmount, Money.cent)) return unitAmount
  }
  const price = priceBehind(line.discount, lineAmount, quantity)
  if (price !== undefined && unitAmount !== undefined && !isRounded(unitAmount, price, quantity)) {
    report.doubt("lines", TranslateFinding.UNIT_PRICE_DIFFERS, [...origin, "unitAmount"], {
      detail: `unit price stated ${Money.formatPlain(unitAmount)}, line amount ${Money.formatAmount(lineAmount)} / quantity ${Money.formatPlain(quantity)} gives ${Money.formatPlain(price)}`
    })
  }
  return price ?? unitAmount
}

/** Whether a stated unit price is a rounding of the one that gives the line amount: its own places, those of a fractional quantity, and a cent. */
const isRounded = (stated: Money.Money, price: Money.Money, quantity: Money.Money): boolean => {
  const size = BigDecimal.abs(quantity)
  const isWhole = BigDecimal.normalize(quantity).scale <= 0
  const ofQuantity = isWhole ? Money.zero : BigDecimal.multiply(Rounding.halfUnit(quantity), BigDecimal.abs(stated))
  const tolerance = BigDecimal.sumAll([BigDecimal.multiply(Rounding.halfUnit(stated), size), ofQuantity, Money.cent])
  return within(BigDecimal.multiply(stated, size), BigDecimal.multiply(price, size), tolerance)
}

/** The unit price to 6 places that gives the line amount after the discount; none where the discount leaves nothing. */
const priceBehind = (
  discount: SourceLine["discount"],
  lineAmount: Money.Money,
  quantity: Money.Money
): Money.Money | undefined => {
  if (discount === undefined) return Money.quotient(lineAmount, quantity, 6)
  if ("amount" in discount) {
    const size = BigDecimal.abs(discount.amount)
    const signed = BigDecimal.isNegative(lineAmount) ? BigDecimal.negate(size) : size
    return Money.quotient(BigDecimal.sum(lineAmount, signed), quantity, 6)
  }
  const left = BigDecimal.subtract(hundred, BigDecimal.abs(discount.percent))
  if (!BigDecimal.isPositive(left)) return undefined
  return Money.quotient(BigDecimal.multiply(lineAmount, hundred), BigDecimal.multiply(left, quantity), 6)
}

const hundred = BigDecimal.make(100n, 0)

/** A discount brings a line nearer to nought, whichever sign the source writes before it. */
const statedDiscount = ({ discount }: SourceLine, product: Money.Money): Money.Money | undefined => {
  if (discount === undefined) return undefined
  const size =
    "amount" in discount
      ? BigDecimal.abs(discount.amount)
      : BigDecimal.abs(BigDecimal.multiply(BigDecimal.multiply(product, discount.percent), Money.cent))
  return BigDecimal.isNegative(product) ? BigDecimal.negate(size) : size
}

export const within = (a: Money.Money, b: Money.Money, tolerance: Money.Money): boolean =>
  BigDecimal.isLessThanOrEqualTo(BigDecimal.abs(BigDecimal.subtract(a, b)), tolerance)

/** Reports a number with more decimal places than the gateway takes (DOC-8). */
export const checkPlaces = (report: Report, path: Path, number: Money.Money, places: number) => {
  if (number.scale <= places || BigDecimal.normalize(number).scale <= places) return
  const message = `${path.at(-1)} has more than ${places} decimal places`
  report.add(TranslateFinding.PRECISION_EXCEEDED, path, { message, detail: Money.formatPlain(number) })
}

const withoutNegatives = (
  drafts: ReadonlyArray<DraftLine>,
  book: MappingBook,
  report: Report
): ReadonlyArray<DraftLine> => {
  let lines: ReadonlyArray<DraftLine> = drafts.filter(({ lineAmount }) => !BigDecimal.isNegative(lineAmount))
  for (const negative of drafts) {
    if (!BigDecimal.isNegative(negative.lineAmount)) continue
    if (book.policies.negativeLines === "refuse") {
      report.add(TranslateFinding.LINE_NEGATIVE, negative.origin, { detail: Money.formatAmount(negative.lineAmount) })
      continue
    }
    const hasPart = (line: DraftLine) => taxKey(line) === taxKey(negative)
    const tax = negative.statedTax && BigDecimal.abs(negative.statedTax)
    const spread = spreadDiscount(lines, { amount: BigDecimal.abs(negative.lineAmount), tax }, hasPart)
    if (spread === undefined) {
      const detail = Money.formatAmount(negative.lineAmount)
      report.add(TranslateFinding.DISCOUNT_UNPLACED, negative.origin, { detail })
    } else lines = spread
  }
  return lines
}
