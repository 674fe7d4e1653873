import { addedTax, type Preset } from "./Preset.ts"

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
  account: "AccountCode",
  taxes: [{ code: "TaxType", amount: "TaxAmount" }]
} as const

export const xeroTemplate: Preset = {
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
  dates: "days",
  map: {
    version: 1,
    harmless: {
      "bookkeeping of the seller":
        "TrackingName1|TrackingOption1|TrackingName2|TrackingOption2|BrandingTheme|PlannedDate|" +
        "ExpectedPaymentDate|InventoryItemCode",
      "an address, which a receipt does not need":
        "POAddressLine1|POAddressLine2|POAddressLine3|POAddressLine4|POCity|PORegion|" +
        "POPostalCode|POCountry|SAAddressLine1|SAAddressLine2|SAAddressLine3|SAAddressLine4|" +
        "SACity|SARegion|SAPostalCode|SACountry"
    },
    columns: { ...xeroColumns, amounts: "AmountsAre" }
  }
}

export const xeroExport: Preset = {
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
  dates: "days",
  map: {
    version: 1,
    harmless: {
      "what is paid, which a receipt does not state":
        "InvoiceAmountPaid|InvoiceAmountDue|Sent|PlannedDate|ExpectedPaymentDate",
      "bookkeeping of the seller": "TrackingName1|TrackingOption1|TrackingName2|TrackingOption2|BrandingTheme",
      "an address, which a receipt does not need":
        "POAddressLine1|POAddressLine2|POAddressLine3|POAddressLine4|POCity|PORegion|" +
        "POPostalCode|POCountry|SAAddressLine1|SAAddressLine2|SAAddressLine3|SAAddressLine4|" +
        "SACity|SARegion|SAPostalCode|SACountry"
    },
    columns: { ...xeroColumns, kind: "Type", status: "Status", tax: "TaxTotal", lineAmount: "LineAmount" },
    statusesAre: "all",
    statuses: {
      draft: "skip",
      submitted: "skip",
      "awaiting approval": "skip",
      authorised: "issued",
      approved: "issued",
      "awaiting payment": "issued",
      sent: "issued",
      paid: "issued",
      voided: "skip",
      deleted: "skip"
    }
  }
}

export const quickbooksInvoices: Preset = {
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
  dates: "days",
  map: {
    version: 1,
    harmless: {
      "bookkeeping of the seller": "Terms|Location|Memo|Class"
    },
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

export const quickbooksSalesDetail: Preset = {
  name: "quickbooks-sales-detail",
  title: "QuickBooks Online report Sales by Customer Detail",
  requires: ["Date", "Transaction Type", "Num", "Product/Service", "Qty", "Sales Price", "Amount", "Balance"],
  dates: "days",
  map: {
    version: 1,
    harmless: {
      "a running sum of the amounts": "Balance"
    },
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

/** Export with charges and entity discounts outside the lines, and identifiers of 19 digits. */
export const zohoInvoices: Preset = {
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
  dates: "days",
  map: {
    version: 1,
    harmless: {
      "what is paid, which a receipt does not state":
        "Balance|Payment Terms|Payment Terms Label|Last Payment Date|Expected Payment Date",
      "bookkeeping of the seller":
        "Exchange Rate|Account Code|Project ID|Project Name|Sales person|Template Name|Notes|" +
        "Terms & Conditions|Estimate Number|Branch ID|Branch Name|Location ID|Location Name|" +
        "Warehouse Name|CustomerID",
      "stated again by a column that is read":
        "Entity Discount Percent|Discount Type|Is Discount Before Tax|Item Tax Type|" +
        "Adjustment Description|Shipping Charge Tax ID|Shipping Charge Tax Type|Item Tax ID|" +
        "Usage unit|Product ID|Item Type",
      "an address, which a receipt does not need":
        "Billing Attention|Billing Address|Billing Street2|Billing City|Billing State|" +
        "Billing Country|Billing Code|Billing Phone|Billing Fax|Shipping Attention|" +
        "Shipping Address|Shipping Street2|Shipping City|Shipping State|Shipping Country|" +
        "Shipping Code|Shipping Phone Number|Shipping Fax"
    },
    columns: {
      id: "Invoice ID",
      number: "Invoice Number",
      date: "Invoice Date",
      status: "Invoice Status",
      modified: "Last Modified Time",
      customerId: "Customer ID",
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
      account: "Account",
      taxes: [{ code: "Item Tax", percent: "Item Tax %", amount: "Item Tax Amount" }]
    },
    statusesAre: "all",
    statuses: {
      draft: "skip",
      "pending approval": "skip",
      rejected: "skip",
      approved: "issued",
      sent: "issued",
      viewed: "issued",
      open: "issued",
      unpaid: "issued",
      overdue: "issued",
      "partially paid": "issued",
      paid: "issued",
      closed: "issued",
      void: "skip"
    }
  }
}

export const freshbooks: Preset = {
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
  dates: "days",
  map: {
    version: 1,
    harmless: {
      "what is paid, which a receipt does not state": "Date Paid"
    },
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
      productCode: "Item Name",
      lineAmount: "Line Subtotal",
      lineTotal: "Line Total",
      taxes: [
        { code: "Tax 1 Type", amount: "Tax 1 Amount" },
        { code: "Tax 2 Type", amount: "Tax 2 Amount" }
      ]
    },
    statusesAre: "all",
    statuses: {
      draft: "skip",
      deleted: "skip",
      sent: "issued",
      resent: "issued",
      viewed: "issued",
      outstanding: "issued",
      unpaid: "issued",
      overdue: "issued",
      disputed: "issued",
      retry: "issued",
      failed: "issued",
      partial: "issued",
      "partially paid": "issued",
      paid: "issued",
      "auto-paid": "issued"
    },
    settings: { amounts: "exclusive" }
  }
}

export const invoiceNinja: Preset = {
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
  dates: "days",
  map: {
    version: 1,
    harmless: {
      "what is paid, which a receipt does not state": "Paid|Partial/Deposit|Balance"
    },
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
      productCode: "Item Product",
      taxes: [
        { code: { column: "Item Tax Name", nth: 1 }, percent: { column: "Item Tax Rate", nth: 1 } },
        { code: { column: "Item Tax Name", nth: 2 }, percent: { column: "Item Tax Rate", nth: 2 } }
      ]
    },
    statusesAre: "all",
    statuses: {
      draft: "skip",
      sent: "issued",
      viewed: "issued",
      approved: "issued",
      partial: "issued",
      unpaid: "issued",
      overdue: "issued",
      "past due": "issued",
      paid: "issued",
      cancelled: "skip",
      deleted: "skip"
    }
  }
}
