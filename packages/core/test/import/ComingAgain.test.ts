/**
 * Documents that were sent or tried, and are exported again: through the plan, the store and the
 * lane, as in a job.
 */
import { acceptPlan } from "../../src/session/Acceptance.ts"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer, Option, type Scope, Stream } from "effect"
import { TestClock } from "effect/testing"
import * as Connector from "../../src/session/Connector.ts"
import type { UndatedDocument } from "../../src/document/FiscalDocument.ts"
import { DocumentNumber } from "../../src/document/Identifiers.ts"
import * as Instant from "../../src/document/Instant.ts"
import * as SqliteStaging from "../../src/node/SqliteStaging.ts"
import type { SourceDocument } from "../../src/source/SourceDocument.ts"
import type { Decision } from "../../src/submission/Decision.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { drain, engine, runAccounts, sweep } from "../sending/Engine.ts"
import { passing } from "../sending/PassingTime.ts"
import { answers, fiscalised, make, rejected, type ScriptedGateway } from "../sending/ScriptedGateway.ts"
import {
  creditNote,
  destination,
  invoice,
  money,
  plan,
  type PlanOptions,
  planned,
  outcomesOf
} from "./SampleSources.ts"
import * as WrittenDocument from "../../src/document/WrittenDocument.ts"

const afternoon = "2026-03-01T12:00:00Z"

/** Returns a receipt of the lane's device. */
const receipt = (id: string) => fiscalised(id, `V-${id}`, 1)

const test =
  <A, E>(body: (gateway: ScriptedGateway) => Effect.Effect<A, E, Layer.Success<typeof services> | Scope.Scope>) =>
  () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse(afternoon))
      const gateway = make()
      gateway.state.status = receipt
      return yield* body(gateway)
    }).pipe(Effect.provide(services), Effect.scoped)

const services = Layer.merge(engine(), SqliteStaging.layerMemory)

const account = (gateway: ScriptedGateway) =>
  gateway.account({ account: destination.account, firstLook: 0 }, { deviceId: 1 })

/**
 * Imports documents: plans, submits, sends and looks for the outcomes. Returns the plan's result
 * for each document.
 */
const imported = (gateway: ScriptedGateway, documents: ReadonlyArray<SourceDocument>, options?: PlanOptions) =>
  Effect.gen(function* () {
    const made = yield* plan(documents, options)
    const entries = yield* Stream.runCollect(made.entries)
    yield* acceptPlan(made)
    yield* drain(account(gateway))
    yield* sweep(account(gateway))
    yield* drain(account(gateway))
    yield* sweep(account(gateway))
    return outcomesOf(entries)
  })

const states = SubmissionStore.use((store) =>
  Effect.map(store.list({}), (rows) =>
    Object.fromEntries(rows.map(({ hold, number, state }) => [number, hold === null ? state : `Held ${hold.cause}`]))
  )
)

const instant = (text: string) => Option.getOrThrow(Instant.parse(text))

const keyOf = (id: string) =>
  ({ account: destination.account, kind: id.startsWith("CN") ? "credit-note" : "invoice", id }) as const

/** Decides as an operator who waits until no request of the document can still arrive. */
const decide = (id: string, decision: Decision) =>
  Effect.andThen(
    TestClock.adjust("5 minutes"),
    Effect.map(Connector.resolve(keyOf(id), decision, "as the portal shows"), (resolution) =>
      assert.strictEqual(resolution._tag, "Resolved", JSON.stringify(resolution))
    )
  )

const sent = ({ submitted }: ScriptedGateway) =>
  submitted.map(({ date, id, isRetry }) => `${id} ${date}${isRetry ? " retry" : ""}`)

const first = (id: string, fields: Partial<SourceDocument> = {}) => invoice(id, "2026-01-05", fields)

/** Correction of a document. */
const correction = { lines: [{ ...first("x").lines[0]!, unitPrice: money("90") }] }
const corrected = (id: string, date = "2026-01-05") => invoice(id, date, correction)

