/** Equations of rows or of documents: where each holds, its exceptions and its rivals. */
import {
  type Cells,
  columnsOf,
  type Expression,
  type Fit,
  fits,
  type EquationGroup,
  isSeen,
  rateOf,
  statedIn,
  valueIn
} from "./Expression.ts"
import { abs, type Figures, one } from "./Figures.ts"
import { type Floats, isNear, statedBy, valuesOf, type Way } from "./Nearness.ts"

/** A figure as an expression of others. */
export interface Equation {
  readonly target: number
  readonly expression: Expression
  /** First row of each group that the equation holds in. */
  readonly rows: ReadonlyArray<number>
  readonly exceptions: ReadonlyArray<number>
  /** Percent by which every exception is higher or lower, if it is one percent. */
  readonly apart: bigint | undefined
}

/** A statement of the values about a figure. */
export type FoundEquation =
  | { readonly is: "settled"; readonly equation: Equation }
  /** The equations that the values do not show or tell apart, or that documents break. */
  | { readonly is: "asked"; readonly rivals: ReadonlyArray<Equation> }

interface ExpressionCandidate {
  readonly expression: Expression
  readonly holds: ReadonlyArray<boolean | undefined>
  readonly cost: number
}

const margin = 8
/** Rows, and documents, that tell an equation from a rival. */
const fewestRows = 3
const fewestDocuments = 2

export class Candidates {
  readonly cells: Cells
  readonly groups: ReadonlyArray<EquationGroup>
  private readonly documents: number
  private readonly byTarget = new Map<number, Array<ExpressionCandidate>>()
  private tried = 1

  constructor(cells: Cells, groups: ReadonlyArray<EquationGroup>) {
    this.cells = cells
    this.groups = groups
    this.documents = new Set(groups.map(({ document }) => document)).size
  }

  /** Documents that may break an equation: one in ten, and as a rival always one. */
  private get mostExceptions(): number {
    return Math.max(1, Math.floor(this.documents / 10))
  }

  private readonly values = new Map<number, Floats>()

  private statedBy(column: number): Floats {
    const known = this.values.get(column) ?? statedBy(this.cells, column, this.groups)
    this.values.set(column, known)
    return known
  }

  near(base: Expression): (target: Figures, way: Way, other?: number) => boolean {
    const of = valuesOf(this.cells, base, this.groups)
    return (target, way, other) => {
      this.tried++
      const values = {
        base: of,
        other: other === undefined ? undefined : this.statedBy(other),
        stated: this.statedBy(target.column)
      }
      const limits = { most: this.mostExceptions, rounding: Number(target.rounding) / Number(one) }
      return isNear(this.groups, values, way, limits)
    }
  }

  /** Keeps an expression that nearly every document states. `cost`: bits that chose its rates. */
  try(target: Figures, expression: Expression, cost = 0): void {
    this.tried++
    if (columnsOf(expression).includes(target.column)) return
    const broken = new Set<number>()
    const loose = new Set<number>()
    const all: Array<Fit | undefined> = []
    let apart: bigint | undefined
    for (const group of this.groups) {
      const fit = fits(this.cells, target, expression, group)
      all.push(fit)
      if (fit === "loosely") loose.add(group.document)
      if (fit !== "not") continue
      const rate = this.apartOf(target, expression, group)
      apart = broken.size === 0 || rate === apart ? rate : 0n
      broken.add(group.document)
      // documents that are all higher or lower by one percent are one question
      if (broken.size > this.mostExceptions && apart === 0n) return
    }
    // where nearly every figure is exact, the others are not rounded inputs either
    const isExact = loose.size <= this.mostExceptions
    const holds = all.map((fit) => fit && (fit === "exactly" || (fit === "loosely" && !isExact)))
    const held = holds.filter((fit) => fit === true).length
    if (held <= broken.size) return
    if (!this.groups.some((group, i) => holds[i] === true && isSeen(this.cells, expression, group))) return
    const known = this.byTarget.get(target.column) ?? []
    this.byTarget.set(target.column, [...known, { expression, holds, cost }])
  }

  /** Tries an expression with the rates that groups show, for each spelling of a text or once. */
  tryRates(target: Figures, base: Expression, is: "alone" | "within" | "added", text: number | undefined): void {
    this.tried++
    if (text === target.column) return
    const shown = new Map<string, Array<{ readonly rate: bigint; readonly document: number; readonly size: bigint }>>()
    for (const group of this.groups) {
      const spellings = new Set(
        group.rows.map((row) => (text === undefined ? "" : (this.cells.texts[text]?.[row] ?? "")))
      )
      const [spelling, other] = spellings
      const stated = statedIn(this.cells, target.column, group)?.value
      const net = valueIn(this.cells, base, group)?.value
      if (spelling === undefined || other !== undefined || stated === undefined || net === undefined || net === 0n)
        continue
      const rate =
        is === "alone" ? rateOf(stated, net) : is === "added" ? rateOf(stated - net, net) : rateOf(stated, net - stated)
      if (rate === undefined) continue
      const known = shown.get(spelling) ?? []
      if (known.length === 0) shown.set(spelling, known)
      known.push({ rate, document: group.document, size: abs(net) })
    }
    const rates = new Map<string, bigint>()
    for (const [spelling, all] of shown) {
      // the largest amounts show a rate most exactly; a rate of one document explains nothing
      const largest = all.toSorted((a, b) => (a.size < b.size ? 1 : a.size > b.size ? -1 : 0)).slice(0, 5)
      const rate = largest.find((one) =>
        largest.some((other) => other.rate === one.rate && other.document !== one.document)
      )?.rate
      if (rate !== undefined) rates.set(spelling, rate)
    }
    const [first] = rates.values()
    if (first === undefined || [...rates.values()].every((rate) => rate === 0n)) return
    if (text !== undefined && rates.size < 2 && shown.size < 2) return
    const percent =
      text === undefined ? ({ by: "rate", rate: first } as const) : ({ by: "text", column: text, rates } as const)
    this.try(target, { ...base, tax: { is, percent } }, 9 * rates.size)
  }

