/**
 * A known header as data: its file format and its meaning. Presets exist only for headers verified
 * in real files.
 */
import type { WholeMap } from "../columns/ColumnMap.ts"

export interface Preset {
  readonly name: string
  readonly title: string
  readonly requires: ReadonlyArray<string>
  readonly without?: ReadonlyArray<string>
  /** `days`: documents have no time of day. */
  readonly dates?: "days"
  readonly map: WholeMap
}

export const addedTax = { code: "TaxCode" }
