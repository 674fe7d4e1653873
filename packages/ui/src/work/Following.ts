/** What changes in the store, whichever process changes it: the store's own cursor, looked at twice a second. */
import type { StoreError } from "@fiscal-connector/core/ledger/StoreError"
import type { SubmissionStoreOperations } from "@fiscal-connector/core/submission/SubmissionStore"
import { Clock, Effect, Stream } from "effect"

export type Followed = Pick<SubmissionStoreOperations, "changed">

const pause = "500 millis"

/** How long what was committed at the same time as the last change may still come. */
const settling = 10_000

const newest = (store: Followed) => Effect.map(store.changed({ order: "newest-first", limit: 1 }), ([last]) => last)

/** A text that is another one where something has changed since. A change that is young may be joined by one that was committed beside it. */
export const standing = (store: Followed): Effect.Effect<string, StoreError> =>
  Effect.gen(function* () {
    const last = yield* newest(store)
    if (last === undefined) return "0"
    if (last.order === "final") return String(last.position)
    return `${last.position}.${Math.floor((yield* Clock.currentTimeMillis) / settling)}`
  })

/** `standing` as it is, with the revision of what this page does, and whenever one of them is another one. */
export const standings = (store: Followed, revision: () => number): Stream.Stream<string, StoreError> =>
  Stream.tick(pause).pipe(
    Stream.mapEffect(() => Effect.map(standing(store), (standing) => `${standing}-${revision()}`)),
    Stream.changes
  )
