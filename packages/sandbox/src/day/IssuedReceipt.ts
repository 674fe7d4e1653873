/** The fiscalized data, its amounts for the day's counters, and its marks. */
import * as Schema from "effect/Schema"
import { QrData } from "../wire/StatusItem.ts"

/** Broken rule: its code, `red` or `yellow`, and the problem. */
export const Mark = Schema.Struct({
  code: Schema.String,
  colour: Schema.Literals(["red", "yellow"]),
  message: Schema.String
}).annotate({ identifier: "Mark" })

const TaxGroup = Schema.Struct({
  taxId: Schema.Int,
  taxPercent: Schema.NullOr(Schema.BigDecimal),
  net: Schema.BigDecimal,
  tax: Schema.BigDecimal,
  gross: Schema.BigDecimal
})

/**
 * Issued receipt.
 * - `epochSeconds`: receipt date. `issuedAt`: milliseconds since 1970 on the sandbox's clock.
 * - `currency`: the device's code. `total`: the document's own total.
 * - `groups`: the device's amounts per tax, always positive.
 */
export const IssuedReceipt = Schema.Struct({
  requestId: Schema.String,
  account: Schema.String,
  deviceId: Schema.Int,
  kind: Schema.Literals(["invoice", "credit-note"]),
  documentId: Schema.String,
  documentNumber: Schema.String,
  originalInvoiceId: Schema.NullOr(Schema.String),
  epochSeconds: Schema.Int,
  issuedAt: Schema.Int,
  currency: Schema.String,
  paymentMethod: Schema.String,
  total: Schema.BigDecimal,
  groups: Schema.Array(TaxGroup),
  marks: Schema.Array(Mark),
  qrData: QrData,
  pdf: Schema.String
})
export type IssuedReceipt = typeof IssuedReceipt.Type

/** True if the receipt stops the close of its day. */
export const isRed = (receipt: IssuedReceipt): boolean => receipt.marks.some((mark) => mark.colour === "red")
