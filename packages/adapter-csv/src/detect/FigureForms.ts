/** Settles the order of dates and the currency of amounts. */
import type { Adapter } from "@fiscal-connector/core/adapter"
import { Result } from "effect"
import { cellsOfDocument, numeric } from "../columns/Binding.ts"
import type { Look } from "../scan/Table.ts"
import type { ColumnEvidence } from "../values/ColumnEvidence.ts"
import type { DateOrder } from "../values/DateForm.ts"
import type { FoundHeader } from "./FoundHeader.ts"
import type { SettledReading } from "./Questions.ts"
import type { Settings } from "../columns/Settings.ts"
import type { Surveyed } from "./Survey.ts"

export interface ShownFigure<Form> {
  readonly is: Form
  readonly because: string | undefined
}

const orderNames = { dmy: "day, month, year", mdy: "month, day, year", ymd: "year, month, day" }

export const checkYear = (file: string, settings: Settings, surveyed: Surveyed | undefined): SettledReading<void> => {
  const yearless = settings.year === undefined ? (surveyed?.yearless ?? []) : []
  if (yearless.length === 0) return Result.void
  const readings = [{ reading: "one year for the whole file", examples: yearless, answer: { ask: "year" } }]
  return Result.fail([{ id: "year", file, question: "dates have no year", readings }])
}

/**
 * The date column's own cells decide; otherwise columns with dates by their names. All columns
 * share one order, and a given order is checked against them.
 */
export const dateOrder = (
  file: string,
  settings: Settings,
  header: FoundHeader,
  surveyed: Surveyed | undefined
): SettledReading<ShownFigure<DateOrder>> => {
  const settled = orderOf(file, settings, header, surveyed)
  return Result.flatMap(settled, ({ is: order }) => {
    const question = surveyed && refuted(file, order, header, surveyed)
    return question === undefined ? settled : Result.fail([question])
  })
}

const refuted = (
  file: string,
  order: DateOrder,
  { binding, cells }: FoundHeader,
  { dates }: Surveyed
): Adapter.Question | undefined => {
  const own = cellsOfDocument(binding, "date")
  for (const [cell, evidence] of dates) {
    const example = evidence.against.get(order)
    // if no order fits all dates of a column, the unreadable dates are refused one by one
    if (example === undefined || evidence.possible.length === 0) continue
    const name = cells[cell] ?? ""
    const question = `"${example}" in "${name}" is not a date in the order ${orderNames[order]}, in which the dates of the file are read`
    const readings = own.includes(cell)
      ? evidence.possible.map((order) => ({
          reading: orderNames[order],
          examples: examplesOf(evidence, order),
          answer: { settings: { dates: order } }
        }))
      : [{ reading: "the column is passed over", examples: [example], answer: { map: { unread: [name] } } }]
    return { id: "dates", file, question, readings }
  }
  return undefined
}

const orderOf = (
  file: string,
  settings: Settings,
  header: FoundHeader,
  surveyed: Surveyed | undefined
): SettledReading<ShownFigure<DateOrder>> => {
  if (settings.dates !== undefined) return Result.succeed({ is: settings.dates, because: "as you said" })
  const dates = surveyed?.dates ?? new Map<number, ColumnEvidence<DateOrder>>()
  const own = cellsOfDocument(header.binding, "date").flatMap((cell) => dates.get(cell) ?? [])
  const [main] = own
  // without numeric dates the order is never used
  if (main === undefined || (main.possible.length === 3 && main.differing.length === 0))
    return Result.succeed({ is: "dmy", because: undefined })
  if (main.possible.length > 0 && !main.undecided) {
    const [order] = main.possible as [DateOrder]
    return Result.succeed({ is: order, because: because(main, order) })
  }
  const others = [...dates.values()].filter((evidence) => !own.includes(evidence) && evidence.against.size > 0)
  const common = main.possible.filter((order) => others.every(({ possible }) => possible.includes(order)))
  const [order, second] = common
  if (others.length > 0 && order !== undefined && second === undefined) {
    return Result.succeed({ is: order, because: because(others[0]!, order) })
  }
  const competing = main.possible.length > 0 ? main.possible : (["dmy", "mdy"] as const)
  const question =
    main.possible.length > 0
      ? "dates can be read in more than one order"
      : "no order of day, month and year reads all dates of the column"
  const readings = competing.map((order) => ({
    reading: orderNames[order],
    examples: examplesOf(main, order),
    answer: { settings: { dates: order } }
  }))
  return Result.fail([{ id: "dates", file, question, readings }])
}

