/**
 * Exports of programs that combine stock and accounting: document columns blank on further rows.
 */
import type { Preset } from "./Preset.ts"

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
    harmless: {
      "bookkeeping of the seller":
        "Series|Exchange Rate|Cost Center|Project|Debit To|Outstanding Amount|" +
        "Income Account (Items)|Cost Center (Items)|Posting Time|Territory|Customer Group",
      "stated again by a column that is read":
        "Rounding Adjustment|Item (Items)|Discount Amount (Items)|Apply Additional Discount On|" +
        "Additional Discount Percentage|UOM (Items)|Stock UOM (Items)"
    },
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
      linesTotal: "Total",
      description: ["Description (Items)", "Item Name (Items)"],
      quantity: "Quantity (Items)",
      unitPrice: "Rate (Items)",
      lineAmount: "Amount (Items)",
      account: "Income Account (Items)",
      taxes: [{ code: "Item Tax Template (Items)" }]
    },
    table: {
      basis: ["Type (Sales Taxes and Charges)"],
      row: ["Reference Row # (Sales Taxes and Charges)"],
      code: ["Account Head (Sales Taxes and Charges)"],
      text: ["Description (Sales Taxes and Charges)"],
      percent: ["Tax Rate (Sales Taxes and Charges)", "Rate (Sales Taxes and Charges)"],
      amount: ["Amount (Sales Taxes and Charges)", "Tax Amount (Sales Taxes and Charges)"],
      amountAfterDiscount: ["Tax Amount After Discount Amount (Sales Taxes and Charges)"],
      included: ["Is this Tax included in Basic Rate? (Sales Taxes and Charges)"],
      lineRates: ["Item Tax Rate (Items)"],
      lineNet: ["Net Amount (Items)"],
      discount: ["Additional Discount Amount"]
    },
    marks: [
      {
        column: "Is Opening Entry",
        means: "skip",
        reason: "opening entry, a balance taken over from an earlier system"
      },
      { column: "Is Consolidated", means: "skip", reason: "consolidated invoice, the sum of sales at a till" },
      {
        column: "Represents Company",
        sameAs: "Company",
        means: "skip",
        reason: "internal transfer, buyer and seller are one company"
      },
      {
        column: "Status",
        is: "internal transfer",
        means: "skip",
        reason: "internal transfer, buyer and seller are one company"
      },
      { column: "Is Rate Adjustment Entry (Debit Note)", means: "debit-note", reason: "debit note" },
      { column: "Is Debit Note", means: "debit-note", reason: "debit note" }
    ],
    words: { Company: "seller" },
    // a sale to another company of the group is a sale
    settled: { "Is Internal Customer": ["Status", "Represents Company"] },
    // the adjustment is not in the grand total
    unread: ["Rounding Adjustment"],
    kinds: { "0": "invoice", "": "invoice", no: "invoice", "1": "credit-note", yes: "credit-note" },
    statusesAre: "all",
    statuses: {
      draft: "skip",
      "0": "skip",
      // a document is submitted when issued
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
      // submitted, and marked as not a sale
      "internal transfer": "issued",
      cancelled: "skip",
      "2": "skip"
    }
  }
}

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
    harmless: {
      "administration of the voucher": "Unit Name|Vch Series|Material Centre"
    },
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
