/** Findings about a Xero-shaped export, with consequence and fix. */
import { catalogue } from "@fiscal-connector/core/finding/FindingCode"

const documentRefused = "The document is refused; nothing of it is sent."
const notRead = "Nothing of it is read or sent."
const asStated = [{ settings: { missingContacts: "as-stated" } }]

/** Codes of this adapter. */
export const XeroFinding = catalogue({
  XERO_RECORD_UNREADABLE: {
    severity: "error",
    meaning: "A record is not valid JSON",
    consequence: notRead,
    fix: "Export it again; if a tool wrote the file, look at the line named."
  },
  XERO_SHAPE_UNKNOWN: {
    severity: "error",
    meaning: "A record is neither an invoice, a credit note nor anything else the adapter knows",
    consequence: notRead,
    fix: 'Leave the file out, or give the records as the API returns them: {"Invoices": [...]}.'
  },
  XERO_ERROR_ANSWER: {
    severity: "error",
    meaning: "The record is the API's answer to a failed request, not an export",
    consequence: notRead,
    fix: "Repeat the request that failed and export its answer."
  },
  XERO_ID_MISSING: {
    severity: "error",
    meaning: "A document has neither an id nor a number",
    consequence: notRead,
    fix: "Export InvoiceID and InvoiceNumber (for credit notes CreditNoteID and CreditNoteNumber)."
  },
  XERO_TYPE_MISSING: {
    severity: "error",
    meaning: "The document does not say whether it is a sale or a purchase",
    consequence: documentRefused,
    fix: "Export Type: ACCREC and ACCRECCREDIT are sales."
  },
  XERO_TYPE_UNKNOWN: {
    severity: "error",
    meaning: "It is not known whether this type of document is a sale",
    consequence: documentRefused,
    fix: "Leave it out of the export, or correct its Type: ACCREC and ACCRECCREDIT are sales."
  },
  XERO_STATUS_MISSING: {
    severity: "error",
    meaning: "The document does not say whether it has been issued",
    consequence: documentRefused,
    fix: "Export Status: a request that was sent to the API is not an export."
  },
  XERO_STATUS_UNKNOWN: {
    severity: "error",
    meaning: "It is not known whether this status means that the document has been issued",
    consequence: documentRefused,
    fix: "Say whether it is issued or to be skipped (the adapter's option `statuses`)."
  },
  XERO_STATUS_CONTRADICTED: {
    severity: "error",
    meaning: "The document's status says that it is not issued, and something else that it is",
    consequence: documentRefused,
    fix: "Export it again. If the status means that it is issued, or the document is to be skipped, say so (the adapter's option `statuses`)."
  },
  XERO_MARKED_AS_ERROR: {
    severity: "error",
    meaning: "An issued document is marked as an error by the API",
    consequence:
      "The stated values may be those that the API refused, and not those that were issued. " + documentRefused,
    fix: "Export the document itself instead of the answer to a request that failed."
  },
  XERO_LINES_DIFFER: {
    severity: "error",
    meaning: "Two rows have the id of one line and different content",
    consequence: "It is not clear whether it is one line or two. " + documentRefused,
    fix: "Correct the rows, or export the document again."
  },
  XERO_DISCOUNTS_DIFFER: {
    severity: "error",
    meaning:
      "A line states a discount rate and a discount amount that differ, or no line has the discount of the document",
    consequence: documentRefused,
    fix: "Correct the discount in the source and export again."
  },
  XERO_BUYER_MISSING: {
    severity: "error",
    meaning: "The export does not say who the buyer is",
    consequence: "It would be sent as a sale without a buyer. " + documentRefused,
    fix: "Export the document with its Contact and give the contacts together with the documents, or say that such documents go as they are stated.",
    answers: asStated
  },
  XERO_CONTACT_UNRESOLVED: {
    severity: "error",
    meaning: "The buyer's contact is not among the contacts of the export",
    consequence: "The buyer's details of the contact would be left out. " + documentRefused,
    evidence: "elsewhere",
    fix: "Export all contacts, archived ones too, or say that such documents go as they are stated.",
    answers: asStated
  },
  XERO_CONTACTS_DIFFER: {
    severity: "error",
    meaning: "The export has two contacts under one id with different names or numbers",
    consequence: "It is not clear who the buyer is. " + documentRefused,
    evidence: "elsewhere",
    fix: "Give the newest contacts alone."
  },
  XERO_BUYERS_DIFFER: {
    severity: "error",
    meaning: "Documents give one contact different names, and no contact file has it",
    consequence: "It is not clear who the buyer is. " + documentRefused,
    fix: "Export Contacts and give that file together with the documents, or say that such documents go as they are stated.",
    answers: asStated
  },
  XERO_MONEY_RECEIVED: {
    severity: "warning",
    meaning: "Money received as a bank transaction, which may be a cash sale, is not read",
    consequence: "Nothing of it is sent: a fiscal invoice needs an invoice.",
    fix: "If it is a sale, issue an invoice for it in the source and export that."
  },
  XERO_NO_INVOICES: {
    severity: "error",
    meaning: "The list holds no invoices or credit notes",
    consequence: notRead,
    fix: "Export Invoices and CreditNotes, and leave this list out."
  },
  XERO_LINES_MISSING: {
    severity: "error",
    meaning: "The document has totals and no lines",
    consequence: documentRefused,
    fix: "Export again with lines: lists have them only page by page (page=1, page=2, …), never with summaryOnly=true; rows need the line table joined to them."
  },
  XERO_VALUE_FORM: {
    severity: "error",
    meaning: "A field holds something else than the API puts there",
    consequence: documentRefused,
    fix: "Export the document again; if a tool wrote the file, let it write the field as the API does."
  },
  XERO_NUMBER_FORM: {
    severity: "error",
    meaning: "A figure is not a decimal number",
    consequence: documentRefused,
    fix: "Write it as 1234.50, without grouping or money signs."
  },
  XERO_DATE_FORM: {
    severity: "error",
    meaning: "A date cannot be read",
    consequence: documentRefused,
    fix: "Write it as 2026-01-31 or as the API does: 2026-01-31T00:00:00, /Date(1769817600000+0000)/."
  },
  XERO_DATE_TIME_OF_DAY: {
    severity: "error",
    meaning: "The date has a time of day, which documents do not have: a tool has moved it to another zone",
    consequence: "The day cannot be determined. " + documentRefused,
    fix: "Export DateString as well: it is the day itself."
  },
  XERO_DATES_DIFFER: {
    severity: "error",
    meaning: "Date and DateString are different days",
    consequence: "The day cannot be determined. " + documentRefused,
    fix: "Check the document's date in the source, and export it again."
  },
  XERO_ALLOCATION_UNNAMED: {
    severity: "error",
    meaning: "An allocation of the credit note does not name its invoice",
    consequence: "The invoice it credits is not known. " + documentRefused,
    fix: "Export the allocation with Invoice.InvoiceID."
  },
  XERO_ROWS_DISAGREE: {
    severity: "error",
    meaning: "Rows of one document differ in a value that belongs to the whole document",
    consequence: documentRefused,
    fix: "Correct the rows, or export the document again."
  },
  XERO_ROWS_SCATTERED: {
    severity: "error",
    meaning: "The rows of one document are not adjacent",
    consequence: "It would be read as two documents, each with a part of the lines. " + documentRefused,
    fix: "Sort the rows by document, and give each document once."
  },
  XERO_CONTACT_STUB: {
    severity: "error",
    meaning: "The export has no more than the buyer's name, and no contact file has the contact",
    consequence: "The buyer's numbers would be left out. " + documentRefused,
    fix: "Export Contacts and give that file together with the documents, or say that such documents go as they are stated.",
    answers: asStated
  },
  XERO_TAX_RATES_DIFFER: {
    severity: "warning",
    meaning: "The tax rates of the export give one tax type two percents",
    consequence: "Neither is held against the mapping book.",
    evidence: "elsewhere",
    fix: "Give the tax rates of one organisation only."
  },
  XERO_PAYING_ACCOUNTS_DIFFER: {
    severity: "warning",
    meaning: "The document was paid into several accounts",
    consequence: "The payment method is left to the mapping book's default.",
    evidence: "elsewhere",
    fix: "No action needed if the default is right for it."
  }
})
