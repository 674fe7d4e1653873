import { documentFields, lineFields, taxFields } from "../columns/Field.ts"
import type { Preset } from "./Preset.ts"

/**
 * The project's own layout: one column per field, one row per line, the document's columns
 * repeated, or blank after the first row.
 */
export const plain: Preset = {
  name: "plain",
  title: "plain layout",
  requires: ["InvoiceNumber", "InvoiceDate", "Description", "Quantity", "UnitPrice", "TaxCode"],
  map: { version: 1, columns: { ...documentFields, ...lineFields, taxes: [taxFields] } }
}
