/**
 * A decision to send a held document names the cause that it goes past. Each guard before an
 * attempt asks for its own cause only.
 */
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import * as Attention from "../../src/attention/Attention.ts"
import * as BulkDecision from "../../src/session/BulkDecision.ts"
import type { Action } from "../../src/attention/Action.ts"
import * as CivilDate from "../../src/document/CivilDate.ts"
import { unmarked } from "../../src/submission/ledger/NewestAttempt.ts"
import type { Decision } from "../../src/submission/Decision.ts"
import { causeNamed, decided, type HoldCause } from "../../src/submission/PlannedDocument.ts"
import { parseOverride } from "../../src/submission/Revisit.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { invoice } from "../submission/PlannedDocuments.ts"
import { drain, explain, get, key, plan, stateOf, states, sweep, test } from "./Engine.ts"
import { answers, make, rejected } from "./ScriptedGateway.ts"
import { story } from "./Story.ts"

const day = (text: string) => Option.getOrThrow(CivilDate.parse(text))

const decide = (decision: Decision, id = "i1") =>
  SubmissionStore.use((store) => store.decide(key(id), decision, "the portal does not have it"))

const resend = decide({ _tag: "Resend" })
const causeOf = (id: string) => Effect.map(get(id), ({ hold }) => hold?.cause)

const accepted = Effect.andThen(
  SubmissionStore.use((store) => store.acceptOlder(day("2026-01-11"), unmarked)),
  TestClock.adjust("5 minutes")
)

describe("a decision to send a document that an operator held", () => {
  story("does not send a document that an older copy of the store may lack", function* (gateway) {
    yield* plan(invoice("i1", { held: "the buyer is to be asked" }))
    yield* accepted
    yield* resend
    yield* drain(gateway.account())
    assert.deepStrictEqual([yield* causeOf("i1"), gateway.submitted.length], ["older-copy", 0])
    yield* resend
    yield* drain(gateway.account())
    assert.strictEqual(gateway.submitted.length, 1)
  })

  story("does not send a correction whose earlier request is no longer reported as rejected", function* (gateway) {
    const account = gateway.account({ firstLook: 0 })
    gateway.state.status = (id) => rejected(id)
    yield* plan(invoice("i1"))
    yield* drain(account)
    yield* sweep(account)
    yield* plan(invoice("i1", { total: "2.00", held: "the buyer is to be asked" }))
    yield* resend
    gateway.state.status = () => null
    yield* drain(account)
    assert.deepStrictEqual([yield* causeOf("i1"), gateway.submitted.length], ["rejection-unconfirmed", 1])
    yield* resend
    yield* drain(account)
    assert.strictEqual(gateway.submitted.length, 2)
  })

  story("does not send a document that is dated before the account begins", function* (gateway) {
    const account = gateway.account({ notBefore: day("2026-01-11") })
    yield* plan(invoice("i1", { held: "the buyer is to be asked" }))
    yield* resend
    yield* drain(account)
    assert.deepStrictEqual([yield* causeOf("i1"), gateway.submitted.length], ["before-start", 0])
  })
})

story(
  "a document of the last day that an older copy may lack is held, and one of the day after is sent",
  function* (gateway) {
    const store = yield* SubmissionStore
    yield* store.acceptOlder(day("2026-01-09"), unmarked)
    yield* TestClock.adjust("5 minutes")
    yield* plan(invoice("i1", { sourceDate: "2026-01-09" }), invoice("i2", { sourceDate: "2026-01-10" }))
    yield* drain(gateway.account())
    assert.deepStrictEqual([yield* causeOf("i1"), gateway.submitted.map(({ id }) => id)], ["older-copy", ["i2"]])
  }
)

story("a document dated before the account begins is sent by an operator's decision", function* (gateway) {
  const account = gateway.account({ notBefore: day("2026-01-11") })
  yield* plan(invoice("i1"))
  yield* drain(account)
  assert.strictEqual(yield* causeOf("i1"), "before-start")
  yield* resend
  yield* drain(account)
  assert.strictEqual(gateway.submitted.length, 1)
})

story("a new import does not release what an accepted older copy holds", function* (gateway) {
  const store = yield* SubmissionStore
  yield* plan(invoice("i1"))
  yield* store.hold([key("i1")], { cause: "older-copy", text: "the store is an older copy" })
  yield* plan(invoice("i1", { total: "2.00" }))
  yield* drain(gateway.account())
  assert.deepStrictEqual([yield* causeOf("i1"), gateway.submitted.length], ["older-copy", 0])
})

it("an override of an earlier version goes past the older copy, and past nothing else", () => {
  assert.deepStrictEqual(parseOverride("send late person"), { _tag: "Send", despite: ["late", "older-copy"] })
  assert.strictEqual(causeNamed("person"), "older-copy")
})

