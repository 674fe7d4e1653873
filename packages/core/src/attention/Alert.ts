/** What is told when the health of the submissions changes: codes, lanes and counts, and nothing of a document or a buyer. */
import { DateTime, type Effect } from "effect"
import type { AttentionItem } from "./Attention.ts"
import type { AttentionCode } from "./AttentionCode.ts"

/** Who is told. */
export type AlertTarget =
  /** An executable and its arguments; no shell reads them. */
  | { readonly _tag: "Command"; readonly argv: readonly [string, ...ReadonlyArray<string>] }
  /** https, or http on this machine. */
  | { readonly _tag: "Url"; readonly url: string }

/** Hands the event over; fails with what went wrong, in words. */
export type Deliver = (event: AlertEvent) => Effect.Effect<void, string>

/** One reason to look, as it is told; `text` is ours alone, for what a gateway said may quote a buyer. */
export interface AlertConcern {
  readonly code: AttentionCode | "STORE_UNAVAILABLE"
  /** What exactly, as AttentionItem has it. */
  readonly cause: string | null
  readonly account: string | null
  readonly lane: string | null
  readonly text: string
}

/** What a command reads from its standard input, or a URL is sent. */
export interface AlertEvent {
  readonly event: "health-changed"
  /** ISO 8601, UTC. */
  readonly at: string
  /** `look`: somebody has to. */
  readonly health: "well" | "look"
  /** What is to be looked at now. */
  readonly concerns: ReadonlyArray<AlertConcern>
  /** What was told before and is over, as `nameOf` names it. */
  readonly over: ReadonlyArray<string>
}

/** Which concern it is, however its text changes: `CODE`, followed by the cause and by the lane or account where there is one. */
export const nameOf = ({
  account,
  cause,
  code,
  lane
}: Pick<AlertConcern, "account" | "cause" | "code" | "lane">): string =>
  [code, cause, lane ?? account].filter((part) => part !== null).join(" ")

/** The items of attention, as they are told. */
export const told = (items: ReadonlyArray<AttentionItem>): ReadonlyArray<AlertConcern> =>
  items.map(({ account, cause, code, lane, plain }) => ({ code, cause, account, lane, text: plain }))

/** `before`: the names that were told last. */
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
