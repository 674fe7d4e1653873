/**
 * Exports of the accounting system: the same documents as source documents or as text, read by the
 * real adapters.
 */
import * as CsvAdapter from "@fiscal-connector/adapter-csv/CsvAdapter"
import * as XeroLikeAdapter from "@fiscal-connector/adapter-xero-like/XeroLikeAdapter"
import type { AdapterError, Reading } from "../../packages/core/src/source/Adapter.ts"
import { Stream } from "effect"
import { amountAt, sourceOf, type Stated } from "./Books.ts"
import { type Draw, stream } from "./Draw.ts"
import type { Scenario } from "./Scenario.ts"

/** Form in which an account's documents arrive: as source documents, or as text. */
export type ExportFormat = "documents" | "csv" | "xero-like"

/** Returns the form of an account's documents: the same all day. */
export const formatOf = ({ seed, troubles }: Scenario, account: string): ExportFormat =>
  troubles.has("text-exports") ? stream(seed, `export ${account}`).pick(["csv", "xero-like"]) : "documents"

const buyer = { name: "A Buyer", tin: "2000123456" }
const columns = [
  "Kind",
  "InvoiceNumber",
  "InvoiceDate",
  "Currency",
  "AmountsAre",
  "CustomerName",
  "CustomerTIN",
  "Description",
  "Quantity",
  "UnitPrice",
  "TaxCode",
  "ProductCode",
  "Total",
  "OriginalInvoice",
  "Reason"
]

/**
 * Writes a CSV export in a random layout: the layout differs from export to export, the content
 * does not.
 */
const csv = (documents: ReadonlyArray<Stated>, now: number, draw: Draw): string => {
  const [comma, end, start] = [draw.pick([",", ";", "\t"]), draw.pick(["\n", "\r\n"]), draw.pick(["", "\uFEFF"])]
  const isQuoted = draw.chance(0.3)
  const rows = documents.map((stated) => {
    const amount = amountAt(stated, now)
    const isNote = stated.kind === "credit-note"
    return [
      isNote ? "credit note" : "invoice",
      stated.id,
      stated.date,
      "USD",
      "inclusive",
      buyer.name,
      buyer.tin,
      stated.description,
      "1",
      amount,
      "Standard",
      "12345678",
      amount,
      stated.original ?? "",
      isNote ? "Returned" : ""
    ]
  })
  const written = (cell: string) => (isQuoted ? `"${cell}"` : cell)
  return start + [columns, ...rows].map((row) => row.map(written).join(comma) + end).join("")
}

const xeroLike = (documents: ReadonlyArray<Stated>, now: number, draw: Draw): string => {
  const common = (stated: Stated) => ({
    Contact: { ContactID: "buyer", Name: buyer.name, TaxNumber: buyer.tin },
    DateString: `${stated.date}T00:00:00`,
    Status: draw.pick(["AUTHORISED", "PAID"]),
    LineAmountTypes: "Inclusive",
    LineItems: [
      {
        Description: stated.description,
        Quantity: 1,
        UnitAmount: Number(amountAt(stated, now)),
        TaxType: "Standard",
        ItemCode: "12345678",
        LineAmount: Number(amountAt(stated, now))
      }
    ],
    Total: Number(amountAt(stated, now)),
    CurrencyCode: "USD"
  })
  const invoice = (stated: Stated) => ({
    Type: "ACCREC",
    InvoiceID: stated.id,
    InvoiceNumber: stated.number,
    ...common(stated)
  })
  const note = (stated: Stated) => ({
    Type: "ACCRECCREDIT",
    CreditNoteID: stated.id,
    CreditNoteNumber: stated.number,
    Reference: "Returned",
    Allocations: [
      { Amount: Number(stated.amount), Invoice: { InvoiceID: stated.original, InvoiceNumber: stated.originalNumber } }
    ],
    ...common(stated)
  })
  const Invoices = documents.filter(({ kind }) => kind === "invoice").map(invoice)
  const CreditNotes = documents.filter(({ kind }) => kind === "credit-note").map(note)
  return JSON.stringify({ Invoices, CreditNotes }, undefined, draw.pick([0, 2]))
}

/** Reads an export of the documents in their current state. */
export const readings = (
  format: ExportFormat,
  documents: ReadonlyArray<Stated>,
  now: number,
  seed: number
): Stream.Stream<Reading, AdapterError> => {
  const draw = stream(seed, `export at ${now}`)
  const file = (name: string, text: string) => {
    const bytes = new TextEncoder().encode(text)
    const size = draw.pick([64, 1000, bytes.length + 1])
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
      bytes.subarray(i * size, (i + 1) * size)
    )
    return { files: [{ name, bytes: Stream.fromIterable(chunks) }] }
  }
  if (documents.length === 0) return Stream.empty
  switch (format) {
    case "documents":
      return Stream.fromIterable(documents.map((one) => sourceOf(one, now)))
    case "csv":
      return CsvAdapter.adapter.read(file("export.csv", csv(documents, now, draw)), {})
    case "xero-like":
      return XeroLikeAdapter.adapter.read(file("export.json", xeroLike(documents, now, draw)), {
        tin: "TaxNumber",
        productCode: "item-code"
      })
  }
}
