import { acceptPlan } from "../../src/session/Acceptance.ts"
import { assert, describe, it } from "../It.ts"
import { Duration, Effect, Fiber, Option } from "effect"
import { TestClock } from "effect/testing"
import * as Connector from "../../src/session/Connector.ts"
import { RequestId } from "../../src/document/Identifiers.ts"
import * as Instant from "../../src/document/Instant.ts"
import type { Finding } from "../../src/finding/Finding.ts"
import type { ImportEntry } from "../../src/import/ImportEntry.ts"
import type { SourceDocument } from "../../src/source/SourceDocument.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { creditNote, destination, invoice, memory, money, plan, planned, outcomesOf } from "./SampleSources.ts"
import { sendAll } from "./SentLane.ts"
import * as WrittenDocument from "../../src/document/WrittenDocument.ts"

const at = (time: string) => TestClock.setTime(Date.parse(time))

const receiptDates = ({ entries }: { readonly entries: ReadonlyArray<ImportEntry> }): ReadonlyArray<string> =>
  entries.flatMap((entry) =>
    entry._tag === "Planned" && entry.planned.receiptDate !== "at-submission"
      ? [Instant.format(entry.planned.receiptDate)]
      : []
  )

/** Records an attempt of the lane's next document. */
const attemptNext = Effect.gen(function* () {
  const store = yield* SubmissionStore
  const claimed = yield* store.claim(destination.lane, "test", Duration.minutes(1), () => false)
  if (claimed._tag !== "Claimed") return assert.fail("the lane is taken")
  const accounts = [{ ...destination, afterRejection: "retry", continueAfter: "accepted" } as const]
  const next = yield* store.beginAttempt(claimed.lease, { accounts, lease: Duration.minutes(1), skew: Duration.zero })
  return next._tag === "Begun" ? next : assert.fail(`nothing was begun: ${next._tag}`)
})

/** Sends the lane's next document, and records its fiscalization. */
const fiscalizeNext = Effect.gen(function* () {
  const store = yield* SubmissionStore
  const { attempt } = yield* attemptNext
  const requestId = RequestId.make("r1")
  yield* store.finishAttempt({ attempt, result: { _tag: "Accepted", requestId }, firstLook: Duration.zero })
  const qrData = { verificationCode: "V", qrCodeUrl: null, fiscalDay: 1, deviceId: 1, invoiceNumber: 1 }
  yield* store.recordOutcomes(
    destination.account,
    [{ _tag: "Fiscalised", requestId, qrData, fiscalInvoicePdf: null }],
    "poll"
  )
})

