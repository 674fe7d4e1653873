/** Figures are positive on the wire (DOC-4), but sources use any sign. */
import { BigDecimal } from "effect"
import * as Money from "../document/Money.ts"
import type { SourceDocument, SourceLine, SourceTax } from "../source/SourceDocument.ts"

type SignedParts = Pick<SourceDocument, "lines" | "charges" | "totals">

/**
 * Returns the document's figures, positive for a credit note.
 *
 * Lines and totals are negated separately, each if its own sum is negative, so a file with negative
 * totals over positive lines is read too. A line against the note's own direction stays negative.
 */
export const normalized = (source: SourceDocument): SignedParts => {
  if (source.kind === "invoice") return source
  const lines = BigDecimal.sumAll(source.lines.map(worth))
  const charges = BigDecimal.sumAll(
    source.charges.map(({ amount, kind }) => (kind === "discount" ? Money.zero : amount))
  )
  const isTurned = BigDecimal.isNegative(BigDecimal.isZero(lines) ? charges : lines)
  const total = source.totals.total ?? source.totals.net ?? source.totals.tax ?? Money.zero
  const turn = (amount: Money.Money) => (isTurned ? BigDecimal.negate(amount) : amount)
  return {
    lines: source.lines.map((line) => positiveLine(line, turn)),
    charges: source.charges.map((charge) => ({
      ...charge,
      amount: turn(charge.amount),
      taxes: charge.taxes.map((tax) => withAmount(tax, turn))
    })),
    totals: BigDecimal.isNegative(total) ? mapValues(source.totals, BigDecimal.negate) : source.totals
  }
}

const worth = ({ lineAmount, quantity, unitPrice }: SourceLine): Money.Money =>
  lineAmount ??
  (quantity === undefined || unitPrice === undefined ? Money.zero : BigDecimal.multiply(quantity, unitPrice))

const positiveLine = (line: SourceLine, turn: (amount: Money.Money) => Money.Money): SourceLine => {
  const amount = turn(worth(line))
  const signed = (figure: Money.Money) =>
    BigDecimal.isNegative(amount) ? BigDecimal.negate(BigDecimal.abs(figure)) : BigDecimal.abs(figure)
  return {
    ...line,
    ...(line.quantity && { quantity: BigDecimal.abs(line.quantity) }),
    ...(line.unitPrice && { unitPrice: signed(line.unitPrice) }),
    ...(line.lineAmount && { lineAmount: amount }),
    ...(line.discount && "amount" in line.discount && { discount: { amount: BigDecimal.abs(line.discount.amount) } }),
    ...(line.totals && { totals: mapValues(line.totals, signed) }),
    taxes: line.taxes.map((tax) => withAmount(tax, signed))
  }
}

const withAmount = (tax: SourceTax, turned: (amount: Money.Money) => Money.Money): SourceTax =>
  tax.amount === undefined ? tax : { ...tax, amount: turned(tax.amount) }

const mapValues = (totals: SignedParts["totals"], f: (amount: Money.Money) => Money.Money): SignedParts["totals"] =>
  Object.fromEntries(Object.entries<Money.Money>(totals).map(([name, amount]) => [name, f(amount)]))
