import type { Table } from "@fiscal-connector/adapter-csv/Table"
import { Writer } from "@fiscal-connector/adapter-csv/Table"
import { relationOf } from "@fiscal-connector/adapter-csv/ColumnProposal"
import type { CsvOptions } from "@fiscal-connector/adapter-csv/CsvAdapter"
import { Adapter, ExportStatements, Finding, type Statement } from "@fiscal-connector/core/adapter"
import { Effect, type Scope } from "effect"
import { Buffer } from "node:buffer"
import { Refusal } from "./Refusal.ts"
import * as FileKind from "./FileKind.ts"
import type { SharedStrings } from "./workbook/SharedStrings.ts"
import { type SheetFacts, SheetReader } from "./workbook/SheetReader.ts"
import * as Workbook from "./workbook/Workbook.ts"
import * as XmlPart from "./xml/XmlPart.ts"
import { XlsxFinding } from "./XlsxFinding.ts"
import { Archive } from "./zip/Archive.ts"
import * as Spool from "./zip/Spool.ts"

export type SheetSettings = Pick<NonNullable<CsvOptions["settings"]>, "sheet" | "hiddenRows" | "headerLine">

const headSize = 1 << 16
const flushed = 1 << 18

const error = (reason: Adapter.AdapterError["reason"]) => new Adapter.AdapterError({ adapter: "xlsx", reason })

const unreadable = (file: string, { fix, text }: Refusal) =>
  error(new Adapter.ExportUnreadable({ file, problem: text, fix }))

const asked = (question: Adapter.Question) => error(new Adapter.ReadingAmbiguous({ questions: [question] }))

const parsed = <A>(file: string, parse: () => Promise<A>): Effect.Effect<A, Adapter.AdapterError> =>
  Effect.promise(() =>
    parse().then(
      (read) => Effect.succeed(read),
      (cause: unknown) => (cause instanceof Refusal ? Effect.fail(unreadable(file, cause)) : Effect.die(cause))
    )
  ).pipe(Effect.flatten)

/**
 * One table, or one for each sheet with the same header, in temporary files until the scope closes.
 * Fails with a question if the workbook leaves open which rows to read.
 */
export const tables = (
  file: Adapter.InputFile,
  settings: SheetSettings
): Effect.Effect<readonly [Table, ...ReadonlyArray<Table>], Adapter.AdapterError, Scope.Scope> =>
  Effect.gen(function* () {
    const packed = yield* Spool.open(file.name)
    yield* Spool.fill(packed, file)
    const other = FileKind.otherThanZip(Spool.head(packed, Buffer.alloc(headSize)))
    if (other !== undefined) return yield* unreadable(file.name, other)
    const workbook = yield* parsed(file.name, async () => Workbook.open(await Archive.open(packed.file)))
    const texts = yield* parsed(file.name, () => Workbook.sharedStrings(workbook))
    const [first, ...others] = yield* sheetsOf(file.name, workbook, texts, settings)
    const read: readonly [OfSheet, ...ReadonlyArray<OfSheet>] = [
      yield* ofSheet(file, { workbook, texts }, first, settings),
      ...(yield* Effect.forEach(others, (sheet) => ofSheet(file, { workbook, texts }, sheet, settings)))
    ]
    if (others.length > 0 && settings.sheet === undefined) yield* together(file.name, read, settings)
    const hidden = read.flatMap(({ facts }) => facts.hidden)
    if (hidden.length > 0 && settings.hiddenRows === undefined) return yield* asked(hiddenRows(file.name, hidden))
    const [one, ...more] = read
    return [one.table, ...more.map(({ table }) => table)] as const
  })

export const table = (
  file: Adapter.InputFile,
  settings: SheetSettings
): Effect.Effect<Table, Adapter.AdapterError, Scope.Scope> => Effect.map(tables(file, settings), ([first]) => first)

interface OfSheet {
  readonly table: Table
  readonly facts: SheetFacts
}

const ofSheet = (
  file: Adapter.InputFile,
  { texts, workbook }: { readonly workbook: Workbook.Workbook; readonly texts: SharedStrings },
  sheet: Workbook.Sheet,
  settings: SheetSettings
): Effect.Effect<OfSheet, Adapter.AdapterError, Scope.Scope> =>
  Effect.gen(function* () {
    const rows = yield* Spool.open(file.name)
    const facts = yield* parsed(file.name, () => transcribe(workbook, texts, sheet, rows))
    const comments = yield* parsed(file.name, () => Workbook.comments(workbook, sheet))
    const hidden = new Set(settings.hiddenRows === "skip" ? facts.hidden : [])
    const table: Table = {
      name: file.name,
      bytes: Spool.stream(rows, file.name),
      table: {
        sheet: sheet.name,
        troubles,
        findings: findingsOf(file.name, facts, workbook, sheet, settings),
        statements: statementsOf(facts, comments, workbook, sheet),
        looks: facts.looks,
        headerTrouble: (line) => mergedHeader(facts, line),
        covered: coveredBy(facts),
        passed: hidden.size === 0 ? undefined : (line) => hidden.has(line)
      }
    }
    return { facts, table }
  })

