import { catalogue } from "../finding/FindingCode.ts"

export const SourceFinding = catalogue({
  READING_MALFORMED: {
    severity: "error",
    meaning: "The adapter returned a value of another type than its interface defines",
    consequence: "The document is refused and not sent, because its meaning is not clear.",
    fix: "Correct the adapter: the type SourceDocument defines each value. The type checker or the adapter's conformance suite also finds the error."
  },
  TEXT_TOO_LONG: {
    severity: "error",
    meaning: "A text of the export has more than 65 536 characters",
    consequence: "The document is refused and not sent, and the text is left out.",
    fix: "Look at the cell in the export: often two exports were joined, or a quotation mark is missing. Correct the cell and import the file again."
  },
  READING_UNKNOWN: {
    severity: "error",
    meaning: "The adapter returned a value that is not a document, a skipped record or a finding",
    consequence: "The value is not sent, because its meaning is not known.",
    fix: 'Correct the adapter: a reading has _tag "SourceDocument", "Skipped" or "Finding".'
  },
  DIGITS_ROUNDED: {
    severity: "warning",
    meaning: "Numbers have more than 15 digits, as a program writes them that computes with binary fractions",
    consequence: "They are read with 15 digits, as a spreadsheet shows them: 141.26999999999998 as 141.27.",
    fix: "No action is needed. To see other figures, export the numbers with their decimal places."
  },
  STATEMENTS_NOT_READ: {
    severity: "warning",
    meaning: "The export states something that is not read",
    consequence: "What is named here is not part of any document and is not compared with other values.",
    fix: "Look at the names. If one of them changes what is sold, the amounts, the kind or the currency of documents, do not send them: the export states it where nothing reads it. Otherwise no action is needed."
  }
})
