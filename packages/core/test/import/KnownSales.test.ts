/** Plans of documents that may have a receipt already. */
import { acceptPlan } from "../../src/session/Acceptance.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { TestClock } from "effect/testing"
import * as Originals from "../../src/session/Originals.ts"
import type { Reading } from "../../src/source/Adapter.ts"
import { RCPT015 } from "../../src/finding/ReceiptRule.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import {
  bookWith,
  creditNote,
  destination,
  invoice,
  memory,
  money,
  outcomesOf,
  plan,
  planned
} from "./SampleSources.ts"

const at = TestClock.setTime(Date.parse("2026-03-01T12:00:00Z"))

const register = (...readings: ReadonlyArray<Reading>) =>
  Effect.gen(function* () {
    yield* SubmissionStore.use((store) => store.pin(destination))
    return yield* Originals.register(Stream.fromIterable(readings), { ...destination, book: bookWith() })
  })

const outcomes = (...readings: ReadonlyArray<Reading>) =>
  Effect.map(planned(readings), ({ entries }) => outcomesOf(entries))

const price = (unitPrice: string) => ({
  lines: [
    {
      description: "Thing",
      quantity: money("1"),
      unitPrice: money(unitPrice),
      taxes: [{ code: "Standard" }],
      productCode: "12345678"
    }
  ]
})

const day = "2026-01-10"

describe("a plan", () => {
  it.effect("skips what is registered as fiscalised elsewhere, and refuses it with other values", () =>
    Effect.gen(function* () {
      yield* at
      yield* register(invoice("OLD-1", day), invoice("OLD-2", day))
      const { entries, skipped } = yield* planned([
        invoice("OLD-1", day),
        invoice("OLD-2", day, price("90")),
        invoice("NEW-1", day),
        creditNote("CN-1", "2026-01-11", "OLD-1")
      ])
      assert.deepStrictEqual(outcomesOf(entries), {
        "OLD-2": "DIFFERS_FROM_REGISTERED",
        "NEW-1": "2026-01-10",
        "CN-1": "2026-01-11"
      })
      assert.deepStrictEqual(
        skipped.map(({ key, reason }) => [key, reason]),
        [["OLD-1", "fiscalised elsewhere (registered on 2026-03-01)"]]
      )
    }).pipe(Effect.provide(memory))
  )

  it.effect("holds another spelling, of the store and of the same export, and not the documents around it", () =>
    Effect.gen(function* () {
      yield* at
      yield* acceptPlan(yield* plan([invoice("A-001", day)]))
      const found = yield* outcomes(
        invoice("a1", day),
        invoice("B-7", day),
        invoice("B/07", day),
        invoice("B-8", day),
        invoice("B 08", day, price("90"))
      )
      assert.deepStrictEqual(Object.keys(found), ["a1", "B-7", "B/07", "B-8", "B 08"])
      assert.match(found["a1"]!, /^held: possible duplicate: A-001 of 2026-01-10 \(Planned when they were compared\)/)
      assert.match(found["B/07"]!, /^held: possible duplicate: B-7/)
      assert.deepStrictEqual([found["B-7"], found["B-8"], found["B 08"]], [day, day, day])
    }).pipe(Effect.provide(memory))
  )

  it.effect("compares a spelling that an operator has named under the known document", () =>
    Effect.gen(function* () {
      yield* at
      yield* acceptPlan(yield* plan([invoice("A-001", day)]))
      yield* acceptPlan(yield* plan([invoice("a1", day)]))
      const key = { account: destination.account, kind: "invoice", id: "a1" } as const
      yield* SubmissionStore.use((store) => store.decide(key, { _tag: "Same" }, "one export"))
      const found = yield* outcomes(
        invoice("a1", day, price("90")),
        creditNote("CN-1", "2026-01-11", "a1", price("90"))
      )
      assert.deepStrictEqual(found, { "A-001": day, "CN-1": "2026-01-11" })
    }).pipe(Effect.provide(memory))
  )

  it.effect("names the invoice whose number a credit note spells in another way", () =>
    Effect.gen(function* () {
      yield* at
      yield* acceptPlan(yield* plan([invoice("A-001", day)]))
      const { entries } = yield* planned([
        invoice("B-001", day),
        creditNote("CN-1", "2026-01-11", "a1"),
        creditNote("CN-2", "2026-01-11", "b1"),
        creditNote("CN-3", "2026-01-11", "c1")
      ])
      const messages = entries.flatMap((entry) =>
        entry._tag === "Refused"
          ? entry.findings.map(({ answers, code, message }) => [code, message.split("; ")[1], answers])
          : []
      )
      assert.deepStrictEqual(messages, [
        ["RCPT032", "A-001 differs only in its spelling", RCPT015.answers],
        ["RCPT032", "B-001 differs only in its spelling", RCPT015.answers],
        ["RCPT032", undefined, undefined]
      ])
    }).pipe(Effect.provide(memory))
  )

  it.effect("holds what replaces a document with a receipt, unless the book sends it", () =>
    Effect.gen(function* () {
      yield* at
      yield* register(invoice("OLD-1", day))
      yield* acceptPlan(yield* plan([invoice("A-1", day)]))
      const replacing = (number: string, value: string) => invoice(number, day, { replaces: { by: "number", value } })
      const readings = [replacing("OLD-1-1", "OLD-1"), replacing("A-1-1", "A-1"), replacing("X-1", "X")]
      assert.deepStrictEqual(yield* outcomes(...readings), {
        "OLD-1-1": "held: it replaces OLD-1, which has a receipt (fiscalised elsewhere) and is not credited in full",
        "A-1-1": day,
        "X-1": day
      })
      // a refused or cancelled document between the two, of the same export
      const between = { kind: "invoice", id: "OLD-1-3", number: "OLD-1-3" } as const
      const chain = [
        { ...replacing("OLD-1-2", "OLD-1"), lines: [] },
        {
          _tag: "Skipped" as const,
          key: between.number,
          reason: "void",
          at: { file: "export" },
          cancelled: { ...between, replaces: { by: "number" as const, value: "OLD-1-2" } }
        },
        replacing("OLD-1-4", "OLD-1-3")
      ]
      const last = yield* outcomes(...chain)
      assert.include(last["OLD-1-4"], "held: it replaces OLD-1, which has a receipt")
      const { entries } = yield* planned(readings, { book: { replacements: "send" } })
      assert.strictEqual(outcomesOf(entries)["OLD-1-1"], day)
    }).pipe(Effect.provide(memory))
  )
})
