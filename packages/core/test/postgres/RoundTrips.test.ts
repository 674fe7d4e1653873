import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import { RequestId } from "../../src/document/Identifiers.ts"
import * as PgStore from "../../src/node/PgStore.ts"
import type { StoreError } from "../../src/submission/ledger/StoreError.ts"
import type { AttemptOptions, FinishedAttempt } from "../../src/submission/Attempt.ts"
import { SubmissionStore, type SubmissionStoreOperations } from "../../src/submission/SubmissionStore.ts"
import { invoice } from "../submission/PlannedDocuments.ts"
import * as CountedWire from "./CountedWire.ts"
import { fresh, url } from "./Database.ts"

const options: AttemptOptions = {
  accounts: [{ account: "shop", environment: "test", afterRejection: "retry", continueAfter: "accepted" }],
  lease: Duration.minutes(2),
  skew: Duration.zero
}

/**
 * Provides a store with twenty documents behind a counting wire, and a function that sends the
 * next.
 */
const counted = <A, E>(
  use: (given: {
    readonly store: SubmissionStoreOperations
    readonly trips: () => number
    readonly send: Effect.Effect<RequestId, StoreError>
  }) => Effect.Effect<A, E>
) =>
  Effect.gen(function* () {
    const wire = yield* CountedWire.make(url())
    const layer = PgStore.layer({ ...fresh(), url: wire.url, connections: 1 })
    return yield* Effect.gen(function* () {
      const store = yield* SubmissionStore
      const dates = Array.from({ length: 20 }, (_, n) => `2026-01-10T12:00:${String(n).padStart(2, "0")}+02:00`)
      yield* store.plan(dates.map((receiptDate, n) => invoice(`i${n}`, { receiptDate })))
      const claim = yield* store.claim("test/1001", "somebody", options.lease, () => false)
      assert(claim._tag === "Claimed")
      let finished: FinishedAttempt | undefined
      const send = Effect.gen(function* () {
        const next = yield* store.beginAttempt(claim.lease, options, finished)
        assert(next._tag === "Begun")
        const requestId = RequestId.make(`r${next.attempt}`)
        finished = { attempt: next.attempt, result: { _tag: "Accepted", requestId }, firstLook: Duration.zero }
        return requestId
      })
      return yield* use({ store, trips: wire.trips, send })
    }).pipe(Effect.provide(Layer.fresh(layer)))
  }).pipe(Effect.scoped)

const policy = { firstLook: Duration.zero, longestPause: Duration.hours(1), retention: Duration.days(7) }

describe("a document in PostgreSQL", () => {
  it.live("needs two round trips: one for all reads, and one for all writes", () =>
    counted(({ send, trips }) =>
      Effect.gen(function* () {
        // The statements are prepared once.
        yield* Effect.repeat(send, { times: 4 })
        const before = trips()
        yield* Effect.repeat(send, { times: 9 })
        assert.strictEqual(trips() - before, 20)
      })
    )
  )
})

describe("the outcomes of a status call in PostgreSQL", () => {
  it.live("need as many round trips for nine results as for one", () =>
    counted(({ send, store, trips }) =>
      Effect.gen(function* () {
        const ids = yield* Effect.forEach(Array.from({ length: 15 }), () => send)
        const record = (asked: ReadonlyArray<RequestId>) =>
          Effect.gen(function* () {
            const before = trips()
            const items = asked.map(
              (requestId) => ({ _tag: "Fiscalised", requestId, qrData: null, fiscalInvoicePdf: null }) as const
            )
            yield* store.recordPoll("shop", asked, items, policy)
            return trips() - before
          })
        yield* record(ids.slice(0, 3))
        const one = yield* record(ids.slice(3, 4))
        const nine = yield* record(ids.slice(4, 13))
        assert.deepStrictEqual([one, nine], [6, 6])
        const states = (yield* store.list({})).map(({ state }) => state)
        assert.strictEqual(states.filter((state) => state === "Fiscalised").length, 13)
      })
    )
  )
})
