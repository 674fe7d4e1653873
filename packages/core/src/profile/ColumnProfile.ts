/**
 * Tells by values what the number columns of a table are: which figure is which expression of
 * others, in every row, document or file. The values alone may refuse a reading, and settle one
 * only together with a name or an answer.
 */
import type * as Money from "../document/Money.ts"
import { Candidates, type FoundEquation } from "./Candidates.ts"
import type { Cells, Expression, EquationGroup } from "./Expression.ts"
import { rateOf, statedIn } from "./Expression.ts"
import { abs, type Figures, figuresOf, hundred, one, scaled, searched } from "./Figures.ts"
import { runningSums, totalsRows } from "./FileEquations.ts"

export type { Equation, FoundEquation } from "./Candidates.ts"
export type { Expression, Percent } from "./Expression.ts"
export { scaled, unscaled } from "./Figures.ts"
export { SumsAbove } from "./FileEquations.ts"

/** A table without its names. */
export interface FigureTable {
  readonly figures: ReadonlyArray<ReadonlyArray<Money.Money | undefined>>
  readonly texts: ReadonlyArray<ReadonlyArray<string>>
  readonly documents: ReadonlyArray<string>
}

/** `unknown`: no document shows whether the column is of rows or of documents. */
export type Scope = "row" | "document" | "unknown"

/** Equations, scopes and repetitions of the number columns of a table. */
export interface Profile {
  readonly ofRows: ReadonlyMap<number, FoundEquation>
  readonly ofDocuments: ReadonlyMap<number, FoundEquation>
  readonly scopes: ReadonlyArray<Scope>
  readonly copies: ReadonlyMap<number, number>
  /** Columns that sum another column from the first row on, and the other column. */
  readonly running: ReadonlyMap<number, number>
  readonly totals: ReadonlyArray<number>
}

/**
 * Tests for a tax of half a percent, or a multiple up to 40 %: added to the amount, or included in
 * the amount.
 */
export const isTaxOf = (tax: Money.Money, amount: Money.Money): boolean => {
  const [due, of] = [scaled(tax), scaled(amount)]
  return [of, of - due].some((net) => {
    const rate = net > 0n ? rateOf(due, net) : undefined
    return rate !== undefined && (rate * 2n) % one === 0n && abs(due - (net * rate) / hundred) <= one / 100n
  })
}

const mostSpellings = 12

const isPercent = ({ cells }: Figures): boolean =>
  cells.some((cell) => cell !== undefined && cell !== 0n) &&
  cells.every((cell) => cell === undefined || (cell >= 0n && cell <= hundred))

/** A constant shows nothing as a result, unless the table has a single row. */
const isFlat = ({ cells }: Figures): boolean =>
  cells.length > 1 && new Set(cells.filter((cell) => cell !== undefined)).size < 2

const copiesOf = (all: ReadonlyArray<Figures>): ReadonlyMap<number, number> => {
  const first = new Map<string, number>()
  return new Map(
    all.flatMap(({ cells, column }): ReadonlyArray<readonly [number, number]> => {
      const key = cells.join()
      const known = first.get(key)
      if (known === undefined) first.set(key, column)
      return known === undefined ? [] : [[column, known]]
    })
  )
}

const mostFactors = 12

const pairsOf = (columns: ReadonlyArray<Figures>): ReadonlyArray<readonly [number, number]> =>
  columns.flatMap((a, i) => columns.slice(i + 1).map((b) => [a.column, b.column] as const))

/** Profiles a table. */
export const profile = ({ documents, figures, texts }: FigureTable): Profile => {
  const all = figuresOf(figures)
  const copies = copiesOf(all)
  const columns = searched(all.filter(({ column }) => !copies.has(column)))
  const rows = documents.map((_, row) => row)
  const totals = totalsRows(columns, rows.length)
  const cells: Cells = { figures: new Map(columns.map((one) => [one.column, one])), texts }
  const places = new Map([...new Set(documents)].map((key, i) => [key, i]))
  const lines = rows
    .filter((row) => !totals.includes(row))
    .map((row): EquationGroup => ({ document: places.get(documents[row]!)!, rows: [row] }))
  const whole = Array.from(
    Map.groupBy(lines, ({ document }) => document),
    ([document, of]): EquationGroup => ({
      document,
      rows: of.flatMap((one) => one.rows)
    })
  )
  // a code may be a whole number, but not an amount with cents
  const isCode = (text: number) => cells.figures.get(text)?.cells.every((cell = 0n) => cell % one === 0n) !== false
  const spelled = texts.flatMap((column, text) => {
    const spellings = new Set(column).size
    return spellings > 1 && spellings <= mostSpellings && isCode(text) ? [text] : []
  })
  const isOfRow = ({ column }: Figures) =>
    whole.some(
      (group) =>
        group.rows.some((row) => cells.figures.get(column)!.cells[row] !== undefined) &&
        statedIn(cells, column, group) === undefined
    )
  const ofRows = rowEquations(cells, lines, columns, spelled)
  const ofDocuments = documentEquations(cells, whole, { columns, isOfRow, ofRows, spelled })
  return {
    ofRows,
    ofDocuments,
    scopes: figures.map((_, column): Scope => {
      const of = cells.figures.get(copies.get(column) ?? column)
      return of === undefined
        ? "unknown"
        : isOfRow(of)
          ? "row"
          : ofDocuments.get(of.column)?.is === "settled"
            ? "document"
            : "unknown"
    }),
    copies,
    running: runningSums(
      columns,
      lines.flatMap((line) => line.rows)
    ),
    totals
  }
}

