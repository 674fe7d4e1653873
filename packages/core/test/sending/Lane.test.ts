import { assert, describe } from "@effect/vitest"
import { Effect, Fiber, Option } from "effect"
import { TestClock } from "effect/testing"
import * as CivilDate from "../../src/document/CivilDate.ts"
import { DocumentNumber, InvoiceId } from "../../src/document/Identifiers.ts"
import * as Money from "../../src/document/Money.ts"
import * as Instant from "../../src/document/Instant.ts"
import { unmarked } from "../../src/submission/ledger/NewestAttempt.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { creditNote, invoice } from "../submission/PlannedDocuments.ts"
import { at, drain, ended, explain, get, key, open, plan, stateOf, states, sweep } from "./Engine.ts"
import { answers, fiscalised, make, rejected, type ScriptedGateway } from "./ScriptedGateway.ts"
import { story } from "./Story.ts"

const sent = (gateway: ScriptedGateway) => gateway.submitted.map(({ id }) => id)
const day = (text: string) => Option.getOrThrow(CivilDate.parse(text))
const instant = (text: string) => Option.getOrThrow(Instant.parse(text))

describe("the order of a lane", () => {
  story("follows the receipt dates, whatever order the documents were planned in", function* (gateway) {
    yield* plan(invoice("i3"), invoice("i1"))
    yield* plan(invoice("i2"))
    assert.deepStrictEqual(yield* ended(gateway.account()), { _tag: "Drained" })
    assert.deepStrictEqual(sent(gateway), ["i1", "i2", "i3"])
  })

  story("is preserved during an unknown outcome: nothing is sent until the outcome is known", function* (gateway) {
    gateway.answer("i2", answers.unknown)
    yield* plan(invoice("i1"), invoice("i2"), invoice("i3"))
    assert.deepStrictEqual(yield* ended(gateway.account()), {
      _tag: "Waiting",
      wait: { for: "unknown", key: key("i2") }
    })
    yield* drain(gateway.account())
    assert.deepStrictEqual(sent(gateway), ["i1", "i2"])
    const store = yield* SubmissionStore
    yield* TestClock.adjust("5 minutes")
    yield* store.decide(key("i2"), { _tag: "Rejected", rejection: { error: "not there", nature: "final" } }, "asked")
    yield* drain(gateway.account())
    assert.deepStrictEqual(sent(gateway), ["i1", "i2", "i3"])
  })

  story("is not blocked by a declined document, which is late after a later document was sent", function* (gateway) {
    gateway.answer("i1", answers.declined)
    yield* plan(invoice("i1"), invoice("i2"))
    yield* drain(gateway.account())
    assert.deepStrictEqual(yield* states, ["i1 Declined", "i2 Accepted"])
    yield* plan(invoice("i1", { total: "2.00" }))
    yield* drain(gateway.account())
    const { hold, state } = yield* get("i1")
    assert.deepStrictEqual([state, hold?.cause], ["Held", "late"])
    assert.include(hold!.text, "2026-01-10T12:00:01+02:00 is not after 2026-01-10T12:00:02+02:00")
  })

  story("waits for the outcome of each document if the account chooses so (ORD-1)", function* (gateway) {
    const account = gateway.account({ assumptions: { "ORD-1": "outcome" }, firstLook: 0 })
    yield* plan(invoice("i1"), invoice("i2"))
    assert.deepStrictEqual(yield* ended(account), { _tag: "Waiting", wait: { for: "outcome", key: key("i1") } })
    yield* sweep(account)
    yield* drain(account)
    assert.deepStrictEqual(sent(gateway), ["i1", "i2"])
  })

  for (const [name, continueAfter, accounts] of [
    ["continues after acceptance", "accepted", ["shop"]],
    ["waits for each outcome", "outcome", ["shop"]],
    ["is shared by several accounts", "accepted", ["shop", "till"]]
  ] as const) {
    story(`is preserved during an unknown outcome if the lane ${name}`, function* (gateway) {
      const own = accounts.map((account) => gateway.account({ account, assumptions: { "ORD-1": continueAfter } }))
      gateway.answer("i1", answers.unknown)
      yield* plan(invoice("i1"), ...accounts.map((account) => invoice("i2", { account, number: account })))
      for (let turn = 0; turn < 2; turn++) {
        const end = yield* ended(...own)
        assert.deepStrictEqual(end, { _tag: "Waiting", wait: { for: "unknown", key: key("i1") } })
      }
      assert.deepStrictEqual(sent(gateway), ["i1"])
    })
  }

  story("waits for the outcome of each document when several accounts share the device", function* (gateway) {
    const shop = gateway.account({ firstLook: 0 })
    const till = gateway.account({ account: "till", firstLook: 0 })
    yield* plan(invoice("i1"), invoice("i2", { account: "till" }), invoice("i3"))
    yield* drain(shop, till)
    assert.deepStrictEqual(sent(gateway), ["i1"])
    yield* sweep(shop, till)
    yield* drain(shop, till)
    assert.deepStrictEqual(sent(gateway), ["i1", "i2"])
  })

  story("stops at a document of an account or environment that is not part of the run", function* (gateway) {
    yield* plan(invoice("i1"), invoice("i2", { environment: "live" }))
    assert.deepStrictEqual(yield* ended(gateway.account()), {
      _tag: "Waiting",
      wait: { for: "account", key: key("i2"), number: DocumentNumber.make("N-i2"), environment: "live" }
    })
    assert.deepStrictEqual(sent(gateway), ["i1"])
  })
})

