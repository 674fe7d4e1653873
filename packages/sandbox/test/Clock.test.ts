import { assert, describe, it } from "@effect/vitest"
import { TestClock } from "effect/testing"
import { withSandbox } from "./sandboxes.ts"

describe("the sandbox's clock", () => {
  it.effect("starts at the configured time and runs with the machine's clock", () =>
    withSandbox(function* ({ control }) {
      assert.strictEqual((yield* control.clock).now, "2025-06-02T12:00:00.000Z")
      yield* TestClock.adjust("90 seconds")
      assert.strictEqual((yield* control.clock).now, "2025-06-02T12:01:30.000Z")
    })
  )

  it.effect("can be stopped, set, advanced and started", () =>
    withSandbox(function* ({ control }) {
      yield* control.moveClock({ mode: "standing", set: "2026-01-01T00:00:00+02:00" })
      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* control.clock).now, "2025-12-31T22:00:00.000Z")
      yield* control.moveClock({ advanceMillis: -1 })
      assert.strictEqual((yield* control.moveClock({ mode: "running" })).now, "2025-12-31T21:59:59.999Z")
      yield* TestClock.adjust("1 milli")
      assert.strictEqual((yield* control.clock).now, "2025-12-31T22:00:00.000Z")
    })
  )
})
