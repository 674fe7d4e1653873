/**
 * Settles how to read a file: by the operator's settings, otherwise by the only reading that fits
 * the whole file, otherwise by a question.
 */
import { type Adapter, Finding } from "@fiscal-connector/core/adapter"
import { Effect } from "effect"
import { bound, cellsOfDocument, numeric } from "../columns/Binding.ts"
import { basisNamed } from "../columns/StatedBasis.ts"
import type { CsvOptions } from "../columns/CsvOptions.ts"
import { CsvFinding } from "../finding/CsvFinding.ts"
import { codesByReason } from "../finding/CodesByReason.ts"
import * as DateForm from "../values/DateForm.ts"
import { cellEnd, delimiterName, delimiterSetting, type Quotes } from "../scan/Dialect.ts"
import * as UnsupportedFormat from "./UnsupportedFormat.ts"
import { columnNames } from "../columns/Header.ts"
import * as DecimalMarks from "./DecimalMarks.ts"
import * as Families from "./Families.ts"
import * as FigureForms from "./FigureForms.ts"
import * as Figures from "./FigureColumns.ts"
import type { FoundHeader } from "./FoundHeader.ts"
import { records, search, type Search, type SearchResult } from "./HeaderSearch.ts"
import { type Interpretation, type Joining, type Layout, widthOf } from "./Interpretation.ts"
import { presets } from "../formats/Presets.ts"
import { signsOf, usualSigns } from "../values/NumberForm.ts"
import { lacked } from "./Mappable.ts"
import * as Opening from "./Opening.ts"
import {
  amountColumns,
  currencyColumns,
  datesBeside,
  dueColumn,
  rowAmountsIn,
  treatments,
  wordColumns
} from "./UnreadColumns.ts"
import { Ambiguity, settledAll, unreadable, whichever } from "./Questions.ts"
import { codesCell } from "../columns/ReasonColumns.ts"
import * as Settings from "../columns/Settings.ts"
import * as Survey from "./Survey.ts"
import { quoted, type RowOrigin } from "../scan/Row.ts"
import { isTable } from "../scan/Table.ts"
import * as Vocabulary from "../columns/Vocabulary.ts"

export interface Detected {
  readonly how: Interpretation
  readonly findings: ReadonlyArray<Finding.Finding>
  readonly joining: Joining
}

/**
 * Fails with all open questions, each with the competing readings and their answers; then no
 * document is read.
 */
export const detect = (file: Adapter.InputFile, options: CsvOptions): Effect.Effect<Detected, Adapter.AdapterError> =>
  Effect.catchTag(detectWith(file, options), "Ambiguity", ({ answers, question }) =>
    whichever(
      question,
      answers.map((answer) =>
        detect(file, { ...options, ...answer, settings: { ...options.settings, ...answer.settings } })
      )
    )
  )

