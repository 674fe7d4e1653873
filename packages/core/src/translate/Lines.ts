/** By the book's policies. Without a named policy, nothing is completed. */
import { BigDecimal } from "effect"
import * as Money from "../document/Money.ts"
import type { Path } from "../finding/Finding.ts"
import { type MappingBook, productCodeOf } from "../mapping/MappingBook.ts"
import type { SourceLine } from "../source/SourceDocument.ts"
import { type DraftLine, spreadDiscount, taxKey } from "./DraftLine.ts"
import { claim, type Drafting, taxOf } from "./LineTax.ts"
import type { TranslationNotes } from "./Report.ts"
import * as Rounding from "./Rounding.ts"
import { TranslateFinding } from "./TranslateFinding.ts"

export const draftLines = (lines: ReadonlyArray<SourceLine>, drafting: Drafting): ReadonlyArray<DraftLine> => {
  const { book, report } = drafting
  const drafts: Array<DraftLine> = []
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!
    const origin = ["lines", index]
    const description = filled(line.description)
    if (isTextOnly(line) && !report.isUnreadable(origin)) {
      const { textLines } = book.policies
      if (textLines === "refuse") report.add(TranslateFinding.LINE_TEXT_ONLY, origin)
      // a negative line becomes a discount, so text joined to the line would be lost
      const place = drafts.findLastIndex(({ lineAmount }) => !BigDecimal.isNegative(lineAmount))
      const previous = drafts[place]
      if (textLines !== "append" || description === null) continue
      if (previous !== undefined) {
        const joined = previous.description === null ? description : `${previous.description}\n${description}`
        drafts[place] = { ...previous, description: joined }
      } else if (drafts.length === lines.slice(0, index).filter((line) => !isTextOnly(line)).length) {
        const fix =
          "There is no line before it to which it could be added: move it in the source, or set `policies.textLines` to `drop`."
        report.add(TranslateFinding.LINE_TEXT_ONLY, origin, { fix })
      }
      continue
    }
    const figures = complete(line, origin, book, report)
    const linesTax = taxOf(line.taxes, origin, drafting, line)
    if (figures === undefined || linesTax === undefined) continue
    claim(drafting, origin, figures.lineAmount, linesTax, line.totals)
    // field by field for speed: runs once per line of every document
    const { discountAmount, lineAmount, quantity, unitAmount } = figures
    const { tax, taxSpelling } = linesTax
    if (drafting.basis !== undefined) drafting.charged?.add(lineAmount, linesTax, drafting.basis, line.totals)
    const productCode = productCodeOf(book, line)
    drafts.push({
      origin,
      description,
      quantity,
      unitAmount,
      lineAmount,
      discountAmount,
      taxSpelling,
      tax,
      statedTax: statedTaxOf(line, linesTax, lineAmount, drafting.basis),
      productCode
    })
  }
  return withoutNegatives(drafts, book, report)
}

/**
 * The difference between the two stated amounts comes first, because the customer was charged these
 * amounts; then the stated tax.
 */
const statedTaxOf = (
  { totals }: SourceLine,
  { statedTax }: Pick<DraftLine, "statedTax">,
  lineAmount: Money.Money,
  basis: Rounding.Basis | undefined
): Money.Money | undefined =>
  basis === "exclusive" && totals?.total !== undefined
    ? BigDecimal.subtract(totals.total, lineAmount)
    : (statedTax ?? totals?.tax)

const filled = (text: string | undefined): string | null => (text === undefined || text.trim() === "" ? null : text)

const isZero = (number: Money.Money | undefined) => number === undefined || BigDecimal.isZero(number)

const isTextOnly = ({ lineAmount, quantity, unitPrice }: SourceLine) =>
  isZero(lineAmount) && (isZero(unitPrice) || isZero(quantity))

type LineFigures = Pick<DraftLine, "quantity" | "unitAmount" | "lineAmount" | "discountAmount">

