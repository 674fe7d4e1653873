/** Kept in the store for `health` and all other processes. */
import { createHash } from "node:crypto"
import type { DateTime } from "effect"
import type { OperatorDecision } from "./OperatorRecord.ts"

/**
 * Origin of an observation.
 *
 * `opening`: an account was opened for sending. The subject is the account.
 * `days`: the list of Z-reports was read. The subject is the lane.
 * `counters`: the counters of closed days were compared with the store. The subject is the lane.
 */
export type NoticeSource = "opening" | "days" | "counters"

export interface Notice {
  readonly code: string
  /** Distinguishes facts with the same code: a fiscal day. Empty if the code is enough. */
  readonly detail: string
  readonly text: string
}

export interface KeptNotice extends Notice {
  readonly source: NoticeSource
  readonly subject: string
  readonly since: DateTime.Utc
  readonly seenAt: DateTime.Utc
  /**
   * Time when an operator acknowledged exactly this observation. Null if unacknowledged, or if the
   * observation has changed since.
   */
  readonly acknowledgedAt: DateTime.Utc | null
}

/**
 * Codes that an operator may acknowledge, because no action in this project ends these
 * observations.
 */
export const acknowledgeable: ReadonlySet<string> = new Set(["DAY_DIFFERS", "DAY_MISSING", "RECEIPT_NOT_OURS"])

/**
 * Returns the id of a difference: of its subject, name and figures, so that a difference that
 * changes by a cent is another one.
 */
export const idOf = ({ code, detail, subject, text }: Notice & Pick<KeptNotice, "subject">): string =>
  createHash("sha256")
    .update(JSON.stringify([subject, code, detail, text]))
    .digest("hex")
    .slice(0, 10)

export const differenceOf = (id: string): string => `difference ${id}`

export const acknowledgedBy = ({ act, subject, what }: Pick<OperatorDecision, "act" | "subject" | "what">) => {
  if (act !== "acknowledge-day") return null
  const [, day, lane] = /^fiscal day (\S+) of (.*)$/s.exec(subject) ?? []
  const [, code, text] = /^(\w+): (.*)$/s.exec(what) ?? []
  return day === undefined || code === undefined
    ? subject.slice(differenceOf("").length)
    : idOf({ subject: lane!, code, detail: day, text: text! })
}

export type ReconcileCode = "SOURCE_NOT_HERE" | "NOT_IN_SOURCE" | "SALES_IN_TWO_SYSTEMS"

export type DayAcknowledgement =
  | { readonly _tag: "Acknowledged"; readonly codes: ReadonlyArray<string> }
  | { readonly _tag: "Refused"; readonly text: string }
