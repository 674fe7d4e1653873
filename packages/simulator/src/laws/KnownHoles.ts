/** Known violations with their reasons: counted separately, and removed from here once fixed. */
import type { Run } from "../day/Day.ts"
import type { Law, Violation } from "./Law.ts"

export interface KnownHole {
  readonly because: string
}

/** Violations after an operator accepted an older copy: attempts after the copy are unknown. */
const afterOlderCopy: KnownHole = {
  because: "a person took an older copy for the store, and what was sent after it was made is lost"
}

/**
 * Violations after an operator overrode the quiet period: the last request may have arrived after
 * all.
 */
const afterOverride: KnownHole = {
  because: "an operator overrode the quiet period, and the last request arrived after all"
}

/** Laws that hold even then. */
const alwaysHold: ReadonlySet<Law> = new Set<Law>([
  "store",
  "witness",
  "request-id",
  "defect",
  "leak",
  "spinning",
  "transition",
  "fence",
  "forgery"
])

/** Returns the violations of a run that no known hole explains. */
export const unexplained = ({ violations, ...run }: Explained & Pick<Run, "violations">): ReadonlyArray<Violation> =>
  violations.filter((violation) => holeOf(run, violation) === undefined)

type Explained = Pick<Run, "isApart" | "isOverridden" | "isUntold">

export const holeOf = ({ isApart, isOverridden, isUntold }: Explained, violation: Violation): KnownHole | undefined => {
  if (alwaysHold.has(violation.law)) return undefined
  // Even after an acceptance, planned documents are held, and the operator checks the portal before
  // sending.
  if (violation.law === "double" && !isUntold && !isOverridden) return undefined
  return isApart ? afterOlderCopy : isOverridden ? afterOverride : undefined
}
