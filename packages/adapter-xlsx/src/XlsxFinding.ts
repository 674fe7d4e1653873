/** Findings about a workbook in addition to those of CSV files, with consequence and fix. */
import { catalogue } from "@fiscal-connector/core/finding/FindingCode"

const documentRefused = "The document is refused; nothing of it is sent."

/** Codes of this adapter. */
export const XlsxFinding = catalogue({
  XLSX_ERROR_CELL: {
    severity: "error",
    meaning: "A cell holds an error, as #N/A or #REF!",
    consequence: documentRefused,
    fix: "Correct the formula in the workbook, or write the value itself."
  },
  XLSX_FORMULA_NOT_CALCULATED: {
    severity: "error",
    meaning: "A formula has no value that a spreadsheet program calculated; formulas are not evaluated here",
    consequence: documentRefused,
    fix: "Open the workbook in a spreadsheet program, look at the value and save it again."
  },
  XLSX_OTHER_WORKBOOK: {
    severity: "error",
    meaning: "A formula takes its value from another workbook, which may have changed since",
    consequence: documentRefused,
    fix: "Write the value itself into the cell (Paste special, Values)."
  },
  XLSX_DIGITS_LOST: {
    severity: "error",
    meaning:
      "A number has more than 15 digits before its decimal point: a spreadsheet keeps 15 and makes zeros of the others",
    consequence: documentRefused,
    fix: "Export again with the column as text."
  },
  XLSX_DATE_TOO_EARLY: {
    severity: "error",
    meaning: "A cell has a date format and a number that is not a date: before March 1900, or a time alone",
    consequence: documentRefused,
    fix: "Correct the cell, or the format of its column."
  },
  XLSX_CELL_UNREADABLE: {
    severity: "error",
    meaning: "A cell holds something that its type does not allow",
    consequence: documentRefused,
    fix: "Type the value again and save the workbook in a spreadsheet program."
  },
  XLSX_DATE_AS_TEXT: {
    severity: "error",
    meaning: "A date is in a cell for text or an identifier: a spreadsheet has probably converted a value such as 3-1",
    consequence: documentRefused,
    fix: "Export again with the column as text, or type the text again in a cell that is formatted as text."
  },
  XLSX_NUMBER_SHOWN_OTHERWISE: {
    severity: "error",
    meaning:
      'A number stands where text or an identifier belongs, in a format that shows something else, as "INV-"0000',
    consequence: documentRefused,
    fix: "Make the column text as it is shown, or say that numbers count as they are stored.",
    answers: [{ settings: { numberFormats: "stored" } }]
  },
  XLSX_ROW_HIDDEN: {
    severity: "error",
    meaning: "Some rows of the document are hidden and were passed over, others are not",
    consequence: documentRefused,
    fix: "Show all rows of the document, or hide all of them.",
    evidence: "elsewhere",
    answers: [{ settings: { hiddenRows: "read" } }]
  },
  XLSX_ROWS_HIDDEN: {
    severity: "warning",
    meaning: "The sheet has hidden rows",
    consequence: "They are read or passed over, as you said.",
    fix: "No action needed if that is intended."
  },
  XLSX_COLUMNS_HIDDEN: {
    severity: "warning",
    meaning: "The sheet has hidden columns with something in them",
    consequence: "They are read like the others.",
    fix: "Nothing, if what they say counts; else delete them, or name them under `unread` of a column map."
  },
  XLSX_SHEETS_HIDDEN: {
    severity: "warning",
    meaning: "The workbook has hidden sheets, which were not read",
    consequence: "Their values are not part of any document.",
    fix: "Name one to have it read in place of the other.",
    answers: [{ ask: "sheet" }]
  },
  XLSX_CALCULATED_VALUES: {
    severity: "warning",
    meaning: "Cells are formulas; the values are read that they had when the workbook was saved",
    consequence: "Nothing is recalculated.",
    fix: "Nothing, if the workbook was saved by a spreadsheet program after its last change."
  },
  XLSX_CELLS_MERGED: {
    severity: "warning",
    meaning: "Cells are merged; the first of them has the value, the others are blank",
    consequence:
      "A row belongs to the document whose number is merged over it. Other merged values count in their first row alone.",
    fix: "No action needed where the cells of one document are merged. Unmerge cells of lines and fill in each row."
  }
})
