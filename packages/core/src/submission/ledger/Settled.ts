/**
 * Rules of settling a stated failure. Until then its attempt is open. `store/rows/SettledSql`
 * defines what is known of an attempt.
 */
import { Duration } from "effect"
import * as Patience from "./Patience.ts"

export type NoneBy = "not-processed" | "rejected" | "statement"

/**
 * Ways to settle a failure (docs/gateway.md#stat-9). `any`: the account's switch takes all
 * failures.
 */
export type SettledBy = "code" | "delivery" | "time" | "operator" | "any"

/** Time after which the same failure in every look settles it (STAT-9). */
export type SettlesAfter = Duration.Duration | "never" | "any"

/** Default of STAT-9. */
export const standardAfter: SettlesAfter = Patience.unproven.is

/**
 * Answer to the control: the id that no request has. `told-apart`: the gateway leaves this id out,
 * refuses the call, or states another text. `same`: it states the text of our request for this id
 * too.
 */
export type ControlAnswer = "told-apart" | "same" | "not-answered"

export type Ability = "able" | "unable" | "unknown"

export interface UnprovenFailure {
  readonly control: ControlAnswer
  /** `doubt`: the name of a PDF beside the failure. It does not prove a receipt. */
  readonly beside: "nothing" | "doubt"
  /** `rule`: has the code of a receipt rule, which is part of nothing of ours. */
  readonly code: "rule" | "none"
  readonly deliveredAt: number | null
  readonly looks: number
  /** Milliseconds between these looks in which the account could send. */
  readonly ableMillis: number
  /** Time since which the account could send without a gap. Null if it cannot. */
  readonly ableSince: number | null
  readonly ability: Ability
  readonly quietUntil: number
  /** Length of the attempt's quiet period in milliseconds. */
  readonly quiet: number
  /** `later-receipt`: a document of the lane that was accepted later has its receipt. */
  readonly lane: "later-receipt" | "no-later-receipt"
  readonly after: SettlesAfter
  readonly now: number
}

const needed = ({ after, quiet }: UnprovenFailure): number | null =>
  after === "never" || after === "any" ? null : Math.max(Duration.toMillis(after), quiet)

/** Returns the earliest time at which time alone settles the failure. Null if time never does. */
export const timeDecidesFrom = (failure: UnprovenFailure): number | null => {
  const whole = needed(failure)
  if (whole === null || failure.control === "same") return null
  const { ableMillis, ableSince, now, quietUntil } = failure
  const left = Math.max(0, whole - ableMillis)
  return Math.max(now + left, quietUntil, (ableSince ?? now) + Duration.toMillis(Patience.lastHours.is))
}

const byTime = (failure: UnprovenFailure): boolean => {
  const whole = needed(failure)
  const { ability, ableMillis, ableSince, lane, looks, now } = failure
  return (
    whole !== null &&
    ability === "able" &&
    ableMillis >= whole &&
    ableSince !== null &&
    now - ableSince >= Duration.toMillis(Patience.lastHours.is) &&
    looks >= Patience.leastLooks.is &&
    lane === "later-receipt"
  )
}

/**
 * Returns what settles the failure as stated in a look at `/status` or in a signed delivery. Null:
 * nothing yet, and the attempt stays open.
 */
export const settledBy = (failure: UnprovenFailure, source: "poll" | "webhook"): SettledBy | null => {
  const { after, beside, code, control, deliveredAt, now, quietUntil } = failure
  if (control === "same") return null
  if (code === "rule" && beside === "nothing") return "code"
  if (source === "webhook") return after === "any" ? "any" : null
  if (control === "not-answered") return null
  if (after === "any") return "any"
  if (now < quietUntil) return null
  if (deliveredAt !== null) return "delivery"
  return byTime(failure) ? "time" : null
}
