/** What is known not to hold yet, and why: counted apart, and taken out when it is closed. */
import type { Run } from "../day/Day.ts"
import type { Law, Violation } from "./Law.ts"

export interface KnownHole {
  readonly because: string
}

/** What does not hold because a person took an older copy for the store: what was sent after it was made is known to nobody. */
const afterOlderCopy: KnownHole = {
  because: "a person took an older copy for the store, and what was sent after it was made is lost"
}

/** What does not hold because an operator overrode the quiet period: the last request may have arrived after all. */
const afterOverride: KnownHole = {
  because: "an operator overrode the quiet period, and the last request arrived after all"
}

/** What was told of it, and a person's decision, hold all the same. */
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

/** Violations of a run that nothing explains. */
export const unexplained = ({ violations, ...run }: Explained & Pick<Run, "violations">): ReadonlyArray<Violation> =>
  violations.filter((violation) => holeOf(run, violation) === undefined)

type Explained = Pick<Run, "isApart" | "isOverridden" | "isUntold">

export const holeOf = ({ isApart, isOverridden, isUntold }: Explained, violation: Violation): KnownHole | undefined => {
  if (alwaysHold.has(violation.law)) return undefined
  // what was planned is held, and an operator looks at the portal before it is sent
  if (violation.law === "double" && !isUntold && !isOverridden) return undefined
  return isApart ? afterOlderCopy : isOverridden ? afterOverride : undefined
}
