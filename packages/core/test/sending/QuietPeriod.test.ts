import { assert, describe } from "@effect/vitest"
import { Clock, DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { RequestId } from "../../src/document/Identifiers.ts"
import * as Submitter from "../../src/sending/Submitter.ts"
import type { Decision } from "../../src/submission/Decision.ts"
import * as PermittedDecision from "../../src/submission/PermittedDecision.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { invoice } from "../submission/PlannedDocuments.ts"
import { changeable } from "./ChangeableClock.ts"
import { drain, ended, explain, key, open, plan, stateOf, states } from "./Engine.ts"
import { answers, rejected, type ScriptedGateway } from "./ScriptedGateway.ts"
import { story } from "./Story.ts"

const decide = (decision: Decision, although?: "recent") =>
  SubmissionStore.use((store) => store.decide(key("i1"), decision, "as the portal shows", although))

/** Makes i1 Unknown a moment ago. */
const unknown = (gateway: ScriptedGateway, quietPeriod?: "20 minutes") =>
  Effect.gen(function* () {
    gateway.answer("i1", answers.unknown)
    const account = gateway.account({ firstLook: 0, ...(quietPeriod && { quietPeriod }) })
    yield* plan(invoice("i1"))
    yield* drain(account)
    yield* TestClock.adjust("10 seconds")
    return account
  })

const again: ReadonlyArray<Decision> = [
  { _tag: "NotProcessed" },
  { _tag: "Rejected", rejection: { error: "no", nature: "correctable" } },
  { _tag: "Withdrawn" }
]

describe("a document whose last request may still arrive", () => {
  for (const decision of again) {
    story(`is not released by ${decision._tag}, which is accepted after its quiet period`, function* (gateway) {
      yield* unknown(gateway)
      const early = yield* decide(decision)
      const from = DateTime.makeUnsafe("2026-01-10T13:05:00Z")
      assert.isTrue(early._tag === "Refused" && DateTime.Equivalence(early.from!, from), JSON.stringify(early))
      assert.include(early._tag === "Refused" ? early.text : "", "2026-01-10T13:05:00Z")
      assert.strictEqual(yield* stateOf("i1"), "Unknown")
      const offered = PermittedDecision.of(yield* explain("i1")).find((one) => one.decision === decision._tag)
      assert.isTrue(DateTime.Equivalence(offered!.from!, from))
      yield* TestClock.adjust("289999 millis")
      assert.strictEqual((yield* decide(decision))._tag, "Refused")
      yield* TestClock.adjust("1 millis")
      assert.strictEqual((yield* decide(decision))._tag, "Resolved")
    })
  }

  story("may be declared fiscalised or get a request id at once, because that sends nothing", function* (gateway) {
    yield* unknown(gateway)
    assert.strictEqual((yield* decide({ _tag: "Accepted", requestId: RequestId.make("r-9") }))._tag, "Resolved")
    assert.strictEqual((yield* decide({ _tag: "Fiscalised", proof: {} }))._tag, "Resolved")
  })

  story("is released by an operator's override, which is recorded", function* (gateway) {
    const account = yield* unknown(gateway)
    assert.strictEqual((yield* decide({ _tag: "NotProcessed" }, "recent"))._tag, "Resolved")
    const { timeline } = yield* explain("i1")
    assert.match(
      timeline.flatMap(({ text }) => text ?? []).join("\n"),
      /although its last request may still arrive until 2026-01-10T13:05:00Z: as the portal shows/
    )
    yield* drain(account)
    assert.deepStrictEqual(yield* states, ["i1 Accepted"])
  })

  story("waits as long as its account is configured to wait", function* (gateway) {
    yield* unknown(gateway, "20 minutes")
    yield* TestClock.adjust("19 minutes")
    assert.strictEqual((yield* decide({ _tag: "NotProcessed" }))._tag, "Refused")
    yield* TestClock.adjust("1 minute")
    assert.strictEqual((yield* decide({ _tag: "NotProcessed" }))._tag, "Resolved")
  })

  story("waits in its lane even if a wrong request id was rejected and the source was corrected", function* (gateway) {
    const account = yield* unknown(gateway)
    yield* decide({ _tag: "Accepted", requestId: RequestId.make("r-9") })
    gateway.state.status = (id) => rejected(id)
    yield* SubmissionStore.use((store) => store.recordOutcomes("shop", [rejected("r-9")], "webhook"))
    yield* plan(invoice("i1", { total: "2.00" }))
    assert.strictEqual(yield* stateOf("i1"), "Planned")
    const end = yield* ended(account)
    assert.strictEqual(end._tag === "Waiting" && end.wait.for, "quiet")
    yield* TestClock.adjust("5 minutes")
    yield* drain(account)
    assert.deepStrictEqual([yield* stateOf("i1"), gateway.submitted.length], ["Accepted", 2])
  })

  story("is refused with an account whose quiet period is too short for its lease", function* (gateway) {
    const error = yield* Effect.flip(drain(gateway.account({ quietPeriod: "4 minutes" })))
    assert.include(error.message, "must not be shorter than")
  })
})

describe("a document whose request was certainly not processed", () => {
  for (const [name, answer] of [
    ["refused connection", answers.notSent],
    ["limit", answers.limited],
    ["decline", answers.declined]
  ] as const) {
    story(`is not delayed by a ${name}`, function* (gateway) {
      gateway.answer("i1", answer)
      const account = gateway.account()
      yield* plan(invoice("i1"))
      yield* drain(account)
      assert.isNull((yield* explain("i1")).quietUntil)
      if ((yield* stateOf("i1")) === "Declined") yield* decide({ _tag: "Resend" })
      else yield* TestClock.adjust("2 seconds")
      yield* drain(account)
      assert.strictEqual(yield* stateOf("i1"), "Accepted")
    })
  }
})

describe("an operator", () => {
  story(
    "cannot enter a request id that belongs to another document: neither document gets the other's outcome",
    function* (gateway) {
      yield* plan(invoice("i0"))
      yield* drain(gateway.account({ firstLook: 0 }))
      yield* unknown(gateway)
      const named = { _tag: "Accepted", requestId: RequestId.make("r1") } as const
      assert.deepStrictEqual(yield* decide(named), {
        _tag: "Refused",
        text: "request id r1 belongs to another attempt"
      })
      yield* SubmissionStore.use((store) => store.recordOutcomes("shop", [rejected("r1")], "webhook"))
      assert.deepStrictEqual(yield* states, ["i0 Rejected", "i1 Unknown"])
    }
  )

  story("who withdraws a document that may have been sent does not free its number", function* (gateway) {
    yield* unknown(gateway)
    yield* TestClock.adjust("5 minutes")
    yield* decide({ _tag: "Withdrawn" })
    const store = yield* SubmissionStore
    const [again] = yield* store.plan([invoice("i7", { number: "N-i1" })])
    assert.strictEqual(again!.verdict._tag, "NumberTaken")
    yield* store.plan([invoice("i8")])
    yield* store.decide(key("i8"), { _tag: "Withdrawn" }, "never sent")
    const [free] = yield* store.plan([invoice("i9", { number: "N-i8" })])
    assert.notStrictEqual(free!.verdict._tag, "NumberTaken")
  })
})

describe("a clock that is changed while its process sends", () => {
  for (const minutes of [-9, 9]) {
    story(
      `by ${minutes} minutes is noticed before the next attempt, which would have a wrong time`,
      function* (gateway) {
        const { change, machine } = yield* changeable
        const opened = yield* open(gateway.account())
        change.millis = minutes * 60_000
        gateway.state.aheadMillis = -change.millis
        yield* plan(invoice("i1"))
        const [report] = yield* Submitter.Submitter.use(({ drain }) => drain([opened])).pipe(
          Effect.provideService(Clock.Clock, machine)
        )
        assert.deepInclude(report!.end, { _tag: "Stopped" })
        assert.include(JSON.stringify(report!.end), '"cause":"clock"')
        assert.deepStrictEqual(yield* states, ["i1 Planned"])
      }
    )
  }

  story("while an attempt is written sends nothing, because the attempt may have a wrong time", function* (gateway) {
    const { change, machine } = yield* changeable
    const opened = yield* open(gateway.account())
    yield* plan(invoice("i1"))
    const store = yield* SubmissionStore
    const changing: SubmissionStore["Service"] = {
      ...store,
      beginAttempt: (...of) => Effect.suspend(() => ((change.millis = -9 * 60_000), store.beginAttempt(...of)))
    }
    const submitter = yield* Effect.provideService(Submitter.make(), SubmissionStore, changing)
    gateway.state.aheadMillis = 9 * 60_000
    yield* Effect.provideService(submitter.drain([opened]), Clock.Clock, machine)
    assert.lengthOf(gateway.submitted, 0)
    assert.deepStrictEqual(yield* states, ["i1 Planned"])
  })

  story("during a request does not shorten the document's quiet period", function* (gateway) {
    const { change, machine } = yield* changeable
    gateway.answer(
      "i1",
      Effect.suspend(() => {
        change.millis = -9 * 60_000
        gateway.state.aheadMillis = change.millis
        return answers.unknown
      })
    )
    yield* plan(invoice("i1"))
    yield* Effect.provideService(drain(gateway.account()), Clock.Clock, machine)
    assert.deepStrictEqual(yield* states, ["i1 Unknown"])
    yield* TestClock.adjust("4 minutes")
    assert.strictEqual((yield* decide({ _tag: "NotProcessed" }))._tag, "Refused")
    yield* TestClock.adjust("1 minute")
    assert.strictEqual((yield* decide({ _tag: "NotProcessed" }))._tag, "Resolved")
  })
})