const complete = (
  line: SourceLine,
  origin: Path,
  book: MappingBook,
  report: TranslationNotes
): LineFigures | undefined => {
  const { policies } = book
  const quantity =
    line.quantity ??
    (policies.quantities === "one-if-missing" && line.lineAmount !== undefined ? BigDecimal.make(1n, 0) : undefined)
  if (quantity === undefined || BigDecimal.isZero(quantity)) {
    const fix = line.lineAmount !== undefined &&
      line.quantity === undefined && { fix: suppliedBy("quantities", "one-if-missing") }
    report.add(TranslateFinding.LINE_INCOMPLETE, [...origin, "quantity"], { message: "a line has no quantity", ...fix })
    return undefined
  }
  const unitAmount = unitAmountOf(line, quantity, policies, origin, report)
  if (unitAmount === undefined) {
    const fix = line.lineAmount !== undefined && { fix: suppliedBy("unitPrices", "from-line-amount") }
    report.add(TranslateFinding.LINE_INCOMPLETE, [...origin, "unitPrice"], {
      message: "a line has no unit price",
      ...fix
    })
    return undefined
  }
  checkPlaces(report, [...origin, "quantity"], quantity, 6)
  const wayOut = line.lineAmount !== undefined && { fix: suppliedBy("unitPrices", "from-line-amount") }
  checkPlaces(report, [...origin, "unitPrice"], unitAmount, 6, wayOut || undefined)
  if (line.discount && "amount" in line.discount) {
    checkPlaces(report, [...origin, "discount"], line.discount.amount, 2)
  }
  const product = BigDecimal.multiply(quantity, unitAmount)
  const stated = statedDiscount(line, product)
  const due = BigDecimal.subtract(product, stated ?? Money.zero)
  const lineAmount = line.lineAmount ?? Money.round(due, 2)
  checkPlaces(report, [...origin, "lineAmount"], lineAmount, 2)
  if (!Money.within(due, lineAmount, Money.cent)) {
    const discount = stated === undefined ? "" : ` − ${Money.formatAmount(stated)}`
    const sum = `${Money.formatPlain(quantity)} × ${Money.formatPlain(unitAmount)}${discount} = ${Money.formatAmount(due)}`
    const detail = `${sum}, stated ${Money.formatAmount(lineAmount)}`
    report.add(TranslateFinding.LINE_AMOUNT_MISMATCH, [...origin, "lineAmount"], { detail })
    return undefined
  }
  // the discount is the difference that makes the line amount exact to the cent, however the source
  // rounded the discount
  const discount = BigDecimal.subtract(Money.round(product, 2), lineAmount)
  const isDiscounted = stated !== undefined && BigDecimal.isPositive(discount)
  return { quantity, unitAmount, lineAmount, discountAmount: isDiscounted ? discount : null }
}

const suppliedBy = (policy: keyof MappingBook["policies"], value: string): string =>
  `State it in the source, or set \`policies.${policy}\` of the mapping book to \`${value}\`.`

const unitAmountOf = (
  line: SourceLine,
  quantity: Money.Money,
  { unitPrices }: MappingBook["policies"],
  origin: Path,
  report: TranslationNotes
): Money.Money | undefined => {
  const { lineAmount, unitPrice } = line
  if (unitPrices === "stated" || lineAmount === undefined) return unitPrice
  if (unitPrice !== undefined) {
    const product = BigDecimal.multiply(quantity, unitPrice)
    const due = BigDecimal.subtract(product, statedDiscount(line, product) ?? Money.zero)
    const isExact = BigDecimal.normalize(unitPrice).scale <= 6
    if (isExact && Money.within(due, lineAmount, Money.cent)) return unitPrice
  }
  const price = priceBehind(line.discount, lineAmount, quantity)
  if (price !== undefined && unitPrice !== undefined && !isRounded(unitPrice, price, quantity)) {
    const detail = `unit price stated ${Money.formatPlain(unitPrice)}, line amount ${Money.formatAmount(lineAmount)} / quantity ${Money.formatPlain(quantity)} gives ${Money.formatPlain(price)}`
    const path = [...origin, "unitPrice"]
    // a total proves the line amount, but not which of price and discount is wrong
    if (line.discount === undefined) report.doubt("lines", TranslateFinding.UNIT_PRICE_DIFFERS, path, { detail })
    else report.add(TranslateFinding.UNIT_PRICE_DIFFERS, path, { detail })
  }
  return price ?? unitPrice
}

