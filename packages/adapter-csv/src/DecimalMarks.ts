/**
 * Settles the decimal mark of every column. A column's own cells decide; `1,000` alone does not. Amounts follow other amounts, which one
 * program writes alike; quantities and amounts follow each other only where quantity × price comes out in that reading and in no other.
 */
import type { AdapterError } from "@fiscal-connector/core/source/Adapter"
import * as Money from "@fiscal-connector/core/document/Money"
import { BigDecimal, Effect } from "effect"
import type { DecimalEvidence } from "./ColumnEvidence.ts"
import { because, type Decide, examplesOf } from "./FigureForms.ts"
import type { FoundHeader } from "./HeaderSearch.ts"
import * as NumberForm from "./NumberForm.ts"
import { ambiguous } from "./Questions.ts"
import type { Settings } from "./Settings.ts"
import type { Product, Surveyed } from "./Survey.ts"

type Mark = NumberForm.DecimalMark
const marks: ReadonlyArray<Mark> = ["point", "comma"]

/** Columns that one program probably wrote alike, and the marks they may have. */
interface Group {
  readonly undecided: ReadonlyArray<number>
  readonly options: ReadonlyArray<Mark>
}

/** A mark for every column whose own cells leave it open. */
type Assignment = ReadonlyMap<number, Mark>

export const settle = (
  file: string,
  settings: Settings,
  { binding, cells }: FoundHeader,
  surveyed: Surveyed | undefined,
  decide: Decide
): Effect.Effect<ReadonlyArray<Mark>, AdapterError> => {
  if (settings.decimalMark !== undefined || surveyed === undefined) {
    return Effect.succeed(cells.map(() => settings.decimalMark ?? "point"))
  }
  const { numbers, products } = surveyed
  const ask = (cell: number, why: string) =>
    Effect.fail(question(file, `the numbers of "${cells[cell] ?? ""}" ${why}`, numbers.get(cell)))
  for (const [cell, { standing }] of numbers) {
    if (standing.length === 0) return ask(cell, "contradict each other about the decimal mark")
  }
  const quantities = new Set(binding.line.quantity)
  const columns = [...numbers]
  const groups = [
    groupOf(columns.filter(([cell]) => !quantities.has(cell))),
    groupOf(columns.filter(([cell]) => quantities.has(cell)))
  ].filter(({ undecided }) => undecided.length > 0)
  const fixed = new Map(
    columns.flatMap(([cell, { standing }]) => (standing.length === 1 ? [[cell, standing[0]!] as const] : []))
  )
  const [chosen, other] = consistent(assignments(groups), products, fixed)
  const [first] = groups.flatMap(({ undecided }) => undecided)
  if (first !== undefined && (chosen === undefined || other !== undefined)) {
    return ask(first, "can be read with either decimal mark")
  }
  const settled = new Map([...fixed, ...(chosen ?? [])])
  const doubtful = groups
    .flatMap(({ undecided }) => undecided)
    .find((cell) => products.some((product) => comesOutOnlyOtherwise(product, settled, cell)))
  if (doubtful !== undefined) {
    return ask(
      doubtful,
      "can be read with either decimal mark, and quantity × price does not come out with the one that other columns have"
    )
  }
  for (const [cell, mark] of settled) {
    const evidence = numbers.get(cell)!
    const why = fixed.has(cell) ? because(evidence, mark) : "as the other columns"
    if (evidence.against.size > 0 || !fixed.has(cell))
      decide(`numbers of "${cells[cell] ?? ""}"`, `decimal ${mark}`, why)
  }
  const common = new Set(settled.values())
  const [usual = "point"] = common.size === 1 ? common : []
  return Effect.succeed(cells.map((_, cell) => settled.get(cell) ?? usual))
}

const groupOf = (columns: ReadonlyArray<readonly [number, DecimalEvidence]>): Group => {
  const decided = new Set(columns.flatMap(([, { standing }]) => (standing.length === 1 ? standing : [])))
  const undecided = columns.filter(([, evidence]) => evidence.undecided).map(([cell]) => cell)
  return { undecided, options: decided.size === 1 ? [...decided] : marks }
}

const assignments = (groups: ReadonlyArray<Group>): ReadonlyArray<Assignment> => {
  let all: ReadonlyArray<Assignment> = [new Map()]
  for (const { options, undecided } of groups) {
    all = all.flatMap((assignment) =>
      options.map((mark) => new Map([...assignment, ...undecided.map((cell) => [cell, mark] as const)]))
    )
  }
  return all
}

/** The assignments under which every row comes out that comes out under any of them. */
const consistent = (
  candidates: ReadonlyArray<Assignment>,
  products: ReadonlyArray<Product>,
  fixed: Assignment
): ReadonlyArray<Assignment> => {
  if (candidates.length < 2) return candidates
  let standing = candidates
  for (const product of products) {
    const out = candidates.filter((candidate) => comesOut(product, (cell) => candidate.get(cell) ?? fixed.get(cell)))
    if (out.length > 0) standing = standing.filter((candidate) => out.includes(candidate))
  }
  return standing
}

const comesOutOnlyOtherwise = (product: Product, settled: Assignment, cell: number): boolean => {
  const otherwise = (at: number) =>
    at === cell ? (settled.get(cell) === "point" ? "comma" : "point") : settled.get(at)
  return !comesOut(product, (at) => settled.get(at)) && comesOut(product, otherwise)
}

/** Whether quantity × price is the line amount to the cent. */
const comesOut = (
  { lineAmount, quantity, unitPrice }: Product,
  markOf: (cell: number) => Mark | undefined
): boolean => {
  const [q, p, a] = [quantity, unitPrice, lineAmount].map(({ cell, text }) =>
    NumberForm.read(text, markOf(cell) ?? "point")
  )
  if (!BigDecimal.isBigDecimal(q) || !BigDecimal.isBigDecimal(p) || !BigDecimal.isBigDecimal(a)) return false
  const off = BigDecimal.abs(BigDecimal.subtract(BigDecimal.multiply(q, p), a))
  return BigDecimal.isLessThanOrEqualTo(off, Money.cent)
}

const question = (file: string, question: string, evidence: DecimalEvidence | undefined) =>
  ambiguous(
    file,
    question,
    marks.map((mark) => ({
      reading: `decimal ${mark}`,
      examples: evidence === undefined ? [] : examplesOf(evidence, mark),
      settledBy: `--decimal-mark ${mark}`
    }))
  )
