/**
 * Finds the document that blocks a lane: its outcome is unknown, and only an operator can settle
 * it.
 */
import * as Connector from "@fiscal-connector/core/connector/Connector"
import type { Explanation } from "@fiscal-connector/core/submission/Explanation"
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import * as PermittedDecision from "@fiscal-connector/core/unstable/submission/PermittedDecision"
import { type DateTime, Effect, Option } from "effect"

export interface Blocked {
  readonly explanation: Explanation
  readonly permitted: ReadonlyArray<PermittedDecision.PermittedDecision>
  /** Earliest time for sending the document again. Null: now. */
  readonly from: DateTime.Utc | null
  /** Number of further documents of the lane with an unknown outcome. */
  readonly others: number
}

/** Maximum number of documents counted. */
const most = 100

/** Returns the oldest document of the lane with an unknown outcome. Null if the lane has none. */
export const ofLane = (lane: string) =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const unknown = yield* store.list({ lane, states: ["Unknown"], limit: most })
    const [first] = unknown.toSorted((a, b) => a.since.epochMilliseconds - b.since.epochMilliseconds)
    if (first === undefined) return null
    const explanation = Option.getOrUndefined(yield* Connector.explain(first))
    if (explanation === undefined) return null
    const permitted = PermittedDecision.of(explanation)
    const again = permitted.find(({ decision }) => decision === "NotProcessed")
    return { explanation, permitted, from: again?.from ?? null, others: unknown.length - 1 } satisfies Blocked
  })
