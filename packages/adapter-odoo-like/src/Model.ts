import type { Item } from "@fiscal-connector/adapter-kit"

export type Model = "move" | "line" | "tax" | "partner" | "currency" | "tax of a line"

const names: { readonly [name: string]: Model } = {
  account_move: "move",
  account_move_line: "line",
  account_tax: "tax",
  res_partner: "partner",
  res_currency: "currency",
  account_move_line_account_tax_rel: "tax of a line"
}

/** In order of precedence: a line of a move refers to a move, and a move does not. */
const fields: ReadonlyArray<readonly [Model, ReadonlyArray<string>]> = [
  ["tax of a line", ["account_move_line_id", "account_tax_id"]],
  ["line", ["move_id", "price_unit"]],
  ["move", ["move_type", "state"]],
  ["tax", ["amount_type", "amount"]],
  ["currency", ["symbol", "rounding"]],
  ["partner", ["vat", "name"]]
]

export const modelOf = (record: Item): Model | undefined => {
  const named = record.list.replaceAll(".", "_")
  if (Object.hasOwn(names, named)) return names[named]
  return fields.find(([, own]) => own.every((field) => record.keys.includes(field)))?.[0]
}

/** Returns the id of a referenced record: `[7, "Name"]`, or a plain 7 in a row. */
export const idIn = (record: Item, field: string): string | undefined =>
  record.has(`/${field}/0`) ? record.optional.text(`/${field}/0`) : record.optional.text(field)

export const labelIn = (record: Item, field: string): string | undefined => record.optional.text(`/${field}/1`)

export const idsIn = (record: Item, field: string): ReadonlyArray<string> => {
  const ids: Array<string> = []
  while (record.has(`/${field}/${ids.length}`)) ids.push(record.optional.text(`/${field}/${ids.length}`) ?? "")
  return ids
}
