/**
 * A fast check in floating-point numbers that excludes nearly all expressions of a search. The
 * others are compared exactly.
 */
import { type Cells, type Expression, type EquationGroup, statedIn, valueIn } from "./Expression.ts"
import { one, type Value } from "./Figures.ts"

export interface Floats {
  readonly values: Float64Array
  readonly slack: Float64Array
}

/** Ways to make a result of a base and another value. `rate…`: with any usual rate. */
export type Way =
  | "less percent"
  | "less amount"
  | "alone"
  | "within"
  | "added"
  | "plus"
  | "rate alone"
  | "rate within"
  | "rate added"

const floatsOf = (values: ReadonlyArray<Value | undefined>): Floats => {
  const unit = Number(one)
  return {
    values: Float64Array.from(values, (value) => (value === undefined ? Number.NaN : Number(value.value) / unit)),
    slack: Float64Array.from(values, (value) => (value === undefined ? 0 : Number(value.slack) / unit))
  }
}

export const valuesOf = (cells: Cells, expression: Expression, groups: ReadonlyArray<EquationGroup>): Floats =>
  floatsOf(groups.map((group) => valueIn(cells, expression, group)))

export const statedBy = (cells: Cells, column: number, groups: ReadonlyArray<EquationGroup>): Floats =>
  floatsOf(groups.map((group) => statedIn(cells, column, group)))

const resultOf = (way: Way, base: number, other: number, stated: number): number => {
  const nearest = (part: number, whole: number) => Math.min(40, Math.max(0, Math.round((part / whole) * 1000) / 10))
  const rate =
    way === "rate alone"
      ? nearest(stated, base)
      : way === "rate within"
        ? nearest(stated, base - stated)
        : way === "rate added"
          ? nearest(stated - base, base)
          : other
  switch (way) {
    case "less percent":
      return base * (1 - other / 100)
    case "less amount":
      return base - other
    case "plus":
      return base + other
    case "alone":
    case "rate alone":
      return (base * rate) / 100
    case "within":
    case "rate within":
      return (base * rate) / (100 + rate)
    case "added":
    case "rate added":
      return base * (1 + rate / 100)
  }
}

export const isNear = (
  groups: ReadonlyArray<EquationGroup>,
  { base, other, stated }: { readonly base: Floats; readonly other: Floats | undefined; readonly stated: Floats },
  way: Way,
  { most, rounding }: { readonly most: number; readonly rounding: number }
): boolean => {
  let broken = 0
  let last = -1
  for (let i = 0; i < groups.length; i++) {
    const [b, s] = [base.values[i]!, stated.values[i]!]
    if (Number.isNaN(b) || Number.isNaN(s)) continue
    const { document, rows } = groups[i]!
    // a blank discount or percent is zero
    const o = other?.values[i] ?? Number.NaN
    const due = resultOf(way, b, Number.isNaN(o) ? 0 : o, s)
    const open = (other?.slack[i] ?? 0) * (1 + Math.abs(b) / 100) + 2 * base.slack[i]!
    const tolerance = open + 3 * rounding * rows.length + 1e-9 * Math.abs(b)
    if (Math.abs(s - due) <= tolerance || document === last) continue
    last = document
    if (++broken > most) return false
  }
  return true
}