describe("a document that an operator settled as not processed", () => {
  it.effect(
    "is sent when it is imported again, with its own date and IsRetry, since its attempt does not make it late",
    test((gateway) =>
      Effect.gen(function* () {
        gateway.answer("INV-2", answers.unknown)
        yield* imported(gateway, [first("INV-1"), first("INV-2")])
        assert.deepStrictEqual(yield* states, { "INV-1": "Fiscalised", "INV-2": "Unknown" })
        yield* decide("INV-2", { _tag: "NotProcessed" })
        const said = yield* imported(gateway, [first("INV-1"), first("INV-2")])
        assert.deepStrictEqual(said, { "INV-1": "known, Fiscalised", "INV-2": "2026-01-05" })
        assert.deepStrictEqual(yield* states, { "INV-1": "Fiscalised", "INV-2": "Fiscalised" })
        assert.deepStrictEqual(sent(gateway), [
          "INV-1 2026-01-05T08:00:01+02:00",
          "INV-2 2026-01-05T08:00:02+02:00",
          "INV-2 2026-01-05T08:00:02+02:00 retry"
        ])
      })
    )
  )

  it.effect(
    "is sent in its place, before the documents that waited behind it",
    test((gateway) =>
      Effect.gen(function* () {
        const batch = [first("INV-1"), first("INV-2"), first("INV-3")]
        gateway.answer("INV-2", answers.unknown)
        yield* imported(gateway, batch)
        yield* decide("INV-2", { _tag: "NotProcessed" })
        yield* imported(gateway, [...batch, first("INV-4")])
        assert.deepStrictEqual(sent(gateway).slice(2), [
          "INV-2 2026-01-05T08:00:02+02:00 retry",
          "INV-3 2026-01-05T08:00:03+02:00",
          "INV-4 2026-01-05T08:00:04+02:00"
        ])
      })
    )
  )

  it.effect(
    "does not hold documents of an earlier date, since it never reached the device",
    test((gateway) =>
      Effect.gen(function* () {
        gateway.answer("INV-2", answers.unknown)
        yield* imported(gateway, [first("INV-2")])
        yield* decide("INV-2", { _tag: "NotProcessed" })
        yield* imported(gateway, [invoice("INV-1", "2026-01-04"), first("INV-2")])
        assert.deepStrictEqual(yield* states, { "INV-1": "Fiscalised", "INV-2": "Fiscalised" })
      })
    )
  )

  it.effect(
    "is late if another document with a later date was really sent",
    test((gateway) =>
      Effect.gen(function* () {
        gateway.answer("INV-1", answers.unknown)
        yield* imported(gateway, [first("INV-1")])
        yield* decide("INV-1", { _tag: "Withdrawn" })
        yield* imported(gateway, [invoice("INV-2", "2026-01-06")])
        const said = yield* imported(gateway, [invoice("INV-0", "2026-01-05")])
        assert.strictEqual(
          said["INV-0"],
          "held: INV-0 is dated at or before another receipt that may have reached the device: INV-2, 2026-01-06T08:00:01+02:00"
        )
      })
    )
  )

  it.effect(
    "may be a credit note, or an original with its note behind it",
    test((gateway) =>
      Effect.gen(function* () {
        const batch = [first("INV-1"), creditNote("CN-1", "2026-01-05", "INV-1")]
        gateway.answer("INV-1", answers.unknown)
        gateway.answer("CN-1", answers.unknown)
        yield* imported(gateway, batch)
        yield* decide("INV-1", { _tag: "NotProcessed" })
        yield* imported(gateway, batch)
        assert.deepStrictEqual(yield* states, { "INV-1": "Fiscalised", "CN-1": "Unknown" })
        yield* decide("CN-1", { _tag: "NotProcessed" })
        yield* imported(gateway, batch)
        assert.deepStrictEqual(yield* states, { "INV-1": "Fiscalised", "CN-1": "Fiscalised" })
        assert.deepStrictEqual(sent(gateway).at(-1), "CN-1 2026-01-05T08:00:02+02:00 retry")
      })
    )
  )
})