/**
 * Tolerance: half a unit of the price's last place, the same for a fractional quantity, and a cent.
 */
const isRounded = (stated: Money.Money, price: Money.Money, quantity: Money.Money): boolean => {
  const size = BigDecimal.abs(quantity)
  const isWhole = BigDecimal.normalize(quantity).scale <= 0
  const ofQuantity = isWhole ? Money.zero : BigDecimal.multiply(Rounding.halfUnit(quantity), BigDecimal.abs(stated))
  const tolerance = BigDecimal.sumAll([BigDecimal.multiply(Rounding.halfUnit(stated), size), ofQuantity, Money.cent])
  return Money.within(BigDecimal.multiply(stated, size), BigDecimal.multiply(price, size), tolerance)
}

/** To 6 places. Undefined if the discount leaves nothing. */
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

/** A discount brings a line nearer to zero, whichever sign the source writes. */
const statedDiscount = ({ discount }: SourceLine, product: Money.Money): Money.Money | undefined => {
  if (discount === undefined) return undefined
  const size =
    "amount" in discount
      ? BigDecimal.abs(discount.amount)
      : BigDecimal.abs(BigDecimal.multiply(BigDecimal.multiply(product, discount.percent), Money.cent))
  return BigDecimal.isNegative(product) ? BigDecimal.negate(size) : size
}

/** Reports a number with more decimal places than the gateway accepts (DOC-8). */
export const checkPlaces = (
  report: TranslationNotes,
  path: Path,
  number: Money.Money,
  places: number,
  wayOut?: { readonly fix: string }
) => {
  if (number.scale <= places || BigDecimal.normalize(number).scale <= places) return
  const message = `${path.at(-1)} has more than ${places} decimal places`
  report.add(TranslateFinding.PRECISION_EXCEEDED, path, { message, detail: Money.formatPlain(number), ...wayOut })
}

const withoutNegatives = (
  drafts: ReadonlyArray<DraftLine>,
  book: MappingBook,
  report: TranslationNotes
): ReadonlyArray<DraftLine> => {
  if (!drafts.some(({ lineAmount }) => BigDecimal.isNegative(lineAmount))) return drafts
  let lines: ReadonlyArray<DraftLine> = drafts.filter(({ lineAmount }) => !BigDecimal.isNegative(lineAmount))
  const isMore = BigDecimal.isPositive(BigDecimal.sumAll(drafts.map(({ lineAmount }) => lineAmount)))
  const fix = isMore
    ? undefined
    : { fix: "The lines add up to 0 or less. If the document is a credit note, state this in the export." }
  for (const negative of drafts) {
    if (!BigDecimal.isNegative(negative.lineAmount)) continue
    if (book.policies.negativeLines === "refuse") {
      report.add(TranslateFinding.LINE_NEGATIVE, negative.origin, {
        detail: Money.formatAmount(negative.lineAmount),
        ...fix
      })
      continue
    }
    const hasPart = (line: DraftLine) => taxKey(line) === taxKey(negative)
    const tax = negative.statedTax && BigDecimal.abs(negative.statedTax)
    const spread = spreadDiscount(lines, { amount: BigDecimal.abs(negative.lineAmount), tax }, hasPart)
    if ("code" in spread) report.add(spread, negative.origin, { detail: Money.formatAmount(negative.lineAmount) })
    else lines = spread
  }
  return lines
}
