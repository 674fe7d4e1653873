import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import * as PermittedDecision from "../../src/submission/PermittedDecision.ts"
import type { PlannedDocument } from "../../src/submission/PlannedDocument.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import * as Instant from "../../src/document/Instant.ts"
import * as Money from "../../src/document/Money.ts"
import * as WrittenDocument from "../../src/document/WrittenDocument.ts"
import { invoice } from "../submission/PlannedDocuments.ts"
import { drain, explain, get, key, plan, stateOf, sweep, test } from "../sending/Engine.ts"
import { answers, fiscalised, make, rejected } from "../sending/ScriptedGateway.ts"

const verdicts = (...documents: ReadonlyArray<PlannedDocument>) =>
  Effect.map(plan(...documents), (results) => results.map(({ verdict }) => verdict._tag))

/** Returns the same statement of the source under another book: other output, same fingerprint. */
const retranslated = (planned: PlannedDocument, reference: string): PlannedDocument => {
  const document = WrittenDocument.read(planned.document)
  return document.kind === "invoice"
    ? { ...planned, document: WrittenDocument.of({ kind: "invoice", payload: { ...document.payload, reference } }) }
    : planned
}

describe("a planned or held document", () => {
  it.effect(
    "is replaced by a later statement",
    test(function* () {
      yield* plan(invoice("i1", { total: "10.00" }))
      assert.deepStrictEqual(yield* verdicts(invoice("i1", { total: "20.00" })), ["Replaced"])
      const { document, submission } = yield* explain("i1")
      assert.strictEqual(submission.revision, 2)
      assert.strictEqual(Money.formatAmount(document.payload.total), "20.00")
    })
  )

  it.effect(
    "is replaced if its codes now mean another device tax, and only then",
    test(function* () {
      const under = (tax: number) => invoice("i1", { meaning: { currency: "USD", taxes: [["STD", tax, null]] } })
      yield* plan(under(515))
      assert.deepStrictEqual(yield* verdicts(under(515)), ["Unchanged"])
      assert.deepStrictEqual(yield* verdicts(invoice("i1")), ["Unchanged"], "not known replaces nothing")
      assert.deepStrictEqual(yield* verdicts(under(516)), ["Replaced"])
      const original = yield* SubmissionStore.use(({ ledger }) => ledger.original("shop", { by: "id", value: "i1" }))
      assert.deepStrictEqual(Option.getOrThrow(original).meaning?.taxes, [["STD", 516, null]])
    })
  )

  it.effect(
    "keeps its receipt date while the source's date is the same",
    test(function* () {
      yield* plan(invoice("i1", { receiptDate: "2026-01-10T08:00:01+02:00" }))
      yield* plan(invoice("i1", { receiptDate: "2026-01-10T08:00:07+02:00", total: "20.00" }))
      assert.strictEqual(Instant.format((yield* get("i1")).receiptDate!), "2026-01-10T08:00:01+02:00")
      yield* plan(invoice("i1", { receiptDate: "2026-01-09T08:00:07+02:00" }))
      assert.strictEqual(Instant.format((yield* get("i1")).receiptDate!), "2026-01-09T08:00:07+02:00")
    })
  )

  it.effect(
    "frees its number when it gets another before anything was sent",
    test(function* () {
      yield* plan(invoice("i1", { number: "A" }))
      assert.deepStrictEqual(yield* verdicts(invoice("i1", { number: "B" })), ["Replaced"])
      assert.deepStrictEqual(yield* verdicts(invoice("i2", { number: "A" }), invoice("i3", { number: "B" })), [
        "Planned",
        "NumberTaken"
      ])
    })
  )

  it.effect(
    "is held or released by a later statement",
    test(function* () {
      yield* plan(invoice("i1", { held: "late", heldCause: "late" }))
      assert.deepStrictEqual((yield* get("i1")).hold, { cause: "late", text: "late" })
      yield* plan(invoice("i1"))
      assert.deepStrictEqual([(yield* get("i1")).state, (yield* get("i1")).hold], ["Planned", null])
      yield* plan(invoice("i1", { held: "look at it" }))
      assert.deepStrictEqual((yield* get("i1")).hold, { cause: "operator", text: "look at it" })
    })
  )

  it.effect(
    "is not stored if the account is pinned to another device",
    test(function* () {
      yield* plan(invoice("i1"))
      const [result] = yield* plan(invoice("i2", { lane: "test/2002" }))
      assert.deepStrictEqual(result!.verdict, { _tag: "OtherLane", pinned: "test/1001" })
    })
  )
})