describe("the last document sent, rejected and corrected", () => {
  const rejectedLast = (gateway: ScriptedGateway) =>
    Effect.gen(function* () {
      gateway.state.status = (id) => (id === "r2" ? rejected(id) : receipt(id))
      yield* imported(gateway, [first("INV-1"), first("INV-2")])
      assert.deepStrictEqual(yield* states, { "INV-1": "Fiscalised", "INV-2": "Rejected" })
    })

  it.effect(
    "is planned as a new revision, and sent with its own date",
    test((gateway) =>
      Effect.gen(function* () {
        yield* rejectedLast(gateway)
        const said = yield* imported(gateway, [first("INV-1"), corrected("INV-2")])
        assert.deepStrictEqual(said, { "INV-1": "known, Fiscalised", "INV-2": "2026-01-05" })
        assert.deepStrictEqual(yield* states, { "INV-1": "Fiscalised", "INV-2": "Fiscalised" })
        assert.deepStrictEqual(sent(gateway).at(-1), "INV-2 2026-01-05T08:00:02+02:00 retry")
      })
    )
  )

  it.effect(
    "is held if the gateway no longer answers for its request, and a run does not wait for that answer",
    test((gateway) =>
      Effect.gen(function* () {
        yield* rejectedLast(gateway)
        gateway.state.status = (id) => (id === "r2" ? null : receipt(id))
        yield* imported(gateway, [first("INV-1"), corrected("INV-2")])
        assert.deepStrictEqual(yield* states, { "INV-1": "Fiscalised", "INV-2": "Held rejection-unconfirmed" })
        const before = yield* Clock.currentTimeMillis
        yield* passing(yield* Effect.forkChild(runAccounts([account(gateway)])))
        assert.isAtMost((yield* Clock.currentTimeMillis) - before, 1000)
        gateway.state.status = rejected
        yield* TestClock.adjust("1 hour")
        yield* sweep(account(gateway))
        assert.deepStrictEqual(gateway.asked.at(-1), ["r2"])
      })
    )
  )

  it.effect(
    "may have an earlier date, as long as it is after all other sent documents",
    test((gateway) =>
      Effect.gen(function* () {
        gateway.state.status = (id) => (id === "r2" ? rejected(id) : receipt(id))
        yield* imported(gateway, [first("INV-1"), invoice("INV-2", "2026-01-09")])
        const said = yield* imported(gateway, [corrected("INV-2", "2026-01-07")])
        assert.deepStrictEqual(said, { "INV-2": "2026-01-07" })
        assert.deepStrictEqual(sent(gateway).at(-1), "INV-2 2026-01-07T08:00:01+02:00 retry")
      })
    )
  )

  it.effect(
    "may have an earlier date on the day of another document, and follows that document",
    test((gateway) =>
      Effect.gen(function* () {
        gateway.state.status = (id) => (id === "r2" ? rejected(id) : receipt(id))
        yield* imported(gateway, [first("INV-1"), invoice("INV-2", "2026-01-09")])
        yield* imported(gateway, [corrected("INV-2", "2026-01-05")])
        assert.deepStrictEqual(sent(gateway).at(-1), "INV-2 2026-01-05T08:00:02+02:00 retry")
      })
    )
  )

  it.effect(
    "is followed by its credit note",
    test((gateway) =>
      Effect.gen(function* () {
        yield* rejectedLast(gateway)
        yield* imported(gateway, [corrected("INV-2"), creditNote("CN-2", "2026-01-06", "INV-2", correction)])
        assert.deepStrictEqual(yield* states, { "INV-1": "Fiscalised", "INV-2": "Fiscalised", "CN-2": "Fiscalised" })
      })
    )
  )

  it.effect(
    "is historical, not late, if the day was closed meanwhile, since no later receipt was sent",
    test((gateway) =>
      Effect.gen(function* () {
        yield* rejectedLast(gateway)
        const lastClose = instant("2026-01-05T18:00:00+02:00")
        const { entries } = yield* planned([corrected("INV-2")], { lastClose })
        assert.strictEqual(
          outcomesOf(entries)["INV-2"],
          "held: INV-2 is dated at or before the close of the last fiscal day (2026-01-05T18:00:00+02:00)"
        )
      })
    )
  )
})

