import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import { RequestId } from "../../src/document/Identifiers.ts"
import * as PgStore from "../../src/node/PgStore.ts"
import { type AttemptOptions, type FinishedAttempt, SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { invoice } from "../../src/testing/PlannedDocuments.ts"
import * as CountedWire from "./CountedWire.ts"
import { fresh, url } from "./Database.ts"

const options: AttemptOptions = {
  accounts: [{ account: "shop", environment: "test", afterRejection: "retry", goOnAfter: "accepted" }],
  lease: Duration.minutes(2),
  skew: Duration.zero
}

describe("a document in PostgreSQL", () => {
  it.live("costs two round trips: everything is read in one, everything is written in the other", () =>
    Effect.gen(function* () {
      const wire = yield* CountedWire.make(url())
      const layer = PgStore.layer({ ...fresh(), url: wire.url, connections: 1 })
      const { lane } = invoice("i0")
      yield* Effect.gen(function* () {
        const store = yield* SubmissionStore
        yield* store.plan(
          Array.from({ length: 20 }, (_, n) =>
            invoice(`i${n}`, { receiptDate: `2026-01-10T12:00:${String(n).padStart(2, "0")}+02:00` })
          )
        )
        const claim = yield* store.claim(lane, "somebody", options.lease, () => false)
        assert(claim._tag === "Claimed")
        let finished: FinishedAttempt | undefined
        const send = Effect.gen(function* () {
          const next = yield* store.beginAttempt(claim.lease, options, finished)
          assert(next._tag === "Begun")
          const result = { _tag: "Accepted", requestId: RequestId.make(`r${next.attempt}`) } as const
          finished = { attempt: next.attempt, result, firstLook: Duration.zero }
        })
        // the statements are prepared once
        yield* Effect.repeat(send, { times: 4 })
        const before = wire.trips()
        yield* Effect.repeat(send, { times: 9 })
        assert.strictEqual((wire.trips() - before) / 10, 2)
      }).pipe(Effect.provide(Layer.fresh(layer)))
    }).pipe(Effect.scoped)
  )
})
