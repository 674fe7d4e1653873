/**
 * Health of a store as gauges of Effect's metrics, with the names and labels of `HealthMetrics`.
 */
import { type Duration, Effect, Layer, Metric } from "effect"
import * as HealthMetrics from "./HealthMetrics.ts"
import { SubmissionStore } from "../submission/SubmissionStore.ts"

/** Options of the gauges. */
export interface MetricsOptions {
  readonly retention: Duration.Duration
  /** Interval between reads of the store. Default 15 seconds. */
  readonly every?: Duration.Input
}

/** A gauge without a current sample is set to 0. */
const once = Effect.fnUntraced(function* (seen: Map<string, Metric.Gauge<number>>, retention: Duration.Duration) {
  const store = yield* SubmissionStore
  const left = new Set(seen.keys())
  for (const { help, name, samples } of HealthMetrics.measures(yield* store.health(retention)))
    for (const { labels, value } of samples) {
      const key = JSON.stringify([name, labels])
      const gauge = seen.get(key) ?? Metric.withAttributes(Metric.gauge(name, { description: help }), labels)
      seen.set(key, gauge)
      left.delete(key)
      yield* Metric.update(gauge, value)
    }
  for (const key of left) yield* Metric.update(seen.get(key)!, 0)
})

/**
 * Reads the store repeatedly while the layer is open, and once when the layer closes. If the store
 * does not answer, the figures stay.
 */
export const layer = ({
  every = "15 seconds",
  retention
}: MetricsOptions): Layer.Layer<never, never, SubmissionStore> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const seen = new Map<string, Metric.Gauge<number>>()
      const look = Effect.ignore(once(seen, retention))
      yield* Effect.addFinalizer(() => look)
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(look, Effect.sleep(every))))
    })
  )
