/**
 * An operator states that a request without a request id was not processed, and the gateway then
 * refuses the next request: the refusal may be the answer to the first request.
 */
import { assert, describe } from "@effect/vitest"
import { DateTime, Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import type { Decision } from "../../src/submission/Decision.ts"
import * as PermittedDecision from "../../src/submission/PermittedDecision.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { invoice } from "../submission/PlannedDocuments.ts"
import { drain, explain, get, key, plan, stateOf, sweep } from "./Engine.ts"
import { answers, fiscalised, rejected, type ScriptedGateway } from "./ScriptedGateway.ts"
import { story } from "./Story.ts"

const decide = (decision: Decision, although?: "recent") =>
  SubmissionStore.use((store) => store.decide(key("i1"), decision, "as the portal shows", although))

const refusals = {
  "a rejection without a code": { answer: null, text: "Duplicate invoice number", after: "Rejected" },
  "a rejection with a code": { answer: null, text: "RCPT013: the number was used", after: "Rejected" },
  "a refused request (400)": { answer: answers.declined, text: "Total is missing", after: "Declined" }
} as const

type Refusal = (typeof refusals)[keyof typeof refusals]

/** Loses the answer to the first request, and has the document sent again by `decision`. */
const lost = (gateway: ScriptedGateway, decision: Decision = { _tag: "NotProcessed" }) =>
  Effect.gen(function* () {
    // every failure is a result, so that a text without a code settles in one look
    const account = gateway.account({ firstLook: 0, assumptions: { "STAT-9": "any" } })
    gateway.answer("i1", answers.unknown)
    yield* plan(invoice("i1"))
    yield* drain(account)
    yield* TestClock.adjust("5 minutes")
    assert.strictEqual((yield* decide(decision))._tag, "Resolved")
    return account
  })

/** Sends the document, and the gateway refuses the request. */
const refuse = (gateway: ScriptedGateway, account: ReturnType<ScriptedGateway["account"]>, refusal: Refusal) =>
  Effect.gen(function* () {
    if (refusal.answer !== null) gateway.answer("i1", refusal.answer)
    gateway.state.status = (id) => ({ ...rejected(id), error: refusal.text })
    yield* drain(account)
    if (refusal.answer === null) yield* sweep(account)
  })

const lostThenRefused = (gateway: ScriptedGateway, refusal: Refusal) =>
  Effect.tap(lost(gateway), (account) => refuse(gateway, account, refusal))

const offered = Effect.map(explain("i1"), (explanation) =>
  PermittedDecision.of(explanation).flatMap(({ decision }) => (decision === "Acknowledged" ? [] : [decision]))
)

for (const [name, refusal] of Object.entries(refusals)) {
  describe(`${name} after an operator stated that the lost request was not processed`, () => {
    story("holds the document, and shows what the gateway says", function* (gateway) {
      yield* lostThenRefused(gateway, refusal)
      const { hold, state } = yield* get("i1")
      assert.deepStrictEqual([state, hold?.cause], ["Held", "contradicted"])
      assert.match(hold!.text, /an earlier request may have been fiscalised; the gateway now says: /)
      assert.include(hold!.text, refusal.text)
      assert.deepStrictEqual(yield* offered, ["Fiscalised", "NotProcessed"])
    })

    story("takes no correction, no resend and no withdrawal", function* (gateway) {
      const account = yield* lostThenRefused(gateway, refusal)
      yield* TestClock.adjust("1 hour")
      yield* plan(invoice("i1", { total: "2.00", fingerprint: "corrected" }))
      for (const decision of [{ _tag: "Resend" }, { _tag: "Withdrawn" }] as const) {
        assert.strictEqual((yield* decide(decision))._tag, "Refused", decision._tag)
      }
      yield* drain(account)
      assert.deepStrictEqual([yield* stateOf("i1"), gateway.submitted.length], ["Held", 2])
    })

    story("is recorded as fiscalised by one decision, without a contradiction left", function* (gateway) {
      yield* lostThenRefused(gateway, refusal)
      assert.strictEqual((yield* decide({ _tag: "Fiscalised", proof: { verificationCode: "V-1" } }))._tag, "Resolved")
      const { conflicts, submission } = yield* explain("i1")
      assert.deepStrictEqual([submission.state, submission.proof?.verificationCode], ["Fiscalised", "V-1"])
      assert.deepStrictEqual(conflicts, [])
    })

    story("is corrected after the operator states it once more, a quiet period after the refusal", function* (gateway) {
      const account = yield* lostThenRefused(gateway, refusal)
      const early = yield* decide({ _tag: "NotProcessed" })
      const from = early._tag === "Refused" ? early.from : undefined
      assert.isTrue(from !== undefined && DateTime.Equivalence(from, DateTime.makeUnsafe("2026-01-10T13:10:00Z")))
      const permitted = PermittedDecision.of(yield* explain("i1")).find((one) => one.decision === "NotProcessed")
      assert.deepStrictEqual(permitted?.from, from)
      yield* TestClock.adjust("5 minutes")
      assert.deepStrictEqual(yield* decide({ _tag: "NotProcessed" }), {
        _tag: "Resolved",
        from: "Held",
        to: refusal.after
      })
      gateway.state.status = (id) => (id === "r1" && refusal.answer === null ? rejected(id) : fiscalised(id))
      yield* plan(invoice("i1", { total: "2.00", fingerprint: "corrected" }))
      yield* drain(account)
      yield* sweep(account)
      assert.deepStrictEqual([yield* stateOf("i1"), gateway.submitted.length], ["Fiscalised", 3])
    })

    story("is settled by the second statement: the refusal of the correction is an ordinary one", function* (gateway) {
      const account = yield* lostThenRefused(gateway, refusal)
      yield* TestClock.adjust("5 minutes")
      yield* decide({ _tag: "NotProcessed" })
      yield* plan(invoice("i1", { total: "2.00", fingerprint: "corrected" }))
      yield* refuse(gateway, account, refusal)
      assert.deepStrictEqual([yield* stateOf("i1"), gateway.submitted.length], [refusal.after, 3])
    })
  })
}

describe("a refusal", () => {
  const duplicate = refusals["a rejection without a code"]

  story("answers also an operator's statement that the lost request was rejected", function* (gateway) {
    const account = yield* lost(gateway, { _tag: "Rejected", rejection: { error: "seen", nature: "correctable" } })
    yield* plan(invoice("i1", { total: "2.00", fingerprint: "corrected" }))
    yield* refuse(gateway, account, duplicate)
    assert.deepStrictEqual((yield* get("i1")).hold?.cause, "contradicted")
    yield* TestClock.adjust("5 minutes")
    yield* decide({ _tag: "NotProcessed" })
    assert.strictEqual(yield* stateOf("i1"), "Rejected")
  })

  story("that is repeated leaves the document held", function* (gateway) {
    yield* lostThenRefused(gateway, duplicate)
    const again = { ...rejected("r1"), error: "Number is in use" }
    yield* SubmissionStore.use((store) => store.recordOutcomes("shop", [again], "webhook"))
    assert.deepStrictEqual((yield* get("i1")).hold?.cause, "contradicted")
  })

  story("followed by a success of the same request makes the document fiscalised", function* (gateway) {
    yield* lostThenRefused(gateway, duplicate)
    yield* SubmissionStore.use((store) => store.recordOutcomes("shop", [fiscalised("r1")], "webhook"))
    assert.strictEqual(yield* stateOf("i1"), "Fiscalised")
  })

  story("holds the document although a policy, and no operator, had it sent again", function* (gateway) {
    const account = gateway.account({
      firstLook: 0,
      unknown: "resend-flagged",
      assumptions: { "DOC-10": "deduplicates" }
    })
    gateway.answer("i1", answers.unknown)
    yield* plan(invoice("i1"))
    yield* drain(account)
    yield* TestClock.adjust("10 minutes")
    yield* refuse(gateway, account, refusals["a refused request (400)"])
    assert.deepStrictEqual((yield* get("i1")).hold?.cause, "contradicted")
  })

  for (const [state, decisions] of [
    ["Unknown", 1],
    ["Planned", 2]
  ] as const) {
    story(`that arrives late for a document that is ${state} holds it before it is sent again`, function* (gateway) {
      const account = yield* lost(gateway)
      gateway.answer("i1", answers.unknown)
      yield* drain(account)
      yield* TestClock.adjust("5 minutes")
      if (decisions === 2) yield* decide({ _tag: "NotProcessed" })
      assert.strictEqual(yield* stateOf("i1"), state)
      const { attempts } = yield* explain("i1")
      const result = { _tag: "Declined", text: "the number is in use" } as const
      yield* SubmissionStore.use((store) =>
        store.finishAttempt({ attempt: attempts[1]!.id, result, firstLook: Duration.zero })
      )
      yield* drain(account)
      const { hold } = yield* get("i1")
      assert.deepStrictEqual([hold?.cause, gateway.submitted.length], ["contradicted", 2])
      assert.include(hold!.text, "the number is in use")
      yield* TestClock.adjust("5 minutes")
      yield* decide({ _tag: "NotProcessed" })
      assert.strictEqual(yield* stateOf("i1"), "Declined")
    })
  }

  story("of a document without an earlier lost request is corrected as before", function* (gateway) {
    const account = gateway.account({ firstLook: 0, assumptions: { "STAT-9": "any" } })
    yield* plan(invoice("i1"))
    yield* refuse(gateway, account, duplicate)
    assert.strictEqual(yield* stateOf("i1"), "Rejected")
    gateway.state.status = (id) => (id === "r1" ? rejected(id) : fiscalised(id))
    yield* plan(invoice("i1", { total: "2.00", fingerprint: "corrected" }))
    yield* drain(account)
    assert.strictEqual(gateway.submitted.length, 2)
  })
})
