import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { RequestId } from "../../src/document/Identifiers.ts"
import * as SqliteStore from "../../src/node/SqliteStore.ts"
import type { AttemptOptions, BegunAttempt, FinishedAttempt } from "../../src/submission/Attempt.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { watched } from "../node/WatchedDatabase.ts"
import { creditNote, invoice } from "../../src/testing/PlannedDocuments.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "fiscal-together-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const onStore = <A, E>(use: (commits: { n: number }) => Effect.Effect<A, E, SubmissionStore>) =>
  Effect.gen(function* () {
    const commits = { n: 0 }
    const filename = join(yield* folder, "store.db")
    const layer = Layer.fresh(SqliteStore.layer({ filename, open: watched(() => commits.n++) }))
    return yield* Effect.provide(use(commits), layer)
  }).pipe(Effect.scoped)

const at = (n: number) => ({ account: `shop${n}`, lane: `test/${n}`, taxpayer: `200000000${n}` })

const optionsOf = (n: number): AttemptOptions => ({
  accounts: [{ account: `shop${n}`, environment: "test", afterRejection: "retry", goOnAfter: "accepted" }],
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

describe("lanes whose steps come in the same moment", () => {
  it.live("are written in one commit, each with an attempt of its own", () =>
    onStore((commits) =>
      Effect.gen(function* () {
        const store = yield* SubmissionStore
        const lanes = [1, 2, 3]
        yield* store.plan(lanes.flatMap((n) => [invoice(`a${n}`, at(n)), invoice(`b${n}1`, at(n))]))
        const leases = yield* Effect.forEach(lanes, claimed)
        const step = (answers: ReadonlyArray<FinishedAttempt | undefined>) =>
          Effect.forEach(lanes, (n, i) => store.beginAttempt(leases[i]!, optionsOf(n), answers[i]), {
            concurrency: "unbounded"
          })
        const before = commits.n
        const first = (yield* step([])).filter((one) => one._tag === "Begun")
        const second = (yield* step(first.map((one, i) => accepted(one, `r${i}`)))).filter(
          (one) => one._tag === "Begun"
        )
        assert.strictEqual(commits.n - before, 2)
        assert.deepStrictEqual(
          [...first, ...second].map(({ attempt, key }) => [attempt, key.id]),
          [
            [1, "a1"],
            [2, "a2"],
            [3, "a3"],
            [4, "b11"],
            [5, "b21"],
            [6, "b31"]
          ]
        )
        const [identity, rows] = [yield* store.identity, yield* store.list({ states: ["Accepted"] })]
        assert.deepStrictEqual([identity.attempts, rows.length], [6, 3])
      })
    )
  )

  it.live("look again where one before them has changed their line", () =>
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
        yield* store.hold([key], { cause: "person", because: "to be looked at" })
        const nothing = yield* store.beginAttempt(others, optionsOf(2))
        assert.strictEqual(nothing._tag, "Drained")
        yield* store.decide(key, { _tag: "Resend" }, "looked at")
        const begun = yield* store.beginAttempt(own, optionsOf(1))
        assert(begun._tag === "Begun" && begun.key.id === "i1")
        // its outcome comes before its answer is written
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
