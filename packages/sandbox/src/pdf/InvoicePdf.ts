/**
 * The PDF of a fiscalised document: one page or more, plain, readable.
 */
import * as Effect from "effect/Effect"
import Pdf from "pdfkit"
import type { IssuedReceipt } from "../day/IssuedReceipt.ts"
import type { Document } from "../wire/Document.ts"
import * as Decimal from "../wire/Decimal.ts"

// The standard fonts know Latin-1 only; a PDF that shows a question mark is better than one that fails.
const latin = (text: string): string => text.replace(/[^\u0020-\u00ff]/g, "?")

const lines = (document: Document, receipt: IssuedReceipt): ReadonlyArray<string> => [
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
  `Device ${receipt.qrData.DeviceId}, fiscal day ${receipt.qrData.FiscalDay}, receipt ${receipt.qrData.InvoiceNumber}`,
  `Verification code: ${receipt.qrData.VerificationCode}`,
  receipt.qrData.QrCodeUrl
]

/** Bytes of a PDF with a heading and plain lines of text. */
export const page = (heading: string, body: ReadonlyArray<string>): Effect.Effect<Uint8Array> =>
  Effect.callback((resume) => {
    const pdf = new Pdf({ size: "A4", margin: 50, info: { Title: latin(heading) } })
    const chunks: Array<Buffer> = []
    pdf.on("data", (chunk: Buffer) => chunks.push(chunk))
    pdf.on("end", () => resume(Effect.succeed(Buffer.concat(chunks))))
    pdf.fontSize(16).text(latin(heading)).moveDown().fontSize(10)
    for (const line of body) pdf.text(line === "" ? " " : latin(line))
    pdf.end()
  })

/** Renders the PDF of a receipt. */
export const render = (document: Document, receipt: IssuedReceipt): Effect.Effect<Uint8Array> =>
  page(document.kind === "invoice" ? "Fiscal invoice" : "Fiscal credit note", lines(document, receipt))
