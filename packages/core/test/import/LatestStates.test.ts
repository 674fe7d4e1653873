import { assert, describe, it } from "../It.ts"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { Reading } from "../../src/source/Adapter.ts"
import type { Skipped, SourceDocument } from "../../src/source/SourceDocument.ts"
import { creditNote, invoice, memory, money, planned, outcomesOf } from "./SampleSources.ts"

const monday = Date.parse("2026-01-05T08:00:00Z")
const tuesday = Date.parse("2026-01-06T08:00:00Z")

const price = (amount: string): Partial<SourceDocument> => ({
  lines: [{ ...invoice("x", "2026-01-05").lines[0]!, unitPrice: money(amount) }]
})
const modified = (time: number | undefined) => (time === undefined ? {} : { modified: time })
const issued = (amount: string, time?: number) =>
  invoice("INV-1", "2026-01-05", { ...price(amount), ...modified(time) })
const document = { kind: "invoice", id: "INV-1", number: "INV-1" } as const
const draft = (time?: number): Skipped => ({
  _tag: "Skipped",
  key: "INV-1",
  reason: "a draft",
  at: { file: "drafts", line: 3 },
  document,
  ...modified(time)
})
const voided = (time?: number): Skipped => ({ ...draft(time), reason: "voided", cancelled: document })

const outcome = (readings: ReadonlyArray<Reading>) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(Date.parse("2026-03-01T12:00:00Z"))
    const plan = yield* planned(readings)
    const [first] = plan.entries
    return {
      standing: outcomesOf(plan.entries),
      findings: first?._tag === "Planned" || first?._tag === "Refused" ? first.findings : [],
      skipped: plan.skipped.map(({ reason }) => reason),
      total: first?._tag === "Planned" ? first.planned.document.total : undefined
    }
  }).pipe(Effect.provide(memory), Effect.scoped)

describe("a document stated in several states", () => {
  it.effect.each([
    { readings: [issued("100", monday), issued("120", tuesday)] },
    { readings: [issued("120", tuesday), issued("100", monday)] }
  ])("is used in its latest state, in any order, and the other states are listed", ({ readings }) =>
    Effect.gen(function* () {
      const { findings, skipped, total } = yield* outcome(readings)
      assert.deepStrictEqual(total, money("120.00"))
      assert.deepStrictEqual(skipped, ["stated again later (2026-01-06T08:00:00.000Z)"])
      assert.deepStrictEqual(
        findings.map(({ code }) => code),
        ["DOCUMENT_SUPERSEDED"]
      )
      assert.match(findings[0]?.detail ?? "", /^as of 2026-01-06T08:00:00.000Z; also at export:\d+$/)
    })
  )

  it.effect("is used in its first state if it returned to that state", function* () {
    const { total } = yield* outcome([issued("100", monday), issued("120", tuesday), issued("100", tuesday + 1000)])
    assert.deepStrictEqual(total, money("100.00"))
  })

  it.effect.each([
    { readings: [issued("100", tuesday), issued("120", tuesday)] },
    { readings: [issued("100"), issued("120")] },
    { readings: [issued("100"), issued("120", tuesday)] }
  ])("is refused with all statements if the latest is not certain", ({ readings }) =>
    Effect.gen(function* () {
      const { findings, standing } = yield* outcome(readings)
      assert.deepStrictEqual(standing, { "INV-1": "DOCUMENT_TWICE" })
      assert.match(findings[0]?.message ?? "", /identifier INV-1$/)
      assert.match(findings[0]?.detail ?? "", /^also at export:\d+$/)
    })
  )

  it.effect("is not sent if it was voided later", function* () {
    const { skipped, standing } = yield* outcome([issued("100", monday), voided(tuesday)])
    assert.deepStrictEqual(standing, {})
    assert.deepStrictEqual(skipped.toSorted(), ["stated again later (2026-01-06T08:00:00.000Z): voided", "voided"])
  })

  it.effect("is sent if it was a draft earlier, and refused if it may be a draft now", function* () {
    const later = yield* outcome([draft(monday), issued("100", tuesday)])
    assert.deepStrictEqual(later.standing, { "INV-1": "2026-01-05" })
    for (const readings of [
      [draft(), issued("100")],
      [issued("100", tuesday), voided(tuesday)],
      [issued("100"), voided(tuesday)]
    ]) {
      const { findings, standing } = yield* outcome(readings)
      assert.deepStrictEqual(standing, { "INV-1": "DOCUMENT_STATES_DIFFER" })
      assert.match(findings[0]?.detail ?? "", /^drafts:3 (a draft|voided)$/)
    }
  })

  it.effect("as a credit note, partly and then wholly allocated, has the later allocation", function* () {
    const note = (time: number, originals: SourceDocument["originals"]) =>
      creditNote("CN-1", "2026-01-10", "INV-1", { originals, modified: time })
    const both = [
      invoice("INV-1", "2026-01-05"),
      note(monday, []),
      note(tuesday, [{ by: "number", value: "INV-1", amount: money("100") }])
    ]
    const { skipped, standing } = yield* outcome(both)
    assert.strictEqual(Object.keys(standing).length, 2)
    assert.notMatch(standing["CN-1"]!, /[A-Z]{4}/)
    assert.strictEqual(skipped.length, 1)
  })
})
