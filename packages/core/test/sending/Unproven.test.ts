/** Failures that the gateway states and that prove nothing yet. */
import { assert, describe } from "@effect/vitest"
import { Clock, DateTime, Duration, Effect, Result, Stream } from "effect"
import { TestClock } from "effect/testing"
import * as Attention from "../../src/attention/Attention.ts"
import * as BulkDecision from "../../src/session/BulkDecision.ts"
import { RequestId } from "../../src/document/Identifiers.ts"
import { defaults } from "../../src/gateway/contract/AssumptionSwitches.ts"
import { GatewayError, Unavailable } from "../../src/gateway/contract/GatewayError.ts"
import * as SqliteStaging from "../../src/node/SqliteStaging.ts"
import * as StatusPoller from "../../src/sending/StatusPoller.ts"
import { decodeItem, nobody, type StatusItem } from "../../src/gateway/operation/Status.ts"
import * as Session from "../../src/session/Session.ts"
import * as PermittedDecision from "../../src/submission/PermittedDecision.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { creditNote, invoice } from "../submission/PlannedDocuments.ts"
import { bookWith, invoice as exported } from "../import/SampleSources.ts"
import { drain, explain, get, key, open, plan, runAccounts, stateOf, states, sweep } from "./Engine.ts"
import { passing } from "./PassingTime.ts"
import { contradictory, failed, fiscalised, pending, rejected, type ScriptedGateway } from "./ScriptedGateway.ts"
import { story } from "./Story.ts"

const settings = { firstLook: 0, longestPause: "1 hour" } as const

/**
 * Sends i1; the gateway then states this failure for it, and a receipt for every later document.
 */
const accepted = (gateway: ScriptedGateway, failure: (id: string) => StatusItem | null) =>
  Effect.gen(function* () {
    gateway.state.status = (id) => (id === "r1" ? failure(id) : fiscalised(id))
    const account = gateway.account(settings)
    yield* plan(invoice("i1"))
    yield* drain(account)
    yield* sweep(account)
    return account
  })

/** Plans a corrected i1 and sends what can be sent. Returns the number of requests so far. */
const correct = (gateway: ScriptedGateway, account: ReturnType<ScriptedGateway["account"]>) =>
  Effect.gen(function* () {
    yield* plan(invoice("i1", { total: "2.00", late: "restamp" }))
    yield* drain(account)
    return gateway.submitted.filter(({ id }) => id === "i1").length
  })

/** Passes the time in looks of one hour. */
const hours = (count: number, account: ReturnType<ScriptedGateway["account"]>) =>
  Effect.forEach(Array.from({ length: count }), () => Effect.andThen(TestClock.adjust("1 hour"), sweep(account)), {
    discard: true
  })

const laterReceipt = (account: ReturnType<ScriptedGateway["account"]>) =>
  Effect.gen(function* () {
    yield* plan(invoice("i2"))
    yield* drain(account)
    yield* sweep(account)
    assert.strictEqual(yield* stateOf("i2"), "Fiscalised")
  })

const reject = SubmissionStore.use((store) =>
  store.decide(
    key("i1"),
    { _tag: "Rejected", rejection: { error: "as the portal shows", nature: "correctable" } },
    "I looked"
  )
)

const deliver = (...items: ReadonlyArray<StatusItem>) =>
  SubmissionStore.use((store) => store.recordOutcomes("shop", items, "webhook"))

describe("a failure in /status while the gateway works", () => {
  // "26" and "RCPT016" differ in digits only.
  for (const text of ["26", "still working"])
    story(
      `"${text}" does not make final what a receipt rule then calls correctable, even after it was settled`,
      function* (gateway) {
        const account = yield* accepted(gateway, (id) => failed(id, text, "final"))
        yield* laterReceipt(account)
        yield* TestClock.adjust("10 minutes")
        yield* sweep(account)
        yield* deliver(failed("r1", text, "final"))
        yield* TestClock.adjust("10 minutes")
        yield* sweep(account)
        assert.strictEqual((yield* get("i1")).rejection?.nature, "final")
        gateway.state.status = (id) => (id === "r1" ? failed(id, "RCPT016", "correctable") : fiscalised(id))
        yield* TestClock.adjust("1 hour")
        yield* sweep(account)
        assert.deepStrictEqual((yield* get("i1")).rejection, { error: "RCPT016", nature: "correctable" })
        assert.strictEqual(yield* correct(gateway, account), 2)
      }
    )

  for (const [text, nature] of [
    ["Pending", "correctable"],
    ["Not found", "correctable"],
    ["Still processing", "final"],
    ["404: Request not found in database", "correctable"],
    ["The till has no connection and tries again", "correctable"]
  ] as const) {
    story(
      `"${text}" (${nature}) proves nothing: the document stays Accepted, and its correction is not taken`,
      function* (gateway) {
        const account = yield* accepted(gateway, (id) => failed(id, text, nature))
        assert.strictEqual(yield* stateOf("i1"), "Accepted")
        assert.strictEqual(yield* correct(gateway, account), 1)
        gateway.state.status = (id) => fiscalised(id)
        yield* TestClock.adjust("1 hour")
        yield* sweep(account)
        assert.strictEqual(yield* stateOf("i1"), "Fiscalised")
      }
    )
  }

  story("is shown, with the times from which it can be settled", function* (gateway) {
    const account = yield* accepted(gateway, (id) => failed(id, "Pending"))
    const { failures, submission } = yield* explain("i1")
    assert.strictEqual(
      submission.text,
      "the gateway says: Pending (since 2026-01-10T13:00:00Z; an operator who looked in the portal can settle it from 2026-01-10T13:05:00Z on; time at 2026-01-11T09:00:00Z at the earliest)"
    )
    yield* hours(2, account)
    const [failure] = (yield* explain("i1")).failures
    assert.deepInclude(failure, { error: "Pending", firstAt: failures[0]!.firstAt, control: "told-apart" })
    assert.isTrue(DateTime.isGreaterThan(failure!.lastAt, failures[0]!.lastAt))
    assert.isTrue(DateTime.Equivalence(failure!.timeFrom!, failures[0]!.timeFrom!))
    gateway.state.control = { _tag: "Answered", items: [failed(nobody, "Pending")] }
    yield* hours(1, account)
    assert.strictEqual(
      (yield* explain("i1")).submission.text,
      "the gateway says: Pending (as for an id that no request has)"
    )
  })

  story("lets its lane go on: the next document is sent", function* (gateway) {
    const account = yield* accepted(gateway, (id) => failed(id, "Pending"))
    yield* laterReceipt(account)
    assert.deepStrictEqual(yield* states, ["i1 Accepted", "i2 Fiscalised"])
  })
})

