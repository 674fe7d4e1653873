/**
 * Reuses values that were loaded from the store while the store does not change. While this page
 * sends, a changed value is returned at once and loaded again for the next request.
 */
import { type StoreError, SubmissionStore } from "@fiscal-connector/core/store"
import { Clock, Effect, Fiber, type Scope } from "effect"
import * as Following from "./Following.ts"
import type { Going } from "./Going.ts"
import type { Workplace } from "./Workplace.ts"

interface Loaded<A> {
  readonly value: A
  readonly standing: string
  readonly revision: number
  readonly at: number
  readonly took: number
}

/** Number of cached values: the ten imports of a list, and some more. */
const few = 12

/** Milliseconds for which a changed value is shown after the time that its loading takes. */
const shownMeanwhile = 2000

/** Longest reuse in milliseconds of a quickly loaded value: a rejection is visible in 5 s. */
const mostReused = 1500

/** Pause after each page of a value that no request waits for: answers come first. */
const pause = Effect.sleep("10 millis")

interface Reuse {
  /**
   * Time to reuse a value, as a multiple of its loading time. Otherwise reloading a large import
   * would keep the machine busy during sending.
   */
  readonly rest: number
  /**
   * Milliseconds for which a value is reused without changes in the store: documents forgotten in
   * the store must disappear.
   */
  readonly fresh: number
}

/** `scope`: of the loading, which outlives the request that began it. */
export const make = <A>(
  { looking }: Pick<Workplace, "looking">,
  { revision }: Pick<Going, "revision">,
  scope: Scope.Scope,
  { fresh, rest }: Reuse
) => {
  const loaded = new Map<string, Loaded<A>>()
  const loading = new Map<string, Fiber.Fiber<Loaded<A> | undefined, StoreError.StoreError>>()
  /** `paused`: run after each page of the value. */
  type Read = (
    paused: Effect.Effect<void>
  ) => Effect.Effect<A | undefined, StoreError.StoreError, SubmissionStore.SubmissionStore>
  const readNow = (key: string, standing: string, read: ReturnType<Read>) =>
    Effect.gen(function* () {
      const begun = yield* Clock.currentTimeMillis
      const before = revision()
      const value = yield* read
      if (value === undefined) return undefined
      const at = yield* Clock.currentTimeMillis
      const now: Loaded<A> = { value, standing, revision: before, at, took: at - begun }
      loaded.delete(key)
      loaded.set(key, now)
      for (const old of [...loaded.keys()].slice(0, -few)) loaded.delete(old)
      return now
    }).pipe(Effect.provide(looking), Effect.ensuring(Effect.sync(() => loading.delete(key))))
  return {
    /** Undefined if `read` finds nothing. `isSending`: this page sends documents of the value. */
    load: (key: string, isSending: (value: A) => boolean, read: Read) =>
      Effect.gen(function* () {
        const last = loaded.get(key)
        const standing = yield* Following.standing(yield* SubmissionStore.SubmissionStore)
        const age = last === undefined ? Number.POSITIVE_INFINITY : (yield* Clock.currentTimeMillis) - last.at
        const took = last?.took ?? 0
        const reused = Math.min(rest * took, Math.max(mostReused, took))
        // the end of sending shows at once
        const isLate = last?.revision !== revision()
        if (last !== undefined && !isLate && ((last.standing === standing && age < fresh) || age < reused)) return last
        const begun = loading.get(key)
        const begin = (paused: Effect.Effect<void>) =>
          Effect.tap(Effect.forkIn(readNow(key, standing, read(paused)), scope, { startImmediately: false }), (fiber) =>
            Effect.sync(() => loading.set(key, fiber))
          )
        // the result is shown once its documents no longer move
        if (last !== undefined && age < reused + 2 * took + shownMeanwhile && isSending(last.value)) {
          if (begun === undefined) yield* begin(pause)
          return last
        }
        const found = begun === undefined ? undefined : yield* Fiber.join(begun)
        return found?.standing === standing && found.revision === revision()
          ? found
          : yield* Effect.flatMap(begin(Effect.void), Fiber.join)
      })
  }
}
