import { FindingCode } from "@fiscal-connector/core/adapter"

const documentRefused = "The document is refused and not sent."
const notRead = "The record is not read and not sent."

/** Codes that every adapter of the kit may report. */
export const KitFinding = FindingCode.catalogue({
  EXPORT_VALUE_MISSING: {
    severity: "error",
    meaning: "A required value of the document is missing",
    consequence: documentRefused,
    fix: "Export the document again, with this field."
  },
  EXPORT_VALUE_FORM: {
    severity: "error",
    meaning: "The value of a field has another type than expected",
    consequence: documentRefused,
    fix: "Export the document again. If a tool wrote the file, let the tool write the field as the accounting system does."
  },
  EXPORT_VALUE_UNKNOWN: {
    severity: "error",
    meaning: "The meaning of a value is not known",
    consequence: `${documentRefused}`,
    fix: "Leave the document out, or add the value to the adapter."
  },
  EXPORT_NUMBER_FORM: {
    severity: "error",
    meaning: "An amount or quantity is not a decimal number",
    consequence: documentRefused,
    fix: "Write the number as 1234.50, without thousands separators or currency signs."
  },
  EXPORT_NUMBER_INEXACT: {
    severity: "error",
    meaning:
      "An amount or quantity was passed as a floating-point number, which may differ from the value in the source",
    consequence: documentRefused,
    fix: "Let the query return the number as text: CAST(price AS TEXT)."
  },
  EXPORT_DATE_FORM: {
    severity: "error",
    meaning: "A date cannot be read",
    consequence: documentRefused,
    fix: "Write the date as 2026-01-31, or set the form of dates in the adapter."
  },
  EXPORT_DATE_TIME_OF_DAY: {
    severity: "error",
    meaning: "A date is a point in time, and the time zone of its day is not known",
    consequence: `${documentRefused} The day cannot be determined.`,
    fix: "Export the day itself, or let the adapter read the time in the zone of the business."
  },
  EXPORT_INSTANT_FORM: {
    severity: "error",
    meaning: "A time cannot be read as a point in time",
    consequence: documentRefused,
    fix: "Write the time with its offset, as 2026-01-31T08:00:00+02:00, or let the adapter read the time in the zone of the business."
  },
  EXPORT_FIGURES_DIFFER: {
    severity: "error",
    meaning: "A stated amount differs from the amount that the accounting system computes from the others",
    consequence: `${documentRefused} It is not clear which amount is right.`,
    fix: "Correct the document in the source and export it again. If a tool wrote the file, let the tool write every amount as the accounting system does."
  },
  EXPORT_CURRENCIES_DIFFER: {
    severity: "error",
    meaning: "One document has amounts in two currencies",
    consequence: documentRefused,
    fix: "Let the adapter read the amounts in the document's currency, not those in the company's currency."
  },
  EXPORT_VALUE_REFUSED: {
    severity: "error",
    meaning: "The adapter refuses a value of the document",
    consequence: documentRefused,
    fix: "Read the message of the adapter."
  },
  EXPORT_VALUE_DOUBTFUL: {
    severity: "warning",
    meaning: "The adapter doubts a value of the document",
    consequence: "The document is sent.",
    fix: "Check the value, and correct it if it is wrong."
  },
  EXPORT_RECORD_UNREADABLE: {
    severity: "error",
    meaning: "A record is not valid JSON",
    consequence: notRead,
    fix: "Export the record again. If a tool wrote the file, check the named line."
  },
  EXPORT_RECORD_FORM: {
    severity: "error",
    meaning: "A record is not a JSON object",
    consequence: notRead,
    fix: "Export the records as the accounting system does."
  },
  EXPORT_RECORD_UNACCOUNTED: {
    severity: "error",
    meaning: "The adapter read a record and returned no result for it",
    consequence: notRead,
    fix: "Correct the adapter: for each record it must yield the document, or skip(record, why)."
  }
})