describe("the code of a receipt rule", () => {
  for (const text of ["RCPT026: the tax amount is wrong", "Rejected by the authority (RCPT043)", "RCPT017."]) {
    story(`"${text}" is a rejection in one look`, function* (gateway) {
      const account = yield* accepted(gateway, (id) => failed(id, text))
      assert.strictEqual(yield* stateOf("i1"), "Rejected")
      assert.strictEqual(yield* correct(gateway, account), 2)
    })
  }

  for (const [beside, item] of [
    ["a pending result", pending("r1")],
    ["another text", failed("r1", "still processing")]
  ] as const)
    story(`beside ${beside} of the same request in one answer proves nothing`, function* (gateway) {
      const account = yield* accepted(gateway, () => null)
      yield* deliver(rejected("r1"), item)
      assert.strictEqual(yield* stateOf("i1"), "Accepted")
      yield* correct(gateway, account)
      yield* deliver(rejected("r1"), failed("r1", "RCPT026: the tax amount is wrong"))
      assert.strictEqual(yield* stateOf("i1"), "Rejected")
    })

  story("is a rejection in one delivery", function* (gateway) {
    yield* accepted(gateway, () => null)
    yield* deliver(rejected("r1"))
    assert.strictEqual(yield* stateOf("i1"), "Rejected")
  })

  for (const text of [
    "Invoice RCPT026-17 is queued",
    "waits: RCPT0261",
    "xRCPT026",
    "request 7_RCPT026",
    "ref 7/RCPT026"
  ]) {
    story(`as a part of another name ("${text}") proves nothing`, function* (gateway) {
      yield* accepted(gateway, (id) => failed(id, text))
      assert.strictEqual(yield* stateOf("i1"), "Accepted")
    })
  }

  story("that is a part of a number of the account proves nothing", function* (gateway) {
    yield* plan(invoice("i7", { number: "INV/rcpt026/7", held: "look" }))
    yield* accepted(gateway, (id) => failed(id, "RCPT026 is queued"))
    assert.strictEqual(yield* stateOf("i1"), "Accepted")
  })

  story("that the document has sent itself proves nothing", function* (gateway) {
    gateway.state.status = (id) => failed(id, "queued: RCPT026")
    const account = gateway.account(settings)
    yield* plan(invoice("i1", { buyer: "Rcpt026 Stores" }))
    yield* drain(account)
    yield* sweep(account)
    assert.strictEqual(yield* stateOf("i1"), "Accepted")
  })

  const withFields = (fields: Readonly<Record<string, unknown>>) => (id: string) =>
    Result.getOrThrow(decodeItem({ RequestId: id, Success: false, Error: "RCPT026: no", ...fields }, defaults))

  for (const [beside, item] of [
    ["a verification code", (id: string) => contradictory(id)],
    ["the name of a PDF", withFields({ FiscalInvoicePdf: "a.pdf" })],
    ["the address of a QR code", withFields({ QrData: { QrCodeUrl: "https://verify.test/A" } })],
    ["another flag of success", withFields({ success: true })],
    ["a flag of success inside an object", withFields({ Data: { Success: true } })],
    ["a flag of success as a text", withFields({ Data: [{ isSuccess: "True" }] })],
    ["a text in place of QR data", withFields({ QrData: "https://verify.test/A" })],
    ["a flag that is true, whatever its name", withFields({ Kompletno: "True" })],
    ["a number under an unknown name", withFields({ Data: { ReceiptGlobalNo: 77 } })],
    ["a state that is not a failure", withFields({ Status: "Fiscalised" })],
    ["an address in the details of its error", withFields({ Details: [{ Message: "https://verify.test/A" }] })],
    ["a value deep in its fields", withFields({ A: [[[{ b: { c: { d: [{ e: "AB12-CD34" }] } } }]]] })]
  ] as const)
    story(`beside ${beside} proves nothing`, function* (gateway) {
      const account = yield* accepted(gateway, item)
      assert.strictEqual(yield* stateOf("i1"), "Accepted")
      yield* TestClock.adjust("1 hour")
      yield* sweep(account)
      assert.strictEqual(yield* stateOf("i1"), "Accepted")
    })

  story("is a rejection in one look beside fields that are empty, or describe the failure", function* (gateway) {
    const account = yield* accepted(
      gateway,
      withFields({
        IsActionable: "true",
        QrData: { DeviceId: 1001, FiscalDay: 7, InvoiceNumber: 0, VerificationCode: "", QrCodeUrl: null },
        FiscalInvoicePdf: "",
        Fiscalised: false,
        Receipts: [],
        Status: "Rejected",
        Timestamp: "2026-01-10T13:00:00Z",
        ErrorCode: 26,
        Details: [{ Code: "RCPT026", Message: "the sum of taxes", Line: 2 }]
      })
    )
    assert.strictEqual(yield* stateOf("i1"), "Rejected")
    assert.strictEqual(yield* correct(gateway, account), 2)
  })

  story("can be corrected if the answer that settles it says so, whatever it was before", function* (gateway) {
    const account = yield* accepted(gateway, withFields({ FiscalInvoicePdf: "a.pdf", IsActionable: false }))
    gateway.state.status = withFields({ IsActionable: true })
    yield* TestClock.adjust("1 hour")
    yield* sweep(account)
    assert.strictEqual(yield* stateOf("i1"), "Rejected")
    assert.strictEqual(yield* correct(gateway, account), 2)
  })

  story("proves nothing if the gateway says the same of an id that no request has", function* (gateway) {
    gateway.state.control = { _tag: "Answered", items: [failed(nobody, "RCPT026: unknown")] }
    yield* accepted(gateway, (id) => failed(id, "RCPT026: unknown"))
    assert.strictEqual(yield* stateOf("i1"), "Accepted")
    yield* deliver(failed("r1", "RCPT026: unknown"))
    assert.strictEqual(yield* stateOf("i1"), "Accepted")
  })

  story("proves nothing if the opening heard the same, and a later control is not answered", function* (gateway) {
    gateway.state.control = { _tag: "Answered", items: [failed(nobody, "Batch RCPT031.")] }
    const account = gateway.account(settings)
    yield* open(account)
    gateway.state.control = { _tag: "NotAnswered" }
    gateway.state.status = (id) => failed(id, "Batch RCPT031.")
    yield* plan(invoice("i1"))
    yield* drain(account)
    yield* sweep(account)
    assert.strictEqual(yield* stateOf("i1"), "Accepted")
  })

  story("proves even if the control is not answered", function* (gateway) {
    gateway.state.control = { _tag: "NotAnswered" }
    yield* accepted(gateway, (id) => rejected(id))
    assert.strictEqual(yield* stateOf("i1"), "Rejected")
  })
})

