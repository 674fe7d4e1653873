/** Findings about a document within its batch or against the store, beyond the document itself. */
import { catalogue } from "../finding/FindingCode.ts"

const refused = "The document is refused; nothing of it is sent."

export const ImportFinding = catalogue({
  DOCUMENT_TWICE: {
    severity: "error",
    meaning: "Two different documents of the export have the same identifier or number",
    consequence: "It is not clear which of them is the real one. All of them are refused.",
    fix: "Correct the numbers in the source; if rows of one document were torn apart, import them as one file."
  },
  DOCUMENT_RESTATED: {
    severity: "warning",
    meaning:
      "The export states a document several times, with another reference, payment method or details of the buyer",
    consequence: "Lines, figures and who the buyer is are the same. The last one is taken.",
    fix: "No action needed if the last one is the latest. Otherwise give that file last, or alone."
  },
  DOCUMENT_SUPERSEDED: {
    severity: "warning",
    meaning: "The export states a document in several states, and says when each was changed",
    consequence: "The latest state is used; the others are listed as skipped.",
    fix: "No action needed if the latest state is the one that was issued."
  },
  DOCUMENT_STATES_DIFFER: {
    severity: "error",
    meaning: "The export states a document as issued and as not issued, and does not say which of them is later",
    consequence: "It is not clear whether the document is valid. " + refused,
    fix: "Give the newest export alone, or export the time of the last change with every document."
  },
  CANCELLED_AFTER_SENDING: {
    severity: "warning",
    meaning: "The source has cancelled a document that has been sent to the gateway",
    consequence: "A fiscalised document stays fiscalised; its tax is due until it is credited.",
    fix: "Issue a credit note for it in the source and import that."
  },
  CANCELLED_WHILE_PLANNED: {
    severity: "warning",
    meaning: "The source has cancelled a document that is planned and not yet sent",
    consequence: "It would still be sent.",
    fix: "Withdraw it.",
    steps: [{ do: "withdraw", because: "cancelled in the source" }]
  },
  FILLED_FROM_BOOK: {
    severity: "warning",
    meaning: "The mapping book fills in what the source does not state",
    consequence: "The document carries what the book says.",
    fix: "No action needed if this is intended: `defaults` and `productCodes` of the mapping book define the values."
  },
  DIFFERS_FROM_SENT: {
    severity: "warning",
    meaning: "The export states something else than what was sent before",
    consequence: "Nothing is sent again: what was fiscalised stays as it is.",
    fix: "Look at it. A difference in tax is settled by a credit note in the source.",
    steps: [{ do: "explain" }]
  },
  BOOK_DIFFERS_FROM_SENT: {
    severity: "warning",
    meaning: "The mapping book would now make another document of what was sent before",
    consequence: "The sent document stays as it is and is shown as sent. Nothing is sent again.",
    fix: "If the book was changed on purpose, do nothing. Else put the former entries back.",
    steps: [{ do: "explain" }]
  },
  NOTE_PARTLY_ALLOCATED: {
    severity: "warning",
    meaning: "The credit note is allocated to its invoice only in part",
    consequence: "The receipt credits the whole note to that invoice.",
    fix: "No action needed if the rest is for the same invoice. Otherwise allocate all of it in the source before it is sent."
  },
  NOTE_OVER_ALLOCATED: {
    severity: "error",
    meaning: "The credit note is allocated to invoices for more than its total",
    consequence: refused,
    fix: "Correct the allocations or the credit note in the source and export again."
  },
  NOTE_ALLOCATED_SINCE: {
    severity: "warning",
    meaning: "The source has changed the allocation of a credit note since it was sent",
    consequence: "Nothing is sent again: its receipt credits the invoice it was sent with.",
    fix: "No action needed if the allocation is only about payments; it does not reduce the tax of the other invoices."
  },
  ORIGINAL_UNREADABLE: {
    severity: "error",
    meaning: "The invoice this credit note credits states no date that could be read",
    consequence: "Its taxes are looked up on the original's date (DOC-15). " + refused,
    fix: "Correct the date of the invoice."
  }
})
