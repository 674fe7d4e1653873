import { assert, describe } from "@effect/vitest"
import { DateTime, Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import * as OpenAccount from "../../src/account/OpenAccount.ts"
import * as BulkDecision from "../../src/session/BulkDecision.ts"
import * as StatusPoller from "../../src/sending/StatusPoller.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { invoice } from "../submission/PlannedDocuments.ts"
import { drain, ended, explain, key, plan, runAccounts, stateOf, sweep } from "./Engine.ts"
import { passing } from "./PassingTime.ts"
import { failed, fiscalised, pending, rejected, type ScriptedGateway } from "./ScriptedGateway.ts"
import { story } from "./Story.ts"

const text = (n: number) => `the printer of request ${n} is out of order`

const sent = (gateway: ScriptedGateway) => gateway.submitted.map(({ id }) => id)

const ordinal = (requestId: string) => Number(requestId.slice(1))

const receiptDate = (n: number) => new Date(Date.UTC(2026, 0, 10, 10, 0, n)).toISOString().replace(".000", "")

const many = (count: number) =>
  Array.from({ length: count }, (_, n) => invoice(`i${n + 1}`, { receiptDate: receiptDate(n + 1) }))

const counts = SubmissionStore.use((store) => Effect.map(store.health(Duration.days(7)), (health) => health.counts))
const lane = SubmissionStore.use((store) => Effect.map(store.lanes(), ([view]) => view!))

/** Switches the device off after this many submissions; what comes later fails with DEV01. */
const offAfter = (gateway: ScriptedGateway, count: number) => {
  const submit = gateway.accept
  for (let n = 1; n <= 150; n++) {
    gateway.answer(
      `i${n}`,
      Effect.tap(submit, () =>
        Effect.sync(() => {
          if (n === count) gateway.state.device = { isSwitchedOn: false }
        })
      )
    )
  }
  gateway.state.status = (id) =>
    ordinal(id) <= count ? fiscalised(id) : failed(id, "DEV01: the device is switched off")
}

describe("a device that is switched off in the middle", () => {
  story("stops the lane at the first outcome that shows it, and the rest is not sent", function* (gateway) {
    const account = gateway.account({ pace: "1 second" })
    yield* plan(...many(150))
    offAfter(gateway, 30)
    yield* passing(yield* Effect.forkChild(runAccounts([account])))
    const { Accepted = 0, ...others } = yield* counts
    assert.isAbove(Accepted, 0)
    assert.isAtMost(Accepted, 10, "accepted before the first answer could be seen: a look comes after 6 s")
    assert.deepStrictEqual(others, { Fiscalised: 30, Planned: 120 - Accepted })
    assert.strictEqual((yield* lane).stop?.cause, "device-refuses")
  })

  story("sends the rest without an operator once the device is on again", function* (gateway) {
    const account = gateway.account({ pace: "1 second" })
    yield* plan(...many(60))
    offAfter(gateway, 20)
    yield* passing(yield* Effect.forkChild(runAccounts([account])))
    const { Accepted = 0 } = yield* counts
    assert.isAbove(Accepted, 0)
    gateway.state.device = {}
    gateway.state.status = (id) =>
      ordinal(id) <= 20 || ordinal(id) > 20 + Accepted ? fiscalised(id) : failed(id, "DEV01")
    yield* TestClock.adjust("10 minutes")
    yield* passing(yield* Effect.forkChild(runAccounts([account])))
    assert.deepStrictEqual({ ...(yield* counts) }, { Accepted, Fiscalised: 60 - Accepted })
    assert.isNull((yield* lane).sameCause, "what failed while the device was off has its explanation")
  })
})

describe("a device that is on again", () => {
  story("begins a new row: what failed before has its explanation", function* (gateway) {
    const account = gateway.account({ firstLook: 0 })
    yield* plan(invoice("i1"), invoice("i2"))
    yield* drain(account)
    gateway.state.device = { isSwitchedOn: false }
    gateway.state.status = (id) => failed(id, "DEV01")
    yield* sweep(account)
    assert.strictEqual((yield* lane).sameCause?.count, 2)
    yield* plan(invoice("i3"))
    const end = yield* ended(account)
    assert.isTrue(end._tag === "Stopped" && end.stop.cause === "device-refuses")
    gateway.state.device = {}
    yield* TestClock.adjust("10 minutes")
    yield* drain(account)
    yield* sweep(account)
    assert.strictEqual((yield* lane).sameCause?.count, 1)
  })
})

const off = (id: string) => failed(id, "DEV01: the device is switched off")

/** Sends 60 documents; the device goes off after 20 and is on again. Returns those that failed. */
const offAndOn = Effect.fnUntraced(function* (gateway: ScriptedGateway) {
  const account = gateway.account({ pace: "1 second" })
  yield* plan(...many(60).map((document) => ({ ...document, late: "hold" as const })))
  offAfter(gateway, 20)
  yield* passing(yield* Effect.forkChild(runAccounts([account])))
  gateway.state.device = {}
  const { documents } = yield* BulkDecision.select({ cause: "DEV01" }, "Resend")
  const failures = documents.length
  assert.isAtLeast(failures, 3)
  assert.isTrue(documents.every(({ state }) => state === "Accepted"))
  gateway.state.status = (id) => (ordinal(id) <= 20 || ordinal(id) > 20 + failures ? fiscalised(id) : off(id))
  // the first look that finds the device on: a quiet period counts from here
  yield* StatusPoller.askOnceMore(documents, [account])
  return { account, documents, first: 21, last: 20 + failures }
})

const sendAgain = (documents: Parameters<typeof BulkDecision.decideAll>[0]) =>
  Effect.map(BulkDecision.decideAll(documents, { _tag: "Resend" }, "the device is on again"), (decided) =>
    decided.map(({ resolution }) => (resolution._tag === "Refused" ? resolution.text : resolution.to))
  )

describe("documents that failed because of their device", () => {
  story("are sent again by one decision once it is on, and each request is asked for once more", function* (gateway) {
    const { account, documents, first, last } = yield* offAndOn(gateway)
    yield* TestClock.adjust("10 minutes")
    gateway.asked.length = 0
    assert.deepStrictEqual(yield* StatusPoller.askOnceMore(documents, [account]), [])
    const asked = new Set(gateway.asked.flat())
    for (let n = first; n <= last; n++) assert.isTrue(asked.has(`r${n}`), `r${n} was asked for before its document`)
    const decided = yield* sendAgain(documents)
    assert.deepStrictEqual(new Set(decided), new Set(["Planned"]))
    const { evidence } = yield* explain(`i${first}`)
    assert.deepStrictEqual(
      evidence.map(({ outcome }) => outcome._tag),
      ["Rejected"],
      "the decision is the operator's look"
    )
    yield* passing(yield* Effect.forkChild(runAccounts([account])))
    assert.deepStrictEqual({ ...(yield* counts) }, { Fiscalised: 60 })
    const times = (id: string) => sent(gateway).filter((one) => one === id).length
    assert.deepStrictEqual(
      [times(`i${first - 1}`), times(`i${first}`), times(`i${last}`), times(`i${last + 1}`)],
      [1, 2, 2, 1]
    )
  })

  story("are sent again only if each request was just asked for and still says the same", function* (gateway) {
    const { account, documents } = yield* offAndOn(gateway)
    const early = yield* sendAgain(documents)
    assert.isTrue(early.every((because) => because.includes("may still reach the gateway")))
    yield* TestClock.adjust("10 minutes")
    const stale = yield* sendAgain(documents)
    assert.isTrue(stale.every((because) => because.includes("ask the gateway once more")))
    const before = gateway.state.status
    gateway.state.status = (id) => (id === "r21" ? pending(id) : id === "r22" ? fiscalised(id) : before(id))
    yield* StatusPoller.askOnceMore(documents, [account])
    const [waits, receipt, ...others] = yield* sendAgain(documents)
    assert.include(waits, "the gateway states no failure for its request r21 now")
    assert.include(receipt, "it is Fiscalised")
    assert.deepStrictEqual(new Set(others), new Set(["Planned"]))
  })

  story("are not sent again together once a document with their text had a receipt", function* (gateway) {
    const { account, documents, first } = yield* offAndOn(gateway)
    const before = gateway.state.status
    gateway.state.status = (id) => (id === `r${first}` ? fiscalised(id) : before(id))
    yield* TestClock.adjust("10 minutes")
    yield* StatusPoller.askOnceMore(documents, [account])
    assert.lengthOf((yield* BulkDecision.select({ cause: "DEV01" }, "Resend")).documents, 0)
    assert.lengthOf((yield* BulkDecision.select({ text: "DEV01: the device is switched off" }, "Resend")).documents, 0)
    const numbers = [documents[1]!.number]
    assert.lengthOf((yield* BulkDecision.select({ numbers }, "Resend")).documents, 1, "by its number, after a look")
  })

  story("are selected by their text, and not by their state alone", function* (gateway) {
    const { documents } = yield* offAndOn(gateway)
    const chosen = yield* BulkDecision.select({ text: "DEV01: the device is switched off" }, "Resend")
    assert.lengthOf(chosen.documents, documents.length)
    assert.lengthOf((yield* BulkDecision.select({ state: "Accepted" }, "Resend")).documents, 0)
  })

  story("are not sent again if the gateway calls the failure final", function* (gateway) {
    gateway.state.status = (id) => failed(id, "DEV01: off", "final")
    const account = gateway.account({ firstLook: 0 })
    yield* plan(invoice("i1"))
    yield* drain(account)
    yield* TestClock.adjust("10 minutes")
    yield* sweep(account)
    const { documents, others } = yield* BulkDecision.select({ cause: "DEV01" }, "Resend")
    assert.deepStrictEqual([documents.length, others], [0, 1])
    const store = yield* SubmissionStore
    const [because] = yield* sendAgain(yield* store.list({}))
    assert.include(because, "final")
    assert.strictEqual(yield* stateOf("i1"), "Accepted")
  })
})

describe("a look beside a failure that is known", () => {
  story("stops the lane at once if it finds another device", function* (gateway) {
    const account = gateway.account({ pace: "1 second", firstLook: 0, longestPause: "5 seconds" })
    yield* plan(...many(100))
    gateway.answer(
      "i30",
      Effect.tap(gateway.accept, () => Effect.sync(() => (gateway.state.device = { serialNo: "SN-2002" })))
    )
    gateway.state.status = (id) => (ordinal(id) === 1 ? failed(id, text(1)) : fiscalised(id))
    yield* passing(yield* Effect.forkChild(runAccounts([account], { patience: "10 seconds" })))
    assert.strictEqual((yield* lane).stop?.cause, "device-changed")
    assert.isAtMost(gateway.submitted.length, 40, "sent before the next look")
  })
})

describe("a failed document", () => {
  story("makes the lane read its device again before the next attempt, at most every ten seconds", function* (gateway) {
    const account = gateway.account({ pace: "1 second", firstLook: 0 })
    const reads: Array<number> = []
    const { profile } = gateway.state
    gateway.state.profile = Effect.andThen(
      Effect.clockWith((clock) => Effect.map(clock.currentTimeMillis, (now) => reads.push(now))),
      profile
    )
    yield* plan(...many(40))
    gateway.state.status = (id) => (ordinal(id) % 2 === 0 ? fiscalised(id) : failed(id, text(ordinal(id))))
    yield* passing(yield* Effect.forkChild(runAccounts([account], { patience: "10 seconds" })))
    assert.deepStrictEqual({ ...(yield* counts) }, { Accepted: 20, Fiscalised: 20 })
    assert.isAbove(reads.length, 5)
    // opening, and the first receipt, which names a fiscal day, read it as well
    const afterFailures = reads.slice(2)
    for (const [n, at] of afterFailures.slice(1).entries()) assert.isAtLeast(at - afterFailures[n]!, 10_000)
  })

  story("of a receipt rule never slows or stops the lane", function* (gateway) {
    const account = gateway.account({ pace: "1 second", firstLook: 0 })
    yield* plan(...many(40))
    gateway.state.status = (id) => (ordinal(id) <= 20 ? rejected(id) : fiscalised(id))
    const began = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
    yield* passing(yield* Effect.forkChild(runAccounts([account])))
    const took = (yield* Effect.clockWith((clock) => clock.currentTimeMillis)) - began
    assert.deepStrictEqual({ ...(yield* counts) }, { Fiscalised: 20, Rejected: 20 })
    assert.isAtMost(took, 45_000, "as fast as without a failure")
    assert.isAtLeast(gateway.state.probes, 4, "and the device is read again meanwhile")
  })

  story("of a receipt rule stops no lane, however many there are in a row", function* (gateway) {
    const account = gateway.account({ pace: "30 seconds", firstLook: 0 })
    yield* plan(...many(14))
    gateway.state.status = (id) => rejected(id)
    yield* passing(yield* Effect.forkChild(runAccounts([account])))
    assert.deepStrictEqual({ ...(yield* counts) }, { Rejected: 14 })
    assert.deepInclude(yield* lane, { sameCause: null, stop: null })
  })
})

/**
 * Sends a failing document and looks at it, again and again, until the lane stops; then plans the
 * rest of 40. Returns the number of documents sent.
 */
const untilStopped = (
  gateway: ScriptedGateway,
  account: ReturnType<ScriptedGateway["account"]>,
  {
    between = "40 seconds",
    dated = "stated"
  }: { readonly between?: Duration.Input; readonly dated?: "stated" | "assigned" } = {}
) =>
  Effect.gen(function* () {
    const all = many(40).map((_, n) =>
      invoice(`i${n + 1}`, {
        receiptDate: receiptDate(n + 1),
        dated,
        buyer: n >= 35 ? "Another Buyer" : "One Buyer"
      })
    )
    gateway.state.status = (id) => failed(id, text(ordinal(id)))
    let planned = 0
    while (planned < all.length && (planned === 0 || (yield* lane).stop === null)) {
      if (planned > 0) yield* TestClock.adjust(between)
      yield* plan(all[planned++]!)
      yield* drain(account)
      yield* sweep(account)
    }
    assert.strictEqual((yield* lane).stop?.cause, "same-failure")
    yield* plan(...all.slice(planned))
    return gateway.submitted.length
  })

describe("failures of one cause that the device does not explain", () => {
  const quick = { pace: "1 second", firstLook: 0 } as const

  story("let the lane send one document at a time after three in a row", function* (gateway) {
    const account = gateway.account({ firstLook: "10 seconds" })
    yield* plan(invoice("i1"), invoice("i2"), invoice("i3"))
    gateway.state.status = (id) => failed(id, text(ordinal(id)))
    yield* drain(account)
    yield* TestClock.adjust("10 seconds")
    yield* sweep(account)
    assert.deepInclude((yield* lane).sameCause, { cause: "the printer of request # is out of order", count: 3 })
    yield* plan(...["i4", "i5", "i6"].map((id) => invoice(id)))
    const end = yield* ended(account)
    assert.deepStrictEqual(end, { _tag: "Waiting", wait: { for: "outcome", key: key("i4") } })
    yield* TestClock.adjust("59 seconds")
    yield* drain(account)
    assert.deepStrictEqual(sent(gateway).slice(3), ["i4"])
    yield* TestClock.adjust("2 seconds")
    yield* drain(account)
    assert.deepStrictEqual(sent(gateway).slice(3), ["i4", "i5"], "a minute without an answer is enough")
  })

  story("stop the lane after ten, the oldest accepted more than a quiet period ago", function* (gateway) {
    const account = gateway.account({ firstLook: 0 })
    const before = yield* untilStopped(gateway, account)
    assert.strictEqual(before, 10)
    const { sameCause, stop } = yield* lane
    assert.strictEqual(sameCause?.count, 10)
    assert.include(stop!.text, "in a row failed with the same cause: the printer of request # is out of order")
    assert.strictEqual(Duration.toMinutes(DateTime.distance(yield* DateTime.now, stop!.retryAt!)), 15)
    yield* TestClock.adjust("899 seconds")
    yield* drain(account)
    assert.strictEqual(gateway.submitted.length, before)
    yield* TestClock.adjust("1 second")
    yield* drain(account)
    yield* sweep(account)
    assert.strictEqual(gateway.submitted.length, before + 1, "one document tests the lane")
    assert.strictEqual((yield* lane).stop?.cause, "same-failure")
    gateway.state.status = (id) => (ordinal(id) > before + 1 ? fiscalised(id) : failed(id, text(ordinal(id))))
    yield* TestClock.adjust("15 minutes")
    yield* drain(account)
    yield* sweep(account)
    assert.isNull((yield* lane).stop, "the receipt of the test ends the stop")
    yield* drain(account)
    yield* sweep(account)
    assert.deepStrictEqual({ ...(yield* counts) }, { Accepted: before + 1, Fiscalised: 39 - before })
  })

  story("wait with the stop until the oldest was accepted a quiet period ago", function* (gateway) {
    const account = gateway.account({ firstLook: 0 })
    assert.strictEqual(yield* untilStopped(gateway, account, { between: "10 seconds" }), 31)
  })

  story("do not stop a lane in which a later document has its receipt", function* (gateway) {
    const account = gateway.account(quick)
    yield* plan(...many(30))
    gateway.state.status = (id) => (ordinal(id) % 3 === 0 ? fiscalised(id) : failed(id, text(ordinal(id))))
    yield* passing(yield* Effect.forkChild(runAccounts([account], { patience: "10 seconds" })))
    assert.deepStrictEqual({ ...(yield* counts) }, { Accepted: 20, Fiscalised: 10 })
    assert.isNull((yield* lane).sameCause)
  })

  story("test the lane with another buyer after a failed test", function* (gateway) {
    const account = gateway.account({ firstLook: 0 })
    yield* untilStopped(gateway, account, { dated: "assigned" })
    for (const _ of ["One Buyer", "Another Buyer"]) {
      yield* TestClock.adjust("15 minutes")
      yield* drain(account)
      yield* sweep(account)
    }
    assert.deepStrictEqual(sent(gateway).slice(10), ["i11", "i36"])
  })

  story("test the lane in its order where another would make a document with a stated time late", function* (gateway) {
    const account = gateway.account({ firstLook: 0 })
    yield* untilStopped(gateway, account)
    for (const _ of ["i11", "i12"]) {
      yield* TestClock.adjust("15 minutes")
      yield* drain(account)
      yield* sweep(account)
    }
    assert.deepStrictEqual(sent(gateway).slice(10), ["i11", "i12"])
  })

  story("are tested at once when an operator resumes", function* (gateway) {
    const account = gateway.account({ firstLook: 0 })
    const before = yield* untilStopped(gateway, account)
    yield* OpenAccount.open(account, { backOff: "over" })
    yield* drain(account)
    assert.strictEqual(gateway.submitted.length, before + 1)
  })
})

describe("a failure that arrives before its request id", () => {
  story("counts like any other", function* (gateway) {
    const store = yield* SubmissionStore
    yield* plan(invoice("i1"))
    yield* store.recordOutcomes("shop", [failed("r1", "out of order")], "webhook")
    yield* drain(gateway.account())
    assert.deepInclude(yield* lane, { failures: { ofRules: 0, others: 1 } })
  })
})
