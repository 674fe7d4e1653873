/** CSV exports of any dialect and layout as source documents. */
export * as ColumnMap from "./ColumnMap.ts"
export * as CsvAdapter from "./CsvAdapter.ts"
export * as CsvDocument from "./CsvDocument.ts"
export * as CsvFinding from "./CsvFinding.ts"
export * as MapFile from "./MapFile.ts"
export * as Settings from "./Settings.ts"
