/** How the submissions stand, read from the store alone: it works with every worker dead. */
import { DateTime, Duration } from "effect"
import type { DocumentNumber, RequestId } from "../document/Identifiers.ts"
import type { LaneView } from "./Lane.ts"
import type { SubmissionKey } from "./PlannedDocument.ts"
import type { RequestIdBy, State } from "./Submission.ts"

/** How one lane stands. */
export interface LaneHealth extends LaneView {
  readonly counts: Readonly<Partial<Record<State, number>>>
  /** Since when the oldest submission has been in the state, for every state that is not final. */
  readonly oldest: Readonly<Partial<Record<State, DateTime.Utc>>>
}

/** A request that was accepted, and that no status has mentioned. */
export interface UnansweredRequest {
  readonly key: SubmissionKey
  readonly number: DocumentNumber
  readonly lane: string
  readonly requestId: RequestId
  /** Whose word the request id is. */
  readonly by: RequestIdBy
  readonly since: DateTime.Utc
  /** How often the gateway was asked for it. */
  readonly looks: number
}

/** Imports that are not over, the oldest first, at most 20 of each. */
export interface OpenImports {
  /** Accepted, and documents of them wait to be handed over. */
  readonly waiting: ReadonlyArray<{ readonly id: number; readonly account: string; readonly documents: number }>
  /** Handed over, and the store did not take some of its documents. */
  readonly incomplete: ReadonlyArray<{ readonly id: number; readonly account: string }>
  /** An earlier version broke off while it handed them over: documents of the files may be missing. */
  readonly unfinished: ReadonlyArray<{ readonly id: number; readonly account: string }>
}

/** How everything in the store stands. */
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
  /** Imports that are not over. */
  readonly imports: OpenImports
  /** The oldest of each account, at most 20. */
  readonly unanswered: ReadonlyArray<UnansweredRequest>
}

/** One reason for a person to look, in words. */
export interface Concern {
  readonly code:
    | "STOPPED"
    | "UNKNOWN"
    | "HELD"
    | "EXPIRED"
    | "HORIZON_NEAR"
    | "UNANSWERED"
    | "STUCK"
    | "IMPORT_WAITS"
    | "IMPORT_INCOMPLETE"
    | "IMPORT_BROKE_OFF"
    | "CONFLICT"
    | "UNMATCHED"
  readonly lane: string | null
  readonly text: string
}

/** From when on somebody must look. */
export interface HealthLimits {
  /** The alarm before retention ends. Default 2 days: 5 of 7 days are gone. */
  readonly retentionWarning?: Duration.Duration
  /** How long anything may stay Planned, Sending or Accepted. Default 1 day. */
  readonly longestWait?: Duration.Duration
  /** How long an Accepted may go unmentioned by any status. Default 1 hour; one whose request id a person gave, until the gateway has been asked. */
  readonly unansweredAfter?: Duration.Duration
}

const hours = (seconds: number) => `${Math.floor(seconds / 3600)} h`

const named = 5

const unansweredText = (requests: ReadonlyArray<UnansweredRequest>): string => {
  const each = requests.slice(0, named).map(({ by, looks, number, requestId }) => {
    const asked = looks === 0 ? "not asked for yet" : `asked for ${looks === 1 ? "once" : `${looks} times`}`
    return `${number} (request id ${requestId}${by === "operator" ? ", given by a person" : ""}; ${asked})`
  })
  // the list itself ends somewhere
  const more = requests.length > named ? " and others" : ""
  return `Accepted, and no status has mentioned it: ${each.join(", ")}${more}`
}

/** What a person must look at, worst first; nothing when all is well. */
export const concerns = (health: Health, limits: HealthLimits = {}): ReadonlyArray<Concern> => {
  const {
    retentionWarning = Duration.days(2),
    longestWait = Duration.days(1),
    unansweredAfter = Duration.hours(1)
  } = limits
  const found: Array<Concern> = []
  const say = (code: Concern["code"], lane: string | null, text: string) => found.push({ code, lane, text })
  for (const { account, documents, id } of health.imports.waiting)
    say("IMPORT_WAITS", null, `${documents} documents of import ${id} (account ${account}) wait to be handed over`)
  for (const { account, id } of health.imports.incomplete)
    say("IMPORT_INCOMPLETE", null, `documents of import ${id} (account ${account}) were not planned, and are not sent`)
  for (const { account, id } of health.imports.unfinished)
    say("IMPORT_BROKE_OFF", null, `import ${id} (account ${account}) broke off: documents of its files may be missing`)
  if (health.conflicts > 0) say("CONFLICT", null, `${health.conflicts} contradictions to be looked at`)
  for (const { counts, lane, oldest, stop } of health.lanes) {
    const age = (state: State) =>
      oldest[state] === undefined ? 0 : Duration.toSeconds(DateTime.distance(oldest[state], health.at))
    if (stop !== null) say("STOPPED", lane, `lane ${lane} is stopped (${stop.cause}): ${stop.because}`)
    if (counts.Unknown) say("UNKNOWN", lane, `${counts.Unknown} of unknown outcome; lane ${lane} waits for them`)
    if (counts.Expired) say("EXPIRED", lane, `${counts.Expired} the gateway no longer answers for`)
    const unanswered = health.unanswered.filter(
      ({ by, looks, lane: own, since }) =>
        own === lane &&
        (Duration.isGreaterThanOrEqualTo(DateTime.distance(since, health.at), unansweredAfter) ||
          (by === "operator" && looks > 0))
    )
    if (unanswered.length > 0) say("UNANSWERED", lane, unansweredText(unanswered))
    if (counts.Held) say("HELD", lane, `${counts.Held} held`)
    for (const state of ["Planned", "Sending", "Accepted"] as const) {
      if (age(state) > Duration.toSeconds(longestWait)) {
        say("STUCK", lane, `the oldest ${state} in lane ${lane} has waited ${hours(age(state))}`)
      }
    }
  }
  const left = health.secondsToHorizon
  if (left !== null && left < Duration.toSeconds(retentionWarning)) {
    say(
      "HORIZON_NEAR",
      null,
      left > 0 ? `an outcome can be asked for only ${hours(left)} more` : "an outcome can no longer be asked for"
    )
  }
  if (health.unmatched > 0) say("UNMATCHED", null, `${health.unmatched} outcomes belong to no document we know`)
  return found
}
