/** The names of columns, and what a person writes to mean one. */

import type { ColumnName } from "./Row.ts"

/** How names are compared: without case, spaces, punctuation, a leading `*` and a byte order mark; `%` and `#` count. */
export const normalise = (name: string): string =>
  name
    .replace(/^\ufeff/, "")
    .toLowerCase()
    .replaceAll(/[\s*._\-/():]+/g, "")

/** The columns of that name, from left to right. */
export const columnsNamed = (header: ReadonlyArray<string>, name: string): ReadonlyArray<number> => {
  const wanted = normalise(name)
  return header.flatMap((cell, column) => (normalise(cell) === wanted && wanted !== "" ? [column] : []))
}

/** The names of a header, each with its place among equal ones. */
export const columnNames = (header: ReadonlyArray<string>): ReadonlyArray<ColumnName> =>
  header.map((column, cell) => ({ column, nth: header.slice(0, cell + 1).filter((name) => name === column).length }))

/** Header cells without the blank ones that trail. */
export const trimmed = (cells: ReadonlyArray<string>): ReadonlyArray<string> =>
  cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== "") + 1)