describe("a failure in a signed delivery", () => {
  story("is a rejection after the quiet period, if a look then says the same", function* (gateway) {
    const account = yield* accepted(gateway, () => pending("r1"))
    yield* deliver(failed("r1", "TaxCode X9 of line 1 is not mapped"))
    assert.strictEqual(yield* stateOf("i1"), "Accepted")
    gateway.state.status = (id) => failed(id, "TaxCode X9 of line 2 is not mapped")
    yield* TestClock.adjust("299 seconds")
    yield* sweep(account)
    assert.strictEqual(yield* stateOf("i1"), "Accepted")
    yield* TestClock.adjust("1 second")
    yield* sweep(account)
    assert.strictEqual(yield* stateOf("i1"), "Rejected")
  })

  story("proves nothing if the look after the quiet period says something else", function* (gateway) {
    const account = yield* accepted(gateway, () => pending("r1"))
    yield* deliver(failed("r1", "TaxCode X9 is not mapped"))
    gateway.state.status = (id) => failed(id, "The till is off")
    yield* TestClock.adjust("10 minutes")
    yield* sweep(account)
    assert.strictEqual(yield* stateOf("i1"), "Accepted")
  })

  story("proves nothing if the delivery also states the request as pending", function* (gateway) {
    const account = yield* accepted(gateway, () => pending("r1"))
    yield* deliver(failed("r1", "TaxCode X9 is not mapped"), pending("r1"))
    gateway.state.status = (id) => failed(id, "TaxCode X9 is not mapped")
    yield* TestClock.adjust("10 minutes")
    yield* sweep(account)
    assert.strictEqual(yield* stateOf("i1"), "Accepted")
  })

  story("is a rejection by its code once the lost answer of its request arrives", function* (gateway) {
    yield* deliver(rejected("r1"))
    yield* plan(invoice("i1"))
    yield* drain(gateway.account(settings))
    assert.strictEqual(yield* stateOf("i1"), "Rejected")
  })
})