describe("an import plan", () => {
  it.effect(
    "gives the documents of a day one second each, from the opening on, in natural order of their numbers",
    () =>
      Effect.gen(function* () {
        yield* at("2026-03-01T12:00:00Z")
        const made = yield* planned([
          invoice("INV-10", "2026-01-05"),
          invoice("INV-9", "2026-01-05"),
          invoice("INV-11", "2026-01-04")
        ])
        assert.deepStrictEqual(receiptDates(made), [
          "2026-01-05T08:00:02+02:00",
          "2026-01-05T08:00:01+02:00",
          "2026-01-04T08:00:01+02:00"
        ])
      }).pipe(Effect.provide(memory))
  )

  it.effect("writes nothing", () =>
    Effect.gen(function* () {
      yield* at("2026-03-01T12:00:00Z")
      yield* plan([invoice("INV-1", "2026-01-05")])
      const store = yield* SubmissionStore
      assert.deepStrictEqual(yield* store.list({}), [])
    }).pipe(Effect.provide(memory))
  )

  it.effect("holds documents dated before a given close, without storing the hold", () =>
    Effect.gen(function* () {
      yield* at("2026-03-01T12:00:00Z")
      const lastClose = Option.getOrThrow(Instant.parse("2026-01-05T18:00:00+02:00"))
      const made = yield* planned([invoice("INV-1", "2026-01-04"), invoice("INV-2", "2026-01-05")], { lastClose })
      assert.match(outcomesOf(made.entries)["INV-1"]!, /^held: .* the close of the last fiscal day/)
      assert.strictEqual(receiptDates(made)[1], "2026-01-05T18:00:01+02:00")
      const store = yield* SubmissionStore
      assert.deepStrictEqual(yield* store.ledger.mark(destination.lane), { latest: null, another: null, closed: null })
    }).pipe(Effect.provide(memory))
  )

  it.effect("keeps receipt dates when planned again, and gives new documents separate seconds", () =>
    Effect.gen(function* () {
      yield* at("2026-03-01T12:00:00Z")
      yield* acceptPlan(yield* plan([invoice("INV-2", "2026-01-05")]))
      const made = yield* planned([invoice("INV-1", "2026-01-05"), invoice("INV-2", "2026-01-05")])
      assert.deepStrictEqual(receiptDates(made), ["2026-01-05T08:00:02+02:00", "2026-01-05T08:00:01+02:00"])
    }).pipe(Effect.provide(memory))
  )

  it.effect("states whether the time of a receipt date is from the source or assigned", () =>
    Effect.gen(function* () {
      yield* at("2026-03-01T12:00:00Z")
      const stated = Option.getOrThrow(Instant.parse("2026-01-05T09:30:00+02:00"))
      const { entries } = yield* planned([
        invoice("INV-1", "2026-01-05"),
        invoice("INV-2", "2026-01-05", { date: stated })
      ])
      assert.deepStrictEqual(
        entries.flatMap((entry) => (entry._tag === "Planned" ? [entry.planned.dated] : [])),
        ["assigned", "stated"]
      )
    }).pipe(Effect.provide(memory))
  )

  it.effect("refuses a document dated tomorrow", () =>
    Effect.gen(function* () {
      yield* at("2026-01-05T21:59:59Z")
      const { entries } = yield* planned([invoice("INV-1", "2026-01-05"), invoice("INV-2", "2026-01-06")])
      assert.deepStrictEqual(outcomesOf(entries), { "INV-1": "2026-01-05", "INV-2": "RCPT031" })
    }).pipe(Effect.provide(memory))
  )

  it.effect("counts an identical repeated document once, and says so", () =>
    Effect.gen(function* () {
      yield* at("2026-03-01T12:00:00Z")
      const { entries, skipped } = yield* planned([invoice("INV-1", "2026-01-05"), invoice("INV-1", "2026-01-05")])
      assert.deepStrictEqual(outcomesOf(entries), { "INV-1": "2026-01-05" })
      assert.deepStrictEqual(
        skipped.map(({ reason }) => reason),
        ["stated twice, word for word"]
      )
    }).pipe(Effect.provide(memory))
  )

  it.effect("uses the last statement of a document if the statements differ only in unsent fields, and says so", () =>
    Effect.gen(function* () {
      yield* at("2026-03-01T12:00:00Z")
      const buyer = { name: "Shop", tin: "2000000001" }
      const { entries, skipped } = yield* planned([
        invoice("INV-1", "2026-01-05", { buyer, where: () => ({ file: "list.json", line: 3 }) }),
        invoice("INV-1", "2026-01-05", { buyer, where: () => ({ file: "list.json", line: 3 }) }),
        invoice("INV-2", "2026-01-05", { buyer }),
        invoice("INV-1", "2026-01-05", { buyer: { ...buyer, email: "shop@example.test" }, reference: "Order 7" })
      ])
      assert.deepStrictEqual(
        entries.map(({ source }) => source.number),
        ["INV-2", "INV-1"]
      )
      const [, kept] = entries
      assert.strictEqual(
        kept?._tag === "Planned" ? WrittenDocument.read(kept.planned.document).payload.reference : null,
        "Order 7"
      )
      assert.deepStrictEqual(kept?._tag === "Planned" ? kept.findings.map(({ code, detail }) => [code, detail]) : [], [
        ["DOCUMENT_RESTATED", "also at list.json:3"]
      ])
      assert.deepStrictEqual(
        skipped.map(({ reason }) => reason),
        ["stated twice, word for word", "stated again later, with the same lines and totals"]
      )
    }).pipe(Effect.provide(memory))
  )

  it.effect("shows the documents that another document of the export replaces", () =>
    Effect.gen(function* () {
      yield* at("2026-03-01T12:00:00Z")
      const replaces = (by: "id" | "number", value: string) => ({ replaces: { by, value } })
      const { entries } = yield* planned([
        invoice("INV-1", "2026-01-05"),
        invoice("INV-2", "2026-01-05", { id: "b" }),
        invoice("INV-3", "2026-01-05"),
        invoice("INV-1A", "2026-01-06", replaces("number", "INV-1")),
        invoice("INV-2A", "2026-01-06", replaces("id", "b")),
        invoice("INV-9A", "2026-01-06", replaces("number", "INV-9"))
      ])
      assert.deepStrictEqual(
        entries.map((entry) => (entry._tag === "Planned" ? entry.findings.map(({ message }) => message) : entry._tag)),
        [["the document INV-1A replaces it"], ["the document INV-2A replaces it"], [], [], [], []]
      )
    }).pipe(Effect.provide(memory))
  )

  it.effect("refuses both of two different documents with the same number", () =>
    Effect.gen(function* () {
      yield* at("2026-03-01T12:00:00Z")
      const { entries } = yield* planned([
        invoice("INV-1", "2026-01-05", { id: "a" }),
        invoice("INV-1", "2026-01-05", { id: "b", reference: "another" }),
        invoice("INV-2", "2026-01-05")
      ])
      assert.deepStrictEqual(
        entries.map((entry) => (entry._tag === "Refused" ? entry.findings.map(({ code }) => code) : entry._tag)),
        [["DOCUMENT_TWICE"], ["DOCUMENT_TWICE"], "Planned"]
      )
    }).pipe(Effect.provide(memory))
  )

  it.effect("refuses only the other of two documents with one number if the store has it for the first", () =>
    Effect.gen(function* () {
      yield* at("2026-03-01T12:00:00Z")
      const first = invoice("INV-1", "2026-01-05", { id: "a" })
      const other = invoice("INV-1", "2026-01-05", { id: "b", reference: "another" })
      yield* acceptPlan(yield* plan([first]))
      const { entries } = yield* planned([first, other])
      assert.deepStrictEqual(
        entries.map((entry) => (entry._tag === "Refused" ? entry.findings.map(({ code }) => code) : entry._tag)),
        ["Planned", ["RCPT013"]]
      )
    }).pipe(Effect.provide(memory))
  )

  it.effect("plans a document with a number that a sent document has in the source only", () =>
    Effect.gen(function* () {
      yield* at("2026-03-01T12:00:00Z")
      yield* acceptPlan(yield* plan([invoice("INV-1", "2026-01-05", { id: "a" })]))
      yield* sendAll
      const renumbered = invoice("INV-2", "2026-01-05", { id: "a" })
      const one = invoice("INV-2", "2026-01-06", { id: "b" })
      const other = invoice("INV-2", "2026-01-06", { id: "c", reference: "another" })
      const outcomes = (...documents: ReadonlyArray<SourceDocument>) =>
        Effect.map(planned(documents), ({ entries }) => entries.map((entry) => entry.findings.map(({ code }) => code)))
      assert.deepStrictEqual(yield* outcomes(renumbered, one), [["DIFFERS_FROM_SENT"], []])
      assert.deepStrictEqual((yield* outcomes(renumbered, one, other)).slice(1), [
        ["DOCUMENT_TWICE"],
        ["DOCUMENT_TWICE"]
      ])
    }).pipe(Effect.provide(memory))
  )

  it.effect("refuses two statements of one document that name different originals", () =>
    Effect.gen(function* () {
      yield* at("2026-03-01T12:00:00Z")
      const { entries } = yield* planned([
        invoice("INV-1", "2026-01-05"),
        invoice("INV-2", "2026-01-05"),
        creditNote("CN-1", "2026-01-06", "INV-1"),
        creditNote("CN-1", "2026-01-06", "INV-2")
      ])
      assert.deepStrictEqual(
        entries.map((entry) => (entry._tag === "Refused" ? entry.findings.map(({ code }) => code) : entry._tag)),
        ["Planned", "Planned", ["DOCUMENT_TWICE"], ["DOCUMENT_TWICE"]]
      )
    }).pipe(Effect.provide(memory))
  )

  it.effect("keeps all documents with the same identifier, each with its own findings", () =>
    Effect.gen(function* () {
      yield* at("2026-03-01T12:00:00Z")
      const { entries } = yield* planned([
        invoice("INV-1", "2026-01-05", { id: "a" }),
        invoice("INV-2", "2026-01-05", { id: "a" })
      ])
      assert.deepStrictEqual(outcomesOf(entries), { "INV-1": "DOCUMENT_TWICE", "INV-2": "DOCUMENT_TWICE" })
    }).pipe(Effect.provide(memory))
  )

  it.effect("refuses a number of another document of the taxpayer", () =>
    Effect.gen(function* () {
      yield* at("2026-03-01T12:00:00Z")
      yield* acceptPlan(yield* plan([invoice("INV-1", "2026-01-05", { id: "a" })]))
      const { entries } = yield* planned([invoice("INV-1", "2026-01-06", { id: "b" })])
      assert.deepStrictEqual(outcomesOf(entries), { "INV-1": "RCPT013" })
    }).pipe(Effect.provide(memory))
  )

  it.effect("names refused documents that later ones would overtake", () =>
    Effect.gen(function* () {
      yield* at("2026-03-01T12:00:00Z")
      const bad = { currency: "XXX" }
      const { wouldBecomeLate } = yield* planned([
        invoice("INV-1", "2026-01-05", bad),
        invoice("INV-2", "2026-01-06"),
        invoice("INV-3", "2026-01-07", bad)
      ])
      assert.deepStrictEqual([wouldBecomeLate.count, wouldBecomeLate.first], [1, ["INV-1"]])
    }).pipe(Effect.provide(memory))
  )

  it.effect("reports all problems of a document at once", () =>
    Effect.gen(function* () {
      yield* at("2026-03-01T12:00:00Z")
      const line = { ...invoice("x", "2026-01-01").lines[0]!, productCode: "123", taxes: [{ code: "Luxury" }] }
      const { entries } = yield* planned([
        invoice("INV-1", "2026-01-05", {
          lines: [line],
          buyer: { name: "Shop", tin: "12" },
          totals: { total: money("1") }
        })
      ])
      assert.deepStrictEqual(outcomesOf(entries), { "INV-1": "BUYER_FORM TAX_UNMAPPED RCPT048" })
    }).pipe(Effect.provide(memory))
  )

  it.effect("gives a late document a new date if the book chooses so, but not if its tax is different today", () =>
    Effect.gen(function* () {
      yield* at("2026-03-01T12:00:00Z")
      yield* acceptPlan(yield* plan([invoice("INV-9", "2026-02-20")]))
      yield* attemptNext
      const late = [invoice("INV-1", "2025-12-30"), invoice("INV-2", "2026-01-05")]
      const held = yield* planned(late)
      assert.deepStrictEqual(
        Object.values(outcomesOf(held.entries)).map((word) => word.slice(0, 5)),
        ["held:", "held:"]
      )
      const { entries } = yield* planned(late, { book: { late: "restamp" } })
      assert.match(outcomesOf(entries)["INV-1"]!, /^held: .*a tax of it is not valid on a receipt of today$/)
      assert.strictEqual(outcomesOf(entries)["INV-2"], "at-submission")
      const until = new Map(
        entries.flatMap((entry) => (entry._tag === "Planned" ? [[entry.source.id, entry.planned.validUntil]] : []))
      )
      assert.deepStrictEqual([until.get("INV-1"), until.get("INV-2")], ["2025-12-31", null])
    }).pipe(Effect.provide(memory))
  )

  it.effect("gives no new date to a credit note whose original is more than twelve months old today", () =>
    Effect.gen(function* () {
      yield* at("2026-03-01T12:00:00Z")
      yield* acceptPlan(yield* plan([invoice("INV-9", "2026-02-20")]))
      yield* attemptNext
      const notes = [creditNote("CN-1", "2026-01-20", "INV-1"), creditNote("CN-2", "2026-01-20", "INV-2")]
      const late = [invoice("INV-1", "2025-02-28"), invoice("INV-2", "2025-03-01"), ...notes]
      const { entries } = yield* planned(late, { book: { late: "restamp" } })
      assert.match(outcomesOf(entries)["CN-1"]!, /^held: .*its original is too old for a receipt of today$/)
      assert.strictEqual(outcomesOf(entries)["CN-2"], "at-submission")
    }).pipe(Effect.provide(memory))
  )

  it.effect("reports that a document cancelled in the source is still planned here", () =>
    Effect.gen(function* () {
      yield* at("2026-03-01T12:00:00Z")
      yield* acceptPlan(yield* plan([invoice("INV-1", "2026-01-05")]))
      const cancelled = { kind: "invoice", id: "INV-1", number: "INV-1" } as const
      const { unattached } = yield* planned([
        { _tag: "Skipped", key: "INV-1", reason: "voided", at: { file: "export" }, cancelled }
      ])
      assert.deepStrictEqual(
        unattached.map(({ code }) => code),
        ["CANCELLED_WHILE_PLANNED"]
      )
    }).pipe(Effect.provide(memory))
  )
})

