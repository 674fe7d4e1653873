/** Mapping book and invoices of the tests. */
import type { InvoiceInput } from "@fiscal-connector/promise"

export const noon = new Date("2026-03-02T10:00:00Z")

export const book = {
  version: 1,
  zone: "+02:00",
  taxes: [{ from: ["Standard"], code: "VAT155", device: 515, percent: "15.5" }],
  currencies: [{ code: "USD", device: "USD" }]
}

/** Returns an invoice of 19.98 that the book can send. */
export const invoice = (number: string, changes: Partial<InvoiceInput> = {}): InvoiceInput => ({
  kind: "invoice",
  id: number,
  number,
  date: "2026-03-02",
  currency: "USD",
  taxMode: "inclusive",
  lines: [{ description: "Lamp", quantity: "2", unitPrice: "9.99", taxCode: "Standard", productCode: "85131000" }],
  totals: { total: "19.98" },
  ...changes
})
