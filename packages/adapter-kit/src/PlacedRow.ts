/** A row of another package's reader, which knows on which line of the file it stands; without it a row's place is its number. */
import type { Row } from "./Sources.ts"

export class PlacedRow {
  readonly line: number
  readonly row: Row

  constructor(line: number, row: Row) {
    this.line = line
    this.row = row
  }
}