describe("a fiscalised document that is changed in the export", () => {
  const found = ({ findings }: { readonly findings: ReadonlyArray<Finding> }) =>
    findings.map(({ code, detail }) => `${code}: ${detail}`)

  const again = (fields: Partial<SourceDocument>) =>
    Effect.gen(function* () {
      yield* at("2026-03-01T12:00:00Z")
      yield* acceptPlan(yield* plan([invoice("INV-1", "2026-01-05")]))
      yield* fiscalizeNext
      return yield* planned([invoice("INV-1", "2026-01-05", fields), invoice("INV-2", "2026-01-06")])
    }).pipe(Effect.provide(memory), Effect.scoped)

  it.effect("is shown as a conflict before anything is sent", function* () {
    const [entry] = (yield* again({ lines: [{ ...invoice("x", "2026-01-01").lines[0]!, unitPrice: money("90") }] }))
      .entries
    assert.strictEqual(entry?._tag, "Planned")
    if (entry?._tag !== "Planned") return
    assert.deepStrictEqual(found(entry), [
      "DIFFERS_FROM_SENT: it is Fiscalised, and the export now states something else"
    ])
  })

  it.effect("has the conflict next to its other problems, and cannot become late", function* () {
    const { entries, wouldBecomeLate } = yield* again({ currency: "XXX" })
    assert.strictEqual(entries[0]?._tag, "Refused")
    if (entries[0]?._tag !== "Refused") return
    assert.deepStrictEqual(found(entries[0]), [
      "CURRENCY_UNMAPPED: undefined",
      "DIFFERS_FROM_SENT: it is Fiscalised, and the export now states something else"
    ])
    assert.strictEqual(wouldBecomeLate.count, 0)
  })
})

