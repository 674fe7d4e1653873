/** Headers we know, as data. Only headers verified in real files are here (formats.md, B1); for everything else there is the column map. */
import type { ColumnMap } from "./ColumnMap.ts"
import { documentFields, lineFields, taxFields } from "./Field.ts"

export interface Preset {
  /** By which a person names it. */
  readonly name: string
  /** For people. */
  readonly title: string
  /** Columns that must be in the header, and columns that must not be, for the preset to be it. */
  readonly requires: ReadonlyArray<string>
  readonly without?: ReadonlyArray<string>
  readonly map: ColumnMap
}

/** Our own: one column per field, one row per line, the document's columns repeated or left blank after its first row. */
const plain: Preset = {
  name: "plain",
  title: "plain layout",
  requires: ["InvoiceNumber", "InvoiceDate", "Description", "Quantity", "UnitPrice", "TaxCode"],
  map: { version: 1, columns: { ...documentFields, ...lineFields, taxes: [taxFields] } }
}

/** For exports that name no tax: the column a person adds to say it. */
const addedTax = { code: "TaxCode" }

const xeroColumns = {
  number: "InvoiceNumber",
  date: "InvoiceDate",
  reference: "Reference",
  customerName: "ContactName",
  customerEmail: "EmailAddress",
  currency: "Currency",
  total: "Total",
  description: "Description",
  quantity: "Quantity",
  unitPrice: "UnitAmount",
  discountPercent: "Discount",
  taxes: [{ code: "TaxType", amount: "TaxAmount" }]
} as const

const xeroTemplate: Preset = {
  name: "xero-template",
  title: "Xero import template",
  requires: [
    "ContactName",
    "InvoiceNumber",
    "InvoiceDate",
    "DueDate",
    "Quantity",
    "UnitAmount",
    "AccountCode",
    "TaxType"
  ],
  without: ["Status", "LineAmount"],
  map: { version: 1, columns: { ...xeroColumns, amounts: "AmountsAre" } }
}

/** No reference to the original invoice; credit notes with either sign. */
const xeroExport: Preset = {
  name: "xero-export",
  title: "Xero invoice export",
  requires: [
    "ContactName",
    "InvoiceNumber",
    "InvoiceDate",
    "Quantity",
    "UnitAmount",
    "LineAmount",
    "TaxType",
    "Type",
    "Status"
  ],
  map: {
    version: 1,
    columns: { ...xeroColumns, kind: "Type", status: "Status", tax: "TaxTotal", lineAmount: "LineAmount" }
  }
}

const quickbooksInvoices: Preset = {
  name: "quickbooks-invoices",
  title: "QuickBooks Online invoices",
  requires: [
    "InvoiceNo",
    "Customer",
    "InvoiceDate",
    "DueDate",
    "Item(Product/Service)",
    "ItemQuantity",
    "ItemRate",
    "ItemAmount"
  ],
  map: {
    version: 1,
    columns: {
      number: "InvoiceNo",
      date: "InvoiceDate",
      customerName: "Customer",
      currency: "Currency",
      description: ["ItemDescription", "Item(Product/Service)"],
      quantity: "ItemQuantity",
      unitPrice: "ItemRate",
      lineAmount: "ItemAmount",
      taxes: [{ code: ["Item Tax Code", "TaxCode"], amount: "Item Tax Amount" }]
    }
  }
}

/** Customers are group rows; amounts are without tax, and the tax is not shown. */
const quickbooksSalesDetail: Preset = {
  name: "quickbooks-sales-detail",
  title: "QuickBooks Online report Sales by Customer Detail",
  requires: ["Date", "Transaction Type", "Num", "Product/Service", "Qty", "Sales Price", "Amount", "Balance"],
  map: {
    version: 1,
    layout: "report",
    groups: "customerName",
    columns: {
      kind: "Transaction Type",
      number: "Num",
      date: "Date",
      description: ["Memo/Description", "Product/Service"],
      quantity: "Qty",
      unitPrice: "Sales Price",
      lineAmount: "Amount",
      taxes: [addedTax]
    },
    kinds: { payment: "skip" },
    settings: { amounts: "exclusive" }
  }
}

/** Charges and entity discounts are not in the lines; identifiers have 19 digits. */
const zohoInvoices: Preset = {
  name: "zoho-invoices",
  title: "Zoho invoices",
  requires: [
    "Invoice Date",
    "Invoice ID",
    "Invoice Number",
    "Invoice Status",
    "Customer Name",
    "Item Price",
    "Item Total",
    "Quantity"
  ],
  map: {
    version: 1,
    columns: {
      id: "Invoice ID",
      number: "Invoice Number",
      date: "Invoice Date",
      status: "Invoice Status",
      customerName: "Customer Name",
      currency: "Currency Code",
      amounts: "Is Inclusive Tax",
      net: "SubTotal",
      total: "Total",
      shipping: "Shipping Charge",
      shippingTaxCode: "Shipping Charge Tax Name",
      shippingTaxPercent: "Shipping Charge Tax %",
      shippingTaxAmount: "Shipping Charge Tax Amount",
      adjustment: "Adjustment",
      rounding: "Round Off",
      documentDiscount: "Entity Discount Amount",
      description: ["Item Desc", "Item Name"],
      quantity: "Quantity",
      unitPrice: "Item Price",
      discount: "Discount Amount",
      lineAmount: "Item Total",
      taxes: [{ code: "Item Tax", percent: "Item Tax %", amount: "Item Tax Amount" }]
    }
  }
}

