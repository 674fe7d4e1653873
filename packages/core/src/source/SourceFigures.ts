/** Figures that a document states. A column that repeats one of them states nothing new. */
import { BigDecimal } from "effect"
import type { Money } from "../document/Money.ts"
import type { SourceDocument } from "./SourceDocument.ts"

/** Returns every figure of the document: its totals, charges, lines and taxes. */
export const figuresOf = ({ charges, lines, totals }: SourceDocument): ReadonlyArray<Money> => [
  ...Object.values(totals),
  ...charges.map(({ amount }) => amount),
  ...lines.flatMap((line) => [
    ...[line.quantity, line.unitPrice, line.lineAmount].flatMap((figure) => figure ?? []),
    ...Object.values(line.totals ?? {}),
    ...Object.values(line.discount ?? {}),
    ...line.taxes.flatMap(({ amount, percent }) => [amount, percent].flatMap((figure) => figure ?? []))
  ])
]

/** Tests for one of the figures, in either sign: sources write credit notes in both. */
export const isAmong = (value: Money, figures: ReadonlyArray<Money>): boolean =>
  figures.some((figure) => BigDecimal.equals(BigDecimal.abs(figure), BigDecimal.abs(value)))
