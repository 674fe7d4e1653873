import { acceptPlan } from "../../src/session/Acceptance.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { TestClock } from "effect/testing"
import * as Originals from "../../src/session/Originals.ts"
import type { Reading } from "../../src/source/Adapter.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import {
  bookWith,
  creditNote,
  destination,
  invoice,
  memory,
  plan,
  planned,
  outcomesOf
} from "../import/SampleSources.ts"

const register = (readings: ReadonlyArray<Reading>) =>
  Effect.gen(function* () {
    yield* SubmissionStore.use((store) => store.pin(destination))
    return yield* Originals.register(Stream.fromIterable(readings), { ...destination, book: bookWith() })
  })

describe("invoices fiscalised elsewhere", () => {
  it.effect("can be credited after registration, up to their totals", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-01T12:00:00Z"))
      const { registered } = yield* register([invoice("OLD-1", "2025-12-30")])
      assert.strictEqual(registered, 1)
      const { entries } = yield* planned([
        creditNote("CN-1", "2026-01-10", "OLD-1"),
        creditNote("CN-2", "2026-01-11", "OLD-1"),
        creditNote("CN-3", "2026-01-11", "OLD-1", { currency: "ZAR" })
      ])
      assert.deepStrictEqual(outcomesOf(entries), {
        "CN-1": "2026-01-10",
        "CN-2": "RCPT035",
        "CN-3": "RCPT035 RCPT042"
      })
    }).pipe(Effect.provide(memory))
  )

  it.effect("are recognized the second time, and their numbers are taken", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-01T12:00:00Z"))
      yield* register([invoice("OLD-1", "2025-12-30")])
      const again = yield* register([invoice("OLD-1", "2025-12-30")])
      assert.deepInclude(again, { registered: 0, known: 1, taken: [] })
      const { entries } = yield* planned([invoice("OLD-1", "2026-01-10", { id: "another" })])
      assert.deepStrictEqual(outcomesOf(entries), { "OLD-1": "RCPT013" })
    }).pipe(Effect.provide(memory))
  )

  it.effect("are not registered in place of our own document", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-01T12:00:00Z"))
      yield* acceptPlan(yield* plan([invoice("INV-1", "2026-01-05", { id: "ours" })]))
      const { taken } = yield* register([invoice("INV-1", "2026-01-05", { id: "theirs" })])
      assert.deepStrictEqual(taken, ["INV-1"])
    }).pipe(Effect.provide(memory))
  )

  it.effect("are not registered for an account that was used for another taxpayer, by any caller", () =>
    Effect.gen(function* () {
      yield* SubmissionStore.use((store) => store.pin({ ...destination, taxpayer: "2000999999" }))
      const refused = yield* Effect.flip(
        Originals.register(Stream.make(invoice("OLD-1", "2025-12-30")), { ...destination, book: bookWith() })
      )
      assert.include(
        refused.message,
        `was used for the taxpayer 2000999999, and its device belongs to ${destination.taxpayer} now`
      )
      const { entries } = yield* planned([creditNote("CN-1", "2026-01-10", "OLD-1")])
      assert.deepStrictEqual(outcomesOf(entries), { "CN-1": "RCPT032" })
    }).pipe(Effect.provide(memory))
  )

  it.effect("that cannot be translated are reported with the reason; credit notes are skipped", () =>
    Effect.gen(function* () {
      const report = yield* register([
        invoice("OLD-1", "2025-12-30", { currency: "XXX" }),
        creditNote("CN-1", "2026-01-10", "OLD-1")
      ])
      assert.deepStrictEqual(
        report.findings.map(({ finding, number }) => [number, finding.code]),
        [["OLD-1", "CURRENCY_UNMAPPED"]]
      )
      assert.strictEqual(report.passedOver, 1)
    }).pipe(Effect.provide(memory))
  )
})
