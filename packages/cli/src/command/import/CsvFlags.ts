/** Flags that settle how to read a CSV file or a workbook if the file itself leaves it open. */
import type { CsvOptions } from "@fiscal-connector/adapter-csv/CsvAdapter"
import { CsvFinding } from "@fiscal-connector/adapter-csv/CsvFinding"
import * as MapFile from "@fiscal-connector/adapter-csv/MapFile"
import { presets } from "@fiscal-connector/adapter-csv/Preset"
import { Settings } from "@fiscal-connector/adapter-csv/Settings"
import * as Finding from "@fiscal-connector/core/finding/Finding"
import * as TextFile from "@fiscal-connector/core/unstable/file/TextFile"
import * as BookText from "@fiscal-connector/core/unstable/mapping/BookText"
import type { RememberedAnswers } from "@fiscal-connector/core/unstable/source/RememberedAnswers"
import { Effect, Option } from "effect"
import { type Command, Flag } from "effect/cli"
import { report } from "../../output/FindingReport.ts"
import { Quit } from "../../output/Quit.ts"
import { given } from "./Given.ts"
import { Call } from "../../output/Call.ts"

/** Returns the schema of a setting. The choices are defined only in the adapter's schema. */
const choices = <Name extends keyof typeof Settings.fields>(name: Name) => Settings.fields[name]

const oneOf = <const Names extends ReadonlyArray<string>>(flag: string, names: Names, description: string) =>
  Flag.Literals(flag, names).pipe(Flag.withDescription(description), Flag.optional)

const text = (flag: string, description: string) =>
  Flag.String(flag).pipe(Flag.withDescription(description), Flag.optional)

/** Flags for tables with a header, in a text file or a workbook. */
const tableFlags = {
  columns: Flag.File("columns", { mustExist: true }).pipe(
    Flag.withDescription("the column map: the meaning of each column of the export"),
    Flag.optional
  ),
  layout: text("layout", `the one known layout to read the file by: ${presets.map(({ name }) => name).join(", ")}`),
  headerLine: Flag.Int("header-line").pipe(
    Flag.withDescription("the line of the header, counted from 1; 0 where the file has none"),
    Flag.optional
  ),
  dates: oneOf("dates", choices("dates").schema.literals, "the order of day, month and year"),
  year: Flag.Int("year").pipe(
    Flag.withSchema(choices("year").schema),
    Flag.withDescription("the year of dates that are written without one"),
    Flag.optional
  ),
  serialDates: oneOf(
    "serial-dates",
    choices("serialDates").schema.literals,
    "dates that are numbers, as spreadsheets store days: the year from which they count"
  ),
  decimalMark: oneOf("decimal-mark", choices("decimalMark").schema.literals, "what separates whole units from cents"),
  currency: text("currency", "for a file that does not name its currency"),
  amounts: oneOf("amounts", choices("amounts").schema.literals, "what amounts include, for a file that does not say"),
  kind: oneOf("kind", choices("kind").schema.literals, "what the documents are, where no column says so"),
  negativeTotals: oneOf(
    "negative-totals",
    choices("negativeTotals").schema.literals,
    "what documents with a negative total are"
  ),
  creditNotePrefix: text("credit-note-prefix", "numbers that begin like this are credit notes"),
  refundedSales: oneOf(
    "refunded-sales",
    choices("refundedSales").schema.literals,
    "sales that were refunded: refused, or issued, where their credit notes come for themselves"
  ),
  debitNotes: oneOf(
    "debit-notes",
    choices("debitNotes").schema.literals,
    "debit notes, which raise an earlier invoice: refused, invoices of their own, or left out"
  ),
  refundNumbers: oneOf(
    "refund-numbers",
    choices("refundNumbers").schema.literals,
    "a refund that has the number of its sale: refused, or numbered with -R and its day behind it"
  ),
  repeatedRows: oneOf(
    "repeated-rows",
    choices("repeatedRows").schema.literals,
    "equal rows in one document, where nothing says whether they are meant"
  ),
  totalRows: oneOf(
    "total-rows",
    choices("totalRows").schema.literals,
    "rows that are called a total, where the arithmetic does not say that they are one"
  ),
  controlCharacters: oneOf(
    "control-characters",
    choices("controlCharacters").schema.literals,
    "control characters in texts: refused, or each a blank"
  ),
  unknownBuyers: oneOf(
    "unknown-buyers",
    choices("unknownBuyers").schema.literals,
    "buyers of whom the file states nothing but an id: refused, or walk-ins"
  ),
  times: oneOf(
    "times",
    choices("times").schema.literals,
    "a time with an offset where documents have no time of day: refused, the day as written, or the instant"
  ),
  grouping: oneOf("grouping", choices("grouping").schema.literals, "rows of one document that do not stand together")
}

