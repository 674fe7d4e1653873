/**
 * A success with an error text: the receipt counts, and the text remains on the document until an
 * operator has settled it.
 */
import { assert, describe } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import * as Attention from "../../src/attention/Attention.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { invoice } from "../submission/PlannedDocuments.ts"
import { drain, explain, get, key, plan, sweep } from "./Engine.ts"
import { fiscalised } from "./ScriptedGateway.ts"
import { story } from "./Story.ts"

const text = "RCPT025: the tax is not valid on this date"
const concerned = SubmissionStore.use((store) =>
  Effect.map(store.health(Duration.days(7)), (health) => Attention.of(health).map(({ code }) => code))
)

describe("a success with an error text", () => {
  story("is fiscalised, and its text is shown until an operator has handled it", function* (gateway) {
    gateway.state.status = (id) => ({ ...fiscalised(id), said: text }) as ReturnType<typeof fiscalised>
    const account = gateway.account({ firstLook: 0 })
    yield* plan(invoice("i1"))
    yield* drain(account)
    yield* TestClock.adjust("1 second")
    yield* sweep(account)
    const { proof, text: said, state } = yield* get("i1")
    assert.deepStrictEqual([state, said, proof?.said], ["Fiscalised", text, text])
    const { conflicts } = yield* explain("i1")
    assert.deepStrictEqual(
      conflicts.map(({ code, detail }) => [code, detail]),
      [["SUCCESS_WITH_ERROR", text]]
    )
    assert.include(yield* concerned, "CONFLICT")
    yield* SubmissionStore.use((store) => store.decide(key("i1"), { _tag: "Acknowledged" }, "seen in the portal"))
    assert.notInclude(yield* concerned, "CONFLICT")
    assert.strictEqual((yield* get("i1")).text, text)
  })

  story("that is repeated reports nothing new", function* (gateway) {
    gateway.state.status = (id) => ({ ...fiscalised(id), said: text }) as ReturnType<typeof fiscalised>
    const account = gateway.account({ firstLook: 0 })
    yield* plan(invoice("i1"))
    yield* drain(account)
    yield* TestClock.adjust("1 second")
    yield* sweep(account)
    const item = { ...fiscalised("r1"), said: text } as ReturnType<typeof fiscalised>
    yield* SubmissionStore.use((store) => store.recordOutcomes("shop", [item, fiscalised("r1")], "webhook"))
    assert.strictEqual((yield* explain("i1")).conflicts.length, 1)
    assert.strictEqual((yield* get("i1")).text, text)
  })
})
