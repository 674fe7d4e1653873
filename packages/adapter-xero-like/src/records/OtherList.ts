/** Lists without invoices, and names of lists that could be mistaken for sales. */
import { field, type JsonPlace } from "../json/Place.ts"

export const bankTransactionId = field("BankTransactionID")

const ids = [
  [bankTransactionId, "banktransactions"],
  [field("QuoteID"), "quotes"],
  [field("PurchaseOrderID"), "purchaseorders"],
  [field("ReceiptID"), "receipts"],
  [field("RepeatingInvoiceID"), "repeatinginvoices"],
  [field("ExpenseClaimID"), "expenseclaims"]
] as const

export const nameOf = (place: JsonPlace): string | undefined => ids.find(([id]) => place.has(id))?.[1]

const mistakable = new Map([
  ["quotes", "quotations"],
  ["purchaseorders", "purchase orders"],
  ["receipts", "receipts of expenses"],
  ["repeatinginvoices", "templates of invoices"],
  ["expenseclaims", "expense claims"]
])

/** Returns the name of records that could be mistaken for sales documents. */
export const mistaken = (list: string | undefined): string | undefined => mistakable.get(list ?? "")
