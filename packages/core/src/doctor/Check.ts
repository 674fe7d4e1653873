/** One thing that the doctor looks at. */
import * as Finding from "../finding/Finding.ts"

/** One thing looked at. `not-asked`: what comes before it failed. */
export interface Check {
  readonly name: string
  readonly state: "fine" | "look" | "broken" | "not-asked"
  /** What was seen. */
  readonly said: string
  /** Why it is not fine, each with its next step. */
  readonly findings: ReadonlyArray<Finding.Finding>
}

/** Makes a check whose state is that of its worst finding. */
export const check = (name: string, said: string, findings: ReadonlyArray<Finding.Finding> = []): Check => ({
  name,
  said,
  findings,
  state: findings.some(Finding.refuses) ? "broken" : findings.length > 0 ? "look" : "fine"
})

/** Makes a check that could not be made; `said` is why. */
export const notAsked = (name: string, said: string): Check => ({ name, said, state: "not-asked", findings: [] })
