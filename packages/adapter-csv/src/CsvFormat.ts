/** The adapter for CSV with everything that a host offers beside reading: column maps and rows. */
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
import type { FindingCode } from "@fiscal-connector/core/finding/FindingCode"
import type { Adapter, AdapterError, AskedColumns as Columns, InputFile } from "@fiscal-connector/core/source/Adapter"
import type { SourceDocument } from "@fiscal-connector/core/source/SourceDocument"
import type { ImportedDocument } from "@fiscal-connector/core/import/ImportedDocument"
import { Effect, type Schema, type Stream } from "effect"

/** Returns the rows of a document with the column names; empty for another adapter's document. */
const rowsOf = (document: SourceDocument) => {
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
  /** Names of the known layouts. */
  readonly layouts: ReadonlyArray<string>
  /** Code of a column map that cannot be used. */
  readonly mapInvalid: FindingCode
  /** Reads the text of a column map as an option. */
  map(file: string, text: string): Effect.Effect<object, MapFile.ColumnMapError>
  /** Returns only the column names, which identify similar files. */
  header(file: InputFile, options: Options): Effect.Effect<ReadonlyArray<string>, AdapterError>
  /** Returns the columns as data, so that an operator can assign their meanings. */
  columns(file: InputFile, options: Options): Effect.Effect<ColumnProposal.ProposedColumns, AdapterError>
  /** Proposes the text of a column map, with evidence. */
  propose(file: InputFile, options: Options): Effect.Effect<string, AdapterError>
  /** Returns the columns as questions. */
  ask(file: InputFile, options: Options): Effect.Effect<Columns, AdapterError>
  /** Returns the rows of a document just read, as in the file. */
  rows(document: SourceDocument): ReturnType<typeof rowsOf>
  /** Writes the file again, with the receipts of its documents in added columns. */
  receipts<E, R>(
    file: InputFile,
    options: Options,
    documents: Stream.Stream<ReadonlyArray<ImportedDocument>, E, R>
  ): Stream.Stream<Uint8Array, AdapterError | E, R>
  /** Returns the options with cells that are read as corrected. Absent for a text. */
  withCells?(options: Options, cells: ReadonlyArray<CorrectedCell>): Options
}

/** An adapter of tables, with what a host offers beside reading. */
export interface TableAdapter<Options> extends Adapter<Options> {
  /** Endings of the files to look for in a folder. */
  readonly extensions: ReadonlyArray<string>
  /** Schema of the settings that an operator can choose. */
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
