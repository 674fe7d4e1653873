/**
 * Adapter for Excel workbooks (port in core, source/Adapter). A sheet is read with the rules and
 * questions of CSV files.
 */
import * as AskedColumns from "@fiscal-connector/adapter-csv/AskedColumns"
import * as ColumnProposal from "@fiscal-connector/adapter-csv/ColumnProposal"
import { adapter as csv, type CsvOptions, optionsOf, together, under } from "@fiscal-connector/adapter-csv/CsvAdapter"
import { table, type TableAdapter } from "@fiscal-connector/adapter-csv/CsvFormat"
import * as ReceiptRows from "@fiscal-connector/adapter-csv/ReceiptRows"
import { type Settings, WorkbookSettings } from "@fiscal-connector/adapter-csv/Settings"
import { type CorrectedCell, correctedBytes, type Table } from "@fiscal-connector/adapter-csv/Table"
import { Adapter, BookDrafting } from "@fiscal-connector/core/adapter"
import { Effect, type Scope, Stream } from "effect"
import * as OpenWorkbook from "./OpenWorkbook.ts"
import * as RefusedWorkbook from "./RefusedWorkbook.ts"

/** Options of CSV files; encoding, delimiter and quotes have no effect. */
export interface XlsxOptions extends CsvOptions {
  /** Cells that are read as corrected. Reading fails if a cell has another text than stated. */
  readonly cells?: ReadonlyArray<CorrectedCell>
}

const ofSheet =
  <A>(read: (table: Table, options: XlsxOptions) => Effect.Effect<A, Adapter.AdapterError>) =>
  (file: Adapter.InputFile, options: XlsxOptions = {}): Effect.Effect<A, Adapter.AdapterError> =>
    Effect.scoped(Effect.flatMap(OpenWorkbook.table(file, settingsOf(options)), (table) => read(table, options))).pipe(
      Effect.mapError(ours)
    )

const ours = ({ reason }: Adapter.AdapterError) => new Adapter.AdapterError({ adapter: "xlsx", reason })

/** Proposes a column map for a sheet, for an operator to review. */
export const propose = ofSheet(ColumnProposal.propose)

/** Returns only the column names of a sheet. */
export const headerOf = ofSheet(ColumnProposal.headerOf)

/** Returns the columns of a sheet as data, so that an operator can assign their meanings. */
export const columnsOf = ofSheet(ColumnProposal.columnsOf)

/** Returns the columns of a sheet as questions for the operator. */
export const askedOf = ofSheet(AskedColumns.askedOf)

/**
 * Reads workbooks. Every workbook is unpacked into a temporary file before the first reading. Fails
 * with `ReadingAmbiguous` if the operator has to choose a sheet or a reading, and with
 * `ExportUnreadable` if no reading is possible.
 */
export const adapter: TableAdapter<XlsxOptions> = {
  name: "xlsx",
  read: (input, options) =>
    Stream.unwrap(
      Effect.map(tables(input, settingsOf(options)), (files) =>
        csv.read({ files: files.map((file) => withCells(file, options)) }, options)
      )
    ).pipe(Stream.mapError(ours)),
  writeRefused: RefusedWorkbook.write,
  draftBook: (input, options) => BookDrafting.draft(adapter.read(input, options)),
  optionsOf,
  under,
  extensions: [".xlsx", ".xlsm"],
  options: WorkbookSettings,
  table: {
    ...table,
    header: headerOf,
    columns: columnsOf,
    propose,
    ask: askedOf,
    receipts: (file, options, documents) =>
      Stream.unwrap(
        Effect.gen(function* () {
          const [table, ...others] = yield* Effect.mapError(OpenWorkbook.tables(file, settingsOf(options)), ours)
          if (others.length > 0) return yield* severalSheets(file.name)
          const rows = yield* ReceiptRows.rows(table, options, documents)
          return RefusedWorkbook.ofRows(Stream.orDie(rows))
        })
      ),
    withCells: (options, cells) => ({ ...options, cells })
  }
}

/** A workbook with receipts has one sheet. */
const severalSheets = (file: string) =>
  new Adapter.AdapterError({
    adapter: "xlsx",
    reason: new Adapter.ExportUnreadable({
      file,
      problem: "its documents are in several sheets, and a workbook with receipts has one",
      fix: "Name one of the sheets, and import each separately",
      answers: [{ ask: "sheet" }]
    })
  })

const withCells = (file: Table, { cells = [] }: XlsxOptions): Table => ({
  ...file,
  bytes: correctedBytes(
    file,
    cells.filter(({ sheet = file.table.sheet }) => sheet === file.table.sheet)
  )
})

const settingsOf = ({ columns, settings }: XlsxOptions): Settings => ({ ...columns?.settings, ...settings })

const tables = (
  { files }: Adapter.Input,
  settings: OpenWorkbook.SheetSettings
): Effect.Effect<ReadonlyArray<Table>, Adapter.AdapterError, Scope.Scope> =>
  Effect.map(together(files.map((file) => OpenWorkbook.tables(file, settings))), (tables) => tables.flat())