describe("a document that is being sent or has its outcome", () => {
  it.effect(
    "is not changed if the source states the same, with any book and date",
    test(function* () {
      const gateway = make()
      yield* plan(invoice("i1"))
      yield* drain(gateway.account())
      const again = retranslated(invoice("i1", { receiptDate: "2026-01-10T09:00:00+02:00" }), "another book")
      assert.deepStrictEqual(yield* verdicts(again), ["Unchanged"])
    })
  )

  it.effect(
    "becomes a conflict if the source now states something else, reported once",
    test(function* () {
      const gateway = make()
      yield* plan(invoice("i1"))
      yield* drain(gateway.account())
      assert.deepStrictEqual(yield* verdicts(invoice("i1", { total: "1.00" }), invoice("i1", { total: "1.00" })), [
        "Conflict",
        "Conflict"
      ])
      const { conflicts, timeline } = yield* explain("i1")
      assert.deepStrictEqual(
        conflicts.map(({ code, detail }) => [code, detail]),
        [["SOURCE_CONFLICT", "it is Accepted, and the export now states something else"]]
      )
      assert.strictEqual(timeline.filter(({ cause }) => cause === "conflict").length, 1)
      yield* drain(gateway.account())
      assert.strictEqual(gateway.submitted.length, 1)
    })
  )
})

