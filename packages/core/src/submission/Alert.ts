/** What is told when the health of the submissions changes: codes, lanes and counts, and nothing of a document or a buyer. */
import { DateTime, type Effect } from "effect"
import { type Concern, concerns, type Health } from "./Health.ts"

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
  readonly code: Concern["code"] | "STORE_UNAVAILABLE"
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
  /** What was told before and is over, as `CODE` or `CODE lane`. */
  readonly over: ReadonlyArray<string>
}

/** Which concern it is, however its text changes: `CODE` or `CODE lane`. */
export const nameOf = ({ code, lane }: Pick<AlertConcern, "code" | "lane">): string =>
  lane === null ? code : `${code} ${lane}`

const textOf = ({ counts, lanes }: Health, { code, lane, text }: Concern): string => {
  const own = lanes.find((view) => view.lane === lane)
  switch (code) {
    case "STOPPED":
      return `lane ${lane} is stopped (${own?.stop?.cause ?? "no cause"})`
    case "UNANSWERED":
      return `${own?.counts.Accepted ?? counts.Accepted ?? 0} Accepted, and no status has mentioned some of them`
    default:
      return text
  }
}

/** The concerns of a state of health, as they are told. */
export const told = (health: Health): ReadonlyArray<AlertConcern> =>
  concerns(health).map((concern) => ({ code: concern.code, lane: concern.lane, text: textOf(health, concern) }))

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
