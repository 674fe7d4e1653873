/** What a process last saw of an account or a device, kept in the store so that every other process and `health` know it. */
import type { DateTime } from "effect"

/**
 * Who looked. `opening`: an account was opened for sending; the subject is the account. `days`: the list of Z-reports was read; the subject
 * is the lane. `counters`: the counters of closed days were compared with the store; the subject is the lane.
 */
export type NoticeSource = "opening" | "days" | "counters"

/** One fact, as it was seen last. */
export interface Notice {
  /** The code of a finding or of a stop reason. */
  readonly code: string
  /** Distinguishes facts of one code: a fiscal day; empty where the code says it all. */
  readonly detail: string
  /** What was seen, in words. */
  readonly text: string
}

/** The same, as the store has it. */
export interface KeptNotice extends Notice {
  readonly source: NoticeSource
  /** The account or the lane. */
  readonly subject: string
  /** When it was seen first. */
  readonly since: DateTime.Utc
  /** When it was seen last, to within an hour. */
  readonly seenAt: DateTime.Utc
  /** When an operator acknowledged exactly this; null where it was not, or says something else since. */
  readonly acknowledgedAt: DateTime.Utc | null
}

/** Codes that an operator may acknowledge: nothing that is done here ends them. */
export const acknowledgeable: ReadonlySet<string> = new Set(["DAY_DIFFERS", "DAY_MISSING"])

/** What acknowledging a fiscal day resulted in. */
export type DayAcknowledgement =
  | { readonly _tag: "Acknowledged"; readonly codes: ReadonlyArray<string> }
  /** Nothing was changed. */
  | { readonly _tag: "Refused"; readonly because: string }
