/** What is known not to hold yet, and why: counted apart, and taken out when it is closed. */
import type { Run } from "../day/Day.ts"
import type { Law, Violation } from "./Law.ts"

export interface KnownHole {
  readonly law: Law
  readonly text: RegExp
  readonly because: string
}

export const knownHoles: ReadonlyArray<KnownHole> = [
  {
    law: "store",
    text: /a copy whose acceptance was lost/,
    because:
      "an acceptance leaves no token of its own in store and witness (guard `acceptance` of the model, decision 017)"
  }
]

/** What does not hold because a person took an older copy for the store: what was sent after it was made is known to nobody. */
const afterOlderCopy: KnownHole = {
  law: "double",
  text: /./,
  because: "a person took an older copy for the store, and what was sent after it was made is lost"
}

/** What does not hold because an operator overrode the quiet period: the last request may have arrived after all. */
const afterOverride: KnownHole = {
  law: "double",
  text: /./,
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

type Explained = Pick<Run, "isApart" | "isOverridden">

export const holeOf = ({ isApart, isOverridden }: Explained, violation: Violation): KnownHole | undefined => {
  const byOperator = isApart ? afterOlderCopy : isOverridden ? afterOverride : undefined
  return alwaysHold.has(violation.law) ? knownHoleOf(violation) : (byOperator ?? knownHoleOf(violation))
}

const knownHoleOf = ({ law, text }: Violation): KnownHole | undefined =>
  knownHoles.find((hole) => hole.law === law && hole.text.test(text))
