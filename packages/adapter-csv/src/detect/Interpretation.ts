import type { Answer, FindingCode, SourceDocument, StatedWords, Statement } from "@fiscal-connector/core/adapter"
import type { Binding } from "../columns/Binding.ts"
import type * as DateForm from "../values/DateForm.ts"
import type { DocumentField } from "../columns/Field.ts"
import type { FoundHeader } from "./FoundHeader.ts"
import { cellEnd } from "../scan/Dialect.ts"
import { NotText, NumberCell, type Scanner } from "../scan/Scanner.ts"
import * as NumberForm from "../values/NumberForm.ts"
import type { KeyTable } from "../scan/KeyTable.ts"
import type { RowOrigin } from "../scan/Row.ts"
import type { RowWidth } from "../scan/RowShape.ts"
import type { Settings } from "../columns/Settings.ts"
import type { Vocabulary } from "../columns/Vocabulary.ts"

export interface WordColumn {
  readonly cell: number
  readonly name: string
  readonly subject: StatedWords.Subject
  readonly answers: ReadonlyArray<Answer.Answer>
}

export interface ColumnTreatment extends Pick<Statement.Statement, "name" | "treatment"> {
  readonly cell: number
  readonly reason?: string
}

export interface AmountColumn {
  readonly cell: number
  readonly name: string
  readonly answers: ReadonlyArray<Answer.Answer>
  readonly changes: ReadonlyArray<Answer.Answer>
  holds: "amounts" | "texts"
  texts: number
}

export type Layout = "rows" | "continuation" | "report"

export interface Interpretation {
  readonly origin: RowOrigin
  readonly start: { readonly offset: number; readonly line: number }
  readonly headerLine: number
  readonly layout: Layout
  readonly width: RowWidth
  readonly binding: Binding
  readonly vocabulary: Vocabulary
  readonly read: ReadonlyArray<number>
  /** Documents with both skipped and other rows are refused. */
  readonly passed: ((line: number) => boolean) | undefined
  readonly decimalMarks: ReadonlyArray<NumberForm.DecimalMark>
  readonly moneySigns: NumberForm.MoneySigns
  readonly readDate: (text: string) => DateForm.ParsedDate
  readonly written: (text: string) => ReturnType<typeof DateForm.written>
  readonly moment: (text: string) => number | undefined
  /** `days`: documents have no time of day. */
  readonly dates: "days" | undefined
  readonly otherDates: ReadonlyArray<number>
  readonly due: number | undefined
  readonly words: ReadonlyArray<WordColumn>
  /** Statements of titles, which every document must agree with. */
  readonly titles: ReadonlyArray<SourceDocument.SourceWord>
  readonly currencies: ReadonlyArray<{ readonly cell: number; readonly name: string; readonly code: string }>
  readonly amounts: ReadonlyArray<AmountColumn>
  readonly statements: ReadonlyArray<ColumnTreatment>
  readonly tableStatements: ReadonlyArray<Statement.Statement>
  /**
   * By a column map alone, if no answer says that they are of rows: the map may come from documents
   * of one row.
   */
  readonly rowAmounts: ReadonlyArray<
    Pick<AmountColumn, "cell" | "name" | "answers"> & { readonly of: "amount" | "discount" }
  >
  readonly buyersInDoubt: ReadonlyMap<string, string>
  readonly reasons: { readonly cell: number; readonly codes: ReadonlyMap<string, FindingCode.FindingCode> } | undefined
  readonly discountOn: "either" | undefined
  readonly groups: DocumentField | undefined
  readonly settings: Settings
}

/**
 * Rows may have fewer cells than the header in reports, in tables, which write no trailing blanks,
 * and by the setting `shortRows`.
 */
export const widthOf = ({ cells, delimiter, map, widest }: FoundHeader, settings: Settings): RowWidth => ({
  named: cells.length,
  widest: delimiter === cellEnd ? Infinity : widest,
  short: delimiter === cellEnd || map.layout === "report" || settings.shortRows === "pad" ? "allowed" : "refused"
})

export const markOf = ({ decimalMarks }: Interpretation, cell: number, flags: number): NumberForm.DecimalMark =>
  (flags & NumberCell) === 0 ? decimalMarks[cell]! : "point"

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

export const notTextOf = ({ origin, settings }: Interpretation, flags: number): FindingCode.FindingCode | undefined =>
  (flags & NotText) === 0 || ((flags & NumberCell) !== 0 && settings.numberFormats === "stored")
    ? undefined
    : origin.troubles?.[(flags & NumberCell) === 0 ? "date" : "format"]

/**
 * `window`: the largest number of rows between two rows, `surely` "so" after a survey of the file.
 * `lastRows`: the last row of every key (plus 1), for any distance.
 */
export type Joining =
  | { readonly window: number; readonly surely: "so" | "unless a row comes too late" }
  | { readonly lastRows: KeyTable }
