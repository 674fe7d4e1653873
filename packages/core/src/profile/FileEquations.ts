import type { Figures } from "./Figures.ts"

const fewestRows = 3

/** Sums of a column's figures above a row. */
export class SumsAbove {
  all = 0n
  /** Sum of all rows at the last total, and at the start of the document. */
  private atTotal = 0n
  private atDocument = 0n
  private document = ""
  private rows = 0
  private readonly different = new Set<bigint>()
  private state: "known" | "unknown" = "known"

  get since(): bigint {
    return this.all - this.atTotal
  }

  begin(): void {
    this.atTotal = this.all
  }

  /** Adds a figure. A blank document continues the last one; undefined: a row without a figure. */
  take(figure: bigint | undefined, document = ""): void {
    if (document !== "" && document !== this.document) {
      this.document = document
      this.atDocument = this.all
    }
    if (figure === undefined || figure === 0n) return
    this.rows++
    if (this.different.size < fewestRows) this.different.add(figure)
    this.all += figure
  }

  lose(): void {
    this.state = "unknown"
  }

  /** Tests for the sum of all rows, of the rows since the last total, or of the document. */
  isAny(figure: bigint): boolean {
    return this.state === "known" && [this.all, this.since, this.all - this.atDocument].includes(figure)
  }

  /** Tests for the sum of all rows; `different`: a sum of equal figures shows nothing. */
  isAll(figure: bigint, of: "rows" | "different"): boolean {
    const count = of === "rows" ? this.rows : this.different.size
    return this.state === "known" && figure === this.all && count >= fewestRows
  }
}

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
  const all = columns.map(({ cells }) => ({ cells, above: new SumsAbove() }))
  for (let row = 0; row < count; row++) {
    const filled = all.filter(({ cells }) => (cells[row] ?? 0n) !== 0n)
    if (filled.length > 0 && filled.every(({ above, cells }) => above.isAll(cells[row]!, "different"))) found.push(row)
    else for (const { above, cells } of filled) above.take(cells[row])
  }
  return found
}
