/** Headers we know, as data. Only headers verified in real files are here; for everything else there is the column map. */
import type { ColumnMap } from "./ColumnMap.ts"
import { documentFields, lineFields, taxFields } from "./Field.ts"

export interface Preset {
  readonly name: string
  /** For people. */
  readonly title: string
  /** Columns that must be in the header, and columns that must not be, for the preset to be it. */
  readonly requires: ReadonlyArray<string>
  readonly without?: ReadonlyArray<string>
  readonly map: ColumnMap
}

/** Our own: one column per field, one row per line, the document's columns repeated or left blank after its first row. */
export const plain: Preset = {
  name: "plain",
  title: "plain layout",
  requires: ["InvoiceNumber", "InvoiceDate", "Description", "Quantity", "UnitPrice", "TaxCode"],
  map: {
    version: 1,
    columns: {
      ...documentFields,
      ...lineFields,
      taxes: [taxFields]
    }
  }
}

const xeroBuyer = {
  customerName: "ContactName",
  customerEmail: "EmailAddress",
  city: "POCity"
}

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
  without: ["Status"],
  map: {
    version: 1,
    columns: {
      ...xeroBuyer,
      number: "InvoiceNumber",
      reference: "Reference",
      date: "InvoiceDate",
      total: "Total",
      amounts: "AmountsAre",
      currency: "Currency",
      description: "Description",
      quantity: "Quantity",
      unitPrice: "UnitAmount",
      discountPercent: "Discount",
      taxes: [{ code: "TaxType", amount: "TaxAmount" }]
    }
  }
}

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
    columns: {
      ...xeroBuyer,
      kind: "Type",
      status: "Status",
      number: "InvoiceNumber",
      reference: "Reference",
      date: "InvoiceDate",
      total: "Total",
      tax: "TaxTotal",
      currency: "Currency",
      description: "Description",
      quantity: "Quantity",
      unitPrice: "UnitAmount",
      discountPercent: "Discount",
      lineAmount: "LineAmount",
      taxes: [{ code: "TaxType", amount: "TaxAmount" }]
    }
  }
}

export const presets: ReadonlyArray<Preset> = [plain, xeroTemplate, xeroExport]
