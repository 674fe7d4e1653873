/**
 * One line of an invoice or credit note. Amounts are in the document's currency, and include tax if
 * the document's amounts do.
 */
import { Schema } from "effect"
import { TaxCode } from "./Identifiers.ts"
import { Amount, Decimal } from "./Money.ts"
import * as WireNames from "./WireNames.ts"

/**
 * Line payload. `lineAmount` is after discount; `discountAmount` is positive and covers the whole
 * line (DOC-6). `productCode` is the HS code (DOC-2).
 */
export const LineItem = WireNames.struct({
  description: Schema.NullOr(Schema.String),
  unitAmount: Decimal,
  taxCode: TaxCode,
  productCode: Schema.NullOr(Schema.String),
  lineAmount: Amount,
  discountAmount: Schema.NullOr(Amount),
  quantity: Decimal,
  customFields: Schema.NullOr(Schema.Unknown)
})
export interface LineItem extends Schema.Schema.Type<typeof LineItem> {}
