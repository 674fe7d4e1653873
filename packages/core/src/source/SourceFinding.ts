/**
 * Findings about a reading's form, before its content is checked: values from unchecked code, and
 * texts without a reasonable limit.
 */
import { catalogue } from "../finding/FindingCode.ts"

export const SourceFinding = catalogue({
  READING_MALFORMED: {
    severity: "error",
    meaning: "The adapter gave a value of another kind than its interface has",
    consequence: "The meaning is not guessed. The document is refused and not sent.",
    fix: "Correct the adapter: SourceDocument says what each value is. The type checker, or the adapter's conformance suite, finds it as well."
  },
  TEXT_TOO_LONG: {
    severity: "error",
    meaning: "A text of the export has more than 65 536 characters",
    consequence: "The text is left out. The document is refused; nothing of it is sent.",
    fix: "Look at the cell in the export. Often two exports were joined, or a quotation mark is missing. Correct it and import the file again."
  },
  READING_UNKNOWN: {
    severity: "error",
    meaning: "The adapter gave something that is neither a document, nor skipped, nor a finding",
    consequence: "It is not known what it means. Nothing of it is sent.",
    fix: 'Correct the adapter: a reading has _tag "SourceDocument", "Skipped" or "Finding".'
  },
  WORDS_NOT_READ: {
    severity: "warning",
    meaning: "A column or field has a known name and values that are not known",
    consequence: "Its values are not read and not compared with anything; the documents are sent.",
    fix: "Look at the values. If they say that a document is a draft, cancelled, a credit note or in another currency, tell the import what they mean (for CSV and Excel in a column map). Else do nothing."
  }
})
