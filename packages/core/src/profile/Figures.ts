/**
 * Number columns as whole numbers of one scale, each with the share of its last place that a cell
 * leaves open.
 */
import { BigDecimal } from "effect"
import type * as Money from "../document/Money.ts"

const places = 12

export const one = 10n ** BigInt(places)
export const hundred = 100n * one

/** A value, and how far half a unit of the last place of each of its figures can move the value. */
export interface Value {
  readonly value: bigint
  readonly slack: bigint
}

export interface Figures {
  readonly column: number
  readonly cells: ReadonlyArray<bigint | undefined>
  /** Half a unit of the column's last place; a stated whole number is exact as a factor. */
  readonly half: bigint
  /** Half a unit of the last place of a result, which is rounded also to a whole number. */
  readonly rounding: bigint
}

export const abs = (value: bigint): bigint => (value < 0n ? -value : value)

const factors = Array.from({ length: places + 1 }, (_, scale) => 10n ** BigInt(places - scale))

/** Returns the figure as a whole number at the scale of a profile: twelve decimal places. */
export const scaled = ({ scale, value }: Money.Money): bigint => {
  const factor = factors[scale]
  if (factor !== undefined) return value * factor
  return scale < 0 ? value * 10n ** BigInt(places - scale) : value / 10n ** BigInt(scale - places)
}

/** Returns the figure of a whole number from `scaled`. */
export const unscaled = (value: bigint): Money.Money => BigDecimal.make(value, places)

/** Returns the columns that state a number. */
export const figuresOf = (columns: ReadonlyArray<ReadonlyArray<Money.Money | undefined>>): ReadonlyArray<Figures> =>
  columns.flatMap((cells, column) => {
    const scales = cells.flatMap((cell) => (cell === undefined ? [] : [Math.min(Math.max(cell.scale, 0), places - 1)]))
    if (scales.length === 0) return []
    const last = scales.reduce((most, scale) => Math.max(most, scale), 0)
    const rounding = one / (2n * 10n ** BigInt(last))
    return [{ column, cells: cells.map((cell) => cell && scaled(cell)), half: last === 0 ? 0n : rounding, rounding }]
  })

export const mostColumns = 40

const isIdentifier = (cells: ReadonlyArray<bigint>): boolean =>
  new Set(cells).size === cells.length && cells.every((cell) => cell % one === 0n && abs(cell) >= 100_000n * one)

/** Sets aside constants first, then identifiers, where a table has too many number columns. */
export const searched = (all: ReadonlyArray<Figures>): ReadonlyArray<Figures> => {
  if (all.length <= mostColumns) return all
  const rank = ({ cells }: Figures): number => {
    const filled = cells.filter((cell) => cell !== undefined)
    return new Set(filled).size === 1 ? 2 : isIdentifier(filled) ? 1 : 0
  }
  const kept = new Set(all.toSorted((a, b) => rank(a) - rank(b)).slice(0, mostColumns))
  return all.filter((figures) => kept.has(figures))
}

export const times = (a: Value, b: Value): Value => ({
  value: (a.value * b.value) / one,
  slack: (abs(a.value) * b.slack + abs(b.value) * a.slack + a.slack * b.slack) / one
})

export const plus = (a: Value, b: Value): Value => ({ value: a.value + b.value, slack: a.slack + b.slack })

export const minus = (a: Value, b: Value): Value => ({ value: a.value - b.value, slack: a.slack + b.slack })

export const dividedBy = ({ slack, value }: Value, by: bigint): Value => ({
  value: (value * one) / by,
  slack: (slack * one) / abs(by)
})

export const partOf = ({ slack, value }: Value): Value => ({ value: value / 100n, slack: slack / 100n })
