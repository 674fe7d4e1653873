/** One record of a file with its place. */
import type { FindingCode, Provenance } from "@fiscal-connector/core/adapter"
import { Buffer } from "node:buffer"
import { EVIDENCE, NUMBER, TROUBLE } from "./ByteClass.ts"
import { cellEnd, type Dialect } from "./Dialect.ts"
import { decode, type Encoding } from "./Encoding.ts"
import { NotText, NumberCell, Scanner, TroubleCell } from "./Scanner.ts"
import type { CellKind } from "./Table.ts"

export interface RowOrigin {
  readonly file: string
  readonly dialect: Dialect
  readonly encoding: Encoding
  readonly header: ReadonlyArray<string>
  /** Line of the header, if the operator stated it. */
  readonly headerLine: number | undefined
  readonly columns: ReadonlyArray<ColumnName>
  readonly sheet?: string | undefined
  /** Findings for cells whose text is unreliable, by the cell's evidence; only for a table. */
  readonly troubles?: Readonly<Record<string, FindingCode.FindingCode>> | undefined
  /** True if a cell above is merged over the cell; only for a table. */
  readonly covered?: ((line: number, cell: number) => boolean) | undefined
}

/** A column by name and by position among the columns of the same name, from 1. */
export interface ColumnName {
  readonly column: string
  readonly nth: number
}

export interface Row {
  readonly origin: RowOrigin
  /** First line of the row, from 1. */
  readonly line: number
  /** Bytes of the row, each as one character, without the line end. */
  readonly raw: string
}

/** Returns the row that the scanner has just read. */
export const of = (record: Scanner, origin: RowOrigin): Row => ({
  origin,
  line: record.line,
  raw: record.raw()
})

/** Matches a table's markers and evidence around the text of cells. */
export const beside = new RegExp(
  `[${String.fromCharCode(NUMBER)}-${String.fromCharCode(TROUBLE)}]|${String.fromCharCode(EVIDENCE)}[^\\xff]*`,
  "g"
)

/**
 * For a table without cell kinds and stored values, which can differ between cells that look alike.
 */
export const comparedText = ({ origin, raw }: Row): string =>
  origin.troubles === undefined ? raw : raw.replaceAll(beside, "")

export const scan = <A>(row: Row, use: (record: Scanner) => A): A | undefined => {
  let found: A | undefined
  const scanner = new Scanner(row.origin, (record) => (found ??= use(record)))
  scanner.write(Buffer.from(row.raw, "latin1"))
  scanner.finish()
  return found
}

export const isBroken = (row: Row): boolean => scan(row, (record) => record.fault !== undefined) ?? false

export const cells = (row: Row): ReadonlyArray<string> =>
  scan(row, (record) => {
    const complete = record.cells()
    if (record.fault === undefined) return complete
    const from = record.startOf(record.count)
    const quote = row.raw.charCodeAt(from - 1) === 0x22 ? 1 : 0
    return [...complete, decode(row.raw.slice(from - quote), row.origin.encoding)]
  }) ?? []

/** A cell of a table with its kind and its evidence. */
export interface TypedCell {
  readonly kind: CellKind
  readonly text: string
  readonly evidence: ReadonlyArray<string>
}

export const typedCells = (row: Row): ReadonlyArray<TypedCell> =>
  scan(row, (record) =>
    record.cells().map((text, cell) => ({ kind: kindOf(record.flags[cell]!), text, evidence: record.evidence(cell) }))
  ) ?? []

const kindOf = (flags: number): CellKind => {
  if ((flags & TroubleCell) !== 0) return "trouble"
  if ((flags & NotText) !== 0) return (flags & NumberCell) !== 0 ? "formatted" : "date"
  return (flags & NumberCell) !== 0 ? "number" : "text"
}

export const troubleOf = (
  record: Scanner,
  cell: number,
  { troubles }: RowOrigin
): FindingCode.FindingCode | undefined => {
  if (cell >= record.count || (record.flags[cell]! & TroubleCell) === 0) return undefined
  const [, why = ""] = record.evidence(cell)
  return troubles?.[why]
}

const lineBreak = /\r\n|\r|\n/

/** Returns the place of the row. */
export const start = ({ line, origin }: Row): Provenance.Provenance => lineAt(origin, line)

/** Returns the place of a cell; the start of the row if the cell does not exist. */
export const where = (row: Row, cell: number | undefined): Provenance.Provenance => {
  if (cell === undefined) return start(row)
  return scan(row, (record) => (cell < record.count ? cellAt(row, record, cell) : undefined)) ?? start(row)
}

export const lineAt = ({ file, sheet }: RowOrigin, line: number): Provenance.Provenance => ({
  file,
  line,
  column: 1,
  ...(sheet !== undefined && { sheet, cell: `A${line}` })
})

const cellName = (cell: number, line: number): string => {
  let letters = ""
  for (let i = cell + 1; i > 0; i = Math.floor((i - 1) / 26))
    letters = String.fromCharCode(65 + ((i - 1) % 26)) + letters
  return `${letters}${line}`
}

const cellAt = (row: Row, record: Scanner, cell: number): Provenance.Provenance => {
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

export const placeAt = (row: Row, byte: number): Provenance.Provenance => {
  const before = decode(row.raw.slice(0, byte), row.origin.encoding).split(lineBreak)
  const quote = row.raw.charCodeAt(byte - 1) === 0x22 ? 1 : 0
  return {
    file: row.origin.file,
    line: row.line + before.length - 1,
    column: Array.from(before.at(-1)!).length + 1 - quote
  }
}

export const shown = (row: Row): string =>
  row.origin.dialect.delimiter === cellEnd
    ? short(cells(row).join(" | "))
    : short(decode(row.raw.slice(0, 4 * longestShown), row.origin.encoding))

/** Maximum characters of a damaged row in a finding. A character has at most four bytes. */
const longestShown = 500

const short = (text: string): string => (text.length > longestShown ? `${text.slice(0, longestShown)}…` : text)

/** Quotes a cell's text for a sentence, cut if long. */
export const quoted = (text: string): string => `"${short(text)}"`