describe("time settles a failure in /status", () => {
  story("after 20 hours in which it was the only answer, and a later document has its receipt", function* (gateway) {
    const account = yield* accepted(gateway, (id) => failed(id, "TaxCode X9 is not mapped"))
    yield* laterReceipt(account)
    yield* hours(19, account)
    assert.strictEqual(yield* stateOf("i1"), "Accepted")
    yield* hours(1, account)
    assert.strictEqual(yield* stateOf("i1"), "Rejected")
    assert.strictEqual(yield* correct(gateway, account), 2)
  })

  story("not without the receipt of a later document", function* (gateway) {
    const account = yield* accepted(gateway, (id) => failed(id, "TaxCode X9 is not mapped"))
    yield* hours(30, account)
    assert.strictEqual(yield* stateOf("i1"), "Accepted")
    yield* laterReceipt(account)
    yield* hours(1, account)
    assert.strictEqual(yield* stateOf("i1"), "Rejected")
  })

  story("although a credit note on the document is next: after the quiet period it is held", function* (gateway) {
    const account = yield* accepted(gateway, (id) => failed(id, "printing failed"))
    yield* plan(creditNote("c2", { credits: "i1", late: "restamp" }), invoice("i3"))
    yield* drain(account)
    assert.deepStrictEqual(yield* states, ["i1 Accepted", "c2 Planned", "i3 Planned"])
    yield* TestClock.adjust("6 minutes")
    yield* drain(account)
    assert.deepStrictEqual(yield* states, ["i1 Accepted", "c2 Held", "i3 Accepted"])
    const text = "its original N-i1 is not known to be fiscalised"
    assert.deepStrictEqual((yield* get("c2")).hold, { cause: "original", text })
    yield* hours(26, account)
    assert.deepStrictEqual(yield* states, ["i1 Rejected", "c2 Held", "i3 Fiscalised"])
  })

  story("not within 4 hours after the device is on again", function* (gateway) {
    const account = yield* accepted(gateway, (id) => failed(id, "TaxCode X9 is not mapped"))
    yield* laterReceipt(account)
    yield* hours(18, account)
    gateway.state.device = { isSwitchedOn: false }
    yield* hours(1, account)
    gateway.state.device = {}
    yield* hours(4, account)
    assert.strictEqual(yield* stateOf("i1"), "Accepted")
    yield* hours(1, account)
    assert.strictEqual(yield* stateOf("i1"), "Rejected")
  })

  story("not by hours in which the device was off", function* (gateway) {
    const account = yield* accepted(gateway, (id) => failed(id, "TaxCode X9 is not mapped"))
    yield* laterReceipt(account)
    yield* hours(10, account)
    gateway.state.device = { isSwitchedOn: false }
    yield* hours(10, account)
    gateway.state.device = {}
    yield* hours(10, account)
    assert.strictEqual(yield* stateOf("i1"), "Accepted")
    yield* hours(1, account)
    assert.strictEqual(yield* stateOf("i1"), "Rejected")
  })

  for (const [name, between] of [
    ["another text", (id: string) => failed(id, "The till is off")],
    ["pending", pending],
    ["no answer for the request", () => null]
  ] as const) {
    story(`from the start again after ${name}`, function* (gateway) {
      const same = (id: string) => failed(id, "TaxCode X9 is not mapped")
      const account = yield* accepted(gateway, same)
      yield* laterReceipt(account)
      yield* hours(15, account)
      gateway.state.status = between
      yield* hours(1, account)
      gateway.state.status = same
      yield* hours(20, account)
      assert.strictEqual(yield* stateOf("i1"), "Accepted")
      yield* hours(1, account)
      assert.strictEqual(yield* stateOf("i1"), "Rejected")
    })
  }

  story("not by looks whose control is not answered", function* (gateway) {
    gateway.state.control = { _tag: "NotAnswered" }
    const account = yield* accepted(gateway, (id) => failed(id, "TaxCode X9 is not mapped"))
    yield* laterReceipt(account)
    yield* hours(30, account)
    assert.strictEqual(yield* stateOf("i1"), "Accepted")
  })

  story("never, and the document expires, if the gateway says the same of an unknown id", function* (gateway) {
    gateway.state.control = { _tag: "Answered", items: [failed(nobody, `Request ${nobody} not found`)] }
    const account = yield* accepted(gateway, (id) => failed(id, `Request ${id} not found`))
    yield* laterReceipt(account)
    yield* hours(7 * 24 - 1, account)
    assert.strictEqual(yield* stateOf("i1"), "Accepted")
    yield* hours(2, account)
    assert.strictEqual(yield* stateOf("i1"), "Expired")
  })

  story("for a nightly job that looks three times each night", function* (gateway) {
    const account = yield* accepted(gateway, (id) => failed(id, "TaxCode X9 is not mapped"))
    yield* TestClock.adjust("1 minute")
    yield* sweep(account)
    yield* TestClock.adjust("24 hours")
    yield* laterReceipt(account)
    yield* TestClock.adjust("1 hour")
    yield* sweep(account)
    assert.strictEqual(yield* stateOf("i1"), "Rejected")
  })

  for (const [stat9, state] of [
    ["any", "Rejected"],
    ["never", "Accepted"],
    ["1 hour", "Accepted"],
    ["no such request", "Accepted"]
  ] as const) {
    story(`as STAT-9 of the account says: after the first look, "${stat9}" leaves it ${state}`, function* (gateway) {
      gateway.state.status = (id) => failed(id, "TaxCode X9 is not mapped")
      const account = gateway.account({ ...settings, assumptions: { "STAT-9": stat9 } })
      yield* plan(invoice("i1"))
      yield* drain(account)
      yield* sweep(account)
      assert.strictEqual(yield* stateOf("i1"), state)
    })
  }

  for (const [stat9, state] of [
    ["6 hours", "Rejected"],
    ["never", "Accepted"],
    ["usual", "Accepted"]
  ] as const) {
    story(`as STAT-9 of the account says: after 10 hours, "${stat9}" leaves it ${state}`, function* (gateway) {
      gateway.state.status = (id) => (id === "r1" ? failed(id, "TaxCode X9 is not mapped") : fiscalised(id))
      const account = gateway.account({ ...settings, assumptions: { "STAT-9": stat9 } })
      yield* plan(invoice("i1"))
      yield* drain(account)
      yield* sweep(account)
      yield* laterReceipt(account)
      yield* hours(10, account)
      assert.strictEqual(yield* stateOf("i1"), state)
    })
  }
})

