import * as Finding from "../finding/Finding.ts"
import type { SeenAssumption } from "./KnowYourGateway.ts"

export interface Check {
  readonly name: string
  readonly state: "fine" | "look" | "broken" | "not-asked"
  readonly said: string
  readonly findings: ReadonlyArray<Finding.Finding>
  /** Observations about the numbered assumptions. Only of the check `assumptions`. */
  readonly assumptions?: ReadonlyArray<SeenAssumption>
}

export const check = (name: string, said: string, findings: ReadonlyArray<Finding.Finding> = []): Check => ({
  name,
  said,
  findings,
  state: findings.some(Finding.refuses) ? "broken" : findings.length > 0 ? "look" : "fine"
})

/** Makes a check that could not run. `said` is the reason. */
export const notAsked = (name: string, said: string): Check => ({ name, said, state: "not-asked", findings: [] })
