/** The shop's own part of the job, as a test has it: what was sold, and the codes that were saved. */
import type { InvoiceInput } from "@fiscal-connector/promise"

/** Sales that have no code yet. */
export const sold: Array<InvoiceInput> = []
/** Ids of documents, each with its verification code. */
export const saved = new Map<string, string | null>()

export const openInvoices = (): Promise<ReadonlyArray<InvoiceInput>> =>
  Promise.resolve(sold.filter(({ id }) => !saved.has(id)))

export const save = (id: string, verificationCode: string | null, _qrCodeUrl: string | null): Promise<void> => {
  saved.set(id, verificationCode)
  return Promise.resolve()
}

/** A sale of 19.98 on 2 March 2026. */
export const sale = (id: string, changes: Partial<InvoiceInput> = {}): InvoiceInput => ({
  kind: "invoice",
  id,
  number: `S-${id}`,
  date: "2026-03-02",
  currency: "USD",
  taxMode: "inclusive",
  lines: [{ description: "Lamp", quantity: "2", unitPrice: "9.99", taxCode: "Standard", productCode: "85131000" }],
  totals: { total: "19.98" },
  ...changes
})

/** The shop's mapping book. */
export const book = {
  version: 1,
  zone: "+02:00",
  taxes: [{ from: ["Standard"], code: "VAT155", device: 515, percent: "15.5" }],
  currencies: [{ code: "USD", device: "USD" }]
}

/** The time at which the tests begin: the day of the sales. */
export const now = new Date("2026-03-02T12:00:00+02:00")