const causes = Object.keys(decided) as ReadonlyArray<HoldCause>
const numbers = ["i1", "i2"]
const decisions = ["Resend", "Withdrawn", "Fiscalised"] as const

const heldFor = (cause: HoldCause) =>
  plan(...numbers.map((id) => invoice(id, { number: id, held: "a reason", heldCause: cause })))

describe("a decision about many documents", () => {
  for (const cause of [
    "contradicted",
    "operator",
    "before-start",
    "older-copy",
    "rejection-unconfirmed",
    "duplicate",
    "replaces"
  ] as const) {
    story(`leaves out documents held as ${cause}, unless their numbers are given`, function* () {
      yield* heldFor(cause)
      // a refusal that may be the answer to an earlier request is never sent again, nor withdrawn
      for (const decision of cause === "contradicted" ? (["Fiscalised", "NotProcessed"] as const) : decisions) {
        for (const selection of [{ state: "Held", cause }, { state: "Held" }] as const) {
          const { documents, each } = yield* BulkDecision.select(selection, decision)
          assert.deepStrictEqual([documents.length, each.map(({ id }) => id)], [0, numbers])
        }
        assert.strictEqual((yield* BulkDecision.select({ numbers }, decision)).documents.length, 2)
      }
    })
  }

  story("leaves out documents of unknown outcome, unless their numbers are given", function* (gateway) {
    gateway.answer("i1", answers.unknown)
    yield* plan(invoice("i1", { number: "i1" }))
    yield* drain(gateway.account())
    const { documents, each } = yield* BulkDecision.select({ state: "Unknown" }, "NotProcessed")
    assert.deepStrictEqual([documents.length, each.length], [0, 1])
    assert.strictEqual((yield* BulkDecision.select({ numbers: ["i1"] }, "NotProcessed")).documents.length, 1)
  })

  story("takes documents that are late by their cause", function* () {
    yield* heldFor("late")
    assert.strictEqual((yield* BulkDecision.select({ state: "Held", cause: "late" }, "Resend")).documents.length, 2)
  })
})

const itemsNow = SubmissionStore.use((store) =>
  Effect.map(store.health(Duration.days(7)), (health) => Attention.of(health).filter(({ code }) => code === "HELD"))
)
const together = (actions: ReadonlyArray<Action>) =>
  actions.flatMap(({ step }) =>
    (step.do === "resolve" || step.do === "withdraw") && step.of !== undefined
      ? [step.do === "resolve" ? step.as : step.do]
      : []
  )

describe("the actions for held documents", () => {
  for (const cause of causes) {
    it.effect(
      `held as ${cause} are more than withdrawing, and none of them releases together what needs a look each`,
      test(function* () {
        yield* heldFor(cause)
        const [found, ...others] = yield* itemsNow
        assert.deepStrictEqual([found!.cause, found!.documents, others.length], [cause, 2, 0])
        const settling = found!.actions.filter(({ effect }) => effect === "settles")
        assert.isTrue(settling.some(({ step }) => step.do !== "withdraw"))
        assert.notDeepEqual(together(found!.actions), ["withdraw"], "with nothing besides it")
        if (decided[cause] === "each") {
          assert.deepStrictEqual(together(found!.actions), [])
          // the store knows no other document of these duplicates, and would refuse "same"
          assert.strictEqual(settling[0]!.step.do === "resolve" && settling[0]!.step.as, "fiscalised")
          assert.deepStrictEqual(
            found!.actions.slice(0, 2).map(({ step }) => step.do),
            ["list", "explain"]
          )
        }
      })
    )
  }
})

it.effect(
  "a placeholder is refused as a reason, for any decision",
  test(function* () {
    const gateway = make()
    const store = yield* SubmissionStore
    yield* heldFor("older-copy")
    for (const because of ["<what you saw in the portal>", " <why> ", ""]) {
      const resolution = yield* store.decide(key("i1"), { _tag: "Resend" }, because)
      assert.match(resolution._tag === "Refused" ? resolution.text : "", /a decision needs/)
      assert.strictEqual((yield* store.acknowledgeDay("test/1001", 7, because))._tag, "Refused")
      const error = yield* Effect.flip(store.acceptUnknown("shop", "taxes", because))
      assert.match(error.message, /a decision needs/)
    }
    assert.deepStrictEqual(yield* states, ["i1 Held", "i2 Held"])
    assert.strictEqual((yield* store.decide(key("i1"), { _tag: "Resend" }, "a < b > c"))._tag, "Resolved")
    yield* drain(gateway.account())
    assert.strictEqual((yield* explain("i1")).attempts.length, 1)
    assert.strictEqual(yield* stateOf("i2"), "Held")
  })
)