const settledIn = (found: ReadonlyMap<number, FoundEquation>): ReadonlyArray<number> =>
  [...found].flatMap(([column, { is }]) => (is === "settled" ? [column] : []))

const rowEquations = (
  cells: Cells,
  lines: ReadonlyArray<EquationGroup>,
  columns: ReadonlyArray<Figures>,
  spelled: ReadonlyArray<number>
): ReadonlyMap<number, FoundEquation> => {
  const candidates = new Candidates(cells, lines)
  const targets = columns.filter((one) => !isFlat(one))
  const factors = columns.filter(({ cells: own }) => own.some((cell) => cell !== undefined && cell !== 0n))
  const percents = new Set(factors.filter(isPercent).map(({ column }) => column))
  const found = new Map<number, FoundEquation>()
  const settle = () => {
    for (const target of targets) {
      const is = candidates.found(target)
      if (is !== undefined) found.set(target.column, is)
    }
  }
  const bases: ReadonlyArray<Expression> = [
    ...pairsOf(factors).map((product): Expression => ({ of: { product } })),
    ...factors.map(({ column }): Expression => ({ of: { column } }))
  ]
  for (const base of bases) {
    const isProduct = base.of !== undefined && "product" in base.of
    const isNear = candidates.near(base)
    for (const target of targets) {
      if (isProduct) candidates.try(target, base)
      for (const { column, cells: own } of factors) {
        const less = { ...base, less: { column, as: "percent" as const } }
        if (percents.has(column) && isNear(target, "less percent", column)) candidates.try(target, less)
        if (isProduct && own !== target.cells && isNear(target, "less amount", column))
          candidates.try(target, { ...base, less: { column, as: "amount" } })
      }
    }
  }
  settle()
  const isOpen = (target: Figures): boolean => {
    const known = found.get(target.column)
    return known?.is !== "settled" || known.equation.exceptions.length > 0
  }
  const nets = settledIn(found)
  const taxed: ReadonlyArray<Expression> =
    nets.length === 0 ? bases : nets.map((column): Expression => ({ of: { column } }))
  const open = targets.filter(isOpen)
  for (const net of taxed) {
    const isNear = candidates.near(net)
    for (const target of open)
      for (const is of ["alone", "within", "added"] as const) {
        for (const column of percents)
          if (isNear(target, is, column))
            candidates.try(target, { ...net, tax: { is, percent: { by: "column", column } } })
        if (isNear(target, `rate ${is}`))
          for (const text of [...spelled, undefined]) candidates.tryRates(target, net, is, text)
      }
  }
  for (const plus of pairsOf(factors)) {
    const isNear = candidates.near({ of: { column: plus[0] } })
    for (const target of open) if (isNear(target, "plus", plus[1])) candidates.try(target, { plus })
  }
  settle()
  return found
}

interface RowFindings {
  readonly columns: ReadonlyArray<Figures>
  readonly isOfRow: (column: Figures) => boolean
  readonly ofRows: ReadonlyMap<number, FoundEquation>
  readonly spelled: ReadonlyArray<number>
}

const documentEquations = (
  cells: Cells,
  whole: ReadonlyArray<EquationGroup>,
  { columns, isOfRow, ofRows, spelled }: RowFindings
): ReadonlyMap<number, FoundEquation> => {
  const found = new Map<number, FoundEquation>()
  const several = whole.filter(({ rows }) => rows.length > 1)
  // documents of one row do not tell a document's column from a row's
  if (several.length < 2) return found
  const ofDocument = columns.filter((column) => !isOfRow(column) && !isFlat(column))
  const factors = columns.filter(({ cells: own }) => own.some((cell) => cell !== undefined && cell !== 0n))
  const nets = settledIn(ofRows)
  const ofRow = factors.filter(isOfRow)
  const products = nets.length === 0 && ofRow.length <= mostFactors ? pairsOf(ofRow) : []
  const bases: ReadonlyArray<Expression> = [
    ...factors.map(({ column }): Expression => ({ of: { column } })),
    ...products.map((product): Expression => ({ of: { product } }))
  ]
  const percents = factors.filter(isPercent)
  const candidates = new Candidates(cells, whole)
  for (const target of ofDocument) {
    const sums: ReadonlyArray<Expression> = bases.flatMap((base): ReadonlyArray<Expression> => [
      base,
      ...percents.map((less): Expression => ({ ...base, less: { column: less.column, as: "percent" } })),
      ...(base.of !== undefined && "product" in base.of
        ? factors.filter(isOfRow).map((less): Expression => ({ ...base, less: { column: less.column, as: "amount" } }))
        : [])
    ])
    for (const sum of sums) {
      candidates.try(target, sum)
      for (const percent of percents)
        candidates.try(target, { ...sum, tax: { is: "added", percent: { by: "column", column: percent.column } } })
      for (const text of [...spelled, undefined]) candidates.tryRates(target, sum, "added", text)
      for (const other of ofDocument)
        if (sum.of !== undefined && "column" in sum.of && sum.of.column !== other.column)
          candidates.try(target, { ...sum, plus: [other.column] })
    }
    for (const plus of pairsOf(ofDocument)) candidates.try(target, { plus })
  }
  for (const target of ofDocument) {
    const is = candidates.found(target)
    if (is !== undefined) found.set(target.column, is)
  }
  return found
}
