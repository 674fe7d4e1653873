/** The CSV adapter, with what a host offers beside reading. */
import { CsvFinding } from "./finding/CsvFinding.ts"
import { presets } from "./formats/Presets.ts"
import * as MapFile from "./columns/MapFile.ts"
import { type Settings, TextSettings } from "./columns/Settings.ts"
import * as RefusedRows from "./documents/RefusedRows.ts"
import * as ReceiptRows from "./documents/ReceiptRows.ts"
import { CsvDocument } from "./documents/CsvDocument.ts"
import type { CorrectedCell } from "./scan/Table.ts"
import * as Row from "./scan/Row.ts"
import * as AskedColumns from "./propose/AskedColumns.ts"
import * as ColumnProposal from "./propose/ColumnProposal.ts"
import type { CsvOptions } from "./columns/CsvOptions.ts"
import { adapter as csv } from "./CsvAdapter.ts"
import type { Adapter, FindingCode, SourceDocument } from "@fiscal-connector/core/adapter"
import type { ImportedDocument } from "@fiscal-connector/core/session"
import { Effect, type Schema, type Stream } from "effect"

const rowsOf = (document: SourceDocument.SourceDocument) => {
  if (!(document instanceof CsvDocument)) return { columns: [], rows: [] }
  const { group, rows } = document
  return {
    columns: rows[0]?.origin.header ?? [],
    // the group row of a report is first
    rows: [...(group === undefined ? [] : [group]), ...rows].map((row) => ({ line: row.line, cells: Row.cells(row) }))
  }
}

/** Exports with columns, whose meaning a column map can state. */
export interface Table<Options> {
  readonly layouts: ReadonlyArray<string>
  /** Code of a column map that cannot be used. */
  readonly mapInvalid: FindingCode.FindingCode
  map(file: string, text: string): Effect.Effect<object, MapFile.ColumnMapError>
  /** Returns only the column names, which identify similar files. */
  header(file: Adapter.InputFile, options: Options): Effect.Effect<ReadonlyArray<string>, Adapter.AdapterError>
  /** Returns the columns as data, so that an operator can assign their meanings. */
  columns(
    file: Adapter.InputFile,
    options: Options
  ): Effect.Effect<ColumnProposal.ProposedColumns, Adapter.AdapterError>
  /** Proposes the text of a column map, with evidence. */
  propose(file: Adapter.InputFile, options: Options): Effect.Effect<string, Adapter.AdapterError>
  ask(file: Adapter.InputFile, options: Options): Effect.Effect<Adapter.AskedColumns, Adapter.AdapterError>
  /** Returns the rows of a document just read, as in the file. */
  rows(document: SourceDocument.SourceDocument): ReturnType<typeof rowsOf>
  /** Writes the file again, with the receipts of its documents in added columns. */
  receipts<E, R>(
    file: Adapter.InputFile,
    options: Options,
    documents: Stream.Stream<ReadonlyArray<ImportedDocument.ImportedDocument>, E, R>
  ): Stream.Stream<Uint8Array, Adapter.AdapterError | E, R>
  /** Returns the options with cells that are read as corrected. Absent for a text. */
  withCells?(options: Options, cells: ReadonlyArray<CorrectedCell>): Options
}

/** An adapter of tables, with what a host offers beside reading. */
export interface TableAdapter<Options> extends Adapter.Adapter<Options> {
  /** Endings of the files to look for in a folder. */
  readonly extensions: ReadonlyArray<string>
  readonly options: Schema.Decoder<Settings>
  readonly table: Table<Options>
  writeRefused: typeof RefusedRows.write
}

/** Parts of a table that are the same in a text file and in a workbook. */
export const table = {
  layouts: presets.map(({ name }) => name),
  mapInvalid: CsvFinding.CSV_MAP_INVALID,
  map: (file: string, text: string) => Effect.map(MapFile.load(file, text), (columns) => ({ columns })),
  rows: rowsOf
}

/** The adapter for CSV, with its settings and its columns. */
export const adapter: TableAdapter<CsvOptions> = {
  ...csv,
  extensions: [".csv", ".tsv", ".txt"],
  options: TextSettings,
  writeRefused: RefusedRows.write,
  table: {
    ...table,
    header: ColumnProposal.headerOf,
    columns: ColumnProposal.columnsOf,
    propose: ColumnProposal.propose,
    ask: AskedColumns.askedOf,
    receipts: ReceiptRows.write
  }
}
