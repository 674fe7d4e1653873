/** What a person says about CSV files before they are read. */
import type { Currency } from "../values/NumberForm.ts"
import type { ColumnMap } from "./ColumnMap.ts"
import type { Settings } from "./Settings.ts"

export interface CsvOptions {
  /** Which column stands for what; without it the header must be one we know. */
  readonly columns?: ColumnMap
  /** What the person has settled; it goes before the column map's own settings. */
  readonly settings?: Settings
  /** The one preset to read the file by, by its name. */
  readonly layout?: string
  /** The currencies of the mapping book: their spellings are read beside figures, and held against the currency that a document states. */
  readonly currencies?: ReadonlyArray<Currency>
}
