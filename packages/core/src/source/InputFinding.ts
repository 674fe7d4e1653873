/** Findings about documents that a program passes as plain objects. */
import { catalogue } from "../finding/FindingCode.ts"

const consequence = "The document is refused, and nothing of it is sent; the others go on."

export const InputFinding = catalogue({
  INPUT_VALUE: {
    severity: "error",
    meaning: "A value is of another kind than the field takes",
    consequence,
    fix: "Hand it over in the form that is named; for JSON see the type DocumentInput."
  },
  INPUT_NUMBER: {
    severity: "error",
    meaning: "A decimal is a JavaScript number",
    consequence: `${consequence} A number has lost digits before it can be checked: 1.005 is 1.00499999999999989….`,
    fix: 'Hand over the digits as text, as "1.005": take them from the database or the JSON text before they become a number.'
  },
  INPUT_MISSING: {
    severity: "error",
    meaning: "A field is missing",
    consequence,
    fix: "Fill it in from the accounting system; nothing is guessed."
  },
  INPUT_FIELD_UNKNOWN: {
    severity: "error",
    meaning: "A field has an unknown name",
    consequence: `${consequence} Its value would have no effect.`,
    fix: "Correct the name, or leave the field out."
  },
  INPUT_DATE: {
    severity: "error",
    meaning: "A date is neither a day nor an instant with its offset",
    consequence,
    fix: 'Write "2026-03-31", or "2026-03-31T14:05:00+02:00" where the source has a time.'
  }
})
