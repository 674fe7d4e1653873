/**
 * A stated document discount that no line or charge contains: the lines may have prices before the
 * discount.
 */
import { BigDecimal } from "effect"
import * as Money from "../document/Money.ts"
import type { SourceDocument } from "../source/SourceDocument.ts"
import { statesDiscount } from "../source/StatedAmounts.ts"
import type { TranslationNotes } from "./Report.ts"
import { TranslateFinding } from "./TranslateFinding.ts"

const hasDiscount = ({ charges, lines }: SourceDocument): boolean =>
  lines.some(
    ({ discount, lineAmount }) =>
      discount !== undefined || (lineAmount !== undefined && BigDecimal.isNegative(lineAmount))
  ) || charges.some(({ amount, kind }) => kind === "discount" || BigDecimal.isNegative(amount))

/**
 * Reports each discount not found in the document. Refuses the document, unless a stated total
 * proves that prices already include the discount.
 */
export const hold = (source: SourceDocument, report: TranslationNotes): void => {
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