/** Flags for text files only. */
const textFlags = {
  encoding: oneOf("encoding", choices("encoding").schema.literals, "the file's encoding"),
  delimiter: oneOf("delimiter", choices("delimiter").schema.literals, "what separates cells"),
  quotes: oneOf("quotes", choices("quotes").schema.literals, "how a quote inside a quoted cell is written"),
  shortRows: oneOf("short-rows", choices("shortRows").schema.literals, "rows with fewer cells than the header")
}

/** Flags for workbooks only. */
const workbookFlags = {
  sheet: text("sheet", "the sheet to read, by its name"),
  hiddenRows: oneOf(
    "hidden-rows",
    choices("hiddenRows").schema.literals,
    "hidden rows count like the others, or are left out"
  ),
  numberFormats: oneOf(
    "number-formats",
    choices("numberFormats").schema.literals,
    "numbers in a format of their own where text belongs: refused, or taken as they are stored"
  )
}

export const csvFlags = { ...tableFlags, ...textFlags }
export const xlsxFlags = { ...tableFlags, ...workbookFlags }

/** Flags of a table and of either kind of file. */
type Flags = Command.Command.Config.Infer<typeof tableFlags> &
  Partial<Command.Command.Config.Infer<typeof textFlags & typeof workbookFlags>>

const none = Option.none<never>()

/**
 * Returns the adapter's options from the flags. Loads a column map and reports all its problems at
 * once.
 */
export const optionsOf = Effect.fnUntraced(function* (flags: Flags) {
  const columns = Option.isNone(flags.columns) ? undefined : yield* loadColumns(flags.columns.value)
  const options: CsvOptions = {
    ...(columns && { columns }),
    ...given("layout", flags.layout),
    settings: {
      ...given("encoding", flags.encoding ?? none),
      ...given("delimiter", flags.delimiter ?? none),
      ...given("quotes", flags.quotes ?? none),
      ...given("headerLine", flags.headerLine),
      ...given("dates", flags.dates),
      ...given("year", flags.year),
      ...given("serialDates", flags.serialDates),
      ...given("decimalMark", flags.decimalMark),
      ...given("currency", flags.currency),
      ...given("amounts", flags.amounts),
      ...given("kind", flags.kind),
      ...given("negativeTotals", flags.negativeTotals),
      ...given(
        "creditNotePrefixes",
        Option.map(flags.creditNotePrefix, (prefix) => [prefix])
      ),
      ...given("refundedSales", flags.refundedSales),
      ...given("debitNotes", flags.debitNotes),
      ...given("refundNumbers", flags.refundNumbers),
      ...given("shortRows", flags.shortRows ?? none),
      ...given("repeatedRows", flags.repeatedRows),
      ...given("totalRows", flags.totalRows),
      ...given("controlCharacters", flags.controlCharacters),
      ...given("unknownBuyers", flags.unknownBuyers),
      ...given("times", flags.times),
      ...given("grouping", flags.grouping),
      ...given("sheet", flags.sheet ?? none),
      ...given("hiddenRows", flags.hiddenRows ?? none),
      ...given("numberFormats", flags.numberFormats ?? none)
    }
  }
  return options
})

/** Merges the remembered answers for similar files with the options. The flags win. */
export const lay = Effect.fnUntraced(function* (
  { columns, from, layout, settings }: RememberedAnswers,
  options: CsvOptions
): Effect.fn.Return<CsvOptions, Quit> {
  const map = options.columns === undefined && columns !== undefined ? JSON.stringify(columns) : undefined
  const said: CsvOptions = {
    ...(map !== undefined && { columns: yield* columnMap(`what was said about the columns of ${from}`, map) }),
    ...(layout !== undefined && { layout })
  }
  return { ...said, ...options, settings: { ...(settings as Settings), ...options.settings } }
})

const columnMap = Effect.fnUntraced(function* (file: string, text: string) {
  const call = yield* Call
  const refused = (findings: ReadonlyArray<Finding.Finding>) => {
    const found = findings.map((finding) => ({ finding, subject: undefined }))
    return new Quit({ code: 1, text: `The column map ${file} cannot be used:\n\n${report(found, call)}` })
  }
  const invalid = ({ at, message, path }: Finding.Finding) =>
    Finding.make(CsvFinding.CSV_MAP_INVALID, { message, path, at })
  // syntax errors and repeated fields are reported as for every file that the user writes
  const { repeated } = yield* Effect.mapError(Effect.fromResult(BookText.read(file, text)), (places) =>
    refused(places.map(invalid))
  )
  if (repeated.length > 0) return yield* refused(repeated.map(invalid))
  return yield* Effect.mapError(MapFile.load(file, text), ({ findings }) => refused(findings))
})

const loadColumns = Effect.fnUntraced(function* (file: string) {
  const text = yield* TextFile.read(file)
  return yield* columnMap(file, text)
})
