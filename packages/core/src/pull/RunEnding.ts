/**
 * Decides whether a run of a source left work: the exit code of the command, and `ok` of the
 * promise package.
 */
import { isSettled, type State } from "../submission/Submission.ts"
import type { SyncReport } from "./Sync.ts"

/**
 * `open`: documents still wait for the gateway or for an operator. `refused`: documents cannot be
 * sent, or the gateway refused them. `done`: neither.
 */
export type RunEnding = "done" | "refused" | "open"

/** Returns how the run ended. A plan is done if it refuses nothing. */
export const of = ({ counts, settlement, states }: Pick<SyncReport, "counts" | "settlement" | "states">): RunEnding => {
  const all = Object.keys(states) as ReadonlyArray<State>
  if (all.some((state) => !isSettled(state)) || (settlement?.open ?? 0) > 0) return "open"
  return counts.refused > 0 || all.some((state) => state === "Rejected" || state === "Declined") ? "refused" : "done"
}
