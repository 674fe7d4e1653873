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

const hours = (seconds: number) => `${Math.floor(seconds / 3600)} h`

/** What a person must look at, worst first; nothing when all is well. */
export const concerns = (health: Health, limits: HealthLimits = {}): ReadonlyArray<Concern> => {
  const { horizonWarning = Duration.days(2), longestWait = Duration.days(1) } = limits
  const found: Array<Concern> = []
  const say = (code: Concern["code"], lane: string | null, text: string) => found.push({ code, lane, text })
  if (health.conflicts > 0) say("CONFLICT", null, `${health.conflicts} contradictions to be looked at`)
  for (const { counts, lane, oldest, stop } of health.lanes) {
    const age = (state: State) =>
      oldest[state] === undefined ? 0 : Duration.toSeconds(DateTime.distance(oldest[state], health.at))
    if (stop !== null) say("STOPPED", lane, `lane ${lane} is stopped (${stop.cause}): ${stop.because}`)
    if (counts.Unknown) say("UNKNOWN", lane, `${counts.Unknown} of unknown outcome; lane ${lane} waits for them`)
    if (counts.Expired) say("EXPIRED", lane, `${counts.Expired} the gateway no longer answers for`)
    if (counts.Held) say("HELD", lane, `${counts.Held} held`)
    for (const state of ["Planned", "Sending", "Accepted"] as const) {
      if (age(state) > Duration.toSeconds(longestWait)) {
        say("STUCK", lane, `the oldest ${state} in lane ${lane} has waited ${hours(age(state))}`)
      }
    }
  }
  const left = health.secondsToHorizon
  if (left !== null && left < Duration.toSeconds(horizonWarning)) {
    say(
      "HORIZON_NEAR",
      null,
      left > 0 ? `an outcome can be asked for only ${hours(left)} more` : "an outcome can no longer be asked for"
    )
  }
  if (health.unmatched > 0) say("UNMATCHED", null, `${health.unmatched} outcomes belong to no document we know`)
  return found
}
