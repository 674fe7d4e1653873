/** Shop of the test job: sales, and saved codes. */
import type { InvoiceInput } from "@fiscal-connector/promise"

/** Sales without a code. */
export const sold: Array<InvoiceInput> = []
/** Verification codes by document id. */
export const saved = new Map<string, string | null>()

export const openInvoices = (): Promise<ReadonlyArray<InvoiceInput>> =>
  Promise.resolve(sold.filter(({ id }) => !saved.has(id)))

export const save = (id: string, verificationCode: string | null, _qrCodeUrl: string | null): Promise<void> => {
  saved.set(id, verificationCode)
  return Promise.resolve()
}

/** Returns a sale of 19.98 on 2 March 2026. */
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

/** Mapping book of the shop. */
export const book = {
  version: 1,
  zone: "+02:00",
  taxes: [{ from: ["Standard"], code: "VAT155", device: 515, percent: "15.5" }],
  currencies: [{ code: "USD", device: "USD" }]
}

/** Start time of the tests: the day of the sales. */
export const now = new Date("2026-03-02T12:00:00+02:00")
