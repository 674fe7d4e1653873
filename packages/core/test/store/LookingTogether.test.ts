import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { RequestId } from "../../src/document/Identifiers.ts"
import * as SqliteStore from "../../src/node/SqliteStore.ts"
import type { AttemptOptions, BegunAttempt, FinishedAttempt } from "../../src/submission/Attempt.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { watched } from "../node/WatchedDatabase.ts"
import { creditNote, invoice } from "../submission/PlannedDocuments.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "fiscal-together-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const onStore = <A, E>(
  use: (commits: { n: number }) => Effect.Effect<A, E, SubmissionStore>,
  disk: () => void = () => {}
) =>
  Effect.gen(function* () {
    const commits = { n: 0 }
    const filename = join(yield* folder, "store.db")
    const layer = Layer.fresh(
      SqliteStore.layer({
        filename,
        open: watched(() => {
          commits.n++
          disk()
        })
      })
    )
    return yield* Effect.provide(use(commits), layer)
  }).pipe(Effect.scoped)

const at = (n: number) => ({ account: `shop${n}`, lane: `test/${n}`, taxpayer: `200000000${n}` })

const optionsOf = (n: number): AttemptOptions => ({
  accounts: [{ account: `shop${n}`, environment: "test", afterRejection: "retry", continueAfter: "accepted" }],
  lease: Duration.minutes(1),
  skew: Duration.minutes(1)
})

const claimed = (n: number) =>
  SubmissionStore.use((store) =>
    Effect.gen(function* () {
      const claim = yield* store.claim(`test/${n}`, "me", Duration.minutes(1), () => false)
      assert(claim._tag === "Claimed")
      return claim.lease
    })
  )

const accepted = ({ attempt }: BegunAttempt, requestId: string): FinishedAttempt => ({
  attempt,
  result: { _tag: "Accepted", requestId: RequestId.make(requestId) },
  firstLook: Duration.seconds(6)
})

