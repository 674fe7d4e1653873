/** Lists of an export that hold no invoices: what they are, for those that could be taken for sales. */
import { field, type Place } from "../json/Place.ts"

export const bankTransactionId = field("BankTransactionID")

/** By the id that their records have, for records outside any list. */
const ids = [
  [bankTransactionId, "banktransactions"],
  [field("QuoteID"), "quotes"],
  [field("PurchaseOrderID"), "purchaseorders"],
  [field("ReceiptID"), "receipts"],
  [field("RepeatingInvoiceID"), "repeatinginvoices"],
  [field("ExpenseClaimID"), "expenseclaims"]
] as const

/** The list that a record outside any list belongs to, as `nameOf` spells it. */
export const nameOf = (place: Place): string | undefined => ids.find(([id]) => place.has(id))?.[1]

const mistakable = new Map([
  ["quotes", "quotations"],
  ["purchaseorders", "purchase orders"],
  ["receipts", "receipts of expenses"],
  ["repeatinginvoices", "templates of invoices"],
  ["expenseclaims", "expense claims"]
])

/** What the records of a list are that could be taken for sales documents. */
export const mistaken = (list: string | undefined): string | undefined => mistakable.get(list ?? "")
