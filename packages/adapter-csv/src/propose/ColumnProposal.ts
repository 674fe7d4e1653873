/**
 * Proposes a column map for a file, for review by the operator: every line with the cells that led
 * to it.
 */
import type { AdapterError, InputFile } from "@fiscal-connector/core/source/Adapter"
import { Effect, Result } from "effect"
import { bind } from "../columns/Binding.ts"
import * as ByteSource from "../scan/ByteSource.ts"
import * as Detection from "../detect/Detection.ts"
import { cellEnd, delimiterName, delimiters, type Quotes, type Separator } from "../scan/Dialect.ts"
import * as DecimalMarks from "../detect/DecimalMarks.ts"
import * as FigureColumns from "../detect/FigureColumns.ts"
import * as FigureForms from "../detect/FigureForms.ts"
import { documentFields, lineFields } from "../columns/Field.ts"
import { indexOf } from "../columns/Header.ts"
import type { FoundHeader } from "../detect/FoundHeader.ts"
import { records, search } from "../detect/HeaderSearch.ts"
import type { DecimalMark } from "../values/NumberForm.ts"
import type * as Opening from "../detect/Opening.ts"
import {
  chargeTaxLines,
  columnLines,
  examplesOf,
  kindLines,
  quoted,
  settingLines,
  unreadLines
} from "./ProposalLines.ts"
import { examine } from "./ExaminedColumns.ts"
import { bestHeader, invoicesOf, likelyHeader, openingOf, withoutHeader as nameless } from "./HeaderGuess.ts"
import { laidOver } from "./LaidOver.ts"
import * as NamelessColumns from "./NamelessColumns.ts"
import { becauseOfName, shownBy } from "./ValueFields.ts"
import { readByValues, sampleSize } from "./ValueReadings.ts"
import { basisNamed } from "../columns/StatedBasis.ts"
import { type Settled, unreadable } from "../detect/Questions.ts"
import { columnsSeen, type OutsideRows, layoutOf, look, mapOf, reference, type Seen } from "./SeenColumns.ts"
import * as Settings from "../columns/Settings.ts"
import * as Survey from "../detect/Survey.ts"
import { isTable } from "../scan/Table.ts"

export { relationOf, type SheetRelation } from "./Sheets.ts"

const noHeader = (file: string) =>
  unreadable(
    file,
    "no row among the first 40 looks like a header",
    "Say the line of the header, and what separates the cells",
    [{ ask: "headerLine" }, { ask: "delimiter" }]
  )

/** Returns the text of the proposal: JSON with comments, as `MapFile.load` reads it. */
export const propose = (input: InputFile, settings: Settings.Settings = {}): Effect.Effect<string, AdapterError> =>
  Effect.gen(function* () {
    const file = ByteSource.decompressed(input)
    const opening = yield* invoicesOf(file, settings)
    const usual = settings.quotes ?? "doubled"
    const inTable = opening.delimiter === cellEnd
    const delimiter: Separator | undefined = inTable ? cellEnd : (Settings.delimiter(settings) ?? opening.delimiter)
    const looking = { ...opening, quotes: usual, delimiter }
    const known = search({ ...looking, headerLine: settings.headerLine, map: undefined, layout: undefined }).found
    if (known.length === 1) {
      const [header] = known
      const place = { file, header: header!, encoding: opening.encoding, start: opening.start }
      const seen = columnsSeen(header!.cells)
      yield* Survey.rows({ ...place, quotes: usual }, (row) =>
        look(row, seen, { rows: 0, groups: 0, groupNames: [], totals: 0 })
      )
      return laidOver(shownName(file), header!, seen)
    }
    const guess = bestHeader(opening, usual, delimiter, settings.headerLine)
    if (guess === undefined) {
      const proposed = withoutHeader(shownName(file), opening, usual, delimiter)
      return proposed ?? (yield* noHeader(file.name))
    }
    const { cells, line } = guess.record
    const rowsOf = { file, encoding: opening.encoding, start: opening.start, header: { ...guess, line } }
    const columns = yield* columnsRead(cells, { ...rowsOf, quotes: usual })
    const map = mapOf(columns)
    // without a number column, the other columns can still be examined
    const looked = map.columns.number === undefined ? { ...map, columns: { ...map.columns, number: cells[0]! } } : map
    const binding = bind(looked, indexOf(cells), "allowed")
    if (Result.isFailure(binding)) {
      return yield* unreadable(file.name, binding.failure.join("; "), "Write a column map by hand")
    }
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
    const place = { file, header, encoding: opening.encoding, start: opening.start }
    const first = yield* Survey.survey({ ...place, quotes: usual }, settings)
    const quotes = yield* Detection.quotesOf(settings, first.backslashes && !inTable, place).pipe(
      Effect.map((quotes): Settled<Quotes> => Result.succeed(quotes)),
      Effect.catchTag("Ambiguity", ({ question }) => Effect.succeed<Settled<Quotes>>(Result.fail([question])))
    )
    const settled = Result.getOrElse(quotes, () => usual)
    const surveyed = settled === usual ? first : yield* Survey.survey({ ...place, quotes: settled }, settings)
    const outside: OutsideRows = { rows: 0, groups: 0, groupNames: [], totals: 0 }
    yield* Survey.rows({ ...place, quotes: settled }, (row) => look(row, columns, outside))
    let because: string | undefined = settings.dates && "as you said"
    const order = FigureForms.dateOrder(file.name, settings, header, surveyed, (_, __, why) => {
      because = why
    })
    const marks = marksOf(file.name, settings, header, surveyed)
    const figures = [
      ...settingLines("quotes", quotes, (quotes) =>
        first.backslashes && !inTable ? [quotes, "cells hold backslashes, and only so is every row sound"] : undefined
      ),
      ...settingLines("dates", order, (order) => because && [order, because]),
      ...settingLines("year", FigureForms.checkYear(file.name, settings, surveyed), () => undefined),
      ...settingLines("decimalMark", marks, ({ common }) => common),
      ...settingLines("currency", FigureForms.checkCurrency(file.name, settings, surveyed), () => undefined)
    ]
    const own = Result.isSuccess(marks) ? marks.success.own : undefined
    const marked = columns.map((column, cell) => {
      const decimalMark = own?.get(cell)
      return decimalMark === undefined ? column : { ...column, decimalMark }
    })
    const layout = layoutOf(columns, outside)
    return [
      "{",
      `  // Proposed from ${shownName(file)}. Look at every line before you use it.`,
      '  "version": 1,',
      `  "layout": "${layout.name}", // ${layout.because}`,
      '  "columns": {',
      ...columnLines(marked),
      "  },",
      ...unreadLines(FigureColumns.unread(header)),
      ...(layout.name === "report" && map.columns.customerName === undefined
        ? [`  "groups": "customerName", // ${quoted(outside.groupNames)}: take it out if these are no customers`]
        : []),
      ...kindLines("kinds", columns, "kind"),
      ...kindLines("statuses", columns, "status"),
      '  "settings": {',
      ...(inTable
        ? []
        : [
            `    "encoding": "${opening.encoding}", // ${opening.because}`,
            `    "delimiter": "${delimiterName(guess.delimiter)}",`
          ]),
      `    "headerLine": ${line},`,
      ...figures,
      ...amountsLines(columns, basisNamed(header.binding, cells)),
      ...chargeTaxLines(columns),
      "  }",
      "}",
      ""
    ]
      .map((line) => line.replaceAll(/[\r\n]+/g, " "))
      .join("\n")
  })

