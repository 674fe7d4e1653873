import { FindingCode } from "@fiscal-connector/core/adapter"

const documentRefused = "The document is refused and not sent."
const rowsRefused = "The named rows are refused and not sent."

/** Finding codes of this adapter, each with its meaning and its fix. */
export const CsvFinding = FindingCode.catalogue({
  CSV_UNTERMINATED_QUOTE: {
    severity: "error",
    meaning: "A cell begins with a quotation mark, and the closing quotation mark is missing",
    consequence: "The row is refused and not sent, and so are the documents to which it may belong.",
    fix: "Add the closing quotation mark. If the quotation mark belongs to the text, write it twice."
  },
  CSV_TEXT_AFTER_QUOTE: {
    severity: "error",
    meaning: "A cell contains text after its closing quotation mark",
    consequence: "The row is refused and not sent, and so are the documents to which it may belong.",
    fix: 'Write a quotation mark inside a quoted cell twice (""). If the file escapes quotation marks with a backslash, choose that.',
    answers: [{ settings: { quotes: "backslash" } }]
  },
  CSV_RECORD_TOO_LONG: {
    severity: "error",
    meaning: "A row is longer than 1 MiB",
    consequence: "The row is refused and not sent, and so are the documents to which it may belong.",
    fix: "Check the row: the file is probably damaged there, or is not a CSV file."
  },
  CSV_ROW_WIDTH: {
    severity: "error",
    meaning: "The number of cells in the row differs from the number of cells in the header",
    consequence: "The row is refused and not sent, and so is its document.",
    fix: "Quote cells that contain the delimiter, or add the missing cells. If the export leaves out empty cells at the end of a row, choose to add them.",
    answers: [{ settings: { shortRows: "pad" } }]
  },
  CSV_ROW_DAMAGED: {
    severity: "error",
    meaning:
      "The row follows a broken row and may be a part of it, because it contains a quotation mark in an unquoted cell",
    consequence: "The row is refused and not sent, and so are the documents to which it may belong.",
    fix: "Correct the broken row before this row."
  },
  CSV_NUL: {
    severity: "error",
    meaning: "A cell contains a NUL byte",
    consequence: documentRefused,
    fix: "Export the file again, because it is damaged, or state its encoding if the encoding is another.",
    answers: [{ ask: "encoding" }]
  },
  CSV_BAD_TEXT: {
    severity: "error",
    meaning: "A cell contains bytes that are not valid in the encoding of the file",
    consequence: documentRefused,
    fix: "State the encoding of the file.",
    answers: [{ ask: "encoding" }]
  },
  CSV_ENCODING: {
    severity: "warning",
    meaning: "The file has texts in another encoding than UTF-8",
    consequence: "The texts are read as shown here.",
    fix: "If the samples are right, no action is needed. Otherwise state the encoding, or save the file as UTF-8."
  },
  CSV_LINE_LOST: {
    severity: "error",
    meaning: "A row that may belong to this document could not be read",
    consequence: documentRefused,
    fix: "Correct the broken row and import the refused rows again.",
    evidence: "elsewhere"
  },
  CSV_KEY_MISSING: {
    severity: "error",
    meaning: "The row does not state its document: the number is blank",
    consequence: rowsRefused,
    fix: "Fill in the number. If a blank number continues the row above, use a column map with the layout `continuation`. If the row belongs to none, as an opening balance, skip such rows.",
    answers: [{ map: { version: 1, layout: "continuation" } }, { settings: { unnumberedRows: "skip" } }]
  },
  CSV_KIND_UNKNOWN: {
    severity: "error",
    meaning: "The kind of the document is not known",
    consequence: documentRefused,
    fix: "State in `kinds` of the column map whether the document is an invoice, a credit note or skipped."
  },
  CSV_TOTAL_NEGATIVE: {
    severity: "error",
    meaning: "The document has a negative total, and the export does not state its kind",
    consequence: documentRefused,
    fix: "Choose that such documents are credit notes, or name the column that states the kind in a column map.",
    answers: [{ settings: { negativeTotals: "credit-note" } }]
  },
  CSV_DEBIT_NOTE: {
    severity: "error",
    meaning: "The document is a debit note, which increases the amount of an earlier invoice",
    consequence: documentRefused,
    fix: "Choose whether debit notes are sent as separate invoices or skipped; the gateway accepts only invoices and credit notes.",
    answers: [{ settings: { debitNotes: "invoice" } }, { settings: { debitNotes: "skip" } }]
  },
  CSV_TAX_ROW: {
    severity: "error",
    meaning: "A row with taxes and charges of the document cannot be read as a tax of its lines or as a charge",
    consequence: documentRefused,
    fix: "Correct the taxes in the source and export again."
  },
  CSV_TAX_ROUNDED: {
    severity: "warning",
    meaning: "The stated taxes that the prices include differ by a few cents from the computed taxes",
    consequence: "The document is sent with its stated total; the receipt shows the taxes that the device computes.",
    fix: "No action needed: the source rounds each line without its tax."
  },
  CSV_STATUS_UNKNOWN: {
    severity: "error",
    meaning: "It is not known whether a document with this status is issued",
    consequence: documentRefused,
    fix: "State in `statuses` of the column map whether documents with this status are issued or skipped."
  },
  CSV_AMOUNTS_UNKNOWN: {
    severity: "error",
    meaning: "It is not known whether this value means that amounts include tax",
    consequence: documentRefused,
    fix: "Write inclusive, exclusive or untaxed, or state the meaning of the value in `amountsAre` of the column map."
  },
  CSV_HEADER_CONFLICT: {
    severity: "error",
    meaning: "Rows of one document have different values in a column that belongs to the whole document",
    consequence: documentRefused,
    fix: "Correct the rows. If they are different documents with the same number, name the columns that distinguish them in `group` of the column map."
  },
  CSV_DATE_SERIAL: {
    severity: "error",
    meaning: "A date is a serial number of a spreadsheet",
    consequence: documentRefused,
    fix: "Write the date as 2026-01-31, or choose the first year of the serial numbers: most spreadsheets count from 1900, some on older Macs from 1904.",
    answers: [{ settings: { serialDates: "1900" } }, { settings: { serialDates: "1904" } }]
  },
  CSV_DATE_UNREADABLE: {
    severity: "error",
    meaning: "A date cannot be read",
    consequence: documentRefused,
    fix: "Write the date as 2026-01-31, or state the order of day and month.",
    answers: [{ ask: "dates" }]
  },
  CSV_NUMBER_UNREADABLE: {
    severity: "error",
    meaning: "A number cannot be read",
    consequence: documentRefused,
    fix: "Write the number as 1234.50. If the file has a comma as decimal mark, choose that.",
    answers: [{ settings: { decimalMark: "comma" } }]
  },
  CSV_IDENTIFIER_DAMAGED: {
    severity: "error",
    meaning: "A spreadsheet has changed an identifier to a number or a date",
    consequence: documentRefused,
    fix: "Export the file again and do not save it in a spreadsheet, or format the column as text first."
  },
  CSV_FORMULA: {
    severity: "error",
    meaning: "A cell for an identifier or a number contains a formula, and formulas are not calculated",
    consequence: documentRefused,
    fix: "Write the value itself into the cell."
  },
  CSV_APOSTROPHE: {
    severity: "warning",
    meaning: "An apostrophe at the beginning of a cell, with which spreadsheets mark text, was removed",
    consequence: "The value is read without the apostrophe.",
    fix: "If the apostrophe is not part of the value, no action is needed."
  },
  CSV_CURRENCY_CONFLICT: {
    severity: "error",
    meaning: "A currency sign contradicts the currency of the document",
    consequence: documentRefused,
    fix: "Correct the currency column or the amounts."
  },
  CSV_AMOUNTS_MIXED: {
    severity: "error",
    meaning: "Some lines of the document include tax and others do not",
    consequence: documentRefused,
    fix: "Issue the document again with one kind of amounts; the gateway accepts only one kind per document."
  },
  CSV_REFUND_WITHOUT_NOTE: {
    severity: "error",
    meaning: "The sale was refunded, and a refund is sent only as a separate credit note",
    consequence: documentRefused,
    fix: "If the export has no credit note for the refund, write one and import it after the sale. Then choose that refunded sales are issued.",
    answers: [{ settings: { refundedSales: "issued" } }]
  },
  CSV_REFUND_NOTED: {
    severity: "warning",
    meaning: "The sale was refunded, and is read as issued, as you chose",
    consequence: "The tax of the sale is due until its credit note is imported.",
    fix: "Import the credit note of the refund."
  },
  CSV_REFUND_NUMBER: {
    severity: "error",
    meaning: "A refund has the number of its sale, and a taxpayer can use a number only once",
    consequence: documentRefused,
    fix: "Choose that a refund gets the number of its sale with -R and the day of the refund, or give the refund its own number in the export.",
    answers: [{ settings: { refundNumbers: "suffix" } }]
  },
  CSV_CHARGE_TAX_ALONE: {
    severity: "error",
    meaning: "A tax is stated for a charge that the document does not have",
    consequence: documentRefused,
    fix: "Fill in the charge, or correct the column map: the column may contain the tax of another amount."
  },
  CSV_ROWS_REPEATED: {
    severity: "error",
    meaning: "Rows of the document are repeated, and its totals do not show whether this is intended",
    consequence: documentRefused,
    fix: "Keep the rows if they are separate lines, or drop them if the export wrote them twice.",
    answers: [{ settings: { repeatedRows: "keep" } }, { settings: { repeatedRows: "drop" } }]
  },
  CSV_ROWS_DROPPED: {
    severity: "warning",
    meaning: "Repeated rows were dropped, because the lines add up to the stated total only without them",
    consequence: "The document is read from the other rows.",
    fix: "If the export wrote the rows twice, no action is needed."
  },
  CSV_COLUMNS_DISAGREE: {
    severity: "error",
    meaning: "Two columns of one field have different values",
    consequence: `${documentRefused} It is not clear which column applies.`,
    fix: "Name only the right column in the column map, or correct the other column in the source."
  },
  CSV_TOTAL_ROW: {
    severity: "error",
    meaning: "A total row of the report is not the sum of the rows above it",
    consequence: rowsRefused,
    fix: "Export the report again, because rows are missing or were changed.",
    evidence: "elsewhere"
  },
  CSV_MAP_INVALID: {
    severity: "error",
    meaning: "The column map is not valid",
    consequence: "No file is read.",
    fix: "Correct the column map."
  },
  CSV_CONTROL_CHARACTER: {
    severity: "error",
    meaning: "A text to send contains a control character",
    consequence: documentRefused,
    fix: "Remove the character in the source, or choose to replace each control character by a space.",
    answers: [{ settings: { controlCharacters: "blank" } }]
  },
  CSV_HIDDEN_CHARACTER: {
    severity: "error",
    meaning: "An identifier contains an invisible character, or a character that looks like a space",
    consequence: documentRefused,
    fix: "Type the identifier again in the source. Otherwise two identifiers that look the same are different, and one document is sent twice."
  },
  CSV_TEXT_FORMULA: {
    severity: "warning",
    meaning: 'The characters ="…", with which spreadsheets keep a text unchanged, were removed',
    consequence: "The value is read without these characters.",
    fix: "If these characters are not part of the value, no action is needed."
  },
  CSV_TOTAL_ROW_UNSURE: {
    severity: "error",
    meaning:
      "A row may be a total or a page end, but its name, the sums above it or the page numbers do not confirm this",
    consequence:
      "The row is refused. If it is among the lines of a document, the document is refused. They are not sent.",
    fix: "If the row is not a line, remove it. Or choose whether such rows are lines or skipped.",
    answers: [{ settings: { totalRows: "skip" } }, { settings: { totalRows: "lines" } }]
  },
  CSV_TOTAL_ROWS_PASSED: {
    severity: "warning",
    meaning: "Rows with totals, without a number, or at the end of a page were not read as lines",
    consequence: "The documents are read from the other rows.",
    fix: "If you chose to skip such rows, check that none of these rows is a line. Otherwise no action is needed: they are sums of the rows above them, or ends of pages."
  },
  CSV_LINE_ID_TWICE: {
    severity: "error",
    meaning: "Two rows of the document have the same line id and different values",
    consequence: documentRefused,
    fix: "Correct the export: either the rows are two states of one line, or one of them has the wrong id."
  },
  CSV_LINE_FIGURES_DIFFER: {
    severity: "error",
    meaning:
      "The amount of a line before its discount, its discount and its amount after the discount contradict each other, or two discounts are stated",
    consequence: documentRefused,
    fix: "Correct the line in the source and export it again."
  },
  CSV_SUMS_DIFFER: {
    severity: "error",
    meaning: "A stated sum of the document is not the sum of its parts",
    consequence: documentRefused,
    fix: "Correct the document in the source and export it again. If the column states another amount, list it under `unread` of the column map."
  },
  CSV_LINES_PACKED: {
    severity: "error",
    meaning: "One cell contains all lines of the document",
    consequence: documentRefused,
    fix: "Export one row for each line."
  },
  CSV_STATEMENTS_CONTRADICT: {
    severity: "error",
    meaning: "The export has the document in several states, and does not show which state is the latest",
    consequence: documentRefused,
    fix: "Export again, so that each document appears only once, or with the time of its last change."
  },
  CSV_EARLIER_STATEMENT: {
    severity: "warning",
    meaning: "An earlier state of the document was skipped, because the export has a later state",
    consequence: "The latest state is used.",
    fix: "If the time of the last change is right, no action is needed."
  },
  CSV_MARKED_FAILED: {
    severity: "error",
    meaning: "The document is issued, and the export marks it as faulty",
    consequence: documentRefused,
    fix: "Correct the error of the document in the source, then export again."
  },
  CSV_BUYER_UNKNOWN: {
    severity: "error",
    meaning: "The document has a buyer, and the export states only the buyer's id",
    consequence: documentRefused,
    fix: "Export the buyer's name as well, or choose that such buyers are walk-in customers.",
    answers: [{ settings: { unknownBuyers: "walk-in" } }]
  },
  CSV_BUYERS_DIFFER: {
    severity: "error",
    meaning: "The file has two different buyers with one id",
    consequence: documentRefused,
    fix: "Correct the buyer in the source, so that all documents have the same buyer for the id, and export again."
  },
  CSV_DATE_HAS_TIME: {
    severity: "error",
    meaning:
      "The date is a time with an offset, but documents of this export have no time of day, so the day may be wrong",
    consequence: documentRefused,
    fix: "Export dates without a time, or choose whether the day as written or the point in time counts.",
    answers: [{ settings: { times: "written-day" } }, { settings: { times: "instant" } }]
  },
  CSV_DATES_DIFFER: {
    severity: "error",
    meaning: "Two columns state the date of the document, and the dates differ by one day",
    consequence: documentRefused,
    fix: "Find out which date is right: a time zone has probably shifted the other. If the document's own date is right, a column map can leave the other column unread."
  }
})