/** Two taxes a line; the line subtotal is without them. */
const freshbooks: Preset = {
  name: "freshbooks",
  title: "FreshBooks invoice details",
  requires: [
    "Client Name",
    "Invoice #",
    "Date Issued",
    "Invoice Status",
    "Rate",
    "Quantity",
    "Line Subtotal",
    "Tax 1 Type"
  ],
  map: {
    version: 1,
    columns: {
      number: "Invoice #",
      date: "Date Issued",
      status: "Invoice Status",
      customerName: "Client Name",
      currency: "Currency",
      description: ["Item Description", "Item Name"],
      quantity: "Quantity",
      unitPrice: "Rate",
      discountPercent: "Discount Percentage",
      lineAmount: "Line Subtotal",
      taxes: [
        { code: "Tax 1 Type", amount: "Tax 1 Amount" },
        { code: "Tax 2 Type", amount: "Tax 2 Amount" }
      ]
    },
    settings: { amounts: "exclusive" }
  }
}

/** Three rows stand before the header; tax columns have the same name twice. */
const invoiceNinja: Preset = {
  name: "invoice-ninja",
  title: "Invoice Ninja report",
  requires: [
    "Client",
    "Invoice Number",
    "Amount",
    "Status",
    "Invoice Date",
    "Item Product",
    "Item Cost",
    "Item Quantity"
  ],
  map: {
    version: 1,
    columns: {
      number: "Invoice Number",
      date: "Invoice Date",
      status: "Status",
      customerName: "Client",
      customerEmail: "Email",
      total: "Amount",
      description: ["Item Notes", "Item Product"],
      quantity: "Item Quantity",
      unitPrice: "Item Cost",
      taxes: [
        { code: { column: "Item Tax Name", nth: 1 }, percent: { column: "Item Tax Rate", nth: 1 } },
        { code: { column: "Item Tax Name", nth: 2 }, percent: { column: "Item Tax Rate", nth: 2 } }
      ]
    }
  }
}

/** Child tables interleave on continuation rows; discounts per piece are already in the rate. */
const erpnext: Preset = {
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
  map: {
    version: 1,
    layout: "continuation",
    columns: {
      kind: "Is Return (Credit Note)",
      status: "Status",
      number: "ID",
      date: "Date",
      customerName: "Customer Name",
      currency: "Currency",
      original: "Return Against",
      net: "Net Total",
      total: "Grand Total",
      description: ["Description (Items)", "Item Name (Items)"],
      quantity: "Quantity (Items)",
      unitPrice: "Rate (Items)",
      lineAmount: "Amount (Items)",
      taxes: [{ code: "Item Tax Template (Items)" }]
    },
    kinds: { "0": "invoice", "": "invoice", no: "invoice", "1": "credit-note", yes: "credit-note" }
  }
}

/** Money stands on an order's first row only; tax is named once per order; refunds have no lines. */
const shopify: Preset = {
  name: "shopify",
  title: "Shopify orders",
  requires: [
    "Name",
    "Financial Status",
    "Created at",
    "Lineitem quantity",
    "Lineitem name",
    "Lineitem price",
    "Refunded Amount"
  ],
  map: {
    version: 1,
    layout: "continuation",
    columns: {
      status: "Financial Status",
      number: "Name",
      date: "Created at",
      customerName: "Billing Name",
      customerEmail: "Email",
      currency: "Currency",
      total: "Total",
      tax: "Taxes",
      shipping: "Shipping",
      documentDiscount: "Discount Amount",
      refunded: "Refunded Amount",
      description: "Lineitem name",
      quantity: "Lineitem quantity",
      unitPrice: "Lineitem price",
      discount: "Lineitem discount",
      documentTaxes: ["Tax 1 Name", "Tax 2 Name", "Tax 3 Name", "Tax 4 Name", "Tax 5 Name"]
    },
    statuses: { refunded: "issued", partially_refunded: "issued" }
  }
}

/** The tax rate stands only in the kind of sale. */
const busy: Preset = {
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

/** A refund has the transaction of its sale; discounts are negative. */
const square: Preset = {
  name: "square-items",
  title: "Square item details",
  requires: ["Date", "Item", "Qty", "Gross Sales", "Discounts", "Net Sales", "Transaction ID", "Event Type"],
  map: {
    version: 1,
    columns: {
      kind: "Event Type",
      number: "Transaction ID",
      original: "Transaction ID",
      date: "Date",
      customerName: "Customer Name",
      description: "Item",
      quantity: "Qty",
      discount: "Discounts",
      lineAmount: "Net Sales",
      taxes: [addedTax]
    },
    group: ["Transaction ID", "Event Type"],
    kinds: { payment: "invoice" },
    settings: { amounts: "exclusive" }
  }
}

export const presets: ReadonlyArray<Preset> = [
  plain,
  xeroTemplate,
  xeroExport,
  quickbooksInvoices,
  quickbooksSalesDetail,
  zohoInvoices,
  freshbooks,
  invoiceNinja,
  erpnext,
  shopify,
  busy,
  square
]
