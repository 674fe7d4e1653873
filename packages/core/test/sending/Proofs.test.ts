/**
 * One receipt, one proof, one document: what two successes, a contradiction inside one answer, and
 * a success without a proof lead to.
 */
import { assert, describe } from "@effect/vitest"
import { Clock, Duration, Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import * as Attention from "../../src/attention/Attention.ts"
import { RequestId } from "../../src/document/Identifiers.ts"
import * as BulkDecision from "../../src/session/BulkDecision.ts"
import type { StatusItem } from "../../src/gateway/operation/Status.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import type { Decision } from "../../src/submission/Decision.ts"
import { creditNote, invoice } from "../submission/PlannedDocuments.ts"
import { drain, explain, get, key, plan, runAccounts, stateOf, states, sweep } from "./Engine.ts"
import { passing } from "./PassingTime.ts"
import { answers, contradictory, fiscalised, rejected, type ScriptedGateway } from "./ScriptedGateway.ts"
import { story } from "./Story.ts"

const record = (...items: ReadonlyArray<StatusItem>) =>
  SubmissionStore.use((store) => store.recordOutcomes("shop", items, "webhook"))

const conflictsOf = (id: string) =>
  Effect.map(explain(id), ({ conflicts }) =>
    conflicts.flatMap(({ code, detail, settledAt }) => (settledAt === null ? [[code, detail]] : []))
  )

describe("a success of an earlier revision", () => {
  const corrected = function* (gateway: ScriptedGateway) {
    gateway.state.status = (id) => (id === "r1" ? rejected(id) : fiscalised(id, "A"))
    const account = gateway.account({ firstLook: 0 })
    yield* plan(invoice("i1"))
    yield* drain(account)
    yield* sweep(account)
    yield* plan(invoice("i1", { total: "20.00" }))
    yield* drain(account)
    yield* sweep(account)
    assert.strictEqual(yield* stateOf("i1"), "Fiscalised")
  }

  story("is a conflict after the later revision is fiscalised, even under the same code", function* (gateway) {
    yield* corrected(gateway)
    yield* record(fiscalised("r1", "A"))
    assert.deepInclude(yield* conflictsOf("i1"), [
      "OUTCOME_CONFLICT",
      "an earlier revision was fiscalised after all (verification code A)"
    ])
    assert.strictEqual((yield* get("i1")).state, "Fiscalised")
  })

  story("without a code is a second receipt", function* (gateway) {
    yield* corrected(gateway)
    yield* record(fiscalised("r1", null))
    assert.deepInclude(yield* conflictsOf("i1"), ["DOUBLE_FISCALISED", "verification codes A and none (request id r1)"])
  })
})

const decide = (decision: Decision) =>
  Effect.andThen(
    TestClock.adjust("10 minutes"),
    SubmissionStore.use((store) => store.decide(key("i1"), decision, "as the portal shows"))
  )
const failed: Decision = { _tag: "Rejected", rejection: { error: "not in the portal", nature: "correctable" } }

const concerns = SubmissionStore.use((store) =>
  Effect.map(store.health(Duration.days(7)), (health) => Attention.of(health).map(({ cause, code }) => [code, cause]))
)

describe("a failure with the proof of a receipt", () => {
  const contradicted = function* (gateway: ScriptedGateway) {
    gateway.state.status = (id) => contradictory(id)
    const account = gateway.account({ firstLook: 0 })
    yield* plan(invoice("i1"))
    yield* drain(account)
    yield* TestClock.adjust("1 second")
    yield* sweep(account)
    return account
  }

  story("is a conflict, and the corrected document is not sent", function* (gateway) {
    const account = yield* contradicted(gateway)
    assert.strictEqual(yield* stateOf("i1"), "Accepted")
    assert.deepStrictEqual(yield* conflictsOf("i1"), [
      ["SUCCESS_AND_FAILURE", "the gateway reports a failure and states the verification code V-r1 (request id r1)"]
    ])
    assert.strictEqual((yield* get("i1")).text, "printing failed")
    assert.strictEqual((yield* decide({ _tag: "Acknowledged" }))._tag, "Refused")
    assert.deepInclude(yield* concerns, ["CONFLICT", "SUCCESS_AND_FAILURE"])
    const [taken] = yield* plan(invoice("i1", { total: "20.00" }))
    assert.notStrictEqual(taken!.verdict._tag, "Revised")
    yield* drain(account)
    assert.strictEqual(gateway.submitted.length, 1)
    // a decision about the request does not answer what the source states
    const health = yield* SubmissionStore.use((store) => store.health(Duration.days(7)))
    const decisions = Attention.of(health).map(({ actions, cause }) => [
      cause,
      ...actions.flatMap(({ step }) => (step.do === "resolve" ? [step.as] : []))
    ])
    assert.deepInclude(decisions, ["SUCCESS_AND_FAILURE", "fiscalised"])
    assert.deepInclude(decisions, ["SOURCE_CONFLICT"])
  })

  story("takes a rejection back that was reported before, and is not taken back by a later one", function* (gateway) {
    gateway.state.status = (id) => rejected(id)
    const account = gateway.account({ firstLook: 0 })
    yield* plan(invoice("i1"))
    yield* drain(account)
    yield* sweep(account)
    assert.strictEqual(yield* stateOf("i1"), "Rejected")
    yield* record(contradictory("r1"))
    assert.strictEqual(yield* stateOf("i1"), "Accepted")
    yield* record({ ...rejected("r1"), error: "RCPT017: the same in other words" } as StatusItem)
    assert.strictEqual(yield* stateOf("i1"), "Accepted")
  })

  story("stays asked for, until a success decides and ends the conflict", function* (gateway) {
    const account = yield* contradicted(gateway)
    gateway.state.status = (id) => fiscalised(id)
    yield* TestClock.adjust("1 hour")
    yield* sweep(account)
    assert.strictEqual(yield* stateOf("i1"), "Fiscalised")
    assert.deepStrictEqual(yield* conflictsOf("i1"), [])
    yield* record(contradictory("r1"))
    assert.deepStrictEqual(yield* conflictsOf("i1"), [])
  })

  story("of another request or another code is not decided by a success", function* (gateway) {
    yield* contradicted(gateway)
    yield* record(fiscalised("r1", "OTHER"))
    assert.strictEqual(yield* stateOf("i1"), "Fiscalised")
    assert.deepStrictEqual(
      (yield* conflictsOf("i1")).map(([code]) => code),
      ["SUCCESS_AND_FAILURE"]
    )
  })

  story("is an answer once: the same again changes nothing, and no run goes on for it", function* (gateway) {
    yield* contradicted(gateway)
    // each look comes before the patience of the run is over
    const account = gateway.account({ firstLook: 0, longestPause: "5 seconds" })
    yield* TestClock.adjust("1 hour")
    assert.deepInclude(yield* sweep(account), { calls: 1, answered: 0 })
    const begun = yield* Clock.currentTimeMillis
    yield* passing(yield* Effect.forkChild(runAccounts([account], { patience: "10 seconds" })))
    assert.isAtMost((yield* Clock.currentTimeMillis) - begun, Duration.toMillis("1 minute"))
  })

  story("is asked for during the retention, and not after it", function* (gateway) {
    const account = yield* contradicted(gateway)
    const looks = gateway.asked.length
    yield* TestClock.adjust("6 days")
    yield* sweep(account)
    assert.isAbove(gateway.asked.length, looks)
    yield* TestClock.adjust("2 days")
    yield* sweep(account)
    const last = gateway.asked.length
    yield* TestClock.adjust("10 days")
    yield* sweep(account)
    assert.strictEqual(gateway.asked.length, last)
    assert.strictEqual(yield* stateOf("i1"), "Accepted")
  })

  story("is decided as failed by an operator after the quiet period, and can then be corrected", function* (gateway) {
    const account = yield* contradicted(gateway)
    const early = yield* SubmissionStore.use((store) => store.decide(key("i1"), failed, "as the portal shows"))
    assert.strictEqual(early._tag, "Refused")
    assert.deepInclude(yield* decide(failed), { _tag: "Resolved", to: "Rejected" })
    assert.deepStrictEqual(yield* conflictsOf("i1"), [])
    yield* record(contradictory("r1"))
    assert.strictEqual(yield* stateOf("i1"), "Rejected")
    yield* record(contradictory("r1", "ANOTHER"))
    assert.strictEqual(yield* stateOf("i1"), "Accepted")
    assert.deepInclude(yield* decide(failed), { _tag: "Resolved", to: "Rejected" })
    gateway.state.status = (id) => (id === "r1" ? rejected(id) : fiscalised(id))
    yield* plan(invoice("i1", { total: "20.00" }))
    yield* drain(account)
    assert.strictEqual(gateway.submitted.length, 2)
  })

  story("is decided as fiscalised by an operator", function* (gateway) {
    yield* contradicted(gateway)
    assert.deepInclude(yield* decide({ _tag: "Fiscalised", proof: { verificationCode: "V-r1" } }), { to: "Fiscalised" })
    assert.deepStrictEqual(yield* states, ["i1 Fiscalised"])
  })

  story("of an earlier revision holds the corrected document", function* (gateway) {
    gateway.state.status = (id) => rejected(id)
    const account = gateway.account({ firstLook: 0 })
    yield* plan(invoice("i1"))
    yield* drain(account)
    yield* sweep(account)
    yield* plan(invoice("i1", { total: "20.00" }))
    yield* record(contradictory("r1"))
    assert.strictEqual((yield* get("i1")).hold?.cause, "contradicted")
    yield* drain(account)
    assert.strictEqual(gateway.submitted.length, 1)
    assert.deepInclude(yield* decide({ _tag: "Fiscalised", proof: {} }), { to: "Fiscalised" })
  })

  story("of an earlier revision keeps a declined correction from being corrected again", function* (gateway) {
    gateway.state.status = (id) => rejected(id)
    gateway.answer("i1", gateway.accept, answers.declined)
    const account = gateway.account({ firstLook: 0 })
    yield* plan(invoice("i1"))
    yield* drain(account)
    yield* sweep(account)
    yield* plan(invoice("i1", { total: "20.00" }))
    yield* drain(account)
    assert.strictEqual(yield* stateOf("i1"), "Declined")
    yield* record(contradictory("r1"))
    assert.strictEqual(yield* stateOf("i1"), "Accepted")
  })

  story("keeps the number of a withdrawn document, and a held credit note counts as sent", function* (gateway) {
    gateway.state.status = (id) => (id === "r2" ? rejected(id) : fiscalised(id))
    const account = gateway.account({ firstLook: 0 })
    yield* plan(invoice("i1"), creditNote("c2", { credits: "i1" }))
    yield* drain(account)
    yield* sweep(account)
    yield* drain(account)
    yield* sweep(account)
    assert.strictEqual(yield* stateOf("c2"), "Rejected")
    yield* plan(creditNote("c2", { credits: "i1", total: "20.00" }))
    yield* record(contradictory("r2"))
    assert.strictEqual((yield* get("c2")).hold?.cause, "contradicted")
    const original = yield* SubmissionStore.use(({ ledger }) => ledger.original("shop", { by: "id", value: "i1" }))
    assert.strictEqual(Option.getOrThrow(original).credits[0]!.status, "sent")
  })
})

/** A success whose proof is stated exactly so. */
const proven = (requestId: string, verificationCode: string | null, fiscalDay: number, invoiceNumber: number) => {
  const success = fiscalised(requestId, verificationCode)
  assert(success._tag === "Fiscalised")
  return { ...success, qrData: { ...success.qrData!, fiscalDay, invoiceNumber } } satisfies StatusItem
}

describe("a proof of two documents", () => {
  /** Fiscalizes the documents in order, with these codes. */
  const sent = (gateway: ScriptedGateway, codes: ReadonlyArray<string | null>, start = 1) =>
    Effect.gen(function* () {
      gateway.state.status = () => null
      const ids = codes.map((_, n) => `i${start + n}`)
      yield* plan(...ids.map((id) => invoice(id)))
      yield* drain(gateway.account({ firstLook: 0 }))
      for (const [n, code] of codes.entries()) yield* record(proven(`r${start + n}`, code, 7, start + n))
    })
  const codesOf = (id: string) => Effect.map(conflictsOf(id), (found) => found.map(([code]) => code))

  story("is a conflict of both, and none of them is moved", function* (gateway) {
    yield* sent(gateway, ["A", "B", "A"])
    assert.deepStrictEqual(yield* states, ["i1 Fiscalised", "i2 Fiscalised", "i3 Fiscalised"])
    assert.deepStrictEqual(yield* conflictsOf("i1"), [
      ["PROOF_SHARED", "the verification code A is also stated for invoice N-i3"]
    ])
    assert.deepStrictEqual(yield* conflictsOf("i3"), [
      ["PROOF_SHARED", "the verification code A is also stated for invoice N-i1"]
    ])
    assert.deepStrictEqual(yield* conflictsOf("i2"), [])
    assert.deepInclude(yield* concerns, ["CONFLICT", "PROOF_SHARED"])
  })

  /** A document that is never sent, of which an operator states the code. */
  const claimed = (gateway: ScriptedGateway, id: string, verificationCode: string) =>
    Effect.gen(function* () {
      yield* plan(invoice(id, { receiptDate: "2026-01-01T08:00:00+02:00" }))
      yield* drain(gateway.account({ firstLook: 0 }))
      assert.strictEqual((yield* get(id)).hold?.cause, "late")
      const proof = { verificationCode }
      yield* SubmissionStore.use((store) => store.decide(key(id), { _tag: "Fiscalised", proof }, "as the portal shows"))
      assert.strictEqual(yield* stateOf(id), "Fiscalised")
    })

  story("is a conflict of both also if an operator stated it of a held document", function* (gateway) {
    yield* sent(gateway, ["A"])
    yield* claimed(gateway, "i2", "A")
    assert.deepStrictEqual(yield* Effect.forEach(["i1", "i2"], codesOf), [["PROOF_SHARED"], ["PROOF_SHARED"]])
  })

  story("is a conflict of both also if an operator stated it before the gateway did", function* (gateway) {
    yield* sent(gateway, ["A"])
    yield* claimed(gateway, "i2", "B")
    assert.deepStrictEqual(yield* Effect.forEach(["i1", "i2"], codesOf), [[], []])
    yield* plan(invoice("i3"))
    yield* drain(gateway.account({ firstLook: 0 }))
    yield* record(proven("r2", "B", 7, 2))
    assert.deepStrictEqual(yield* Effect.forEach(["i1", "i2", "i3"], codesOf), [[], ["PROOF_SHARED"], ["PROOF_SHARED"]])
    assert.strictEqual(yield* stateOf("i2"), "Fiscalised")
  })

  story("is a conflict of both if an operator stated it twice", function* (gateway) {
    yield* sent(gateway, ["A"])
    yield* claimed(gateway, "i2", "B")
    yield* claimed(gateway, "i3", "B")
    assert.deepStrictEqual(yield* Effect.forEach(["i1", "i2", "i3"], codesOf), [[], ["PROOF_SHARED"], ["PROOF_SHARED"]])
  })

  story("says nothing if three documents have it: one item of the account", function* (gateway) {
    yield* sent(gateway, ["A", "A", "A", "A"])
    const codes = yield* Effect.forEach(["i1", "i2", "i3", "i4"], codesOf)
    assert.deepStrictEqual(codes, [[], [], ["CODE_NOT_UNIQUE"], []])
    assert.deepStrictEqual(yield* concerns, [["CONFLICT", "CODE_NOT_UNIQUE"]])
    yield* SubmissionStore.use((store) => store.decide(key("i3"), { _tag: "Acknowledged" }, "seen in the portal"))
    yield* sent(gateway, ["A", "B", "B", "B"], 5)
    assert.deepStrictEqual(yield* concerns, [])
  })

  story("no longer makes one receipt of two request ids once three documents have it", function* (gateway) {
    gateway.state.status = (id) => (id === "r1" ? rejected(id) : fiscalised(id, "A"))
    const account = gateway.account({ firstLook: 0 })
    yield* plan(invoice("i1"))
    yield* drain(account)
    yield* sweep(account)
    yield* plan(invoice("i1", { total: "20.00" }))
    yield* drain(account)
    yield* sweep(account)
    yield* record(fiscalised("r1", "A"))
    assert.notInclude(yield* codesOf("i1"), "DOUBLE_FISCALISED")
    yield* plan(invoice("i3"), invoice("i4"))
    yield* drain(account)
    yield* sweep(account)
    assert.include(yield* codesOf("i1"), "DOUBLE_FISCALISED")
  })

  story("of another device is another receipt", function* (gateway) {
    yield* sent(gateway, ["A"])
    for (const deviceId of [2002, 3003]) {
      const [account, id, tin] = [`of ${deviceId}`, `i${deviceId}`, String(2_000_000_000 + deviceId)]
      yield* plan(invoice(id, { account, lane: `test/${deviceId}`, taxpayer: tin }))
      yield* drain(gateway.account({ account, firstLook: 0 }, { deviceId, tin }))
      const requestId = `r${gateway.submitted.length}`
      yield* SubmissionStore.use((store) =>
        store.recordOutcomes(account, [fiscalised(requestId, "A", deviceId)], "webhook")
      )
    }
    assert.deepStrictEqual(
      (yield* states).map((one) => one.split(" ")[1]),
      ["Fiscalised", "Fiscalised", "Fiscalised"]
    )
    assert.deepStrictEqual(yield* concerns, [])
  })

  story("with one receipt number and two codes is one item of the lane", function* (gateway) {
    gateway.state.status = () => null
    yield* plan(...["i1", "i2", "i3"].map((id) => invoice(id)))
    yield* drain(gateway.account({ firstLook: 0 }))
    for (const n of [1, 2, 3]) yield* record(proven(`r${n}`, `V${n}`, 7, 41))
    assert.deepStrictEqual(yield* concerns, [["CONFLICT", "RECEIPT_NOT_UNIQUE"]])
    assert.deepStrictEqual(yield* Effect.forEach(["i1", "i2", "i3"], codesOf), [[], ["RECEIPT_NOT_UNIQUE"], []])
  })

  story("with one receipt number on two days is two receipts", function* (gateway) {
    gateway.state.status = () => null
    yield* plan(invoice("i1"), invoice("i2"))
    yield* drain(gateway.account({ firstLook: 0 }))
    yield* record(proven("r1", "A", 7, 41), proven("r2", "B", 8, 41))
    assert.deepStrictEqual(yield* concerns, [])
  })
})

describe("a success without a proof", () => {
  const unproven = (requestId: string): StatusItem => ({
    _tag: "Fiscalised",
    requestId: RequestId.make(requestId),
    qrData: null,
    fiscalInvoicePdf: null,
    missing: "proof"
  })
  const succeeded = function* (gateway: ScriptedGateway) {
    gateway.state.status = unproven
    const account = gateway.account({ firstLook: 0 })
    yield* plan(invoice("i1"))
    yield* drain(account)
    yield* TestClock.adjust("1 second")
    yield* sweep(account)
    assert.strictEqual(yield* stateOf("i1"), "Fiscalised")
    return account
  }

  story("stays asked for with growing pauses, to the end of the retention", function* (gateway) {
    yield* succeeded(gateway)
    const account = gateway.account()
    const first = gateway.asked.length
    for (let minute = 0; minute < 60; minute++) {
      yield* TestClock.adjust("1 minute")
      yield* sweep(account)
    }
    const inTheHour = gateway.asked.length - first
    assert.isTrue(inTheHour >= 5 && inTheHour < 30, `${inTheHour} looks`)
    yield* TestClock.adjust("6 days")
    yield* sweep(account)
    const before = gateway.asked.length
    yield* TestClock.adjust("23 hours")
    yield* sweep(account)
    yield* TestClock.adjust("2 hours")
    yield* sweep(account)
    assert.isAbove(gateway.asked.length, before)
    const last = gateway.asked.length
    yield* TestClock.adjust("3 days")
    yield* sweep(account)
    assert.strictEqual(gateway.asked.length, last)
    assert.strictEqual(yield* stateOf("i1"), "Fiscalised")
  })

  story("after a processing of eight days is asked for in the seven days after it", function* (gateway) {
    const account = gateway.account({ firstLook: 0 })
    gateway.state.status = (id) => unproven(id)
    yield* plan(invoice("i1"))
    yield* drain(account)
    yield* TestClock.adjust("8 days")
    yield* record(unproven("r1"))
    yield* TestClock.adjust("1 hour")
    yield* sweep(account)
    gateway.state.status = (id) => fiscalised(id)
    yield* TestClock.adjust("6 hours")
    yield* sweep(account)
    assert.strictEqual((yield* get("i1")).proof?.verificationCode, "V-r1")
  })

  story("is an item from ten minutes on, which ends with the proof", function* (gateway) {
    const account = yield* succeeded(gateway)
    yield* TestClock.adjust("9 minutes")
    assert.deepStrictEqual(yield* concerns, [])
    yield* TestClock.adjust("1 minute")
    assert.deepStrictEqual(yield* concerns, [["PROOF_MISSING", "missing"]])
    gateway.state.status = (id) => fiscalised(id)
    yield* TestClock.adjust("1 hour")
    yield* sweep(account)
    assert.deepStrictEqual(yield* concerns, [])
    assert.strictEqual((yield* get("i1")).proof?.verificationCode, "V-r1")
    const asked = gateway.asked.length
    yield* TestClock.adjust("2 hours")
    yield* sweep(account)
    assert.strictEqual(gateway.asked.length, asked)
  })

  story("is one item per cause, and an operator dismisses it", function* (gateway) {
    gateway.state.status = (id) =>
      ({ ...unproven(id), ...(id === "r3" && { missing: "readable-proof" }) }) as StatusItem
    const account = gateway.account({ firstLook: 0 })
    yield* plan(invoice("i1"), invoice("i2"), invoice("i3"))
    yield* drain(account)
    yield* sweep(account)
    yield* TestClock.adjust("1 hour")
    yield* sweep(account)
    assert.sameDeepMembers(
      [...(yield* concerns)],
      [
        ["PROOF_MISSING", "missing"],
        ["PROOF_MISSING", "unreadable"]
      ]
    )
    for (const id of ["i1", "i2", "i3"])
      yield* SubmissionStore.use((store) => store.decide(key(id), { _tag: "Acknowledged" }, "seen in the portal"))
    yield* TestClock.adjust("1 hour")
    yield* sweep(account)
    assert.deepStrictEqual(yield* concerns, [])
  })

  story("is dismissed with others of its kind in one decision, and with no other conflict", function* (gateway) {
    gateway.state.status = (id) => (id === "r3" ? ({ ...unproven(id), said: "RCPT025" } as StatusItem) : unproven(id))
    const account = gateway.account({ firstLook: 0 })
    yield* plan(invoice("i1"), invoice("i2"), invoice("i3"))
    yield* drain(account)
    yield* sweep(account)
    yield* TestClock.adjust("1 hour")
    const health = yield* SubmissionStore.use((store) => store.health(Duration.days(7)))
    const step = Attention.of(health)
      .find(({ code }) => code === "PROOF_MISSING")
      ?.actions.at(-1)?.step
    assert.deepStrictEqual(step, {
      do: "resolve",
      as: "acknowledged",
      of: { state: "Fiscalised", conflict: "PROOF_MISSING" }
    })
    const { documents } = yield* BulkDecision.select({ state: "Fiscalised", conflict: "PROOF_MISSING" }, "Acknowledged")
    assert.deepStrictEqual(
      documents.map(({ id }) => id),
      ["i1", "i2"]
    )
  })

  story("raises no alarm about the end of the retention", function* (gateway) {
    yield* succeeded(gateway)
    yield* TestClock.adjust("6 days")
    assert.deepStrictEqual(yield* concerns, [["PROOF_MISSING", "missing"]])
  })

  story("that arrives before the request id is known stays asked for, too", function* (gateway) {
    const account = gateway.account({ firstLook: 0 })
    gateway.state.status = (id) => fiscalised(id)
    yield* record(unproven("r1"))
    yield* plan(invoice("i1"))
    yield* drain(account)
    assert.strictEqual(yield* stateOf("i1"), "Fiscalised")
    yield* TestClock.adjust("1 minute")
    yield* sweep(account)
    assert.strictEqual((yield* get("i1")).proof?.verificationCode, "V-r1")
  })
})
