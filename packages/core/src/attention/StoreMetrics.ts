/**
 * How the submissions of a store stand, as gauges of Effect's own metrics, under the names and labels that a scraper sees (`HealthMetrics`): for a job
 * whose metrics are exported by OpenTelemetry.
 */
import { type Duration, Effect, Layer, Metric } from "effect"
import * as HealthMetrics from "./HealthMetrics.ts"
import { SubmissionStore } from "../submission/SubmissionStore.ts"

/** What the gauges are made with. */
export interface Options {
  /** How long the gateway answers for a request. */
  readonly retention: Duration.Duration
  /** How often the store is asked. Default 15 seconds. */
  readonly every?: Duration.Input
}

/** Sets every gauge as it is now; one that says nothing any more is nought. */
const once = (seen: Map<string, Metric.Gauge<number>>, retention: Duration.Duration) =>
  Effect.gen(function* () {
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

/** Asks the store again and again while the layer is open, and once at its end; a store that does not answer leaves the figures as they were. */
export const layer = ({ every = "15 seconds", retention }: Options): Layer.Layer<never, never, SubmissionStore> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const seen = new Map<string, Metric.Gauge<number>>()
      const look = Effect.ignore(once(seen, retention))
      yield* Effect.addFinalizer(() => look)
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(look, Effect.sleep(every))))
    })
  )