describe("an outcome", () => {
  it.effect("from a host's own webhook settles the document, whenever the document is imported again", () =>
    Effect.gen(function* () {
      yield* at("2026-03-01T12:00:00Z")
      yield* acceptPlan(yield* plan([invoice("INV-1", "2026-01-05")]))
      const store = yield* SubmissionStore
      const { attempt } = yield* attemptNext
      const requestId = RequestId.make("r1")
      const early = { _tag: "Rejected", requestId, error: "RCPT017", nature: "correctable" } as const
      assert.deepStrictEqual(yield* Connector.applyOutcome("main", [early], "webhook"), [])
      yield* store.finishAttempt({ attempt, result: { _tag: "Accepted", requestId }, firstLook: Duration.zero })
      const standing = Option.getOrThrow(yield* Connector.outcomeOf({ account: "main", kind: "invoice", id: "INV-1" }))
      assert.strictEqual(standing.state, "Rejected")
      assert.deepStrictEqual(yield* Connector.applyOutcome("main", [early], "poll"), [])
    }).pipe(Effect.provide(memory))
  )

  it.effect("that is still missing is reported as pending at the deadline", () =>
    Effect.gen(function* () {
      yield* at("2026-03-01T12:00:00Z")
      yield* acceptPlan(yield* plan([invoice("INV-1", "2026-01-05")]))
      const key = { account: "main", kind: "invoice", id: "INV-1" } as const
      const waiting = yield* Effect.forkChild(Effect.flip(Connector.waitForOutcome(key, "30 seconds")))
      yield* TestClock.adjust("31 seconds")
      const error = yield* Fiber.join(waiting)
      assert.strictEqual(error._tag, "StillPending")
      assert.strictEqual(error.message, "invoice INV-1 is Planned; no result yet")
    }).pipe(Effect.provide(memory))
  )
})
