/**
 * A known header as data: its file format and its meaning. Presets exist only for headers verified
 * in real files.
 */
import type { WholeMap } from "../columns/ColumnMap.ts"

export interface Preset {
  /** Name in settings. */
  readonly name: string
  /** Name for users. */
  readonly title: string
  /** Required columns of the header, and columns that exclude the preset. */
  readonly requires: ReadonlyArray<string>
  readonly without?: ReadonlyArray<string>
  /** `days`: documents have no time of day. */
  readonly dates?: "days"
  readonly map: WholeMap
}

/** Column that the operator adds to an export without a tax name. */
export const addedTax = { code: "TaxCode" }
