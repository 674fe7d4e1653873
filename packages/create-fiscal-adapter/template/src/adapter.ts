/** Reads the exports of acme. States the values of the export, and decides nothing. */
import { defineAdapter } from "@fiscal-connector/adapter-kit"
import { Schema } from "effect"
import { Findings } from "./codes.ts"

export default defineAdapter({
  name: "acme",
  extensions: [".json"],
  // on the command line: --acme-since 2026-01-01
  options: { since: Schema.optionalKey(Schema.String) },
  async *read(file, { document, json, options, skip }) {
    for await (const row of json.items(file, "/rows")) {
      // decide first if the record is an issued document, and of which kind
      if (row.text("status") === "draft") {
        yield skip(row, "draft")
        continue
      }
      if (options.since !== undefined && row.date("date") < options.since) {
        yield skip(row, `before ${options.since}`)
        continue
      }
      const kind = row.choice("type", { sale: "invoice", refund: "credit-note" })
      if (kind === "credit-note" && !row.has("of")) row.finding("of", Findings.REFUND_WITHOUT_SALE)
      yield document(row, {
        kind,
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
  }
})
