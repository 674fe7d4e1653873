import { catalogue } from "../finding/FindingCode.ts"

const refused = "The document is refused and not sent."

export const DateFinding = catalogue({
  DATE_HAS_NO_TIME: {
    severity: "error",
    meaning: "The setting `times` of the mapping book is `stated`, and the document has a date without a time",
    consequence: refused,
    fix: "Export dates with time and offset, or set `times` of the mapping book to `spread`."
  },
  DATE_NOT_TODAY: {
    severity: "error",
    meaning: "The setting `times` of the mapping book is `at-submission`, and the document is not dated today",
    consequence: refused,
    fix: "Set `times` of the mapping book to `spread` for documents of other days."
  },
  DATE_HAS_NO_ROOM: {
    severity: "error",
    meaning: "The day of the document has no free second after the previous receipt",
    consequence: `A receipt must be later than the receipt before it (RCPT030). ${refused}`,
    fix: "If the document is dated today, import it again later, because each document needs a free second of the day. Otherwise import the days in order, or set `late` of the mapping book to `restamp`."
  },
  CREDIT_BEFORE_ORIGINAL: {
    severity: "error",
    meaning: "The credit note is dated before the invoice it credits",
    consequence: `The receipt of a credit note must be later than the receipt of its original. ${refused}`,
    fix: "Correct the date of the credit note in the source."
  }
})
