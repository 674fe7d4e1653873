/** An exporter can read the counters; without one their cost is negligible. */
import { Effect, Metric } from "effect"
import type { Classification } from "../submission/AttemptResult.ts"

export const attempts = Metric.counter("fiscal_connector_attempts_total", {
  description: "Attempts to submit, by lane and result.",
  incremental: true
})

/** Time until the gateway's answer, in seconds, by `lane`. */
export const seconds = Metric.histogram("fiscal_connector_attempt_seconds", {
  description: "How long an attempt took until its answer, by lane.",
  boundaries: Metric.boundariesFromIterable([0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120])
})

/** A metric created again finds its series only by serializing all attributes. */
const kept = <Key extends string, Kept>(make: (key: Key) => Kept): ((key: Key) => Kept) => {
  const made = new Map<Key, Kept>()
  return (key) => {
    const known = made.get(key) ?? make(key)
    made.set(key, known)
    return known
  }
}

type ResultTag = Classification["result"]["_tag"]

const ofLane = kept((lane: string) => ({
  attempts: kept((result: ResultTag) => Metric.withAttributes(attempts, { lane, result })),
  seconds: Metric.withAttributes(seconds, { lane })
}))

export const counted = <E>(lane: string, sending: Effect.Effect<Classification, E>): Effect.Effect<Classification, E> =>
  Effect.clockWith((clock) => {
    const begun = clock.currentTimeMillisUnsafe()
    return Effect.flatMap(sending, (classification) => {
      const { attempts, seconds } = ofLane(lane)
      const took = (clock.currentTimeMillisUnsafe() - begun) / 1000
      return Effect.andThen(
        Metric.update(attempts(classification.result._tag), 1),
        Effect.as(Metric.update(seconds, took), classification)
      )
    })
  })
