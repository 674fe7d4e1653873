import { catalogue } from "../finding/FindingCode.ts"

const refused = "The document is refused and not sent."

export const ImportFinding = catalogue({
  DOCUMENT_TWICE: {
    severity: "error",
    meaning: "Two different documents of the export have the same identifier or number",
    consequence: "It is not clear which of the documents is right, so all of them are refused and not sent.",
    fix: "Correct the numbers in the source. If the rows of one document are in several files, import them as one file."
  },
  DOCUMENT_RESTATED: {
    severity: "warning",
    meaning:
      "The export has a document several times, with a different reference, payment method or detail of the buyer",
    consequence: "The last version is used; the lines, the amounts and the buyer are the same in all versions.",
    fix: "If the last version is the latest, no action is needed. Otherwise import the file with the latest version last, or alone."
  },
  DOCUMENT_REPLACED: {
    severity: "warning",
    meaning: "Another document of the export states that it replaces this one",
    consequence: "The document is withdrawn and not sent, unless it is sent before the other one is planned.",
    fix: "If the other document replaces this one, no action is needed. Otherwise correct the column or field in the source, or leave it unread."
  },
  DOCUMENT_SUPERSEDED: {
    severity: "warning",
    meaning: "The export has a document in several states, and the time of each change",
    consequence: "The latest state is used; the other states are listed as skipped.",
    fix: "If the latest state is the issued one, no action is needed."
  },
  DOCUMENT_STATES_DIFFER: {
    severity: "error",
    meaning: "The export has a document as issued and as not issued, and does not show which state is later",
    consequence: `It is not clear whether the document is valid. ${refused}`,
    fix: "Import only the newest export, or export the time of the last change with every document."
  },
  CANCELLED_AFTER_SENDING: {
    severity: "warning",
    meaning: "The source canceled a document that was sent to the gateway",
    consequence: "A fiscalised document stays fiscalised, and its tax is due until it is credited.",
    fix: "Send the credit note that is prepared for the document.",
    steps: [{ do: "credit" }]
  },
  CANCELLED_WHILE_PLANNED: {
    severity: "warning",
    meaning: "The source canceled a document that is planned and not yet sent",
    consequence: "The document would still be sent.",
    fix: "Withdraw the document.",
    steps: [{ do: "withdraw" }]
  },
  FILLED_FROM_BOOK: {
    severity: "warning",
    meaning: "A value comes from the mapping book: the source does not state it, or the book replaces it",
    consequence: "The document is sent with the value of the mapping book.",
    fix: "If this is intended, no action is needed: `defaults`, `productCodes` and `address` of the mapping book define the values."
  },
  DIFFERS_FROM_SENT: {
    severity: "warning",
    meaning: "The export differs from the document that was sent before",
    consequence: "The document is not sent again; a fiscalised document stays as it is.",
    fix: "Compare the two. If the figures of a fiscalised document fell, send the credit note that is prepared for it. If its outcome is open, import the export again when the outcome is known.",
    steps: [{ do: "explain" }]
  },
  DIFFERS_FROM_REGISTERED: {
    severity: "error",
    meaning: "The invoice is registered as fiscalised elsewhere, with another day, currency or total",
    consequence: `It has a receipt elsewhere, and it is not known for which values. ${refused}`,
    fix: "Look at the receipt that was made elsewhere. If the export is wrong, correct it there. If the invoice was changed after its receipt, issue a credit note for the receipt and a new invoice in the source."
  },
  PREPARED_NUMBER: {
    severity: "error",
    meaning: "The rule for prepared credit notes can make the document's number for an invoice of this store",
    consequence: `Two documents would have one number. ${refused}`,
    fix: "Number the document otherwise in the source, or set another rule as `creditNumbers` of the account in the configuration."
  },
  BOOK_DIFFERS_FROM_SENT: {
    severity: "warning",
    meaning: "With the present mapping book, a document that was already sent would have other values",
    consequence: "The document stays as it was sent, is shown as sent, and is not sent again.",
    fix: "If the change of the mapping book is intended, no action is needed. Otherwise restore the former entries.",
    steps: [{ do: "explain" }]
  }
})
