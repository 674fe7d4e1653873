/** A column map proposed from a file, for a person to review: every line with the cells it was guessed from. */
import type { AdapterError, InputFile, Question } from "@fiscal-connector/core/source/Adapter"
import { Effect, Result } from "effect"
import { bind } from "./Binding.ts"
import * as ByteSource from "./ByteSource.ts"
import type { ColumnMap } from "./ColumnMap.ts"
import { type Delimiter, delimiterName, delimiters } from "./Dialect.ts"
import * as DecimalMarks from "./DecimalMarks.ts"
import * as Family from "./Family.ts"
import { type ChargeField, chargeFields } from "./Field.ts"
import * as FigureForms from "./FigureForms.ts"
import { columnNames, indexOf } from "./Header.ts"
import { type FoundHeader, type HeadRecord, records } from "./HeaderSearch.ts"
import type { DecimalMark } from "./NumberForm.ts"
import * as Opening from "./Opening.ts"
import { ambiguous, type Settled, unreadable } from "./Questions.ts"
import { isReasonColumn } from "./RefusedRows.ts"
import * as Settings from "./Settings.ts"
import * as Survey from "./Survey.ts"
import { type Meaning, meaningOf } from "./Synonyms.ts"
import * as Vocabulary from "./Vocabulary.ts"

/** What was seen of one column. */
interface Seen {
  readonly name: string
  /** Its place among columns of the same name, counted from 1, where there are several. */
  readonly nth: number | undefined
  readonly meaning: Meaning | undefined
  /** Where it is not the one of all other columns. */
  readonly decimalMark?: DecimalMark | undefined
  readonly examples: Set<string>
  blank: number
}

interface Guess {
  readonly delimiter: Delimiter
  readonly record: HeadRecord
  readonly known: number
}

/** The text of the proposal: JSON with comments, as `MapFile.load` reads it. */
export const propose = (input: InputFile, settings: Settings.Settings = {}): Effect.Effect<string, AdapterError> =>
  Effect.gen(function* () {
    const file = ByteSource.unpacked(input)
    const opening = yield* Effect.catchTag(Opening.of(file, settings), "Crossroads", ({ question }) =>
      Effect.fail(ambiguous([question]))
    )
    const quotes = settings.quotes ?? "doubled"
    const guess = bestHeader(opening, quotes, Settings.delimiter(settings) ?? opening.delimiter, settings.headerLine)
    if (guess === undefined) {
      const family = Family.recognise({ ...opening, quotes })
      if (family !== undefined) return yield* unreadable(file.name, family.problem, family.fix)
      return yield* unreadable(
        file.name,
        "no row among the first 40 looks like a header",
        "Say its line with --header-line, and the delimiter with --delimiter"
      )
    }
    const { cells, line } = guess.record
    const columns = columnsSeen(cells)
    const map = mapOf(columns)
    // without a column for the number the others can be looked at all the same
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
      binding: binding.success
    }
    const place = { file, header, encoding: opening.encoding, quotes, start: opening.start }
    const furniture: Furniture = { rows: 0, groups: [], totals: 0 }
    yield* Survey.rows(place, (row) => look(row, columns, furniture))
    const surveyed = yield* Survey.survey(place, settings)
    let because: string | undefined = settings.dates && "as you said"
    const order = FigureForms.dateOrder(file.name, settings, header, surveyed, (_, __, why) => {
      because = why
    })
    const marks = marksOf(file.name, settings, header, surveyed)
    const figures = [
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
    const layout = layoutOf(columns, furniture)
    return [
      "{",
      `  // Proposed by \`connector columns csv\` for ${file.name}. Look at every line before you use it.`,
      '  "version": 1,',
      `  "layout": "${layout.name}", // ${layout.because}`,
      '  "columns": {',
      ...columnLines(marked),
      "  },",
      ...(layout.name === "report" && map.columns.customerName === undefined
        ? [`  "groups": "customerName", // ${quoted(furniture.groups)}: take it out if these are no customers`]
        : []),
      ...kindLines("kinds", columns, "kind"),
      ...kindLines("statuses", columns, "status"),
      '  "settings": {',
      `    "encoding": "${opening.encoding}", // ${opening.because}`,
      `    "delimiter": "${delimiterName(guess.delimiter)}",`,
      `    "headerLine": ${line},`,
      ...figures,
      ...(columns.some(({ meaning }) => meaning === "amounts")
        ? []
        : ['    // "amounts": "inclusive" or "exclusive": no column says whether amounts include tax']),
      ...chargeTaxLines(columns),
      "  }",
      "}",
      ""
    ].join("\n")
  })

