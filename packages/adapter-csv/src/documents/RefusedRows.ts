/**
 * Writes refused rows as a file to correct and import again: the source's own columns, and the
 * reasons.
 */
import { neutralized } from "@fiscal-connector/core/document/FormulaText"
import { type Finding, refuses } from "@fiscal-connector/core/finding/Finding"
import { format } from "@fiscal-connector/core/finding/Provenance"
import type { RefusedDocument } from "@fiscal-connector/core/source/Adapter"
import { Stream } from "effect"
import { CsvDocument } from "./CsvDocument.ts"
import type { Separator } from "../scan/Dialect.ts"
import { columnNames } from "../columns/Header.ts"
import { isReasonColumn, reasonColumns, release } from "../columns/ReasonColumns.ts"
import { codesByReason } from "../finding/CodesByReason.ts"
import * as Row from "../scan/Row.ts"
import { RowFinding } from "../finding/RowFinding.ts"

/** Facts about the whole file, from the first refused row. */
export interface Sheet {
  readonly delimiter: Separator
  readonly columns: ReadonlyArray<Row.ColumnName>
}

/**
 * Writes UTF-8 with a byte order mark, in the delimiter of the source. Readings of other adapters
 * are left out.
 */
export const write = (refused: Stream.Stream<RefusedDocument>): Stream.Stream<Uint8Array> =>
  refused.pipe(
    Stream.mapAccum(
      (): Sheet | undefined => undefined,
      (begun, document) => {
        const rows = rowsOf(document)
        const [first] = rows
        if (first === undefined) return [begun, []]
        const sheet = begun ?? sheetOf(first)
        const [code = "", why = "", fix = ""] = reasons(document.findings, first.origin)
        const text = rows
          .map((row) => {
            const { beyond, placed } = cellsOf(row, sheet, document.reading)
            const todo = beyond.length === 0 ? fix : `${fix} ${toPlace}`
            return line(sheet, [...placed, code, why, todo, ...beyond])
          })
          .join("")
        const group = document.reading instanceof CsvDocument ? document.reading.group : undefined
        const above = group === undefined ? "" : line(sheet, cellsOf(group, sheet, document.reading).placed)
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

/** Returns the header, on the line that the operator stated. */
const headOf = (sheet: Sheet, { origin }: Row.Row): string => {
  const names = [...sheet.columns.map(({ column }) => column), ...reasonColumns]
  return `\ufeff${"\r\n".repeat(Math.max(0, (origin.headerLine ?? 1) - 1))}${line(sheet, names)}`
}

/**
 * Returns the cells of a row by column. `beyond`: content without a column, after the reasons: the
 * surplus of a long row, the unread rest of a broken row, a note on a short row. The row then has
 * too many cells and is refused again until corrected.
 */
const cellsOf = (row: Row.Row, { columns }: Sheet, reading: RefusedDocument["reading"]) => {
  const { header } = row.origin
  const cells = Row.cells(row)
  const own = columnNames(header)
  const unread = Row.isBroken(row) ? cells.length - 1 : Math.min(cells.length, header.length)
  const placed = columns.map(({ column, nth }) => {
    const cell = own.findIndex((name) => name.column === column && name.nth === nth)
    return cell < 0 || cell >= unread ? "" : (cells[cell] ?? "")
  })
  const missing = reading instanceof RowFinding ? header.length - cells.length : 0
  const isShort = missing > 0 && !Row.isBroken(row)
  const note = `${missing} ${missing === 1 ? "cell is" : "cells are"} missing in this row`
  return { placed, beyond: isShort ? [note] : cells.slice(unread).filter((cell) => cell !== "") }
}

/** Instruction for a row with cells beyond the last column. */
const toPlace =
  "In this file, move what follows this cell to the columns where it belongs, and leave nothing after this cell: until then the row is refused."

/** Returns the texts for `reasonColumns`. */
export const reasons = (findings: ReadonlyArray<Finding>, { troubles }: Row.RowOrigin): ReadonlyArray<string> => {
  const refusing = findings.filter(refuses)
  const each = (say: (finding: Finding) => string) => [...new Set(refusing.map(say))].join("; ")
  const elsewhere = codesByReason(troubles)
  const stays = refusing.some(({ code, fix }) => elsewhere.has(code) && !fix.includes(release))
  const todo = each(({ fix }) => fix)
  return [each(({ code }) => code), each(because), stays ? `${todo} ${toRelease}` : todo]
}

const toRelease = `If the document is correct in this file, ${release}: until then it is refused.`

const because = ({ at, detail, message }: Finding): string =>
  `${at === undefined ? "" : `${format(at)} `}${message}${detail === undefined ? "" : `: ${detail}`}`

const line = ({ delimiter }: Sheet, cells: ReadonlyArray<string>): string =>
  `${cells.map((cell) => quoted(neutralized(cell), delimiter)).join(delimiter)}\r\n`

export const quoted = (cell: string, delimiter: Separator): string =>
  cell.includes(delimiter) || /["\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
