import * as Finding from "../finding/Finding.ts"
import type { SeenAssumption } from "./KnowYourGateway.ts"

export interface Check {
  readonly name: string
  readonly state: "fine" | "look" | "broken" | "not-asked"
  readonly text: string
  readonly findings: ReadonlyArray<Finding.Finding>
  /** Observations about the numbered assumptions. Only of the check `assumptions`. */
  readonly assumptions?: ReadonlyArray<SeenAssumption>
}

export const check = (name: string, text: string, findings: ReadonlyArray<Finding.Finding> = []): Check => ({
  name,
  text,
  findings,
  state: findings.some(Finding.refuses) ? "broken" : findings.length > 0 ? "look" : "fine"
})

/** Makes a check that could not run. `text` is the reason. */
export const notAsked = (name: string, text: string): Check => ({ name, text, state: "not-asked", findings: [] })
