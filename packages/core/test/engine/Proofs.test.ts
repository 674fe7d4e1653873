/**
 * One receipt, one proof, one document: what two successes, a contradiction inside one answer, and
 * a success without a proof lead to.
 */
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import type { StatusItem } from "../../src/gateway/operation/Status.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { invoice } from "../../src/testing/PlannedDocuments.ts"
import { drain, explain, get, plan, stateOf, sweep } from "./Engine.ts"
import { fiscalised, rejected, type ScriptedGateway } from "./ScriptedGateway.ts"
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
    assert.deepInclude(yield* conflictsOf("i1"), [
      "DOUBLE_FISCALISED",
      "verification codes A and none (request id r1)"
    ])
  })
})
