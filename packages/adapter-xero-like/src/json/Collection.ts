import type { Envelope } from "@fiscal-connector/adapter-kit/unstable/json/JsonScanner"
import { nameOf } from "@fiscal-connector/adapter-kit/unstable/json/Json"

const words = (...lines: ReadonlyArray<string>): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.split(" ")))

const known = words(
  "invoices creditnotes contacts taxrates payments prepayments overpayments",
  "accounts allocations attachments banktransactions banktransfers batchpayments brandingthemes budgets contactgroups",
  "currencies employees expenseclaims historyrecords invoicereminders items journals linkedtransactions manualjournals",
  "organisations paymentservices paymentterms purchaseorders quotes receipts repeatinginvoices reports tenants",
  "trackingcategories users"
)

export const isCollection = (name: string): boolean => known.has(name)

const ofOneRecord = words("allocations attachments batchpayments contactgroups")

/** Lists of a single record are excluded, because sorted keys put them first in a record. */
const beginsEnvelope = (name: string): boolean => isCollection(name) && !ofOneRecord.has(name)

const ofRecords = words(
  "type reference date datestring duedate contact contactid contactstatus lineitems lineamounttypes",
  "invoiceid invoicenumber creditnoteid creditnotenumber paymentid prepaymentid overpaymentid",
  "subtotal totaltax total currencycode amount amountdue amountpaid amountcredited remainingcredit",
  "stream record data"
)

/**
 * True if an object with this member is a single record, not an envelope. A list after the
 * member, such as an invoice's own CreditNotes, is then part of the record.
 */
export const isOfRecord = (name: string): boolean => ofRecords.has(name)

export const envelope: Envelope = {
  isList: (name) => beginsEnvelope(nameOf(name)),
  isOfRecord: (name) => isOfRecord(nameOf(name))
}
