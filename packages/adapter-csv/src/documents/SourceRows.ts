/** The rows of a document as its file has them: every cell under the name of its column, to be looked at again. */
import type { SourceDocument } from "@fiscal-connector/core/source/SourceDocument"
import * as Row from "../scan/Row.ts"
import { CsvDocument } from "./CsvDocument.ts"

/** One row; cells beyond the header have no name. */
export interface SourceRow {
  /** Counted from 1; of a workbook the row's number. */
  readonly line: number
  readonly cells: ReadonlyArray<string>
}

/** All rows of one document, and what their columns are called. */
export interface SourceRows {
  /** The header as the file writes it. */
  readonly columns: ReadonlyArray<string>
  /** In the order of the file; the report's group row, where it is under one, is the first. */
  readonly rows: ReadonlyArray<SourceRow>
}

/** None of a document that another adapter has read. */
export const of = (document: SourceDocument): SourceRows => {
  if (!(document instanceof CsvDocument)) return { columns: [], rows: [] }
  const { group, rows } = document
  return {
    columns: rows[0]?.origin.header ?? [],
    rows: [...(group === undefined ? [] : [group]), ...rows].map((row) => ({ line: row.line, cells: Row.cells(row) }))
  }
}
