import { StatedWords } from "@fiscal-connector/core/adapter"
import type { ColumnName } from "../scan/Row.ts"

/**
 * Normalizes a name for comparison: no case, spaces, punctuation, leading `*` or byte order mark;
 * `%` and `#` count.
 */
export const normalize: (name: string) => string = StatedWords.normalize

export type HeaderIndex = ReadonlyMap<string, ReadonlyArray<number>>

export const indexOf = (header: ReadonlyArray<string>): HeaderIndex => {
  const index = new Map<string, Array<number>>()
  for (const [column, cell] of header.entries()) {
    const name = normalize(cell)
    if (name === "") continue
    const columns = index.get(name)
    if (columns === undefined) index.set(name, [column])
    else columns.push(column)
  }
  return index
}

export const columnsNamed = (index: HeaderIndex, name: string): ReadonlyArray<number> =>
  index.get(normalize(name)) ?? []

export const nameless = (cell: number): string => `#${cell + 1}`

/**
 * True if the cells are names of columns without a header, as in a file of refused rows.
 */
export const isNameless = (cells: ReadonlyArray<string>): boolean =>
  cells[0] === nameless(0) && cells[1] === nameless(1)

export const columnNames = (header: ReadonlyArray<string>): ReadonlyArray<ColumnName> => {
  const seen = new Map<string, number>()
  return header.map((column) => {
    const nth = (seen.get(column) ?? 0) + 1
    seen.set(column, nth)
    return { column, nth }
  })
}

export const columnAt = (header: ReadonlyArray<string>, cell: number): string | ColumnName => {
  const column = header[cell]!
  const alike = columnsNamed(indexOf(header), column)
  return alike.length < 2 ? column : { column, nth: alike.indexOf(cell) + 1 }
}

export const trimmed = (cells: ReadonlyArray<string>): ReadonlyArray<string> =>
  cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== "") + 1)
