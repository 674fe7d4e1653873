import { assert, describe } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import * as KnowYourGateway from "../../src/attention/KnowYourGateway.ts"
import { type AssumptionId, assumptions } from "../../src/gateway/assumption/Assumptions.ts"
import { type AssumptionSwitches, defaults } from "../../src/gateway/contract/AssumptionSwitches.ts"
import type { StatusItem } from "../../src/gateway/operation/Status.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { invoice } from "../submission/PlannedDocuments.ts"
import { drain, plan, sweep } from "../sending/Engine.ts"
import { failed, fiscalised, pending, rejected } from "../sending/ScriptedGateway.ts"
import { story } from "../sending/Story.ts"

const ids = Object.keys(assumptions) as ReadonlyArray<AssumptionId>

const observed = (switches: Partial<AssumptionSwitches> = {}, control: ReadonlyArray<StatusItem> | null = []) =>
  SubmissionStore.use((store) =>
    Effect.map(store.gatewaySeen("shop"), (seen) => {
      const all = KnowYourGateway.of(ids, { seen, control, switches: { ...defaults, ...switches } })
      return (id: AssumptionId) => {
        const { is, saw, setting } = all.find((one) => one.id === id)!
        return [is, saw, setting] as const
      }
    })
  )

const receipt = (requestId: string, invoiceNumber: number, verificationCode = `V-${requestId}`): StatusItem => {
  const item = fiscalised(requestId, verificationCode)
  return item._tag === "Fiscalised" ? { ...item, qrData: { ...item.qrData!, invoiceNumber } } : item
}

describe("what an account has seen of its gateway", () => {
  story("is nothing before the first request", function* () {
    const of = yield* observed()
    for (const id of ["HOOK-1", "STAT-1", "STAT-3", "STAT-7", "DOC-10", "ORD-1", "LIM-1"] as const)
      assert.strictEqual(of(id)[0], "not-seen", id)
    assert.deepStrictEqual(of("AUTH-4"), ["no-evidence", "", null])
    assert.deepStrictEqual(of("STAT-9").slice(0, 2), [
      "agrees",
      "an unknown request id is left out; of 0 failures, 0 texts and 0 settled ones were followed by a success of the same request"
    ])
  })

  story("agrees with a gateway as it is assumed to be", function* (gateway) {
    const account = gateway.account({ firstLook: "10 seconds" })
    const store = yield* SubmissionStore
    yield* plan(...["i1", "i2", "i3"].map((id) => invoice(id)))
    gateway.state.status = (id) => (id === "r3" ? pending(id) : receipt(id, Number(id.slice(1))))
    yield* drain(account)
    yield* TestClock.adjust("10 seconds")
    yield* sweep(account)
    yield* TestClock.adjust("20 seconds")
    yield* store.recordOutcomes("shop", [rejected("r3")], "webhook")
    const of = yield* observed()
    assert.deepStrictEqual(of("STAT-1"), ["agrees", "1 requests were reported as pending", null])
    assert.deepStrictEqual(of("STAT-3"), ["agrees", "of 1 failures, 1 name a code", null])
    assert.deepStrictEqual(of("STAT-7"), ["agrees", "half of the outcomes came within 10 s, all within 30 s", null])
    assert.deepStrictEqual(of("HOOK-1"), ["agrees", "1 outcomes were read from deliveries", null])
    assert.strictEqual(of("HOOK-2")[0], "agrees")
    assert.strictEqual(of("ORD-1")[0], "agrees")
    assert.strictEqual(of("STAT-8")[0], "agrees")
  })

  story("contradicts what the gateway does otherwise, and names the setting that would fit", function* (gateway) {
    const account = gateway.account({ firstLook: 0 })
    const store = yield* SubmissionStore
    yield* plan(invoice("i1"), invoice("i2"))
    const numbers = { r1: 9, r2: 8 } as Readonly<Record<string, number>>
    gateway.state.status = (id) => receipt(id, numbers[id] ?? 1, "V-same")
    yield* drain(account)
    yield* store.recordOutcomes("shop", [rejected("r1")], "webhook")
    yield* TestClock.adjust("5 minutes")
    yield* store.recordOutcomes("shop", [receipt("r1", 9, "V-same"), receipt("r2", 8, "V-same")], "webhook")
    const of = yield* observed({}, null)
    assert.deepStrictEqual(
      of("ORD-1").filter((_, n) => n !== 1),
      ["contradicts", '"ORD-1": "outcome"']
    )
    assert.strictEqual((yield* observed({ "ORD-1": "outcome" }))("ORD-1")[0], "agrees")
    assert.match(of("HOOK-2")[1], /2 share a code/)
    assert.strictEqual(of("HOOK-2")[0], "contradicts")
    assert.deepStrictEqual(of("STAT-10"), [
      "contradicts",
      "of 1 failures with a code, 1 were followed by a success of the same request",
      null
    ])
    assert.deepStrictEqual(
      of("STAT-7").filter((_, n) => n !== 1),
      ["contradicts", '"STAT-7": 300']
    )
  })

  story("agrees with a text before a success, and contradicts a settled failure before one", function* (gateway) {
    const account = gateway.account({ firstLook: 0 })
    yield* plan(invoice("i1"))
    gateway.state.status = (id) => failed(id, "Pending")
    yield* drain(account)
    yield* sweep(account)
    const store = yield* SubmissionStore
    yield* store.recordOutcomes("shop", [receipt("r1", 9)], "webhook")
    const text = (yield* observed())("STAT-9")
    assert.strictEqual(text[0], "agrees")
    assert.match(text[1], /of 1 failures, 1 texts and 0 settled ones were followed by a success/)
    const hasty = gateway.account({ firstLook: 0, assumptions: { "STAT-9": "any" } })
    yield* plan(invoice("i2"))
    yield* drain(hasty)
    yield* sweep(hasty)
    yield* store.recordOutcomes("shop", [receipt("r2", 10)], "webhook")
    const [is, , setting] = (yield* observed())("STAT-9")
    assert.deepStrictEqual([is, setting], ["contradicts", '"STAT-9": "never"'])
  })

  story("shows answers that count as not processed, and outcomes that came after one", function* () {
    const store = yield* SubmissionStore
    yield* plan(invoice("i1"))
    const claimed = yield* store.claim("test/1001", "worker", Duration.minutes(2), () => false)
    const lease = claimed._tag === "Claimed" ? claimed.lease : assert.fail("the lane is free")
    const begun = yield* store.beginAttempt(lease, {
      accounts: [{ account: "shop", environment: "test", afterRejection: "retry", continueAfter: "accepted" }],
      lease: Duration.minutes(2),
      skew: Duration.zero
    })
    yield* store.finishAttempt({
      attempt: begun._tag === "Begun" ? begun.attempt : assert.fail("it was begun"),
      result: { _tag: "NotProcessed", text: "answered 429" },
      exchanged: { stage: "answered", status: 429, code: null, millis: 20 },
      firstLook: Duration.zero
    })
    const before = (yield* observed())("LIM-1")
    assert.deepStrictEqual(before, [
      "agrees",
      "answers that count as not processed: 1 × 429; 0 outcomes of no known request arrived within 15 minutes after one",
      null
    ])
    yield* TestClock.adjust("14 minutes")
    yield* store.recordOutcomes("shop", [receipt("r9", 10)], "webhook")
    const [is, , setting] = (yield* observed())("LIM-1")
    assert.deepStrictEqual([is, setting], ["contradicts", '"LIM-1": "unknown"'])
  })
})
