/** Where a value stands in the export, so that a person can put a finger on it. */

/** Where a value stands in an export, and its text there. */
export interface Provenance {
  readonly file: string
  /** Counted from 1; the line on which the value begins. */
  readonly line?: number
  /** Counted from 1, in characters of the line. */
  readonly column?: number
  /** For a table: what its header calls the column. */
  readonly columnName?: string
  /** For JSON: where the value is, as `/Invoices/3/LineItems/0/Quantity`. */
  readonly pointer?: string
  /** The value as the export writes it. */
  readonly text?: string
}

/** `file.csv:12:7` or `file.json /Invoices/3`. */
export const format = ({ column, file, line, pointer }: Provenance): string => {
  const position = line === undefined ? "" : column === undefined ? `:${line}` : `:${line}:${column}`
  return pointer === undefined ? `${file}${position}` : `${file}${position} ${pointer}`
}
