/** What the source states of the tax on each line, held against what would be sent: beyond its own rounding it refuses. */
import { BigDecimal } from "effect"
import * as Money from "../document/Money.ts"
import type { Path } from "../finding/Finding.ts"
import type { BookTax } from "../mapping/MappingBook.ts"
import type { DraftLine } from "./DraftLine.ts"
import type { Report } from "./Report.ts"
import * as Rounding from "./Rounding.ts"
import { TranslateFinding } from "./TranslateFinding.ts"

/** The tax that the source states on an amount. */
export interface TaxClaim {
  /** The line or charge. */
  readonly origin: Path
  /** What the tax is stated on, before discounts of the document are taken off. */
  readonly amount: Money.Money
  readonly stated: Money.Money
  readonly tax: BookTax
}

/**
 * Reports every claim that is not the tax on its line, before or after the document's discounts. `lines` are those that are sent; the document's
 * other basis is named where the stated taxes come out under it.
 */
export const hold = (
  claims: ReadonlyArray<TaxClaim>,
  lines: ReadonlyArray<DraftLine>,
  basis: Rounding.Basis,
  report: Report
): void => {
  const off = claims.filter((claim) => !holds(claim, amountsOf(claim, lines), basis))
  if (off.length === 0) return
  const other = basis === "inclusive" ? "exclusive" : "inclusive"
  const isOtherBasis = claims.every((claim) => holds(claim, amountsOf(claim, lines), other))
  const fix = `The stated taxes come out where amounts are ${other} of tax: state or settle them so.`
  for (const { amount, origin, stated, tax } of off) {
    const due = Rounding.taxOn(amount, tax.percent, basis)
    const percent = tax.percent === null ? "exempt" : `at ${Money.formatPlain(tax.percent)} %`
    const detail = `tax stated ${Money.formatAmount(stated)}, on ${Money.formatAmount(amount)} ${basis} of tax it is ${Money.formatAmount(due)} (${percent})`
    report.doubt("taxes", TranslateFinding.TAX_AMOUNT_DIFFERS, [...origin, "taxes"], {
      detail,
      ...(isOtherBasis && { fix })
    })
  }
}

const amountsOf = ({ amount, origin }: TaxClaim, lines: ReadonlyArray<DraftLine>): ReadonlyArray<Money.Money> => {
  const sent = lines.find((line) => line.origin[0] === origin[0] && line.origin[1] === origin[1])
  return sent === undefined ? [amount] : [amount, sent.lineAmount]
}

/** What lessens a document is written in either sign. */
const holds = (
  { amount, stated, tax }: TaxClaim,
  amounts: ReadonlyArray<Money.Money>,
  basis: Rounding.Basis
): boolean =>
  amounts.some((on) =>
    BigDecimal.isNegative(amount)
      ? Rounding.isTaxOn(BigDecimal.abs(stated), BigDecimal.abs(on), tax.percent, basis)
      : Rounding.isTaxOn(stated, on, tax.percent, basis)
  )
