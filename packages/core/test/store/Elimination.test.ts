import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { RequestId } from "../../src/document/Identifiers.ts"
import type { StatusItem } from "../../src/gateway/operation/Status.ts"
import * as SqliteStore from "../../src/node/SqliteStore.ts"
import type { AttemptResult } from "../../src/submission/AttemptResult.ts"
import type { LaneLease } from "../../src/submission/Lane.ts"
import type { AttemptOptions } from "../../src/submission/Attempt.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { invoice } from "../submission/PlannedDocuments.ts"

const options: AttemptOptions = {
  accounts: [{ account: "shop", environment: "test", afterRejection: "retry", continueAfter: "accepted" }],
  lease: Duration.minutes(2),
  skew: Duration.days(36_500)
}
const lost: AttemptResult = { _tag: "Unknown", text: "the answer was lost" }
const fiscalised = (id: string): StatusItem => ({
  _tag: "Fiscalised",
  requestId: RequestId.make(id),
  qrData: null,
  fiscalInvoicePdf: null
})

/** Sends the next document of the lane, and records the answer. */
const sent = (lease: LaneLease, result: AttemptResult) =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const begun = yield* store.beginAttempt(lease, options)
    assert(begun._tag === "Begun")
    yield* store.finishAttempt({ attempt: begun.attempt, result, firstLook: Duration.zero })
  })

const states = Effect.gen(function* () {
  const found = yield* (yield* SubmissionStore).list({})
  return Object.fromEntries(found.map(({ id, state }) => [id, state]))
})

const leased = Effect.gen(function* () {
  const store = yield* SubmissionStore
  yield* store.plan([invoice("i1"), invoice("i2")])
  const claim = yield* store.claim("test/1001", "somebody", options.lease, () => false)
  assert(claim._tag === "Claimed")
  return claim.lease
})

