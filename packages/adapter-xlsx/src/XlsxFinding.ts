import { FindingCode } from "@fiscal-connector/core/adapter"

const documentRefused = "The document is refused and not sent."

/** Codes of this adapter. */
export const XlsxFinding = FindingCode.catalogue({
  XLSX_ERROR_CELL: {
    severity: "error",
    meaning: "A cell contains an error, such as #N/A or #REF!",
    consequence: documentRefused,
    fix: "Correct the formula in the workbook, or write the value itself."
  },
  XLSX_FORMULA_NOT_CALCULATED: {
    severity: "error",
    meaning:
      "A formula has no value, or the workbook asks to be calculated when it is opened; this program does not calculate formulas",
    consequence: documentRefused,
    fix: "Open the workbook in a spreadsheet program, check the value and save the workbook again."
  },
  XLSX_OTHER_WORKBOOK: {
    severity: "error",
    meaning: "A formula takes its value from another workbook, which may have changed",
    consequence: documentRefused,
    fix: "Write the value itself into the cell (Paste special, Values)."
  },
  XLSX_DIGITS_LOST: {
    severity: "error",
    meaning:
      "A number has more than 15 digits before its decimal point, and spreadsheets replace all digits after the 15th with zeros",
    consequence: documentRefused,
    fix: "Format the column as text and export again."
  },
  XLSX_DATE_TOO_EARLY: {
    severity: "error",
    meaning:
      "A cell has a date format, and its number is not a date: it is too low (before March 1900 or 1904, or only a time) or too high (after the year 9999)",
    consequence: documentRefused,
    fix: "Correct the cell, or the format of its column."
  },
  XLSX_CELL_UNREADABLE: {
    severity: "error",
    meaning: "The content of a cell does not match the type of the cell",
    consequence: documentRefused,
    fix: "Type the value again and save the workbook in a spreadsheet program."
  },
  XLSX_DATE_AS_TEXT: {
    severity: "error",
    meaning:
      "A cell for text or an identifier contains a date; a spreadsheet has probably converted a value such as 3-1",
    consequence: documentRefused,
    fix: "Export again with the column as text, or type the text again in a cell with text format."
  },
  XLSX_NUMBER_SHOWN_OTHERWISE: {
    severity: "error",
    meaning:
      'A cell for text or an identifier contains a number, and its format shows another text, such as "INV-"0000',
    consequence: documentRefused,
    fix: "Convert the column to the text that is shown, or choose to read the numbers as they are stored.",
    answers: [{ settings: { numberFormats: "stored" } }]
  },
  XLSX_ROW_HIDDEN: {
    severity: "error",
    meaning: "Some rows of the document are hidden and were skipped, and other rows are visible",
    consequence: documentRefused,
    fix: "Show all rows of the document, or hide all of them.",
    evidence: "elsewhere",
    answers: [{ settings: { hiddenRows: "read" } }]
  },
  XLSX_ROWS_HIDDEN: {
    severity: "warning",
    meaning: "The sheet has hidden rows",
    consequence: "The hidden rows are read or skipped, as you chose.",
    fix: "If this is intended, no action is needed."
  },
  XLSX_COLUMNS_HIDDEN: {
    severity: "warning",
    meaning: "The sheet has hidden columns that are not empty",
    consequence: "The hidden columns are read like the other columns.",
    fix: "If their values are right, no action is needed. Otherwise delete them, or list them under `unread` of a column map."
  },
  XLSX_SHEETS_HIDDEN: {
    severity: "warning",
    meaning: "The workbook has hidden sheets, which were not read",
    consequence: "Their values are not part of any document.",
    fix: "To read a hidden sheet instead of the visible one, name it.",
    answers: [{ ask: "sheet" }]
  },
  XLSX_CALCULATED_VALUES: {
    severity: "warning",
    meaning: "Cells contain formulas, and their values are those of the last save of the workbook",
    consequence: "The formulas are not calculated again.",
    fix: "If a spreadsheet program saved the workbook after its last change, no action is needed."
  },
  XLSX_CELLS_MERGED: {
    severity: "warning",
    meaning: "Cells are merged: the first cell has the value, and the other cells are blank",
    consequence: "A merged document number applies to all its rows. Other merged values apply only to their first row.",
    fix: "If the merged cells belong to one document, no action is needed. If cells of lines are merged, unmerge them and fill in each row."
  }
})
