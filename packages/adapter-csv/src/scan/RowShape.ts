/** What can be seen of a record without knowing what its cells stand for. */
import { type Scanner, StrayQuote } from "./Scanner.ts"

export const isFilled = (record: Scanner, cell: number): boolean =>
  cell < record.count && record.ends[cell]! > record.starts[cell]!

/** How many cells have something in them. */
export const countFilled = (record: Scanner): number => {
  let count = 0
  for (let cell = 0; cell < record.count; cell++) if (isFilled(record, cell)) count++
  return count
}

/** The first cell with something in it; 0 where there is none. */
export const firstFilled = (record: Scanner): number => {
  for (let cell = 0; cell < record.count; cell++) if (isFilled(record, cell)) return cell
  return 0
}

export const isEmpty = (record: Scanner): boolean => !isFilled(record, firstFilled(record))

/** Whether an unquoted cell has a quote in it. */
export const hasStrayQuote = (record: Scanner): boolean => {
  for (let cell = 0; cell < record.count; cell++) if ((record.flags[cell]! & StrayQuote) !== 0) return true
  return false
}

/** How many cells the rows of a file have. */
export interface RowWidth {
  /** As many as the header names. */
  readonly named: number
  /** With blank ones beyond them. */
  readonly widest: number
  /** Rows with fewer cells. */
  readonly short: "allowed" | "refused"
}

/** Whether the record has as many cells; one more, though blank, is a sign that another was split. */
export const fits = (record: Scanner, { named, short, widest }: RowWidth): boolean => {
  for (let cell = named; cell < record.count; cell++) if (isFilled(record, cell)) return false
  return record.count <= widest && (record.count >= named || short === "allowed")
}
