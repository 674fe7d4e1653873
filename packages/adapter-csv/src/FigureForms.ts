/** Settles how figures are written: the order of dates, the decimal mark of every column, the currency of amounts. */
import type { AdapterError } from "@fiscal-connector/core/source/Adapter"
import * as Money from "@fiscal-connector/core/document/Money"
import { BigDecimal, Effect } from "effect"
import { cellsOfDocument } from "./Binding.ts"
import type { ColumnEvidence, DecimalEvidence } from "./ColumnEvidence.ts"
import type { DateOrder } from "./DateForm.ts"
import type { FoundHeader } from "./HeaderSearch.ts"
import * as NumberForm from "./NumberForm.ts"
import { ambiguous, type CompetingReading } from "./Questions.ts"
import type { Settings } from "./Settings.ts"
import type { Product, Surveyed } from "./Survey.ts"

type Decide = (about: string, reading: string, because: string) => void

const orderNames = { dmy: "day, month, year", mdy: "month, day, year", ymd: "year, month, day" }

/** The date column's own cells decide; where they do not, other columns that hold dates by their name do. */
export const dateOrder = (
  file: string,
  settings: Settings,
  header: FoundHeader,
  surveyed: Surveyed | undefined,
  decide: Decide
): Effect.Effect<DateOrder, AdapterError> => {
  if (settings.dates !== undefined) return Effect.succeed(settings.dates)
  const dates = surveyed?.dates ?? new Map<number, ColumnEvidence<DateOrder>>()
  const own = cellsOfDocument(header.binding, "date").flatMap((cell) => dates.get(cell) ?? [])
  const [main] = own
  // without dates in figures the order is never asked for
  if (main === undefined || (main.standing.length === 3 && main.differing.length === 0)) return Effect.succeed("dmy")
  if (main.standing.length > 0 && !main.undecided) {
    const [order] = main.standing as [DateOrder]
    decide("dates", orderNames[order], because(main, order))
    return Effect.succeed(order)
  }
  const others = [...dates.values()].filter((evidence) => !own.includes(evidence) && evidence.against.size > 0)
  const common = main.standing.filter((order) => others.every(({ standing }) => standing.includes(order)))
  const [order, second] = common
  if (others.length > 0 && order !== undefined && second === undefined) {
    decide("dates", orderNames[order], because(others[0]!, order))
    return Effect.succeed(order)
  }
  const competing = main.standing.length > 0 ? main.standing : (["dmy", "mdy"] as const)
  const question =
    main.standing.length > 0
      ? "dates can be read in more than one order"
      : "no order of day, month and year reads all dates of the column"
  return Effect.fail(
    ambiguous(
      file,
      question,
      competing.map((order) => ({
        reading: orderNames[order],
        examples: examplesOf(main, order),
        settledBy: `--dates ${order}`
      }))
    )
  )
}

/** A cell that only this reading can read. */
const because = <Reading extends string>(evidence: ColumnEvidence<Reading>, reading: Reading): string => {
  const cell = [...evidence.against].find(([other]) => other !== reading)?.[1]
  return cell === undefined ? "every reading gives the same" : `"${cell}" can be read in no other way`
}

const examplesOf = <Reading extends string>(evidence: ColumnEvidence<Reading>, reading: Reading) => {
  const differing = evidence.differing.map(({ meanings, text }) => {
    const meaning = meanings.get(reading)
    return meaning === undefined ? text : `${text} = ${meaning}`
  })
  return differing.length > 0 ? differing : [...evidence.against.values()].slice(0, 3)
}

