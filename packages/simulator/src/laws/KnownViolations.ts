/** Known violations with their reasons: counted separately, and removed from here once fixed. */
import type { Run } from "../day/Day.ts"
import type { Law, Violation } from "./Law.ts"

export interface KnownViolation {
  readonly because: string
}

/** Violations after an operator accepted an older copy: attempts after the copy are unknown. */
const afterOlderCopy: KnownViolation = {
  because: "an operator accepted an older copy of the store, and the sendings after the copy are lost"
}

/**
 * Violations after an operator overrode the quiet period: the last request may have arrived after
 * all.
 */
const afterOverride: KnownViolation = {
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

/** Returns the violations of a run without the known ones. */
export const unexplained = ({ violations, ...run }: Explained & Pick<Run, "violations">): ReadonlyArray<Violation> =>
  violations.filter((violation) => knownViolationOf(run, violation) === undefined)

type Explained = Pick<Run, "isHistoryLost" | "isOverridden" | "isUndetected">

export const knownViolationOf = (
  { isHistoryLost, isOverridden, isUndetected }: Explained,
  violation: Violation
): KnownViolation | undefined => {
  if (alwaysHold.has(violation.law)) return undefined
  // Even after an acceptance, planned documents are held, and the operator checks the portal before
  // sending.
  if (violation.law === "double" && !isUndetected && !isOverridden) return undefined
  return isHistoryLost ? afterOlderCopy : isOverridden ? afterOverride : undefined
}
