/** What programs export that keep stock and books together: blank on the rows that go on. */
import type { Preset } from "./Preset.ts"

/** Child tables interleave on continuation rows; discounts per piece are already in the rate. */
export const erpnext: Preset = {
  name: "erpnext",
  title: "ERPNext sales invoices",
  requires: [
    "ID",
    "Date",
    "Currency",
    "Customer Name",
    "Is Return (Credit Note)",
    "Return Against",
    "Quantity (Items)",
    "Rate (Items)",
    "Amount (Items)"
  ],
  dates: "days",
  map: {
    version: 1,
    layout: "continuation",
    columns: {
      kind: "Is Return (Credit Note)",
      status: ["Status", "Docstatus"],
      number: "ID",
      date: "Date",
      customerName: "Customer Name",
      currency: "Currency",
      original: "Return Against",
      modified: ["Last Updated On", "Last Modified On"],
      net: "Net Total",
      tax: "Total Taxes and Charges",
      total: "Grand Total",
      description: ["Description (Items)", "Item Name (Items)"],
      quantity: "Quantity (Items)",
      unitPrice: "Rate (Items)",
      lineAmount: "Amount (Items)",
      account: "Income Account (Items)",
      taxes: [{ code: "Item Tax Template (Items)" }],
      documentTaxAmounts: ["Amount (Sales Taxes and Charges)"],
      documentTaxPercents: ["Tax Rate (Sales Taxes and Charges)"]
    },
    words: { Company: "seller" },
    // what it adds is no part of the grand total
    unread: ["Rounding Adjustment"],
    kinds: { "0": "invoice", "": "invoice", no: "invoice", "1": "credit-note", yes: "credit-note" },
    statusesAre: "all",
    statuses: {
      draft: "skip",
      "0": "skip",
      // a document is submitted when it is issued
      submitted: "issued",
      "1": "issued",
      unpaid: "issued",
      overdue: "issued",
      "partly paid": "issued",
      paid: "issued",
      return: "issued",
      "credit note issued": "issued",
      "unpaid and discounted": "issued",
      "partly paid and discounted": "issued",
      "overdue and discounted": "issued",
      cancelled: "skip",
      "2": "skip"
    }
  }
}

/** The tax rate stands only in the kind of sale. */
export const busy: Preset = {
  name: "busy",
  title: "Busy sales vouchers",
  requires: [
    "Voucher/Bill Date",
    "Voucher/Bill Number",
    "Sale Type",
    "Party Name",
    "Item Name",
    "Quantity",
    "Price",
    "Amount"
  ],
  dates: "days",
  map: {
    version: 1,
    layout: "continuation",
    columns: {
      number: "Voucher/Bill Number",
      date: "Voucher/Bill Date",
      customerName: "Party Name",
      reference: "Narration",
      description: "Item Name",
      quantity: "Quantity",
      unitPrice: "Price",
      lineAmount: "Amount",
      documentTaxes: ["Sale Type"]
    }
  }
}
