/**
 * Customer invoices, credit notes and receipts, joined with their lines, taxes, partners and
 * currencies.
 */
import { defineAdapter, type Item, type Kit } from "@fiscal-connector/adapter-kit"
import type { Adapter } from "@fiscal-connector/core/adapter"
import { BigDecimal } from "effect"
import { buyerOf } from "./Buyer.ts"
import { found } from "./Found.ts"
import { join, type Joined, modifiedOf } from "./Joined.ts"
import { linesOf } from "./Lines.ts"
import { idIn, labelIn, modelOf } from "./Model.ts"
import { options, type OdooLikeOptions } from "./OdooLikeOptions.ts"

export type { OdooLikeOptions } from "./OdooLikeOptions.ts"

type OdooKit = Kit<OdooLikeOptions, Joined>

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

const documentOf = (row: Item, { document, joined, options, skip }: OdooKit): Adapter.Reading => {
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
  refuseOtherSign(row, total, stated)
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

const signed = ["amount_untaxed_signed", "amount_total_signed", "amount_total_in_currency_signed"]

const refuseOtherSign = (row: Item, total: BigDecimal.BigDecimal, kind: string | undefined): void => {
  const sign = BigDecimal.sign(total) * (kind === "credit-note" ? -1 : 1)
  for (const field of signed) {
    const amount = row.quietly().optional.decimal(field)
    if (amount === undefined || BigDecimal.sign(amount) * sign >= 0) continue
    row.refuse(
      field,
      `${field} has the sign of ${kind === "credit-note" ? "an invoice" : "a credit note"}`,
      "Export it again."
    )
  }
}

/** Columns that end in `_signed` are in the company's currency and only their sign is compared. */
const currencyOf = (row: Item, { currencies }: Joined) => {
  const label = labelIn(row, "currency_id")
  const id = idIn(row, "currency_id")
  if (label !== undefined || id === undefined) return { code: label, items: [] }
  const currency = found(row, "currency_id", currencies, { model: "res.currency", id, missing: "refuse" })
  return { code: currency?.text("name"), items: currency === undefined ? [] : [currency] }
}

const readingOf = (record: Item, kit: OdooKit): Adapter.Reading | undefined => {
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

const harmless = {
  "administration of the record":
    "*/create_date|*/create_uid|*/write_uid|*/__last_update|*/access_token|*/access_url|*/display_name|*/message_ids|*/activity_ids|*/active|*/sequence|" +
    "account.move/sequence_prefix|account.move/sequence_number|account.move.line/write_date|res.partner/write_date|account.tax/write_date",
  "bookkeeping of the seller":
    "account.move/date|account.move/journal_id|account.move/line_ids|account.move/payment_reference|account.move/invoice_origin|account.move/invoice_user_id|" +
    "account.move/team_id|account.move/invoice_payment_term_id|account.move/amount_residual|account.move/amount_residual_signed|account.move/payment_id|" +
    "account.move/narration|account.move/fiscal_position_id|account.move/partner_shipping_id|account.move/partner_bank_id|account.move.line/date|" +
    "account.move.line/parent_state|account.move.line/journal_id|account.move.line/debit|account.move.line/credit|account.move.line/balance|" +
    "account.move.line/amount_currency|account.move.line/analytic_distribution|account.move.line/partner_id|account.move.line/move_name",
  "stated again by a field that is read":
    "account.move/invoice_partner_display_name|account.move/amount_total_in_currency_signed|account.move/amount_untaxed_signed|account.move/amount_tax_signed|" +
    "account.move.line/product_uom_id|account.tax/description|account.tax/type_tax_use"
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
  harmless,
  join,
  async *read(file, kit) {
    for await (const record of kit.json.items(file, "/*")) {
      const reading = readingOf(record, kit)
      if (reading !== undefined) yield reading
    }
  }
})
