/**
 * Settles the decimal mark of every column. The column's own cells decide; `1,000` alone does not.
 * Undecided amounts follow other amounts, which one program writes alike. Quantities and amounts
 * follow each other only if quantity × price fits in that reading and in no other.
 */
import { type Adapter, type Answer, Money } from "@fiscal-connector/core/adapter"
import { BigDecimal, Result } from "effect"
import { cellsIn, type Column, type Columns, columnsOf } from "../columns/ColumnMap.ts"
import { isNumberField } from "../columns/Field.ts"
import { indexOf } from "../columns/Header.ts"
import type { DecimalEvidence } from "../values/ColumnEvidence.ts"
import { because, examplesOf } from "./FigureForms.ts"
import type { FoundHeader } from "./FoundHeader.ts"
import * as NumberForm from "../values/NumberForm.ts"
import type { SettledReading } from "./Questions.ts"
import type { Settings } from "../columns/Settings.ts"
import type { Product, Surveyed } from "./Survey.ts"

type PossibleMark = NumberForm.DecimalMark
const marks: ReadonlyArray<PossibleMark> = ["point", "comma"]

interface MarkGroup {
  readonly undecided: ReadonlyArray<number>
  readonly options: ReadonlyArray<PossibleMark>
}

type Assignment = ReadonlyMap<number, PossibleMark>

export interface Marks {
  readonly marks: ReadonlyArray<PossibleMark>
  readonly shown: ReadonlyMap<number, string>
}

export const resolveMarks = (
  file: string,
  settings: Settings,
  header: FoundHeader,
  surveyed: Surveyed | undefined
): SettledReading<Marks> => {
  const { binding, cells } = header
  const stated = binding.decimalMarks
  if (settings.decimalMark !== undefined || surveyed === undefined) {
    const marks = cells.map((_, cell) => stated.get(cell) ?? settings.decimalMark ?? "point")
    return Result.succeed({ marks, shown: new Map() })
  }
  // a column with a mark in the map differs from the other columns
  const columns = [...surveyed.numbers].filter(([cell]) => !stated.has(cell)).toSorted(([a], [b]) => a - b)
  const ask = (open: ReadonlyArray<number>, why: string) =>
    question(
      file,
      `the numbers of ${open.map((cell) => `"${cells[cell] ?? ""}"`).join(", ")} ${why}`,
      header,
      columns.map(([cell, evidence]) => ({ cell, name: cells[cell] ?? "", evidence, asked: open.includes(cell) }))
    )
  const contradictory = columns.flatMap(([cell, { possible }]) => (possible.length === 0 ? [cell] : []))
  const questions = contradictory.map((cell) => ask([cell], "contradict each other about the decimal mark"))
  const quantities = new Set(binding.line.quantity)
  const groups = [
    groupOf(columns.filter(([cell]) => !quantities.has(cell))),
    groupOf(columns.filter(([cell]) => quantities.has(cell)))
  ].filter(({ undecided }) => undecided.length > 0)
  const undecided = groups.flatMap((group) => group.undecided)
  const fixed: Assignment = new Map([
    ...stated,
    ...columns.flatMap(([cell, { possible }]) => (possible.length === 1 ? [[cell, possible[0]!] as const] : []))
  ])
  const products = surveyed.products.filter(({ lineAmount, quantity, unitPrice }) =>
    [quantity, unitPrice, lineAmount].every(({ cell }) => !contradictory.includes(cell))
  )
  const possible = consistent(assignments(groups), products, fixed)
  const open = undecided
    .filter((cell) => new Set(possible.map((assignment) => assignment.get(cell))).size !== 1)
    .toSorted((a, b) => a - b)
  if (open.length > 0) questions.push(ask(open, "can be read with either decimal mark"))
  if (questions.length > 0) return Result.fail(questions)
  const settled: Assignment = new Map([...fixed, ...(possible[0] ?? [])])
  const doubtful = undecided.filter((cell) => products.some((product) => comesOutOnlyOtherwise(product, settled, cell)))
  if (doubtful.length > 0) {
    const why = "quantity × price does not come out with the one that other columns have"
    return Result.fail([ask(doubtful, `can be read with either decimal mark, and ${why}`)])
  }
  const shown = columns.flatMap(([cell, evidence]) => {
    const mark = settled.get(cell)
    if (mark === undefined || (evidence.against.size === 0 && fixed.has(cell))) return []
    const why = fixed.has(cell) ? because(evidence, mark) : "as the other columns"
    return [[cell, `numbers of "${cells[cell] ?? ""}": ${why}`] as const]
  })
  const common = new Set(settled.values())
  const [usual = "point"] = common.size === 1 ? common : []
  return Result.succeed({ marks: cells.map((_, cell) => settled.get(cell) ?? usual), shown: new Map(shown) })
}

const groupOf = (columns: ReadonlyArray<readonly [number, DecimalEvidence]>): MarkGroup => {
  const decided = new Set(columns.flatMap(([, { possible }]) => (possible.length === 1 ? possible : [])))
  const undecided = columns.filter(([, evidence]) => evidence.undecided).map(([cell]) => cell)
  return { undecided, options: decided.size === 1 ? [...decided] : marks }
}