describe("an outcome with an unknown request id", () => {
  it.effect("belongs to the request with a lost answer, if there is only one", () =>
    Effect.gen(function* () {
      const store = yield* SubmissionStore
      yield* sent(yield* leased, lost)
      yield* store.recordOutcomes("shop", [fiscalised("r1")], "poll")
      assert.strictEqual(yield* store.joinByElimination("shop"), 1)
      assert.deepStrictEqual(yield* states, { i1: "Fiscalised", i2: "Planned" })
    }).pipe(Effect.provide(Layer.fresh(SqliteStore.layer({ filename: ":memory:" }))))
  )

  it.effect("does not belong to a request that an operator ruled out and that was sent again with an id", () =>
    Effect.gen(function* () {
      const store = yield* SubmissionStore
      const lease = yield* leased
      yield* sent(lease, lost)
      yield* TestClock.adjust("5 minutes")
      yield* store.decide({ account: "shop", kind: "invoice", id: "i1" }, { _tag: "NotProcessed" }, "the portal")
      yield* sent(lease, { _tag: "Accepted", requestId: RequestId.make("r2") })
      yield* store.recordOutcomes("shop", [fiscalised("r3")], "poll")
      assert.strictEqual(yield* store.joinByElimination("shop"), 0)
      yield* TestClock.adjust("1 second")
      yield* sent(lease, lost)
      yield* store.recordOutcomes("shop", [fiscalised("r4")], "poll")
      assert.strictEqual(yield* store.joinByElimination("shop"), 1)
      assert.deepStrictEqual(yield* states, { i1: "Accepted", i2: "Fiscalised" })
    }).pipe(Effect.provide(Layer.fresh(SqliteStore.layer({ filename: ":memory:" }))))
  )

  it.effect(
    "is not assigned if it may belong to a request that an operator ruled out before its quiet period ended",
    () =>
      Effect.gen(function* () {
        const store = yield* SubmissionStore
        const lease = yield* leased
        yield* sent(lease, lost)
        const i1 = { account: "shop", kind: "invoice", id: "i1" } as const
        const decided = yield* store.decide(i1, { _tag: "NotProcessed" }, "it must be sent today", "recent")
        assert.strictEqual(decided._tag, "Resolved")
        yield* sent(lease, { _tag: "Accepted", requestId: RequestId.make("r2") })
        yield* TestClock.adjust("1 second")
        yield* sent(lease, lost)
        // The first request of i1 arrived after all; its outcome has an id of no attempt.
        yield* store.recordOutcomes("shop", [fiscalised("r1")], "poll")
        assert.strictEqual(yield* store.joinByElimination("shop"), 0)
        assert.deepStrictEqual(yield* states, { i1: "Accepted", i2: "Unknown" })
      }).pipe(Effect.provide(Layer.fresh(SqliteStore.layer({ filename: ":memory:" }))))
  )

  it.effect("is not assigned if it may belong to a lost request that was sent again with its own id", () =>
    Effect.gen(function* () {
      const store = yield* SubmissionStore
      const lease = yield* leased
      yield* sent(lease, lost)
      yield* TestClock.adjust("5 minutes")
      yield* store.resendUnknown("shop")
      yield* sent(lease, { _tag: "Accepted", requestId: RequestId.make("r2") })
      yield* sent(lease, lost)
      // Outcome of the first request, which had arrived.
      yield* store.recordOutcomes("shop", [fiscalised("r1")], "poll")
      assert.strictEqual(yield* store.joinByElimination("shop"), 0)
      assert.deepStrictEqual(yield* states, { i1: "Accepted", i2: "Unknown" })
    }).pipe(Effect.provide(Layer.fresh(SqliteStore.layer({ filename: ":memory:" }))))
  )

  it.effect("is not assigned until the gateway answers for every request id that an operator entered", () =>
    Effect.gen(function* () {
      const store = yield* SubmissionStore
      const lease = yield* leased
      const i1 = { account: "shop", kind: "invoice", id: "i1" } as const
      yield* sent(lease, lost)
      yield* TestClock.adjust("5 minutes")
      yield* store.decide(i1, { _tag: "NotProcessed" }, "the portal")
      yield* store.decide(i1, { _tag: "Withdrawn" }, "not needed")
      yield* sent(lease, lost)
      yield* store.decide({ ...i1, id: "i2" }, { _tag: "Accepted", requestId: RequestId.make("r-2") }, "the portal")
      // Either the outcome of i2, if the operator mistyped r2, or of i1, if the operator did not.
      yield* store.recordOutcomes("shop", [fiscalised("r2")], "poll")
      assert.strictEqual(yield* store.joinByElimination("shop"), 0)
      assert.deepStrictEqual(yield* states, { i1: "Withdrawn", i2: "Accepted" })
      yield* store.recordOutcomes("shop", [fiscalised("r-2")], "poll")
      assert.strictEqual(yield* store.joinByElimination("shop"), 1)
      assert.deepStrictEqual(yield* states, { i1: "Fiscalised", i2: "Fiscalised" })
    }).pipe(Effect.provide(Layer.fresh(SqliteStore.layer({ filename: ":memory:" }))))
  )

  it.effect("is not assigned if it comes so late that it may belong to a request that a restored copy lacks", () =>
    Effect.gen(function* () {
      const store = yield* SubmissionStore
      yield* sent(yield* leased, lost)
      yield* TestClock.adjust("16 minutes")
      yield* store.recordOutcomes("shop", [fiscalised("r1")], "webhook")
      assert.strictEqual(yield* store.joinByElimination("shop"), 0)
      assert.deepStrictEqual(yield* states, { i1: "Unknown", i2: "Planned" })
    }).pipe(Effect.provide(Layer.fresh(SqliteStore.layer({ filename: ":memory:" }))))
  )

  it.effect("is not assigned to the request of another process, which may be followed by requests that are lost", () =>
    Effect.gen(function* () {
      const folder = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "elimination-"))),
        (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
      )
      const process = Layer.fresh(SqliteStore.layer({ filename: join(folder, "store.db") }))
      const joined = Effect.flatMap(SubmissionStore, (store) => store.joinByElimination("shop"))
      yield* Effect.gen(function* () {
        const store = yield* SubmissionStore
        yield* sent(yield* leased, lost)
        yield* store.recordOutcomes("shop", [fiscalised("r1")], "webhook")
        assert.strictEqual(yield* Effect.provide(joined, process), 0)
        assert.deepStrictEqual(yield* states, { i1: "Unknown", i2: "Planned" })
        assert.strictEqual(yield* joined, 1)
        assert.deepStrictEqual(yield* states, { i1: "Fiscalised", i2: "Planned" })
      }).pipe(Effect.provide(process))
    })
  )
})
