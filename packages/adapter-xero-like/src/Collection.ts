/** The lists an export can hold, by the name of their member (as `nameOf` spells it) or of their stream. */

/** What the things in a list are to us. */
export type Collection = "invoices" | "credit-notes" | "contacts" | "tax-rates" | "payments" | "other"

const collections = new Map<string, Collection>([
  ["invoices", "invoices"],
  ["creditnotes", "credit-notes"],
  ["contacts", "contacts"],
  ["taxrates", "tax-rates"],
  ["payments", "payments"],
  ...[
    ...["accounts", "allocations", "attachments", "banktransactions", "banktransfers", "batchpayments"],
    ...["brandingthemes", "budgets", "contactgroups", "currencies", "employees", "expenseclaims", "historyrecords"],
    ...["invoicereminders", "items", "journals", "linkedtransactions", "manualjournals", "organisations"],
    ...["overpayments", "paymentservices", "paymentterms", "prepayments", "purchaseorders", "quotes", "receipts"],
    ...["repeatinginvoices", "reports", "tenants", "trackingcategories", "users"]
  ].map((name): [string, Collection] => [name, "other"])
])

/** None for a name that is no list of the API. */
export const collectionOf = (name: string): Collection | undefined => collections.get(name)

const ofRecords = new Set([
  ...["type", "reference", "date", "datestring", "duedate", "contact", "contactid", "contactstatus", "lineitems"],
  ...["invoiceid", "invoicenumber", "creditnoteid", "creditnotenumber", "paymentid", "prepaymentid", "overpaymentid"],
  ...["lineamounttypes", "subtotal", "totaltax", "total", "currencycode", "amount", "amountdue", "amountpaid"],
  ...["amountcredited", "remainingcredit", "stream", "record", "data"]
])

/** Whether an object with this member is one record and no envelope, so that a list after it (an invoice's own CreditNotes) is part of it. */
export const isOfRecord = (name: string): boolean => ofRecords.has(name)
