/** What changes in the store, whichever process changes it: the store's own cursor, looked at twice a second. */
import type { StoreError } from "@fiscal-connector/core/ledger/StoreError"
import type { Submission } from "@fiscal-connector/core/submission/Submission"
import type { SubmissionStoreOperations } from "@fiscal-connector/core/submission/SubmissionStore"
import { Clock, Effect, Stream } from "effect"

export type Followed = Pick<SubmissionStoreOperations, "changed">

const pause = "500 millis"

/** How long what was committed at the same time as the last change may still come. */
const settling = 10_000

const newest = (store: Followed) => Effect.map(store.changed({ order: "newest-first", limit: 1 }), ([last]) => last)

/** The place of the last change; 0 where there was none. */
export const position = (store: Followed): Effect.Effect<number, StoreError> =>
  Effect.map(newest(store), (last) => last?.position ?? 0)

/** A text that is another one where something has changed since. A change that is young may be joined by one that was committed beside it. */
export const standing = (store: Followed): Effect.Effect<string, StoreError> =>
  Effect.gen(function* () {
    const last = yield* newest(store)
    if (last === undefined) return "0"
    if (last.order === "final") return String(last.position)
    return `${last.position}.${Math.floor((yield* Clock.currentTimeMillis) / settling)}`
  })

/** `standing` as it is, and whenever it is another one. */
export const standings = (store: Followed): Stream.Stream<string, StoreError> =>
  Stream.tick(pause).pipe(
    Stream.mapEffect(() => standing(store)),
    Stream.changes
  )

/** Every submission that has changed since that place, as it is then. */
export const changes = (store: Followed, since: number): Stream.Stream<Submission, StoreError> => {
  let after = since
  return Stream.tick(pause).pipe(
    Stream.mapEffect(() => Effect.suspend(() => store.changed({ after, limit: 500 }))),
    Stream.flatMap((found) => {
      after = found.at(-1)?.position ?? after
      return Stream.fromIterable(found.map(({ submission }) => submission))
    })
  )
}