/** Each column by its own cells; one whose cells allow both follows the others, unless quantity × price speaks against it. */
export const decimalMarks = (
  file: string,
  settings: Settings,
  header: FoundHeader,
  surveyed: Surveyed | undefined,
  decide: Decide
): Effect.Effect<ReadonlyArray<NumberForm.DecimalMark>, AdapterError> => {
  const { cells } = header
  const everywhere = (mark: NumberForm.DecimalMark) => cells.map(() => mark)
  if (settings.decimalMark !== undefined || surveyed === undefined) {
    return Effect.succeed(everywhere(settings.decimalMark ?? "point"))
  }
  const columns = [...surveyed.numbers]
  const contradictory = columns.find(([, { standing }]) => standing.length === 0)
  const undecided = columns.filter(([, evidence]) => evidence.undecided)
  const decided = columns.filter(([, { standing }]) => standing.length === 1)
  const marks = new Set(decided.map(([, { standing }]) => standing[0]!))
  const [mark = "point"] = marks
  if (contradictory !== undefined) {
    return Effect.fail(
      askForMark(file, `the numbers of "${cells[contradictory[0]] ?? ""}" contradict each other`, contradictory[1])
    )
  }
  const [first] = undecided
  if (first !== undefined && marks.size !== 1) {
    return Effect.fail(
      askForMark(file, `the numbers of "${cells[first[0]] ?? ""}" can be read with either decimal mark`, first[1])
    )
  }
  const doubtful = undecided.find(([cell]) =>
    surveyed.products.some((product) => speaksAgainst(product, cell, mark, undecided))
  )
  if (doubtful !== undefined) {
    const question = `the numbers of "${cells[doubtful[0]] ?? ""}" can be read with either decimal mark, and quantity × price does not come out with the one that other columns have`
    return Effect.fail(askForMark(file, question, doubtful[1]))
  }
  for (const [cell, evidence] of decided) {
    decide(
      `numbers of "${cells[cell] ?? ""}"`,
      `decimal ${evidence.standing[0]!}`,
      because(evidence, evidence.standing[0]!)
    )
  }
  const own = new Map(decided.map(([cell, { standing }]) => [cell, standing[0]!]))
  return Effect.succeed(cells.map((_, cell) => own.get(cell) ?? mark))
}

const askForMark = (file: string, question: string, evidence: DecimalEvidence) =>
  ambiguous(
    file,
    question,
    (["point", "comma"] as const).map((mark): CompetingReading => ({
      reading: `decimal ${mark}`,
      examples: examplesOf(evidence, mark),
      settledBy: `--decimal-mark ${mark}`
    }))
  )

/** Whether a row multiplies out only when the column is read with the other mark. */
const speaksAgainst = (
  { lineAmount, quantity, unitPrice }: Product,
  cell: number,
  mark: NumberForm.DecimalMark,
  undecided: ReadonlyArray<readonly [number, DecimalEvidence]>
): boolean => {
  if (![quantity, unitPrice, lineAmount].some((figure) => figure.cell === cell)) return false
  const open = new Set(undecided.map(([cell]) => cell))
  const other = mark === "point" ? "comma" : "point"
  const comesOut = (changed: number | undefined): boolean => {
    const [q, p, a] = [quantity, unitPrice, lineAmount].map(({ cell, text }) =>
      NumberForm.read(text, cell === changed && open.has(cell) ? other : mark)
    )
    if (!BigDecimal.isBigDecimal(q) || !BigDecimal.isBigDecimal(p) || !BigDecimal.isBigDecimal(a)) return false
    const off = BigDecimal.abs(BigDecimal.subtract(BigDecimal.multiply(q, p), a))
    return BigDecimal.isLessThanOrEqualTo(off, Money.cent)
  }
  return !comesOut(undefined) && comesOut(cell)
}

/** A file that names no currency at all, in no column and by no sign, must be told. */
export const checkCurrency = (
  file: string,
  settings: Settings,
  header: FoundHeader,
  surveyed: Surveyed | undefined
): Effect.Effect<void, AdapterError> =>
  settings.currency !== undefined ||
  surveyed === undefined ||
  surveyed.signs.size > 0 ||
  surveyed.amounts.length === 0 ||
  cellsOfDocument(header.binding, "currency").length > 0
    ? Effect.void
    : Effect.fail(
        ambiguous(file, "the file does not say which currency its amounts are in", [
          { reading: "one currency for the whole file", examples: surveyed.amounts, settledBy: "--currency CODE" }
        ])
      )
