import type { Currency } from "../values/NumberForm.ts"
import type { ColumnMap } from "./ColumnMap.ts"
import type { Settings } from "./Settings.ts"

export interface CsvOptions {
  /** Column map; without a map, the header must be a known one. */
  readonly columns?: ColumnMap
  /** Settings of the operator; they take precedence over the column map's settings. */
  readonly settings?: Settings
  /** Name of the preset to read the file by. */
  readonly layout?: string
  /**
   * Currencies of the mapping book: spellings are recognized next to figures, and compared with the
   * currency that a document states.
   */
  readonly currencies?: ReadonlyArray<Currency>
}
