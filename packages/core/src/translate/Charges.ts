/** Turned into lines or line discounts by the book's policy, otherwise refused. */
import { BigDecimal } from "effect"
import * as Money from "../document/Money.ts"
import { isOn, type MappingBook } from "../mapping/MappingBook.ts"
import type { SourceCharge } from "../source/SourceDocument.ts"
import { type DraftLine, spreadDiscount, taxKey } from "./DraftLine.ts"
import { checkPlaces } from "./Lines.ts"
import { claim, type Drafting, taxOf } from "./LineTax.ts"
import * as Rounding from "./Rounding.ts"
import { TranslateFinding } from "./TranslateFinding.ts"

const names = { shipping: "Shipping", fee: "Fee", adjustment: "Adjustment", rounding: "Rounding", discount: "Discount" }

/** Discounts reduce the document, whichever sign the source writes. */
const effectOf = ({ amount, kind }: SourceCharge): Money.Money =>
  kind === "discount" ? BigDecimal.negate(BigDecimal.abs(amount)) : amount

export const sumOf = (charges: ReadonlyArray<SourceCharge>): Money.Money => BigDecimal.sumAll(charges.map(effectOf))

export const withCharges = (
  drafts: ReadonlyArray<DraftLine>,
  charges: ReadonlyArray<SourceCharge>,
  drafting: Drafting
): ReadonlyArray<DraftLine> => {
  if (charges.length === 0) return drafts
  const { basis, book, charged, report } = drafting
  let lines = drafts
  for (const [index, charge] of charges.entries()) {
    const origin = ["charges", index]
    const amount = effectOf(charge)
    if (BigDecimal.isZero(amount)) continue
    const detail = `${charge.kind} ${Money.formatAmount(amount)}`
    // a discount is deducted from the lines and shares their tax
    const isTaxed = charge.taxes.length > 0 || BigDecimal.isNegative(amount)
    if (book.policies.charges === "refuse") {
      const fix = isTaxed ? setTo("as-line") : wayOf(charge, drafts)
      report.add(TranslateFinding.CHARGE_UNDECIDED, origin, { detail, fix })
      continue
    }
    checkPlaces(report, [...origin, "amount"], charge.amount, 2)
    // without a stated total, the amount may be the tax of the document
    if (charged !== undefined && basis !== undefined && isTaxOf(drafts, amount, basis))
      report.add(TranslateFinding.CHARGE_EQUALS_TAX, origin, { detail })
    const isTaxStated = charge.taxes.length > 0
    const ownTax = isTaxStated ? taxOf(charge.taxes, origin, drafting) : undefined
    if (isTaxStated && ownTax === undefined) continue
    if (ownTax !== undefined) claim(drafting, origin, amount, ownTax)
    if (basis !== undefined && (ownTax !== undefined || BigDecimal.isNegative(amount)))
      charged?.add(amount, ownTax ?? { tax: undefined, statedTax: undefined }, basis)
    if (BigDecimal.isNegative(amount)) {
      const hasPart = (line: DraftLine) => ownTax === undefined || taxKey(line) === taxKey(ownTax)
      // rounding of a total leaves the taxes unchanged
      const tax = charge.kind === "rounding" ? Money.zero : ownTax?.statedTax && BigDecimal.abs(ownTax.statedTax)
      const spread = spreadDiscount(lines, { amount: BigDecimal.abs(amount), tax, most: "all of the lines" }, hasPart)
      if ("code" in spread) report.add(spread, origin, { detail })
      else lines = spread
      continue
    }
    const tax = ownTax ?? sharedTax(charge, drafts, drafting)
    if (tax === undefined) {
      report.add(TranslateFinding.CHARGE_UNTAXED, origin, { detail, fix: wayOf(charge, drafts) })
      continue
    }
    if (ownTax === undefined && basis !== undefined) charged?.addCharge(amount, tax, basis)
    const figures = { quantity: BigDecimal.make(1n, 0), unitAmount: amount, lineAmount: amount, discountAmount: null }
    const description = names[charge.kind]
    lines = [...lines, { origin, description, ...figures, ...tax, productCode: book.defaults.productCode }]
  }
  return lines
}

/** Line by line, or once for each tax. */
const isTaxOf = (lines: ReadonlyArray<DraftLine>, amount: Money.Money, basis: Rounding.Basis): boolean =>
  [
    Rounding.groups(lines, ({ tax }) => tax, basis).map(({ taxAmount }) => taxAmount),
    lines.map(({ lineAmount, statedTax, tax }) => statedTax ?? Rounding.taxOn(lineAmount, tax?.percent ?? null, basis))
  ].some((taxes) => BigDecimal.equals(BigDecimal.abs(BigDecimal.sumAll(taxes)), BigDecimal.abs(amount)))

const haveOneTax = ([first, ...others]: ReadonlyArray<DraftLine>): boolean =>
  first !== undefined && others.every((line) => taxKey(line) === taxKey(first))

/** The tax of all lines, or the book's of charges. A tax on a rounding would change the total. */
const sharedTax = ({ kind }: SourceCharge, lines: ReadonlyArray<DraftLine>, { book, taxDate }: Drafting) => {
  const isLike = book.policies.charges === "as-line-taxed-like-lines" && haveOneTax(lines)
  const tax = book.taxes.find((one) => one.lines === "charges" && isOn(taxDate)(one))
  const of = isLike ? lines[0] : kind !== "rounding" && tax && { tax, taxSpelling: "" }
  return of ? { tax: of.tax, taxSpelling: of.taxSpelling, statedTax: undefined } : undefined
}

const setTo = (policy: MappingBook["policies"]["charges"]): string =>
  `Set \`policies.charges\` of the mapping book to \`${policy}\`.`

const wayOf = ({ kind }: SourceCharge, lines: ReadonlyArray<DraftLine>): string => {
  const stated = "State its tax in the export, or by `chargeTaxes` of a column map"
  if (kind === "rounding") return `${stated}, as 0 %. ${setTo("as-line")}`
  const shared = haveOneTax(lines) ? `${setTo("as-line-taxed-like-lines")} Or: ` : ""
  return `${shared}${stated}, or in \`taxes\` of the mapping book: "from": [""], "lines": "charges". ${setTo("as-line")}`
}
