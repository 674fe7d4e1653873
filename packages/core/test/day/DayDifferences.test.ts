/**
 * A worker compares the closed days of its devices with the store, and finds a receipt that no
 * store has.
 */
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration, Effect, Fiber, Option } from "effect"
import { TestClock } from "effect/testing"
import type { AccountSettings } from "../../src/account/AccountSettings.ts"
import * as Attention from "../../src/attention/Attention.ts"
import * as Money from "../../src/document/Money.ts"
import * as DayDifferences from "../../src/day/DayDifferences.ts"
import * as FiscalDays from "../../src/day/FiscalDays.ts"
import * as Worker from "../../src/sending/Worker.ts"
import { defaults } from "../../src/gateway/contract/AssumptionSwitches.ts"
import { LocalDateTime } from "../../src/gateway/operation/LocalDateTime.ts"
import type { ZReport } from "../../src/gateway/operation/ZReport.ts"
import type { Decision } from "../../src/submission/Decision.ts"
import type { PlannedDocument } from "../../src/submission/PlannedDocument.ts"
import * as Notice from "../../src/submission/Notice.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { invoice } from "../submission/PlannedDocuments.ts"
import { drain, key, open, plan, states, sweep, test } from "../sending/Engine.ts"
import { answers, fiscalised, make, rejected } from "../sending/ScriptedGateway.ts"
import { currency, mapping } from "../mapping/Mappings.ts"

const tax = 3
const mappings = { taxes: [mapping(1, "EXEMPT", tax)], currencies: [currency(1, "USD", "USD")] }

/** Returns the report of a closed day with the device's sales. */
const closed = (fiscalDayNumber: number, closedAt: string, total: string): ZReport => {
  const amount = Option.getOrThrow(Money.parse(total))
  const counter = { currency: "USD", taxPercent: null, paymentMethod: null, amount, unknownFields: {} }
  return {
    openedAt: null,
    closedAt: DateTime.makeZonedUnsafe(closedAt, { timeZone: "+02:00" }),
    fiscalDayNumber,
    isSuccess: true,
    message: null,
    summaries: [
      { ...counter, counterType: "Sale", taxId: tax },
      { ...counter, counterType: "Balance", taxId: null }
    ],
    unknownFields: {}
  }
}

const evening = "2026-01-10T18:00:00+02:00"

/** Compares once, like a worker does every 15 minutes. */
const look = (...accounts: ReadonlyArray<AccountSettings>) => DayDifferences.look(accounts, new Map())

/** Runs a worker for the duration. */
const work = (duration: Duration.Input, ...accounts: ReadonlyArray<AccountSettings>) =>
  Effect.gen(function* () {
    yield* Effect.forEach(accounts, open)
    const fiber = yield* Effect.forkChild(Worker.work(accounts))
    const quarters = Math.ceil(Duration.toSeconds(Duration.fromInputUnsafe(duration)) / 5)
    yield* Effect.forEach(Array.from({ length: quarters }), () => TestClock.adjust("5 seconds"), { discard: true })
    yield* Fiber.interrupt(fiber)
  })

/** Returns the gateway of a worker that has sent these documents. */
const afterWork = (...documents: ReadonlyArray<PlannedDocument>) =>
  Effect.gen(function* () {
    const gateway = make()
    gateway.state.mappings = mappings
    yield* plan(...documents)
    yield* work("20 seconds", gateway.account())
    return gateway
  })

const decide = (id: string, decision: Decision) =>
  SubmissionStore.use((store) => store.decide(key(id), decision, "looked up"))

const days = Effect.map(
  SubmissionStore.use((store) => store.health(Duration.days(7))),
  (health) => Attention.of(health).filter(({ code }) => code.startsWith("DAY_"))
)
const texts = Effect.map(days, (found) => found.map(({ cause, code, text }) => `${code} ${cause}: ${text}`))

/**
 * Fiscalizes a document of day 7, and compares a day that was closed in the second in which the
 * document was planned.
 */
