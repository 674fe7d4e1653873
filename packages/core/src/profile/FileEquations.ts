/** Equations of a whole file: running sums, and rows that sum the rows above them. */
import type { Figures } from "./Figures.ts"

const fewestRows = 3

/** Returns columns that sum another column from the first row on. */
export const runningSums = (
  columns: ReadonlyArray<Figures>,
  rows: ReadonlyArray<number>
): ReadonlyMap<number, number> => {
  const isRunning = ({ cells: sums }: Figures, { cells }: Figures): boolean => {
    let before: bigint | undefined
    const seen = new Set<bigint>()
    for (const row of rows) {
      const [sum, add] = [sums[row], cells[row]]
      if (sum === undefined || add === undefined) return false
      if (before !== undefined && before + add !== sum) return false
      if (add !== 0n) seen.add(add)
      before = sum
    }
    return seen.size >= fewestRows
  }
  return new Map(
    columns.flatMap((sums): ReadonlyArray<readonly [number, number]> => {
      const of = columns.find((other) => other !== sums && isRunning(sums, other))
      return of === undefined ? [] : [[sums.column, of.column]]
    })
  )
}

/** Returns the rows in which every filled number sums the rows above it. */
export const totalsRows = (columns: ReadonlyArray<Figures>, count: number): ReadonlyArray<number> => {
  const found: Array<number> = []
  const sums = new Map(columns.map(({ column }) => [column, { sum: 0n, rows: new Set<bigint>() }]))
  for (let row = 0; row < count; row++) {
    const filled = columns.flatMap(({ cells, column }) => {
      const cell = cells[row]
      return cell === undefined || cell === 0n ? [] : [{ cell, above: sums.get(column)! }]
    })
    const isTotal =
      filled.length > 0 && filled.every(({ above, cell }) => above.sum === cell && above.rows.size >= fewestRows)
    if (isTotal) found.push(row)
    else
      for (const { above, cell } of filled) {
        above.sum += cell
        above.rows.add(cell)
      }
  }
  return found
}
