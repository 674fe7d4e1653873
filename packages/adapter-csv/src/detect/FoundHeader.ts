/** The header of a file as it was found, and what its columns are bound to. */
import type { Binding } from "../columns/Binding.ts"
import type { WholeMap } from "../columns/ColumnMap.ts"
import type { Separator } from "../scan/Dialect.ts"

export interface FoundHeader {
  readonly delimiter: Separator
  readonly line: number
  readonly cells: ReadonlyArray<string>
  /** How many cells a row may have: more than the header's, blank ones, where it is usual in this file. */
  readonly widest: number
  /** For people. */
  readonly name: string
  /** The preset's name. */
  readonly layout: string
  readonly map: WholeMap
  readonly binding: Binding
  /** `days`: its documents have no time of day. */
  readonly dates: "days" | undefined
}
