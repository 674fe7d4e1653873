/** A discount that the export states of a whole document and that nothing of the document has: the lines may be at their prices before it. */
import { BigDecimal } from "effect"
import * as Money from "../document/Money.ts"
import type { SourceDocument } from "../source/SourceDocument.ts"
import { statesDiscount } from "../source/StatedAmounts.ts"
import type { Report } from "./Report.ts"
import { TranslateFinding } from "./TranslateFinding.ts"

/** Whether a line or a charge lessens the document. */
const hasDiscount = ({ charges, lines }: SourceDocument): boolean =>
  lines.some(
    ({ discount, lineAmount }) =>
      discount !== undefined || (lineAmount !== undefined && BigDecimal.isNegative(lineAmount))
  ) || charges.some(({ amount, kind }) => kind === "discount" || BigDecimal.isNegative(amount))

/** Reports each such discount. It refuses the document, unless a stated total proves that the prices have it already. */
export const hold = (source: SourceDocument, report: Report): void => {
  source.amounts?.forEach(({ answers, name, values }, i) => {
    const stated = statesDiscount(name) ? values.find((value) => !BigDecimal.isZero(value)) : undefined
    if (stated === undefined || hasDiscount(source)) return
    report.doubt("lines", TranslateFinding.DISCOUNT_NOWHERE, ["amounts", i], {
      message: `"${name}" states a discount, and neither a line nor a charge has one`,
      detail: Money.formatAmount(stated),
      ...(answers && { answers })
    })
  })
}
