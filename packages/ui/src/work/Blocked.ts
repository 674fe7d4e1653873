/** The document that keeps a lane waiting: nobody knows whether it was processed, and only an operator can say. */
import * as Connector from "@fiscal-connector/core/connector/Connector"
import type { Explanation } from "@fiscal-connector/core/submission/Explanation"
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import * as PermittedDecision from "@fiscal-connector/core/unstable/submission/PermittedDecision"
import { type DateTime, Effect, Option } from "effect"

export interface Blocked {
  readonly explanation: Explanation
  readonly permitted: ReadonlyArray<PermittedDecision.PermittedDecision>
  /** When it may be sent again at the earliest; null: now. */
  readonly from: DateTime.Utc | null
  /** How many more documents of the lane have an unknown outcome. */
  readonly others: number
}

/** How many are counted. */
const most = 100

/** The first of the lane; null where nothing of it has an unknown outcome. */
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
