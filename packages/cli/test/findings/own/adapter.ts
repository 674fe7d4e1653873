/**
 * Adapter as an integrator may write it, for the kit's codes that our own adapters cannot cause.
 */
import { defineAdapter, type Item, type Kit } from "@fiscal-connector/adapter-kit"

const documentOf = (row: Item, { document }: Pick<Kit<object, undefined>, "document">) => {
  if (row.has("note")) row.warn("note", "the till wrote a note, and nobody read it")
  return document(row, {
    kind: "invoice",
    id: row.text("id"),
    number: row.text("id"),
    date: row.date("day"),
    taxMode: "exclusive",
    currency: row.optional.text("currency"),
    buyer: { name: row.text("customer") },
    modified: row.has("saved") ? row.instant("saved") : undefined,
    lines: row.has("lines") ? row.each("lines", lineOf) : [lineOf(row)]
  })
}

const lineOf = (row: Item) => ({
  description: row.text("item"),
  quantity: row.decimal("quantity"),
  unitPrice: row.has("money") ? row.money("money").amount : row.decimal("price"),
  taxCode: "Standard"
})

const columns = ["id", "day", "currency", "customer", "item", "quantity"]

export default defineAdapter({
  name: "till",
  extensions: [".json"],
  async *read(file, kit) {
    const driver: Array<Record<string, unknown>> = []
    for await (const row of kit.json.items(file, "/sales")) {
      if (row.has("float")) {
        // Floating-point numbers, as a database driver returns them.
        driver.push({
          ...Object.fromEntries(columns.map((column) => [column, row.text(column)])),
          price: Number(row.text("float"))
        })
        kit.companion(row)
      } else if (row.has("customer")) yield documentOf(row, kit)
      // Every other record is forgotten, as may happen to an author.
    }
    for await (const row of kit.rows(file, driver)) yield documentOf(row, kit)
  }
})
