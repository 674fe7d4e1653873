/**
 * The answer to an attempt arrives after an operator has entered a request id for the attempt: the
 * sending process was stopped with the answer in memory. The gateway's answer wins.
 */
import { assert, describe } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { RequestId } from "../../src/document/Identifiers.ts"
import type { AttemptResult } from "../../src/submission/AttemptResult.ts"
import type { Decision } from "../../src/submission/Decision.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { invoice } from "../submission/PlannedDocuments.ts"
import { drain, explain, get, key, plan, stateOf, states, sweep } from "./Engine.ts"
import { answers, fiscalised, pending, rejected, type ScriptedGateway } from "./ScriptedGateway.ts"
import { story } from "./Story.ts"

const decide = (decision: Decision) =>
  Effect.andThen(
    TestClock.adjust("5 minutes"),
    SubmissionStore.use((store) => store.decide(key("i1"), decision, "as the portal shows"))
  )

const entered = { _tag: "Accepted", requestId: RequestId.make("entered") } as const

/** Makes i1 Accepted under the request id that an operator has entered, and i2 wait behind it. */
const named = (gateway: ScriptedGateway) =>
  Effect.gen(function* () {
    gateway.answer("i1", answers.unknown)
    gateway.state.status = (id) => (id === "entered" ? null : fiscalised(id))
    yield* plan(invoice("i1"), invoice("i2"))
    yield* drain(gateway.account({ firstLook: 0 }))
    yield* decide(entered)
    assert.deepStrictEqual(yield* states, ["i1 Accepted", "i2 Planned"])
  })

const answered = (result: AttemptResult) =>
  Effect.gen(function* () {
    const [attempt] = (yield* explain("i1")).attempts
    const store = yield* SubmissionStore
    return yield* store.finishAttempt({ attempt: attempt!.id, result, firstLook: Duration.zero })
  })

const accepted = (id: string): AttemptResult => ({ _tag: "Accepted", requestId: RequestId.make(id) })
const declined: AttemptResult = { _tag: "Declined", text: "the document is invalid" }
const notProcessed: AttemptResult = { _tag: "NotProcessed", text: "busy" }

const ids = Effect.map(explain("i1"), ({ attempts, submission }) => [
  submission.requestId as string | null,
  ...attempts.map(({ requestId, requestIdBy }) => [requestId as string | null, requestIdBy])
])

const conflicts = Effect.map(explain("i1"), ({ conflicts }) => conflicts.map(({ code, detail }) => [code, detail]))

/** Decisions that take back an id on an operator's word. */
const takingBack: ReadonlyArray<Decision> = [
  { _tag: "NotProcessed" },
  { _tag: "Withdrawn" },
  { _tag: "Rejected", rejection: { error: "gone", nature: "correctable" } },
  { _tag: "Accepted", requestId: RequestId.make("another") }
]

describe("a late answer to an attempt with a request id from an operator", () => {
  story("replaces the id, and the document gets the outcome of the gateway's id", function* (gateway) {
    yield* named(gateway)
    yield* answered(accepted("given"))
    assert.deepStrictEqual(yield* ids, ["given", ["given", "gateway"]])
    yield* TestClock.adjust("1 minute")
    yield* sweep(gateway.account())
    assert.deepStrictEqual(
      [yield* stateOf("i1"), (yield* get("i1")).proof?.verificationCode],
      ["Fiscalised", "V-given"]
    )
    assert.isFalse(gateway.asked.at(-1)!.includes("entered"))
  })

  for (const id of ["given", "entered"])
    for (const decision of takingBack)
      story(`with the id ${id} cannot be undone as ${decision._tag}`, function* (gateway) {
        yield* named(gateway)
        yield* answered(accepted(id))
        assert.strictEqual((yield* decide(decision))._tag, "Refused")
        assert.deepStrictEqual(yield* ids, [id, [id, "gateway"]])
        assert.strictEqual(yield* stateOf("i1"), "Accepted")
      })

  story("reaches an expired document, too", function* (gateway) {
    yield* named(gateway)
    yield* TestClock.adjust("8 days")
    yield* sweep(gateway.account())
    assert.strictEqual(yield* stateOf("i1"), "Expired")
    yield* answered(accepted("given"))
    yield* sweep(gateway.account())
    assert.strictEqual((yield* get("i1")).proof?.verificationCode, "V-given")
  })

  for (const answer of [declined, notProcessed])
    story(`of ${answer._tag} takes the id back: the document is sent again, once`, function* (gateway) {
      yield* named(gateway)
      yield* answered(answer)
      assert.deepStrictEqual(yield* states, ["i1 Planned", "i2 Planned"])
      assert.deepStrictEqual(yield* ids, [null, [null, "gateway"]])
      yield* SubmissionStore.use((store) => store.recordOutcomes("shop", [fiscalised("entered")], "webhook"))
      assert.strictEqual(yield* stateOf("i1"), "Planned")
      yield* drain(gateway.account())
      assert.deepStrictEqual(
        gateway.submitted.map(({ id }) => id),
        ["i1", "i1", "i2"]
      )
    })

  for (const answer of [accepted("given"), declined])
    story(`of ${answer._tag} is a conflict if the entered id already has a receipt`, function* (gateway) {
      yield* named(gateway)
      yield* SubmissionStore.use((store) => store.recordOutcomes("shop", [fiscalised("entered")], "webhook"))
      yield* answered(answer)
      assert.strictEqual(yield* stateOf("i1"), "Fiscalised")
      const gave =
        answer._tag === "Accepted" ? "answered with the request id given" : "answered that it did not take the document"
      assert.deepStrictEqual(yield* conflicts, [
        [
          "OUTCOME_CONFLICT",
          `an operator entered the request id entered, and the gateway has ${gave}: the outcome is probably another document's`
        ]
      ])
    })

  story("begins a quiet period, although the entered id was rejected", function* (gateway) {
    yield* named(gateway)
    yield* SubmissionStore.use((store) => store.recordOutcomes("shop", [rejected("entered", "correctable")], "webhook"))
    yield* TestClock.adjust("1 hour")
    yield* answered(accepted("given"))
    const early = yield* SubmissionStore.use((store) => store.decide(key("i1"), { _tag: "Withdrawn" }, "not needed"))
    assert.isTrue(early._tag === "Refused" && early.from !== undefined)
  })

  story("is confirmed before a correction follows the rejection of the entered id", function* (gateway) {
    yield* named(gateway)
    yield* SubmissionStore.use((store) => store.recordOutcomes("shop", [rejected("entered", "correctable")], "webhook"))
    assert.strictEqual(yield* stateOf("i1"), "Rejected")
    yield* answered(accepted("given"))
    yield* decide({ _tag: "Resend" })
    yield* drain(gateway.account())
    assert.deepStrictEqual(
      gateway.submitted.map(({ id }) => id),
      ["i1", "i2"]
    )
    assert.strictEqual(
      (yield* get("i1")).hold?.text,
      "an earlier revision was fiscalised after all (verification code V-given)"
    )
  })
})