describe("a declined or rejected document", () => {
  it.effect(
    "is planned again as a new revision if the source changed",
    test(function* () {
      const gateway = make()
      gateway.answer("i1", answers.declined)
      yield* plan(invoice("i1"))
      yield* drain(gateway.account())
      assert.deepStrictEqual(yield* verdicts(invoice("i1")), ["Unchanged"])
      assert.deepStrictEqual(yield* verdicts(invoice("i1", { total: "20.00" })), ["Revised"])
      yield* drain(gateway.account())
      yield* sweep(gateway.account({ firstLook: 0 }))
      assert.deepStrictEqual([(yield* get("i1")).state, (yield* get("i1")).revision], ["Accepted", 2])
    })
  )

  it.effect(
    "is planned again if its translation changed, for instance by an added mapping",
    test(function* () {
      const gateway = make()
      gateway.state.status = (id) => rejected(id)
      const account = gateway.account({ firstLook: 0 })
      yield* plan(invoice("i1"))
      yield* drain(account)
      yield* sweep(account)
      assert.strictEqual(yield* stateOf("i1"), "Rejected")
      assert.deepStrictEqual(yield* verdicts(retranslated(invoice("i1"), "mapped now")), ["Revised"])
      yield* drain(account)
      assert.deepStrictEqual(
        gateway.submitted.map(({ isRetry }) => isRetry),
        [false, true]
      )
    })
  )

  it.effect(
    "is not planned again if the rejection is final",
    test(function* () {
      const gateway = make()
      gateway.state.status = (id) => rejected(id, "final")
      const account = gateway.account({ firstLook: 0 })
      yield* plan(invoice("i1"))
      yield* drain(account)
      yield* sweep(account)
      assert.deepStrictEqual(yield* verdicts(invoice("i1"), invoice("i1", { total: "20.00" })), [
        "Unchanged",
        "Conflict"
      ])
    })
  )

  it.effect(
    "is a conflict, not a revision, while an earlier attempt may have been processed",
    test(function* () {
      const gateway = make()
      const account = gateway.account({ unknown: "resend-flagged", assumptions: { "DOC-10": "deduplicates" } })
      const store = yield* SubmissionStore
      gateway.answer("i1", answers.unknown, answers.declined)
      yield* plan(invoice("i1"))
      yield* drain(account)
      assert.strictEqual(yield* stateOf("i1"), "Unknown")
      yield* TestClock.adjust("5 minutes")
      yield* store.resendUnknown("shop")
      yield* drain(account)
      assert.strictEqual((yield* get("i1")).hold?.cause, "contradicted")
      assert.deepStrictEqual(yield* verdicts(invoice("i1", { total: "20.00" })), ["Conflict"])
    })
  )

  it.effect(
    "that turns out to be fiscalised holds its new revision and informs an operator",
    test(function* () {
      const gateway = make()
      gateway.state.status = (id) => rejected(id)
      const account = gateway.account({ firstLook: 0 })
      const store = yield* SubmissionStore
      yield* plan(invoice("i1"))
      yield* drain(account)
      yield* sweep(account)
      yield* plan(invoice("i1", { total: "20.00" }))
      yield* store.recordOutcomes("shop", [fiscalised("r1")], "webhook")
      const held = yield* get("i1")
      assert.deepStrictEqual([held.state, held.hold?.cause], ["Held", "contradicted"])
      assert.deepStrictEqual(yield* verdicts(invoice("i1", { total: "20.00" })), ["Unchanged"])
      // A hold for another reason does not make it sendable.
      yield* store.hold([key("i1")], { cause: "operator", text: "let me look" })
      assert.deepStrictEqual((yield* get("i1")).hold, held.hold)
      assert.strictEqual((yield* store.decide(key("i1"), { _tag: "Resend" }, "try"))._tag, "Refused")
      assert.deepStrictEqual(
        PermittedDecision.of(yield* explain("i1")).map((one) => [one.decision, one.with]),
        [
          ["Fiscalised", "nothing"],
          ["Withdrawn", "nothing"],
          ["Acknowledged", "nothing"]
        ]
      )
      yield* drain(account)
      assert.strictEqual(gateway.submitted.length, 1)
      const resolution = yield* store.decide(key("i1"), { _tag: "Fiscalised", proof: {} }, "the first receipt stands")
      assert.deepStrictEqual(resolution, { _tag: "Resolved", from: "Held", to: "Fiscalised" })
      assert.strictEqual((yield* get("i1")).proof?.verificationCode, "V-r1")
    })
  )
})

describe("an import that was never accepted", () => {
  it.effect(
    "is ended by an import that is accepted a day later: its documents are dropped, and none is sent",
    test(function* () {
      const store = yield* SubmissionStore
      const { account, environment, lane, taxpayer } = invoice("i1")
      const made = {
        at: Instant.fromSeconds(1_768_000_000, DateTime.zoneMakeOffset(0)),
        destination: { account, environment, lane, taxpayer },
        adapter: "csv",
        files: [],
        book: null,
        settings: {}
      }
      const counts = { documents: 1, refused: 0, skipped: 0 }
      const left = yield* store.beginImport(made, "kept")
      yield* store.keepRest(left, [invoice("i1")])
      const standing = Effect.map(store.importOf(left), (found) => {
        const { rest, standing } = Option.getOrThrow(found)
        return [standing, rest]
      })
      yield* TestClock.adjust("23 hours")
      yield* store.acceptImport(yield* store.beginImport(made, "kept"), counts)
      assert.deepStrictEqual(yield* standing, ["begun", 1], "its process may still be at it")
      yield* TestClock.adjust("2 hours")
      yield* store.acceptImport(yield* store.beginImport(made, "kept"), counts)
      assert.deepStrictEqual(yield* standing, ["cancelled", 0])
      assert.deepStrictEqual(yield* store.list({}), [])
    })
  )
})
