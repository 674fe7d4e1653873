import type { Severity } from "../finding/FindingCode.ts"
import type { Step } from "../finding/Step.ts"

export interface CodeEntry {
  readonly code: string
  /**
   * Text shown instead of the code: `credentials` for LANE_CREDENTIALS. Left out if the code itself
   * is shown.
   */
  readonly alias?: string
  readonly group: string
  /** Absent if the code refuses and reports nothing. */
  readonly severity?: Severity
  readonly meaning: string
  readonly consequence: string
  readonly fix: string
  readonly steps?: ReadonlyArray<Step>
}

export const anchorOf = (code: string): string => code.toLowerCase()

export const replacing = (code: string): ReadonlyArray<string> =>
  /^(held_)?person$/i.test(code)
    ? ["HELD_OPERATOR", "HELD_BEFORE_START", "HELD_OLDER_COPY", "HELD_REJECTION_UNCONFIRMED"]
    : [code]

/** Returns the entry with this code, or with this text shown instead of the code. Ignores case. */
export const find = (entries: ReadonlyArray<CodeEntry>, named: string): CodeEntry | undefined => {
  const wanted = named.trim().toLowerCase()
  return (
    entries.find(({ code }) => code.toLowerCase() === wanted) ??
    // HELD_older-copy, made of a stored cause
    entries.find(({ code }) => code.toLowerCase() === wanted.replaceAll("-", "_")) ??
    entries.find(({ alias }) => alias?.toLowerCase() === wanted)
  )
}