const detectWith = (
  file: Adapter.InputFile,
  options: CsvOptions
): Effect.Effect<Detected, Adapter.AdapterError | Ambiguity> =>
  Effect.gen(function* () {
    const settings: Settings.Settings = { ...options.columns?.settings, ...options.settings }
    const opening = yield* Opening.of(file, settings)
    const table = isTable(file) ? file.table : undefined
    const header = yield* headerOf(file, opening, settings, options)
    const trouble = header.line === 0 ? undefined : table?.headerTrouble(header.line)
    if (trouble !== undefined) return yield* unreadable(file.name, trouble.text, trouble.fix)
    const layout = header.map.layout ?? "rows"
    const named = basisNamed(header.binding, header.cells, header.map.basis)
    const { basis, kind, tableStatements, titles } = UnsupportedFormat.titlesIn(
      searchOf(opening, settings, options),
      { file, columns: options.columns, settings },
      header
    )
    const stated = header.binding.indexOf.has("amounts") ? undefined : (named?.basis ?? basis)
    const own: Settings.Settings = {
      ...(kind && { kind }),
      ...(stated && { amounts: stated }),
      ...header.map.settings,
      ...settings
    }
    const moneySigns = options.currencies === undefined ? usualSigns : signsOf(options.currencies)
    const place = { file, header, encoding: opening.encoding, start: opening.start, moneySigns }
    const isOpen = !isSettled(own, header) || hasDatesInFigures(header, opening)
    const { currency, dates, evidence, marks, quotes, year } = yield* formsOf(place, own, isOpen ? "open" : "settled")
    const swapped = table && FigureForms.swappedDates(header, evidence)
    if (swapped !== undefined) return yield* unreadable(file.name, swapped.problem, swapped.fix)
    const [{ is: dateOrder }, { marks: decimalMarks }] = yield* settledAll(
      [
        dates,
        marks,
        year,
        currency,
        FigureForms.checkLooks(file.name, own, header, table?.looks),
        Figures.checkRead(file.name, header),
        Families.checkRead(file.name, header)
      ],
      FigureForms.amountsOpen(file.name, own, header)
    )
    const { cells } = header
    const style = dateStyle(header, dateOrder, own)
    const words = wordColumns(header, sampleOf(header, opening, quotes))
    const how: Interpretation = {
      origin: {
        file: file.name,
        dialect: { delimiter: header.delimiter, quotes },
        encoding: opening.encoding,
        header: cells,
        headerLine: settings.headerLine,
        columns: columnNames(cells),
        sheet: table?.sheet,
        troubles: table?.troubles,
        covered: table?.covered
      },
      start: opening.start,
      headerLine: header.line,
      layout,
      width: widthOf(header, own),
      binding: header.binding,
      read: [...bound(header.binding)],
      passed: table?.passed,
      vocabulary: Vocabulary.make(header.map),
      decimalMarks,
      moneySigns,
      readDate: DateForm.reader(style),
      written: (text) => DateForm.written(text, style),
      moment: (text) => DateForm.moment(text, style),
      dates: header.dates,
      otherDates: datesBeside(header),
      due: dueColumn(header),
      words,
      titles,
      currencies: currencyColumns(header),
      amounts: amountColumns(header, words),
      statements: treatments(header, words, options.columns?.unread),
      tableStatements: [...(table?.statements ?? []), ...tableStatements],
      rowAmounts: rowAmountsIn(header),
      buyersInDoubt: evidence?.buyersInDoubt ?? new Map(),
      reasons: reasonsOf(cells, table?.troubles),
      discountOn: header.map.discountOn,
      groups: layout === "report" ? (header.map.groups ?? "customerName") : undefined,
      settings: own
    }
    const findings = [...(table?.findings ?? []), ...encodingOf(file, opening)]
    return { how, findings, joining: yield* joiningOf(own, layout, evidence, { ...place, quotes }) }
  })

/**
 * Settles by the cells of the whole file how quotes, dates, numbers and money are written.
 * `settings`: `settled` if no form is open.
 */
export const formsOf = (
  place: Omit<Survey.CellPlace, "quotes">,
  own: Settings.Settings,
  settings: "open" | "settled"
) =>
  Effect.gen(function* () {
    const { file, header } = place
    const surveyed = (quotes: Quotes) => Survey.survey({ ...place, quotes }, own)
    const assumed = own.quotes ?? "doubled"
    const first = settings === "settled" ? undefined : yield* surveyed(assumed)
    const quotes = isTable(file) ? "doubled" : yield* quotesOf(own, first?.backslashes ?? false, place)
    // the columns are surveyed again if the first assumption about quotes was wrong
    const evidence = first === undefined || quotes === assumed ? first : yield* surveyed(quotes)
    return {
      evidence,
      quotes,
      dates: FigureForms.dateOrder(file.name, own, header, evidence),
      marks: DecimalMarks.resolveMarks(file.name, own, header, evidence),
      year: FigureForms.checkYear(file.name, own, evidence),
      currency: FigureForms.checkCurrency(file.name, own, evidence)
    }
  })

const dateStyle = (
  { binding, cells }: FoundHeader,
  order: DateForm.DateOrder,
  { serialDates: serials, year }: Settings.Settings
): DateForm.DateStyle => ({
  order,
  utc: cellsOfDocument(binding, "date").some((cell) => /\(utc\)/i.test(cells[cell] ?? "")),
  year,
  serials
})

