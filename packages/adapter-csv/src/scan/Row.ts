/** One record of a file, kept with its place: what a document holds of the export. */
import type { Provenance } from "@fiscal-connector/core/finding/Provenance"
import { Buffer } from "node:buffer"
import type { FindingCode } from "@fiscal-connector/core/finding/FindingCode"
import { EVIDENCE, NUMBER, TROUBLE } from "./ByteClass.ts"
import { cellEnd, type Dialect } from "./Dialect.ts"
import { decode, type Encoding } from "./Encoding.ts"
import { NotText, NumberCell, Scanner, TroubleCell } from "./Scanner.ts"
import type { CellKind } from "./Table.ts"

/** What all rows of one file have in common. */
export interface RowOrigin {
  /** As the person named it. */
  readonly file: string
  readonly dialect: Dialect
  readonly encoding: Encoding
  /** The header cells as the file writes them. */
  readonly header: ReadonlyArray<string>
  /** The line on which the person said the header is. */
  readonly headerLine: number | undefined
  /** The columns of all files of the import together. */
  readonly columns: ReadonlyArray<ColumnName>
  /** Of a table: the sheet it is. */
  readonly sheet?: string | undefined
  /** Of a table: what is found where a cell is not what it says, by its evidence. */
  readonly troubles?: Readonly<Record<string, FindingCode>> | undefined
  /** Of a table: whether a cell above is merged over the cell. */
  readonly covered?: ((line: number, cell: number) => boolean) | undefined
}

/** A column by its name and, where several have it, its place among them, counted from 1. */
export interface ColumnName {
  readonly column: string
  readonly nth: number
}

export interface Row {
  readonly origin: RowOrigin
  /** The line on which the row begins, counted from 1. */
  readonly line: number
  /** Where the row begins in the file, in bytes. */
  readonly offset: number
  /** The bytes of the row, each as one character, without the line end. */
  readonly raw: string
}

/** The row the scanner has just read. */
export const of = (record: Scanner, origin: RowOrigin): Row => ({
  origin,
  line: record.line,
  offset: record.offset,
  raw: record.raw()
})

/** What a table keeps beside the text of a cell. */
export const beside = new RegExp(
  `[${String.fromCharCode(NUMBER)}-${String.fromCharCode(TROUBLE)}]|${String.fromCharCode(EVIDENCE)}[^\\xff]*`,
  "g"
)

/** What the row says, to be compared: of a table without what its cells are and how they were stored, which differs where they look alike. */
export const said = ({ origin, raw }: Row): string => (origin.troubles === undefined ? raw : raw.replaceAll(beside, ""))

/** Reads the row again. */
export const scan = <A>(row: Row, use: (record: Scanner) => A): A | undefined => {
  let found: A | undefined
  const scanner = new Scanner(row.origin, (record) => (found ??= use(record)))
  scanner.write(Buffer.from(row.raw, "latin1"))
  scanner.finish()
  return found
}

/** Whether the row could not be read to its end. */
export const isBroken = (row: Row): boolean => scan(row, (record) => record.fault !== undefined) ?? false

/** All cells as text; of a broken row those that are complete, and the rest as one. */
export const cells = (row: Row): ReadonlyArray<string> =>
  scan(row, (record) => {
    const complete = record.cells()
    if (record.fault === undefined) return complete
    const from = record.startOf(record.count)
    const quote = row.raw.charCodeAt(from - 1) === 0x22 ? 1 : 0
    return [...complete, decode(row.raw.slice(from - quote), row.origin.encoding)]
  }) ?? []

/** A cell of a table with what it is, and what was written beside it. */
export interface TypedCell {
  readonly kind: CellKind
  readonly text: string
  readonly evidence: ReadonlyArray<string>
}

/** All cells of a row of a table. */
export const typedCells = (row: Row): ReadonlyArray<TypedCell> =>
  scan(row, (record) =>
    record.cells().map((text, cell) => ({ kind: kindOf(record.flags[cell]!), text, evidence: record.evidence(cell) }))
  ) ?? []

const kindOf = (flags: number): CellKind => {
  if ((flags & TroubleCell) !== 0) return "trouble"
  if ((flags & NotText) !== 0) return (flags & NumberCell) !== 0 ? "formatted" : "date"
  return (flags & NumberCell) !== 0 ? "number" : "text"
}

/** What is found about a cell of a table that nobody may take for what it says. */
export const troubleOf = (record: Scanner, cell: number, { troubles }: RowOrigin): FindingCode | undefined => {
  if (cell >= record.count || (record.flags[cell]! & TroubleCell) === 0) return undefined
  const [, why = ""] = record.evidence(cell)
  return troubles?.[why]
}

const lineBreak = /\r\n|\r|\n/

/** Where the row begins. */
export const start = ({ line, origin }: Row): Provenance => lineAt(origin, line)

/** Where a cell of the row stands; the row's beginning where it has no such cell. */
export const where = (row: Row, cell: number | undefined): Provenance => {
  if (cell === undefined) return start(row)
  return scan(row, (record) => (cell < record.count ? cellAt(row, record, cell) : undefined)) ?? start(row)
}

/** The beginning of a line of the file. */
export const lineAt = ({ file, sheet }: RowOrigin, line: number): Provenance => ({
  file,
  line,
  column: 1,
  ...(sheet !== undefined && { sheet, cell: `A${line}` })
})

/** A cell of a table as spreadsheets call it: `B12`. */
const cellName = (cell: number, line: number): string => {
  let letters = ""
  for (let i = cell + 1; i > 0; i = Math.floor((i - 1) / 26))
    letters = String.fromCharCode(65 + ((i - 1) % 26)) + letters
  return `${letters}${line}`
}

const cellAt = (row: Row, record: Scanner, cell: number): Provenance => {
  const columnName = row.origin.header[cell] ?? ""
  const { file, sheet } = row.origin
  const [stored = ""] = sheet === undefined ? [] : record.evidence(cell)
  const text = record.cell(cell)
  return {
    ...(sheet === undefined
      ? placeAt(row, record.startOf(cell))
      : { file, sheet, line: row.line, column: cell + 1, cell: cellName(cell, row.line) }),
    ...(columnName !== "" && { columnName }),
    text: short(stored === "" || stored === text ? text : `${text} (stored as ${stored})`)
  }
}

/** The line and column of a byte of the row. */
export const placeAt = (row: Row, byte: number): Provenance => {
  const before = decode(row.raw.slice(0, byte), row.origin.encoding).split(lineBreak)
  const quote = row.raw.charCodeAt(byte - 1) === 0x22 ? 1 : 0
  return {
    file: row.origin.file,
    line: row.line + before.length - 1,
    column: Array.from(before.at(-1)!).length + 1 - quote
  }
}

/** The row's text as the file has it, its line breaks included; of a long one the beginning. */
export const shown = (row: Row): string =>
  row.origin.dialect.delimiter === cellEnd
    ? short(cells(row).join(" | "))
    : short(decode(row.raw.slice(0, 4 * longestShown), row.origin.encoding))

const longestShown = 500

/** As much of a text as is shown to a person. */
const short = (text: string): string => (text.length > longestShown ? `${text.slice(0, longestShown)}…` : text)

/** A cell's text in a sentence, or as much of it as is shown. */
export const quoted = (text: string): string => `"${short(text)}"`
