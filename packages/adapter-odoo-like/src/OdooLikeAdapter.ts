/**
 * Adapter for Odoo-shaped JSON: customer invoices, credit notes and receipts, joined with their
 * lines, taxes, partners and currencies.
 */
import { defineAdapter, type Item, type Kit } from "@fiscal-connector/adapter-kit"
import type { Reading } from "@fiscal-connector/core/source/Adapter"
import { BigDecimal } from "effect"
import { buyerOf } from "./Buyer.ts"
import { found } from "./Found.ts"
import { join, type Joined, modifiedOf } from "./Joined.ts"
import { linesOf } from "./Lines.ts"
import { idIn, labelIn, modelOf } from "./Model.ts"
import { options, type OdooLikeOptions } from "./OdooLikeOptions.ts"

export type { OdooLikeOptions } from "./OdooLikeOptions.ts"

type Given = Kit<OdooLikeOptions, Joined>

const kinds = {
  out_invoice: "invoice",
  out_receipt: "invoice",
  out_refund: "credit-note",
  in_invoice: "a bill, which is a purchase",
  in_refund: "a supplier's credit",
  in_receipt: "a purchase receipt",
  entry: "a journal entry: a sale that was entered as one is not fiscalised"
} as const

const states = { draft: "draft", posted: "posted", cancel: "cancelled" } as const

const documentOf = (row: Item, { document, joined, options, skip }: Given): Reading => {
  const stated = row.choice("move_type", kinds)
  const id = row.text("id")
  const number = row.optional.text("name")
  if (stated !== undefined && stated !== "invoice" && stated !== "credit-note") return skip(row, stated)
  const date = row.optional.date("invoice_date")
  const state = row.choice("state", states)
  const paid = row.optional.text("payment_state") ?? "not_paid"
  const self = { kind: stated ?? "invoice", id, number: number ?? "" }
  if (state === "cancelled")
    return skip(row, "cancelled", { key: number ?? id, document: self, cancelled: self, modified: modifiedOf(row) })
  if (state === "draft" && paid === "not_paid")
    return skip(row, "draft", { key: number ?? id, document: self, modified: modifiedOf(row) })
  if (state === "draft") row.refuse("state", `it is a draft, and its payment_state is ${paid}`, "Post it, or reset it.")
  if (number === "/") row.refuse("name", "a posted document has no number yet", "Export it again once it has one.")
  const { basis, items, grosses, lines, nets, unmapped: codes } = linesOf(row, id, joined, options)
  // the amount of each line may be rounded
  const within = BigDecimal.make(5n * BigInt(nets.length), 3)
  row.hold("amount_untaxed", { sum: nets, within })
  row.hold("amount_total", { sum: grosses, within })
  const [net, tax] = [row.decimal("amount_untaxed"), row.decimal("amount_tax")]
  row.hold("amount_total", { sum: [net, tax] })
  const total = row.decimal("amount_total")
  const till = row.quietly().optional.text("move_type") === "out_receipt" ? "till" : "account"
  const { buyer, items: partners, unmapped: numbers } = buyerOf(row, joined, options, till)
  const currency = currencyOf(row, joined)
  // an invoice that reverses a credit note also has the field
  const reversed = idIn(row, "reversed_entry_id")
  return document([row, ...items, ...partners, ...currency.items], {
    kind: stated as "invoice" | "credit-note" | undefined,
    id,
    number,
    date,
    due: row.compared("invoice_date_due"),
    currency: currency.code,
    taxMode: basis,
    buyer,
    lines,
    totals: { net, tax, total },
    originals: stated === "credit-note" ? [{ by: "id", value: reversed }] : [],
    reference: row.optional.text("ref"),
    modified: modifiedOf(row),
    unmapped: [...numbers, ...codes]
  })
}

/**
 * Returns the document's own currency. Columns that end in `_signed` are in the company's currency
 * and are not read.
 */
const currencyOf = (row: Item, { currencies }: Joined) => {
  const label = labelIn(row, "currency_id")
  const id = idIn(row, "currency_id")
  if (label !== undefined || id === undefined) return { code: label, items: [] }
  const currency = found(row, "currency_id", currencies, { model: "res.currency", id, missing: "refuse" })
  return { code: currency?.text("name"), items: currency === undefined ? [] : [currency] }
}

const readingOf = (record: Item, kit: Given): Reading | undefined => {
  switch (modelOf(record)) {
    case "move":
      return documentOf(record, kit)
    case "line": {
      const move = idIn(record.quietly(), "move_id") ?? ""
      if (!kit.joined.moves.has(move))
        return kit.skip(record, `a line of the document ${move}, which is not in the export`)
      kit.companion(record)
      return undefined
    }
    case undefined:
      return kit.refuse(record, `it is not clear which model the record of ${record.list} is of`)
    default:
      kit.companion(record)
      return undefined
  }
}

/**
 * Reads the documents of an Odoo-shaped export. Anything outside its scope is refused or skipped
 * with a reason.
 */
export const adapter = defineAdapter<typeof options, Joined>({
  name: "odoo-like",
  extensions: [".json"],
  none: [false],
  options,
  join,
  async *read(file, kit) {
    for await (const record of kit.json.items(file, "/*")) {
      const reading = readingOf(record, kit)
      if (reading !== undefined) yield reading
    }
  }
})
