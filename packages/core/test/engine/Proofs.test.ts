/**
 * One receipt, one proof, one document: what two successes, a contradiction inside one answer, and
 * a success without a proof lead to.
 */
import { assert, describe } from "@effect/vitest"
import { Duration, Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import * as Attention from "../../src/attention/Attention.ts"
import type { StatusItem } from "../../src/gateway/operation/Status.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import type { Decision } from "../../src/submission/Decision.ts"
import { creditNote, invoice } from "../../src/testing/PlannedDocuments.ts"
import { drain, explain, get, key, plan, stateOf, states, sweep } from "./Engine.ts"
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
    assert.strictEqual((yield* get("i1")).said, "printing failed")
    assert.deepInclude(yield* concerns, ["CONFLICT", "SUCCESS_AND_FAILURE"])
    const [taken] = yield* plan(invoice("i1", { total: "20.00" }))
    assert.notStrictEqual(taken!.verdict._tag, "Revised")
    yield* drain(account)
    assert.strictEqual(gateway.submitted.length, 1)
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