describe("an operator's decision", () => {
  /**
   * Holds INV-1 as late, and releases it by the operator's decision; the lane waits for INV-9
   * meanwhile.
   */
  const lateAndSent = (gateway: ScriptedGateway, options?: PlanOptions) =>
    Effect.gen(function* () {
      gateway.answer("INV-9", answers.unknown)
      yield* imported(gateway, [invoice("INV-8", "2026-01-08")])
      yield* imported(gateway, [first("INV-1"), invoice("INV-9", "2026-01-09")], options)
      assert.deepStrictEqual(yield* states, { "INV-1": "Held late", "INV-8": "Fiscalised", "INV-9": "Unknown" })
      yield* decide("INV-1", { _tag: "Resend" })
    })

  for (const [name, again, options] of [
    ["the same document is imported again", first("INV-1"), {}],
    ["it is imported again with a book that gives new dates", first("INV-1"), { book: { late: "restamp" } }],
    ["it is imported again with a correction", corrected("INV-1"), {}],
    ["the day was closed meanwhile", first("INV-1"), { lastClose: instant("2026-01-31T18:00:00+02:00") }]
  ] as const) {
    it.effect(
      `to send a late document is kept when ${name}`,
      test((gateway) =>
        Effect.gen(function* () {
          yield* lateAndSent(gateway)
          const said = yield* imported(gateway, [again], options)
          assert.deepStrictEqual(said, { "INV-1": "at-submission" })
          assert.strictEqual((yield* states)["INV-1"], "Planned")
          yield* decide("INV-9", { _tag: "NotProcessed" })
          yield* imported(gateway, [again], options)
          assert.deepStrictEqual(sent(gateway).slice(2), [
            "INV-9 2026-01-09T08:00:01+02:00 retry",
            "INV-1 2026-03-01T14:10:00+02:00"
          ])
          assert.strictEqual((yield* states)["INV-1"], "Fiscalised")
        })
      )
    )
  }

  it.effect(
    "is kept until the document is sent, even if its date is open and the lane waits",
    test((gateway) =>
      Effect.gen(function* () {
        const store = yield* SubmissionStore
        yield* imported(gateway, [invoice("INV-8", "2026-01-08"), first("INV-0")])
        yield* imported(gateway, [first("INV-1")])
        yield* decide("INV-1", { _tag: "Resend" })
        gateway.answer("INV-9", answers.unknown)
        yield* imported(gateway, [first("INV-1"), invoice("INV-9", "2026-01-09")])
        // INV-1 gets a new date behind INV-9, which is Unknown.
        assert.deepStrictEqual(
          [(yield* states)["INV-1"], Option.getOrThrow(yield* store.get(keyOf("INV-1"))).receiptDate],
          ["Planned", null]
        )
        yield* imported(gateway, [first("INV-1")])
        assert.strictEqual((yield* states)["INV-1"], "Planned")
        yield* decide("INV-9", { _tag: "Withdrawn" })
        yield* imported(gateway, [first("INV-1")])
        assert.strictEqual(sent(gateway).at(-1), "INV-1 2026-03-01T14:10:00+02:00")
      })
    )
  )

  it.effect(
    "solves a late date under which the document may have been processed: asked once more, then sent",
    test((gateway) =>
      Effect.gen(function* () {
        gateway.answer("INV-1", answers.unknown)
        yield* imported(gateway, [first("INV-1")])
        yield* decide("INV-1", { _tag: "NotProcessed" })
        const closed = { lastClose: instant("2026-01-31T18:00:00+02:00"), book: { late: "restamp" } }
        const store = yield* SubmissionStore
        yield* store.closeDay(destination.lane, closed.lastClose)
        yield* imported(gateway, [first("INV-1")], closed)
        for (let turn = 0; turn < 3 && (yield* states)["INV-1"] !== "Fiscalised"; turn++) {
          yield* decide("INV-1", { _tag: "Resend" })
          yield* imported(gateway, [first("INV-1")], closed)
        }
        assert.strictEqual((yield* states)["INV-1"], "Fiscalised")
        assert.strictEqual(sent(gateway).at(-1), "INV-1 2026-03-01T14:10:00+02:00 retry")
      })
    )
  )

  it.effect(
    "is asked for once after the decisions “not processed” and “send”",
    test((gateway) =>
      Effect.gen(function* () {
        gateway.answer("INV-1", answers.unknown)
        yield* imported(gateway, [first("INV-1")])
        yield* decide("INV-1", { _tag: "NotProcessed" })
        const store = yield* SubmissionStore
        const lastClose = instant("2026-01-31T18:00:00+02:00")
        yield* store.closeDay(destination.lane, lastClose)
        yield* imported(gateway, [first("INV-1")], { lastClose })
        assert.strictEqual((yield* states)["INV-1"], "Held historical")
        yield* decide("INV-1", { _tag: "Resend" })
        yield* imported(gateway, [first("INV-1")], { lastClose })
        assert.strictEqual(sent(gateway).at(-1), "INV-1 2026-03-01T14:10:00+02:00 retry")
      })
    )
  )

  it.effect(
    "not to send a document is kept, too, until another decision",
    test((gateway) =>
      Effect.gen(function* () {
        const store = yield* SubmissionStore
        yield* acceptPlan(yield* plan([first("INV-1")]))
        yield* store.hold([keyOf("INV-1")], { cause: "operator", text: "the buyer objects" })
        for (const again of [first("INV-1"), corrected("INV-1")]) {
          assert.deepStrictEqual(yield* imported(gateway, [again]), { "INV-1": "held: the buyer objects" })
          assert.strictEqual((yield* states)["INV-1"], "Held operator")
        }
        yield* decide("INV-1", { _tag: "Resend" })
        yield* imported(gateway, [corrected("INV-1")])
        assert.deepStrictEqual(sent(gateway), ["INV-1 2026-01-05T08:00:01+02:00"])
      })
    )
  )

  it.effect(
    "about lateness does not cover other holds: the document still waits for its original",
    test((gateway) =>
      Effect.gen(function* () {
        gateway.answer("INV-2", answers.declined)
        const batch = [first("INV-2"), creditNote("CN-1", "2026-01-06", "INV-2")]
        yield* imported(gateway, batch)
        assert.strictEqual((yield* states)["CN-1"], "Held original")
        yield* decide("CN-1", { _tag: "Resend" })
        yield* imported(gateway, batch)
        assert.strictEqual((yield* states)["CN-1"], "Held original")
        assert.isFalse(sent(gateway).some((one) => one.startsWith("CN-1")))
      })
    )
  )
})

