import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import * as Alerting from "../../src/sending/Alerting.ts"
import type { AlertEvent, Deliver } from "../../src/attention/Alert.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { invoice } from "../submission/PlannedDocuments.ts"
import { key, plan, test } from "./Engine.ts"

const hold = (id: string) =>
  SubmissionStore.use((store) => store.hold([key(id)], { cause: "operator", text: "Planted Buyer wants it so" }))
const release = (id: string) => SubmissionStore.use((store) => store.decide(key(id), { _tag: "Resend" }, "settled"))

/** Returns a listener that records the events and fails a given number of times. */
const listener = (failures = 0) => {
  const events: Array<AlertEvent> = []
  let left = failures
  const tries: Array<number> = []
  const deliver: Deliver = (event) =>
    Effect.flatMap(DateTime.now, (now) => {
      tries.push(now.epochMilliseconds)
      if (left-- > 0) return Effect.fail("nobody there")
      events.push(event)
      return Effect.void
    })
  return { deliver, events, tries }
}

describe("a change of health", () => {
  it.effect(
    "is alerted once by the process that sees it first, and so is its end",
    test(function* () {
      const { deliver, events } = listener()
      const look = Alerting.look(deliver)
      yield* plan(invoice("i1", { buyer: "Planted Buyer" }), invoice("i2"))
      yield* look
      assert.deepStrictEqual(events, [], "all is well, and nobody was told otherwise")
      yield* hold("i1")
      yield* Effect.all([look, look, look], { concurrency: 3 })
      yield* TestClock.adjust("1 minute")
      yield* look
      assert.deepStrictEqual(
        events.map(({ concerns, health, over }) => ({ concerns, health, over })),
        [
          {
            health: "look",
            over: [],
            concerns: [
              { code: "HELD", cause: "operator", account: "shop", lane: "test/1001", text: "1 Held (operator)" }
            ]
          }
        ]
      )
      yield* hold("i2")
      yield* TestClock.adjust("1 minute")
      yield* look
      assert.lengthOf(events, 1, "two held are the same thing to look at")
      yield* release("i1")
      yield* release("i2")
      yield* look
      assert.deepStrictEqual(
        events.slice(1).map(({ concerns, health, over }) => ({ concerns, health, over })),
        [{ health: "well", over: ["HELD operator test/1001"], concerns: [] }]
      )
      assert.notInclude(JSON.stringify(events), "Planted")
    })
  )

  it.effect(
    "is alerted again after growing pauses if no alert was delivered, and dropped if it ends before",
    test(function* () {
      const { deliver, events, tries } = listener(3)
      yield* plan(invoice("i1"))
      yield* hold("i1")
      const start = (yield* DateTime.now).epochMilliseconds
      for (let second = 0; second < 120; second += 5) {
        yield* Alerting.look(deliver)
        yield* TestClock.adjust("5 seconds")
      }
      assert.deepStrictEqual(
        tries.map((at) => (at - start) / 1000),
        [0, 10, 30, 70]
      )
      assert.lengthOf(events, 1)
    })
  )

  it.effect(
    "is alerted by another process if the first process died during the alert",
    test(function* () {
      const { deliver, events } = listener()
      yield* plan(invoice("i1"))
      yield* hold("i1")
      const store = yield* SubmissionStore
      assert.strictEqual((yield* store.takeAlert(["HELD person test/1001"], Duration.minutes(1)))._tag, "Tell")
      yield* Alerting.look(deliver)
      assert.lengthOf(events, 0)
      yield* TestClock.adjust("61 seconds")
      yield* Alerting.look(deliver)
      assert.lengthOf(events, 1)
    })
  )

  it.effect(
    "is looked for every ten seconds",
    test(function* () {
      const { deliver, events } = listener()
      yield* plan(invoice("i1"))
      yield* Effect.forkChild(Alerting.run(deliver))
      yield* TestClock.adjust("1 second")
      yield* hold("i1")
      yield* TestClock.adjust("8 seconds")
      assert.lengthOf(events, 0)
      yield* TestClock.adjust("1 second")
      assert.lengthOf(events, 1)
    })
  )
})
