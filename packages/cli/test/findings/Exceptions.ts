/**
 * Codes that cannot be the only one in an output, or whose refused rows lead to another code, with
 * the reasons.
 */

interface Exception {
  readonly codes: ReadonlyArray<string>
  readonly why: string
}

/** Codes that appear together with a code. */
export const companions: Readonly<Record<string, Exception>> = {
  CSV_LINE_LOST: {
    codes: ["CSV_TEXT_AFTER_QUOTE"],
    why: "a document loses a line because the line cannot be read, and the line has a code of its own"
  },
  CSV_TOTAL_ROW: {
    codes: ["STATEMENTS_NOT_READ"],
    why: "a report has titles, which are not read"
  },
  CSV_ROW_DAMAGED: {
    codes: ["CSV_TEXT_AFTER_QUOTE", "CSV_LINE_LOST"],
    why: "a row is doubted because of the broken line before it, and the documents around it because of the row"
  },
  CSV_TOTAL_NEGATIVE: {
    codes: ["LINE_NEGATIVE"],
    why: "a document comes to less than nothing because of a line, and lines of what is not called a credit note are positive"
  },
  XERO_VALUE_FORM: {
    codes: ["STATEMENTS_NOT_READ"],
    why: "an object in place of an amount has a field that is not read"
  },
  XERO_ALLOCATION_UNNAMED: {
    codes: ["RCPT015"],
    why: "a credit note whose only allocation names no invoice credits none"
  },
  XLSX_NUMBER_SHOWN_OTHERWISE: {
    codes: ["STATEMENTS_NOT_READ"],
    why: "the text that the format of a number shows is not read"
  },
  XLSX_ROW_HIDDEN: {
    codes: ["XLSX_ROWS_HIDDEN"],
    why: "a document has a hidden row, and of a sheet with hidden rows that is said"
  },
  XERO_ROWS_SCATTERED: {
    codes: ["DOCUMENT_TWICE"],
    why: "rows of one document that are not adjacent: search within a window, or read the file twice are read as two documents with one number"
  }
}

const stillBroken: Exception = {
  codes: ["CSV_ROW_WIDTH"],
  why: "the unread rest of the line stands behind the last column, so that the refused file itself is sound"
}

const writtenAsError: Exception = {
  codes: ["XLSX_ERROR_CELL"],
  why: "a cell that cannot be taken for what it says is an error cell in the refused workbook"
}

/** Further codes that the uncorrected file of refused rows leads to. */
export const again: Readonly<Record<string, Exception>> = {
  CSV_REFUND_NUMBER: {
    codes: ["RCPT032"],
    why: "the sale went, and a refund alone names an invoice that the export does not have"
  },
  XERO_CONTACT_UNRESOLVED: {
    codes: ["XERO_CONTACT_STUB"],
    why: "the file of refused records has no contacts, so that a contact which was not among them is one without details"
  },
  CSV_UNTERMINATED_QUOTE: stillBroken,
  CSV_TEXT_AFTER_QUOTE: stillBroken,
  CSV_LINE_LOST: stillBroken,
  CSV_ROW_DAMAGED: stillBroken,
  XLSX_CELL_UNREADABLE: writtenAsError,
  XLSX_FORMULA_NOT_CALCULATED: writtenAsError,
  XLSX_OTHER_WORKBOOK: writtenAsError
}

/**
 * Codes whose file of refused rows is itself the correction, so that its documents are sent, with
 * the reason.
 */
export const repaired: Readonly<Record<string, string>> = {
  XERO_ROWS_SCATTERED: "all rows of the document are refused, and the file has them together"
}

/** Codes with which nothing is read: the exit code is 1. */
export const nothingRead: ReadonlySet<string> = new Set(["CSV_MAP_INVALID"])

/** Exports without any row to write back, and so without a file of refused rows. */
export const notWrittenBack: Readonly<Record<string, string>> = {
  CSV_MAP_INVALID: "nothing is read",
  EXPORT_RECORD_UNREADABLE: "the record is no JSON",
  EXPORT_NUMBER_INEXACT: "the rows come from a database, and no file of ours is one"
}