const closedInFirstSecond = (day: number) =>
  Effect.gen(function* () {
    const gateway = make()
    gateway.state.mappings = mappings
    yield* TestClock.adjust("300 millis")
    const second = DateTime.startOf(yield* DateTime.now, "second")
    yield* plan(invoice("i1"))
    yield* work("20 seconds", gateway.account())
    gateway.state.closes = [closed(day, DateTime.formatIso(second), "230.00")]
    yield* look(gateway.account())
  })

/** Plans the correction of a document whose first request was rejected. */
const revised = Effect.gen(function* () {
  const gateway = make()
  gateway.state.mappings = mappings
  gateway.state.status = (id) => (id === "r1" ? rejected(id) : fiscalised(id))
  const account = gateway.account({ firstLook: 0 })
  yield* plan(invoice("i1"))
  yield* drain(account)
  yield* sweep(account)
  yield* plan(invoice("i1", { total: "20.00" }))
  return { account, gateway }
})

describe("the comparison of closed fiscal days by a worker", () => {
  it.effect(
    "reports nothing if a day's counters equal the store, and requests the day once",
    test(() =>
      Effect.gen(function* () {
        const gateway = yield* afterWork(invoice("i1"), invoice("i2"))
        assert.deepStrictEqual(yield* states, ["i1 Fiscalised", "i2 Fiscalised"])
        gateway.state.closes = [closed(7, evening, "230.00")]
        const agreed: DayDifferences.AgreedDays = new Map()
        yield* DayDifferences.look([gateway.account()], agreed)
        yield* DayDifferences.look([gateway.account()], agreed)
        assert.deepStrictEqual(yield* texts, [])
        assert.deepStrictEqual(gateway.state.daysAsked, [7])
      })
    )
  )

  it.effect(
    "keeps nothing of a device that replaces the device of the account during the reads, and stops the lane",
    test(() =>
      Effect.gen(function* () {
        const gateway = yield* afterWork(invoice("i1"))
        gateway.state.closes = [closed(7, evening, "999.00")]
        for (const answers of [1, 2]) {
          let left = answers
          gateway.state.afterDays = Effect.sync(() => {
            if (--left === 0) gateway.state.device = { deviceId: 2002 }
          })
          gateway.state.device = {}
          yield* look(gateway.account())
          assert.deepStrictEqual(yield* texts, [])
          const [lane] = yield* SubmissionStore.use((store) => store.lanes())
          // The first answer lists the closes, the second one is the report of the day.
          assert.strictEqual(lane!.closedAt === null, answers === 1)
          assert.strictEqual(lane!.stop?.cause, "device-changed")
        }
      })
    )
  )

  it.effect(
    "finds a receipt that the store does not know, even if nothing is left to send",
    test(() =>
      Effect.gen(function* () {
        const gateway = yield* afterWork(invoice("i1"))
        gateway.state.closes = [closed(7, evening, "230.00")]
        yield* work("5 seconds", gateway.account())
        const [found] = yield* days
        assert.deepStrictEqual([found?.code, found?.cause, found?.lane], ["DAY_DIFFERS", "7", "test/1001"])
        assert.strictEqual(
          found?.text,
          "fiscal day 7, USD: the counters differ from the store: Sale tax 3 230.00, store 115.00; Balance 230.00, store 115.00. No document of the store can explain it: another program may use the device"
        )
        assert.deepStrictEqual(
          found?.actions.map(({ step }) => step),
          [
            { do: "compare-day", day: 7 },
            { do: "acknowledge-day", day: 7 }
          ]
        )
        const store = yield* SubmissionStore
        assert.isNull(yield* store.stateOtherPrograms("test/1001", "others", "a till at the counter"))
        yield* look(gateway.account())
        assert.deepStrictEqual(yield* texts, [])
      })
    )
  )

  it.effect(
    "includes a day closed in the second of its first document, since closes have whole seconds",
    test(() =>
      Effect.gen(function* () {
        yield* closedInFirstSecond(7)
        assert.match((yield* texts)[0] ?? "", /^DAY_DIFFERS 7: .*Sale tax 3 230.00, store 115.00/)
      })
    )
  )

  it.effect(
    "skips a day without documents in the store if its close may be older than the store",
    test(() =>
      Effect.gen(function* () {
        yield* closedInFirstSecond(6)
        assert.deepStrictEqual(yield* texts, [])
      })
    )
  )

  it.effect(
    "names a document of unknown outcome as a possible receipt, until an operator settles it",
    test(() =>
      Effect.gen(function* () {
        const gateway = make()
        gateway.state.mappings = mappings
        gateway.answer("i2", answers.unknown)
        yield* plan(invoice("i1"), invoice("i2"))
        yield* work("20 seconds", gateway.account())
        assert.deepStrictEqual(yield* states, ["i1 Fiscalised", "i2 Unknown"])
        gateway.state.closes = [closed(7, evening, "230.00")]
        yield* look(gateway.account())
        assert.match((yield* texts)[0] ?? "", /^DAY_DIFFERS 7: .*Documents that can explain it: N-i2 \(Unknown\)$/)
        yield* decide("i2", { _tag: "Fiscalised", proof: {} })
        yield* look(gateway.account())
        assert.deepStrictEqual(yield* texts, [])
      })
    )
  )

  it.effect(
    "names a document that an operator declared fiscalised but the device does not have",
    test(() =>
      Effect.gen(function* () {
        const gateway = make()
        gateway.state.mappings = mappings
        gateway.answer("i2", answers.unknown)
        yield* plan(invoice("i1"), invoice("i2"))
        yield* work("20 seconds", gateway.account())
        yield* decide("i2", { _tag: "Fiscalised", proof: {} })
        gateway.state.closes = [closed(7, evening, "115.00")]
        yield* look(gateway.account())
        assert.match(
          (yield* texts)[0] ?? "",
          /Documents that can explain it: N-i2 \(an operator stated that it was fiscalised\)$/
        )
      })
    )
  )

  it.effect(
    "names a document that was sent again because an operator stated that it was not processed",
    test(() =>
      Effect.gen(function* () {
        const gateway = make()
        gateway.state.mappings = mappings
        gateway.answer("i1", answers.unknown)
        yield* plan(invoice("i1"))
        yield* work("20 seconds", gateway.account())
        yield* TestClock.adjust("1 hour")
        yield* decide("i1", { _tag: "NotProcessed" })
        yield* work("20 seconds", gateway.account())
        assert.deepStrictEqual(yield* states, ["i1 Fiscalised"])
        gateway.state.closes = [closed(7, evening, "230.00")]
        yield* look(gateway.account())
        assert.match((yield* texts)[0] ?? "", /explain it: N-i1 \(a second receipt of it\)$/)
      })
    )
  )

  it.effect(
    "waits for awaited outcomes, and repeats while a day differs",
    test(() =>
      Effect.gen(function* () {
        const gateway = make()
        gateway.state.mappings = mappings
        gateway.state.status = (id) => (id === "r2" ? null : fiscalised(id))
        yield* plan(invoice("i1"), invoice("i2"))
        yield* work("20 seconds", gateway.account())
        gateway.state.closes = [closed(7, evening, "230.00")]
        yield* look(gateway.account())
        assert.deepStrictEqual(yield* texts, [])
        gateway.state.status = (id) => (id === "r2" ? rejected(id) : fiscalised(id))
        yield* TestClock.adjust("2 hours")
        yield* sweep(gateway.account())
        yield* look(gateway.account())
        assert.match((yield* texts)[0] ?? "", /Documents that can explain it: N-i2 \(Rejected\)$/)
        gateway.state.closes = [closed(7, evening, "115.00")]
        yield* look(gateway.account())
        assert.deepStrictEqual(yield* texts, [])
      })
    )
  )

  it.effect(
    "skips days closed before the first document of the store",
    test(() =>
      Effect.gen(function* () {
        const gateway = make()
        gateway.state.mappings = mappings
        gateway.state.closes = [closed(6, "2026-01-09T18:00:00+02:00", "999.00")]
        yield* plan(invoice("i1"))
        yield* work("20 seconds", gateway.account())
        assert.deepStrictEqual(yield* texts, [])
        assert.deepStrictEqual(gateway.state.daysAsked, [])
      })
    )
  )

  it.effect(
    "counts each document by the codes of its account, even if accounts share the device",
    test(() =>
      Effect.gen(function* () {
        const shop = make()
        const till = make()
        shop.state.mappings = { taxes: [mapping(1, "EXEMPT", tax)], currencies: [currency(1, "USD", "USD")] }
        till.state.mappings = { taxes: [mapping(2, "EXEMPT", 4)], currencies: [currency(1, "USD", "USD")] }
        const accounts = [shop.account(), till.account({ account: "till" })]
        yield* plan(invoice("i1"), invoice("i2", { account: "till" }))
        yield* work("30 seconds", ...accounts)
        const { summaries, ...report } = closed(7, evening, "115.00")
        const both = [...(summaries ?? []), { ...summaries![0]!, taxId: 4 }, summaries![1]!]
        shop.state.closes = [{ ...report, summaries: both }]
        yield* look(...accounts)
        assert.deepStrictEqual(yield* texts, [])
        shop.state.closes = [{ ...report, summaries: both.slice(0, 2) }]
        yield* look(...accounts)
        assert.match((yield* texts)[0] ?? "", /Sale tax 4 none, store 115\.00/)
      })
    )
  )

  it.effect(
    "counts each proof, with the figures of the revision whose request it answers",
    test(() =>
      Effect.gen(function* () {
        const { account, gateway } = yield* revised
        yield* drain(account)
        yield* sweep(account)
        gateway.state.closes = [closed(7, evening, "135.00")]
        yield* look(account)
        assert.match((yield* texts)[0] ?? "", /Sale tax 3 135\.00, store 20\.00/)
        yield* SubmissionStore.use((store) => store.recordOutcomes("shop", [fiscalised("r1")], "webhook"))
        yield* look(account)
        assert.deepStrictEqual(yield* texts, [])
      })
    )
  )

  it.effect(
    "counts a receipt that only an operator states with the figures that were sent, and not of a later revision",
    test(() =>
      Effect.gen(function* () {
        const { account, gateway } = yield* revised
        const store = yield* SubmissionStore
        yield* store.hold([key("i1")], { cause: "historical", text: "dated in a closed day" })
        yield* decide("i1", { _tag: "Fiscalised", proof: {} })
        assert.deepStrictEqual(yield* states, ["i1 Fiscalised"])
        gateway.state.closes = [closed(7, evening, "115.00")]
        yield* look(account)
        assert.deepStrictEqual(yield* texts, [])
      })
    )
  )

  it.effect(
    "counts the proof of an earlier revision, although the document waits for an operator",
    test(() =>
      Effect.gen(function* () {
        const { account, gateway } = yield* revised
        yield* SubmissionStore.use((store) => store.recordOutcomes("shop", [fiscalised("r1")], "webhook"))
        assert.deepStrictEqual(yield* states, ["i1 Held"])
        gateway.state.closes = [closed(7, evening, "115.00")]
        yield* look(account)
        assert.deepStrictEqual(yield* texts, [])
      })
    )
  )

  it.effect(
    "finds a difference of a day that could not be closed, and leaves out its later receipts",
    test(() =>
      Effect.gen(function* () {
        const gateway = yield* afterWork(invoice("i1"))
        const at = DateTime.formatIso(yield* DateTime.now)
        gateway.state.closes = [{ ...closed(7, at, "115.00"), isSuccess: false, message: "RCPT030" }]
        yield* TestClock.adjust("1 minute")
        yield* plan(invoice("i2"))
        yield* work("20 seconds", gateway.account())
        assert.deepStrictEqual(yield* states, ["i1 Fiscalised", "i2 Fiscalised"])
        const differing = Effect.map(texts, (all) => all.filter((text) => text.startsWith("DAY_DIFFERS")))
        yield* look(gateway.account())
        assert.deepStrictEqual(yield* differing, [])
        gateway.state.closes = [{ ...closed(7, at, "345.00"), isSuccess: false, message: "RCPT030" }]
        yield* look(gateway.account())
        assert.match((yield* differing)[0] ?? "", /Sale tax 3 345\.00, store 115\.00/)
      })
    )
  )

  it.effect(
    "finds a missing receipt number on a device of this store alone, unless a request may have it",
    test(() =>
      Effect.gen(function* () {
        const gateway = make()
        gateway.state.mappings = mappings
        const numbers: Readonly<Record<string, number>> = { r1: 7, r2: 9, r3: 10 }
        let answered: "not yet" | "answered" = "not yet"
        gateway.state.status = (id) => {
          const item = fiscalised(id)
          if (id === "r2" && answered === "not yet") return null
          return item._tag === "Fiscalised"
            ? { ...item, qrData: { ...item.qrData!, invoiceNumber: numbers[id]! } }
            : item
        }
        yield* plan(invoice("i1"), invoice("i2"), invoice("i3"))
        yield* work("30 seconds", gateway.account())
        assert.deepStrictEqual(yield* states, ["i1 Fiscalised", "i2 Accepted", "i3 Fiscalised"])
        const store = yield* SubmissionStore
        const noticed = Effect.map(store.health(Duration.days(7)), ({ notices }) => notices)
        yield* store.stateOtherPrograms("test/1001", "alone", "the till was sold")
        yield* look(gateway.account())
        assert.deepStrictEqual(yield* noticed, [])
        answered = "answered"
        yield* TestClock.adjust("2 hours")
        yield* sweep(gateway.account())
        yield* look(gateway.account())
        const found = Attention.of(yield* store.health(Duration.days(7)))
        assert.deepStrictEqual(
          found.map(({ cause, code, text }) => `${code} ${cause}: ${text}`.replaceAll(/, \d{4}-[^)]*/g, "")),
          [
            "RECEIPT_NOT_OURS 7: the device made a receipt that this store does not know: Receipt number 8 is missing between N-i1 (7) and N-i2 (9)."
          ]
        )
        const acknowledged = yield* store.acknowledgeDay("test/1001", 7, "the portal has a test receipt")
        assert.deepStrictEqual(acknowledged, { _tag: "Acknowledged", codes: ["RECEIPT_NOT_OURS"] })
        assert.deepStrictEqual(Attention.of(yield* store.health(Duration.days(7))), [])
        // counters that agree show that the device skips numbers
        gateway.state.closes = [closed(7, evening, "345.00")]
        yield* look(gateway.account())
        assert.deepStrictEqual(yield* noticed, [])
      })
    )
  )

  it.effect(
    "ends an item if its difference was acknowledged in the account of a period, until a cent of it changes",
    test(() =>
      Effect.gen(function* () {
        const gateway = yield* afterWork(invoice("i1"))
        gateway.state.closes = [closed(7, evening, "230.00")]
        yield* look(gateway.account())
        const store = yield* SubmissionStore
        const { notices } = yield* store.health(Duration.days(7))
        const id = Notice.idOf(notices.find(({ code }) => code === "DAY_DIFFERS")!)
        const subject = Notice.differenceOf(id)
        yield* store.recordDecision(
          { act: "acknowledge-day", account: null, subject, what: "examined", because: "looked up" },
          "each"
        )
        assert.deepStrictEqual(yield* texts, [])
        gateway.state.closes = [closed(7, evening, "230.01")]
        yield* look(gateway.account())
        assert.lengthOf(yield* texts, 1)
      })
    )
  )

  it.effect(
    "asks once about other programs at the first missing number after 200 proofs, until it is answered",
    test(() =>
      Effect.gen(function* () {
        const gateway = make()
        gateway.state.mappings = mappings
        let skipped = 0
        gateway.state.status = (id) => {
          const item = fiscalised(id)
          const number = Number(id.slice(1))
          const invoiceNumber = number > 200 ? number + skipped : number
          return item._tag === "Fiscalised" ? { ...item, qrData: { ...item.qrData!, invoiceNumber } } : item
        }
        const account = gateway.account({ firstLook: 0 })
        const send = (from: number, to: number) =>
          Effect.gen(function* () {
            yield* plan(...Array.from({ length: to - from + 1 }, (_, n) => invoice(`i${from + n}`)))
            yield* drain(account)
            yield* sweep(account)
            yield* sweep(account)
            yield* sweep(account)
            yield* look(account)
            return Attention.of(yield* store.health(Duration.days(7))).filter(({ code }) => code === "RECEIPT_NOT_OURS")
          })
        const store = yield* SubmissionStore
        yield* open(account)
        assert.deepStrictEqual(yield* send(1, 200), [])
        skipped = 2
        const [asked] = yield* send(201, 202)
        assert.include(asked?.text, "Receipt numbers 201 to 202 are missing")
        assert.include(asked?.text, "Does another till or program use this device?")
        assert.deepInclude(asked?.actions.map(({ step }) => step) as ReadonlyArray<object>, {
          do: "other-programs",
          stated: "others"
        })
        // a later gap is the same question, and an answer ends it
        skipped = 3
        assert.deepStrictEqual((yield* send(203, 203)).length, 1)
        yield* store.stateOtherPrograms("test/1001", "others", "the till")
        yield* look(account)
        assert.deepStrictEqual(yield* send(204, 204), [])
      })
    )
  )

  it.effect(
    "keeps a difference while the gateway does not answer",
    test(() =>
      Effect.gen(function* () {
        const gateway = yield* afterWork(invoice("i1"))
        gateway.state.closes = [closed(7, evening, "230.00")]
        yield* look(gateway.account())
        const settings = gateway.account()
        const silent = { ...settings.gateway, zReport: () => answers.notSent } as typeof settings.gateway
        yield* look({ ...settings, gateway: silent })
        assert.lengthOf(yield* texts, 1)
      })
    )
  )

  it.effect(
    "runs every 15 minutes, and finds a failed day even if nothing is left to send",
    test(() =>
      Effect.gen(function* () {
        const gateway = yield* afterWork(invoice("i1"))
        const fiber = yield* Effect.forkChild(Worker.work([gateway.account()], {}, { look: "5 minutes" }))
        yield* TestClock.adjust("5 seconds")
        const failed = { ...closed(8, evening, "0.00"), isSuccess: false, message: "RCPT030" }
        gateway.state.closes = [failed, closed(7, evening, "230.00")]
        yield* TestClock.adjust("14 minutes")
        assert.deepStrictEqual(yield* texts, [])
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual(
          (yield* days).map(({ cause, code }) => `${code} ${cause}`),
          ["DAY_FAILED 8", "DAY_DIFFERS 7"]
        )
        yield* Fiber.interrupt(fiber)
      })
    )
  )
})