describe("the reason of a hold", () => {
  it.effect(
    "does not claim that an original was not fiscalised if its outcome is unknown",
    test((gateway) =>
      Effect.gen(function* () {
        gateway.state.status = () => null
        yield* imported(gateway, [first("INV-1")])
        yield* TestClock.adjust("8 days")
        yield* sweep(account(gateway))
        assert.deepStrictEqual(yield* states, { "INV-1": "Expired" })
        const { entries } = yield* planned([creditNote("CN-1", "2026-01-06", "INV-1")])
        assert.deepStrictEqual(outcomesOf(entries), {
          "CN-1": "held: its original INV-1 is not known to be fiscalised"
        })
      })
    )
  )

  it.effect(
    "does not mention a receipt if an operator held the document, or if a request was certainly not processed",
    test((gateway) =>
      Effect.gen(function* () {
        gateway.answer("INV-2", answers.declined)
        yield* imported(gateway, [invoice("INV-2", "2026-01-09")])
        const { entries } = yield* planned([first("INV-1"), invoice("INV-2", "2026-01-09")])
        assert.deepStrictEqual(outcomesOf(entries), { "INV-1": "2026-01-05", "INV-2": "known, Declined" })
      })
    )
  )
})

describe("the plan and the import", () => {
  const rejectedAs = (gateway: ScriptedGateway, nature: "correctable" | "final") =>
    Effect.gen(function* () {
      gateway.state.status = (id) => (id === "r1" ? rejected(id, nature) : receipt(id))
      yield* imported(gateway, [first("INV-1")])
      assert.strictEqual((yield* states)["INV-1"], "Rejected")
    })

  for (const [name, nature, again, says, then] of [
    ["finally rejected and the same", "final", first("INV-1"), "known, Rejected", "Rejected"],
    ["finally rejected and changed", "final", corrected("INV-1"), "at-submission DIFFERS_FROM_SENT", "Rejected"],
    ["rejected and the same", "correctable", first("INV-1"), "known, Rejected", "Rejected"],
    ["rejected and corrected", "correctable", corrected("INV-1"), "2026-01-05", "Fiscalised"]
  ] as const) {
    it.effect(
      `agree on a document that is ${name}`,
      test((gateway) =>
        Effect.gen(function* () {
          yield* rejectedAs(gateway, nature)
          const { entries } = yield* planned([again])
          const warned = entries.flatMap((entry) => (entry._tag === "Planned" ? entry.findings : []))
          const words = [outcomesOf(entries)["INV-1"], ...warned.map(({ code }) => code)]
          assert.strictEqual(words.join(" "), says)
          yield* imported(gateway, [again])
          assert.strictEqual((yield* states)["INV-1"], then)
        })
      )
    )
  }

  it.effect(
    "agree on a declined document with a changed mapping",
    test((gateway) =>
      Effect.gen(function* () {
        gateway.answer("INV-1", answers.declined)
        yield* imported(gateway, [first("INV-1")])
        const { entries } = yield* planned([first("INV-1")])
        assert.deepStrictEqual(outcomesOf(entries), { "INV-1": "known, Declined" })
        const otherBook = { currencies: [{ from: ["USD"], code: "ZAR", device: "ZAR" }] }
        assert.deepStrictEqual(yield* imported(gateway, [first("INV-1")], { book: otherBook }), {
          "INV-1": "2026-01-05"
        })
        assert.strictEqual((yield* states)["INV-1"], "Fiscalised")
      })
    )
  )

  it.effect(
    "refuse a declined document that now has a problem, with the reason",
    test((gateway) =>
      Effect.gen(function* () {
        gateway.answer("INV-1", answers.declined)
        yield* imported(gateway, [first("INV-1")])
        const { entries } = yield* planned([first("INV-1")], { book: { currencies: [] } })
        assert.deepStrictEqual(outcomesOf(entries), { "INV-1": "CURRENCY_UNMAPPED" })
      })
    )
  )

  it.effect(
    "do not use the second of another account's document for their own",
    test((gateway) =>
      Effect.gen(function* () {
        const store = yield* SubmissionStore
        const made = yield* planned([first("INV-1")])
        const entry = made.entries[0]!
        if (entry._tag !== "Planned") return assert.fail("it should have been planned")
        const { payload } = WrittenDocument.read(entry.planned.document)
        const number = DocumentNumber.make("T-1")
        const document = { kind: "invoice", payload: { ...payload, invoiceNumber: number } } as UndatedDocument
        yield* store.plan([{ ...entry.planned, account: "till", document: WrittenDocument.of(document) }])
        yield* imported(gateway, [first("INV-1")])
        yield* imported(gateway, [first("INV-1"), first("INV-2")])
        const dates = (yield* store.list({})).map(({ receiptDate }) => Instant.seconds(receiptDate!))
        assert.strictEqual(new Set(dates).size, 3)
      })
    )
  )
})

