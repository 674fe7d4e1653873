/** Place of a value in the export, for users to find the value. */

/** Place and text of a value in an export. */
export interface Provenance {
  readonly file: string
  /** Text line on which the value begins, counted from 1. */
  readonly line?: number
  /** Column in characters, counted from 1. */
  readonly column?: number
  readonly sheet?: string
  /** Cell, as `B12`, for a sheet. */
  readonly cell?: string
  readonly columnName?: string
  /** JSON pointer, as `/Invoices/3/LineItems/0/Quantity`. */
  readonly pointer?: string
  readonly text?: string
}

/** Writes a place as `file.csv:12:7`, `file.xlsx!Sheet:B12` or `file.json /Invoices/3`. */
export const format = ({ cell, column, file, line, pointer, sheet }: Provenance): string => {
  const position =
    cell !== undefined ? `:${cell}` : line === undefined ? "" : column === undefined ? `:${line}` : `:${line}:${column}`
  const place = `${file}${sheet === undefined ? "" : `!${sheet}`}${position}`
  return pointer === undefined ? place : `${place} ${pointer}`
}
