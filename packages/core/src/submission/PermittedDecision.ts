/**
 * Decisions that an operator may make about a document in its current state, as data. The command
 * and the page offer exactly these decisions, and the store refuses all others.
 */
import type { DateTime } from "effect"
import type { Decision } from "./Decision.ts"
import type { Attempt } from "./Attempt.ts"
import type { Explanation } from "./Explanation.ts"
import type { State } from "./Submission.ts"

/** One decision that is possible now. */
export interface PermittedDecision {
  readonly decision: Decision["_tag"]
  /**
   * Required input besides the reason: the error's text or the request id; the verification code if
   * known.
   */
  readonly with: "nothing" | "verification" | "error" | "request-id"
  /** Earliest time at which the decision is accepted (submission/ledger/QuietPeriod). Null: now. */
  readonly from: DateTime.Utc | null
  /** State after the decision, unless the gateway's evidence outweighs the decision. */
  readonly to: State
}

/**
 * Returns true if an operator entered the request id and the gateway has never answered for this
 * id. Any other decision withdraws the id.
 */
const isOnTrust = ({ attempts, evidence, submission }: Explanation): boolean => {
  if (submission.state !== "Accepted" && submission.state !== "Expired") return false
  const last: Attempt | undefined = attempts.at(-1)
  if (last === undefined || last.requestIdBy !== "operator" || last.mentionedAt !== null) return false
  return evidence.every(
    ({ outcome, requestId, source }) =>
      requestId !== last.requestId || source === "operator" || outcome._tag === "Expired"
  )
}

const may = (
  decision: Decision["_tag"],
  to: State,
  needed: PermittedDecision["with"] = "nothing"
): Omit<PermittedDecision, "from"> => ({
  decision,
  to,
  with: needed
})

/** Returns the decisions after a refusal that may be the answer to an earlier request. */
const afterRefusal = ({ attempts, submission: { revision } }: Explanation) => {
  const last = attempts.at(-1)
  const to = last?.revision !== revision ? "Planned" : last.result?._tag === "Declined" ? "Declined" : "Rejected"
  return [may("Fiscalised", "Fiscalised", "verification"), may("NotProcessed", to)]
}

// decisions after which the document, or a document in its place, can be sent again
const waits: ReadonlySet<Decision["_tag"]> = new Set(["NotProcessed", "Rejected", "Resend", "Same", "Withdrawn"])

/**
 * Returns the permitted decisions, most natural first; empty if nothing can be decided. The store
 * checks again when the decision is made.
 */
export const of = (explanation: Explanation): ReadonlyArray<PermittedDecision> => {
  const { conflicts, failures, quietUntil, submission } = explanation
  const { hold, rejection } = submission
  const state = isOnTrust(explanation) ? "Unknown" : submission.state
  const contradicted = state === "Held" && hold?.cause === "contradicted"
  const isFiscalised = explanation.evidence.some(({ outcome }) => outcome._tag === "Fiscalised")
  const isIn = (...states: ReadonlyArray<State>) => states.includes(state)
  const isOpen = ({ code, settledAt }: Explanation["conflicts"][number]) =>
    settledAt === null && code === "SUCCESS_AND_FAILURE"
  const isContradicted = conflicts.some(isOpen)
  const isContradictory = isContradicted && isIn("Accepted")
  const decisions = () => [
    ...(isContradictory || isIn("Unknown", "Expired", "Rejected", "Held")
      ? [may("Fiscalised", "Fiscalised", contradicted ? "nothing" : "verification")]
      : []),
    ...(isContradicted && isIn("Fiscalised", "Withdrawn") ? [may("Fiscalised", "Fiscalised")] : []),
    ...(isContradictory || isIn("Unknown", "Expired") ? [may("Rejected", "Rejected", "error")] : []),
    ...(!isContradictory && isIn("Accepted") && failures.some(({ personFrom }) => personFrom !== null)
      ? [
          may("Rejected", "Rejected"),
          ...(failures.some(({ nature }) => nature === "final") ? [] : [may("Resend", "Planned")])
        ]
      : []),
    ...(isIn("Unknown") ? [may("Accepted", "Accepted", "request-id"), may("NotProcessed", "Planned")] : []),
    ...(hold?.cause === "duplicate" ? [may("Same", "Withdrawn")] : []),
    ...((isIn("Held") && !contradicted) || isIn("Declined") || (isIn("Rejected") && rejection?.nature !== "final")
      ? [may("Resend", "Planned")]
      : []),
    ...(isIn("Held", "Planned", "Declined", "Rejected", "Expired", "Unknown") ? [may("Withdrawn", "Withdrawn")] : [])
  ]
  const permitted = [
    ...(contradicted && !isFiscalised && !isContradicted ? afterRefusal(explanation) : decisions()),
    ...(!isContradictory && conflicts.some(({ settledAt }) => settledAt === null) ? [may("Acknowledged", state)] : [])
  ]
  return permitted.map((one) => ({ ...one, from: waits.has(one.decision) ? quietUntil : null }))
}
