/** Flags that settle how to read a CSV file or a workbook if the file itself leaves it open. */
import type { CsvOptions } from "@fiscal-connector/adapter-csv/CsvAdapter"
import { CsvFinding } from "@fiscal-connector/adapter-csv/CsvFinding"
import * as MapFile from "@fiscal-connector/adapter-csv/MapFile"
import { presets } from "@fiscal-connector/adapter-csv/Preset"
import { contentsKinds, Settings } from "@fiscal-connector/adapter-csv/Settings"
import * as Finding from "@fiscal-connector/core/finding/Finding"
import * as TextFile from "@fiscal-connector/core/unstable/file/TextFile"
import * as BookText from "@fiscal-connector/core/unstable/mapping/BookText"
import type { RememberedAnswers } from "@fiscal-connector/core/unstable/question/RememberedAnswers"
import { Effect, Option, Schema } from "effect"
import { type Command, Flag } from "effect/cli"
import { report } from "../../output/FindingReport.ts"
import { ExitError } from "../../output/ExitError.ts"
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
  layout: text("layout", `the known layout of the file: ${presets.map(({ name }) => name).join(", ")}`),
  contents: Flag.KeyValuePair("contents").pipe(
    Flag.withDescription(
      `KIND=invoices for a file that looks like another kind of file, and is a list of invoices; KIND is one of ${contentsKinds.join(", ")}`
    ),
    Flag.optional
  ),
  headerLine: Flag.Int("header-line").pipe(
    Flag.withDescription("the row of the header, counted from 1; 0 for a file without header"),
    Flag.optional
  ),
  dates: oneOf("dates", choices("dates").schema.literals, "the order of day, month and year"),
  year: Flag.Int("year").pipe(
    Flag.withSchema(choices("year").schema),
    Flag.withDescription("the year of dates without a year"),
    Flag.optional
  ),
  serialDates: oneOf(
    "serial-dates",
    choices("serialDates").schema.literals,
    "dates are numbers of days, as spreadsheets store them: the year they count from"
  ),
  decimalMark: oneOf("decimal-mark", choices("decimalMark").schema.literals, "what separates whole units from cents"),
  currency: text("currency", "the currency of a file that does not state it"),
  amounts: oneOf(
    "amounts",
    choices("amounts").schema.literals,
    "whether amounts include tax, for a file that does not state it"
  ),
  kind: oneOf("kind", choices("kind").schema.literals, "the kind of all documents, if no column states it"),
  negativeTotals: oneOf(
    "negative-totals",
    choices("negativeTotals").schema.literals,
    "documents with a negative total: refuse them, or read them as credit notes"
  ),
  creditNotePrefix: text("credit-note-prefix", "document numbers with this prefix are credit notes"),
  refundedSales: oneOf(
    "refunded-sales",
    choices("refundedSales").schema.literals,
    "refunded sales: refuse them, or read them as issued because their credit notes are separate documents"
  ),
  debitNotes: oneOf(
    "debit-notes",
    choices("debitNotes").schema.literals,
    "debit notes, which increase an earlier invoice: refuse, read as invoices, or skip"
  ),
  refundNumbers: oneOf(
    "refund-numbers",
    choices("refundNumbers").schema.literals,
    "a refund with the number of its sale: refuse it, or add -R and its day to the number"
  ),
  repeatedRows: oneOf(
    "repeated-rows",
    choices("repeatedRows").schema.literals,
    "equal rows in one document: refuse, keep or drop the repetition"
  ),
  totalRows: oneOf(
    "total-rows",
    choices("totalRows").schema.literals,
    "rows named total whose figures are not a total: refuse, skip, or read as lines"
  ),
  controlCharacters: oneOf(
    "control-characters",
    choices("controlCharacters").schema.literals,
    "control characters in texts: refuse, or replace each by a blank"
  ),
  unknownBuyers: oneOf(
    "unknown-buyers",
    choices("unknownBuyers").schema.literals,
    "buyers with only an id: refuse, or read as cash customers"
  ),
  times: oneOf(
    "times",
    choices("times").schema.literals,
    "dates with a time and an offset, beside dates without time: refuse, use the day as written, or use the instant"
  ),
  grouping: oneOf(
    "grouping",
    choices("grouping").schema.literals,
    "rows of one document that are not adjacent: search within a window, or read the file twice"
  )
}

/** Flags for text files only. */
const textFlags = {
  encoding: oneOf("encoding", choices("encoding").schema.literals, "the file's encoding"),
  delimiter: oneOf("delimiter", choices("delimiter").schema.literals, "the separator of cells"),
  quotes: oneOf("quotes", choices("quotes").schema.literals, "how a quote inside a quoted cell is written"),
  shortRows: oneOf(
    "short-rows",
    choices("shortRows").schema.literals,
    "rows with fewer cells than the header: refuse, or fill with empty cells"
  )
}

/** Flags for workbooks only. */
const workbookFlags = {
  sheet: text("sheet", "the sheet to read, by its name"),
  hiddenRows: oneOf("hidden-rows", choices("hiddenRows").schema.literals, "hidden rows: read or skip"),
  numberFormats: oneOf(
    "number-formats",
    choices("numberFormats").schema.literals,
    "numbers with a custom format in text columns: refuse, or use the stored number"
  )
}

export const csvFlags = { ...tableFlags, ...textFlags }
export const xlsxFlags = { ...tableFlags, ...workbookFlags }

/** Flags of a table and of either kind of file. */
type Flags = Command.Command.Config.Infer<typeof tableFlags> &
  Partial<Command.Command.Config.Infer<typeof textFlags & typeof workbookFlags>>

const none = Option.none<never>()

const contentsOf = (contents: Flags["contents"]) =>
  Effect.mapError(
    Effect.transposeOption(
      Option.map(contents, Schema.decodeUnknownEffect(choices("contents"), { onExcessProperty: "error" }))
    ),
    () =>
      new ExitError({
        code: 1,
        text: `--contents takes KIND=invoices or KIND=stop. KIND is one of ${contentsKinds.join(", ")}.`
      })
  )

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
      ...given("contents", yield* contentsOf(flags.contents)),
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
  { columnMap: columnMapFile, columns, from, layout, settings }: RememberedAnswers,
  options: CsvOptions
): Effect.fn.Return<CsvOptions, ExitError> {
  const map = options.columns === undefined && columns !== undefined ? JSON.stringify(columns) : undefined
  const flagOptions: CsvOptions = {
    ...(map !== undefined && {
      columns: yield* columnMap(columnMapFile ?? `what was said about the columns of ${from}`, map)
    }),
    ...(layout !== undefined && { layout })
  }
  return { ...flagOptions, ...options, settings: { ...(settings as Settings), ...options.settings } }
})

/** Returns the options with the column map of a file, which applies instead of any other map. */
export const withMap = (file: string, options: CsvOptions) =>
  Effect.map(loadColumns(file), (columns): CsvOptions => ({ ...options, columns }))

const columnMap = Effect.fnUntraced(function* (file: string, text: string) {
  const call = yield* Call
  const refused = (findings: ReadonlyArray<Finding.Finding>) => {
    const found = findings.map((finding) => ({ finding, subject: undefined }))
    return new ExitError({ code: 1, text: `The column map ${file} cannot be used:\n\n${report(found, call)}` })
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
