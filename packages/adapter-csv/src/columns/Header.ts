/** The names of columns, and what a person writes to mean one. */
import * as StatedWords from "@fiscal-connector/core/source/StatedWords"
import type { ColumnName } from "../scan/Row.ts"

/** How names are compared: without case, spaces, punctuation, a leading `*` and a byte order mark; `%` and `#` count. */
export const normalise: (name: string) => string = StatedWords.normalised

/** The columns of every name, from left to right. */
export type HeaderIndex = ReadonlyMap<string, ReadonlyArray<number>>

export const indexOf = (header: ReadonlyArray<string>): HeaderIndex => {
  const index = new Map<string, Array<number>>()
  for (const [column, cell] of header.entries()) {
    const name = normalise(cell)
    if (name === "") continue
    const columns = index.get(name)
    if (columns === undefined) index.set(name, [column])
    else columns.push(column)
  }
  return index
}

export const columnsNamed = (index: HeaderIndex, name: string): ReadonlyArray<number> =>
  index.get(normalise(name)) ?? []

/** The name of a column of a file without a header, by its place counted from 0. */
export const nameless = (cell: number): string => `#${cell + 1}`

/** Whether the cells are the names of columns without a name, as a file of refused rows has them. */
export const isNameless = (cells: ReadonlyArray<string>): boolean =>
  cells[0] === nameless(0) && cells[1] === nameless(1)

/** The names of a header, each with its place among equal ones. */
export const columnNames = (header: ReadonlyArray<string>): ReadonlyArray<ColumnName> => {
  const seen = new Map<string, number>()
  return header.map((column) => {
    const nth = (seen.get(column) ?? 0) + 1
    seen.set(column, nth)
    return { column, nth }
  })
}

/** Header cells without the blank ones that trail. */
export const trimmed = (cells: ReadonlyArray<string>): ReadonlyArray<string> =>
  cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== "") + 1)
