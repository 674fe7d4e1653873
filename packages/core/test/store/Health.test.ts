import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { of as concerns } from "../../src/attention/Attention.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { invoice } from "../submission/PlannedDocuments.ts"
import { drain, plan, sweep, test } from "../sending/Engine.ts"
import { answers, fiscalised, make, pending } from "../sending/ScriptedGateway.ts"

const health = SubmissionStore.use((store) => store.health(Duration.days(7)))
const codes = Effect.map(health, (health) => concerns(health).map(({ code }) => code))

describe("health", () => {
  it.effect(
    "reports nothing if all is well",
    test(function* () {
      const gateway = make()
      assert.deepStrictEqual(yield* codes, [])
      yield* plan(invoice("i1"), invoice("i2"))
      yield* drain(gateway.account({ firstLook: 0 }))
      yield* sweep(gateway.account())
      assert.deepStrictEqual((yield* health).counts, { Fiscalised: 2 })
      assert.deepStrictEqual(yield* codes, [])
    })
  )

  it.effect(
    "counts every state exactly",
    test(function* () {
      const gateway = make()
      gateway.answer("i1", answers.declined)
      gateway.answer("i3", answers.unknown)
      yield* plan(...["i1", "i2", "i3", "i4"].map((id) => invoice(id)), invoice("i5", { held: "look" }))
      yield* drain(gateway.account())
      yield* plan(invoice("i1", { total: "1.00" }), invoice("i5"))
      const store = yield* SubmissionStore
      const rows = yield* store.list({})
      const counted: Record<string, number> = {}
      for (const { state } of rows) counted[state] = (counted[state] ?? 0) + 1
      const { counts, lanes } = yield* health
      assert.deepStrictEqual({ ...counts }, counted)
      assert.deepStrictEqual({ ...lanes[0]!.counts }, counted)
    })
  )

  it.effect(
    "counts the states in a fixed order, whichever was reached first",
    test(function* () {
      const gateway = make()
      const account = gateway.account({ firstLook: 0 })
      gateway.answer("i2", answers.unknown)
      yield* plan(invoice("i1"), invoice("i2"))
      yield* drain(account)
      yield* sweep(account)
      assert.deepStrictEqual(Object.keys((yield* health).counts), ["Fiscalised", "Unknown"])
    })
  )

  it.effect(
    "reports a stopped lane with its cause and waiting documents, even if every worker is dead",
    test(function* () {
      const gateway = make()
      gateway.answer("i1", answers.credentials)
      yield* plan(invoice("i1"))
      yield* drain(gateway.account())
      assert.deepStrictEqual(yield* codes, ["STOPPED"])
      yield* TestClock.adjust("14 days")
      const found = concerns(yield* health)
      assert.deepStrictEqual(
        found.map(({ code, lane }) => [code, lane]),
        [
          ["STOPPED", "test/1001"],
          ["STUCK", "test/1001"]
        ]
      )
      assert.include(found[0]!.text, "does not accept the credentials")
      assert.include(found[1]!.text, "336 h")
    })
  )

  it.effect(
    "warns before an outcome can no longer be requested",
    test(function* () {
      const gateway = make()
      gateway.state.status = pending
      yield* plan(invoice("i1"))
      yield* drain(gateway.account())
      assert.strictEqual((yield* health).secondsToHorizon, 7 * 86_400)
      yield* TestClock.adjust("121 hours")
      assert.isTrue((yield* codes).includes("HORIZON_NEAR"))
      yield* sweep(gateway.account())
      assert.isFalse((yield* codes).includes("HORIZON_NEAR"))
    })
  )

  it.effect(
    "reports after an hour an accepted document that no status mentions, with the number of polls",
    test(function* () {
      const gateway = make()
      gateway.state.status = (id) => (id === "r1" ? null : pending(id))
      yield* plan(invoice("i1"), invoice("i2"))
      yield* drain(gateway.account({ firstLook: 0 }))
      yield* sweep(gateway.account({ firstLook: 0 }))
      yield* TestClock.adjust("59 minutes")
      assert.deepStrictEqual(yield* codes, [])
      yield* TestClock.adjust("1 minute")
      const found = concerns(yield* health)
      assert.deepStrictEqual(
        found.map(({ code, lane, text }) => [code, lane, text]),
        [["UNANSWERED", "test/1001", "no status has mentioned it: N-i1 (request id r1; asked for once)"]]
      )
      gateway.state.status = pending
      yield* sweep(gateway.account())
      assert.deepStrictEqual(yield* codes, [])
    })
  )

  it.effect(
    "reports after an hour accepted documents that were never polled, and names the oldest five",
    test(function* () {
      yield* plan(...Array.from({ length: 30 }, (_, n) => invoice(`i${n + 1}`)))
      yield* drain(make().account())
      yield* TestClock.adjust("2 hours")
      const [found, ...others] = concerns(yield* health)
      assert.deepStrictEqual(others, [])
      assert.match(found!.text, /: N-i1 \(request id r1; not asked for yet\), N-i2 .* N-i5 \([^)]*\) and others$/)
    })
  )

  it.effect(
    "names everything that waits for an operator",
    test(function* () {
      const gateway = make()
      const store = yield* SubmissionStore
      gateway.answer("i2", answers.unknown)
      yield* plan(invoice("i1"), invoice("i2"), invoice("i3", { held: "look" }))
      yield* drain(gateway.account())
      yield* plan(invoice("i1", { total: "1.00" }))
      yield* store.recordOutcomes("shop", [fiscalised("nobody's")], "webhook")
      assert.deepStrictEqual(yield* codes, ["CONFLICT", "UNKNOWN", "HELD", "UNMATCHED"])
    })
  )
})