describe("a failure while the account cannot send", () => {
  const ask = (account: ReturnType<ScriptedGateway["account"]>) => StatusPoller.askOnceMore([key("i1")], [account])

  story("is settled by an operator only one quiet period after the account can send again", function* (gateway) {
    gateway.state.device = {}
    const account = yield* accepted(gateway, (id) => failed(id, "DEV01: off"))
    gateway.state.device = { isSwitchedOn: false }
    yield* hours(2, account)
    yield* ask(account)
    const off = yield* reject
    assert(off._tag === "Refused")
    assert.match(off.text, /once it can.*one quiet period after the account can send again$/)
    assert.isUndefined(off.from, "nobody knows when the account can send again")
    const offered = PermittedDecision.of(yield* explain("i1")).map(({ decision }) => decision)
    assert.deepStrictEqual(offered, ["Fiscalised"])
    gateway.state.device = {}
    yield* hours(1, account)
    const until = DateTime.addDuration(yield* DateTime.now, "5 minutes")
    const { failures, quietUntil } = yield* explain("i1")
    assert.isTrue(DateTime.Equivalence(failures[0]!.personFrom!, until))
    assert.isTrue(DateTime.Equivalence(quietUntil!, until))
    yield* TestClock.adjust("299 seconds")
    yield* ask(account)
    assert.strictEqual((yield* reject)._tag, "Refused")
    yield* TestClock.adjust("1 second")
    assert.strictEqual((yield* reject)._tag, "Resolved")
  })

  story("holds the next document back, also if an id that no request has gets the same failure", function* (gateway) {
    gateway.state.control = { _tag: "Answered", items: [failed(nobody, "Pending")] }
    const account = yield* accepted(gateway, (id) => failed(id, "Pending"))
    gateway.state.device = { isSwitchedOn: false }
    yield* plan(invoice("i2"))
    yield* TestClock.adjust("1 minute")
    yield* sweep(account)
    yield* drain(account)
    assert.deepStrictEqual(yield* states, ["i1 Accepted", "i2 Planned"])
  })

  story("holds the next document back, also if the device could not be read just before", function* (gateway) {
    gateway.state.control = { _tag: "Answered", items: [failed(nobody, "Pending")] }
    const account = yield* accepted(gateway, (id) => failed(id, "Pending"))
    yield* plan(invoice("i2"))
    yield* TestClock.adjust("1 minute")
    const reason = new Unavailable({ status: 503, text: "answered 503" })
    const fiscalDevice = Effect.fail(new GatewayError({ operation: "Get Fiscal Device", reason }))
    yield* sweep({ ...account, gateway: { ...gateway.gateway, fiscalDevice } })
    gateway.state.device = { isSwitchedOn: false }
    yield* TestClock.adjust("1 minute")
    yield* sweep(account)
    yield* drain(account)
    assert.deepStrictEqual(yield* states, ["i1 Accepted", "i2 Planned"])
  })

  story("is settled by a delivery only one quiet period after the account can send again", function* (gateway) {
    const account = yield* accepted(gateway, (id) => failed(id, "DEV01: off"))
    gateway.state.device = { isSwitchedOn: false }
    yield* sweep(account)
    yield* deliver(failed("r1", "DEV01: off"))
    yield* hours(1, account)
    assert.strictEqual(yield* stateOf("i1"), "Accepted")
    gateway.state.device = {}
    yield* hours(1, account)
    assert.strictEqual(yield* stateOf("i1"), "Accepted")
    yield* hours(1, account)
    assert.strictEqual(yield* stateOf("i1"), "Rejected")
  })

  story("is settled by time only 20 hours after the account can send again", function* (gateway) {
    gateway.state.status = (id) => (id === "r1" ? failed(id, "DEV01: off") : fiscalised(id))
    const account = gateway.account(settings)
    yield* plan(invoice("i1"))
    yield* drain(account)
    gateway.state.device = { isSwitchedOn: false }
    yield* sweep(account)
    yield* hours(30, account)
    gateway.state.device = {}
    yield* hours(1, account)
    yield* laterReceipt(account)
    yield* hours(19, account)
    assert.strictEqual(yield* stateOf("i1"), "Accepted")
    yield* hours(1, account)
    assert.strictEqual(yield* stateOf("i1"), "Rejected")
  })
})

describe("the control", () => {
  story("is asked once in a sweep, and only if a look finds a failure", function* (gateway) {
    const account = gateway.account(settings)
    yield* plan(...Array.from({ length: 150 }, (_, n) => invoice(`i${n + 1}`)))
    gateway.state.status = (id) => (Number(id.slice(1)) > 5 ? failed(id, "Pending") : fiscalised(id))
    yield* drain(account)
    const before = gateway.state.controls
    const { calls } = yield* sweep(account)
    assert.deepStrictEqual([calls, gateway.state.controls - before], [2, 1])
  })
})

