/** Problems of a mapping book, found before any document is read. */
import { docsPage } from "../finding/DocsPage.ts"
import { catalogue } from "../finding/FindingCode.ts"

const notLoaded = "The book is not loaded and nothing is read, translated or sent with it."

export const BookFinding = catalogue({
  BOOK_UNREADABLE: {
    severity: "error",
    meaning: "The mapping book cannot be read",
    consequence: "Nothing is planned or sent: without a book no tax or currency is known.",
    fix: "Name a file that is there and that you may read, or have one drafted from an export."
  },
  BOOK_SYNTAX: {
    severity: "error",
    meaning: "The mapping book is not JSON",
    consequence: notLoaded,
    fix: "Correct the place shown. Comments and a comma after the last entry are allowed."
  },
  BOOK_SHAPE: {
    severity: "error",
    meaning: "A field of the mapping book has the wrong form",
    consequence: notLoaded,
    fix: `Write the field as ${docsPage("mapping-book")} shows it.`
  },
  BOOK_BASE: {
    severity: "error",
    meaning: "The base of the mapping book cannot be used",
    consequence: notLoaded,
    fix: "`extends` names a mapping book beside this one, as base.book.json, which itself extends nothing."
  },
  BOOK_CODE_REUSED: {
    severity: "error",
    meaning: "One tax code is mapped to two device taxes",
    consequence:
      "Gateway mappings have no dates, so invoices of the old rate would be taxed at the new one. " + notLoaded,
    fix: "Give the new rate a new code with `since`, and end the old one with `until`."
  },
  BOOK_SPELLING_AMBIGUOUS: {
    severity: "error",
    meaning: "One spelling is in two entries at the same time",
    consequence: "It is not clear which of them a document means. " + notLoaded,
    fix: "Take the spelling out of one entry, or end the earlier period with `until` before the later one begins."
  },
  BOOK_BLANK_UNLIMITED: {
    severity: "error",
    meaning: "A blank tax code is mapped without a limit",
    consequence:
      "Every line whose tax code is missing would be taxed alike, although no one decided this. " + notLoaded,
    fix: 'Give the blank a separate entry, limited to accounts, products or lines: { "from": [""], "accounts": ["200"], … }, or "lines": "all" if all of them have this tax.'
  },
  BOOK_PERIOD_REVERSED: {
    severity: "error",
    meaning: "A period ends before it begins",
    consequence: "The entry would never apply. " + notLoaded,
    fix: "Correct `since` or `until`; both days belong to the period."
  },
  BOOK_ZONE: {
    severity: "error",
    meaning: "The zone is neither an offset nor an IANA zone",
    consequence: "Civil dates could not be given a time. " + notLoaded,
    fix: "Write an offset such as +02:00, or a zone such as Africa/Harare."
  }
})