const together = (
  file: string,
  sheets: ReadonlyArray<OfSheet>,
  settings: SheetSettings
): Effect.Effect<void, Adapter.AdapterError> =>
  Effect.gen(function* () {
    const relation = yield* relationOf(
      sheets.map(({ table }) => table),
      settings
    )
    if (relation._tag === "Same") return
    if (relation._tag === "Joined") {
      const { by, documents, lines } = relation
      const problem = `its documents are in the sheet "${documents}" and their lines in the sheet "${lines}", joined by the column "${by}"`
      const fix =
        "Export one sheet with one row per line, which repeats the number, the date and the buyer of the document"
      return yield* unreadable(file, new Refusal(problem, fix))
    }
    return yield* whichSheet(file, "more than one sheet has rows: which sheets count?", relation.groups)
  })

/** Between the names of sheets that are read together. Excel allows it in no name. */
const separator = "/"

const whichSheet = (file: string, question: string, candidates: ReadonlyArray<ReadonlyArray<string>>) =>
  asked({
    id: "sheet",
    file,
    question,
    readings: candidates.map((names) => ({
      reading: `the ${names.length === 1 ? "sheet" : "sheets"} ${names.map((name) => `"${name}"`).join(", ")}`,
      examples: [],
      answer: { settings: { sheet: names.join(separator) } }
    }))
  })

const troubles: Table["table"]["troubles"] = {
  error: XlsxFinding.XLSX_ERROR_CELL,
  uncalculated: XlsxFinding.XLSX_FORMULA_NOT_CALCULATED,
  outside: XlsxFinding.XLSX_OTHER_WORKBOOK,
  digits: XlsxFinding.XLSX_DIGITS_LOST,
  "low date": XlsxFinding.XLSX_DATE_TOO_EARLY,
  unreadable: XlsxFinding.XLSX_CELL_UNREADABLE,
  date: XlsxFinding.XLSX_DATE_AS_TEXT,
  format: XlsxFinding.XLSX_NUMBER_SHOWN_OTHERWISE,
  hidden: XlsxFinding.XLSX_ROW_HIDDEN
}

const transcribe = async (
  workbook: Workbook.Workbook,
  texts: SharedStrings,
  { part }: Workbook.Sheet,
  rows: Spool.Spool
): Promise<SheetFacts> => {
  const writer = new Writer()
  const reader = new SheetReader(workbook, texts, writer)
  await XmlPart.read(part, Workbook.main, workbook.archive.bytes(part), reader, () => {
    if (writer.size > flushed) Spool.append(rows, writer.take())
    return false
  })
  const facts = reader.facts()
  Spool.append(rows, writer.take())
  return facts
}

type SheetList = readonly [Workbook.Sheet, ...ReadonlyArray<Workbook.Sheet>]

const sheetsOf = (
  file: string,
  workbook: Workbook.Workbook,
  texts: SharedStrings,
  settings: SheetSettings
): Effect.Effect<SheetList, Adapter.AdapterError> =>
  Effect.gen(function* () {
    const { sheets } = workbook
    if (settings.sheet !== undefined) {
      const one = sheetNamed(sheets, settings.sheet)
      const names = one === undefined ? settings.sheet.split(separator) : []
      const named = one === undefined ? names.map((name) => sheetNamed(sheets, name)) : [one]
      const [first, ...others] = named.filter((sheet) => sheet !== undefined)
      if (first !== undefined && others.length + 1 === named.length) return [first, ...others] as const
      const unknown = names.find((name) => sheetNamed(sheets, name) === undefined) ?? settings.sheet
      const all = sheets.map(({ name }) => `"${name}"`).join(", ")
      return yield* unreadable(file, new Refusal(`it has no sheet "${unknown}"`, `Its sheets are ${all || "none"}`))
    }
    const visible = sheets.filter(({ visible }) => visible)
    const [single] = visible
    if (single !== undefined && visible.length === 1) return [single] as const
    const filled = yield* Effect.filter(visible, (sheet) => parsed(file, () => isFilled(workbook, texts, sheet)))
    const [first, ...others] = filled
    if (first !== undefined) return [first, ...others] as const
    return yield* sheets.length === visible.length
      ? unreadable(file, new Refusal("it has no sheet with anything in it", "Export it again"))
      : whichSheet(
          file,
          "all sheets with anything in them are hidden",
          sheets.map(({ name }) => [name])
        )
  })

const sheetNamed = (sheets: ReadonlyArray<Workbook.Sheet>, named: string): Workbook.Sheet | undefined =>
  sheets.find(({ name }) => name === named) ?? sheets.find(({ name }) => name.toLowerCase() === named.toLowerCase())

const isFilled = async (workbook: Workbook.Workbook, texts: SharedStrings, { part }: Workbook.Sheet) => {
  const reader = new SheetReader(workbook, texts, new Writer())
  await XmlPart.read(part, Workbook.main, workbook.archive.bytes(part), reader, () => reader.filled)
  return reader.filled
}

