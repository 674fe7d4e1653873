/** Rows of a document as in its file, every cell with its column name, for review. */
import type { SourceDocument } from "@fiscal-connector/core/source/SourceDocument"
import * as Row from "../scan/Row.ts"
import { CsvDocument } from "./CsvDocument.ts"

/** One row; cells beyond the header have no name. */
export interface SourceRow {
  /** Line number from 1; for a workbook the row number. */
  readonly line: number
  readonly cells: ReadonlyArray<string>
}

/** All rows of one document, with the column names. */
export interface SourceRows {
  /** Header as the file writes it. */
  readonly columns: ReadonlyArray<string>
  /** Rows in the order of the file; the group row of a report, if any, is first. */
  readonly rows: ReadonlyArray<SourceRow>
}

/** Returns the rows of a document; empty for a document of another adapter. */
export const of = (document: SourceDocument): SourceRows => {
  if (!(document instanceof CsvDocument)) return { columns: [], rows: [] }
  const { group, rows } = document
  return {
    columns: rows[0]?.origin.header ?? [],
    rows: [...(group === undefined ? [] : [group]), ...rows].map((row) => ({ line: row.line, cells: Row.cells(row) }))
  }
}
