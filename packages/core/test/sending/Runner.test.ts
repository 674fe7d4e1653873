import { assert, describe, it } from "@effect/vitest"
import { Clock, DateTime, Duration, Effect } from "effect"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { invoice } from "../submission/PlannedDocuments.ts"
import { engine, now, plan, runAccounts, stateOf, test } from "./Engine.ts"
import { passing } from "./PassingTime.ts"
import { make } from "./ScriptedGateway.ts"

/**
 * Returns a clock that advances only during sleeps, in fractions of a millisecond, and throws after
 * too many reads without a sleep.
 */
const withFractions = (): Clock.Clock => {
  let millis = DateTime.makeUnsafe(now).epochMilliseconds + 0.7
  let looks = 0
  const look = () => {
    if (++looks > 10_000) throw new Error("nobody sleeps any more")
    return millis
  }
  const nanos = () => BigInt(Math.floor(look() * 1e6))
  return {
    currentTimeMillisUnsafe: look,
    currentTimeMillis: Effect.sync(look),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: nanos,
    monotonicTimeNanos: Effect.sync(nanos),
    sleep: (duration) =>
      Effect.sync(() => {
        millis += Duration.toMillis(duration) - 0.5
        looks = 0
      })
  }
}

describe("settling", () => {
  it.effect("waits for a poll that is due within the millisecond, and does not spin", () =>
    Effect.gen(function* () {
      const gateway = make()
      yield* plan(invoice("i1"))
      yield* runAccounts([gateway.account()])
      assert.strictEqual(yield* stateOf("i1"), "Fiscalised")
    }).pipe(Effect.provide(engine()), Effect.provideService(Clock.Clock, withFractions()))
  )

  it.effect(
    "waits until the lease of a process that froze has expired, and takes its lane",
    test(function* () {
      const gateway = make()
      yield* plan(invoice("i1"))
      const store = yield* SubmissionStore
      // The worker renews its lease of two minutes 30 seconds after the run begins, and freezes.
      yield* store.claim("test/1001", "a worker that froze", Duration.seconds(150), () => false)
      const running = yield* Effect.forkChild(runAccounts([gateway.account()]))
      yield* passing(running)
      assert.strictEqual(yield* stateOf("i1"), "Fiscalised")
    })
  )
})
