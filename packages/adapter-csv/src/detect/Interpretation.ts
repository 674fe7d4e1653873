/** How one file is read: everything settled, nothing left to guess. */
import type { Answer } from "@fiscal-connector/core/finding/Answer"
import type { Subject } from "@fiscal-connector/core/source/StatedWords"
import type { Binding } from "../columns/Binding.ts"
import type * as DateForm from "../values/DateForm.ts"
import type { DocumentField } from "../columns/Field.ts"
import type { FoundHeader } from "./FoundHeader.ts"
import type { FindingCode } from "@fiscal-connector/core/finding/FindingCode"
import { cellEnd } from "../scan/Dialect.ts"
import { NotText, NumberCell } from "../scan/Scanner.ts"
import type { DecimalMark, MoneySigns } from "../values/NumberForm.ts"
import type { KeyTable } from "../scan/KeyTable.ts"
import type { RowOrigin } from "../scan/Row.ts"
import type { RowWidth } from "../scan/RowShape.ts"
import type { Settings } from "../columns/Settings.ts"
import type { Vocabulary } from "../columns/Vocabulary.ts"

/** A column that is held against the document, and the ways to settle which of two statements counts. */
export interface WordColumn {
  readonly cell: number
  readonly name: string
  readonly subject: Subject
  readonly answers: ReadonlyArray<Answer>
}

/** A column that nothing reads and that may state amounts. */
export interface AmountColumn {
  readonly cell: number
  readonly name: string
  readonly answers: ReadonlyArray<Answer>
  /** `texts` as soon as one of its cells is not a number. */
  holds: "amounts" | "texts"
}

export type Layout = "rows" | "continuation" | "report"

export interface Interpretation {
  readonly origin: RowOrigin
  /** Bytes before the first record: a byte order mark, a `sep=` line. */
  readonly start: { readonly offset: number; readonly line: number }
  /** The line on which the header begins; everything before it is a title. */
  readonly headerLine: number
  readonly layout: Layout
  readonly width: RowWidth
  readonly binding: Binding
  readonly vocabulary: Vocabulary
  /** Every cell of a row that stands for something. */
  readonly read: ReadonlyArray<number>
  /** Lines that the person has us pass over: documents with rows among them and others are refused. */
  readonly passed: ((line: number) => boolean) | undefined
  /** The decimal mark of every column, whether it holds numbers or not. */
  readonly decimalMarks: ReadonlyArray<DecimalMark>
  /** What is understood beside figures. */
  readonly moneySigns: MoneySigns
  /** Reads a cell of the date column. */
  readonly readDate: (text: string) => DateForm.Read
  /** What a date column's cell says as it is written. */
  readonly written: (text: string) => ReturnType<typeof DateForm.written>
  /** When something happened, to be compared with others of its column. */
  readonly moment: (text: string) => number | undefined
  /** `days`: documents have no time of day. */
  readonly dates: "days" | undefined
  /** Columns that state the date of the document by their name, beside the one that is read. */
  readonly otherDates: ReadonlyArray<number>
  /** The column that states by its name when the document is due; undefined where there is none. */
  readonly due: number | undefined
  /** Columns that nothing reads and that state by their name what a document is. */
  readonly words: ReadonlyArray<WordColumn>
  /** Columns of amounts whose names say a currency. */
  readonly currencies: ReadonlyArray<{ readonly cell: number; readonly name: string; readonly code: string }>
  /** Columns that nothing reads, as far as they hold numbers alone. */
  readonly amounts: ReadonlyArray<AmountColumn>
  /** Ids of buyers whom the file states in more than one way, and two of the ways. */
  readonly buyersInDoubt: ReadonlyMap<string, string>
  /** Of a file of refused rows: where rows name the codes of their reasons, and the codes of which that is the only evidence. */
  readonly reasons: { readonly cell: number; readonly codes: ReadonlyMap<string, FindingCode> } | undefined
  readonly discountOn: "either" | undefined
  /** What a report's group rows state. */
  readonly groups: DocumentField | undefined
  readonly settings: Settings
  /** How it was settled, for people. */
  readonly decisions: ReadonlyArray<Decision>
}

/** Rows may have fewer cells than the header in reports, where most have, and in tables, which write no blank ones. */
export const widthOf = ({ cells, delimiter, map, widest }: FoundHeader, settings: Settings): RowWidth => ({
  named: cells.length,
  widest: delimiter === cellEnd ? Infinity : widest,
  short: delimiter === cellEnd || map.layout === "report" || settings.shortRows === "pad" ? "allowed" : "refused"
})

/** The decimal mark of a cell with these flags. */
export const markOf = ({ decimalMarks }: Interpretation, cell: number, flags: number): DecimalMark =>
  (flags & NumberCell) === 0 ? decimalMarks[cell]! : "point"

/** What is found where a cell with these flags is read as text. */
export const notTextOf = ({ origin, settings }: Interpretation, flags: number): FindingCode | undefined =>
  (flags & NotText) === 0 || ((flags & NumberCell) !== 0 && settings.numberFormats === "stored")
    ? undefined
    : origin.troubles?.[(flags & NumberCell) === 0 ? "date" : "format"]

/** One thing that had to be settled about a file. */
export interface Decision {
  readonly about: string
  readonly reading: string
  /** The evidence, or who said so. */
  readonly because: string
}

/**
 * How the rows of one document are joined: those with at most so many rows between them, `surely` so where the file has been looked at; or,
 * where the last row of every key is known (plus 1), wherever they are.
 */
export type Joining =
  | { readonly window: number; readonly surely: "so" | "unless a row comes too late" }
  | { readonly lastRows: KeyTable }