  /** Zero if the group does not state more or less by a usual percent. */
  private apartOf(target: Figures, expression: Expression, group: EquationGroup): bigint {
    const stated = statedIn(this.cells, target.column, group)?.value ?? 0n
    const due = valueIn(this.cells, expression, group)?.value ?? 0n
    const rate = rateOf(abs(stated - due), abs(due)) ?? 0n
    if (!isUsual(stated, due, rate, target.rounding)) return 0n
    return stated < due ? -rate : rate
  }

  /** Tests for three rows of two documents. Rows of a document with the same figures are one. */
  private isEnough(target: Figures, expression: Expression, groups: ReadonlyArray<EquationGroup>): boolean {
    const documents = new Set(groups.map(({ document }) => document))
    if (documents.size < fewestDocuments) return false
    const columns = [target.column, ...columnsOf(expression)]
    const figures = groups.map(({ document, rows }) =>
      rows.map((row) => [document, ...columns.map((column) => this.cells.figures.get(column)?.cells[row])].join(" "))
    )
    return new Set(figures.flat()).size >= fewestRows
  }

  /** Returns the bits by which chance would not give the figures of these groups. */
  private bitsOf(target: Figures, expression: Expression, groups: ReadonlyArray<EquationGroup>): number {
    const stated = [...new Set(groups.flatMap((group) => statedIn(this.cells, target.column, group)?.value ?? []))]
    if (stated.length < 2) return 0
    const sizes = stated.toSorted((a, b) => (a < b ? -1 : 1))
    const spread = sizes.at(-1)! - sizes[0]!
    const step = sizes.reduce((a, b) => divisor(a, abs(b)), 0n)
    const open = groups.reduce((sum, group) => sum + (valueIn(this.cells, expression, group)?.slack ?? 0n), 0n)
    const fitting = 2n * (target.rounding + open / BigInt(groups.length))
    const width = step > fitting ? step : fitting
    return stated.length * Math.log2(Number(spread / width) + 1)
  }

  /** Undefined if no equation nearly holds. */
  found(target: Figures): FoundEquation | undefined {
    const all = this.byTarget.get(target.column) ?? []
    const sound = all.filter((one) => this.isShown(target, one))
    if (all.length === 0) return undefined
    const equations = all.map((one) => this.equationOf(target, one))
    const settled = sound.flatMap((one) => {
      const equation = equations[all.indexOf(one)]!
      const isToldApart = all.every((rival) => rival === one || this.isApart(target, one, rival))
      return isToldApart && this.isFewEnough(one) && equation.apart === undefined ? [equation] : []
    })
    const [equation, other] = settled
    if (equation !== undefined && other === undefined) return { is: "settled", equation }
    return { is: "asked", rivals: equations }
  }

  private groupsOf({ holds }: ExpressionCandidate, is: boolean): ReadonlyArray<EquationGroup> {
    return this.groups.filter((_, i) => holds[i] === is)
  }

  private isShown(target: Figures, one: ExpressionCandidate): boolean {
    const seen = this.groupsOf(one, true).filter((group) => isSeen(this.cells, one.expression, group))
    const copies = columnsOf(one.expression).every((column) =>
      this.isEnough(
        target,
        one.expression,
        seen.filter(
          (group) => statedIn(this.cells, column, group)?.value !== statedIn(this.cells, target.column, group)?.value
        )
      )
    )
    return (
      this.isEnough(target, one.expression, seen) &&
      (one.expression.of === undefined || !("product" in one.expression.of) || copies) &&
      this.bitsOf(target, one.expression, seen) >= Math.log2(this.tried) + margin + one.cost
    )
  }

  private isFewEnough(one: ExpressionCandidate): boolean {
    const broken = new Set(this.groupsOf(one, false).map(({ document }) => document))
    return broken.size <= Math.floor(this.documents / 10)
  }

  /** Rows of two documents hold the one and not the other. */
  private isApart(target: Figures, one: ExpressionCandidate, rival: ExpressionCandidate): boolean {
    return this.isEnough(
      target,
      one.expression,
      this.groups.filter((_, i) => one.holds[i] === true && rival.holds[i] !== true)
    )
  }

  private equationOf(target: Figures, one: ExpressionCandidate): Equation {
    const broken = this.groupsOf(one, false)
    const quotients = new Set(broken.map((group) => this.apartOf(target, one.expression, group)))
    const [apart] = quotients
    return {
      target: target.column,
      expression: one.expression,
      rows: this.groupsOf(one, true).map(({ rows }) => rows[0]!),
      exceptions: broken.map(({ rows }) => rows[0]!),
      apart: quotients.size === 1 && apart !== 0n ? apart : undefined
    }
  }
}

/** Tests for half a percent or more, as laws and prices state it. */
const isUsual = (stated: bigint, due: bigint, rate: bigint, rounding: bigint): boolean =>
  rate !== 0n && (rate * 2n) % one === 0n && abs(abs(stated - due) - (abs(due) * rate) / (100n * one)) <= 2n * rounding

const divisor = (a: bigint, b: bigint): bigint => (b === 0n ? a : divisor(b, a % b))
