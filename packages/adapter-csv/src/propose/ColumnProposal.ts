/**
 * Proposes a column map for a file, for review by the operator: every line with the cells that led
 * to it.
 */
import type { Adapter } from "@fiscal-connector/core/adapter"
import { Effect, Result } from "effect"
import { bind } from "../columns/Binding.ts"
import type { WholeMap } from "../columns/ColumnMap.ts"
import type { CsvOptions } from "../columns/CsvOptions.ts"
import { documentFields, lineFields } from "../columns/Field.ts"
import { indexOf } from "../columns/Header.ts"
import type * as Settings from "../columns/Settings.ts"
import { basisNamed } from "../columns/StatedBasis.ts"
import * as Detection from "../detect/Detection.ts"
import * as FigureColumns from "../detect/FigureColumns.ts"
import type { FoundHeader } from "../detect/FoundHeader.ts"
import { search } from "../detect/HeaderSearch.ts"
import { ambiguous, type SettledReading, unreadable } from "../detect/Questions.ts"
import type * as Survey from "../detect/Survey.ts"
import { cellEnd, delimiterName, delimiterSetting, type Quotes } from "../scan/Dialect.ts"
import { isTable } from "../scan/Table.ts"
import { examinedOf, fieldWords, notUsed, unread, unusedOf } from "./AskedColumns.ts"
import { type Examined, examine } from "./ExaminedColumns.ts"
import {
  bestHeader,
  type Guess,
  invoicesOf,
  likelyHeader,
  type OpenedSample,
  opened,
  withoutHeader
} from "./HeaderGuess.ts"
import { laidOver } from "./LaidOver.ts"
import {
  chargeTaxLines,
  columnLines,
  examplesOf,
  quoted,
  settingLines,
  unreadLines,
  wordLines
} from "./ProposalLines.ts"
import { fieldId, firstOf, layoutOf, mapOf, reference, type SeenColumn } from "./SeenColumns.ts"
import { becauseOfName, showsInvoices, shownBy } from "./ValueFields.ts"

export { relationOf, type SheetRelation } from "./Sheets.ts"

const noHeader = (file: string) =>
  unreadable(
    file,
    "no row among the first 40 looks like a header",
    "Say the line of the header, and what separates the cells",
    [{ ask: "headerLine" }, { ask: "delimiter" }]
  )

/** Returns the text of the proposal: JSON with comments, as `MapFile.load` reads it. */
export const propose = (
  input: Adapter.InputFile,
  { settings = {} }: CsvOptions = {}
): Effect.Effect<string, Adapter.AdapterError> =>
  Effect.gen(function* () {
    const what = yield* invoicesOf(input, settings)
    const { file } = what
    const known = search({ ...what, map: undefined, layout: undefined }).found
    const [header] = known
    if (header !== undefined && known.length === 1) {
      const { columns } = yield* examine(header.cells, { ...what, header })
      return textOf(laidOver(shownName(file), header, columns))
    }
    const guess = bestHeader(what) ?? withoutHeader(what)
    if (guess === undefined) return yield* noHeader(file.name)
    const { cells, line } = guess.record
    const place = { ...what, header: { ...guess, line } }
    const first = yield* proposedBy(cells, place)
    if (line === 0 && !showsInvoices(first.columns, first.sample)) return yield* noHeader(file.name)
    // values settle a field only together with a name, unless no column has a name
    const settled = ({ columns, named }: typeof first) => (line === 0 ? columns : named)
    const forms = yield* formsOf(settled(first), guess, what, settings)
    const quotes = Result.getOrElse(forms.quotes, () => what.quotes)
    const read = quotes === what.quotes ? first : yield* proposedBy(cells, { ...place, quotes })
    const { outside } = read
    const columns = settled(read)
    const own = new Map([...forms.shown.keys()].map((cell) => [cell, forms.marks[cell]!]))
    const [mark, ...others] = new Set(own.values())
    const isCommon = mark !== undefined && others.length === 0
    const marked = isCommon ? columns : columns.map((one, cell): SeenColumn => ({ ...one, decimalMark: own.get(cell) }))
    const layout = layoutOf(columns, outside)
    const hasGroups = layout.name === "report" && firstOf(columns, "customerName") === undefined
    return textOf([
      `  // Proposed from ${shownName(file)}${line === 0 ? ", which has no header: its columns are called by their places" : ""}. Look at every line before you use it.`,
      '  "version": 1,',
      `  "layout": "${layout.name}", // ${layout.because}`,
      '  "columns": {',
      ...columnLines(marked),
      "  },",
      ...unreadLines(forms.unread),
      ...(hasGroups
        ? [`  "groups": "customerName", // ${quoted(outside.groupNames)}: take it out if these are no customers`]
        : []),
      ...wordLines("kinds", firstOf(columns, "kind"), noMap),
      ...wordLines("statuses", firstOf(columns, "status"), noMap),
      '  "settings": {',
      ...(guess.delimiter === cellEnd
        ? []
        : [
            `    "encoding": "${what.encoding}", // ${what.because}`,
            `    "delimiter": "${delimiterName(guess.delimiter)}",`
          ]),
      `    "headerLine": ${line},`,
      ...forms.lines,
      ...(isCommon ? [`    "decimalMark": "${mark}", // ${[...forms.shown.values()].at(-1)}`] : []),
      ...amountsLines(columns, forms.basis),
      ...chargeTaxLines(columns),
      "  }"
    ])
  })

