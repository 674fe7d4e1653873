import { type Adapter, FormulaText } from "@fiscal-connector/core/adapter"
import { Stream } from "effect"
import type { Separator } from "../scan/Dialect.ts"
import { rows } from "./RefusedTable.ts"

/**
 * Writes UTF-8 with a byte order mark, in the delimiter of the source. Readings of other adapters
 * are left out. The header is on the line that the operator stated.
 */
export const write = (refused: Stream.Stream<Adapter.RefusedDocument>): Stream.Stream<Uint8Array> =>
  rows(refused).pipe(
    Stream.map(({ cells, delimiter, line }) => {
      const before = line === undefined ? "" : `\ufeff${"\r\n".repeat(Math.max(0, line - 1))}`
      return `${before}${cells.map(({ text }) => quoted(FormulaText.neutralized(text), delimiter)).join(delimiter)}\r\n`
    }),
    Stream.encodeText
  )

export const quoted = (cell: string, delimiter: Separator): string =>
  cell.includes(delimiter) || /["\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
