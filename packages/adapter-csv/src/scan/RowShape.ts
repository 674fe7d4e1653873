import { type Scanner, StrayQuote } from "./Scanner.ts"

export const isFilled = (record: Scanner, cell: number): boolean =>
  cell < record.count && record.ends[cell]! > record.starts[cell]!

export const countFilled = (record: Scanner): number => {
  let count = 0
  for (let cell = 0; cell < record.count; cell++) if (isFilled(record, cell)) count++
  return count
}

export const firstFilled = (record: Scanner): number => {
  for (let cell = 0; cell < record.count; cell++) if (isFilled(record, cell)) return cell
  return 0
}

export const isSingle = (record: Scanner): boolean => {
  let cell = firstFilled(record)
  if (!isFilled(record, cell)) return false
  while (++cell < record.count) if (isFilled(record, cell)) return false
  return true
}

export const isEmpty = (record: Scanner): boolean => !isFilled(record, firstFilled(record))

export const hasStrayQuote = (record: Scanner): boolean => {
  for (let cell = 0; cell < record.count; cell++) if ((record.flags[cell]! & StrayQuote) !== 0) return true
  return false
}

export interface RowWidth {
  readonly named: number
  readonly widest: number
  readonly short: "allowed" | "refused"
}

/** An extra cell, though blank, is a sign that another cell was split. */
export const fits = (record: Scanner, { named, short, widest }: RowWidth): boolean => {
  for (let cell = named; cell < record.count; cell++) if (isFilled(record, cell)) return false
  return record.count <= widest && (record.count >= named || short === "allowed")
}
