/** Proves that each source of a worker has one run at a time, in its interval, in any process. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, DateTime, Duration, Effect, Exit, Fiber, Option } from "effect"
import { TestClock } from "effect/testing"
import * as CivilDate from "../../src/document/CivilDate.ts"
import * as SqliteStore from "../../src/node/SqliteStore.ts"
import * as SourceRuns from "../../src/pull/SourceRuns.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"

const began = Date.parse("2026-03-01T08:00:00Z")
const minute = 60_000

const settings = {
  source: "books",
  tenant: "company",
  account: "main",
  goLive: Option.getOrThrow(CivilDate.parse("2026-01-01")),
  quietAfter: 7 * 24 * 60 * minute
}

const counts = { read: 0, new: 0, changed: 0, unchanged: 0, refused: 0, skipped: {} }

/** A run that ended well, as the store notes it. */
const noted = SubmissionStore.use(({ liveSources }) =>
  liveSources.record({
    ...settings,
    stage: "taken",
    sweep: "not-due",
    marks: [],
    documents: [],
    notices: [],
    follows: null,
    counts,
    conditions: "",
    loginEnds: null
  })
)

/** Minutes of the runs, counted from the beginning. */
const worker = (run: Effect.Effect<unknown, unknown, SubmissionStore>, every = "5 minutes" as const) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(began)
    const at: Array<number> = []
    const ended: Array<string> = []
    const source = {
      ...settings,
      every: Duration.fromInputUnsafe(every),
      run: Effect.andThen(
        Effect.map(Clock.currentTimeMillis, (now) => at.push((now - began) / minute)),
        run
      )
    }
    const fiber = yield* Effect.forkChild(
      SourceRuns.work([source], (_, exit) => Effect.sync(() => ended.push(Exit.isSuccess(exit) ? "well" : "failed")))
    )
    const pass = (minutes: number) =>
      Effect.forEach(Array.from({ length: minutes * 4 }), () => TestClock.adjust("15 seconds"), { discard: true })
    return { at, ended, fiber, pass }
  })

const onStore = <A, E>(test: Effect.Effect<A, E, SubmissionStore>) =>
  Effect.provide(test, SqliteStore.layer({ filename: ":memory:" }))

describe("a source of a worker", () => {
  it.effect("runs at once, and then in its interval, counted from the start of a run", () =>
    Effect.gen(function* () {
      const { at, ended, pass } = yield* worker(noted)
      yield* pass(31)
      assert.strictEqual(at[0], 0)
      assert.isAtLeast(at.length, 5)
      assert.isAtMost(at.length, 7)
      const pauses = at.slice(1).map((one, i) => one - at[i]!)
      assert.isTrue(
        pauses.every((pause) => pause >= 5 && pause <= 6),
        String(pauses)
      )
      assert.deepStrictEqual([...new Set(ended)], ["well"])
    }).pipe(onStore)
  )

  it.effect("has one run at a time, even if a run takes long", () =>
    Effect.gen(function* () {
      let running = 0
      let most = 0
      const slow = Effect.acquireUseRelease(
        Effect.sync(() => (most = Math.max(most, ++running))),
        () => Effect.sleep("12 minutes"),
        () => Effect.sync(() => running--)
      )
      const { at, pass } = yield* worker(Effect.andThen(slow, noted))
      yield* pass(40)
      assert.strictEqual(most, 1)
      assert.isAtLeast(at.length, 2)
    }).pipe(onStore)
  )

  it.effect("waits after a recent run of another process, and until the source allows the next request", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(began)
      yield* noted
      const { at, pass } = yield* worker(noted)
      yield* pass(4)
      assert.deepStrictEqual(at, [])
      yield* pass(3)
      assert.lengthOf(at, 1)
      const retryAt = DateTime.makeUnsafe(began + 60 * minute)
      const { liveSources } = yield* SubmissionStore
      yield* liveSources.stop(settings, { code: "SOURCE_LIMITED", text: "limit: day", retryAt })
      yield* pass(50)
      assert.lengthOf(at, 1)
      yield* pass(7)
      assert.lengthOf(at, 2)
      assert.isAtLeast(at[1]!, 60)
    }).pipe(onStore)
  )

  it.effect("runs again in the next interval after a failure or a defect", () =>
    Effect.gen(function* () {
      let runs = 0
      const failing = Effect.suspend(() =>
        runs++ === 0 ? Effect.fail("no answer") : Effect.die(new Error("a defect"))
      )
      const { at, ended, pass } = yield* worker(failing)
      yield* pass(12)
      assert.deepStrictEqual(ended.slice(0, 2), ["failed", "failed"])
      assert.isAtMost(at.length, 3)
      assert.isAtLeast(at[1]!, 5)
    }).pipe(onStore)
  )

  it.effect("stops a run when the worker ends, and reports nothing for it", () =>
    Effect.gen(function* () {
      let released = 0
      const { ended, fiber, pass } = yield* worker(
        Effect.onInterrupt(Effect.never, () => Effect.sync(() => released++))
      )
      yield* pass(1)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual([released, ended], [1, []])
    }).pipe(onStore)
  )
})
