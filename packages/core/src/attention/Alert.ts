/**
 * Changes in the health of the submissions: codes, lanes and counts, without data of a document or
 * a buyer.
 */
import { DateTime, type Effect } from "effect"
import type { AttentionItem } from "./Attention.ts"
import type { AttentionCode } from "./AttentionCode.ts"

export type AlertTarget =
  /** An executable and its arguments, run without a shell. */
  | { readonly _tag: "Command"; readonly argv: readonly [string, ...ReadonlyArray<string>] }
  /** An https address, or http on this machine. */
  | { readonly _tag: "Url"; readonly url: string }

/** Delivers the event. Fails with a description of the problem. */
export type Deliver = (event: AlertEvent) => Effect.Effect<void, string>

/**
 * One reason to look, as reported. `text` contains only our own words, because texts of a gateway
 * may quote a buyer.
 */
export interface AlertConcern extends Pick<AttentionItem, "account" | "cause" | "lane" | "text"> {
  readonly code: AttentionCode | "STORE_UNAVAILABLE"
}

export interface AlertEvent {
  readonly event: "health-changed"
  /** ISO 8601, UTC. */
  readonly at: string
  /** `look`: an operator has to act. */
  readonly health: "well" | "look"
  readonly concerns: ReadonlyArray<AlertConcern>
  readonly over: ReadonlyArray<string>
}

/**
 * Returns the identity of a concern, independent of its text: `CODE`, followed by the cause, and by
 * the lane or account if there is one.
 */
export const nameOf = ({
  account,
  cause,
  code,
  lane
}: Pick<AlertConcern, "account" | "cause" | "code" | "lane">): string =>
  [code, cause, lane ?? account].filter((part) => part !== null).join(" ")

export const concernsOf = (items: ReadonlyArray<AttentionItem>): ReadonlyArray<AlertConcern> =>
  items.map(({ account, cause, code, lane, plain }) => ({ code, cause, account, lane, text: plain }))

export const event = (
  at: DateTime.Utc,
  concerns: ReadonlyArray<AlertConcern>,
  before: ReadonlyArray<string>
): AlertEvent => {
  const now = new Set(concerns.map(nameOf))
  return {
    event: "health-changed",
    at: DateTime.formatIso(at),
    health: concerns.length === 0 ? "well" : "look",
    concerns,
    over: before.filter((name) => !now.has(name))
  }
}
