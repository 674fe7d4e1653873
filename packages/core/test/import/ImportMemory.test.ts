import { acceptPlan } from "../../src/session/Acceptance.ts"
import * as Session from "../../src/session/Session.ts"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import * as ImportSummary from "../../src/import/ImportSummary.ts"
import type { ImportRecord } from "../../src/import/ImportRecord.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import * as ImportMemory from "../../src/import/ImportMemory.ts"
import { destination, invoice, memory, plan } from "./SampleSources.ts"

const made: ImportRecord = {
  at: DateTime.makeZonedUnsafe("2026-03-01T12:00:00Z", { timeZone: DateTime.zoneMakeOffset(7_200_000) }),
  destination,
  adapter: "csv",
  files: [{ name: "export.csv", bytes: 3, sha256: "00".repeat(32) }],
  book: null,
  settings: { dates: "dmy" }
}

const documents = [
  invoice("INV-1", "2026-01-05"),
  invoice("INV-2", "2026-01-05", { currency: "XXX" }),
  invoice("INV-3", "2026-01-06"),
  { _tag: "Skipped", key: "BILL-1", reason: "a bill", at: { file: "export.csv", line: 9 } } as const
]

const remembered = Effect.gen(function* () {
  const store = yield* SubmissionStore
  const [kept] = yield* store.imports({})
  const pages = yield* Stream.runCollect(ImportMemory.pages(kept!))
  return { kept: kept!, documents: pages.flatMap((page) => page.documents) }
})

describe("an import recorded in the store", () => {
  it.effect("is shown later as it was shown at first, with sums by tax", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-01T12:00:00Z"))
      const planned = yield* plan(documents)
      const submitted = yield* acceptPlan(planned, made)
      const then = yield* Session.summary(planned, submitted, destination.account)
      const { documents: shown, kept } = yield* remembered
      assert.strictEqual(submitted.import, kept.id)
      assert.deepStrictEqual([kept.standing, kept.documents, kept.refused, kept.skipped], ["whole", 4, 1, 1])
      assert.deepStrictEqual(kept.files, made.files)
      const summing = ImportSummary.make({ taxes: [] })
      for (const document of shown) summing.add(document)
      const now = summing.summary
      assert.deepStrictEqual(
        JSON.stringify([now.counts, now.totals, now.taxes, now.causes]),
        JSON.stringify([then.counts, then.totals, then.taxes, then.causes])
      )
      assert.isTrue(now.taxes.some(({ taxCode }) => taxCode === "VAT155"))
    }).pipe(Effect.provide(memory))
  )

  it.effect("shows the present state of its documents, whichever process sent them", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-01T12:00:00Z"))
      yield* acceptPlan(yield* plan(documents), made)
      const store = yield* SubmissionStore
      yield* store.decide({ account: "main", kind: "invoice", id: "INV-3" }, { _tag: "Withdrawn" }, "not ours")
      const { documents: shown } = yield* remembered
      assert.deepStrictEqual(
        shown.map(({ number, state }) => [number, state]),
        [
          ["INV-1", "Planned"],
          ["INV-2", "Refused"],
          ["INV-3", "Withdrawn"],
          ["BILL-1", "Skipped"]
        ]
      )
    }).pipe(Effect.provide(memory))
  )

  it.effect("includes documents known before, and is not recorded without a description of its files", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-01T12:00:00Z"))
      const first = yield* acceptPlan(yield* plan(documents))
      assert.isNull(first.import)
      assert.deepStrictEqual(yield* SubmissionStore.use((store) => store.imports({})), [])
      yield* acceptPlan(yield* plan(documents), made)
      const { documents: shown } = yield* remembered
      assert.deepStrictEqual(
        shown.map(({ number, state }) => `${number} ${state}`),
        ["INV-1 Planned", "INV-2 Refused", "INV-3 Planned", "BILL-1 Skipped"]
      )
      assert.isTrue(Option.isSome(yield* SubmissionStore.use((store) => store.importOf(1))))
    }).pipe(Effect.provide(memory))
  )

  it.effect("is reported as damaged if an amount is unreadable, and is not shown with another amount", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-01T12:00:00Z"))
      yield* acceptPlan(yield* plan(documents), made)
      const store = yield* SubmissionStore
      const damaged: SubmissionStore["Service"] = {
        ...store,
        importDocuments: (id) =>
          Stream.map(store.importDocuments(id), (page) =>
            page.map((document) => (document.is === "Refused" ? { ...document, total: "1O.00" } : document))
          )
      }
      const { text: problem, reason } = yield* Effect.flip(Effect.provideService(remembered, SubmissionStore, damaged))
      assert.strictEqual(reason, "corrupt")
      assert.include(problem, "an amount of INV-2 in a remembered import cannot be read")
    }).pipe(Effect.provide(memory))
  )
})
