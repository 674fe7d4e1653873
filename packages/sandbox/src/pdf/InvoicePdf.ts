import type * as Effect from "effect/Effect"
import type { IssuedReceipt } from "../day/IssuedReceipt.ts"
import * as Decimal from "../wire/Decimal.ts"
import type { Document } from "../wire/Document.ts"
import * as Page from "./Page.ts"

const lines = (document: Document, { qrData }: IssuedReceipt): ReadonlyArray<string> => [
  `Number: ${document.number}`,
  `Date: ${document.date.text}`,
  `Buyer: ${document.buyer?.Name ?? "walk-in customer"}`,
  "",
  ...document.lines.map(
    (line) =>
      `${Decimal.toText(line.quantity)} x ${Decimal.toText(line.unitAmount)}  ${line.description ?? ""}  ${Decimal.toText(line.lineAmount)}`
  ),
  "",
  `Subtotal: ${Decimal.toText(document.subTotal)} ${document.currencyCode}`,
  `Tax: ${Decimal.toText(document.totalTax)} ${document.currencyCode}`,
  `Total: ${Decimal.toText(document.total)} ${document.currencyCode}`,
  "",
  `Device ${qrData.DeviceId}, fiscal day ${qrData.FiscalDay}, receipt ${qrData.InvoiceNumber}`,
  `Verification code: ${qrData.VerificationCode}`,
  qrData.QrCodeUrl
]

export const render = (document: Document, receipt: IssuedReceipt): Effect.Effect<Uint8Array> =>
  Page.render(document.kind === "invoice" ? "Fiscal invoice" : "Fiscal credit note", lines(document, receipt))
