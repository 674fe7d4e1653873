/**
 * The one definition of what is known of an attempt: a receipt exists, no receipt exists, or it is
 * open. A document is free only if no attempt of it is `receipt` or `open`.
 *
 * Pure. `store/rows/SettledSql` is the same definition in SQL; a test compares both.
 */
import { Duration } from "effect"
import * as Patience from "./Patience.ts"

/**
 * Evidence on an attempt: a stored outcome. `own`: stated about the attempt's present request id.
 * A `Contradictory` one is not evidence any more when an operator has decided since.
 */
export interface SettledEvidence {
  readonly outcome: "Fiscalised" | "Contradictory" | "Rejected" | "Expired"
  readonly by: "gateway" | "operator"
  readonly about: "own" | "another"
}

/** Facts of one attempt. Times in milliseconds of the store's clock. */
export interface AttemptFacts {
  /** `excluded`: the answer to the request proves that nothing was processed. */
  readonly processing: "possible" | "excluded"
  readonly requestId: "known" | "unknown"
  /**
   * Statement of an operator that nothing was processed. Once, it counts for an attempt without a
   * request id; `repeated` after a refusal, it counts for every attempt.
   */
  readonly operator: "nothing" | "not-processed" | "repeated"
  readonly evidence: ReadonlyArray<SettledEvidence>
  /** Failure that the gateway states and that proves nothing yet. Null if there is none. */
  readonly failure: UnprovenFailure | null
}

/** Cause of `none`. `statement`: an operator's; the gateway's evidence outweighs it. */
export type NoneBy = "not-processed" | "rejected" | "statement"

export type Settled =
  | { readonly _tag: "receipt" }
  | { readonly _tag: "none"; readonly by: NoneBy }
  /** `from`: earliest time at which time alone can settle the attempt. Null if it never does. */
  | {
      readonly _tag: "open"
      readonly because: "unanswered" | "pending" | "unproven" | "contradicted"
      readonly from: number | null
    }

/** Returns what is known of the attempt. */
export const of = ({ evidence, failure, operator, processing, requestId }: AttemptFacts): Settled => {
  if (evidence.some(({ outcome }) => outcome === "Fiscalised")) return { _tag: "receipt" }
  if (processing === "excluded") return { _tag: "none", by: "not-processed" }
  if (evidence.some(({ outcome }) => outcome === "Contradictory"))
    return { _tag: "open", because: "contradicted", from: null }
  const rejected = (by: SettledEvidence["by"]) =>
    evidence.some((one) => one.outcome === "Rejected" && one.by === by && (by === "operator" || one.about === "own"))
  if (rejected("gateway")) return { _tag: "none", by: "rejected" }
  if (rejected("operator")) return { _tag: "none", by: "statement" }
  if (operator === "repeated" || (operator === "not-processed" && requestId === "unknown"))
    return { _tag: "none", by: "statement" }
  if (requestId === "unknown") return { _tag: "open", because: "unanswered", from: null }
  return failure === null
    ? { _tag: "open", because: "pending", from: null }
    : { _tag: "open", because: "unproven", from: timeDecidesFrom(failure) }
}

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

/** If the account can send, as the last read of device and subscription states. */
export type Ability = "able" | "unable" | "unknown"

/** A failure that the gateway states for a request, and what the looks so far have shown. */
export interface UnprovenFailure {
  readonly control: ControlAnswer
  /** `doubt`: the name of a PDF beside the failure. It does not prove a receipt. */
  readonly beside: "nothing" | "doubt"
  /** `rule`: has the code of a receipt rule, which is part of nothing of ours. */
  readonly code: "rule" | "none"
  /** Time of the first signed delivery of this text. Null if none had it. */
  readonly deliveredAt: number | null
  /** Number of counted looks in which this was the only answer. */
  readonly looks: number
  /** Milliseconds between these looks in which the account could send. */
  readonly ableMillis: number
  /** Time since which the account could send without a gap. Null if it cannot. */
  readonly ableSince: number | null
  readonly ability: Ability
  /** End of the attempt's quiet period. */
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
