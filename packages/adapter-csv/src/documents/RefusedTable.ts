/** Refused rows as typed cells under the columns of the first one, each with its reasons. */
import { type Adapter, Finding, Provenance } from "@fiscal-connector/core/adapter"
import { Stream } from "effect"
import { columnNames } from "../columns/Header.ts"
import { isReasonColumn, reasonColumns, release } from "../columns/ReasonColumns.ts"
import { codesByReason } from "../finding/CodesByReason.ts"
import { RowFinding } from "../finding/RowFinding.ts"
import type { Separator } from "../scan/Dialect.ts"
import * as Row from "../scan/Row.ts"
import type { TypedCell } from "../scan/Row.ts"
import { CsvDocument } from "./CsvDocument.ts"

export type { TypedCell } from "../scan/Row.ts"

/** A refused row: its cells as in the file, and the reasons. */
export interface RefusedRow {
  readonly sheet: string | undefined
  /** Fixed row number, if any: the header is on the line that the operator stated. */
  readonly line: number | undefined
  readonly delimiter: Separator
  readonly cells: ReadonlyArray<TypedCell>
}

/** Returns a text cell without evidence. */
export const asText = (text: string): TypedCell => ({ kind: "text", text, evidence: [] })

const rowsOf = ({ reading }: Adapter.RefusedDocument): ReadonlyArray<Row.Row> =>
  reading instanceof CsvDocument ? reading.rows : reading instanceof RowFinding ? [reading.row] : []

/**
 * Returns the header, then every row with its reasons. Cells beyond the header follow the reasons.
 */
export const rows = (refused: Stream.Stream<Adapter.RefusedDocument>): Stream.Stream<RefusedRow> =>
  refused.pipe(
    Stream.mapAccum(
      (): Row.RowOrigin | undefined => undefined,
      (begun, document) => {
        const [first, ...others] = rowsOf(document)
        if (first === undefined) return [begun, []]
        const file = begun ?? first.origin
        const columns = file.columns.filter(({ column }) => !isReasonColumn(column))
        const made = (row: Row.Row, cells: ReadonlyArray<TypedCell>, line?: number): RefusedRow => ({
          sheet: row.origin.sheet,
          line,
          delimiter: file.dialect.delimiter,
          cells
        })
        const head = [...columns.map(({ column }) => column), ...reasonColumns].map(asText)
        const { group } = document.reading instanceof CsvDocument ? document.reading : {}
        const why = reasons(document.findings, first.origin)
        return [
          file,
          [
            ...(begun === undefined ? [made(first, head, first.origin.headerLine ?? 1)] : []),
            ...(group === undefined ? [] : [made(group, placedIn(group, columns, Row.typedCells(group)))]),
            ...[first, ...others].map((row) => made(row, cellsOf(row, columns, why, document.reading)))
          ]
        ]
      }
    )
  )

const placedIn = (
  { origin: { header } }: Row.Row,
  columns: ReadonlyArray<Row.ColumnName>,
  cells: ReadonlyArray<TypedCell>
): ReadonlyArray<TypedCell> => {
  const own = columnNames(header)
  return columns.map(({ column, nth }) => {
    const cell = own.findIndex((name) => name.column === column && name.nth === nth)
    return (cell < 0 ? undefined : cells[cell]) ?? asText("")
  })
}

/**
 * The number of a document is on each of its rows, since cells are no longer merged. Content
 * without a column follows the reasons: the surplus of a long row, the unread rest of a broken row,
 * a note on a short row. The row then has too many cells and is refused again until corrected.
 */
const cellsOf = (
  row: Row.Row,
  columns: ReadonlyArray<Row.ColumnName>,
  [code = "", because = "", fix = ""]: ReadonlyArray<string>,
  reading: Adapter.RefusedDocument["reading"]
): ReadonlyArray<TypedCell> => {
  const { covered, header, sheet } = row.origin
  const isBroken = Row.isBroken(row)
  const own = isBroken ? Row.cells(row).map(asText) : Row.typedCells(row)
  const document = reading instanceof CsvDocument ? reading : undefined
  const [first] = document?.rows ?? []
  const above = covered === undefined || first === undefined || first === row ? [] : Row.typedCells(first)
  const cells = own.map((cell, i) =>
    covered?.(row.line, i) === true && above[i]?.text.trim() === document?.number ? above[i]! : cell
  )
  const unread = isBroken ? cells.length - 1 : Math.min(cells.length, header.length)
  const missing = document === undefined && !isBroken && sheet === undefined ? header.length - cells.length : 0
  const note = `${missing} ${missing === 1 ? "cell is" : "cells are"} missing in this row`
  const rest = cells.slice(unread)
  const beyond = missing > 0 ? [asText(note)] : sheet === undefined ? rest.filter(({ text }) => text !== "") : rest
  const todo = beyond.length > 0 && sheet === undefined ? `${fix} ${toPlace}` : fix
  return [...placedIn(row, columns, cells.slice(0, unread)), ...[code, because, todo].map(asText), ...beyond]
}

const toPlace =
  "In this file, move what follows this cell to the columns where it belongs, and leave nothing after this cell: until then the row is refused."

const reasons = (findings: ReadonlyArray<Finding.Finding>, { troubles }: Row.RowOrigin): ReadonlyArray<string> => {
  const refusing = findings.filter(Finding.refuses)
  const each = (say: (finding: Finding.Finding) => string) => [...new Set(refusing.map(say))].join("; ")
  const elsewhere = codesByReason(troubles)
  const stays = refusing.some(({ code, fix }) => elsewhere.has(code) && !fix.includes(release))
  const todo = each(({ fix }) => fix)
  return [each(({ code }) => code), each(because), stays ? `${todo} ${toRelease}` : todo]
}

const toRelease = `If the document is correct in this file, ${release}: until then it is refused.`

const because = ({ at, detail, message }: Finding.Finding): string =>
  `${at === undefined ? "" : `${Provenance.format(at)} `}${message}${detail === undefined ? "" : `: ${detail}`}`
