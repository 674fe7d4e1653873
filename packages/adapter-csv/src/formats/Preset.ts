/** A header we know, as data: which file it is, and how it is read. Only headers verified in real files stand in this room. */
import type { WholeMap } from "../columns/ColumnMap.ts"

export interface Preset {
  /** By which a person names it. */
  readonly name: string
  /** For people. */
  readonly title: string
  /** Columns that must be in the header, and columns that must not be, for the preset to be it. */
  readonly requires: ReadonlyArray<string>
  readonly without?: ReadonlyArray<string>
  /** `days`: its documents have no time of day. */
  readonly dates?: "days"
  readonly map: WholeMap
}

/** For exports that name no tax: the column a person adds to say it. */
export const addedTax = { code: "TaxCode" }
