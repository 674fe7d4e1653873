/** What is known not to hold yet, and why: counted apart, and taken out when it is closed. */
import type { Run } from "../day/Day.ts"
import type { Law, Violation } from "./Law.ts"

export interface KnownHole {
  readonly law: Law
  readonly text: RegExp
  readonly because: string
}

export const knownHoles: ReadonlyArray<KnownHole> = []

/** What does not hold because a person took an older copy for the store: what was sent after it was made is known to nobody. */
const afterOlderCopy: KnownHole = {
  law: "double",
  text: /./,
  because: "a person took an older copy for the store, and what was sent after it was made is lost"
}

/** What was told of it, and a person's decision, hold all the same. */
const alwaysHold: ReadonlySet<Law> = new Set<Law>([
  "store",
  "defect",
  "leak",
  "spinning",
  "transition",
  "fence",
  "forgery"
])

/** Violations of a run that nothing explains. */
export const unexplained = ({ isApart, violations }: Pick<Run, "isApart" | "violations">): ReadonlyArray<Violation> =>
  violations.filter((violation) => holeOf({ isApart }, violation) === undefined)

export const holeOf = ({ isApart }: Pick<Run, "isApart">, violation: Violation): KnownHole | undefined =>
  isApart && !alwaysHold.has(violation.law) ? afterOlderCopy : knownHoleOf(violation)

const knownHoleOf = ({ law, text }: Violation): KnownHole | undefined =>
  knownHoles.find((hole) => hole.law === law && hole.text.test(text))
