/** Rows that are no JSON: what a database cursor gives, or a reader of another format. */
import type { AdapterError } from "@fiscal-connector/core/source/Adapter"
import type { Stream } from "effect"

/** A program's own row. */
export type Row = { readonly [column: string]: unknown }

/** A row of another package's reader, which knows on which line of the file it stands; without it a row's place is its number. */
export class PlacedRow {
  readonly line: number
  readonly row: Row

  constructor(line: number, row: Row) {
    this.line = line
    this.row = row
  }
}

/** Rows one after the other; a stream's failure is the export's. */
export type Rows =
  | AsyncIterable<Row | PlacedRow>
  | Iterable<Row | PlacedRow>
  | Stream.Stream<Row | PlacedRow, AdapterError>
