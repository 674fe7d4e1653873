import { acceptPlan } from "../../src/session/Acceptance.ts"
import { assert, describe, it } from "../It.ts"
import { Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { RequestId } from "../../src/document/Identifiers.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import {
  creditNote,
  day,
  destination,
  invoice,
  memory,
  money,
  plan,
  planned as settled,
  type PlanOptions,
  outcomesOf
} from "./SampleSources.ts"
import { sendAll } from "./SentLane.ts"
import type { ImportEntry } from "../../src/import/ImportEntry.ts"
import type { SourceBuyer, SourceDocument } from "../../src/source/SourceDocument.ts"

const planned = (documents: ReadonlyArray<SourceDocument>, options?: PlanOptions) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(Date.parse("2026-03-01T12:00:00Z"))
    return yield* settled(documents, options)
  }).pipe(Effect.provide(memory))

const codesOf = (entry: ImportEntry | undefined) =>
  entry?._tag === "Planned" || entry?._tag === "Refused" ? entry.findings.map(({ code }) => code) : []

const half = (fields: Partial<SourceDocument> = {}): Partial<SourceDocument> => ({
  lines: [{ ...invoice("x", "2026-01-01").lines[0]!, unitPrice: money("50") }],
  ...fields
})

/** Sends documents from the head of the lane; each is fiscalized, or the last is declined. */
const sendFirst = (requests: number, last: "fiscalised" | "declined" = "fiscalised") =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const claim = yield* store.claim(destination.lane, "worker", Duration.minutes(2), () => false)
    assert.strictEqual(claim._tag, "Claimed")
    if (claim._tag !== "Claimed") return
    const accounts = [{ ...destination, afterRejection: "retry", continueAfter: "accepted" }] as const
    const options = { accounts, lease: Duration.minutes(2), skew: Duration.zero }
    for (let nth = 1; nth <= requests; nth++) {
      const requestId = RequestId.make(`r${nth}`)
      const begun = yield* store.beginAttempt(claim.lease, options)
      assert.strictEqual(begun._tag, "Begun")
      if (begun._tag !== "Begun") return
      if (nth === requests && last === "declined") {
        const result = { _tag: "Declined", text: "a text is too long" } as const
        return yield* store.finishAttempt({ attempt: begun.attempt, result, firstLook: Duration.zero })
      }
      yield* store.finishAttempt({
        attempt: begun.attempt,
        result: { _tag: "Accepted", requestId },
        firstLook: Duration.zero
      })
      const proof = { verificationCode: "V", qrCodeUrl: null, fiscalDay: 1, deviceId: 1, invoiceNumber: 1 }
      const item = { _tag: "Fiscalised", requestId, qrData: proof, fiscalInvoicePdf: null } as const
      yield* store.recordOutcomes(destination.account, [item], "poll")
    }
  })

