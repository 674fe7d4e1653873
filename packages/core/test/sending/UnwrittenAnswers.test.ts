import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { StoreError } from "../../src/submission/ledger/StoreError.ts"
import * as Submitter from "../../src/sending/Submitter.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { invoice } from "../submission/PlannedDocuments.ts"
import { drain, get, key, open, plan, stateOf, states, test } from "./Engine.ts"
import { passing } from "./PassingTime.ts"
import { make } from "./ScriptedGateway.ts"

const full = new StoreError({ operation: "begin an attempt", reason: "unavailable", text: "the disk is full" })

/**
 * A submitter whose store takes nothing from the answer to i1 on, until `mend`, and the result of
 * its first run.
 */
const fullAfterSending = Effect.gen(function* () {
  const gateway = make()
  const store = yield* SubmissionStore
  let isFull = false
  const unlessFull = <A>(effect: Effect.Effect<A, StoreError>) =>
    Effect.suspend(() => (isFull ? Effect.fail(full) : effect))
  const failing = SubmissionStore.of({
    ...store,
    beginAttempt: (...all) => unlessFull(store.beginAttempt(...all)),
    finishAttempt: (answer) => unlessFull(store.finishAttempt(answer)),
    release: (lease) => unlessFull(store.release(lease))
  })
  const submitter = yield* Effect.provideService(Submitter.make(), SubmissionStore, failing)
  const settings = gateway.account({ firstLook: 0 })
  const account = yield* open(settings)
  yield* plan(invoice("i1"), invoice("i2"))
  gateway.answer(
    "i1",
    Effect.tap(gateway.accept, () => Effect.sync(() => void (isFull = true)))
  )
  const run = Effect.suspend(() => submitter.drain([account]))
  const error = yield* Effect.flip(Effect.flatMap(Effect.forkChild(run), passing))
  const mend = Effect.sync(() => void (isFull = false))
  return { gateway, settings, run, error, mend }
})

describe("an answer that the store cannot take", () => {
  it.effect(
    "is named by the error, and stored by the next run of the process",
    test(function* () {
      const { error, gateway, mend, run } = yield* fullAfterSending
      assert.include(error.message, "the disk is full. The gateway accepted invoice N-i1 with the request id r1")
      yield* mend
      yield* run
      assert.deepStrictEqual(yield* states, ["i1 Accepted", "i2 Planned"])
      assert.strictEqual((yield* get("i1")).requestId, "r1")
      // The lane could not be released; it is free when its lease has expired.
      yield* TestClock.adjust("2 minutes")
      yield* run
      assert.deepStrictEqual(yield* states, ["i1 Accepted", "i2 Accepted"])
      assert.lengthOf(gateway.submitted, 2)
    })
  )

  it.effect(
    "is stored before the gateway is asked to renew the permission to send, which can take long",
    test(function* () {
      const gateway = make()
      const settings = gateway.account()
      yield* open(settings)
      yield* plan(invoice("i1"), invoice("i2"))
      yield* TestClock.adjust("9 minutes")
      gateway.answer(
        "i1",
        Effect.tap(gateway.accept, () => TestClock.adjust("61 seconds"))
      )
      const store = yield* SubmissionStore
      const whileRenewed: Array<string> = []
      gateway.state.afterDays = store.get(key("i1")).pipe(
        Effect.map((i1) => void whileRenewed.push(Option.getOrThrow(i1).state)),
        Effect.orDie
      )
      yield* drain(settings)
      assert.deepStrictEqual(whileRenewed, ["Accepted"])
      assert.deepStrictEqual(yield* states, ["i1 Accepted", "i2 Accepted"])
    })
  )

  it.effect(
    "settles the document that another process has found without an answer in the meantime",
    test(function* () {
      const { gateway, mend, run, settings } = yield* fullAfterSending
      yield* TestClock.adjust("2 minutes")
      yield* drain(settings)
      assert.strictEqual(yield* stateOf("i1"), "Unknown")
      yield* mend
      yield* run
      assert.deepStrictEqual(yield* states, ["i1 Accepted", "i2 Accepted"])
      assert.lengthOf(gateway.submitted, 2)
    })
  )
})
