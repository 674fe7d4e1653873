import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Layer, Metric } from "effect"
import { TestClock } from "effect/testing"
import * as SqliteStore from "../../src/node/SqliteStore.ts"
import * as StoreMetrics from "../../src/attention/StoreMetrics.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { invoice } from "../submission/PlannedDocuments.ts"

const key = { account: "shop", kind: "invoice", id: "i1" } as const

/** Returns the gauges with a value, by name and state. */
const gauges = Effect.map(Metric.snapshot, (snapshots) =>
  Object.fromEntries(
    snapshots.flatMap((snapshot) =>
      snapshot.type === "Gauge" && snapshot.id.startsWith("fiscal_connector_")
        ? [[`${snapshot.id} ${snapshot.attributes?.["state"] ?? ""}`.trim(), Number(snapshot.state.value)]]
        : []
    )
  )
)

describe("the metrics of a store", () => {
  it.effect("show the present state: former states are zero, and ages grow", () =>
    Effect.gen(function* () {
      const store = yield* SubmissionStore
      yield* store.plan([invoice("i1")])
      yield* TestClock.adjust("1 minute")
      const before = yield* gauges
      assert.strictEqual(before["fiscal_connector_submissions Planned"], 1)
      assert.isAtLeast(before["fiscal_connector_oldest_seconds Planned"]!, 45)
      yield* store.decide(key, { _tag: "Withdrawn" }, "a mistake")
      yield* TestClock.adjust("15 seconds")
      const after = yield* gauges
      assert.strictEqual(after["fiscal_connector_oldest_seconds Planned"], 0)
      assert.strictEqual(after["fiscal_connector_submissions Withdrawn"], 1)
    }).pipe(
      Effect.provide(
        StoreMetrics.layer({ retention: Duration.days(7) }).pipe(
          Layer.provideMerge(SqliteStore.layer({ filename: ":memory:" }))
        )
      ),
      Effect.provideService(Metric.MetricRegistry, new Map())
    )
  )
})
