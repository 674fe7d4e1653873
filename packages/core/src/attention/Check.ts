/** One check of the doctor. */
import * as Finding from "../finding/Finding.ts"
import type { SeenAssumption } from "./KnowYourGateway.ts"

/** Result of one check. `not-asked`: an earlier check failed. */
export interface Check {
  readonly name: string
  readonly state: "fine" | "look" | "broken" | "not-asked"
  /** Observation of the check, as text for the user. */
  readonly said: string
  /** Findings that make the check `look` or `broken`, each with its next step. */
  readonly findings: ReadonlyArray<Finding.Finding>
  /** Observations about the numbered assumptions. Only of the check `assumptions`. */
  readonly assumptions?: ReadonlyArray<SeenAssumption>
}

/** Makes a check with the state of its worst finding. */
export const check = (name: string, said: string, findings: ReadonlyArray<Finding.Finding> = []): Check => ({
  name,
  said,
  findings,
  state: findings.some(Finding.refuses) ? "broken" : findings.length > 0 ? "look" : "fine"
})

/** Makes a check that could not run. `said` is the reason. */
export const notAsked = (name: string, said: string): Check => ({ name, said, state: "not-asked", findings: [] })
