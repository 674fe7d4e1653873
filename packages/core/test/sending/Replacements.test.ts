/** Documents that their source states as replacements: no second receipt without an operator. */
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { PlannedDocument } from "../../src/submission/PlannedDocument.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { creditNote, invoice } from "../submission/PlannedDocuments.ts"
import { drain, get, key, plan, stateOf, sweep } from "./Engine.ts"
import { answers, type ScriptedGateway } from "./ScriptedGateway.ts"
import { story } from "./Story.ts"

const replacing = (id: string, value: string, fields: Parameters<typeof invoice>[1] = {}): PlannedDocument =>
  invoice(id, { replaces: { by: "id", value }, ...fields })

const holdOf = (id: string) => Effect.map(get(id), ({ hold }) => hold?.text ?? null)

const fiscalised = (gateway: ScriptedGateway) =>
  Effect.andThen(drain(gateway.account()), Effect.andThen(TestClock.adjust("1 minute"), sweep(gateway.account())))

describe("a replaced document", () => {
  story("that waits is withdrawn in the plan of its replacement, which is sent", function* (gateway) {
    yield* plan(invoice("i1"), invoice("i2", { held: "a question" }))
    yield* plan(replacing("i3", "i1"), replacing("i4", "N-i2", { replaces: { by: "number", value: "N-i2" } }))
    assert.deepStrictEqual([yield* stateOf("i1"), yield* stateOf("i2")], ["Withdrawn", "Withdrawn"])
    yield* drain(gateway.account())
    assert.deepStrictEqual(
      gateway.submitted.map(({ id }) => id),
      ["i3", "i4"]
    )
  })

  story("that was sent holds its replacement, until credit notes take its whole total", function* (gateway) {
    yield* plan(invoice("i1", { total: "100.00" }))
    yield* fiscalised(gateway)
    yield* plan(replacing("i9", "i1"))
    assert.strictEqual(
      yield* holdOf("i9"),
      "it replaces N-i1, which has a receipt (Fiscalised) and is not credited in full"
    )
    yield* plan(creditNote("c4", { credits: "i1", total: "40.00" }))
    yield* fiscalised(gateway)
    assert.strictEqual(yield* stateOf("i9"), "Held")
    yield* plan(creditNote("c5", { credits: "i1", total: "60.00" }))
    yield* fiscalised(gateway)
    assert.strictEqual(yield* stateOf("i9"), "Planned")
    yield* fiscalised(gateway)
    assert.strictEqual(yield* stateOf("i9"), "Fiscalised")
  })

  story("of unknown outcome holds its replacement, and an operator sends it with a reason", function* (gateway) {
    const store = yield* SubmissionStore
    gateway.answer("i1", answers.unknown)
    yield* plan(invoice("i1"))
    yield* drain(gateway.account())
    yield* plan(replacing("i3", "i1"))
    assert.strictEqual(
      yield* holdOf("i3"),
      "it replaces N-i1, which may have a receipt (Unknown when they were compared) and is not credited in full"
    )
    yield* plan(replacing("i3", "i1", { total: "2.00" }))
    assert.strictEqual(yield* stateOf("i3"), "Held")
    yield* store.decide(key("i3"), { _tag: "Resend" }, "both are sales")
    yield* plan(replacing("i3", "i1", { total: "3.00" }))
    assert.strictEqual(yield* stateOf("i3"), "Planned")
    // the decision is about the two documents, and outlives the request
    yield* store.decide(key("i1"), { _tag: "Fiscalised", proof: {} }, "seen in the portal")
    gateway.answer("i3", answers.declined)
    yield* drain(gateway.account())
    assert.strictEqual(yield* stateOf("i3"), "Declined")
    yield* plan(replacing("i3", "i1", { total: "4.00" }))
    assert.strictEqual(yield* stateOf("i3"), "Planned")
  })

  story("that holds its own replacement holds the next one of the chain", function* (gateway) {
    yield* plan(invoice("i1"))
    yield* fiscalised(gateway)
    yield* plan(replacing("i2", "i1"))
    yield* plan(replacing("i3", "i2"))
    assert.deepStrictEqual([yield* stateOf("i2"), yield* stateOf("i3")], ["Withdrawn", "Held"])
    assert.include(yield* holdOf("i3"), "it replaces N-i1")
  })

  story("that is named by its number in one plan holds the next one of the chain", function* (gateway) {
    yield* plan(invoice("i1"))
    yield* fiscalised(gateway)
    yield* plan(replacing("i2", "i1"), replacing("i3", "", { replaces: { by: "number", value: "N-i2" } }))
    assert.deepStrictEqual([yield* stateOf("i2"), yield* stateOf("i3")], ["Withdrawn", "Held"])
    assert.include(yield* holdOf("i3"), "it replaces N-i1")
    assert.deepStrictEqual([(yield* get("i2")).replaces, (yield* get("i3")).replaces], ["N-i1", "N-i2"])
  })

  story("that is planned after the next one of the chain holds it", function* (gateway) {
    yield* plan(invoice("i1"))
    yield* fiscalised(gateway)
    yield* plan(replacing("i3", "i2"), replacing("i2", "i1"))
    yield* fiscalised(gateway)
    assert.deepStrictEqual(
      [yield* stateOf("i2"), yield* stateOf("i3"), gateway.submitted.length],
      ["Withdrawn", "Held", 1]
    )
    assert.strictEqual((yield* get("i3")).replaces, "N-i2")
  })

  story("that arrives after its replacement named it by number is not sent beside it", function* (gateway) {
    yield* plan(replacing("i3", "", { replaces: { by: "number", value: "N-i1" } }))
    assert.strictEqual((yield* get("i3")).replaces, "N-i1")
    yield* fiscalised(gateway)
    yield* plan(invoice("i1"))
    yield* drain(gateway.account())
    assert.deepStrictEqual(
      [yield* stateOf("i1"), yield* holdOf("i1"), gateway.submitted.length],
      ["Held", "it is replaced by N-i3, which has a receipt (Fiscalised)", 1]
    )
  })

  story("that is named in another spelling of its number holds its replacement", function* (gateway) {
    yield* plan(invoice("i1"))
    yield* fiscalised(gateway)
    yield* plan(replacing("i2", "", { replaces: { by: "number", value: "n/I001" } }))
    assert.include(yield* holdOf("i2"), "it replaces N-i1")
  })

  story("that arrives after its replacement is not sent beside it", function* (gateway) {
    yield* plan(replacing("i1", "i2"))
    yield* fiscalised(gateway)
    yield* plan(invoice("i2"))
    yield* drain(gateway.account())
    assert.deepStrictEqual(
      [yield* stateOf("i2"), yield* holdOf("i2"), gateway.submitted.length],
      ["Held", "it is replaced by N-i1, which has a receipt (Fiscalised)", 1]
    )
  })

  story("that is planned after its replacement holds it when its turn comes", function* (gateway) {
    yield* plan(replacing("i3", "i1"))
    yield* plan(invoice("i1"))
    yield* drain(gateway.account())
    assert.deepStrictEqual(
      gateway.submitted.map(({ id }) => id),
      ["i1"]
    )
    assert.strictEqual(yield* stateOf("i3"), "Held")
  })
})
