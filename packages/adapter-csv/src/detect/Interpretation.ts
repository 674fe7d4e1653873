/** All settled decisions about reading one file; nothing is left to guess. */
import type { Answer } from "@fiscal-connector/core/finding/Answer"
import type { SourceWord } from "@fiscal-connector/core/source/SourceDocument"
import type { Statement } from "@fiscal-connector/core/finding/Statement"
import type { Subject } from "@fiscal-connector/core/source/StatedWords"
import type { Binding } from "../columns/Binding.ts"
import type * as DateForm from "../values/DateForm.ts"
import type { DocumentField } from "../columns/Field.ts"
import type { FoundHeader } from "./FoundHeader.ts"
import type { FindingCode } from "@fiscal-connector/core/finding/FindingCode"
import { cellEnd } from "../scan/Dialect.ts"
import { NotText, NumberCell, type Scanner } from "../scan/Scanner.ts"
import * as NumberForm from "../values/NumberForm.ts"
import type { KeyTable } from "../scan/KeyTable.ts"
import type { RowOrigin } from "../scan/Row.ts"
import type { RowWidth } from "../scan/RowShape.ts"
import type { Settings } from "../columns/Settings.ts"
import type { Vocabulary } from "../columns/Vocabulary.ts"

/**
 * A column that is compared with the document, and the answers that settle which of two statements
 * counts.
 */
export interface WordColumn {
  readonly cell: number
  readonly name: string
  readonly subject: Subject
  readonly answers: ReadonlyArray<Answer>
}

/** A column and its treatment. */
export interface ColumnTreatment extends Pick<Statement, "name" | "treatment"> {
  readonly cell: number
  readonly reason?: string
}

/** An unread column that may state amounts. */
export interface AmountColumn {
  readonly cell: number
  readonly name: string
  readonly answers: ReadonlyArray<Answer>
  /** Answers that read the column as a number that changes the total. */
  readonly changes: ReadonlyArray<Answer>
  /** `texts` after several cells without a number. */
  holds: "amounts" | "texts"
  /** Cells without a number, before the first number. */
  texts: number
}

export type Layout = "rows" | "continuation" | "report"

export interface Interpretation {
  readonly origin: RowOrigin
  /** Bytes before the first record: a byte order mark, a `sep=` line. */
  readonly start: { readonly offset: number; readonly line: number }
  /** First line of the header; all lines before are titles. */
  readonly headerLine: number
  readonly layout: Layout
  readonly width: RowWidth
  readonly binding: Binding
  readonly vocabulary: Vocabulary
  /** Every cell of a row with a meaning. */
  readonly read: ReadonlyArray<number>
  /**
   * Returns true for lines that the operator decided to skip: documents with both skipped and other
   * rows are refused.
   */
  readonly passed: ((line: number) => boolean) | undefined
  /** Decimal mark of every column, with or without numbers. */
  readonly decimalMarks: ReadonlyArray<NumberForm.DecimalMark>
  /** Known money signs next to figures. */
  readonly moneySigns: NumberForm.MoneySigns
  /** Reads a cell of the date column. */
  readonly readDate: (text: string) => DateForm.ParsedDate
  /** Reads a date as written, with day and time. */
  readonly written: (text: string) => ReturnType<typeof DateForm.written>
  /** Reads a time of change, for comparison within its column. */
  readonly moment: (text: string) => number | undefined
  /** `days`: documents have no time of day. */
  readonly dates: "days" | undefined
  /** Other columns with the name of a document date. */
  readonly otherDates: ReadonlyArray<number>
  /** Column with the name of a due date; undefined without such a column. */
  readonly due: number | undefined
  /** Unread columns whose names state the kind or state of a document. */
  readonly words: ReadonlyArray<WordColumn>
  /** Statements of titles, which every document must agree with. */
  readonly titles: ReadonlyArray<SourceWord>
  /** Amount columns with a currency in the name. */
  readonly currencies: ReadonlyArray<{ readonly cell: number; readonly name: string; readonly code: string }>
  /** Unread columns; a column counts as amounts until a cell is not a number. */
  readonly amounts: ReadonlyArray<AmountColumn>
  /** Every column with its treatment. */
  readonly statements: ReadonlyArray<ColumnTreatment>
  /** Statements of a table outside its rows, such as comments. */
  readonly tableStatements: ReadonlyArray<Statement>
  /**
   * Column of the line amounts by a column map alone, if no answer says that they are of rows: the
   * map may come from documents of one row.
   */
  readonly rowAmounts: Pick<AmountColumn, "cell" | "name" | "answers"> | undefined
  /** Buyer ids with contradicting statements, with two of the statements. */
  readonly buyersInDoubt: ReadonlyMap<string, string>
  /**
   * For a file of refused rows: the cell with the reason codes, and the codes that only this cell
   * shows.
   */
  readonly reasons: { readonly cell: number; readonly codes: ReadonlyMap<string, FindingCode> } | undefined
  readonly discountOn: "either" | undefined
  /** Field that a report's group rows state. */
  readonly groups: DocumentField | undefined
  readonly settings: Settings
}

/**
 * Returns the expected width of rows. Rows may have fewer cells than the header in reports, in
 * tables, which write no trailing blanks, and by the setting `shortRows`.
 */
export const widthOf = ({ cells, delimiter, map, widest }: FoundHeader, settings: Settings): RowWidth => ({
  named: cells.length,
  widest: delimiter === cellEnd ? Infinity : widest,
  short: delimiter === cellEnd || map.layout === "report" || settings.shortRows === "pad" ? "allowed" : "refused"
})

/** Returns the decimal mark of a cell with these flags. */
export const markOf = ({ decimalMarks }: Interpretation, cell: number, flags: number): NumberForm.DecimalMark =>
  (flags & NumberCell) === 0 ? decimalMarks[cell]! : "point"

/** Reads a cell: a number, the reason why the cell is unreadable, or undefined for a blank. */
export const readAt = (
  how: Interpretation,
  record: Scanner,
  cell: number,
  read = NumberForm.read
): NumberForm.ParsedNumber => {
  const mark = markOf(how, cell, record.flags[cell]!)
  return (
    NumberForm.plainAt(record.bytes, record.starts[cell]!, record.ends[cell]!, mark) ??
    read(record.cell(cell), mark, how.moneySigns)
  )
}

/** Returns the finding for a cell with these flags that is read as text. */
export const notTextOf = ({ origin, settings }: Interpretation, flags: number): FindingCode | undefined =>
  (flags & NotText) === 0 || ((flags & NumberCell) !== 0 && settings.numberFormats === "stored")
    ? undefined
    : origin.troubles?.[(flags & NumberCell) === 0 ? "date" : "format"]

/**
 * Method to join the rows of a document: `window`, the largest number of rows between two rows,
 * `surely` "so" after a survey of the file; or `lastRows`, the last row of every key (plus 1), for
 * any distance.
 */
export type Joining =
  | { readonly window: number; readonly surely: "so" | "unless a row comes too late" }
  | { readonly lastRows: KeyTable }
