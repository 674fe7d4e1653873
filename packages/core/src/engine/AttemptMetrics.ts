/** What an engine counts while it sends, in Effect's own metrics: whoever exports them has it, and it costs next to nothing where nobody does. */
import { Clock, Effect, Metric } from "effect"
import type { AttemptResult, Classification } from "../submission/AttemptResult.ts"

/** Attempts by `lane` and `result` (Accepted, Declined, NotProcessed, Unknown). */
export const attempts = Metric.counter("fiscal_connector_attempts_total", {
  description: "Attempts to submit, by lane and result.",
  incremental: true
})

/** How long the gateway took, in seconds, by `lane`. */
export const seconds = Metric.histogram("fiscal_connector_attempt_seconds", {
  description: "How long an attempt took until its answer, by lane.",
  boundaries: Metric.boundariesFromIterable([0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120])
})

interface OfLane {
  readonly seconds: typeof seconds
  readonly attempts: { readonly [Result in AttemptResult["_tag"]]: typeof attempts }
}

/** With its labels, a metric knows what it updates: made anew for every attempt, that costs more than the rest of it. */
const made = new Map<string, OfLane>()

const ofLane = (lane: string): OfLane => {
  const known = made.get(lane)
  if (known !== undefined) return known
  const resulting = (result: AttemptResult["_tag"]) => Metric.withAttributes(attempts, { lane, result })
  const one: OfLane = {
    seconds: Metric.withAttributes(seconds, { lane }),
    attempts: {
      Accepted: resulting("Accepted"),
      Declined: resulting("Declined"),
      NotProcessed: resulting("NotProcessed"),
      Unknown: resulting("Unknown")
    }
  }
  made.set(lane, one)
  return one
}

/** Counts one attempt. */
export const counted = <E>(lane: string, sending: Effect.Effect<Classification, E>): Effect.Effect<Classification, E> =>
  Effect.gen(function* () {
    const begun = yield* Clock.currentTimeMillis
    const classification = yield* sending
    const took = ((yield* Clock.currentTimeMillis) - begun) / 1000
    const metrics = ofLane(lane)
    yield* Metric.update(metrics.attempts[classification.result._tag], 1)
    yield* Metric.update(metrics.seconds, took)
    return classification
  })
