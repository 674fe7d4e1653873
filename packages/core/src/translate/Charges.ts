/** Turned into lines or line discounts by the book's policy, otherwise refused. */
import { BigDecimal } from "effect"
import * as Money from "../document/Money.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import type { SourceCharge, SourceDocument } from "../source/SourceDocument.ts"
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
  const { book, report } = drafting
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
    const isTaxStated = charge.taxes.length > 0
    const ownTax = isTaxStated ? taxOf(charge.taxes, origin, drafting) : undefined
    if (isTaxStated && ownTax === undefined) continue
    if (ownTax !== undefined) claim(drafting, origin, amount, ownTax)
    if (drafting.basis !== undefined && (ownTax !== undefined || BigDecimal.isNegative(amount)))
      drafting.charged?.add(amount, ownTax ?? { tax: undefined, statedTax: undefined }, drafting.basis)
    if (BigDecimal.isNegative(amount)) {
      const hasPart = (line: DraftLine) => ownTax === undefined || taxKey(line) === taxKey(ownTax)
      // rounding of a total leaves the taxes unchanged
      const tax = charge.kind === "rounding" ? Money.zero : ownTax?.statedTax && BigDecimal.abs(ownTax.statedTax)
      const spread = spreadDiscount(lines, { amount: BigDecimal.abs(amount), tax, most: "all of the lines" }, hasPart)
      if ("code" in spread) report.add(spread, origin, { detail })
      else lines = spread
      continue
    }
    const tax = ownTax ?? sharedTax(drafts, book)
    if (tax === undefined) {
      report.add(TranslateFinding.CHARGE_UNTAXED, origin, { detail, fix: wayOf(charge, drafts) })
      continue
    }
    if (ownTax === undefined && drafting.basis !== undefined) drafting.charged?.addCharge(amount, tax, drafting.basis)
    const figures = { quantity: BigDecimal.make(1n, 0), unitAmount: amount, lineAmount: amount, discountAmount: null }
    const description = names[charge.kind]
    lines = [...lines, { origin, description, ...figures, ...tax, productCode: book.defaults.productCode }]
  }
  return lines
}

/**
 * Without a stated total, an amount that is the tax of the lines may be the tax of the document.
 */
export const holdTax = (
  { charges, totals }: Pick<SourceDocument, "charges" | "totals">,
  lines: ReadonlyArray<DraftLine>,
  { basis, report }: Drafting
): void => {
  if (charges.length === 0 || basis === undefined || totals.total !== undefined || totals.net !== undefined) return
  const ofGroups = Rounding.groups(lines, ({ tax }) => tax, basis).map(({ taxAmount }) => taxAmount)
  const ofLines = lines.map(
    ({ lineAmount, statedTax, tax }) => statedTax ?? Rounding.taxOn(lineAmount, tax?.percent ?? null, basis)
  )
  for (const [index, charge] of charges.entries()) {
    const amount = BigDecimal.abs(charge.amount)
    const isTax = (taxes: ReadonlyArray<Money.Money>) =>
      BigDecimal.equals(amount, BigDecimal.abs(BigDecimal.sumAll(taxes)))
    if (!BigDecimal.isZero(amount) && (isTax(ofLines) || isTax(ofGroups)))
      report.add(TranslateFinding.CHARGE_EQUALS_TAX, ["charges", index], {
        detail: `${charge.kind} ${Money.formatAmount(amount)}`
      })
  }
}

const haveOneTax = ([first, ...others]: ReadonlyArray<DraftLine>): boolean =>
  first !== undefined && others.every((line) => taxKey(line) === taxKey(first))

const sharedTax = (lines: ReadonlyArray<DraftLine>, book: MappingBook) => {
  const [first] = lines
  return book.policies.charges === "as-line-taxed-like-lines" && first !== undefined && haveOneTax(lines)
    ? { tax: first.tax, taxSpelling: first.taxSpelling, statedTax: undefined }
    : undefined
}

const setTo = (policy: MappingBook["policies"]["charges"]): string =>
  `Set \`policies.charges\` of the mapping book to \`${policy}\`.`

const wayOf = ({ kind }: SourceCharge, lines: ReadonlyArray<DraftLine>): string => {
  const stated = "state its tax in the export, or by `chargeTaxes` of a column map"
  // a tax on a rounding would change the total
  if (kind === "rounding") return `The rounding difference is a line with a tax of 0 %: ${stated}. ${setTo("as-line")}`
  return haveOneTax(lines)
    ? `${setTo("as-line-taxed-like-lines")} Or ${stated}, where it has another tax than the lines, and set it to \`as-line\`.`
    : `The lines have several taxes: ${stated}. ${setTo("as-line")}`
}
