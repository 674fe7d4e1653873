/** Where a value stands in the export, so that a person can put a finger on it. */

/** Where a value stands in an export, and its text there. */
export interface Provenance {
  readonly file: string
  /** Counted from 1; the line on which the value begins. */
  readonly line?: number
  /** Counted from 1, in characters of the line. */
  readonly column?: number
  /** For a workbook: the sheet, by its name. */
  readonly sheet?: string
  /** For a sheet: the cell, as `B12`. */
  readonly cell?: string
  /** For a table: what its header calls the column. */
  readonly columnName?: string
  /** For JSON: where the value is, as `/Invoices/3/LineItems/0/Quantity`. */
  readonly pointer?: string
  /** The value as the export writes it. */
  readonly text?: string
}

/** `file.csv:12:7`, `file.xlsx!Sheet:B12` or `file.json /Invoices/3`. */
export const format = ({ cell, column, file, line, pointer, sheet }: Provenance): string => {
  const position =
    cell !== undefined ? `:${cell}` : line === undefined ? "" : column === undefined ? `:${line}` : `:${line}:${column}`
  const place = `${file}${sheet === undefined ? "" : `!${sheet}`}${position}`
  return pointer === undefined ? place : `${place} ${pointer}`
}