const assignments = (groups: ReadonlyArray<MarkGroup>): ReadonlyArray<Assignment> => {
  let all: ReadonlyArray<Assignment> = [new Map()]
  for (const { options, undecided } of groups) {
    all = all.flatMap((assignment) =>
      options.map((mark) => new Map([...assignment, ...undecided.map((cell) => [cell, mark] as const)]))
    )
  }
  return all
}

const consistent = (
  candidates: ReadonlyArray<Assignment>,
  products: ReadonlyArray<Product>,
  fixed: Assignment
): ReadonlyArray<Assignment> => {
  if (candidates.length < 2) return candidates
  let remaining = candidates
  for (const product of products) {
    const out = candidates.filter((candidate) => comesOut(product, (cell) => candidate.get(cell) ?? fixed.get(cell)))
    if (out.length > 0) remaining = remaining.filter((candidate) => out.includes(candidate))
  }
  return remaining
}

const comesOutOnlyOtherwise = (product: Product, settled: Assignment, cell: number): boolean => {
  const otherwise = (at: number) =>
    at === cell ? (settled.get(cell) === "point" ? "comma" : "point") : settled.get(at)
  return !comesOut(product, (at) => settled.get(at)) && comesOut(product, otherwise)
}

const comesOut = (
  { lineAmount, quantity, signs, unitPrice }: Product,
  markOf: (cell: number) => PossibleMark | undefined
): boolean => {
  const [q, p, a] = [quantity, unitPrice, lineAmount].map(({ cell, mark, text }) =>
    NumberForm.read(text, mark ?? markOf(cell) ?? "point", signs)
  )
  if (!BigDecimal.isBigDecimal(q) || !BigDecimal.isBigDecimal(p) || !BigDecimal.isBigDecimal(a)) return false
  const off = BigDecimal.abs(BigDecimal.subtract(BigDecimal.multiply(q, p), a))
  return BigDecimal.isLessThanOrEqualTo(off, Money.cent)
}

interface DecimalColumn {
  readonly cell: number
  readonly name: string
  readonly evidence: DecimalEvidence
  readonly asked: boolean
}

/**
 * If one mark for the whole file would break other columns, the answers set the mark per column.
 */
const question = (
  file: string,
  question: string,
  header: FoundHeader,
  columns: ReadonlyArray<DecimalColumn>
): Adapter.Question => {
  const asked = columns.filter(({ asked }) => asked)
  const others = columns.filter(({ asked }) => !asked)
  const answerOf = (mark: PossibleMark): { readonly answer: Answer.Answer; readonly id?: string } => {
    const spoilt = others.some(({ evidence }) => evidence.possible.length === 1 && evidence.possible[0] !== mark)
    const columns = spoilt ? marked(header, new Set(asked.map(({ cell }) => cell)), mark) : {}
    return Object.keys(columns).length > 0
      ? { id: mark, answer: { map: { columns } } }
      : { answer: { settings: { decimalMark: mark } } }
  }
  return {
    // a question may concern a single column
    id: ["decimalMark", ...asked.map(({ name }) => name)].join(" "),
    file,
    question,
    readings: marks.map((mark) => ({
      reading: `decimal ${mark}`,
      examples: examples(asked, mark),
      ...answerOf(mark)
    }))
  }
}

const ofTaxes: ReadonlySet<string> = new Set(["percent", "amount", "documentTaxAmounts", "documentTaxPercents"])

/** Returns the fields of numbers that read these cells, with the mark. */
const marked = ({ cells, map }: FoundHeader, asked: ReadonlySet<number>, decimalMark: PossibleMark) => {
  const header = indexOf(cells)
  const isAsked = (column: Column) => [...cellsIn(header, [column])].some((cell) => asked.has(cell))
  const within = (columns: object): Readonly<Record<string, unknown>> =>
    Object.fromEntries(
      Object.entries(columns as Readonly<Record<string, Columns>>).flatMap(([field, of]) => {
        const there = columnsOf(of).filter((column) => cellsIn(header, [column]).size > 0)
        if ((!isNumberField(field) && !ofTaxes.has(field)) || !there.some(isAsked)) return []
        const all = there.map((one) =>
          isAsked(one) ? { ...(typeof one === "string" ? { column: one } : one), decimalMark } : one
        )
        return [[field, Array.isArray(of) ? all : all[0]]]
      })
    )
  const { taxes: [tax = {}] = [], ...fields } = map.columns
  const ofTax = within(tax)
  return { ...within(fields), ...(Object.keys(ofTax).length > 0 && { taxes: [ofTax] }) }
}

const examples = (columns: ReadonlyArray<DecimalColumn>, mark: PossibleMark): ReadonlyArray<string> => {
  const found = columns.map(({ evidence, name }) =>
    examplesOf(evidence, mark).map((example) => (columns.length > 1 ? `${name}: ${example}` : example))
  )
  return [0, 1, 2].flatMap((row) => found.flatMap((column) => column[row] ?? [])).slice(0, 3)
}