describe("a late answer to a second attempt with a request id from an operator", () => {
  for (const answer of [accepted("given"), declined])
    story(`of ${answer._tag} leaves the receipt that the first attempt got`, function* (gateway) {
      gateway.answer("i1", answers.unknown)
      gateway.state.status = () => null
      yield* plan(invoice("i1"))
      yield* drain(gateway.account({ firstLook: 0 }))
      yield* decide({ _tag: "NotProcessed" })
      gateway.answer("i1", answers.unknown)
      yield* drain(gateway.account({ firstLook: 0 }))
      yield* decide(entered)
      const [first, second] = (yield* explain("i1")).attempts
      const store = yield* SubmissionStore
      const finished = (attempt: number, result: AttemptResult) =>
        store.finishAttempt({ attempt, result, firstLook: Duration.zero })
      yield* finished(first!.id, accepted("first"))
      yield* store.recordOutcomes("shop", [fiscalised("first")], "webhook")
      yield* finished(second!.id, answer)
      assert.strictEqual((yield* get("i1")).proof?.verificationCode, "V-first")
      assert.strictEqual((yield* explain("i1")).attempts[1]!.requestId, answer._tag === "Accepted" ? "given" : null)
    })
})

describe("a late answer to an attempt with a request id by elimination", () => {
  for (const [id, conflict] of [
    ["lost", []],
    [
      "given",
      [
        [
          "OUTCOME_CONFLICT",
          "the request id lost was assigned by elimination, and the gateway has answered with the request id given: the outcome is probably another document's"
        ]
      ]
    ]
  ] as const)
    story(
      `is ${conflict.length === 0 ? "no" : "a"} conflict with the id ${id} if the outcome was of lost`,
      function* (gateway) {
        gateway.answer("i1", answers.unknown)
        yield* plan(invoice("i1"))
        yield* drain(gateway.account({ firstLook: 0 }))
        yield* TestClock.adjust("1 second")
        yield* SubmissionStore.use((store) => store.recordOutcomes("shop", [fiscalised("lost")], "webhook"))
        yield* drain(gateway.account({ credentials: "exclusive", firstLook: 0 }))
        assert.strictEqual(yield* stateOf("i1"), "Fiscalised")
        yield* answered(accepted(id))
        assert.deepStrictEqual<unknown>(yield* conflicts, conflict)
      }
    )
})

describe("a late answer after an operator's word", () => {
  for (const decision of [
    { _tag: "Rejected", rejection: { error: "gone", nature: "correctable" } },
    { _tag: "NotProcessed" }
  ] as const)
    story(`of ${decision._tag} keeps the document from being sent again while the gateway works`, function* (gateway) {
      gateway.answer("i1", answers.unknown)
      gateway.state.status = pending
      yield* plan(invoice("i1"), invoice("i2"))
      yield* drain(gateway.account({ firstLook: 0 }))
      yield* decide(decision)
      yield* answered(accepted("given"))
      yield* TestClock.adjust("1 hour")
      yield* SubmissionStore.use((store) => store.decide(key("i1"), { _tag: "Resend" }, "it must go"))
      yield* TestClock.adjust("1 hour")
      yield* drain(gateway.account())
      assert.deepStrictEqual(
        gateway.submitted.map(({ id }) => id),
        ["i1", "i2"]
      )
    })
})