interface Marks {
  /** With the cell that shows it. */
  readonly common: readonly [mark: DecimalMark, because: string] | undefined
  /** Of columns that differ about it. */
  readonly own: ReadonlyMap<number, DecimalMark>
}

const marksOf = (
  file: string,
  settings: Settings.Settings,
  header: FoundHeader,
  surveyed: Survey.Surveyed
): Settled<Marks> => {
  let because = ""
  const settled = DecimalMarks.settle(file, settings, header, surveyed, (about, _, why) => {
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

/** The row whose names are known best; of equally good ones, or where no name is known, the one with more cells. */
const bestHeader = (
  opening: Opening.Opening,
  quotes: "doubled" | "backslash",
  delimiter: Delimiter | undefined,
  headerLine: number | undefined
): Guess | undefined => {
  const guesses = (delimiter === undefined ? delimiters : [delimiter])
    .flatMap((delimiter) =>
      records({ ...opening, quotes, delimiter }, delimiter).map((record): Guess => ({
        delimiter,
        record,
        known: record.cells.filter((cell) => meaningOf(cell) !== undefined).length
      }))
    )
    .filter(({ record }) => record.cells.length > 2 && (headerLine === undefined || record.line === headerLine))
    .toSorted((a, b) => b.known - a.known || b.record.cells.length - a.record.cells.length)
  return guesses.find(({ known }) => headerLine !== undefined || known > 1) ?? guesses.find(isAllNames)
}

/** Whether every cell could be the name of a column. */
const isAllNames = ({ record: { cells } }: Guess): boolean =>
  new Set(cells).size === cells.length && cells.every((cell) => /\p{L}/u.test(cell) && !/\d/.test(cell))

const columnsSeen = (cells: ReadonlyArray<string>): ReadonlyArray<Seen> =>
  columnNames(cells).map(({ column, nth }) => ({
    name: column,
    nth: cells.filter((cell) => cell === column).length > 1 ? nth : undefined,
    meaning: isReasonColumn(column) ? undefined : meaningOf(column),
    examples: new Set(),
    blank: 0
  }))

const reference = ({ decimalMark, name, nth }: Seen) =>
  nth === undefined && decimalMark === undefined
    ? name
    : { column: name, ...(nth !== undefined && { nth }), ...(decimalMark !== undefined && { decimalMark }) }

/** The first column of each meaning; the rest is only listed. */
const firstOf = (columns: ReadonlyArray<Seen>, meaning: Meaning) => columns.find((column) => column.meaning === meaning)

/** The columns of a line's tax; where none names it, the percent tells taxes apart. */
const taxOf = (columns: ReadonlyArray<Seen>): { readonly [part: string]: Seen } => {
  const [code, percent, amount] = (["taxCode", "taxPercent", "taxAmount"] as const).map((meaning) =>
    firstOf(columns, meaning)
  )
  const named = code ?? percent
  return named === undefined ? {} : { code: named, ...(code && percent && { percent }), ...(amount && { amount }) }
}

const mapOf = (columns: ReadonlyArray<Seen>): ColumnMap => {
  const { code, ...others } = taxOf(columns)
  const named = columns.flatMap((column) =>
    column.meaning === undefined ||
    (column.meaning.startsWith("tax") && column.meaning !== "tax") ||
    firstOf(columns, column.meaning) !== column
      ? []
      : [[column.meaning, reference(column)] as const]
  )
  const tax = code && {
    code: reference({ ...code, decimalMark: undefined }),
    ...Object.fromEntries(Object.entries(others).map(([part, column]) => [part, reference(column)]))
  }
  return { version: 1, columns: { ...Object.fromEntries(named), ...(tax && { taxes: [tax] }) } }
}

interface Furniture {
  rows: number
  /** What rows with one cell say. */
  readonly groups: Array<string>
  totals: number
}

const look = (row: ReadonlyArray<string>, columns: ReadonlyArray<Seen>, furniture: Furniture): void => {
  const filled = row.filter((cell) => cell !== "")
  furniture.rows++
  if (/^(sub-?total|total|grand total)\b/i.test(filled[0] ?? "")) furniture.totals++
  else if (filled.length === 1) furniture.groups.push(filled[0]!)
  for (const [cell, column] of columns.entries()) {
    const text = row[cell] ?? ""
    if (text === "") column.blank++
    else if (column.examples.size < 12) column.examples.add(text)
  }
}

const layoutOf = (columns: ReadonlyArray<Seen>, { groups, rows, totals }: Furniture) => {
  if (totals > 0 && groups.length > 0) {
    const because = `rows with one cell (${groups.length}) and total rows (${totals}) stand among the others`
    return { name: "report", because }
  }
  const number = firstOf(columns, "number")
  if (number !== undefined && number.blank > 0) {
    return { name: "continuation", because: `"${number.name}" is blank in ${number.blank} of ${rows} rows` }
  }
  return { name: "rows", because: number === undefined ? "the usual" : `"${number.name}" is filled in every row` }
}

const examplesOf = ({ examples }: Seen): string => quoted([...examples]) || "always blank"

const quoted = (texts: ReadonlyArray<string>): string =>
  texts
    .slice(0, 3)
    .map((text) => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text))
    .join(", ")

const columnLines = (columns: ReadonlyArray<Seen>): ReadonlyArray<string> => {
  const { columns: fields } = mapOf(columns)
  const used = new Set<Seen>()
  const lines = Object.entries(fields).flatMap(([field, reference]) => {
    if (field === "taxes") return []
    const column = firstOf(columns, field as Meaning)
    if (column === undefined) return []
    used.add(column)
    return [`    "${field}": ${JSON.stringify(reference)}, // ${examplesOf(column)}`]
  })
  const taxes = Object.values(taxOf(columns))
  for (const column of taxes) used.add(column)
  const missing = (["number", "date", "description", "quantity", "unitPrice"] as const).filter(
    (field) => fields[field] === undefined
  )
  return [
    ...lines,
    ...(fields.taxes === undefined
      ? [
          '    // "taxes": [{ "code": "…" }], no column is called like a tax code; the export needs one that names each line\'s tax'
        ]
      : [`    "taxes": ${JSON.stringify(fields.taxes)}, // ${taxes.map(examplesOf).join("; ")}`]),
    ...missing.map((field) => `    // "${field}": "…", no column is called like that`),
    ...columns
      .filter((column) => !used.has(column))
      .map((column) => {
        const name = column.name === "" ? "a column without a name" : JSON.stringify(reference(column))
        return `    // not used: ${name} (${examplesOf(column)})`
      })
  ]
}

/** Charges whose tax no column names. */
const chargeTaxLines = (columns: ReadonlyArray<Seen>): ReadonlyArray<string> => {
  const untaxed = (Object.keys(chargeFields) as Array<ChargeField>).filter(
    (field) => firstOf(columns, field) !== undefined && firstOf(columns, `${field}TaxCode`) === undefined
  )
  const choices = untaxed.map((field) => `"${field}": "…"`).join(", ")
  return untaxed.length === 0 ? [] : [`    // "chargeTaxes": { ${choices} }: no column names the tax of these charges`]
}

/** What the words of a column mean; those we do not know are left to the person. */
const kindLines = (
  section: "kinds" | "statuses",
  columns: ReadonlyArray<Seen>,
  field: "kind" | "status"
): ReadonlyArray<string> => {
  const column = firstOf(columns, field)
  if (column === undefined || column.examples.size === 0) return []
  const vocabulary = Vocabulary.make({ version: 1, columns: {} })
  const choices = field === "kind" ? "invoice, credit-note or skip" : "issued or skip"
  const words = [...column.examples].map((word) => {
    const meaning = field === "kind" ? vocabulary.kind(word) : vocabulary.status(word)
    return meaning === undefined
      ? `    // ${JSON.stringify(word)}: ${choices}?`
      : `    ${JSON.stringify(word)}: "${meaning}",`
  })
  return [`  "${section}": {`, ...words, "  },"]
}

/** A setting with its evidence, or, where only the person can say it, the questions; nothing where nothing speaks for it. */
const settingLines = <A>(
  name: string,
  settled: Settled<A>,
  say: (value: A) => readonly [value: string, because: string] | "" | undefined
): ReadonlyArray<string> =>
  Result.match(settled, {
    onFailure: (questions) => questions.map((question) => `    // "${name}": ${inOneLine(question)}`),
    onSuccess: (value) => {
      const said = say(value)
      return said ? [`    "${name}": "${said[0]}", // ${said[1]}`] : []
    }
  })

const inOneLine = ({ question, readings }: Question): string =>
  `${question}: ${readings.map(({ examples, settledBy }) => `${settledBy} (${examples.join(", ")})`).join(" or ")}`
