/** How one file is read: everything settled, nothing left to guess. */
import type { Binding } from "./Binding.ts"
import type { DateOrder } from "./DateForm.ts"
import type { DecimalMark } from "./NumberForm.ts"
import type { RowOrigin } from "./Row.ts"
import type { Settings } from "./Settings.ts"
import type { Vocabulary } from "./Vocabulary.ts"

export type Layout = "rows" | "continuation" | "report"

export interface Interpretation {
  readonly origin: RowOrigin
  /** Bytes before the first record: a byte order mark, a `sep=` line. */
  readonly start: { readonly offset: number; readonly line: number }
  /** The line on which the header begins; everything before it is a title. */
  readonly headerLine: number
  readonly layout: Layout
  readonly binding: Binding
  readonly vocabulary: Vocabulary
  readonly decimalMark: DecimalMark
  readonly dateOrder: DateOrder
  /** Times in the date column are in UTC, as its name says. */
  readonly utc: boolean
  readonly settings: Settings
}
