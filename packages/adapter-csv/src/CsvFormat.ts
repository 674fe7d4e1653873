/** The adapter for CSV with everything that a host offers beside reading: column maps and rows. */
import { CsvFinding } from "./finding/CsvFinding.ts"
import { presets } from "./formats/Presets.ts"
import * as MapFile from "./columns/MapFile.ts"
import { TextSettings } from "./columns/Settings.ts"
import * as RefusedRows from "./documents/RefusedRows.ts"
import { CsvDocument } from "./documents/CsvDocument.ts"
import * as Row from "./scan/Row.ts"
import * as AskedColumns from "./propose/AskedColumns.ts"
import * as ColumnProposal from "./propose/ColumnProposal.ts"
import type { CsvOptions } from "./columns/CsvOptions.ts"
import { adapter as csv } from "./CsvAdapter.ts"
import type { InputFile } from "@fiscal-connector/core/source/Adapter"
import type { SourceDocument } from "@fiscal-connector/core/source/SourceDocument"
import { Effect } from "effect"

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

/** Parts of a table that are the same in a text file and in a workbook. */
export const table = {
  /** Names of the known layouts. */
  layouts: presets.map(({ name }) => name),
  /** Code of a column map that cannot be used. */
  mapInvalid: CsvFinding.CSV_MAP_INVALID,
  /** Reads the text of a column map as an option. */
  map: (file: string, text: string) => Effect.map(MapFile.load(file, text), (columns) => ({ columns })),
  /** Returns the rows of a document just read, as in the file. */
  rows: rowsOf
}

export const adapter = {
  ...csv,
  extensions: [".csv", ".tsv", ".txt"],
  options: TextSettings,
  writeRefused: RefusedRows.write,
  table: {
    ...table,
    header: (file: InputFile, { settings }: CsvOptions) => ColumnProposal.headerOf(file, settings),
    columns: (file: InputFile, { settings }: CsvOptions) => ColumnProposal.columnsOf(file, settings),
    propose: (file: InputFile, { settings }: CsvOptions) => ColumnProposal.propose(file, settings),
    ask: AskedColumns.askedOf
  }
}