/**
 * A spreadsheet with another order of day and month converts the possible dates, with both swapped,
 * and leaves the others as text: then no text fits both orders, and no converted date is after the
 * 12th.
 */
export const swappedDates = ({ binding }: FoundHeader, surveyed: Surveyed | undefined) => {
  const [cell = -1] = cellsOfDocument(binding, "date")
  const dates = surveyed?.dates.get(cell)
  if (surveyed?.typedDates !== "all to the 12th" || dates === undefined) return undefined
  const [example] = dates.against.values()
  if (example === undefined || dates.differing.length > 0) return undefined
  return {
    problem: `dates with a day above 12 are texts, as "${example}", and all others are dates: day and month of those were probably swapped by a spreadsheet`,
    fix: "Export again and open the file with the dates as text, or make the texts dates as well"
  }
}

export const because = <Reading extends string>(evidence: ColumnEvidence<Reading>, reading: Reading): string => {
  const cells = evidence.proof(reading).map((cell) => `"${cell}"`)
  return cells.length === 0 ? "every reading gives the same" : `${cells.join(" and ")} can be read in no other way`
}

export const examplesOf = <Reading extends string>(evidence: ColumnEvidence<Reading>, reading: Reading) => {
  const differing = evidence.differing.map(({ meanings, text }) => {
    const meaning = meanings.get(reading)
    return meaning === undefined ? text : `${text} = ${meaning}`
  })
  return differing.length > 0 ? differing : [...evidence.against.values()].slice(0, 3)
}

/** Words beside a number that do not change it: pieces and measures. */
const measures =
  /^(?:pcs?|pieces?|ea|units?|uds?|stk|stück|st|pz|kg|g|t|l|m|m2|m²|km|h|hrs?|hours?|std|days?|x|items?|boxes|bags)\.?$/iu

export const checkLooks = (
  file: string,
  { numberFormats }: Settings,
  { binding }: FoundHeader,
  looks: ReadonlyArray<Look> = []
): SettledReading<void> => {
  const figures = new Set(numeric(binding))
  const found = looks.filter(({ column, words }) => figures.has(column) && !measures.test(words ?? ""))
  if (found.length === 0 || numberFormats === "stored") return Result.void
  const named = found.slice(0, 3).map(({ cell, words }) => `${cell} ${words === undefined ? "struck" : `"${words}"`}`)
  return Result.fail([
    {
      id: "numberFormats",
      file,
      question: `figures are shown struck or with words (${named.join(", ")}). If they do not count as stored, correct the workbook`,
      readings: [
        {
          reading: "the stored numbers count",
          examples: found.slice(0, 3).map(({ cell }) => cell),
          answer: { settings: { numberFormats: "stored" } }
        }
      ]
    }
  ])
}

export const checkCurrency = (file: string, settings: Settings, surveyed: Surveyed | undefined): SettledReading<void> =>
  settings.currency !== undefined ||
  surveyed === undefined ||
  surveyed.signs.size > 0 ||
  surveyed.amounts.length === 0 ||
  surveyed.currency === "stated"
    ? Result.void
    : Result.fail([
        {
          id: "currency",
          file,
          question: "the file does not say which currency its amounts are in",
          readings: [
            { reading: "one currency for the whole file", examples: surveyed.amounts, answer: { ask: "currency" } }
          ]
        }
      ])

/**
 * Documents without an answer are read and refused, so amounts are asked about only together with
 * others.
 */
export const amountsOpen = (
  file: string,
  settings: Settings,
  { binding }: FoundHeader
): ReadonlyArray<Adapter.Question> => {
  if (settings.amounts !== undefined || binding.indexOf.has("amounts")) return []
  // a cell is the same under every reading, and shows nothing
  const examples: ReadonlyArray<string> = []
  const statesTotals = (["net", "tax", "total"] as const).filter((field) => binding.indexOf.has(field)).length > 1
  const readings = [
    { reading: "they include it", examples, answer: { settings: { amounts: "inclusive" } } },
    { reading: "it comes on top", examples, answer: { settings: { amounts: "exclusive" } } },
    ...(statesTotals
      ? [{ reading: "each document's totals say it", examples, answer: { settings: { amounts: "per-document" } } }]
      : [])
  ]
  return [{ id: "amounts", file, question: "the file does not say whether its amounts include tax", readings }]
}