describe("a credit note", () => {
  story("blocks the lane until its original is fiscalised", function* (gateway) {
    const account = gateway.account({ firstLook: 0 })
    yield* plan(invoice("i1"), creditNote("c2", { credits: "i1" }), invoice("i3"))
    const end = yield* ended(account)
    assert.deepStrictEqual(end, { _tag: "Waiting", wait: { for: "original", key: key("c2"), original: key("i1") } })
    yield* sweep(account)
    yield* drain(account)
    assert.deepStrictEqual(sent(gateway), ["i1", "c2", "i3"])
  })

  /** The original i1 is declined, c2 credits i1, and i3 follows both. */
  const declinedOriginal = (gateway: ScriptedGateway) =>
    Effect.gen(function* () {
      const account = gateway.account({ firstLook: 0 })
      gateway.answer("i1", answers.declined)
      yield* plan(invoice("i1"), creditNote("c2", { credits: "i1", late: "restamp" }), invoice("i3"))
      yield* drain(account)
      return account
    })

  story("is held without blocking the lane if its original is declined", function* (gateway) {
    yield* declinedOriginal(gateway)
    assert.deepStrictEqual(yield* states, ["i1 Declined", "c2 Held", "i3 Accepted"])
    assert.deepStrictEqual((yield* get("c2")).hold, { cause: "original", text: "its original N-i1 is Declined" })
  })

  story("held for its original is sent after the original is fiscalised", function* (gateway) {
    const account = yield* declinedOriginal(gateway)
    yield* plan(invoice("i1", { total: "120.00", late: "restamp" }))
    yield* drain(account)
    yield* sweep(account)
    assert.strictEqual(yield* stateOf("c2"), "Planned")
    yield* TestClock.adjust("2 seconds")
    yield* drain(account)
    assert.deepStrictEqual(sent(gateway), ["i1", "i3", "i1", "c2"])
  })

  story(
    "that is sent again is held if another note has taken the rest of its original, until an operator sends it",
    function* (gateway) {
      const account = gateway.account({ firstLook: 0 })
      const resend = SubmissionStore.use((store) =>
        store.decide({ account: "shop", kind: "credit-note", id: "c2" }, { _tag: "Resend" }, "the goods came back")
      )
      gateway.answer("c2", answers.declined)
      yield* plan(invoice("i1"), creditNote("c2", { credits: "i1", total: "100.00", late: "restamp" }))
      yield* drain(account)
      yield* sweep(account)
      yield* drain(account)
      yield* plan(creditNote("c3", { credits: "i1", total: "40.00", late: "restamp" }))
      yield* drain(account)
      yield* sweep(account)
      yield* resend
      yield* TestClock.adjust("2 seconds")
      yield* drain(account)
      assert.deepStrictEqual(yield* states, ["i1 Fiscalised", "c2 Held", "c3 Fiscalised"])
      const text = "other credit notes have taken 40.00 of the 115.00 of its original since"
      assert.deepStrictEqual((yield* get("c2")).hold, { cause: "credited", text })
      yield* resend
      yield* drain(account)
      assert.deepStrictEqual(sent(gateway), ["i1", "c2", "c3", "c2"])
    }
  )

  story("is held if a parallel import has planned a note for the rest of the original", function* (gateway) {
    const account = gateway.account({ firstLook: 0 })
    yield* plan(invoice("i1"))
    yield* drain(account)
    yield* sweep(account)
    yield* plan(creditNote("c2", { credits: "i1", total: "100.00" }))
    yield* plan(creditNote("c3", { credits: "i1", total: "40.00" }))
    yield* drain(account)
    yield* sweep(account)
    assert.deepStrictEqual(yield* states, ["i1 Fiscalised", "c2 Fiscalised", "c3 Held"])
    const text = "other credit notes have taken 100.00 of the 115.00 of its original since"
    assert.deepStrictEqual((yield* get("c3")).hold, { cause: "credited", text })
  })

  story("is held if another note may have taken the rest, even if that note is held now", function* (gateway) {
    const resending = { firstLook: 0, unknown: "resend-flagged", assumptions: { "DOC-10": "deduplicates" } } as const
    gateway.answer("c2", answers.unknown)
    yield* plan(invoice("i1"), creditNote("c2", { credits: "i1", total: "100.00" }))
    yield* drain(gateway.account(resending))
    yield* sweep(gateway.account(resending))
    yield* drain(gateway.account(resending))
    yield* TestClock.adjust("10 minutes")
    const later = gateway.account({ ...resending, notBefore: day("2026-01-11") })
    yield* drain(later)
    assert.deepStrictEqual(yield* states, ["i1 Fiscalised", "c2 Held"])
    yield* plan(creditNote("c3", { credits: "i1", total: "40.00", sourceDate: "2026-01-11", late: "restamp" }))
    yield* drain(later)
    assert.deepStrictEqual(sent(gateway), ["i1", "c2"])
    const text = "other credit notes have taken 100.00 of the 115.00 of its original since"
    assert.deepStrictEqual((yield* get("c3")).hold, { cause: "credited", text })
  })

  story("is sent if a held note has not taken the rest, because its request was rejected", function* (gateway) {
    const account = gateway.account({ firstLook: 0 })
    gateway.state.status = (id) => (id === "r2" ? rejected(id) : fiscalised(id))
    yield* plan(invoice("i1"), creditNote("c2", { credits: "i1", total: "100.00" }))
    for (let n = 0; n < 2; n++) {
      yield* drain(account)
      yield* sweep(account)
    }
    const c2 = { account: "shop", kind: "credit-note", id: "c2" } as const
    yield* SubmissionStore.use((store) => store.decide(c2, { _tag: "Resend" }, "the goods came back"))
    const later = gateway.account({ firstLook: 0, notBefore: day("2026-01-11") })
    yield* drain(later)
    assert.deepStrictEqual(yield* states, ["i1 Fiscalised", "c2 Held"])
    yield* plan(creditNote("c3", { credits: "i1", total: "40.00", sourceDate: "2026-01-11", late: "restamp" }))
    yield* TestClock.adjust("2 seconds")
    yield* drain(later)
    assert.deepStrictEqual(sent(gateway), ["i1", "c2", "c3"])
  })

  for (const [name, prepare] of [
    [
      "rejected",
      (gateway: ScriptedGateway) => Effect.sync(() => (gateway.state.status = (id) => rejected(id, "final")))
    ],
    ["withdrawn", () => SubmissionStore.use((store) => store.decide(key("i1"), { _tag: "Withdrawn" }, "a mistake"))]
  ] as const) {
    story(`is held if its original is ${name}`, function* (gateway) {
      const account = gateway.account({ firstLook: 0 })
      yield* plan(invoice("i1"), creditNote("c2", { credits: "i1" }))
      yield* prepare(gateway)
      yield* drain(account)
      yield* sweep(account)
      assert.deepStrictEqual(yield* ended(account), { _tag: "Drained" })
      assert.deepStrictEqual((yield* get("c2")).hold?.cause, "original")
    })
  }

  story("of an invoice that was fiscalised elsewhere is sent at once", function* (gateway) {
    const store = yield* SubmissionStore
    const { document } = invoice("old")
    yield* store.registerOriginals([
      {
        account: "shop",
        taxpayer: "2000000001",
        invoiceId: InvoiceId.make(document.id),
        number: document.number,
        date: instant("2025-06-01T09:00:00+02:00"),
        currency: document.currency,
        total: document.total,
        taxCodes: [],
        credited: Money.zero
      }
    ])
    yield* plan(creditNote("c1", { credits: "old" }))
    yield* drain(gateway.account())
    assert.deepStrictEqual(sent(gateway), ["c1"])
  })
})