describe("simultaneous steps of several lanes", () => {
  /**
   * Plans two documents for each lane and claims the lanes; returns a function that takes a step of
   * a lane, and the number of commits when its result was returned.
   */
  const lanesOf = (lanes: ReadonlyArray<number>, commits: { n: number }) =>
    Effect.gen(function* () {
      const store = yield* SubmissionStore
      yield* store.plan(lanes.flatMap((n) => [invoice(`a${n}`, at(n)), invoice(`b${n}1`, at(n))]))
      const leases = new Map(
        yield* Effect.forEach(lanes, (n) => Effect.map(claimed(n), (lease) => [n, lease] as const))
      )
      const before = commits.n
      const step = (n: number, answer?: FinishedAttempt) =>
        Effect.map(store.beginAttempt(leases.get(n)!, optionsOf(n), answer), (begun) => {
          assert(begun._tag === "Begun")
          return { begun, commit: commits.n - before }
        })
      return { step, all: Effect.forEach(lanes, (n) => step(n), { concurrency: "unbounded" }) }
    })

  it.effect("share a commit, each with its own attempt", () =>
    onStore((commits) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.UTC(2026, 5, 1))
        const store = yield* SubmissionStore
        const { all, step } = yield* lanesOf([1, 2], commits)
        const first = yield* all
        const second = yield* Effect.all(
          [step(1, accepted(first[0]!.begun, "r1")), step(2, accepted(first[1]!.begun, "r2"))],
          {
            concurrency: "unbounded"
          }
        )
        assert.deepStrictEqual(
          [...first, ...second].map(({ begun: { attempt, key }, commit }) => [attempt, key.id, commit]),
          [
            [1, "a1", 1],
            [2, "a2", 1],
            [3, "b11", 2],
            [4, "b21", 2]
          ]
        )
        const [identity, rows] = [yield* store.identity, yield* store.list({ states: ["Accepted"] })]
        assert.deepStrictEqual([identity.attempts, rows.length], [4, 2])
      })
    )
  )

  // The clock does not advance in these tests, so no disk is slow.
  it.effect("are committed in groups if they are many: the first group is answered before the next is written", () =>
    onStore((commits) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.UTC(2026, 5, 1))
        const { all } = yield* lanesOf([1, 2, 3, 4, 5], commits)
        assert.deepStrictEqual(
          (yield* all).map(({ commit }) => commit),
          [1, 1, 2, 2, 3]
        )
      })
    )
  )

  it.effect("share commits if new steps arrive faster than groups are written", () =>
    onStore((commits) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.UTC(2026, 5, 1))
        const { step } = yield* lanesOf([1, 2, 3, 4, 5, 6], commits)
        const twice = (n: number) =>
          Effect.flatMap(step(n), ({ begun, commit }) =>
            Effect.map(step(n, accepted(begun, `r${n}`)), (again) => [commit, again.commit])
          )
        const told = yield* Effect.forEach([1, 2, 3, 4, 5, 6], twice, { concurrency: "unbounded" })
        assert.deepStrictEqual(told.slice(0, 4), [
          [1, 2],
          [1, 2],
          [2, 3],
          [2, 3]
        ])
      })
    )
  )

  it.live("share one commit if a commit is slow", () =>
    Effect.suspend(() => {
      const lanes = [1, 2, 3, 4, 5]
      return onStore(
        (commits) =>
          Effect.gen(function* () {
            const { all, step } = yield* lanesOf(lanes, commits)
            const first = yield* all
            const second = yield* Effect.forEach(lanes, (n, i) => step(n, accepted(first[i]!.begun, `r${n}`)), {
              concurrency: "unbounded"
            })
            assert.deepStrictEqual(
              [...first, ...second].map(({ commit }) => commit),
              [1, 1, 1, 1, 1, 2, 2, 2, 2, 2]
            )
          }),
        () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
      )
    })
  )

  it.live("all fail with their commit, and none of them begins an attempt", () => {
    let refuses = false
    return onStore(
      (commits) =>
        Effect.gen(function* () {
          const store = yield* SubmissionStore
          const { step } = yield* lanesOf([1, 2], commits)
          refuses = true
          const told = yield* Effect.forEach([1, 2], (n) => Effect.flip(step(n)), { concurrency: "unbounded" })
          refuses = false
          assert.deepStrictEqual(
            told.map(({ operation }) => operation),
            ["begin an attempt", "begin an attempt"]
          )
          assert.deepStrictEqual(yield* store.list({ states: ["Sending"] }), [])
        }),
      () => {
        if (refuses) throw new Error("the disk is full")
      }
    )
  })

  it.live("read again after an earlier step of the commit has changed their queue", () =>
    onStore(() =>
      Effect.gen(function* () {
        const store = yield* SubmissionStore
        const original = invoice("i1", at(1))
        const note = {
          ...creditNote("c1", { ...at(2), credits: "i1" }),
          original: { account: "shop1", kind: "invoice", id: "i1" } as const
        }
        yield* store.plan([original, invoice("i2", at(1)), note])
        const [own, others] = [yield* claimed(1), yield* claimed(2)]
        const key = { account: "shop1", kind: "invoice", id: "i1" } as const
        yield* store.hold([key], { cause: "operator", text: "to be looked at" })
        const nothing = yield* store.beginAttempt(others, optionsOf(2))
        assert.strictEqual(nothing._tag, "Drained")
        yield* store.decide(key, { _tag: "Resend" }, "looked at")
        const begun = yield* store.beginAttempt(own, optionsOf(1))
        assert(begun._tag === "Begun" && begun.key.id === "i1")
        // The outcome arrives before the answer is recorded.
        yield* store.recordOutcomes(
          "shop1",
          [
            {
              _tag: "Fiscalised",
              requestId: RequestId.make("r1"),
              qrData: null,
              fiscalInvoicePdf: null,
              unknownFields: {}
            }
          ],
          "webhook"
        )
        const [, released] = yield* Effect.all(
          [store.beginAttempt(own, optionsOf(1), accepted(begun, "r1")), store.beginAttempt(others, optionsOf(2))],
          { concurrency: "unbounded" }
        )
        assert(released._tag === "Begun")
        assert.strictEqual(released.key.id, "c1")
      })
    )
  )
})
