import { catalogue } from "../finding/FindingCode.ts"

const consequence = "The document is refused and not sent; the other documents are not affected."

export const InputFinding = catalogue({
  INPUT_VALUE: {
    severity: "error",
    meaning: "A value does not have the type or the form that the field requires",
    consequence,
    fix: "Pass the value in the form that the message names; the type DocumentInput defines all forms."
  },
  INPUT_NUMBER: {
    severity: "error",
    meaning: "A decimal is passed as a JavaScript number",
    consequence: `${consequence} A JavaScript number loses digits before it can be checked: 1.005 is 1.00499999999999989….`,
    fix: 'Pass the digits as text, such as "1.005": take them from the database or the JSON text before they become a number.'
  },
  INPUT_MISSING: {
    severity: "error",
    meaning: "A field is missing",
    consequence,
    fix: "Fill in the field from the accounting system."
  },
  INPUT_FIELD_UNKNOWN: {
    severity: "error",
    meaning: "A field has an unknown name",
    consequence: `${consequence} The value of the field would have no effect.`,
    fix: "Correct the name, or leave the field out."
  },
  INPUT_DATE: {
    severity: "error",
    meaning: "A date is neither a day nor a point in time with an offset",
    consequence,
    fix: 'Write "2026-03-31", or "2026-03-31T14:05:00+02:00" if the source has a time.'
  }
})
