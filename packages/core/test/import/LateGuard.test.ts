import { acceptPlan } from "../../src/session/Acceptance.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { invoice, memory, plan, planned } from "./SampleSources.ts"
import { sendAll } from "./SentLane.ts"

const now = Date.parse("2026-03-04T10:00:00Z")
const unmapped = { currency: "XXX" }

describe("refused documents that a plan would make late", () => {
  it.effect("leaves out a document of the day of the last receipt", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const { wouldBecomeLate } = yield* planned([
        invoice("A-1", "2026-03-01", unmapped),
        invoice("B-1", "2026-03-02", unmapped),
        invoice("B-2", "2026-03-02")
      ])
      assert.deepStrictEqual(wouldBecomeLate.first, ["A-1"])
    }).pipe(Effect.provide(memory))
  )

  it.effect("leaves out a document that an earlier import has made late", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const late = invoice("A-1", "2026-03-01", unmapped)
      yield* acceptPlan(yield* plan([late, invoice("B-1", "2026-03-02")]))
      yield* sendAll
      const { wouldBecomeLate } = yield* planned([late, invoice("C-1", "2026-03-03")])
      assert.deepStrictEqual(wouldBecomeLate.first, [])
    }).pipe(Effect.provide(memory))
  )

  it.effect("are named with their cause and their cell", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const { wouldBecomeLate } = yield* planned([
        invoice("A-1", "2026-03-01", { ...unmapped, where: () => ({ file: "sales.csv", line: 2, column: 7 }) }),
        invoice("B-1", "2026-03-02")
      ])
      const [cause] = wouldBecomeLate.causes
      assert.strictEqual(wouldBecomeLate.causes.length, 1)
      assert.deepStrictEqual(
        [cause?.code, cause?.documents, cause?.first],
        ["CURRENCY_UNMAPPED", 1, [{ number: "A-1", at: "sales.csv:2:7" }]]
      )
    }).pipe(Effect.provide(memory))
  )
})