const shown = 3

const hiddenRows = (file: string, rows: ReadonlyArray<number>): Adapter.Question => {
  const examples = rows.slice(0, shown).map((row) => `row ${row}`)
  const more = rows.length > shown ? `, ${rows.length} in all` : ""
  return {
    id: "hiddenRows",
    file,
    question: `rows with something in them are hidden (${examples.join(", ")}${more})`,
    readings: [
      { reading: "they count like the others", examples, answer: { settings: { hiddenRows: "read" } } },
      { reading: "they are left out", examples, answer: { settings: { hiddenRows: "skip" } } }
    ]
  }
}

const coveredBy = ({ merged }: SheetFacts): Table["table"]["covered"] => {
  const byColumn = new Map<number, Array<SheetFacts["merged"][number]>>()
  for (const area of merged)
    if (area.bottom > area.top)
      for (let column = area.left; column <= area.right; column++) {
        const known = byColumn.get(column)
        if (known === undefined) byColumn.set(column, [area])
        else known.push(area)
      }
  if (byColumn.size === 0) return undefined
  for (const areas of byColumn.values()) areas.sort((a, b) => a.top - b.top)
  return (line, cell) => {
    const areas = byColumn.get(cell + 1) ?? []
    let [low, high] = [0, areas.length - 1]
    while (low <= high) {
      const middle = (low + high) >> 1
      const { bottom, top } = areas[middle]!
      if (line <= top) high = middle - 1
      else if (line > bottom) low = middle + 1
      else return true
    }
    return false
  }
}

const mergedHeader = ({ merged }: SheetFacts, line: number) => {
  const found = merged.filter(({ bottom, top }) => top <= line && line <= bottom)
  if (found.length === 0) return undefined
  const names = found.slice(0, shown).map(({ name }) => name)
  return {
    text: `its header in row ${line} has merged cells (${names.join(", ")}), so that columns have no name of their own`,
    fix: "Unmerge them and give every column its name"
  }
}

const statementsOf = (
  { struck, words }: SheetFacts,
  comments: ReadonlyArray<readonly [cell: string, text: string]>,
  { sheets }: Workbook.Workbook,
  sheet: Workbook.Sheet
): ReadonlyArray<Statement.Statement> => {
  const named = (
    place: Statement.Statement["place"],
    name: string,
    samples: ReadonlyArray<string>
  ): Statement.Statement => ({
    place,
    name,
    samples,
    values: "texts",
    treatment: "named"
  })
  return [
    ...sheets.flatMap(({ name, visible }): ReadonlyArray<Statement.Statement> =>
      name === sheet.name || !visible
        ? []
        : [{ ...named("sheet", name, []), treatment: "answered", reason: "another sheet is read" }]
    ),
    ...comments.map(([cell, text]) => named("cell comment", cell, [ExportStatements.sampleOf(text)])),
    ...struck.slice(0, 1).map((cell) => named("struck cell", cell, struck)),
    ...Array.from(words, ([text, cells]) => named("number format", text, cells))
  ]
}

const findingsOf = (
  file: string,
  { calculated, hidden, hiddenColumns, merged }: SheetFacts,
  { sheets }: Workbook.Workbook,
  sheet: Workbook.Sheet,
  { hiddenRows }: SheetSettings
): ReadonlyArray<Finding.Finding> => {
  const found: Array<Finding.Finding> = []
  const at = (cell: string) => ({ file, sheet: sheet.name, cell, line: Number(/\d+/.exec(cell)?.[0]) })
  const unread = sheets.filter((other) => other !== sheet && !other.visible)
  if (unread.length > 0) {
    const detail = unread.map(({ name }) => `"${name}"`).join(", ")
    found.push(Finding.make(XlsxFinding.XLSX_SHEETS_HIDDEN, { detail, at: { file } }))
  }
  const [firstHidden] = hidden
  if (firstHidden !== undefined) {
    const detail = `${counted(hidden.length, "row")}, ${hiddenRows === "skip" ? "passed over" : "read like the others"}`
    found.push(Finding.make(XlsxFinding.XLSX_ROWS_HIDDEN, { detail, at: at(`A${firstHidden}`) }))
  }
  if (hiddenColumns.length > 0) {
    const [detail, column] = [hiddenColumns.join(", "), hiddenColumns[0]!]
    found.push(Finding.make(XlsxFinding.XLSX_COLUMNS_HIDDEN, { detail, at: { file, sheet: sheet.name, cell: column } }))
  }
  if (calculated.count > 0) {
    const detail = `${counted(calculated.count, "cell")}, the first of them here`
    found.push(Finding.make(XlsxFinding.XLSX_CALCULATED_VALUES, { detail, at: at(calculated.first) }))
  }
  const [first] = merged
  if (first !== undefined) {
    const detail = `${counted(merged.length, "area")}, the first is ${first.name}`
    found.push(Finding.make(XlsxFinding.XLSX_CELLS_MERGED, { detail, at: at(first.name) }))
  }
  return found
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`
