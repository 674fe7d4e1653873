/**
 * Finds the document that blocks a lane: its outcome is unknown, and only an operator can settle
 * it.
 */
import { Connector } from "@fiscal-connector/core/session"
import { type Explanation, SubmissionStore } from "@fiscal-connector/core/store"
import { PermittedDecision } from "@fiscal-connector/core/host/account"
import { type DateTime, Effect, Option } from "effect"

export interface Blocked {
  readonly explanation: Explanation.Explanation
  readonly permitted: ReadonlyArray<PermittedDecision.PermittedDecision>
  /** Earliest time for sending the document again. Null: now. */
  readonly from: DateTime.Utc | null
  readonly others: number
}

const most = 100

/** Returns the oldest document of the lane with an unknown outcome. Null if the lane has none. */
export const ofLane = (lane: string) =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore.SubmissionStore
    const unknown = yield* store.list({ lane, states: ["Unknown"], limit: most })
    const [first] = unknown.toSorted((a, b) => a.since.epochMilliseconds - b.since.epochMilliseconds)
    if (first === undefined) return null
    const explanation = Option.getOrUndefined(yield* Connector.explain(first))
    if (explanation === undefined) return null
    const permitted = PermittedDecision.of(explanation)
    const again = permitted.find(({ decision }) => decision === "NotProcessed")
    return { explanation, permitted, from: again?.from ?? null, others: unknown.length - 1 } satisfies Blocked
  })
