/** Header of a file, and the binding of its columns. */
import type { Binding } from "../columns/Binding.ts"
import type { WholeMap } from "../columns/ColumnMap.ts"
import type { Separator } from "../scan/Dialect.ts"

export interface FoundHeader {
  readonly delimiter: Separator
  readonly line: number
  readonly cells: ReadonlyArray<string>
  /**
   * Largest number of cells in a row: more than the header, with blank cells, if usual in this
   * file.
   */
  readonly widest: number
  /** Name for users. */
  readonly name: string
  /** Name of the preset. */
  readonly layout: string
  readonly map: WholeMap
  readonly binding: Binding
  /** `days`: documents have no time of day. */
  readonly dates: "days" | undefined
}
