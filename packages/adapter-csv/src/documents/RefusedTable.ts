/** Refused rows of tables as typed cells, for a writer of another file format. */
import type { RefusedDocument } from "@fiscal-connector/core/source/Adapter"
import { Stream } from "effect"
import { columnNames } from "../columns/Header.ts"
import { reasonColumns } from "../columns/ReasonColumns.ts"
import * as Row from "../scan/Row.ts"
import type { TypedCell } from "../scan/Row.ts"
import { CsvDocument } from "./CsvDocument.ts"
import { reasons, rowsOf, type Sheet, sheetOf } from "./RefusedRows.ts"

export type { TypedCell } from "../scan/Row.ts"

/** A refused row: its cells as in the file, and the reasons. */
export interface RefusedRow {
  /** Sheet of the row. */
  readonly sheet: string | undefined
  /** Fixed row number, if any: the header is on the line that the operator stated. */
  readonly line: number | undefined
  readonly cells: ReadonlyArray<TypedCell>
}

/**
 * Returns the header, then every row with its reasons. Cells beyond the header follow the reasons.
 */
export const rows = (refused: Stream.Stream<RefusedDocument>): Stream.Stream<RefusedRow> =>
  refused.pipe(
    Stream.mapAccum(
      (): Sheet | undefined => undefined,
      (begun, document) => {
        const rows = rowsOf(document)
        const [first] = rows
        if (first === undefined) return [begun, []]
        const sheet = begun ?? sheetOf(first)
        const head = [...sheet.columns.map(({ column }) => column), ...reasonColumns].map(asText)
        const why = reasons(document.findings, first.origin).map(asText)
        const group = document.reading instanceof CsvDocument ? document.reading.group : undefined
        const found: ReadonlyArray<RefusedRow> = [
          ...(begun === undefined
            ? [{ sheet: first.origin.sheet, line: first.origin.headerLine ?? 1, cells: head }]
            : []),
          ...[...(group === undefined ? [] : [{ row: group, why: [] }]), ...rows.map((row) => ({ row, why }))].map(
            ({ row, why }) => ({
              sheet: row.origin.sheet,
              line: undefined,
              cells: cellsOf(row, sheet, why, document.reading instanceof CsvDocument ? document.reading : undefined)
            })
          )
        ]
        return [sheet, found]
      }
    )
  )

/** Returns a text cell without evidence. */
export const asText = (text: string): TypedCell => ({ kind: "text", text, evidence: [] })

/**
 * Returns the cells of a row. `document`: its number is written on each of its rows, since cells
 * are no longer merged.
 */
const cellsOf = (
  row: Row.Row,
  { columns }: Sheet,
  why: ReadonlyArray<TypedCell>,
  document: CsvDocument | undefined
): ReadonlyArray<TypedCell> => {
  const { covered, header } = row.origin
  const [first] = document?.rows ?? []
  const above = covered === undefined || first === undefined || first === row ? [] : Row.typedCells(first)
  const cells = Row.typedCells(row).map((cell, i) =>
    covered?.(row.line, i) === true && above[i]?.text.trim() === document?.number ? above[i]! : cell
  )
  const own = columnNames(header)
  const placed = columns.map(({ column, nth }) => {
    const cell = own.findIndex((name) => name.column === column && name.nth === nth)
    return (cell < 0 ? undefined : cells[cell]) ?? asText("")
  })
  return [...placed, ...why, ...cells.slice(header.length)]
}
