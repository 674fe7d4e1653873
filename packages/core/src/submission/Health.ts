/** How the submissions stand, read from the store alone: it works with every worker dead. */
import { DateTime, Duration } from "effect"
import type { LaneView } from "./Lane.ts"
import type { State } from "./Submission.ts"

export interface LaneHealth extends LaneView {
  readonly counts: Readonly<Partial<Record<State, number>>>
  /** Since when the oldest submission has been in the state, for every state that is not final. */
  readonly oldest: Readonly<Partial<Record<State, DateTime.Utc>>>
}

export interface Health {
  readonly at: DateTime.Utc
  readonly counts: Readonly<Partial<Record<State, number>>>
  readonly lanes: ReadonlyArray<LaneHealth>
  /** Until the first awaited request is no longer answered for; null when nothing is awaited. Negative when overdue. */
  readonly secondsToHorizon: number | null
  /** Conflicts nobody has settled. */
  readonly conflicts: number
  /** Outcomes whose request id belongs to no attempt we know. */
  readonly unmatched: number
}

/** One reason for a person to look, in words. */
export interface Concern {
  readonly code: "STOPPED" | "UNKNOWN" | "HELD" | "EXPIRED" | "HORIZON_NEAR" | "STUCK" | "CONFLICT" | "UNMATCHED"
  readonly lane: string | null
  readonly text: string
}

export interface HealthLimits {
  /** The alarm before the horizon. Default 2 days: 5 of 7 days are gone. */
  readonly horizonWarning?: Duration.Duration
  /** How long anything may stay Planned, Sending or Accepted. Default 1 day. */
  readonly longestWait?: Duration.Duration
}
