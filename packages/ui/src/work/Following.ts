/** Follows changes of the store by any process: polls the store's cursor twice a second. */
import type { StoreError, SubmissionStore } from "@fiscal-connector/core/store"
import { Clock, Effect, Stream } from "effect"

export type Followed = Pick<SubmissionStore.SubmissionStoreOperations, "changed">

const pause = "500 millis"

const settling = 10_000

const newest = (store: Followed) => Effect.map(store.changed({ order: "newest-first", limit: 1 }), ([last]) => last)

/**
 * Returns a text that differs after every change. A recent change may be joined by a concurrent
 * one, so its text also changes with time.
 */
export const standing = (store: Followed): Effect.Effect<string, StoreError.StoreError> =>
  Effect.gen(function* () {
    const last = yield* newest(store)
    if (last === undefined) return "0"
    if (last.order === "final") return String(last.position)
    return `${last.position}.${Math.floor((yield* Clock.currentTimeMillis) / settling)}`
  })

export const standings = (store: Followed, revision: () => number): Stream.Stream<string, StoreError.StoreError> =>
  Stream.tick(pause).pipe(
    Stream.mapEffect(() => Effect.map(standing(store), (standing) => `${standing}-${revision()}`)),
    Stream.changes
  )
