/** Refused rows as a file to correct and import again: the source's own columns, and why. */
import { type Finding, refuses } from "@fiscal-connector/core/finding/Finding"
import { format } from "@fiscal-connector/core/finding/Provenance"
import type { RefusedDocument } from "@fiscal-connector/core/source/Adapter"
import { Stream } from "effect"
import { CsvDocument } from "./CsvDocument.ts"
import type { Separator } from "../scan/Dialect.ts"
import { columnNames } from "../columns/Header.ts"
import { isReasonColumn, reasonColumns } from "../columns/ReasonColumns.ts"
import * as Row from "../scan/Row.ts"
import { RowFinding } from "../finding/RowFinding.ts"

/** What is the same for the whole file, from the first refused row. */
export interface Sheet {
  readonly delimiter: Separator
  readonly columns: ReadonlyArray<Row.ColumnName>
}

/** UTF-8 with a byte order mark, in the delimiter of the source. What comes from another adapter is left out. */
export const write = (refused: Stream.Stream<RefusedDocument>): Stream.Stream<Uint8Array> =>
  refused.pipe(
    Stream.mapAccum(
      (): Sheet | undefined => undefined,
      (begun, document) => {
        const rows = rowsOf(document)
        const [first] = rows
        if (first === undefined) return [begun, []]
        const sheet = begun ?? sheetOf(first)
        const text = rows.map((row) => line(sheet, [...cellsOf(row, sheet), ...reasons(document.findings)])).join("")
        const group = document.reading instanceof CsvDocument ? document.reading.group : undefined
        const above = group === undefined ? "" : line(sheet, cellsOf(group, sheet))
        return [sheet, [(begun === undefined ? headOf(sheet, first) : "") + above + text]]
      }
    ),
    Stream.encodeText
  )

export const rowsOf = ({ reading }: RefusedDocument): ReadonlyArray<Row.Row> =>
  reading instanceof CsvDocument ? reading.rows : reading instanceof RowFinding ? [reading.row] : []

export const sheetOf = ({ origin }: Row.Row): Sheet => ({
  delimiter: origin.dialect.delimiter,
  columns: origin.columns.filter(({ column }) => !isReasonColumn(column))
})

/** The header, on the line on which the person said it is. */
const headOf = (sheet: Sheet, { origin }: Row.Row): string => {
  const names = [...sheet.columns.map(({ column }) => column), ...reasonColumns]
  return `\ufeff${"\r\n".repeat((origin.headerLine ?? 1) - 1)}${line(sheet, names)}`
}

/** The row's cells under the sheet's columns; what stands beyond its own header is kept together in the last one. */
const cellsOf = (row: Row.Row, { columns }: Sheet): ReadonlyArray<string> => {
  const { dialect, header } = row.origin
  const cells = Row.cells(row)
  const own = columnNames(header)
  const placed = columns.map(({ column, nth }) => {
    const cell = own.findIndex((name) => name.column === column && name.nth === nth)
    return cell < 0 ? "" : (cells[cell] ?? "")
  })
  const beyond = cells.slice(header.length).filter((cell) => cell !== "")
  const last = placed.length - 1
  return beyond.length === 0 ? placed : placed.with(last, [placed[last], ...beyond].join(dialect.delimiter))
}

/** As the columns of `reasonColumns`. */
export const reasons = (findings: ReadonlyArray<Finding>): ReadonlyArray<string> => {
  const refusing = findings.filter(refuses)
  const each = (say: (finding: Finding) => string) => [...new Set(refusing.map(say))].join("; ")
  return [each(({ code }) => code), each(because), each(({ fix }) => fix)]
}

const because = ({ at, detail, message }: Finding): string =>
  `${at === undefined ? "" : `${format(at)} `}${message}${detail === undefined ? "" : `: ${detail}`}`

const number = /^[-+]?[\d.,' ]+%?$/

/** A cell that a spreadsheet would run as a formula is made text by an apostrophe, which reading takes off again. */
const neutralised = (cell: string): string => (/^[=+\-@\t\r]/.test(cell) && !number.test(cell) ? `'${cell}` : cell)

const line = ({ delimiter }: Sheet, cells: ReadonlyArray<string>): string =>
  `${cells.map((cell) => quoted(neutralised(cell), delimiter)).join(delimiter)}\r\n`

const quoted = (cell: string, delimiter: Separator): string =>
  cell.includes(delimiter) || /["\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
