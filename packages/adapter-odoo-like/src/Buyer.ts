import type { BuyerFields, Item, UnmappedFields } from "@fiscal-connector/adapter-kit"
import { found } from "./Found.ts"
import type { Joined } from "./Joined.ts"
import { idIn, labelIn } from "./Model.ts"
import { type OdooLikeOptions, taxNumbers } from "./OdooLikeOptions.ts"

export interface OdooBuyer {
  readonly buyer: BuyerFields | undefined
  readonly items: ReadonlyArray<Item>
  readonly unmapped: ReadonlyArray<UnmappedFields>
}

/** `till`: a receipt does not need a buyer. */
export const buyerOf = (
  row: Item,
  { partners }: Joined,
  { missingPartners, tin, vatNumber }: OdooLikeOptions,
  sold: "till" | "account"
): OdooBuyer => {
  const missing = missingPartners === undefined ? "refuse" : "ignore"
  const id = idIn(row, "partner_id")
  if (id === undefined) {
    if (sold === "account" && missing === "refuse") row.refuse("partner_id", "the document names no partner")
    return { buyer: undefined, items: [], unmapped: [] }
  }
  const label = labelIn(row, "partner_id")
  const stated = { id: idIn(row, "commercial_partner_id") ?? id, name: labelIn(row, "commercial_partner_id") ?? label }
  if (partners.size === 0) {
    if (stated.name === undefined && missing === "refuse")
      row.refuse("partner_id", "the partner has an id and no name", "Give the export of res.partner as well.")
    return { buyer: stated, items: [], unmapped: [] }
  }
  const contact = found(row, "partner_id", partners, { model: "res.partner", id, missing })
  if (contact === undefined) return { buyer: stated, items: [], unmapped: [] }
  const names = ["display_name", "complete_name", "name"].map((field) => contact.optional.text(field))
  const [own] = names.slice(-1)
  if (label !== undefined && own !== undefined && !names.includes(label) && !label.endsWith(`, ${own}`))
    row.refuse(
      "partner_id",
      `the partner ${id} has another name in res.partner`,
      "Export all models again, at one time."
    )
  const legalId = idIn(row, "commercial_partner_id") ?? idIn(contact, "commercial_partner_id") ?? id
  const legal =
    legalId === id ? contact : found(row, "partner_id", partners, { model: "res.partner", id: legalId, missing })
  if (legal === undefined) return { buyer: stated, items: [contact], unmapped: [] }
  const buyer = {
    id: legalId,
    name: legal.optional.text("name") ?? stated.name,
    tin: tin && legal.optional.text(tin),
    vatNumber: vatNumber && legal.optional.text(vatNumber),
    phone: legal.optional.text("phone"),
    email: contact.optional.text("email") ?? legal.optional.text("email")
  }
  return {
    buyer,
    items: legal === contact ? [contact] : [contact, legal],
    unmapped: tin === undefined && vatNumber === undefined ? taxNumbers.map((key) => numberIn(legal, key)) : []
  }
}

const numberIn = (item: Item, key: (typeof taxNumbers)[number]): UnmappedFields => ({
  subject: "buyer-number",
  item,
  key,
  answers: [{ settings: { tin: key } }, { settings: { vatNumber: key } }]
})