describe("a credit note that is allocated further after it was sent", () => {
  it.effect(
    "is not sent again, and the change is reported; its receipt had credited only the allocated part",
    test((gateway) =>
      Effect.gen(function* () {
        const allocated = (...amounts: ReadonlyArray<readonly [invoice: string, amount: string]>) =>
          creditNote("CN-1", "2026-01-10", "INV-1", {
            originals: amounts.map(([value, amount]) => ({ by: "number", value, amount: money(amount) }))
          })
        const invoices = [first("INV-1"), first("INV-2")]
        const findingsOf = (note: SourceDocument) =>
          Effect.gen(function* () {
            const { entries, unattached } = yield* planned([...invoices, note])
            const ofNote = entries.find(({ source }) => source.number === "CN-1")
            const findings = ofNote?._tag === "Known" ? unattached : (ofNote?.findings ?? [])
            return findings.map(({ code, detail }) => `${code} ${detail}`).filter((text) => text.startsWith("NOTE"))
          })
        const partly = allocated(["INV-1", "40"])
        assert.deepStrictEqual(yield* findingsOf(partly), ["NOTE_PARTLY_ALLOCATED 40.00 of 100.00"])
        yield* imported(gateway, [...invoices, partly])
        const before = sent(gateway)
        const further = allocated(["INV-1", "40"], ["INV-2", "60"])
        const said = yield* imported(gateway, [...invoices, further])
        assert.strictEqual(said["CN-1"], "known, Fiscalised")
        assert.deepStrictEqual(yield* findingsOf(further), [
          "NOTE_ALLOCATED_SINCE CN-1: sent for INV-1, now allocated to INV-2, too"
        ])
        const moved = allocated(["INV-2", "100"])
        assert.deepStrictEqual(yield* findingsOf(moved), [
          "NOTE_ALLOCATED_SINCE CN-1: sent for INV-1, now allocated to INV-2"
        ])
        assert.deepStrictEqual(yield* findingsOf(partly), ["NOTE_PARTLY_ALLOCATED CN-1: 40.00 of 100.00"])
        assert.deepStrictEqual(yield* findingsOf(allocated(["INV-1", "100"])), [])
        assert.deepStrictEqual(sent(gateway), before)
      })
    )
  )
})
