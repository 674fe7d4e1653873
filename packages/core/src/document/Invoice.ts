/** The body of an invoice submission (docs/gateway.md#invoice), with fields in camelCase. */
import { Schema } from "effect"
import { BuyerContact } from "./BuyerContact.ts"
import { CurrencyCode, DocumentNumber, InvoiceId } from "./Identifiers.ts"
import { Instant } from "./Instant.ts"
import { LineItem } from "./LineItem.ts"
import { Amount } from "./Money.ts"
import { PaymentMethod } from "./PaymentMethod.ts"
import { withDefault } from "./WithDefault.ts"
import * as WireNames from "./WireNames.ts"

/**
 * Fields shared by invoices and credit notes. Amounts are positive in both (DOC-4); SubTotal =
 * Total − TotalTax (DOC-6).
 */
export const commonFields = {
  reference: Schema.NullOr(Schema.String),
  isDiscounted: Schema.Boolean,
  isTaxInclusive: Schema.Boolean,
  buyerContact: Schema.NullOr(BuyerContact),
  date: Instant,
  lineItems: Schema.Array(LineItem),
  paymentMethod: withDefault(Schema.NullOr(PaymentMethod), null),
  subTotal: Amount,
  totalTax: Amount,
  total: Amount,
  currencyCode: CurrencyCode,
  isRetry: Schema.Boolean
} as const

/** Invoice payload of the wire with final amounts. */
export const Invoice = WireNames.struct({ invoiceId: InvoiceId, invoiceNumber: DocumentNumber, ...commonFields })
export interface Invoice extends Schema.Schema.Type<typeof Invoice> {}
