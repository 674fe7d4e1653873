import { docsPage } from "../finding/DocsPage.ts"
import { catalogue } from "../finding/FindingCode.ts"

const notLoaded = "The mapping book is not used: no document is read, translated or sent with it."

export const BookFinding = catalogue({
  BOOK_UNREADABLE: {
    severity: "error",
    meaning: "The mapping book cannot be read",
    consequence: "Nothing is planned or sent, because taxes and currencies are not known without a mapping book.",
    fix: "Name a file that exists and that you may read, or create a draft from an export."
  },
  BOOK_SYNTAX: {
    severity: "error",
    meaning: "The mapping book is not valid JSON",
    consequence: notLoaded,
    fix: "Correct the place shown. Comments and a comma after the last entry are allowed."
  },
  BOOK_SHAPE: {
    severity: "error",
    meaning: "A field of the mapping book has the wrong form",
    consequence: notLoaded,
    fix: `Write the field as in ${docsPage("mapping-book")}.`
  },
  BOOK_BASE: {
    severity: "error",
    meaning: "The mapping book that `extends` names cannot be used",
    consequence: notLoaded,
    fix: "Let `extends` name a mapping book in the same folder, such as base.book.json, that does not use `extends`."
  },
  BOOK_CODE_REUSED: {
    severity: "error",
    meaning: "One tax code is mapped to two device taxes",
    consequence: `Mappings of the gateway have no dates, so invoices with the old rate would be taxed at the new rate. ${notLoaded}`,
    fix: "Give the new rate a new code with `since`, and end the entry of the old code with `until`."
  },
  BOOK_SPELLING_AMBIGUOUS: {
    severity: "error",
    meaning: "Two entries have the same spelling for the same period",
    consequence: `It is not clear which entry applies to a document. ${notLoaded}`,
    fix: "Remove the spelling from one entry, or end the earlier entry with `until` before the later entry begins."
  },
  BOOK_BLANK_UNLIMITED: {
    severity: "error",
    meaning: "A blank tax code is mapped without a limit",
    consequence: `Every line without a tax code would get the same tax, although no operator decided this. ${notLoaded}`,
    fix: 'Add a separate entry for the blank code, limited to accounts, products or lines: { "from": [""], "accounts": ["200"], … }, or "lines": "all" if all of them have this tax.'
  },
  BOOK_PERIOD_REVERSED: {
    severity: "error",
    meaning: "The period of an entry ends before it begins",
    consequence: `The entry would never apply. ${notLoaded}`,
    fix: "Correct `since` or `until`; both days belong to the period."
  },
  BOOK_ZONE: {
    severity: "error",
    meaning: "The time zone is neither an offset nor an IANA zone",
    consequence: `Dates without a zone could not get a time. ${notLoaded}`,
    fix: "Write an offset such as +02:00, or a time zone such as Africa/Harare."
  }
})
