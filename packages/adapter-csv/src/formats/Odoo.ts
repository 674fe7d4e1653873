import type { WholeMap } from "../columns/ColumnMap.ts"
import type { Preset } from "./Preset.ts"

const map: WholeMap = {
  version: 1,
  harmless: {
    "bookkeeping of the seller":
      "Invoice lines/Amount in Currency|Payment Status|payment_state|Journal|journal_id|" +
      "Amount Due|amount_residual|Salesperson|invoice_user_id|Accounting Date|date"
  },
  layout: "continuation",
  // drafts have no number
  group: ["id"],
  columns: {
    kind: ["Type", "move_type"],
    status: ["Status", "state"],
    number: ["Number", "name"],
    date: ["Invoice/Bill Date", "invoice_date"],
    customerName: [
      "Invoice Partner Display Name",
      "Invoice Partner",
      "Partner",
      "Partner/Name",
      "Partner/Display Name",
      "partner_id",
      "partner_id/name",
      "invoice_partner_display_name"
    ],
    customerVat: ["Partner/Tax ID", "partner_id/vat"],
    currency: ["Currency", "currency_id", "Currency/Currency", "currency_id/name"],
    original: ["Reversal of", "reversed_entry_id", "reversed_entry_id/name"],
    modified: ["Last Updated on", "write_date"],
    net: ["Untaxed Amount", "amount_untaxed"],
    tax: ["Tax", "amount_tax"],
    total: ["Total", "amount_total"],
    description: [
      "Invoice lines/Label",
      "Invoice lines/Description",
      "invoice_line_ids/name",
      "Invoice lines/Product",
      "invoice_line_ids/product_id",
      "invoice_line_ids/product_id/name"
    ],
    quantity: ["Invoice lines/Quantity", "invoice_line_ids/quantity"],
    unitPrice: ["Invoice lines/Unit Price", "invoice_line_ids/price_unit"],
    discountPercent: ["Invoice lines/Discount (%)", "invoice_line_ids/discount"],
    lineAmount: ["Invoice lines/Subtotal", "invoice_line_ids/price_subtotal"],
    lineTotal: ["Invoice lines/Total", "invoice_line_ids/price_total"],
    account: ["Invoice lines/Account", "invoice_line_ids/account_id"],
    productCode: ["Invoice lines/Product/Internal Reference", "invoice_line_ids/product_id/default_code"],
    taxes: [{ code: ["Invoice lines/Taxes", "invoice_line_ids/tax_ids", "invoice_line_ids/tax_ids/name"] }]
  },
  // excludes tax, even if prices include tax
  basis: { "Invoice lines/Subtotal": "exclusive", "invoice_line_ids/price_subtotal": "exclusive" },
  // figures of the journal, and in the company's currency
  unread: ["Invoice lines/Amount in Currency", "Payment Status", "payment_state"],
  kinds: {
    "customer invoice": "invoice",
    out_invoice: "invoice",
    "sales receipt": "invoice",
    out_receipt: "invoice",
    "customer credit note": "credit-note",
    out_refund: "credit-note",
    "vendor bill": "skip",
    in_invoice: "skip",
    "vendor credit note": "skip",
    in_refund: "skip",
    "purchase receipt": "skip",
    in_receipt: "skip",
    "journal entry": "skip",
    entry: "skip"
  },
  statusesAre: "all",
  statuses: { draft: "skip", posted: "issued", cancelled: "skip", cancel: "skip" }
}

/**
 * A document's own cells are blank on further rows; credit notes have positive amounts, so the kind
 * must be exported.
 */
export const labels: Preset = {
  name: "odoo",
  title: "Odoo invoices with lines",
  requires: ["Number", "Type", "Invoice/Bill Date", "Invoice lines/Quantity", "Invoice lines/Unit Price"],
  dates: "days",
  map
}

export const fields: Preset = {
  name: "odoo-fields",
  title: "Odoo invoices with lines, by the names of fields",
  requires: ["name", "move_type", "invoice_date", "invoice_line_ids/quantity", "invoice_line_ids/price_unit"],
  dates: "days",
  map
}
