/** All presets; for any other header there is the column map. */
import * as Accounting from "./Accounting.ts"
import * as Odoo from "./Odoo.ts"
import { plain } from "./Plain.ts"
import type { Preset } from "./Preset.ts"
import * as Shops from "./Shops.ts"
import * as Stock from "./Stock.ts"

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
