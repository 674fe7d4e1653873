import { FindingCode } from "@fiscal-connector/core/adapter"

const documentRefused = "The document is refused and not sent."
const notRead = "The record is not read and not sent."
const asStated = [{ settings: { missingContacts: "as-stated" } }]

/** Codes of this adapter. */
export const XeroFinding = FindingCode.catalogue({
  XERO_RECORD_UNREADABLE: {
    severity: "error",
    meaning: "A record is not valid JSON",
    consequence: notRead,
    fix: "Export the record again. If a tool wrote the file, check the named line."
  },
  XERO_SHAPE_UNKNOWN: {
    severity: "error",
    meaning: "A record is not an invoice, a credit note or another record that the adapter knows",
    consequence: notRead,
    fix: 'Leave the file out, or export the records as the API returns them: {"Invoices": [...]}.'
  },
  XERO_ERROR_ANSWER: {
    severity: "error",
    meaning: "The record is the API's answer to a failed request, not an export",
    consequence: notRead,
    fix: "Repeat the failed request and export its answer."
  },
  XERO_ID_MISSING: {
    severity: "error",
    meaning: "A document has neither an id nor a number",
    consequence: notRead,
    fix: "Export InvoiceID and InvoiceNumber (for credit notes CreditNoteID and CreditNoteNumber)."
  },
  XERO_TYPE_MISSING: {
    severity: "error",
    meaning: "The document does not state whether it is a sale or a purchase",
    consequence: documentRefused,
    fix: "Export Type: ACCREC and ACCRECCREDIT are sales."
  },
  XERO_TYPE_UNKNOWN: {
    severity: "error",
    meaning: "It is not known whether documents of this type are sales",
    consequence: documentRefused,
    fix: "Leave the document out of the export, or correct its Type: ACCREC and ACCRECCREDIT are sales."
  },
  XERO_STATUS_MISSING: {
    severity: "error",
    meaning: "The document does not state whether it is issued",
    consequence: documentRefused,
    fix: "Export Status: a request that was sent to the API is not an export."
  },
  XERO_STATUS_UNKNOWN: {
    severity: "error",
    meaning: "It is not known whether a document with this status is issued",
    consequence: documentRefused,
    fix: "State whether documents with this status are issued or skipped (the adapter's option `statuses`)."
  },
  XERO_STATUS_CONTRADICTED: {
    severity: "error",
    meaning: "The status means that the document is not issued, but another field shows that it is issued",
    consequence: documentRefused,
    fix: "Export the document again. Or state whether documents with this status are issued or skipped (the adapter's option `statuses`)."
  },
  XERO_MARKED_AS_ERROR: {
    severity: "error",
    meaning: "The API marks an issued document as an error",
    consequence: `${documentRefused} Its values may be the values that the API refused, and not the issued values.`,
    fix: "Export the document itself, not the answer to a failed request."
  },
  XERO_LINES_DIFFER: {
    severity: "error",
    meaning: "Two rows have the same line id and different content",
    consequence: `${documentRefused} It is not clear whether the rows are one line or two.`,
    fix: "Correct the rows, or export the document again."
  },
  XERO_DISCOUNTS_DIFFER: {
    severity: "error",
    meaning:
      "A line states a discount rate and a discount amount that differ, or the discount of the document is not in any line",
    consequence: documentRefused,
    fix: "Correct the discount in the source and export again."
  },
  XERO_BUYER_MISSING: {
    severity: "error",
    meaning: "The export does not state the buyer",
    consequence: `${documentRefused} Otherwise it would be sent as a sale without a buyer.`,
    fix: "Export the document with its Contact and import the contacts together with the documents, or choose to send such documents as they are stated.",
    answers: asStated
  },
  XERO_CONTACT_UNRESOLVED: {
    severity: "error",
    meaning: "The contact of the buyer is not among the contacts of the export",
    consequence: `${documentRefused} Otherwise it would be sent without the details of the contact.`,
    evidence: "elsewhere",
    fix: "Export all contacts, including archived ones, or choose to send such documents as they are stated.",
    answers: asStated
  },
  XERO_CONTACTS_DIFFER: {
    severity: "error",
    meaning: "The export has two contacts with the same id and different names or numbers",
    consequence: `${documentRefused} It is not clear who the buyer is.`,
    evidence: "elsewhere",
    fix: "Import only the newest contacts."
  },
  XERO_BUYERS_DIFFER: {
    severity: "error",
    meaning: "Documents have different names for one contact, and no contact file contains the contact",
    consequence: `${documentRefused} It is not clear who the buyer is.`,
    fix: "Export Contacts and import that file together with the documents, or choose to send such documents as they are stated.",
    answers: asStated
  },
  XERO_MONEY_RECEIVED: {
    severity: "warning",
    meaning: "A bank transaction with received money, which may be a cash sale, is not read",
    consequence: "The transaction is not sent, because only invoices can be fiscalised.",
    fix: "If the transaction is a sale, issue an invoice for it in the source and export the invoice."
  },
  XERO_NO_INVOICES: {
    severity: "error",
    meaning: "The list contains no invoices or credit notes",
    consequence: notRead,
    fix: "Export Invoices and CreditNotes, and leave this list out."
  },
  XERO_LINES_MISSING: {
    severity: "error",
    meaning: "The document has totals but no lines",
    consequence: documentRefused,
    fix: "Export again with lines. The API returns lines only page by page (page=1, page=2, …), never with summaryOnly=true; a database export must join the line table."
  },
  XERO_VALUE_FORM: {
    severity: "error",
    meaning: "The value of a field differs from the form of the API",
    consequence: documentRefused,
    fix: "Export the document again. If a tool wrote the file, let the tool write the field as the API does."
  },
  XERO_NUMBER_FORM: {
    severity: "error",
    meaning: "An amount or quantity is not a decimal number",
    consequence: documentRefused,
    fix: "Write the number as 1234.50, without thousands separators or currency signs."
  },
  XERO_DATE_FORM: {
    severity: "error",
    meaning: "A date cannot be read",
    consequence: documentRefused,
    fix: "Write the date as 2026-01-31 or as the API does: 2026-01-31T00:00:00, /Date(1769817600000+0000)/."
  },
  XERO_DATE_TIME_OF_DAY: {
    severity: "error",
    meaning: "The date has a time of day, because a tool has moved the date to another time zone",
    consequence: `${documentRefused} The day cannot be determined.`,
    fix: "Export DateString as well, because it is the day itself."
  },
  XERO_DATES_DIFFER: {
    severity: "error",
    meaning: "Date and DateString are different days",
    consequence: `${documentRefused} The day cannot be determined.`,
    fix: "Check the document's date in the source, and export it again."
  },
  XERO_ALLOCATION_UNNAMED: {
    severity: "error",
    meaning: "An allocation of the credit note does not name its invoice",
    consequence: `${documentRefused} It is not known which invoice it credits.`,
    fix: "Export the allocation with Invoice.InvoiceID."
  },
  XERO_ROWS_DISAGREE: {
    severity: "error",
    meaning: "Rows of one document have different values in a field that belongs to the whole document",
    consequence: documentRefused,
    fix: "Correct the rows, or export the document again."
  },
  XERO_ROWS_SCATTERED: {
    severity: "error",
    meaning: "The rows of one document are not together",
    consequence: `${documentRefused} Otherwise it would be read as two documents, each with a part of the lines.`,
    fix: "Sort the rows by document, and export each document only once."
  },
  XERO_CONTACT_STUB: {
    severity: "error",
    meaning: "The export has only the buyer's name, and no contact file contains the contact",
    consequence: `${documentRefused} Otherwise it would be sent without the buyer's numbers.`,
    fix: "Export Contacts and import that file together with the documents, or choose to send such documents as they are stated.",
    answers: asStated
  },
  XERO_TAX_RATES_DIFFER: {
    severity: "warning",
    meaning: "The tax rates of the export have two percents for one tax type",
    consequence: "The two percents are not compared with the mapping book.",
    evidence: "elsewhere",
    fix: "Import the tax rates of one organization only."
  },
  XERO_PAYING_ACCOUNTS_DIFFER: {
    severity: "warning",
    meaning: "The document was paid to several accounts",
    consequence: "The payment method of the document is the default of the mapping book.",
    evidence: "elsewhere",
    fix: "If the default is right for the document, no action is needed."
  }
})
