/**
 * Advances a test's clock with a store that needs real time: only while every fiber waits for time
 * alone.
 */
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import type { SubmissionStore } from "../../src/submission/SubmissionStore.ts"

/** Number of store operations without an answer yet. */
let unanswered = 0

const counted = <A>(asked: A): A =>
  Effect.isEffect(asked)
    ? (Effect.acquireUseRelease(
        Effect.sync(() => unanswered++),
        () => asked,
        () => Effect.sync(() => unanswered--)
      ) as A)
    : asked

/** Returns the store with its running operations counted. */
export const seen = (store: SubmissionStore["Service"]): SubmissionStore["Service"] =>
  new Proxy(store, {
    get: (of, name) => {
      const operation: unknown = Reflect.get(of, name)
      return typeof operation === "function"
        ? (...given: ReadonlyArray<unknown>) => counted(Reflect.apply(operation, of, given))
        : counted(operation)
    }
  })

const turn = Effect.promise(() => new Promise<void>((done) => setImmediate(done)))

/** Returns the result of the fiber; advances the clock second by second. */
export const passing = <A, E>(fiber: Fiber.Fiber<A, E>) =>
  Effect.gen(function* () {
    while (fiber.pollUnsafe() === undefined) yield* unanswered > 0 ? turn : TestClock.adjust("1 second")
    return yield* Fiber.join(fiber)
  })