/**
 * Proposes a map for a file without a header, by the content of its first rows; undefined if the
 * content is not enough.
 */
const withoutHeader = (
  file: string,
  opening: Opening.Opening,
  quotes: Quotes,
  known: Separator | undefined
): string | undefined => {
  for (const delimiter of known === undefined ? delimiters : [known]) {
    const columns = NamelessColumns.columnsOf(
      records({ ...opening, quotes, delimiter }, delimiter).map(({ cells }) => cells)
    )
    if (columns === undefined) continue
    return [
      "{",
      `  // Proposed from ${file}, which has no header: its columns are called by their places. Look at every line before you use it.`,
      '  "version": 1,',
      '  "layout": "rows",',
      '  "columns": {',
      ...columnLines(columns),
      "  },",
      '  "settings": {',
      ...(delimiter === cellEnd
        ? []
        : [
            `    "encoding": "${opening.encoding}", // ${opening.because}`,
            `    "delimiter": "${delimiterName(delimiter)}",`
          ]),
      '    "headerLine": 0',
      "  }",
      "}",
      ""
    ].join("\n")
  }
  return undefined
}

/** Returns the columns of a header, by name, and by the first rows if a name is ambiguous. */
const columnsRead = (cells: ReadonlyArray<string>, rows: Survey.Rows) =>
  Effect.gen(function* () {
    const sample: Array<ReadonlyArray<string>> = []
    yield* Survey.rows(rows, (row) => {
      if (sample.length < sampleSize) sample.push(row)
    })
    return readByValues(columnsSeen(cells), sample)
  })

const amountsLines = (
  columns: ReturnType<typeof columnsSeen>,
  named: ReturnType<typeof basisNamed>
): ReadonlyArray<string> =>
  columns.some(({ meaning }) => meaning === "amounts")
    ? []
    : named === undefined
      ? ['    // "amounts": "inclusive" or "exclusive": no column says whether amounts include tax']
      : [`    "amounts": "${named.basis}", // the column ${JSON.stringify(named.name)} says it by its name`]

/** A column of a table, for the operator to assign. */
export interface ProposedColumn {
  /** Name of the column in a column map. */
  readonly reference: string | { readonly column: string; readonly nth?: number }
  readonly name: string
  /** Cells of the first eight rows, as in the file; empty if the cell is blank. */
  readonly cells: ReadonlyArray<string>
  /** Probable field, one of `fields`; null if neither the name nor the values show one. */
  readonly field: string | null
  /** Evidence for the field, or a fact about the other rows; null if there is none. */
  readonly because: string | null
}

