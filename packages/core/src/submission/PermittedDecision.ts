/** What a person may decide about a document as it stands now, as data: the command and the page offer exactly this, and the store refuses the rest. */
import type { DateTime } from "effect"
import type { Decision } from "./Decision.ts"
import type { Attempt } from "./Attempt.ts"
import type { Explanation } from "./Explanation.ts"
import type { State } from "./Submission.ts"

/** One decision that is possible now. */
export interface PermittedDecision {
  readonly decision: Decision["_tag"]
  /** What has to be said with it, beside the reason: the error's text, the request id; the verification code where it is known. */
  readonly with: "nothing" | "verification" | "error" | "request-id"
  /** Earliest time at which the decision is accepted (ledger/QuietPeriod); null: now. */
  readonly from: DateTime.Utc | null
  /** How the document stands then, unless what the gateway has said outweighs it. */
  readonly to: State
}

/** The request id is a person's, and the gateway has never answered for it: it is taken back by whatever is decided instead. */
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
  said: PermittedDecision["with"] = "nothing"
): Omit<PermittedDecision, "from"> => ({
  decision,
  to,
  with: said
})

// decisions after which the document, or another one in its place, can be sent again
const waits: ReadonlySet<Decision["_tag"]> = new Set(["NotProcessed", "Rejected", "Resend", "Withdrawn"])

/** In the order in which a person thinks of them; none where nothing can be decided. Whether it still holds is settled when it is decided. */
export const of = (explanation: Explanation): ReadonlyArray<PermittedDecision> => {
  const { conflicts, quietUntil, submission } = explanation
  const { hold, rejection } = submission
  const state = isOnTrust(explanation) ? "Unknown" : submission.state
  const contradicted = state === "Held" && hold?.cause === "contradicted"
  const isIn = (...states: ReadonlyArray<State>) => states.includes(state)
  const permitted = [
    ...(isIn("Unknown", "Expired", "Rejected", "Held")
      ? [may("Fiscalised", "Fiscalised", contradicted ? "nothing" : "verification")]
      : []),
    ...(isIn("Unknown", "Expired") ? [may("Rejected", "Rejected", "error")] : []),
    ...(isIn("Unknown") ? [may("Accepted", "Accepted", "request-id"), may("NotProcessed", "Planned")] : []),
    ...((isIn("Held") && !contradicted) || isIn("Declined") || (isIn("Rejected") && rejection?.nature !== "final")
      ? [may("Resend", "Planned")]
      : []),
    ...(isIn("Held", "Planned", "Declined", "Rejected", "Expired", "Unknown") ? [may("Withdrawn", "Withdrawn")] : []),
    ...(conflicts.some(({ settledAt }) => settledAt === null) ? [may("Acknowledged", state)] : [])
  ]
  return permitted.map((one) => ({ ...one, from: waits.has(one.decision) ? quietUntil : null }))
}
