/** Refused rows as a file to correct and import again: the source's own columns, and why. */
import type { Finding } from "@fiscal-connector/core/finding/Finding"
import { refuses } from "@fiscal-connector/core/finding/Finding"
import { format } from "@fiscal-connector/core/finding/Provenance"
import type { RefusedDocument } from "@fiscal-connector/core/source/Adapter"
import { Stream } from "effect"
import { CsvDocument } from "./CsvDocument.ts"
import type { Delimiter } from "./Dialect.ts"
import * as Row from "./Row.ts"
import { RowFinding } from "./RowFinding.ts"

/** The columns we add; when the file is imported again they are passed over. */
export const reasonColumns = ["Refused", "Refused because", "Refused: what to do"] as const

/** UTF-8 with a byte order mark, in the delimiter of the source. Rows that are no rows of ours are left out. */
export const write = (refused: Stream.Stream<RefusedDocument>): Stream.Stream<Uint8Array> =>
  refused.pipe(
    Stream.mapAccum(
      (): ReadonlyArray<string> | undefined => undefined,
      (columns, document) => {
        const rows = rowsOf(document)
        const [first] = rows
        if (first === undefined) return [columns, []]
        const { delimiter } = first.origin.dialect
        const named = columns ?? columnsOf(first)
        const lines = rows.map((row) => line([...cellsOf(row, named), ...reasons(document.findings)], delimiter))
        const header = columns === undefined ? `\ufeff${line([...named, ...reasonColumns], delimiter)}` : ""
        return [named, [header + lines.join("")]]
      }
    ),
    Stream.encodeText
  )

const rowsOf = ({ reading }: RefusedDocument): ReadonlyArray<Row.Row> =>
  reading instanceof CsvDocument ? reading.rows : reading instanceof RowFinding ? [reading.row] : []

const isReason = (name: string) => reasonColumns.some((reason) => reason === name)

const columnsOf = ({ origin }: Row.Row): ReadonlyArray<string> => origin.header.filter((name) => !isReason(name))

/** The row's cells without our own columns; what does not fit under the header is kept together in the last one. */
const cellsOf = (row: Row.Row, columns: ReadonlyArray<string>): ReadonlyArray<string> => {
  const { dialect, header } = row.origin
  const cells = Row.cells(row)
  const own = cells.filter((_, cell) => !isReason(header[cell] ?? ""))
  const kept = own.slice(0, columns.length)
  const rest = own.slice(columns.length).filter((cell) => cell !== "")
  if (rest.length > 0) kept[columns.length - 1] = [kept[columns.length - 1] ?? "", ...rest].join(dialect.delimiter)
  return [...kept, ...Array.from({ length: columns.length - kept.length }, () => "")]
}

const reasons = (findings: ReadonlyArray<Finding>): ReadonlyArray<string> => {
  const refusing = findings.filter(refuses)
  const each = (say: (finding: Finding) => string) => [...new Set(refusing.map(say))].join("; ")
  return [
    each(({ code }) => code),
    each(
      ({ at, detail, message }) =>
        `${at === undefined ? "" : `${format(at)} `}${message}${detail === undefined ? "" : `: ${detail}`}`
    ),
    each(({ fix }) => fix)
  ]
}

const number = /^[-+]?[\d.,' ]+%?$/

/** A cell that a spreadsheet would run as a formula is made text by an apostrophe, which reading takes off again. */
export const neutralised = (cell: string): string =>
  /^[=+\-@\t\r]/.test(cell) && !number.test(cell) ? `'${cell}` : cell

const line = (cells: ReadonlyArray<string>, delimiter: Delimiter): string =>
  `${cells.map((cell) => quoted(neutralised(cell), delimiter)).join(delimiter)}\r\n`

const quoted = (cell: string, delimiter: Delimiter): string =>
  cell.includes(delimiter) || /["\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
