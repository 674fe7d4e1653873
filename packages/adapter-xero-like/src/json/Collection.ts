/** The lists of an export, by the name of their member or their stream as `nameOf` spells it. */

const words = (...lines: ReadonlyArray<string>): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.split(" ")))

const known = words(
  "invoices creditnotes contacts taxrates payments prepayments overpayments",
  "accounts allocations attachments banktransactions banktransfers batchpayments brandingthemes budgets contactgroups",
  "currencies employees expenseclaims historyrecords invoicereminders items journals linkedtransactions manualjournals",
  "organisations paymentservices paymentterms purchaseorders quotes receipts repeatinginvoices reports tenants",
  "trackingcategories users"
)

/** Whether the API has a list of this name. */
export const isCollection = (name: string): boolean => known.has(name)

const ofOneRecord = words("allocations attachments batchpayments contactgroups")

/** Whether a list of this name begins an envelope even before the rest of its object is known: with sorted keys, these come first in a record. */
export const beginsEnvelope = (name: string): boolean => isCollection(name) && !ofOneRecord.has(name)

const ofRecords = words(
  "type reference date datestring duedate contact contactid contactstatus lineitems lineamounttypes",
  "invoiceid invoicenumber creditnoteid creditnotenumber paymentid prepaymentid overpaymentid",
  "subtotal totaltax total currencycode amount amountdue amountpaid amountcredited remainingcredit",
  "stream record data"
)

/** Whether an object with this member is one record and no envelope, so that a list after it (an invoice's own CreditNotes) is part of it. */
export const isOfRecord = (name: string): boolean => ofRecords.has(name)
