/** Rows that are not JSON: from a database cursor, or from a reader of another format. */
import type { Adapter } from "@fiscal-connector/core/adapter"
import type { Stream } from "effect"

/** A row that the program provides. */
export type Row = { readonly [column: string]: unknown }

/**
 * A row from another package's reader, with its line number in the file. Without the line, the
 * place of a row is its number.
 */
export class PlacedRow {
  readonly line: number
  readonly row: Row

  constructor(line: number, row: Row) {
    this.line = line
    this.row = row
  }
}

/** Rows one after the other. A failure of a stream is a failure of the export. */
export type Rows =
  | AsyncIterable<Row | PlacedRow>
  | Iterable<Row | PlacedRow>
  | Stream.Stream<Row | PlacedRow, Adapter.AdapterError>
