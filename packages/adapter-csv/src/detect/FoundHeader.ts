import type { Binding } from "../columns/Binding.ts"
import type { WholeMap } from "../columns/ColumnMap.ts"
import type { Separator } from "../scan/Dialect.ts"

export interface FoundHeader {
  readonly delimiter: Separator
  readonly line: number
  readonly cells: ReadonlyArray<string>
  readonly widest: number
  readonly name: string
  readonly layout: string
  readonly map: WholeMap
  readonly binding: Binding
  /** `days`: documents have no time of day. */
  readonly dates: "days" | undefined
}
