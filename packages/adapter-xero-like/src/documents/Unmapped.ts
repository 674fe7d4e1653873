/**
 * Tax numbers and item codes of an export that no option maps. A default of the mapping book must
 * not replace them.
 */
import type { SourceDocument } from "@fiscal-connector/core/adapter"
import type { Joins } from "../joins/Joins.ts"
import type { XeroLikeOptions } from "../options/XeroLikeOptions.ts"
import type { Shape } from "../values/Shape.ts"
import { detailsIn } from "./Buyer.ts"

const unread = { settings: { unmapped: "unread" } }

/** They follow the document's own words, because the place of a word is found by its index. */
export const unmappedOf = (
  shape: Shape,
  joins: Joins,
  options: XeroLikeOptions
): ReadonlyArray<SourceDocument.SourceWord> => {
  if (options.unmapped === "unread") return []
  const number =
    options.tin === undefined && options.vatNumber === undefined
      ? detailsIn(shape, joins)?.numbers.TaxNumber?.value
      : undefined
  return [
    ...(number === undefined
      ? []
      : [
          {
            subject: "buyer-number" as const,
            name: "TaxNumber",
            text: number,
            answers: [{ settings: { tin: "TaxNumber" } }, { settings: { vatNumber: "TaxNumber" } }, unread]
          }
        ]),
    ...(options.productCode !== undefined
      ? []
      : shape.lines.flatMap((place, line): ReadonlyArray<SourceDocument.SourceWord> => {
          const text =
            place.text(shape.lineFields.itemCode) ?? place.inner(shape.lineFields.item)?.text(shape.lineFields.code)
          const answers = [{ settings: { productCode: "item-code" } }, unread]
          return text === undefined || text.trim() === ""
            ? []
            : [{ subject: "item-code", name: "ItemCode", text, line, answers }]
        }))
  ]
}
