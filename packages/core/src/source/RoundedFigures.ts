/** Figures that were read with 15 digits: reported once per file. */
import { formatPlain, hadNoise, isAnyRounded, type Money } from "../document/Money.ts"
import * as Finding from "../finding/Finding.ts"
import type { Provenance } from "../finding/Provenance.ts"
import type { SourceDocument, SourceTax } from "./SourceDocument.ts"
import { SourceFinding } from "./SourceFinding.ts"

const ofTaxes = (taxes: ReadonlyArray<SourceTax>): ReadonlyArray<Money | undefined> =>
  taxes.flatMap(({ amount, percent }) => [amount, percent])

const figuresOf = ({ charges, lines, totals }: SourceDocument): ReadonlyArray<Money | undefined> => [
  ...lines.flatMap(({ discount, lineAmount, quantity, taxes, totals, unitPrice }) => [
    quantity,
    unitPrice,
    lineAmount,
    ...Object.values<Money | undefined>({ ...discount, ...totals }),
    ...ofTaxes(taxes)
  ]),
  ...charges.flatMap(({ amount, taxes }) => [amount, ...ofTaxes(taxes)]),
  ...Object.values<Money | undefined>({ ...totals })
]

export class RoundedFigures {
  private readonly files = new Map<string, { readonly at: Provenance; readonly first: Money; count: number }>()

  take(source: SourceDocument): void {
    if (!isAnyRounded()) return
    const found = figuresOf(source).filter((figure) => hadNoise(figure))
    const [first] = found
    if (first === undefined) return
    const at = source.where([])
    const known = this.files.get(at.file) ?? { at, first, count: 0 }
    known.count += found.length
    this.files.set(at.file, known)
  }

  findings(): ReadonlyArray<Finding.Finding> {
    return Array.from(this.files.values(), ({ at: { file, sheet }, count, first }) =>
      Finding.make(SourceFinding.DIGITS_ROUNDED, {
        detail: `${count} ${count === 1 ? "number" : "numbers"}, the first ${formatPlain(first)}`,
        at: { file, ...(sheet !== undefined && { sheet }) }
      })
    )
  }
}
