/** Small export of invoices, for tests in which the size does not matter. */

/** Name of the example's mapping book, which has the codes of this export. */
export const book = "historical-invoices.book.json"

const header = "InvoiceNumber,InvoiceDate,Currency,AmountsAre,Description,Quantity,UnitPrice,TaxCode,ProductCode"

/** Returns CSV with invoices of one day, dated in the order of their numbers: INV-1, INV-2, … */
export const sales = (...numbers: ReadonlyArray<number>): string =>
  [header, ...numbers.map((n) => `INV-${n},2026-02-03,USD,inclusive,Lamp,1,10.00,Standard,85131000`)].join("\n")