describe("one fiscal day that a command or the page compares with the store", () => {
  it("is closed, failed, or not known where the report does not state it", () => {
    const reports = ([true, false, null] as const).map((isSuccess, n) => ({
      ...closed(7 + n, evening, "1.00"),
      isSuccess
    }))
    assert.deepStrictEqual(
      FiscalDays.timesOf(reports, DateTime.zoneMakeOffset(0)).map(({ after, close }) => [close, after === null]),
      [
        ["closed", true],
        ["failed", false],
        ["not-known", true]
      ]
    )
  })

  it.effect(
    "is compared in the zone of the gateway's times, as stated by TIME-1",
    test(() =>
      Effect.gen(function* () {
        const gateway = make()
        gateway.state.mappings = mappings
        gateway.answer("i1", answers.unknown)
        yield* plan(invoice("i1", { zone: "+02:00" }))
        yield* work("20 seconds", gateway.account())
        yield* decide("i1", { _tag: "Fiscalised", proof: {} })
        const account = gateway.account()
        const withoutOffset = LocalDateTime.make(DateTime.formatIso(yield* DateTime.now).slice(0, 19))
        gateway.state.closes = [{ ...closed(7, evening, "115.00"), closedAt: withoutOffset }]
        const compared = (time: "UTC" | "account") =>
          SubmissionStore.use((store) =>
            FiscalDays.one(account.gateway, { ...account, assumptions: { ...defaults, "TIME-1": time } }, [], store, 7)
          )
        assert.strictEqual((yield* compared("UTC"))?.compared?.claimed, 1)
        assert.strictEqual((yield* compared("account"))?.compared?.claimed, 0)
      })
    )
  )
})