describe("an operator who looked in the portal", () => {
  story("settles a failure after the quiet period by an answer that was just read", function* (gateway) {
    const account = yield* accepted(gateway, (id) => failed(id, "TaxCode X9 is not mapped"))
    assert.strictEqual((yield* reject)._tag, "Refused")
    yield* TestClock.adjust("10 minutes")
    const stale = yield* reject
    assert.include(stale._tag === "Refused" ? stale.text : "", "ask the gateway once more")
    yield* SubmissionStore.use((store) => store.hastenPolls("shop", [RequestId.make("r1")]))
    yield* sweep(account)
    assert.strictEqual((yield* reject)._tag, "Resolved")
    const { evidence, submission } = yield* explain("i1")
    assert.strictEqual(submission.state, "Rejected")
    assert.strictEqual(submission.rejection?.error, "TaxCode X9 is not mapped")
    assert.strictEqual(evidence.length, 1)
    assert.strictEqual(yield* correct(gateway, account), 2)
  })

  story("records at once that the document has a receipt, and no correction is sent", function* (gateway) {
    const account = yield* accepted(gateway, (id) => failed(id, "The till is off"))
    const permitted = PermittedDecision.of(yield* explain("i1")).map(({ decision }) => decision)
    assert.strictEqual(permitted[0], "Fiscalised", "the first decision is the one that sends nothing")
    const proof = { verificationCode: "V-1" }
    const said = yield* SubmissionStore.use((store) =>
      store.decide(key("i1"), { _tag: "Fiscalised", proof }, "the portal has it")
    )
    assert.deepStrictEqual(said, { _tag: "Resolved", from: "Accepted", to: "Fiscalised" })
    assert.strictEqual(yield* correct(gateway, account), 1)
  })

  story("cannot call a document fiscalised that is only pending", function* (gateway) {
    yield* accepted(gateway, () => null)
    const said = yield* SubmissionStore.use((store) =>
      store.decide(key("i1"), { _tag: "Fiscalised", proof: { verificationCode: "V-1" } }, "the portal has it")
    )
    assert.strictEqual(said._tag, "Refused")
  })

  story(
    "settles nothing for which the gateway says the same as for an unknown id, or says nothing",
    function* (gateway) {
      const account = yield* accepted(gateway, (id) => failed(id, "Pending"))
      yield* hours(1, account)
      gateway.state.control = { _tag: "Answered", items: [failed(nobody, "Pending")] }
      yield* TestClock.adjust("1 second")
      yield* SubmissionStore.use((store) => store.hastenPolls("shop", [RequestId.make("r1")]))
      yield* sweep(account)
      const same = yield* reject
      assert.include(same._tag === "Refused" ? same.text : "", "the same of an id that no request has")
      gateway.state.control = { _tag: "LeftOut" }
      gateway.state.status = () => null
      yield* hours(1, account)
      assert.strictEqual((yield* reject)._tag, "Refused")
      assert.strictEqual(yield* stateOf("i1"), "Accepted")
    }
  )
})

describe("a coded failure beside a pending item, in every answer", () => {
  const both = (id: string) => [pending(id), rejected(id)] as unknown as StatusItem

  story("is settled by an operator after the quiet period, and by nothing else", function* (gateway) {
    const account = yield* accepted(gateway, both)
    assert.strictEqual((yield* reject)._tag, "Refused")
    yield* laterReceipt(account)
    yield* hours(30, account)
    assert.strictEqual(yield* stateOf("i1"), "Accepted")
    const [failure] = (yield* explain("i1")).failures
    assert.deepStrictEqual([failure!.timeFrom, failure!.personFrom === null], [null, false])
    yield* TestClock.adjust("2 minutes")
    const stale = yield* reject
    assert.include(stale._tag === "Refused" ? stale.text : "", "ask the gateway once more")
    yield* SubmissionStore.use((store) => store.hastenPolls("shop", [RequestId.make("r1")]))
    yield* sweep(account)
    assert.strictEqual((yield* reject)._tag, "Resolved")
    assert.strictEqual(yield* stateOf("i1"), "Rejected")
  })

  story("is not settled while the answer has another failure, too", function* (gateway) {
    const account = yield* accepted(gateway, (id) => [both(id), failed(id, "Printing")].flat() as unknown as StatusItem)
    yield* hours(1, account)
    assert.strictEqual((yield* reject)._tag, "Refused")
    assert.strictEqual(yield* stateOf("i1"), "Accepted")
  })
})

describe("an import whose only open documents", () => {
  const say = (id: string) => failed(id, "Pending")
  const ordered = { assumptions: { "ORD-1": "outcome" } } as const
  for (const [name, answer, count, particulars, minutes] of [
    ["are unproven", say, 1, {}, 1],
    ["are unproven, or wait in order behind an unproven one,", say, 3, ordered, 1],
    ["are pending", pending, 1, {}, 3],
    ["wait in order behind a pending one", pending, 3, ordered, 3]
  ] as const) {
    story(`${name} waits ${minutes} minutes at most`, function* (gateway) {
      gateway.state.status = answer
      yield* plan(...Array.from({ length: count }, (_, n) => invoice(`i${n + 1}`)))
      const before = yield* Clock.currentTimeMillis
      const fiber = yield* Effect.forkChild(runAccounts([gateway.account(particulars)]))
      const settlement = yield* passing(fiber)
      assert.strictEqual(settlement.open, count)
      const waited = gateway.state.lastAskedAt - before
      assert.isAtMost(waited, minutes * 60_000)
      assert.isAbove(waited, minutes === 1 ? 30_000 : 60_000)
    })
  }

  story("are unproven, in a lane that their failures have stopped, waits one minute at most", function* (gateway) {
    gateway.state.status = say
    const account = gateway.account({ longestPause: "10 seconds" })
    const many = (from: number) => Array.from({ length: 10 }, (_, n) => invoice(`i${from + n}`))
    yield* plan(...many(1))
    yield* passing(yield* Effect.forkChild(runAccounts([account])))
    yield* TestClock.adjust("10 minutes")
    yield* plan(...many(11))
    const before = yield* Clock.currentTimeMillis
    const { lanes } = yield* passing(yield* Effect.forkChild(runAccounts([account])))
    assert.deepInclude(lanes[0]!.end, { _tag: "Stopped" })
    assert.isAtMost((yield* Clock.currentTimeMillis) - before, 61_000)
  })
})