describe("a credit note", () => {
  it.effect("has the taxes of its original's date, not of its later date", function* () {
    const { entries } = yield* planned([invoice("INV-1", "2025-12-30"), creditNote("CN-1", "2026-01-10", "INV-1")])
    const note = entries[1]
    assert.strictEqual(note?._tag, "Planned")
    if (note?._tag !== "Planned") return
    assert.deepStrictEqual(note.planned.document.taxCodes.map(String), ["VAT15"])
    assert.deepStrictEqual(note.planned.original, { account: "main", kind: "invoice", id: "INV-1" })
  })

  it.effect("finds an original later in the export", function* () {
    const { entries } = yield* planned([creditNote("CN-1", "2026-01-10", "INV-1"), invoice("INV-1", "2026-01-10")])
    assert.deepStrictEqual(outcomesOf(entries), { "CN-1": "2026-01-10", "INV-1": "2026-01-10" })
  })

  it.effect("finds an original from an earlier import", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-01T12:00:00Z"))
      yield* acceptPlan(yield* plan([invoice("INV-1", "2025-12-30")]))
      const { entries } = yield* settled([creditNote("CN-1", "2026-01-10", "INV-1")])
      assert.deepStrictEqual(outcomesOf(entries), { "CN-1": "2026-01-10" })
    }).pipe(Effect.provide(memory))
  )

  it.effect("is compared with the buyer and the quantities of an original from an earlier import", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-01T12:00:00Z"))
      const buyer = (tin: string) => ({ buyer: { name: "Buyer", tin } })
      yield* acceptPlan(yield* plan([invoice("INV-1", "2025-12-30", buyer("2000000001"))]))
      const lines = [{ ...invoice("x", "2026-01-01").lines[0]!, quantity: money("2"), unitPrice: money("50") }]
      const { entries } = yield* settled([creditNote("CN-1", "2026-01-10", "INV-1", { ...buyer("2000000002"), lines })])
      const codes = entries.map((entry) => [entry._tag, ...codesOf(entry)])
      assert.deepStrictEqual(codes, [["Refused", "CREDIT_BUYER_DIFFERS", "CREDIT_QUANTITY_EXCEEDS"]])
    }).pipe(Effect.provide(memory))
  )

  it.effect("for one buyer does not credit an invoice of another, unless an operator names the original", function* () {
    const documents = [
      invoice("INV-1", "2026-01-05", { buyer: { name: "Ada Ltd", tin: "2000000001" } }),
      creditNote("CN-1", "2026-01-10", "INV-1", { buyer: { name: "Babbage Ltd", tin: "2000000002" } })
    ]
    const [, refused] = (yield* planned(documents)).entries
    assert.deepStrictEqual([refused?._tag, ...codesOf(refused)], ["Refused", "CREDIT_BUYER_DIFFERS"])
    const [, byHand] = (yield* planned(documents, { originals: { "CN-1": "INV-1" } })).entries
    assert.deepStrictEqual([byHand?._tag, ...codesOf(byHand)], ["Planned", "CREDIT_BUYER_DIFFERS"])
  })

  describe("that names its original by an id and a number", () => {
    const note = (number: string) =>
      creditNote("CN-1", "2026-01-10", "INV-1", { originals: [{ by: "id", value: "INV-1", number }] })

    it.effect("is refused if they belong to two invoices, of the batch or of the store", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.parse("2026-03-01T12:00:00Z"))
        const { entries } = yield* planned([invoice("INV-1", "2025-12-30"), note("INV-2")])
        assert.deepStrictEqual(outcomesOf(entries), { "INV-1": "2025-12-30", "CN-1": "CREDIT_ORIGINAL_DIFFERS" })
        yield* acceptPlan(yield* plan([invoice("INV-1", "2025-12-30")]))
        const later = yield* settled([note("INV-2")])
        assert.deepStrictEqual(outcomesOf(later.entries), { "CN-1": "CREDIT_ORIGINAL_DIFFERS" })
      }).pipe(Effect.provide(memory))
    )

    it.effect("is accepted if both belong to one invoice", function* () {
      const { entries } = yield* planned([invoice("INV-1", "2026-01-10"), note("INV-1")])
      assert.deepStrictEqual(outcomesOf(entries), { "CN-1": "2026-01-10", "INV-1": "2026-01-10" })
    })
  })

  it.effect.each([
    ["date", { date: day("2026-01-09") }],
    ["currency", { currency: "ZAR" }],
    ["total", { total: money("115") }]
  ] as const)("that states another %s of its original is refused", ([, facts]) =>
    Effect.gen(function* () {
      const originals = [{ by: "number" as const, value: "INV-1", ...facts }]
      const { entries } = yield* planned([
        invoice("INV-1", "2026-01-10"),
        creditNote("CN-1", "2026-01-12", "INV-1", { originals })
      ])
      assert.deepStrictEqual(outcomesOf(entries), { "INV-1": "2026-01-10", "CN-1": "CREDIT_ORIGINAL_DIFFERS" })
    })
  )

  it.effect("that states the date, currency and total of its original is planned", function* () {
    const facts = { date: day("2026-01-10"), currency: "USD", total: money("-100.00") }
    const { entries } = yield* planned([
      invoice("INV-1", "2026-01-10"),
      creditNote("CN-1", "2026-01-12", "INV-1", { originals: [{ by: "number", value: "INV-1", ...facts }] })
    ])
    assert.deepStrictEqual(outcomesOf(entries)["CN-1"], "2026-01-12")
  })

  it.effect("is compared with the original's buyer by TIN, else by the source's id, else by name", function* () {
    const of = (original: SourceBuyer, note: SourceBuyer) =>
      Effect.map(
        planned(
          [
            invoice("INV-1", "2026-01-10", { buyer: original }),
            creditNote("CN-1", "2026-01-12", "INV-1", { buyer: note })
          ],
          { book: { defaults: { cashBuyer: "Cash sale {name}" } } }
        ),
        ({ entries }) => outcomesOf(entries)["CN-1"]
      )
    const named = { name: "Moyo" }
    assert.strictEqual(yield* of({ id: "7", ...named }, { id: "8", ...named }), "CREDIT_BUYER_DIFFERS")
    assert.strictEqual(yield* of({ id: "7", name: "Moyo" }, { id: "7", name: "Banda" }), "2026-01-12")
    const numbered = { name: "Moyo", tin: "2000000001" }
    assert.strictEqual(yield* of({ id: "7", ...numbered }, { id: "8", ...numbered }), "2026-01-12")
    assert.strictEqual(yield* of({ id: "7", ...named }, { name: "Banda" }), "CREDIT_BUYER_DIFFERS")
  })

  it.effect("allocated for more than its total is refused", function* () {
    const { entries } = yield* planned([
      invoice("INV-1", "2026-01-10"),
      creditNote("CN-1", "2026-01-12", "INV-1", {
        originals: [{ by: "number", value: "INV-1", amount: money("100.01") }]
      })
    ])
    assert.strictEqual(outcomesOf(entries)["CN-1"], "NOTE_OVER_ALLOCATED")
  })

  it.effect("whose total could not be computed is not compared with its allocations", function* () {
    const [line] = invoice("x", "2026-01-01").lines
    const { entries } = yield* planned([
      invoice("INV-1", "2026-01-10"),
      creditNote("CN-1", "2026-01-12", "INV-1", {
        lines: [{ ...line!, taxes: [{ code: "Luxury" }] }],
        originals: [{ by: "number", value: "INV-1", amount: money("42.42") }]
      })
    ])
    assert.strictEqual(outcomesOf(entries)["CN-1"], "TAX_UNMAPPED")
    assert.isTrue(entries.some((entry) => entry._tag === "Refused" && entry.document === null))
  })

  it.effect("is refused if its original is unknown", function* () {
    const { entries } = yield* planned([creditNote("CN-1", "2026-01-10", "INV-404")])
    assert.deepStrictEqual(outcomesOf(entries), { "CN-1": "RCPT032" })
  })

  it.effect("is refused without an original if the device does not permit it", function* () {
    const { entries } = yield* planned([creditNote("CN-1", "2026-01-10", "", { originals: [] })])
    assert.deepStrictEqual(outcomesOf(entries), { "CN-1": "RCPT015" })
  })

  it.effect("with the numbers of two invoices in one text says that two are named", function* () {
    const texts = ["INV-1, INV-2", "INV-1;INV-2", "INV-1 / INV-2", "INV-1 and INV-2"]
    const { entries } = yield* planned([
      invoice("INV-1", "2026-01-08"),
      invoice("INV-2", "2026-01-08"),
      ...texts.map((text, i) => creditNote(`CN-${i}`, "2026-01-10", text)),
      creditNote("CN-9", "2026-01-10", "INV-1, INV-404"),
      creditNote("CN-10", "2026-01-10", "INV-1, INV-2, INV-1")
    ])
    const messages = entries.flatMap((entry) => (entry._tag === "Refused" ? entry.findings : []))
    assert.deepStrictEqual(
      messages.map(({ code, message }) => `${code}: ${message}`),
      [
        ...texts.map((text) => `RCPT032: the original "${text}" names 2 invoices: INV-1, INV-2`),
        'RCPT032: the original invoice "INV-1, INV-404" is neither in this export nor known to the store',
        'RCPT032: the original "INV-1, INV-2, INV-1" names 2 invoices: INV-1, INV-2'
      ]
    )
  })

  it.effect("with an unknown original reports only that, since its taxes depend on the original's day", function* () {
    const atOldRate = {
      taxMode: "exclusive",
      totals: { net: money("100"), tax: money("15"), total: money("115") },
      lines: [
        {
          ...invoice("x", "2026-01-01").lines[0]!,
          taxes: [{ code: "Standard", percent: money("15"), amount: money("15") }]
        }
      ]
    } as const
    const { entries } = yield* planned([
      creditNote("CN-1", "2026-01-10", "INV-404", atOldRate),
      creditNote("CN-2", "2026-01-10", "", { ...atOldRate, originals: [] }),
      creditNote("CN-3", "2026-01-10", "INV-404", { ...atOldRate, currency: "XXX" }),
      creditNote("CN-4", "2026-01-10", "INV-404", { totals: { total: money("90") } }),
      creditNote("CN-5", "2026-01-10", "INV-404", {
        taxMode: "untaxed",
        lines: [{ ...invoice("x", "2026-01-01").lines[0]!, taxes: [{ code: "Exempt" }] }],
        totals: { total: money("90") }
      })
    ])
    const codes = entries.map((entry) => (entry._tag === "Refused" ? entry.findings.map(({ code }) => code) : []))
    assert.deepStrictEqual(codes, [
      ["RCPT032"],
      ["RCPT015"],
      ["CURRENCY_UNMAPPED", "RCPT032"],
      ["TOTAL_MISMATCH", "RCPT032"],
      ["TOTAL_MISMATCH", "RCPT032"]
    ])
    assert.isTrue(entries.every((entry) => entry._tag === "Refused" && entry.document === null))
  })

  it.effect("without an original, allowed by the book, keeps the findings about taxes on its own date", function* () {
    const book = { relaxed: [{ rule: "RCPT015", because: "agreed with the authority" }] }
    const atOldRate = [{ ...invoice("x", "2026-01-01").lines[0]!, taxes: [{ code: "Standard", percent: money("15") }] }]
    const note = { originals: [], lines: atOldRate }
    const { entries } = yield* planned([creditNote("CN-1", "2026-01-10", "", note)], { book })
    assert.strictEqual(entries[0]?._tag, "Refused")
    assert.deepStrictEqual(codesOf(entries[0]), ["TAX_PERCENT_DIFFERS", "RCPT015"])
    const proven = { ...note, totals: { tax: money("13.42") } }
    const again = yield* planned([creditNote("CN-1", "2026-01-10", "", proven)], { book })
    assert.strictEqual(again.entries[0]?._tag, "Planned")
    assert.deepStrictEqual(codesOf(again.entries[0]), ["TAX_PERCENT_DIFFERS", "RCPT015"])
  })

  it.effect("uses the original that an operator chose", function* () {
    const documents = [invoice("INV-1", "2026-01-05"), creditNote("CN-1", "2026-01-10", "", { originals: [] })]
    const { entries } = yield* planned(documents, { originals: { "CN-1": "INV-1" } })
    assert.deepStrictEqual(outcomesOf(entries), { "INV-1": "2026-01-05", "CN-1": "2026-01-10" })
  })

  it.effect("over several invoices is refused, or credited to the largest if the book chooses so", function* () {
    const documents = [
      invoice("INV-1", "2026-01-05"),
      invoice("INV-2", "2026-01-05"),
      creditNote("CN-1", "2026-01-10", "", {
        ...half(),
        originals: [
          { by: "number", value: "INV-1", amount: money("20") },
          { by: "number", value: "INV-2", amount: money("30") }
        ]
      })
    ]
    const refused = yield* planned(documents)
    assert.strictEqual(outcomesOf(refused.entries)["CN-1"], "ORIGINAL_SEVERAL")
    const largest = yield* planned(documents, { book: { policies: { allocations: "largest" } } })
    const note = largest.entries[2]
    assert.strictEqual(note?._tag === "Planned" ? note.planned.original?.id : undefined, "INV-2")
  })

  it.effect("is held if its original is refused, and does not hold others", function* () {
    const bad = invoice("INV-1", "2026-01-05", { currency: "XXX" })
    const { entries } = yield* planned([bad, invoice("INV-2", "2026-01-06"), creditNote("CN-1", "2026-01-10", "INV-1")])
    assert.deepStrictEqual(outcomesOf(entries), {
      "INV-1": "CURRENCY_UNMAPPED",
      "INV-2": "2026-01-06",
      "CN-1": "held: its original INV-1 is refused"
    })
  })

  it.effect("dated before its original is refused", function* () {
    const { entries } = yield* planned([invoice("INV-1", "2026-01-10"), creditNote("CN-1", "2026-01-09", "INV-1")])
    assert.strictEqual(outcomesOf(entries)["CN-1"], "CREDIT_BEFORE_ORIGINAL")
  })

  it.effect("may not credit more than the rest, with other notes of the batch counted", function* () {
    const { entries } = yield* planned([
      invoice("INV-1", "2026-01-05"),
      creditNote("CN-1", "2026-01-06", "INV-1", half()),
      creditNote("CN-2", "2026-01-07", "INV-1", half()),
      creditNote("CN-3", "2026-01-08", "INV-1", half())
    ])
    const outcomes = outcomesOf(entries)
    assert.deepStrictEqual(
      [outcomes["CN-1"], outcomes["CN-2"], outcomes["CN-3"]],
      ["2026-01-06", "2026-01-07", "RCPT035"]
    )
  })

  it.effect("that is refused does not reduce the rest of its original", function* () {
    const { entries } = yield* planned([
      invoice("INV-1", "2026-01-05"),
      creditNote("CN-1", "2026-01-06", "INV-1", { reason: "", reference: "" }),
      creditNote("CN-2", "2026-01-07", "INV-1")
    ])
    const outcomes = outcomesOf(entries)
    assert.deepStrictEqual([outcomes["CN-1"], outcomes["CN-2"]], ["RCPT034", "2026-01-07"])
  })

  it.effect("may use another code for the original's device tax", function* () {
    const book = {
      taxes: [
        { from: ["Standard"], code: "VAT15", device: 1, percent: "15" },
        { from: ["Services"], code: "SERVICES15", device: 1, percent: "15" }
      ]
    }
    const services = { lines: [{ ...invoice("x", "2026-01-01").lines[0]!, taxes: [{ code: "Services" }] }] }
    const documents = [invoice("INV-1", "2025-12-05"), creditNote("CN-1", "2025-12-06", "INV-1", services)]
    const { entries } = yield* planned(documents, { book })
    assert.strictEqual(outcomesOf(entries)["CN-1"], "2025-12-06")
  })

  it.effect("with a rule relaxed by the book is planned, and the reason is shown", function* () {
    const book = { relaxed: [{ rule: "RCPT033", because: "agreed with the authority" }] }
    const documents = [invoice("INV-1", "2024-12-05"), creditNote("CN-1", "2026-01-06", "INV-1")]
    const { entries } = yield* planned(documents, { book })
    const note = entries[1]
    assert.strictEqual(note?._tag, "Planned")
    const messages = note?._tag === "Planned" ? note.findings.map(({ message }) => message) : []
    assert.include(messages.join(), "relaxed in the mapping book: agreed with the authority")
  })

  it.effect("imported again is not counted twice", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-01T12:00:00Z"))
      const documents = [invoice("INV-1", "2026-01-05"), creditNote("CN-1", "2026-01-06", "INV-1")]
      yield* acceptPlan(yield* plan(documents))
      const { entries } = yield* settled(documents)
      assert.deepStrictEqual(outcomesOf(entries), { "INV-1": "2026-01-05", "CN-1": "2026-01-06" })
      const more = yield* settled([creditNote("CN-2", "2026-01-07", "INV-1")])
      assert.deepStrictEqual(outcomesOf(more.entries), { "CN-2": "RCPT035" })
    }).pipe(Effect.provide(memory))
  )

  it.effect("before an earlier planned note may credit only the rest that the planned note leaves", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-01T12:00:00Z"))
      const earlier = [invoice("INV-1", "2026-01-05"), creditNote("CN-2", "2026-01-07", "INV-1", half())]
      yield* acceptPlan(yield* plan(earlier))
      const { entries } = yield* settled([creditNote("CN-1", "2026-01-06", "INV-1"), ...earlier])
      assert.deepStrictEqual(outcomesOf(entries), {
        "CN-1": "RCPT035",
        "INV-1": "2026-01-05",
        "CN-2": "2026-01-07"
      })
    }).pipe(Effect.provide(memory))
  )

  it.effect("that was sent counts with its sent amount, whatever the export states now", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-01T12:00:00Z"))
      const [original, sent] = [invoice("INV-1", "2026-01-05"), creditNote("CN-1", "2026-01-06", "INV-1")]
      yield* acceptPlan(yield* plan([original, sent]))
      yield* sendFirst(2)
      const { entries } = yield* settled([
        original,
        creditNote("CN-1", "2026-01-06", "INV-1", half()),
        creditNote("CN-2", "2026-01-07", "INV-1", half())
      ])
      assert.strictEqual(outcomesOf(entries)["CN-2"], "RCPT035")
    }).pipe(Effect.provide(memory))
  )

  it.effect("is held if several invoices of the export have the number of its original, in every order", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-01T12:00:00Z"))
      const sent = invoice("N-1", "2026-01-05", { id: "a" })
      const other = invoice("N-1", "2026-01-06", { id: "b" })
      yield* acceptPlan(yield* plan([sent]))
      yield* sendFirst(1)
      const note = creditNote("CN-1", "2026-01-10", "N-1")
      for (const documents of [
        [sent, other, note],
        [other, sent, note]
      ]) {
        const { entries } = yield* settled(documents)
        const found = entries.find(({ source }) => source.number === "CN-1")
        assert.isTrue(found?._tag === "Planned" && found.planned.held !== null, String(found?._tag))
      }
    }).pipe(Effect.provide(memory))
  )

  it.effect("of a fiscalised original is compared with what was sent, whatever the export states of the original", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-01T12:00:00Z"))
      yield* acceptPlan(yield* plan([invoice("INV-1", "2026-01-05", half())]))
      yield* sendFirst(1)
      const note = creditNote("CN-1", "2026-01-07", "INV-1")
      for (const edited of [invoice("INV-1", "2026-01-05"), invoice("INV-1", "2026-01-05", { currency: "XXX" })]) {
        const { entries } = yield* settled([edited, note])
        assert.strictEqual(outcomesOf(entries)["CN-1"], "RCPT035")
      }
    }).pipe(Effect.provide(memory))
  )

  it.effect("of an original whose request is open is compared with what was sent, too", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-01T12:00:00Z"))
      yield* acceptPlan(yield* plan([invoice("INV-1", "2026-01-05", half())]))
      yield* sendAll
      const note = creditNote("CN-1", "2026-01-07", "INV-1")
      const { entries } = yield* settled([invoice("INV-1", "2026-01-05"), note])
      assert.strictEqual(outcomesOf(entries)["CN-1"], "RCPT035")
    }).pipe(Effect.provide(memory))
  )

  it.effect("that the gateway has declined takes nothing from its original until it is corrected", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-01T12:00:00Z"))
      const original = invoice("INV-1", "2026-01-05")
      const declined = (fields = {}) => creditNote("CN-1", "2026-01-06", "INV-1", fields)
      yield* acceptPlan(yield* plan([original, declined()]))
      yield* sendFirst(2, "declined")
      const other = creditNote("CN-2", "2026-01-07", "INV-1")
      const left = yield* settled([original, declined(), other])
      assert.strictEqual(outcomesOf(left.entries)["CN-2"], "2026-01-07")
      const corrected = yield* settled([original, declined({ reason: "Damaged" }), other])
      assert.strictEqual(outcomesOf(corrected.entries)["CN-2"], "RCPT035")
    }).pipe(Effect.provide(memory))
  )

  it.effect("has its original's currency and taxes, within twelve months", function* () {
    const exempt = { lines: [{ ...invoice("x", "2026-01-01").lines[0]!, taxes: [{ code: "Exempt" }] }] }
    const { entries } = yield* planned([
      invoice("INV-1", "2025-01-05"),
      invoice("INV-2", "2026-01-05"),
      creditNote("CN-1", "2026-01-05", "INV-1"),
      creditNote("CN-2", "2026-01-06", "INV-1"),
      creditNote("CN-3", "2026-01-06", "INV-2", { currency: "ZAR" }),
      creditNote("CN-4", "2026-01-06", "INV-2", { ...exempt, date: day("2026-01-07") })
    ])
    const outcomes = outcomesOf(entries)
    assert.strictEqual(outcomes["CN-1"], "2026-01-05")
    assert.include(outcomes["CN-2"], "RCPT033")
    assert.include(outcomes["CN-3"], "RCPT042")
    assert.include(outcomes["CN-4"], "RCPT036")
  })
})