const encodingOf = ({ name }: Adapter.InputFile, { because, encoding, samples }: Opening.FileOpening) => {
  if (encoding === "utf-8" || samples.length === 0) return []
  const shown = samples.map((text) => quoted(text.trim())).join(", ")
  return [Finding.make(CsvFinding.CSV_ENCODING, { message: `${encoding} (${because}): ${shown}`, at: { file: name } })]
}

const reasonsOf = (header: ReadonlyArray<string>, troubles: RowOrigin["troubles"]): Interpretation["reasons"] => {
  const cell = codesCell(header)
  return cell === undefined ? undefined : { cell, codes: codesByReason(troubles) }
}

export const window = 250

const joiningOf = (
  { grouping }: Settings.Settings,
  layout: Layout,
  evidence: Survey.Surveyed | undefined,
  place: Survey.CellPlace
): Effect.Effect<Joining, Adapter.AdapterError> => {
  // In a report, all rows of a document are in one group, and the end of a group closes all open
  // documents: the distance between two rows of a document needs no limit.
  if (layout === "report") return Effect.succeed({ window: Infinity, surely: "so" })
  if (grouping === "window" || (evidence === undefined && grouping === undefined)) {
    return Effect.succeed({ window, surely: "unless a row comes too late" })
  }
  const keys = evidence === undefined ? Survey.keys(place) : Effect.succeed(evidence.keys)
  return Effect.map(keys, ({ lastRows, widestGap }): Joining =>
    widestGap <= window ? { window: widestGap, surely: "so" } : { lastRows }
  )
}

const sampleOf = (
  { delimiter, line }: Pick<FoundHeader, "delimiter" | "line">,
  opening: Opening.FileOpening,
  quotes: Quotes
) =>
  records({ ...opening, quotes, delimiter }, delimiter).flatMap((record) => (record.line > line ? [record.cells] : []))

const hasDatesInFigures = ({ binding, delimiter, line }: FoundHeader, opening: Opening.FileOpening): boolean => {
  const [cell = -1] = cellsOfDocument(binding, "date")
  return sampleOf({ delimiter, line }, opening, "doubled").some((cells) => DateForm.inFigures(cells[cell] ?? ""))
}

const isSettled = (settings: Settings.Settings, { binding }: FoundHeader): boolean =>
  settings.quotes !== undefined &&
  (settings.decimalMark !== undefined || numeric(binding).every((cell) => binding.decimalMarks.has(cell))) &&
  settings.dates !== undefined &&
  settings.grouping !== undefined &&
  cellsOfDocument(binding, "customerId").length === 0 &&
  (settings.currency !== undefined || cellsOfDocument(binding, "currency").length > 0)

const searchOf = (opening: Opening.FileOpening, settings: Settings.Settings, options: CsvOptions): Search => ({
  head: opening.head,
  encoding: opening.encoding,
  quotes: settings.quotes ?? ("doubled" as const),
  delimiter: opening.delimiter === cellEnd ? cellEnd : (Settings.delimiter(settings) ?? opening.delimiter),
  headerLine: settings.headerLine,
  map: options.columns,
  layout: options.layout,
  start: opening.start
})

const headerOf = (
  file: Adapter.InputFile,
  opening: Opening.FileOpening,
  settings: Settings.Settings,
  options: CsvOptions
): Effect.Effect<FoundHeader, Adapter.AdapterError | Ambiguity> => {
  const what = searchOf(opening, settings, options)
  const named = options.columns?.base ?? options.layout
  if (named !== undefined && !presets.some(({ name }) => name === named)) {
    const known = presets.map(({ name }) => name).join(", ")
    return Effect.fail(unreadable(file.name, `there is no known layout "${named}"`, `Known are: ${known}`))
  }
  return Effect.andThen(
    UnsupportedFormat.check(what, { file, columns: options.columns, settings }),
    headerAmong(search(what), what, file, options)
  )
}

