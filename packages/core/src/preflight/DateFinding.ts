/** Reasons why a document cannot get a receipt date. */
import { catalogue } from "../finding/FindingCode.ts"

const refused = "The document is refused; nothing of it is sent."

export const DateFinding = catalogue({
  DATE_HAS_NO_TIME: {
    severity: "error",
    meaning: "The book's times are `stated`, and the document states a day without a time",
    consequence: refused,
    fix: "Export dates with time and offset, or set `times` of the mapping book to `spread`."
  },
  DATE_NOT_TODAY: {
    severity: "error",
    meaning: "The book's times are `at-submission`, and the document is not of today",
    consequence: refused,
    fix: "Set `times` of the mapping book to `spread` for documents of other days."
  },
  DATE_HAS_NO_ROOM: {
    severity: "error",
    meaning: "The day has no second left that is later than the previous receipt",
    consequence: "A receipt must be later than the one before it (RCPT030). " + refused,
    fix: "If the day is today, import again later: each document needs a free second of the day. Else import the days in order, or set `late` of the mapping book to `restamp`."
  },
  CREDIT_BEFORE_ORIGINAL: {
    severity: "error",
    meaning: "The credit note is dated before the invoice it credits",
    consequence: "A credit note's receipt comes after its original's. " + refused,
    fix: "Correct the date of the credit note in the source."
  }
})
