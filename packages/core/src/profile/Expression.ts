/** Expressions over the columns of a table, and their values in a row or in a document. */
import { abs, dividedBy, type Figures, hundred, minus, one, partOf, plus, times, type Value } from "./Figures.ts"

/** The percents of a tax: a column, a text column with one rate for each spelling, or one rate. */
export type Percent =
  | { readonly by: "column"; readonly column: number }
  | { readonly by: "text"; readonly column: number; readonly rates: ReadonlyMap<string, bigint> }
  | { readonly by: "rate"; readonly rate: bigint }
  | { readonly by: "amount"; readonly column: number }

export interface Expression {
  readonly of?: { readonly column: number } | { readonly product: readonly [number, number] }
  readonly less?: { readonly column: number; readonly as: "percent" | "amount" }
  /** `alone`: the tax. `within`: the tax that the amount includes. `added`: the amount with tax. */
  readonly tax?: { readonly is: "alone" | "within" | "added"; readonly percent: Percent }
  /** Columns that are added: to a row for a row, once to a document for a document. */
  readonly plus?: ReadonlyArray<number>
}

export interface EquationGroup {
  readonly document: number
  readonly rows: ReadonlyArray<number>
}

export interface Cells {
  readonly figures: ReadonlyMap<number, Figures>
  readonly texts: ReadonlyArray<ReadonlyArray<string>>
}

const cellOf = ({ figures }: Cells, column: number, row: number): Value | undefined => {
  const of = figures.get(column)
  const value = of?.cells[row]
  return of === undefined || value === undefined ? undefined : { value, slack: value === 0n ? 0n : of.half }
}

const nothing: Value = { value: 0n, slack: 0n }

/** Returns the figure of a group: its only value. */
export const statedIn = (cells: Cells, column: number, { rows }: EquationGroup): Value | undefined => {
  let only: Value | undefined
  for (const row of rows) {
    const cell = cellOf(cells, column, row)
    if (cell === undefined) continue
    if (only !== undefined && only.value !== cell.value) return undefined
    only ??= cell
  }
  return only
}

/** Undefined if the row's spelling has no rate. A blank is zero. */
const percentIn = (cells: Cells, percent: Exclude<Percent, { by: "amount" }>, row: number): Value | undefined => {
  if (percent.by === "rate") return { value: percent.rate, slack: 0n }
  if (percent.by === "column") return cellOf(cells, percent.column, row) ?? nothing
  const rate = percent.rates.get(cells.texts[percent.column]?.[row] ?? "")
  return rate === undefined ? undefined : { value: rate, slack: 0n }
}

/** Returns the value of a row before its tax. */
export const beforeTax = (cells: Cells, { less, of }: Expression, row: number): Value | undefined => {
  if (of === undefined) return nothing
  const [one0, other] =
    "column" in of ? [cellOf(cells, of.column, row), undefined] : of.product.map((column) => cellOf(cells, column, row))
  if (one0 === undefined || ("product" in of && other === undefined)) return undefined
  const whole = other === undefined ? one0 : times(one0, other)
  if (less === undefined) return whole
  const off = cellOf(cells, less.column, row) ?? nothing
  return less.as === "amount" ? minus(whole, off) : minus(whole, times(whole, partOf(off)))
}

const rowValue = (cells: Cells, expression: Expression, row: number): Value | undefined => {
  const net = beforeTax(cells, expression, row)
  const { tax } = expression
  if (net === undefined || tax === undefined) return net
  if (tax.percent.by === "amount") return plus(net, cellOf(cells, tax.percent.column, row) ?? nothing)
  const percent = percentIn(cells, tax.percent, row)
  if (percent === undefined) return undefined
  const due = times(net, partOf(percent))
  if (tax.is === "alone") return due
  return tax.is === "added"
    ? plus(net, due)
    : { value: (due.value * hundred) / (hundred + percent.value), slack: due.slack }
}

/** Returns the value in a group; undefined if a cell that the expression needs is blank. */
export const valueIn = (cells: Cells, expression: Expression, group: EquationGroup): Value | undefined => {
  let sum = nothing
  if (expression.of !== undefined)
    for (const row of group.rows) {
      const value = rowValue(cells, expression, row)
      if (value === undefined) return undefined
      sum = plus(sum, value)
    }
  for (const column of expression.plus ?? []) {
    const value = statedIn(cells, column, group)
    if (value === undefined) return undefined
    sum = plus(sum, value)
  }
  return sum
}

/** `loosely`: only if an input is rounded to its last place, as a price of three places to two. */
export type Fit = "exactly" | "loosely" | "not"

/** Compares the group's figure with the expression; undefined if a cell is blank. */
export const fits = (cells: Cells, target: Figures, expression: Expression, group: EquationGroup): Fit | undefined => {
  const stated = statedIn(cells, target.column, group)
  const value = stated && valueIn(cells, expression, group)
  if (stated === undefined || value === undefined) return undefined
  const { of, tax } = expression
  const isComputed = of !== undefined && (tax !== undefined || "product" in of || expression.less !== undefined)
  // each row of a computed sum may be rounded before the sum
  const roundings = BigInt(isComputed ? group.rows.length : 1) * (tax === undefined ? 1n : 2n)
  const apart = abs(stated.value - value.value) - target.rounding * roundings
  return apart <= 0n ? "exactly" : apart <= value.slack ? "loosely" : "not"
}

/** Columns that an expression reads as numbers. */
export const columnsOf = ({ less, of, plus: added = [], tax }: Expression): ReadonlyArray<number> => [
  ...(of === undefined ? [] : "column" in of ? [of.column] : of.product),
  ...(less === undefined ? [] : [less.column]),
  ...(tax === undefined || tax.percent.by === "rate" || tax.percent.by === "text" ? [] : [tax.percent.column]),
  ...added
]

/** True if no factor of the expression is neutral in the group: 1, or nothing. */
export const isSeen = (cells: Cells, expression: Expression, group: EquationGroup): boolean => {
  const { less, of, plus: added = [], tax } = expression
  const isAny = (column: number, neutral: bigint) =>
    group.rows.some((row) => (cellOf(cells, column, row)?.value ?? neutral) !== neutral)
  const { percent } = tax ?? {}
  return (
    (of === undefined ||
      ("column" in of
        ? isAny(of.column, 0n)
        : of.product.every((column) => isAny(column, one) && isAny(column, 0n)))) &&
    (less === undefined || isAny(less.column, 0n)) &&
    added.every((column) => isAny(column, 0n)) &&
    (percent === undefined ||
      percent.by === "rate" ||
      (percent.by === "text"
        ? group.rows.some((row) => (percentIn(cells, percent, row)?.value ?? 0n) !== 0n)
        : isAny(percent.column, 0n)))
  )
}

/** Rates are tenths of a percent, up to 40 %. */
export const rateStep = one / 10n
export const highestRate = 40n * one

/** Returns the usual rate next to `part` of `whole`; undefined for any other share. */
export const rateOf = (part: bigint, whole: bigint): bigint | undefined => {
  if (whole === 0n) return undefined
  const exact = dividedBy({ value: part * 100n, slack: 0n }, whole).value
  const rate = ((exact + (exact < 0n ? -rateStep : rateStep) / 2n) / rateStep) * rateStep
  return rate < 0n || rate > highestRate ? undefined : rate
}