describe("a receipt date", () => {
  story("is reused by the next attempt", function* (gateway) {
    gateway.answer("i1", answers.notSent)
    yield* plan(invoice("i1", { receiptDate: "at-submission", zone: "+02:00" }))
    yield* drain(gateway.account())
    yield* TestClock.adjust("1 hour")
    yield* drain(gateway.account())
    assert.deepStrictEqual(
      gateway.submitted.map(({ date }) => date),
      ["2026-01-10T15:00:00+02:00", "2026-01-10T15:00:00+02:00"]
    )
  })

  story("set at submission is the second of the first attempt, and all such dates differ", function* (gateway) {
    yield* plan(...["i1", "i2"].map((id) => invoice(id, { receiptDate: "at-submission", zone: "+02:00" })))
    const draining = yield* Effect.forkChild(drain(gateway.account()))
    yield* TestClock.adjust("1 second")
    yield* Fiber.join(draining)
    assert.deepStrictEqual(
      gateway.submitted.map(({ date }) => date),
      ["2026-01-10T15:00:00+02:00", "2026-01-10T15:00:01+02:00"]
    )
    assert.strictEqual(Instant.format((yield* get("i1")).receiptDate!), "2026-01-10T15:00:00+02:00")
  })

  story("set at submission is only for documents of today in the zone of the business", function* (gateway) {
    const yesterdays = invoice("i1", { receiptDate: "at-submission", sourceDate: "2026-01-09", zone: "+02:00" })
    yield* plan(yesterdays, invoice("i2", { receiptDate: "at-submission", sourceDate: "2026-01-11", zone: "+09:00" }))
    yield* at("2026-01-10T23:30:00+02:00")
    yield* drain(gateway.account())
    assert.deepStrictEqual(sent(gateway), ["i2"])
    assert.strictEqual((yield* get("i1")).hold?.cause, "late")
  })

  story(
    "at or before our latest attempt becomes the present time under restamp, after all dated documents; the source date is kept",
    function* (gateway) {
      yield* plan(invoice("i5"))
      yield* drain(gateway.account())
      yield* plan(invoice("i1", { late: "restamp", zone: "+02:00", sourceDate: "2026-01-08" }), invoice("i6"))
      yield* drain(gateway.account())
      assert.deepStrictEqual(
        gateway.submitted.map(({ date, id }) => `${id} ${date}`),
        ["i5 2026-01-10T12:00:05+02:00", "i6 2026-01-10T12:00:06+02:00", "i1 2026-01-10T15:00:00+02:00"]
      )
      const { submission, timeline } = yield* explain("i1")
      assert.strictEqual(submission.sourceDate, "2026-01-08")
      assert.isTrue(timeline.some(({ text }) => text?.includes("becomes that of its submission") === true))
    }
  )

  describe("a receipt date set at submission", () => {
    const overtaken = (goodUntil: string) =>
      Effect.gen(function* () {
        const gateway = make()
        yield* plan(invoice("i5"))
        yield* drain(gateway.account())
        yield* plan(
          invoice("i1", { late: "restamp", zone: "+02:00", sourceDate: "2026-01-08", validUntil: day(goodUntil) })
        )
        return gateway
      })

    story("is allowed until the last day of the tax rates, in the zone of the book", function* () {
      const gateway = yield* overtaken("2026-01-10")
      yield* at("2026-01-10T21:59:59Z")
      yield* drain(gateway.account())
      assert.strictEqual(gateway.submitted.at(-1)!.date, "2026-01-10T23:59:59+02:00")
    })

    story(
      "is not allowed after that day: the document is held with the last day, even if an operator resends it",
      function* () {
        const gateway = yield* overtaken("2026-01-10")
        const store = yield* SubmissionStore
        yield* at("2026-01-10T22:00:00Z")
        yield* drain(gateway.account())
        const { cause, text } = (yield* get("i1")).hold!
        assert.strictEqual(cause, "outdated")
        assert.match(text, /may be dated until 2026-01-10, .* and would be dated 2026-01-11/)
        yield* store.decide(key("i1"), { _tag: "Resend" }, "the customer waits")
        yield* drain(gateway.account())
        assert.strictEqual((yield* get("i1")).hold?.cause, "outdated")
        assert.deepStrictEqual(sent(gateway), ["i5"])
      }
    )

    story("is allowed again after an export states the document with valid taxes", function* () {
      const gateway = yield* overtaken("2026-01-10")
      yield* at("2026-01-11T10:00:00Z")
      yield* drain(gateway.account())
      yield* plan(
        invoice("i1", {
          late: "restamp",
          zone: "+02:00",
          sourceDate: "2026-01-08",
          total: "116.00",
          validUntil: null
        })
      )
      yield* drain(gateway.account())
      assert.strictEqual(gateway.submitted.at(-1)!.date, "2026-01-11T12:00:00+02:00")
    })
  })

  story(
    "at or before the close of the last fiscal day holds the document, unless its batch is historical",
    function* (gateway) {
      const store = yield* SubmissionStore
      gateway.state.device = { allowCsvUpload: true }
      yield* plan(invoice("i1"), invoice("i2", { timing: "historical" }))
      yield* store.closeDay("test/1001", instant("2026-01-10T12:00:02+02:00"))
      yield* store.closeDay("test/1001", instant("2026-01-09T12:00:00+02:00"))
      yield* drain(gateway.account())
      assert.deepStrictEqual(sent(gateway), ["i2"])
      assert.strictEqual((yield* get("i1")).hold?.cause, "historical")
      yield* plan(invoice("i0", { timing: "historical" }))
      yield* drain(gateway.account())
      assert.strictEqual((yield* get("i0")).hold?.cause, "late")
    }
  )

  story(
    "at or before the close of the last fiscal day holds even a historical document if the upload permission ended",
    function* (gateway) {
      const store = yield* SubmissionStore
      const historical = { timing: "historical" } as const
      yield* plan(invoice("i1", historical), invoice("i2", { ...historical, receiptDate: "2026-01-10T12:00:05+02:00" }))
      yield* store.closeDay("test/1001", instant("2026-01-10T12:00:02+02:00"))
      yield* drain(gateway.account())
      assert.deepStrictEqual(sent(gateway), ["i2"], "what is dated after the close needs no permission")
      const { cause, text } = (yield* get("i1")).hold!
      assert.strictEqual(cause, "historical")
      assert.match(text, /12:00:02.*, and the device 1001 has no upload permission/)
    }
  )

  story("stays the same for a document that may have been processed with it", function* (gateway) {
    const store = yield* SubmissionStore
    gateway.answer("i1", answers.unknown)
    yield* plan(invoice("i1", { late: "restamp" }))
    yield* drain(gateway.account())
    yield* TestClock.adjust("5 minutes")
    yield* store.decide(key("i1"), { _tag: "NotProcessed" }, "asked")
    yield* store.closeDay("test/1001", instant("2026-01-10T12:30:00+02:00"))
    yield* drain(gateway.account())
    assert.strictEqual((yield* get("i1")).hold?.cause, "operator")
    assert.strictEqual(gateway.submitted.length, 1)
  })

  story("before a close of unknown effect needs an operator once, and then the document is sent", function* (gateway) {
    const store = yield* SubmissionStore
    const account = gateway.account({ unknown: "resend-flagged", assumptions: { "DOC-10": "deduplicates" } })
    gateway.answer("i1", answers.unknown)
    yield* plan(invoice("i1"))
    yield* drain(account)
    yield* store.closeDay("test/1001", instant("2026-01-10T12:30:00+02:00"))
    yield* TestClock.adjust("10 minutes")
    yield* drain(account)
    assert.strictEqual((yield* get("i1")).hold?.cause, "operator")
    yield* plan(invoice("i1", { timing: "historical" }))
    assert.strictEqual((yield* get("i1")).hold?.cause, "operator")
    yield* store.decide(key("i1"), { _tag: "Resend" }, "the portal does not have it")
    yield* drain(account)
    assert.deepStrictEqual(sent(gateway), ["i1", "i1"])
    assert.strictEqual(gateway.submitted.at(-1)!.date, "2026-01-10T13:10:00+00:00")
  })

  story(
    "in doubt after an older copy of the store needs an operator, even after an earlier decision",
    function* (gateway) {
      const store = yield* SubmissionStore
      yield* plan(invoice("i1", { held: "the buyer is to be asked" }))
      yield* store.decide(key("i1"), { _tag: "Resend" }, "asked")
      yield* store.closeDay("test/1001", instant("2026-01-10T12:30:00+02:00"))
      yield* drain(gateway.account())
      assert.strictEqual((yield* get("i1")).hold?.cause, "historical")
      yield* store.acceptOlder(day("2026-01-11"), unmarked)
      assert.strictEqual((yield* store.decide(key("i1"), { _tag: "Resend" }, "at once"))._tag, "Refused")
      yield* TestClock.adjust("5 minutes")
      yield* store.decide(key("i1"), { _tag: "Resend" }, "dated now")
      yield* drain(gateway.account())
      assert.strictEqual((yield* get("i1")).hold?.cause, "older-copy")
      assert.deepStrictEqual(sent(gateway), [])
      yield* store.decide(key("i1"), { _tag: "Resend" }, "the portal does not have it")
      yield* drain(gateway.account())
      assert.deepStrictEqual(sent(gateway), ["i1"])
    }
  )

  story("in the future waits for its second", function* (gateway) {
    yield* plan(
      invoice("i1", { receiptDate: "2026-01-10T15:00:02+02:00" }),
      invoice("i2", { receiptDate: "2026-01-10T16:00:00+02:00" })
    )
    const draining = yield* Effect.forkChild(ended(gateway.account()))
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(sent(gateway), [])
    yield* TestClock.adjust("1 second")
    const end = yield* Fiber.join(draining)
    assert.deepStrictEqual(sent(gateway), ["i1"])
    assert.isTrue(end._tag === "Waiting" && end.wait.for === "clock")
  })

  story("in the future that may have reached the device stops the lane until that time", function* (gateway) {
    yield* plan(invoice("i1"))
    yield* drain(gateway.account())
    yield* plan(invoice("i2", { receiptDate: "2026-01-10T15:00:01+02:00" }))
    yield* at("2026-01-10T11:00:00+02:00")
    const end = yield* ended(gateway.account())
    assert.isTrue(end._tag === "Stopped" && end.stop.cause === "mark-in-future")
    yield* at("2026-01-10T15:00:01+02:00")
    yield* drain(gateway.account())
    assert.deepStrictEqual(sent(gateway), ["i1", "i2"])
  })
})