const noMap: WholeMap = { version: 1, columns: {} }

const textOf = (lines: ReadonlyArray<string>): string =>
  ["{", ...lines, "}", ""].map((line) => line.replaceAll(/[\r\n]+/g, " ")).join("\n")

const proposedBy = (cells: ReadonlyArray<string>, rows: Survey.SurveyRows) =>
  Effect.map(examine(cells, rows), proposedFrom)

const proposedFrom = ({ columns: named, outside, sample }: Examined) => {
  const shown = shownBy(named, sample)
  const columns = named.map((one, cell): SeenColumn => ({ ...one, meaning: one.meaning ?? shown.get(cell)?.meaning }))
  return { columns, named, outside, sample, shown }
}

const formsOf = (columns: ReadonlyArray<SeenColumn>, guess: Guess, what: OpenedSample, settings: Settings.Settings) =>
  Effect.gen(function* () {
    const { cells, line } = guess.record
    const map = mapOf(columns)
    // without a number column, the other columns can still be examined
    const looked = { ...map, columns: { number: reference(columns[0]!), ...map.columns } }
    const binding = bind(looked, indexOf(cells), "allowed")
    if (Result.isFailure(binding))
      return yield* unreadable(what.file.name, binding.failure.join("; "), "Write a column map by hand")
    const header: FoundHeader = {
      ...guess,
      line,
      cells,
      widest: Infinity,
      name: "proposal",
      layout: "",
      map,
      dates: undefined,
      binding: binding.success
    }
    const place = { ...what, header }
    const asked: { quotes: SettledReading<Quotes> } = { quotes: Result.succeed(what.quotes) }
    const formsBy = (own: Settings.Settings) => Detection.formsOf(place, own, "open")
    const forms = yield* Effect.catchTag(formsBy(settings), "Ambiguity", ({ question }) => {
      asked.quotes = Result.fail([question])
      return Effect.catchTag(formsBy({ ...settings, quotes: what.quotes }), "Ambiguity", () =>
        Effect.fail(ambiguous([question]))
      )
    })
    const quotes = Result.isFailure(asked.quotes) ? asked.quotes : Result.succeed(forms.quotes)
    const { marks, shown } = Result.getOrElse(forms.marks, () => ({ marks: [], shown: new Map<number, string>() }))
    return {
      quotes,
      marks,
      shown,
      unread: FigureColumns.unread(header),
      basis: basisNamed(header.binding, cells),
      lines: [
        ...settingLines("quotes", quotes, (quotes) =>
          quotes === what.quotes ? undefined : [quotes, "cells hold backslashes, and only so is every row sound"]
        ),
        ...settingLines("dates", forms.dates, ({ because, is }) => because && [is, because]),
        ...settingLines("year", forms.year, () => undefined),
        ...settingLines("decimalMark", forms.marks, () => undefined),
        ...settingLines("currency", forms.currency, () => undefined)
      ]
    }
  })

