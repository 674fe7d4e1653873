/** All presets; for any other header there is the column map. */
import { documentFields, lineFields, taxFields } from "../columns/Field.ts"
import * as Accounting from "./Accounting.ts"
import * as Odoo from "./Odoo.ts"
import type { Preset } from "./Preset.ts"
import * as Shops from "./Shops.ts"
import * as Stock from "./Stock.ts"

/**
 * One column per field, one row per line, the document's columns repeated, or blank after the first
 * row.
 */
const plain: Preset = {
  name: "plain",
  title: "plain layout",
  requires: ["InvoiceNumber", "InvoiceDate", "Description", "Quantity", "UnitPrice", "TaxCode"],
  map: { version: 1, columns: { ...documentFields, ...lineFields, taxes: [taxFields] } }
}

/** Known layouts. */
export const presets: ReadonlyArray<Preset> = [
  plain,
  Accounting.xeroTemplate,
  Accounting.xeroExport,
  Accounting.quickbooksInvoices,
  Accounting.quickbooksSalesDetail,
  Accounting.zohoInvoices,
  Accounting.freshbooks,
  Accounting.invoiceNinja,
  Stock.erpnext,
  Shops.shopify,
  Stock.busy,
  Shops.square,
  Shops.woocommerce,
  Odoo.labels,
  Odoo.fields
]