describe("attention", () => {
  const itemsOf = (of: typeof Attention.pending) =>
    SubmissionStore.use((store) =>
      Effect.map(store.health(Duration.days(7)), (health) =>
        of(health).filter(({ code }) => code === "ANSWER_UNPROVEN")
      )
    )
  const items = itemsOf(Attention.of)

  story(
    "has no item for a failure that is waited for, and one for its text when a correction waits",
    function* (gateway) {
      gateway.state.status = (id) => failed(id, `TaxCode X${id} is not mapped`)
      const account = gateway.account(settings)
      yield* plan(invoice("i1"), invoice("i2"))
      yield* drain(account)
      yield* sweep(account)
      assert.deepStrictEqual(yield* items, [])
      const waiting = yield* itemsOf(Attention.pending)
      assert.deepStrictEqual(
        waiting.map(({ documents, text }) => [documents, text]),
        [
          [
            2,
            'the gateway says "TaxCode Xr1 is not mapped" of 2 documents (N-i1, N-i2), which may still become receipts'
          ]
        ]
      )
      const [conflict] = yield* plan(invoice("i1", { total: "2.00" }))
      assert.deepStrictEqual(yield* itemsOf(Attention.pending), [])
      assert.strictEqual(conflict!.verdict._tag, "Conflict")
      assert.match(
        conflict!.verdict._tag === "Conflict" ? conflict!.verdict.text : "",
        /it is Accepted, and the gateway says: TaxCode Xr1 is not mapped \(.* can settle it from .*, and the export now states/
      )
      const [item, ...others] = yield* items
      assert.lengthOf(others, 0)
      assert.deepInclude(item, { documents: 2, cause: null })
      assert.include(item!.text, '"TaxCode Xr1 is not mapped" of 2 documents')
      assert.notInclude(item!.plain, "TaxCode", "alerts do not quote the gateway")
      assert.deepInclude(item!.actions.at(-1)!.step, { do: "resolve", as: "rejected" })
    }
  )

  story(
    "has one item for a code of the device from when an operator can decide, which asks for receipts first",
    function* (gateway) {
      const texts = ["DEV01: off", "the till says (DEV01)", "DEV01 again"]
      gateway.state.status = (id) => failed(id, texts[Number(id.slice(1)) - 1]!)
      const account = gateway.account(settings)
      yield* plan(invoice("i1"), invoice("i2"), invoice("i3"))
      yield* drain(account)
      yield* sweep(account)
      assert.deepStrictEqual(yield* items, [])
      yield* TestClock.adjust("299 seconds")
      assert.deepStrictEqual(yield* items, [])
      yield* TestClock.adjust("1 second")
      const [item, ...others] = yield* items
      assert.lengthOf(others, 0)
      assert.deepInclude(item, { documents: 3, cause: "DEV01", plain: "ANSWER_UNPROVEN (DEV01): 3 of account shop" })
      assert.include(item!.text, "; no later document has its receipt yet")
      const of = { state: "Accepted", cause: "DEV01" } as const
      assert.deepStrictEqual(
        item!.actions.map(({ step }) => step),
        [
          { do: "resume" },
          ...texts.flatMap(() => [{ do: "explain" }, { do: "resolve", as: "fiscalised" }] as const),
          { do: "resolve", as: "resend", of },
          { do: "resolve", as: "rejected", of }
        ]
      )
      for (const decision of ["Resend", "Rejected"] as const) {
        assert.lengthOf((yield* BulkDecision.select(of, decision)).documents, 3)
      }
      gateway.state.status = (id) => failed(id, "DEV01: off", "final")
      yield* hours(1, account)
      const [last] = yield* items
      const steps = last!.actions.map(({ step }) => step)
      assert.isFalse(
        steps.some((step) => step.do === "resolve" && step.as === "resend"),
        "a final failure is not sent"
      )
    }
  )

  story("has the item when the 20 hours are over", function* (gateway) {
    const account = yield* accepted(gateway, (id) => failed(id, "TaxCode X9 is not mapped"))
    yield* hours(19, account)
    assert.deepStrictEqual(yield* items, [])
    yield* hours(1, account)
    assert.lengthOf(yield* items, 1)
  })

  story("names how to list the others where more than five documents have one text", function* (gateway) {
    gateway.state.status = (id) => failed(id, "The till is off")
    const account = gateway.account(settings)
    const ids = ["i1", "i2", "i3", "i4", "i5", "i6"]
    yield* plan(...ids.map((id) => invoice(id)))
    yield* drain(account)
    yield* sweep(account)
    yield* hours(20, account)
    const stepsOf = (all: ReadonlyArray<Attention.AttentionItem>) =>
      all.flatMap(({ actions }) => actions.map(({ account, step }) => ({ account, step })))
    const listed = { account: "shop", step: { do: "list", state: "Accepted" } } as const
    const six = stepsOf(yield* items)
    assert.deepInclude(six, listed)
    assert.lengthOf(
      six.filter(({ step }) => step.do === "resolve" && step.as === "fiscalised"),
      5
    )
    gateway.state.status = (id) => failed(id, id === "r6" ? "The paper is out" : "The till is off")
    yield* hours(2, account)
    const five = stepsOf(yield* items)
    assert.notDeepInclude(five, listed)
    assert.lengthOf(
      five.filter(({ step }) => step.do === "resolve" && step.as === "fiscalised"),
      5
    )
  })

  story("offers no decision by text if a document with the same text had a receipt", function* (gateway) {
    const account = yield* accepted(gateway, (id) => failed(id, "The till is off"))
    gateway.state.status = (id) => failed(id, "The till is off")
    yield* plan(invoice("i2"))
    yield* drain(account)
    yield* sweep(account)
    gateway.state.status = (id) => (id === "r2" ? fiscalised(id) : failed(id, "The till is off"))
    yield* hours(1, account)
    yield* plan(invoice("i1", { total: "2.00" }))
    const [item] = yield* items
    assert.deepStrictEqual(
      item!.actions.map(({ step }) => step),
      [{ do: "resume" }, { do: "explain" }, { do: "resolve", as: "fiscalised" }]
    )
    const selected = yield* BulkDecision.select({ text: "The till is off" }, "Rejected")
    assert.lengthOf(selected.documents, 0)
  })
})

describe("planning an export", () => {
  story("asks once for its own unproven documents, so that a settled one is corrected at once", function* (gateway) {
    gateway.state.mappings = { taxes: [], currencies: [] }
    gateway.state.status = (id) => failed(id, "TaxCode X9 is not mapped")
    const account = gateway.account(settings)
    yield* plan(invoice("i1"), invoice("i2"))
    yield* drain(account)
    yield* sweep(account)
    gateway.state.status = (id) => rejected(id)
    const opened = yield* Session.open(account)
    assert.deepStrictEqual(yield* states, ["i1 Accepted", "i2 Accepted"], "opening asks for no document")
    const readings = Stream.make(exported("i2", "2026-01-10"), exported("i3", "2026-01-10"))
    const order = { readings, book: bookWith() }
    const asked = gateway.asked.length
    yield* Effect.scoped(Session.plan(opened, order)).pipe(Effect.provide(SqliteStaging.layerMemory))
    assert.deepStrictEqual(gateway.asked.slice(asked), [["r2"]])
    assert.deepStrictEqual(yield* states, ["i1 Accepted", "i2 Rejected"])
  })
})

describe("a decision by text", () => {
  story("asks for each document once more and settles those that still say the same", function* (gateway) {
    gateway.state.status = (id) => failed(id, `TaxCode X${id} is not mapped`)
    const account = gateway.account(settings)
    yield* plan(invoice("i1"), invoice("i2"), invoice("i3"))
    yield* drain(account)
    yield* sweep(account)
    yield* TestClock.adjust("10 minutes")
    const { documents } = yield* BulkDecision.select({ text: "TaxCode X17 is not mapped" }, "Rejected")
    assert.lengthOf(documents, 3)
    gateway.state.status = (id) =>
      id === "r2" ? fiscalised(id) : id === "r3" ? pending(id) : failed(id, `TaxCode X${id} is not mapped`)
    assert.deepStrictEqual(yield* StatusPoller.askOnceMore(documents, [account]), [])
    const rejection = { error: "as the gateway says", nature: "correctable" } as const
    const decided = yield* BulkDecision.decideAll(documents, { _tag: "Rejected", rejection }, "not in the portal")
    assert.deepStrictEqual(
      decided.map(({ resolution }) => resolution._tag),
      ["Resolved", "Refused", "Refused"]
    )
    assert.deepStrictEqual(yield* states, ["i1 Rejected", "i2 Fiscalised", "i3 Accepted"])
  })
})

describe("a settled failure", () => {
  story("is asked for again for 20 hours, and a success after all is a conflict", function* (gateway) {
    const account = yield* accepted(gateway, (id) => rejected(id))
    yield* TestClock.adjust("1 hour")
    gateway.state.status = (id) => fiscalised(id)
    yield* sweep(account)
    assert.strictEqual(yield* stateOf("i1"), "Fiscalised")
    assert.deepInclude(
      (yield* explain("i1")).conflicts.map(({ code }) => code),
      "OUTCOME_CONFLICT"
    )
  })

  story("is no longer asked for after 20 hours", function* (gateway) {
    const account = yield* accepted(gateway, (id) => rejected(id))
    yield* hours(21, account)
    const asked = gateway.asked.length
    yield* hours(3, account)
    assert.strictEqual(gateway.asked.length, asked)
  })
})

describe("a corrected document", () => {
  story("is held if the gateway now says something else of the earlier request, or nothing", function* (gateway) {
    for (const [id, now] of [
      ["i1", () => null],
      ["i2", (request: string) => failed(request, "The till is off")]
    ] as const) {
      const account = gateway.account(settings)
      gateway.state.status = (request) => rejected(request)
      yield* plan(invoice(id))
      yield* drain(account)
      yield* sweep(account)
      assert.strictEqual(yield* stateOf(id), "Rejected")
      gateway.state.status = now
      yield* plan(invoice(id, { total: "2.00" }))
      yield* drain(account)
      assert.strictEqual(yield* stateOf(id), "Held")
    }
    assert.lengthOf(gateway.submitted, 2)
  })
})