const amountsLines = (
  columns: ReadonlyArray<SeenColumn>,
  named: ReturnType<typeof basisNamed>
): ReadonlyArray<string> =>
  columns.some(({ meaning }) => meaning === "amounts")
    ? []
    : named === undefined
      ? ['    // "amounts": "inclusive" or "exclusive": no column says whether amounts include tax']
      : [`    "amounts": "${named.basis}", // the column ${JSON.stringify(named.name)} says it by its name`]

/** Columns of a table, with the layout and the settings by which they were found. */
export interface ProposedColumns extends Adapter.ProposedColumns {
  readonly rest: { readonly layout: string; readonly settings: Readonly<Record<string, string | number>> }
}

const fields = [...Object.keys(documentFields), ...Object.keys(lineFields), "tax.code", "tax.percent", "tax.amount"]
const needed = ["number", "date", "description", "quantity", "unitPrice", "tax.code"]
const frequent = [
  "lineAmount",
  "total",
  "customerName",
  "customerTin",
  "currency",
  "kind",
  "original",
  "paymentMethod",
  "discount",
  "productCode"
]

const shownRows = 8

/**
 * Returns only the column names, which identify files of one kind. Reads only the beginning of the
 * file. Fails as `propose` does.
 */
export const headerOf = (
  input: Adapter.InputFile,
  { settings = {} }: CsvOptions = {}
): Effect.Effect<ReadonlyArray<string>, Adapter.AdapterError> =>
  Effect.gen(function* () {
    // the names identify files, so that an answer about the encoding must not change them
    const what = yield* opened(input, { ...settings, encoding: "windows-1252" })
    return bestHeader(what)?.record.cells ?? (yield* noHeader(what.file.name))
  })

/** Returns the columns as data, for the page's questions. Fails as `propose` does. */
export const columnsOf = (
  input: Adapter.InputFile,
  { settings = {} }: CsvOptions = {}
): Effect.Effect<ProposedColumns, Adapter.AdapterError> =>
  Effect.gen(function* () {
    const what = yield* invoicesOf(input, settings)
    const guess = likelyHeader(what)
    if (guess === undefined) return yield* noHeader(what.file.name)
    const { line } = guess.record
    const examined = yield* examinedOf(what, guess)
    const { columns, named, outside, sample, shown } = proposedFrom(examined)
    const unused = unusedOf(examined, guess, settings)
    const taken = new Set<string>()
    return {
      columns: columns.flatMap((column, cell): ReadonlyArray<Adapter.ProposedColumn> => {
        const field = column.meaning === undefined ? null : fieldId(column.meaning)
        const isFirst = field !== null && !taken.has(field)
        if (isFirst) taken.add(field)
        const { name } = column
        const cells = sample.slice(0, shownRows).map((row) => row[cell] ?? "")
        const because = named[cell]!.meaning === undefined ? shown.get(cell)?.because : becauseOfName
        // a further line is read as the first one is
        if (column.line === "further") return []
        return [
          {
            reference: reference(column) as Adapter.ProposedColumn["reference"],
            name,
            cells,
            // only what the conversation proposes as not used is not asked about
            field: isFirst ? field : unused.has(JSON.stringify(unread(column))) ? notUsed : null,
            because: (isFirst ? because : undefined) ?? beyond(column, cells)
          }
        ]
      }),
      fields,
      words: fieldWords,
      needed,
      frequent,
      rest: {
        layout: layoutOf(columns, outside).name,
        settings: { headerLine: line, ...delimiterSetting(guess.delimiter) }
      }
    }
  })

const beyond = (column: SeenColumn, cells: ReadonlyArray<string>): string | null =>
  cells.some((cell) => cell !== "")
    ? null
    : column.examples.size === 0
      ? examplesOf(column)
      : `blank in these rows, later ${examplesOf(column)}`

const shownName = (file: Adapter.InputFile): string => (isTable(file) ? `${file.name}!${file.table.sheet}` : file.name)
