/** A test's clock beside a store that answers in its own time: it goes on where a fiber waits for nothing but the time. */
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import type { SubmissionStore } from "../../src/submission/SubmissionStore.ts"

/** What stores are being asked and have not answered. */
let unanswered = 0

const counted = <A>(asked: A): A =>
  Effect.isEffect(asked)
    ? (Effect.acquireUseRelease(
        Effect.sync(() => unanswered++),
        () => asked,
        () => Effect.sync(() => unanswered--)
      ) as A)
    : asked

/** The store, seen while it is asked. */
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

/** What the fiber comes to, a second after the other. */
export const passing = <A, E>(fiber: Fiber.Fiber<A, E>) =>
  Effect.gen(function* () {
    while (fiber.pollUnsafe() === undefined) yield* unanswered > 0 ? turn : TestClock.adjust("1 second")
    return yield* Fiber.join(fiber)
  })
