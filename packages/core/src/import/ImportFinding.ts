/** What can keep a whole document of a batch from being planned, beyond the document itself. */
import { catalogue } from "../finding/FindingCode.ts"

const refused = "The document is refused; nothing of it is sent."

export const ImportFinding = catalogue({
  DOCUMENT_TWICE: {
    severity: "error",
    meaning: "Two different documents of the export have the same identifier or number",
    consequence: "Nobody could say which of them is the real one. All of them are refused.",
    fix: "Correct the numbers in the source; if rows of one document were torn apart, import them as one file."
  },
  ORIGINAL_UNREADABLE: {
    severity: "error",
    meaning: "The invoice this credit note credits states no date that could be read",
    consequence: "Its taxes are looked up on the original's date (DOC-15). " + refused,
    fix: "Correct the date of the invoice."
  }
})
