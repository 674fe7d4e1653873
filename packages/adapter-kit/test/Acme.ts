/** Small adapter in both forms, as shown in docs/adapters.md. */
import { defineAdapter, type Item, type Kit } from "@fiscal-connector/adapter-kit"
import { Schema, Stream } from "effect"

const options = { since: Schema.optionalKey(Schema.String) }
type Options = Schema.Struct.Type<typeof options>

const reading = (row: Item, { document, options, skip }: Kit<Options, undefined>) => {
  if (row.text("status") === "draft") return skip(row, "draft")
  if (options.since !== undefined && row.date("date") < options.since) return skip(row, "before --acme-since")
  return document(row, {
    kind: row.choice("type", { sale: "invoice", refund: "credit-note" }),
    id: row.text("id"),
    number: row.text("ref"),
    date: row.date("date"),
    currency: row.text("currency"),
    taxMode: "exclusive",
    buyer: { name: row.optional.text("/customer/name"), vatNumber: row.optional.text("/customer/vat") },
    originals: [{ by: "id", value: row.optional.text("of") }],
    lines: row.each("lines", (line) => ({
      description: line.text("label"),
      quantity: line.decimal("qty"),
      unitPrice: line.decimal("price"),
      taxCode: line.text("vat")
    }))
  })
}

export const acme = defineAdapter({
  name: "acme",
  extensions: [".json"],
  options,
  async *read(file, kit) {
    for await (const row of kit.json.items(file, "/rows")) yield reading(row, kit)
  }
})

export const acmeInEffect = defineAdapter({
  name: "acme",
  extensions: [".json"],
  options,
  read: (file, kit) => Stream.map(kit.json.items(file, "/rows").stream, (row) => reading(row, kit))
})
