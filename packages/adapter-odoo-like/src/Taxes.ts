import type { Item, TaxFields } from "@fiscal-connector/adapter-kit"
import type { Money } from "@fiscal-connector/core/adapter"
import { BigDecimal } from "effect"
import { found } from "./Found.ts"
import type { Joined } from "./Joined.ts"
import { idsIn } from "./Model.ts"
import type { OdooLikeOptions } from "./OdooLikeOptions.ts"

export type OdooBasis = "inclusive" | "exclusive"

export interface LineTaxes {
  readonly taxes: ReadonlyArray<TaxFields>
  /** Tax inclusion of the line's price. Empty if no tax changes the price. */
  readonly bases: ReadonlySet<OdooBasis>
  readonly items: ReadonlyArray<Item>
}

const overrides = { tax_included: "inclusive", tax_excluded: "exclusive" } as const

/** Reads the taxes of a line. `amount` is the tax stated by the line. */
export const taxesOf = (
  line: Item,
  amount: Money.Money | undefined,
  { taxes, taxesOf }: Joined,
  options: OdooLikeOptions
): LineTaxes => {
  const listed = idsIn(line, "tax_ids")
  const ids = listed.length > 0 ? listed : [...(taxesOf.get(line.text("id")) ?? [])]
  const bases = new Set<OdooBasis>()
  const items: Array<Item> = []
  if (!line.keys.includes("tax_ids") && taxesOf.size === 0)
    line.refuse("tax_ids", "the export does not say which taxes the line has", "Export tax_ids with the lines.")
  const fields = ids.flatMap((id): ReadonlyArray<TaxFields> => {
    const tax = found(line, "tax_ids", taxes, { model: "account.tax", id, missing: "refuse" })
    if (tax === undefined) return []
    items.push(tax)
    const form = tax.text("amount_type")
    const percent = tax.decimal("amount")
    if (form !== "percent")
      tax.refuse("amount_type", `a tax of the kind ${form} is not read`, "Only percents are read.")
    const basis = basisOf(tax, options)
    if (!BigDecimal.isZero(percent)) {
      if (basis !== undefined) bases.add(basis)
      else
        line.refuse(
          "tax_ids",
          `the tax ${id} does not say whether prices include it`,
          "Export price_include with the taxes, or settle what the company's prices are."
        )
    }
    // in a row, the name has a text for each language
    const name = tax.has("/name/en_US") ? tax.text("/name/en_US") : tax.text("name")
    return [{ code: name, percent, ...(ids.length === 1 && { amount }) }]
  })
  return { taxes: fields, bases, items }
}

const basisOf = (tax: Item, { amounts }: OdooLikeOptions): OdooBasis | undefined => {
  if (tax.has("price_include_override")) return tax.choice("price_include_override", overrides)
  if (tax.keys.includes("price_include")) return tax.flag("price_include") ? "inclusive" : "exclusive"
  return amounts
}
