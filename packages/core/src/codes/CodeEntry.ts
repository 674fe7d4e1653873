/** What a code that a person may meet means: one entry each, kept as docs/errors/CODE.md. */
import type { Severity } from "../finding/FindingCode.ts"
import type { Step } from "../finding/Step.ts"

export interface CodeEntry {
  readonly code: string
  /** The word that is shown in its place, where that is another: `credentials` for LANE_CREDENTIALS. */
  readonly alias?: string
  /** What kind of thing has the code, as "Finding about a CSV export". */
  readonly group: string
  /** Absent where nothing is refused or shown by it. */
  readonly severity?: Severity
  readonly meaning: string
  readonly consequence: string
  readonly fix: string
  /** What the connector can do about it, in this order. */
  readonly steps?: ReadonlyArray<Step>
}

/** The entry a person means, whatever the case; by its code, or by the word shown in its place. */
export const find = (entries: ReadonlyArray<CodeEntry>, named: string): CodeEntry | undefined => {
  const wanted = named.trim().toLowerCase()
  return (
    entries.find(({ code }) => code.toLowerCase() === wanted) ??
    entries.find(({ alias }) => alias?.toLowerCase() === wanted)
  )
}