/** Columns of a table, with a known header or not, as data. */
export interface ProposedColumns {
  readonly columns: ReadonlyArray<ProposedColumn>
  /** All fields that a column can state; fields of a line's tax begin with `tax.`. */
  readonly fields: ReadonlyArray<string>
  /** Fields that nearly every document needs. */
  readonly needed: ReadonlyArray<string>
  /** Other fields that many exports state. */
  readonly frequent: ReadonlyArray<string>
  /** Other parts of a map for these columns. */
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
  input: InputFile,
  settings: Settings.Settings = {}
): Effect.Effect<ReadonlyArray<string>, AdapterError> =>
  Effect.gen(function* () {
    const file = ByteSource.decompressed(input)
    // the names identify files, so that an answer about the encoding must not change them
    const opening = yield* openingOf(file, { ...settings, encoding: "windows-1252" })
    const inTable = opening.delimiter === cellEnd
    const delimiter: Separator | undefined = inTable ? cellEnd : (Settings.delimiter(settings) ?? opening.delimiter)
    const guess = bestHeader(opening, settings.quotes ?? "doubled", delimiter, settings.headerLine)
    return guess === undefined ? yield* noHeader(file.name) : guess.record.cells
  })

/** Returns the columns as data, for the page's questions. Fails as `propose` does. */
export const columnsOf = (
  input: InputFile,
  settings: Settings.Settings = {}
): Effect.Effect<ProposedColumns, AdapterError> =>
  Effect.gen(function* () {
    const file = ByteSource.decompressed(input)
    const opening = yield* invoicesOf(file, settings)
    const quotes = settings.quotes ?? "doubled"
    const inTable = opening.delimiter === cellEnd
    const delimiter: Separator | undefined = inTable ? cellEnd : (Settings.delimiter(settings) ?? opening.delimiter)
    const guess =
      (settings.headerLine === 0 ? undefined : likelyHeader(opening, quotes, delimiter, settings.headerLine)) ??
      nameless(opening, quotes, delimiter)
    if (guess === undefined) return yield* noHeader(file.name)
    const { cells, line } = guess.record
    const {
      columns: named,
      outside,
      sample
    } = yield* examine(cells, {
      file,
      ...opening,
      quotes,
      header: { ...guess, line }
    })
    const shown = shownBy(named, sample)
    const columns = named.map((column, cell): Seen => ({
      ...column,
      meaning: column.meaning ?? shown.get(cell)?.meaning
    }))
    const taken = new Set<string>()
    return {
      columns: columns.map((column, cell): ProposedColumn => {
        const field = fieldOf(column)
        const isFirst = field !== null && !taken.has(field)
        if (isFirst) taken.add(field)
        const { name } = column
        const cells = sample.slice(0, shownRows).map((row) => row[cell] ?? "")
        const because = named[cell]!.meaning === undefined ? shown.get(cell)?.because : becauseOfName
        return {
          reference: reference(column) as ProposedColumn["reference"],
          name,
          cells,
          field: isFirst ? field : null,
          because: (isFirst ? because : undefined) ?? beyond(column, cells)
        }
      }),
      fields,
      needed,
      frequent,
      rest: {
        layout: layoutOf(columns, outside).name,
        settings: { headerLine: line, ...(inTable ? {} : { delimiter: delimiterName(guess.delimiter) }) }
      }
    }
  })

/** Returns a fact about the rows after the first ones if the column is blank in the first ones. */
const beyond = (column: Seen, cells: ReadonlyArray<string>): string | null =>
  cells.some((cell) => cell !== "")
    ? null
    : column.examples.size === 0
      ? examplesOf(column)
      : `blank in these rows, later ${examplesOf(column)}`

const fieldOf = ({ meaning }: ReturnType<typeof columnsSeen>[number]): string | null => {
  if (meaning === undefined) return null
  const part = /^tax(Code|Percent|Amount)$/.exec(meaning)?.[1]
  return part === undefined ? meaning : `tax.${part.toLowerCase()}`
}

const shownName = (file: InputFile): string => (isTable(file) ? `${file.name}!${file.table.sheet}` : file.name)

interface Marks {
  /** Common mark, with the cell that shows it. */
  readonly common: readonly [mark: DecimalMark, because: string] | undefined
  /** Marks of columns that differ. */
  readonly own: ReadonlyMap<number, DecimalMark>
}

const marksOf = (
  file: string,
  settings: Settings.Settings,
  header: FoundHeader,
  surveyed: Survey.Surveyed
): Settled<Marks> => {
  let because = ""
  const settled = DecimalMarks.resolveMarks(file, settings, header, surveyed, (about, _, why) => {
    because = `${about}: ${why}`
  })
  return Result.map(settled, (marks): Marks => {
    if (settings.decimalMark !== undefined) return { common: [settings.decimalMark, "as you said"], own: new Map() }
    const own = new Map(
      [...surveyed.numbers].flatMap(([cell, { against, undecided }]) =>
        against.size > 0 || undecided ? [[cell, marks[cell]!] as const] : []
      )
    )
    const [mark, ...others] = new Set(own.values())
    if (mark === undefined) return { common: undefined, own }
    return others.length > 0 ? { common: undefined, own } : { common: [mark, because], own: new Map() }
  })
}