const headerAmong = (
  { found, nearest }: SearchResult,
  what: Search,
  file: Adapter.InputFile,
  options: CsvOptions
): Effect.Effect<FoundHeader, Adapter.AdapterError | Ambiguity> => {
  const [header, other] = found
  if (header !== undefined && other === undefined) {
    const missing = required.filter((field) => cellsOfDocument(header.binding, field).length === 0)
    return missing.length === 0 || options.columns === undefined
      ? Effect.succeed(header)
      : Effect.fail(withoutColumn(file.name, missing))
  }
  if (header !== undefined) {
    const sameDelimiter = found.every(({ delimiter }) => delimiter === header.delimiter)
    return new Ambiguity({
      question: {
        id: "header",
        file: file.name,
        question: "the header can be read in more than one way",
        readings: found.map(({ cells, delimiter, layout, name }) => ({
          reading: delimiter === cellEnd ? name : `${name}, cells separated by ${delimiterName(delimiter)}`,
          examples: cells.slice(0, 3),
          answer: sameDelimiter ? { layout } : { settings: delimiterSetting(delimiter) }
        }))
      },
      answers: found.map(({ delimiter, layout }) =>
        sameDelimiter ? { layout } : { settings: delimiterSetting(delimiter) }
      )
    })
  }
  return Effect.fail(
    nearest === undefined ? headerless(file.name, what, options) : otherHeader(file.name, nearest, options)
  )
}

const required = ["number", "date"] as const

const withoutColumn = (file: string, missing: ReadonlyArray<string>): Adapter.AdapterError =>
  unreadable(file, `no column is the ${missing.join(" or the ")} of the documents`, nameColumns, [{ ask: "columns" }])

const nameColumns = "Name the columns in a column map; one can be proposed from the file"

const otherHeader = (file: string, nearest: string, { columns }: CsvOptions): Adapter.AdapterError =>
  unreadable(
    file,
    nearest,
    `Correct the header${columns === undefined ? "" : " or the column map"}; names are compared without case, spaces and punctuation`
  )

/** A column map is advised only if the rows have what every map needs. */
const headerless = (file: string, what: Search, { columns, layout }: CsvOptions): Adapter.AdapterError => {
  const named = columns?.base ?? layout
  const problem =
    columns !== undefined && columns.base === undefined && columns.columns?.number === undefined
      ? "the column map names no column for `number`, and the file has no known header that it could be laid over"
      : what.headerLine !== undefined
        ? `line ${what.headerLine} is not a known header`
        : named !== undefined
          ? `no row among the first 40 is a header of the layout "${named}"`
          : "no row among the first 40 is a header we know"
  const lacking = lacked(what)
  if (lacking === undefined) return unreadable(file, problem, nameColumns, [{ ask: "columns" }])
  const fix = "Export invoices with their numbers, dates and amounts, one row for each line"
  return unreadable(file, `${problem}, and no column map can help: no row of three or more columns has ${lacking}`, fix)
}

const quotesOf = (
  settings: Settings.Settings,
  backslashes: boolean,
  place: Omit<Survey.CellPlace, "quotes">
): Effect.Effect<Quotes, Adapter.AdapterError | Ambiguity> =>
  Effect.gen(function* () {
    if (settings.quotes !== undefined || !backslashes) return settings.quotes ?? "doubled"
    const doubled = yield* Survey.tryQuotes(place, "doubled")
    const backslash = yield* Survey.tryQuotes(place, "backslash")
    if (doubled.digest === backslash.digest && doubled.troubles === backslash.troubles) return "doubled"
    const sound = [doubled, backslash].filter(({ troubles }) => troubles === 0)
    const [only, other] = sound
    if (only !== undefined && other === undefined) return only.quotes
    return yield* new Ambiguity({
      question: {
        id: "quotes",
        file: place.file.name,
        question: "quoted cells hold backslashes: do they escape the character after them, or are they text?",
        readings: [doubled, backslash].map(({ examples, quotes, troubles }) => ({
          reading: `${quotes === "doubled" ? 'a quote is written ""' : 'a quote is written \\"'} (${troubles} broken rows)`,
          examples,
          answer: { settings: { quotes } }
        }))
      },
      answers: [{ settings: { quotes: "doubled" } }, { settings: { quotes: "backslash" } }]
    })
  })
