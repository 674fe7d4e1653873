/** Findings that every adapter of the kit may report, with consequence and fix. */
import { catalogue } from "@fiscal-connector/core/finding/FindingCode"

const documentRefused = "The document is refused; nothing of it is sent."
const notRead = "Nothing of it is read or sent."

/** Codes that every adapter of the kit may report. */
export const KitFinding = catalogue({
  EXPORT_VALUE_MISSING: {
    severity: "error",
    meaning: "A value that every document has is not there",
    consequence: documentRefused,
    fix: "Export the document again, with this field."
  },
  EXPORT_VALUE_FORM: {
    severity: "error",
    meaning: "A field has a value of another kind",
    consequence: documentRefused,
    fix: "Export the document again; if a tool wrote the file, let it write the field as the system does."
  },
  EXPORT_VALUE_UNKNOWN: {
    severity: "error",
    meaning: "It is not known what this value means",
    consequence: "It is not guessed. " + documentRefused,
    fix: "Leave the document out, or add the value to what the adapter knows."
  },
  EXPORT_NUMBER_FORM: {
    severity: "error",
    meaning: "A figure is not a decimal number",
    consequence: documentRefused,
    fix: "Write it as 1234.50, without grouping or money signs."
  },
  EXPORT_NUMBER_INEXACT: {
    severity: "error",
    meaning: "A figure came as a floating-point number, which is not what the source holds",
    consequence: documentRefused,
    fix: "Let the query give it as text: CAST(price AS TEXT)."
  },
  EXPORT_DATE_FORM: {
    severity: "error",
    meaning: "A date cannot be read",
    consequence: documentRefused,
    fix: "Write it as 2026-01-31, or tell the adapter the form it has."
  },
  EXPORT_DATE_TIME_OF_DAY: {
    severity: "error",
    meaning: "A date is a point in time, and no zone says which day it was",
    consequence: "The day cannot be determined. " + documentRefused,
    fix: "Export the day itself; or let the adapter read it with the zone of the business."
  },
  EXPORT_INSTANT_FORM: {
    severity: "error",
    meaning: "A time cannot be read as a point in time",
    consequence: documentRefused,
    fix: "Write it with its offset, as 2026-01-31T08:00:00+02:00, or let the adapter read it with the zone of the business."
  },
  EXPORT_FIGURES_DIFFER: {
    severity: "error",
    meaning: "A stated figure is not what the system's own arithmetic gives",
    consequence: "It is not clear which of them is right. " + documentRefused,
    fix: "Correct the document in the source and export it again; if a tool wrote the file, let it write every figure as the system does."
  },
  EXPORT_CURRENCIES_DIFFER: {
    severity: "error",
    meaning: "One document has figures in two currencies",
    consequence: documentRefused,
    fix: "Let the adapter read the figures in the document's currency, never those in the company's."
  },
  EXPORT_VALUE_REFUSED: {
    severity: "error",
    meaning: "The adapter refuses what the document holds here",
    consequence: documentRefused,
    fix: "See what the adapter says of it."
  },
  EXPORT_VALUE_DOUBTFUL: {
    severity: "warning",
    meaning: "The adapter doubts what the document holds here",
    consequence: "The document goes on.",
    fix: "Check the value, and correct it if it is wrong."
  },
  EXPORT_RECORD_UNREADABLE: {
    severity: "error",
    meaning: "A record is not valid JSON",
    consequence: notRead,
    fix: "Export it again; if a tool wrote the file, look at the line named."
  },
  EXPORT_RECORD_FORM: {
    severity: "error",
    meaning: "A record is not an object",
    consequence: notRead,
    fix: "Give the records as the system exports them."
  },
  EXPORT_RECORD_UNACCOUNTED: {
    severity: "error",
    meaning: "The adapter read a record and said nothing of it",
    consequence: notRead,
    fix: "Correct the adapter: of every record it yields the document, or skip(record, why)."
  }
})