describe("a device", () => {
  const pin = { account: "shop", lane: "test/1001", taxpayer: "2000000001", environment: "test" } as const

  story("is pinned at first use, and distinguished from another device", function* () {
    const store = yield* SubmissionStore
    assert.deepStrictEqual(yield* store.pin(pin), { _tag: "Pinned" })
    yield* plan(invoice("i1"))
    assert.deepStrictEqual(yield* store.pin({ ...pin, lane: "test/2002" }), {
      _tag: "Changed",
      pinned: "test/1001"
    })
  })

  story("that differs from the pinned one stops the lane until the pinned one is back", function* (gateway) {
    const store = yield* SubmissionStore
    yield* store.pin(pin)
    yield* plan(invoice("i1"))
    yield* store.pin({ ...pin, lane: "test/2002" })
    const account = gateway.account()
    yield* open(account)
    gateway.state.device = { deviceId: 2002 }
    yield* TestClock.adjust("10 minutes")
    const end = yield* ended(account)
    assert.isTrue(end._tag === "Stopped" && end.stop.cause === "device-changed")
    assert.deepStrictEqual(sent(gateway), [])
    gateway.state.device = {}
    yield* store.pin({ ...pin, account: "till" })
    assert.strictEqual((yield* store.lanes())[0]!.stop?.cause, "device-changed")
    yield* store.pin({ ...pin, serial: "SN-1001" })
    yield* drain(account, gateway.account({ account: "till" }))
    assert.deepStrictEqual(sent(gateway), ["i1"])
  })

  story("with another serial number stops the lane until the pinned number is stated again", function* () {
    const store = yield* SubmissionStore
    const numbered = { ...pin, serial: "SN-1001" }
    const stop = Effect.map(store.lanes(), ([lane]) => lane!.stop?.cause)
    yield* store.pin(numbered)
    yield* store.pin({ ...pin, serial: "SN-2002" })
    yield* store.pin({ ...pin, serial: null })
    assert.strictEqual(yield* stop, "device-changed", "a number that is left out shows nothing")
    yield* store.pin(numbered)
    assert.isUndefined(yield* stop)
  })

  story("that replaces another takes over unsent documents by an operator's decision", function* (gateway) {
    const store = yield* SubmissionStore
    const other = { ...pin, lane: "test/2002" }
    yield* plan(invoice("i1"), invoice("i2"))
    yield* store.pin(other)
    assert.deepStrictEqual(yield* store.repin(other, "the old one broke"), {
      _tag: "Repinned",
      moved: 2,
      redated: 0
    })
    yield* drain(gateway.account({}, { deviceId: 2002 }))
    assert.deepStrictEqual(sent(gateway), ["i1", "i2"])
    assert.deepStrictEqual(
      (yield* store.lanes()).map(({ accounts, lane, stop }) => [lane, accounts, stop]),
      [
        ["test/1001", [], null],
        ["test/2002", ["shop"], null]
      ]
    )
    yield* store.recordOutcomes("shop", [fiscalised("r1")], "webhook")
    assert.strictEqual((yield* get("i1")).lane, "test/2002")
  })
})
