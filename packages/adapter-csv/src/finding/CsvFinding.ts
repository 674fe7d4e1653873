/** Findings about a CSV export, each with its consequence and its fix. */
import { catalogue } from "@fiscal-connector/core/finding/FindingCode"

const documentRefused = "The document is refused; nothing of it is sent."
const rowsRefused = "The rows named are refused; nothing of them is sent."

/** Finding codes of this adapter, each with its meaning and its fix. */
export const CsvFinding = catalogue({
  CSV_UNTERMINATED_QUOTE: {
    severity: "error",
    meaning: "A quote opens a cell and nothing closes it",
    consequence: "The line is refused, and so are the documents it may belong to.",
    fix: "Close the quote, or double it if it belongs to the text."
  },
  CSV_TEXT_AFTER_QUOTE: {
    severity: "error",
    meaning: "Text follows the closing quote of a cell",
    consequence: "The line is refused, and so are the documents it may belong to.",
    fix: 'Write a quote inside a quoted cell twice (""); if the file escapes it with a backslash, say so.',
    answers: [{ settings: { quotes: "backslash" } }]
  },
  CSV_RECORD_TOO_LONG: {
    severity: "error",
    meaning: "A line is longer than 1 MiB",
    consequence: "The line is refused, and so are the documents it may belong to.",
    fix: "Check the row: the file is probably damaged there, or is not a CSV file."
  },
  CSV_ROW_WIDTH: {
    severity: "error",
    meaning: "The row has another number of cells than the header",
    consequence: "The row is refused, and so is the document it belongs to.",
    fix: "Quote cells that contain the delimiter, or add the missing cells; if the export leaves out empty cells at the end of a row, say so.",
    answers: [{ settings: { shortRows: "pad" } }]
  },
  CSV_ROW_DAMAGED: {
    severity: "error",
    meaning:
      "The row has a quote inside an unquoted cell and comes after a broken line, so that it may be part of that line",
    consequence: "The row is refused, and so are the documents it may belong to.",
    fix: "Correct the broken line before it."
  },
  CSV_NUL: {
    severity: "error",
    meaning: "A cell holds a NUL byte",
    consequence: documentRefused,
    fix: "Export the file again: it is damaged, or its encoding is another.",
    answers: [{ ask: "encoding" }]
  },
  CSV_BAD_TEXT: {
    severity: "error",
    meaning: "A cell has bytes that are not text in the file's encoding",
    consequence: documentRefused,
    fix: "Say the file's encoding.",
    answers: [{ ask: "encoding" }]
  },
  CSV_LINE_LOST: {
    severity: "error",
    meaning: "A line that may belong to this document could not be read",
    consequence: documentRefused,
    fix: "Correct the broken line beside it and import the refused rows again.",
    evidence: "elsewhere"
  },
  CSV_KEY_MISSING: {
    severity: "error",
    meaning: "The row names no document: its number is blank",
    consequence: rowsRefused,
    fix: "Fill in the number. If a blank number continues the row above, use a column map with the layout `continuation`.",
    answers: [{ map: { version: 1, layout: "continuation" } }]
  },
  CSV_KIND_UNKNOWN: {
    severity: "error",
    meaning: "The kind of document is not known",
    consequence: documentRefused,
    fix: "Say in the column map's `kinds` whether it is an invoice, a credit note or to be skipped."
  },
  CSV_TOTAL_NEGATIVE: {
    severity: "error",
    meaning: "The document has a negative total, and the export does not state its kind",
    consequence: documentRefused,
    fix: "State that such documents are credit notes, or name the column that states the kind in a column map.",
    answers: [{ settings: { negativeTotals: "credit-note" } }]
  },
  CSV_DEBIT_NOTE: {
    severity: "error",
    meaning: "The document is a debit note, which raises an earlier invoice",
    consequence: documentRefused,
    fix: "The gateway takes invoices and credit notes. Decide whether debit notes are sent as invoices of their own or left out.",
    answers: [{ settings: { debitNotes: "invoice" } }, { settings: { debitNotes: "skip" } }]
  },
  CSV_TAX_ROW: {
    severity: "error",
    meaning: "A row of the document's taxes and charges cannot be stated as a tax of its lines or as a charge",
    consequence: documentRefused,
    fix: "Correct the taxes in the source and export again."
  },
  CSV_TAX_ROUNDED: {
    severity: "warning",
    meaning: "The taxes that the prices contain are stated a few cents off",
    consequence:
      "The document is sent with its total as stated. The receipt shows the taxes as the device computes them.",
    fix: "No action needed: the source rounds each line without its tax."
  },
  CSV_STATUS_UNKNOWN: {
    severity: "error",
    meaning: "It is not known whether this status means that the document has been issued",
    consequence: documentRefused,
    fix: "Say in the column map's `statuses` whether it is issued or to be skipped."
  },
  CSV_AMOUNTS_UNKNOWN: {
    severity: "error",
    meaning: "It is not known whether this means that amounts include tax",
    consequence: documentRefused,
    fix: "Write inclusive, exclusive or untaxed, or say it in the column map's `amountsAre`."
  },
  CSV_HEADER_CONFLICT: {
    severity: "error",
    meaning: "Rows of one document differ in a column that belongs to the whole document",
    consequence: documentRefused,
    fix: "Correct the rows; if they are different documents with the same number, name what tells them apart in the column map's `group`."
  },
  CSV_DATE_SERIAL: {
    severity: "error",
    meaning: "A date is a number, as spreadsheets store days",
    consequence: documentRefused,
    fix: "Write it as 2026-01-31, or say from when the numbers count the days: most spreadsheets count from 1900, some of older Macs from 1904.",
    answers: [{ settings: { serialDates: "1900" } }, { settings: { serialDates: "1904" } }]
  },
  CSV_DATE_UNREADABLE: {
    severity: "error",
    meaning: "A date cannot be read",
    consequence: documentRefused,
    fix: "Write it as 2026-01-31, or say the order of day and month.",
    answers: [{ ask: "dates" }]
  },
  CSV_NUMBER_UNREADABLE: {
    severity: "error",
    meaning: "A number cannot be read",
    consequence: documentRefused,
    fix: "Write it as 1234.50, or say the decimal mark if it is a comma.",
    answers: [{ settings: { decimalMark: "comma" } }]
  },
  CSV_IDENTIFIER_DAMAGED: {
    severity: "error",
    meaning: "An identifier has been turned into a number or a date by a spreadsheet",
    consequence: documentRefused,
    fix: "Export again and do not save the file from a spreadsheet, or format the column as text first."
  },
  CSV_FORMULA: {
    severity: "error",
    meaning: "A cell holds a formula where an identifier or a number belongs; it is not evaluated",
    consequence: documentRefused,
    fix: "Write the value itself."
  },
  CSV_APOSTROPHE: {
    severity: "warning",
    meaning: "A leading apostrophe, by which a spreadsheet marks text, was taken off",
    consequence: "The value is read without it.",
    fix: "No action needed if the apostrophe is not part of the value."
  },
  CSV_CURRENCY_CONFLICT: {
    severity: "error",
    meaning: "A money sign contradicts the document's currency",
    consequence: documentRefused,
    fix: "Correct the currency column or the amounts."
  },
  CSV_AMOUNTS_MIXED: {
    severity: "error",
    meaning: "Some lines of the document include tax and others do not",
    consequence: documentRefused,
    fix: "Issue it again with one kind of amounts; the gateway takes only one per document."
  },
  CSV_REFUND_WITHOUT_NOTE: {
    severity: "error",
    meaning: "The sale has been refunded, and the export has no credit note for it",
    consequence: documentRefused,
    fix: "Write the refund as a separate credit note, import it after the sale, and choose that refunded sales are issued.",
    answers: [{ settings: { refundedSales: "issued" } }]
  },
  CSV_REFUND_NOTED: {
    severity: "warning",
    meaning: "The sale was refunded, and is read as issued, as you chose",
    consequence: "Its tax is due until its credit note is imported.",
    fix: "Import the credit note of the refund."
  },
  CSV_REFUND_NUMBER: {
    severity: "error",
    meaning: "A refund has the number of its sale, and numbers are unique for a taxpayer",
    consequence: documentRefused,
    fix: "Choose that refunds get the number of their sale with -R and the day of the refund, or give the refund its own number in the export.",
    answers: [{ settings: { refundNumbers: "suffix" } }]
  },
  CSV_CHARGE_TAX_ALONE: {
    severity: "error",
    meaning: "A tax is stated for a charge that the document does not have",
    consequence: documentRefused,
    fix: "Fill in the charge itself, or correct the column map: the column may be the tax of something else."
  },
  CSV_ROWS_REPEATED: {
    severity: "error",
    meaning: "Rows of the document are repeated, and its totals do not show whether that is intended",
    consequence: documentRefused,
    fix: "Say that they are kept if they are lines of their own, or dropped if the export wrote them twice.",
    answers: [{ settings: { repeatedRows: "keep" } }, { settings: { repeatedRows: "drop" } }]
  },
  CSV_ROWS_DROPPED: {
    severity: "warning",
    meaning: "Repeated rows were left out: only without them do the lines add up to the stated total",
    consequence: "The document is read from the other rows.",
    fix: "No action needed if the export wrote them twice."
  },
  CSV_COLUMNS_IGNORED: {
    severity: "warning",
    meaning: "Unknown columns were not read",
    consequence: "Their values are not part of any document.",
    fix: "Name them in a column map if they matter."
  },
  CSV_COLUMNS_DISAGREE: {
    severity: "error",
    meaning: "Two columns of one field are filled and state different values",
    consequence: "It is not clear which of them applies. " + documentRefused,
    fix: "Name in the column map only the column that counts, or correct the other one in the source."
  },
  CSV_TOTAL_ROW: {
    severity: "error",
    meaning: "A total row of the report is not the sum of the rows above it",
    consequence: rowsRefused,
    fix: "Export the report again: rows are missing or were changed.",
    evidence: "elsewhere"
  },
  CSV_MAP_INVALID: {
    severity: "error",
    meaning: "The column map is not valid",
    consequence: "Nothing is read.",
    fix: "Correct the column map."
  },
  CSV_CONTROL_CHARACTER: {
    severity: "error",
    meaning: "A text holds a control character, which would be sent as it is",
    consequence: documentRefused,
    fix: "Take it out in the source, or have each replaced by a blank.",
    answers: [{ settings: { controlCharacters: "blank" } }]
  },
  CSV_HIDDEN_CHARACTER: {
    severity: "error",
    meaning: "An identifier has an invisible character, or one that only looks like a space",
    consequence: documentRefused,
    fix: "Type the identifier again in the source: identifiers that look the same must be the same, or one document is sent as two."
  },
  CSV_TEXT_FORMULA: {
    severity: "warning",
    meaning: 'The ="…" by which a spreadsheet keeps text as it is was taken off',
    consequence: "The value is read without it.",
    fix: "No action needed if it is not part of the value."
  },
  CSV_TOTAL_ROW_UNSURE: {
    severity: "error",
    meaning: "A row is called a total, and is not the sum of the rows above it",
    consequence: rowsRefused,
    fix: "Take the row out if it is not a line, or state whether rows that are called a total are lines.",
    answers: [{ settings: { totalRows: "skip" } }, { settings: { totalRows: "lines" } }]
  },
  CSV_TOTAL_ROWS_PASSED: {
    severity: "warning",
    meaning: "Rows with totals or ends of pages were not read as lines",
    consequence: "The documents are read from the other rows.",
    fix: "No action needed: they are the sums of the rows above them."
  },
  CSV_LINE_ID_TWICE: {
    severity: "error",
    meaning: "Two rows of the document have one line id and say different things",
    consequence: documentRefused,
    fix: "Correct the export: the rows are two states of one line, or the id is of one of them only."
  },
  CSV_LINE_FIGURES_DIFFER: {
    severity: "error",
    meaning:
      "A line's amount before its discount, its discount and its amount after it contradict each other, or its discount is stated in two ways",
    consequence: documentRefused,
    fix: "Correct the line in the source and export it again."
  },
  CSV_SUMS_DIFFER: {
    severity: "error",
    meaning: "A sum that the document states is not the sum of its parts",
    consequence: documentRefused,
    fix: "Correct the document in the source and export it again; where the column states something else, name it under `unread` of the column map."
  },
  CSV_LINES_PACKED: {
    severity: "error",
    meaning: "All lines of the document are packed into one cell",
    consequence: documentRefused,
    fix: "Export one row per line."
  },
  CSV_STATEMENTS_CONTRADICT: {
    severity: "error",
    meaning: "The document is stated in several states, and the export does not say which is the latest",
    consequence: documentRefused,
    fix: "Export again, so that every document is stated once, or with the time of its last change."
  },
  CSV_EARLIER_STATEMENT: {
    severity: "warning",
    meaning: "An earlier state of the document was passed over: the export states a later one",
    consequence: "The latest state is read.",
    fix: "No action needed if the time of the last change is right."
  },
  CSV_MARKED_FAILED: {
    severity: "error",
    meaning: "The document has been issued, and the export marks it as faulty",
    consequence: documentRefused,
    fix: "Look at it in the source and clear the error, then export again."
  },
  CSV_BUYER_UNKNOWN: {
    severity: "error",
    meaning: "The document has a buyer, of whom the export states nothing but an id",
    consequence: documentRefused,
    fix: "Export the buyer's name with it, or say that such buyers are walk-ins.",
    answers: [{ settings: { unknownBuyers: "walk-in" } }]
  },
  CSV_BUYERS_DIFFER: {
    severity: "error",
    meaning: "The file states two different buyers under one id",
    consequence: documentRefused,
    fix: "Correct the buyer in the source, so that every document states the same, and export again."
  },
  CSV_DATE_HAS_TIME: {
    severity: "error",
    meaning:
      "The date is a time with an offset, and the documents of this export have no time of day: the day may be another",
    consequence: documentRefused,
    fix: "Export plain dates, or say whether the day counts as it is written, or the instant.",
    answers: [{ settings: { times: "written-day" } }, { settings: { times: "instant" } }]
  },
  CSV_DATES_DIFFER: {
    severity: "error",
    meaning: "Two columns state the date of the document, a day apart",
    consequence: documentRefused,
    fix: "Find out which is right: one of them was probably shifted by a time zone. Where it is the document's own that is right, the other is passed over by a column map."
  },
  CSV_FIGURES_UNREAD: {
    severity: "warning",
    meaning: "Columns that state figures by their name were not read, because their name may mean more than one figure",
    consequence: "Their contents are not compared with the documents to send.",
    fix: "Name them in a column map, which is laid over the layout, or under its `unread` if they are passed over knowingly."
  }
})
