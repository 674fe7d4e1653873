/** A sale known in another spelling, or as fiscalized elsewhere, needs an operator to be sent. */
import { assert, describe } from "@effect/vitest"
import { Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { CurrencyCode, DocumentNumber, InvoiceId, TaxCode } from "../../src/document/Identifiers.ts"
import * as Instant from "../../src/document/Instant.ts"
import * as Money from "../../src/document/Money.ts"
import type { Decision } from "../../src/submission/Decision.ts"
import type { PlannedDocument } from "../../src/submission/PlannedDocument.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { invoice } from "../submission/PlannedDocuments.ts"
import { drain, explain, get, key, plan, states, stateOf, sweep } from "../sending/Engine.ts"
import { answers, type ScriptedGateway } from "../sending/ScriptedGateway.ts"
import { story } from "../sending/Story.ts"

const receiptDate = "2026-01-10T12:00:30+02:00"
const numbered = (number: string, fields: Parameters<typeof invoice>[1] = {}): PlannedDocument =>
  invoice(number, { number, receiptDate, ...fields })

const decide = (id: string, _tag: "Same" | "Resend" | "Withdrawn") =>
  SubmissionStore.use((store) => store.decide(key(id), { _tag } as Decision, "compared with the receipt"))

const holdOf = (id: string) => Effect.map(get(id), ({ hold }) => hold?.text ?? null)

const fiscalised = (gateway: ScriptedGateway) =>
  Effect.andThen(drain(gateway.account()), Effect.andThen(TestClock.adjust("1 minute"), sweep(gateway.account())))

const elsewhere = (id: string, total = "115.00", date = "2026-01-10T00:00:00+02:00") => ({
  account: "shop",
  taxpayer: "2000000001",
  invoiceId: InvoiceId.make(id),
  number: DocumentNumber.make(id),
  date: Option.getOrThrow(Instant.parse(date)),
  currency: CurrencyCode.make("USD"),
  total: Option.getOrThrow(Money.parse(total)),
  taxCodes: [TaxCode.make("EXEMPT")],
  credited: Money.zero
})

const register = (...originals: ReadonlyArray<ReturnType<typeof elsewhere>>) =>
  SubmissionStore.use((store) => store.registerOriginals(originals))

describe("a number in another spelling", () => {
  story("is held with the number, the day and the state of the known document", function* (gateway) {
    yield* plan(numbered("00005"))
    yield* fiscalised(gateway)
    yield* plan(numbered("5"))
    assert.match(
      (yield* holdOf("5"))!,
      /^possible duplicate: 00005 of 2026-01-10 \(Fiscalised, receipt .+\) differs only/
    )
    // a second import does not release it
    yield* plan(numbered("5"))
    yield* fiscalised(gateway)
    assert.deepStrictEqual([yield* stateOf("5"), gateway.submitted.length], ["Held", 1])
  })

  story("is held once in one plan, also across accounts of the taxpayer", function* () {
    yield* plan(numbered("A-1"), numbered("a-01"), numbered("A/001", { account: "till", lane: "test/1002" }))
    assert.deepStrictEqual(yield* states, ["A-1 Planned", "a-01 Held", "A/001 Held"])
    yield* plan(numbered("A-1", { total: "2.00" }), numbered("a-01", { total: "2.00" }))
    assert.deepStrictEqual(yield* states, ["A-1 Planned", "a-01 Held", "A/001 Held"])
  })

  story("with one other fact is probably a later version, and with two another document", function* () {
    yield* plan(numbered("5"))
    yield* plan(numbered("05", { total: "20.00" }), numbered("005", { total: "20.00", sourceDate: "2026-01-09" }))
    assert.strictEqual(
      yield* holdOf("05"),
      "probably a later version of 5 of 2026-01-10 (Planned when they were compared): only the total differs, there USD 115.00, here USD 20.00"
    )
    assert.strictEqual(yield* stateOf("005"), "Planned")
  })

  story("that an operator calls another document is sent, and never asked about again", function* (gateway) {
    gateway.answer("05", answers.declined)
    yield* plan(numbered("5"))
    yield* fiscalised(gateway)
    const other = { receiptDate: "2026-01-10T12:00:31+02:00" }
    yield* plan(numbered("05", other))
    yield* decide("05", "Resend")
    yield* fiscalised(gateway)
    assert.strictEqual(yield* stateOf("05"), "Declined")
    yield* plan(numbered("05", { ...other, total: "2.00" }))
    assert.strictEqual(yield* stateOf("05"), "Planned")
  })

  story("that an operator calls the same is never sent, and frees its number", function* (gateway) {
    yield* plan(numbered("5"), numbered("05"))
    assert.deepStrictEqual(yield* decide("05", "Same"), { _tag: "Resolved", from: "Held", to: "Withdrawn" })
    yield* plan(numbered("05"))
    assert.deepStrictEqual(yield* states, ["5 Planned", "05 Withdrawn"])
    assert.deepStrictEqual(yield* SubmissionStore.use((store) => store.ledger.spellings("shop")), [
      { kind: "invoice", id: "05", of: { account: "shop", kind: "invoice", id: "5", number: DocumentNumber.make("5") } }
    ])
    assert.strictEqual((yield* decide("5", "Same"))._tag, "Refused")
    yield* fiscalised(gateway)
    assert.strictEqual(gateway.submitted.length, 1)
  })

  story("cannot be called the same as a document that was withdrawn meanwhile", function* () {
    yield* plan(numbered("5"), numbered("05"))
    yield* decide("5", "Withdrawn")
    assert.strictEqual((yield* decide("05", "Same"))._tag, "Refused")
    yield* decide("05", "Resend")
    assert.deepStrictEqual(yield* states, ["5 Withdrawn", "05 Planned"])
  })

  story("is released by the next import when the other document is withdrawn", function* () {
    yield* plan(numbered("5"), numbered("05"))
    yield* decide("5", "Withdrawn")
    yield* plan(numbered("05"))
    assert.strictEqual(yield* stateOf("05"), "Planned")
  })
})

describe("an invoice registered as fiscalised elsewhere", () => {
  story("holds the store's own document while it waits", function* (gateway) {
    yield* plan(numbered("E-1"), numbered("E-2", { held: "a question" }), numbered("E-3"))
    assert.deepStrictEqual(yield* register(elsewhere("E-1"), elsewhere("E-2"), elsewhere("e3")), [
      "held",
      "held",
      "held"
    ])
    assert.match((yield* holdOf("E-1"))!, /^fiscalised elsewhere \(registered on 2026-01-10\)$/)
    assert.match((yield* holdOf("E-3"))!, /^possible duplicate: e3 of 2026-01-10 \(fiscalised elsewhere/)
    yield* plan(numbered("E-1"), numbered("E-2"), numbered("E-3"))
    yield* fiscalised(gateway)
    assert.deepStrictEqual([yield* states, gateway.submitted.length], [["E-1 Held", "E-2 Held", "E-3 Held"], 0])
    yield* decide("E-1", "Resend")
    yield* fiscalised(gateway)
    assert.strictEqual(gateway.submitted.length, 1)
  })

  story("holds a refused document when its turn comes again", function* (gateway) {
    gateway.answer("E-1", answers.declined)
    yield* plan(numbered("E-1"))
    yield* drain(gateway.account())
    assert.deepStrictEqual(yield* register(elsewhere("E-1")), ["held"])
    yield* decide("E-1", "Resend")
    yield* drain(gateway.account())
    assert.deepStrictEqual([yield* stateOf("E-1"), gateway.submitted.length], ["Held", 1])
  })

  story("is a conflict if it has a receipt here, or may get one", function* (gateway) {
    yield* plan(numbered("E-1"))
    yield* drain(gateway.account())
    assert.deepStrictEqual(yield* register(elsewhere("E-1")), ["held"])
    assert.deepStrictEqual(
      (yield* explain("E-1")).conflicts.map(({ code }) => code),
      ["ALSO_ELSEWHERE"]
    )
    yield* plan(numbered("E-2", { receiptDate: "2026-01-10T12:00:31+02:00" }))
    yield* fiscalised(gateway)
    assert.deepStrictEqual(yield* register(elsewhere("E-2")), ["fiscalised-here"])
    assert.strictEqual((yield* explain("E-2")).conflicts[0]?.code, "ALSO_ELSEWHERE")
  })

  story("is a conflict if its sale has a receipt here under another spelling", function* (gateway) {
    yield* plan(numbered("E-1"))
    yield* fiscalised(gateway)
    assert.deepStrictEqual(yield* register(elsewhere("e1"), elsewhere("E/01", "20.00", "2026-01-09T00:00:00+02:00")), [
      "fiscalised-here",
      "registered"
    ])
    assert.deepStrictEqual(
      (yield* explain("E-1")).conflicts.map(({ code }) => code),
      ["ALSO_ELSEWHERE"]
    )
  })

  story("is known the second time, unless its values differ", function* () {
    assert.deepStrictEqual(yield* register(elsewhere("E-1"), elsewhere("E-1"), elsewhere("E-1", "20.00")), [
      "registered",
      "known",
      "differs"
    ])
  })

  story("is not planned as a document", function* (gateway) {
    yield* register(elsewhere("E-1"))
    yield* plan(numbered("E-1"), numbered("E-01"))
    yield* drain(gateway.account())
    assert.deepStrictEqual([yield* states, gateway.submitted.length], [["E-1 Held", "E-01 Held"], 0])
  })
})
