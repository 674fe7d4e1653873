/** Which submissions are asked for, and what is answered in lists. */
import type { DateTime } from "effect"
import type { State, Submission } from "./Submission.ts"

/** Which submissions are asked for. */
export interface ListQuery {
  readonly accounts?: ReadonlyArray<string>
  readonly lane?: string
  readonly states?: ReadonlyArray<State>
  /** Submissions after this `seq`. */
  readonly after?: number
  /** Submissions before this `seq`. */
  readonly before?: number
  /** The order of planning, or the other way round. Default `oldest-first`. */
  readonly order?: "oldest-first" | "newest-first"
  /** Of these, those that have it in their number, their identifier or the name of their buyer, whatever the case of ASCII letters. */
  readonly matching?: string
  /** Default 200. */
  readonly limit?: number
}

/** Which changes are asked for. */
export interface ChangeQuery {
  readonly accounts?: ReadonlyArray<string>
  /** A position. Default: from the first. */
  readonly after?: number
  /** Changes of this time and later. */
  readonly since?: DateTime.Utc
  /** `newest-first`: for whoever follows from now on, or asks whether anything has changed. Default `oldest-first`. */
  readonly order?: "oldest-first" | "newest-first"
  /** Default 200. */
  readonly limit?: number
}

/** A submission as it stands, at its place in the order in which submissions last changed. */
export interface ChangedSubmission {
  readonly submission: Submission
  /** Grows; what `after` of the next page is. */
  readonly position: number
  /** `recent`: what was committed at the same time may still come before it, so that a reader who keeps a place keeps an earlier one. */
  readonly order: "final" | "recent"
}

/** How many documents came to something in one stretch of time. */
export interface Activity {
  /** Where the stretch begins. */
  readonly from: DateTime.Utc
  readonly counts: Readonly<Partial<Record<State, number>>>
}
