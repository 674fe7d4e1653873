import { assert, describe } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { RequestId } from "../../src/document/Identifiers.ts"
import { of as concerns } from "../../src/attention/Attention.ts"
import type { Decision } from "../../src/submission/Decision.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { invoice } from "../submission/PlannedDocuments.ts"
import { drain, explain, get, key, plan, stateOf, states, sweep } from "./Engine.ts"
import { answers, fiscalised, pending, rejected, type ScriptedGateway } from "./ScriptedGateway.ts"
import { story } from "./Story.ts"

/** Decides as an operator who waits until no request of the document can still arrive. */
const decide = (id: string, decision: Decision, because = "as the portal shows") =>
  Effect.andThen(
    TestClock.adjust("5 minutes"),
    SubmissionStore.use((store) => store.decide(key(id), decision, because))
  )
const record = (...items: ReadonlyArray<ReturnType<typeof fiscalised>>) =>
  SubmissionStore.use((store) => store.recordOutcomes("shop", items, "webhook"))
const exclusive = (gateway: ScriptedGateway) => gateway.account({ credentials: "exclusive", firstLook: 0 })

/** Makes i1 Unknown, with i2 behind it. */
const unknown = (gateway: ScriptedGateway) =>
  Effect.gen(function* () {
    gateway.answer("i1", answers.unknown)
    yield* plan(invoice("i1"), invoice("i2"))
    yield* drain(gateway.account({ firstLook: 0 }))
    yield* TestClock.adjust("1 second")
  })

describe("an unknown outcome", () => {
  story("lists the possible outcomes in the inbox as candidates", function* (gateway) {
    yield* unknown(gateway)
    yield* record(fiscalised("lost"))
    assert.deepStrictEqual(
      (yield* explain("i1")).candidates.map(({ item }) => item.requestId),
      ["lost"]
    )
  })

  story("is left to an operator if others may send with the account's credentials", function* (gateway) {
    yield* unknown(gateway)
    yield* record(fiscalised("lost"))
    yield* drain(gateway.account())
    assert.strictEqual(yield* stateOf("i1"), "Unknown")
  })

  story("is joined with the only possible outcome in the inbox if the account is exclusive", function* (gateway) {
    yield* unknown(gateway)
    yield* record(fiscalised("lost"))
    yield* drain(exclusive(gateway))
    assert.deepStrictEqual(yield* states, ["i1 Fiscalised", "i2 Accepted"])
    assert.strictEqual((yield* get("i1")).requestId, "lost")
  })

  for (const [name, prepare] of [
    ["two outcomes are possible", record(fiscalised("lost"), fiscalised("other"))],
    ["no outcome has arrived", Effect.void]
  ] as const) {
    story(`is left to an operator if ${name}`, function* (gateway) {
      yield* unknown(gateway)
      yield* prepare
      yield* drain(exclusive(gateway))
      assert.strictEqual(yield* stateOf("i1"), "Unknown")
    })
  }

  story("is left to an operator if the outcome arrived before its attempt began", function* (gateway) {
    yield* record(fiscalised("stray"))
    yield* TestClock.adjust("1 second")
    yield* unknown(gateway)
    yield* drain(exclusive(gateway))
    assert.strictEqual(yield* stateOf("i1"), "Unknown")
    assert.deepStrictEqual((yield* explain("i1")).candidates, [])
  })

  story("is left to an operator if two attempts of the account have no id", function* (gateway) {
    yield* unknown(gateway)
    yield* decide("i1", { _tag: "NotProcessed" })
    gateway.answer("i1", answers.unknown)
    yield* drain(gateway.account())
    yield* record(fiscalised("lost"))
    yield* drain(exclusive(gateway))
    assert.deepStrictEqual(
      (yield* states).filter((state) => state.endsWith("Fiscalised")),
      []
    )
  })
})

describe("an operator", () => {
  for (const [decision, state] of [
    [{ _tag: "Fiscalised", proof: { verificationCode: "ABC" } }, "Fiscalised"],
    [{ _tag: "Rejected", rejection: { error: "it failed", nature: "final" } }, "Rejected"],
    [{ _tag: "Accepted", requestId: RequestId.make("found") }, "Accepted"],
    [{ _tag: "NotProcessed" }, "Planned"],
    [{ _tag: "Withdrawn" }, "Withdrawn"]
  ] as const) {
    story(`may settle an Unknown document as ${decision._tag}, with a reason that is kept`, function* (gateway) {
      yield* unknown(gateway)
      assert.deepStrictEqual(yield* decide("i1", decision), { _tag: "Resolved", from: "Unknown", to: state })
      const { timeline } = yield* explain("i1")
      assert.isTrue(timeline.some(({ text }) => text === "as the portal shows"))
    })
  }

  story("whose look is older than the last request of the document changes nothing", function* (gateway) {
    yield* unknown(gateway)
    const { since } = yield* get("i1")
    yield* decide("i1", { _tag: "NotProcessed" })
    gateway.answer("i1", answers.unknown)
    yield* drain(gateway.account())
    yield* TestClock.adjust("5 minutes")
    const again = (shown: typeof since) =>
      SubmissionStore.use((store) => store.decide(key("i1"), { _tag: "NotProcessed" }, "as seen", undefined, shown))
    assert.deepStrictEqual(yield* again(since), {
      _tag: "Refused",
      text: "it has changed since it was shown; look at it again"
    })
    assert.strictEqual(yield* stateOf("i1"), "Unknown")
    assert.strictEqual((yield* again((yield* get("i1")).since))._tag, "Resolved")
  })

  story("who states that a held document was fiscalised elsewhere prevents its sending", function* (gateway) {
    yield* plan(invoice("i1", { held: "the store was an older copy" }))
    const decision = { _tag: "Fiscalised", proof: { verificationCode: "ABC" } } as const
    assert.deepStrictEqual(yield* decide("i1", decision), { _tag: "Resolved", from: "Held", to: "Fiscalised" })
    yield* drain(gateway.account())
    assert.strictEqual(gateway.submitted.length, 0)
    const { hold, proof, state } = yield* get("i1")
    assert.deepStrictEqual([state, hold, proof?.verificationCode], ["Fiscalised", null, "ABC"])
  })

  story("who enters a request id has its outcome requested", function* (gateway) {
    yield* unknown(gateway)
    yield* decide("i1", { _tag: "Accepted", requestId: RequestId.make("found") })
    yield* sweep(gateway.account())
    assert.strictEqual((yield* get("i1")).proof?.verificationCode, "V-found")
  })

  describe("who entered a wrong request id", () => {
    const wrong = { _tag: "Accepted", requestId: RequestId.make("wrong") } as const
    const right = { _tag: "Accepted", requestId: RequestId.make("right") } as const

    /** Makes i1 Accepted under a request id that no status knows, after a few looks. */
    const named = (gateway: ScriptedGateway) =>
      Effect.gen(function* () {
        yield* unknown(gateway)
        gateway.state.status = (id) => (id === "wrong" ? null : fiscalised(id))
        yield* decide("i1", wrong)
        yield* sweep(gateway.account({ firstLook: 0 }))
        assert.strictEqual(yield* stateOf("i1"), "Accepted")
      })

    story("may enter another id, whose outcome is then requested", function* (gateway) {
      yield* named(gateway)
      assert.deepStrictEqual(yield* decide("i1", right, "looked again"), {
        _tag: "Resolved",
        from: "Accepted",
        to: "Accepted"
      })
      yield* sweep(gateway.account())
      const { submission, timeline } = yield* explain("i1")
      assert.deepStrictEqual([submission.state, submission.proof?.verificationCode], ["Fiscalised", "V-right"])
      assert.isTrue(timeline.some(({ text }) => text?.startsWith("the request id wrong is taken back") === true))
      assert.isFalse(gateway.asked.at(-1)!.includes("wrong"))
    })

    for (const [decision, state] of [
      [{ _tag: "NotProcessed" }, "Planned"],
      [{ _tag: "Fiscalised", proof: { verificationCode: "ABC" } }, "Fiscalised"],
      [{ _tag: "Rejected", rejection: { error: "it failed", nature: "final" } }, "Rejected"],
      [{ _tag: "Withdrawn" }, "Withdrawn"]
    ] as const) {
      story(`may settle the document as ${decision._tag} instead`, function* (gateway) {
        yield* named(gateway)
        assert.deepStrictEqual(yield* decide("i1", decision), { _tag: "Resolved", from: "Accepted", to: state })
        assert.strictEqual((yield* get("i1")).requestId, null)
      })
    }

    story("may do so after the expiry, too: a missing answer is not an answer", function* (gateway) {
      const expired = Effect.gen(function* () {
        yield* TestClock.adjust("8 days")
        yield* sweep(gateway.account())
        assert.strictEqual(yield* stateOf("i1"), "Expired")
      })
      yield* named(gateway)
      yield* expired
      yield* decide("i1", { _tag: "NotProcessed" }, "not there")
      gateway.answer("i1", answers.unknown)
      yield* drain(gateway.account())
      yield* decide("i1", wrong, "there after all")
      yield* expired
      assert.deepStrictEqual(yield* decide("i1", right), { _tag: "Resolved", from: "Expired", to: "Accepted" })
      yield* sweep(gateway.account())
      assert.strictEqual(yield* stateOf("i1"), "Fiscalised")
    })

    for (const [name, answer] of [
      ["pending", (gateway: ScriptedGateway) => Effect.sync(() => (gateway.state.status = pending))],
      [
        "rejected",
        (gateway: ScriptedGateway) => Effect.sync(() => (gateway.state.status = (id) => rejected(id, "final")))
      ]
    ] as const) {
      story(`cannot correct it after the gateway reported the document as ${name}`, function* (gateway) {
        yield* named(gateway)
        yield* answer(gateway)
        yield* TestClock.adjust("1 minute")
        yield* sweep(gateway.account())
        assert.strictEqual((yield* decide("i1", right))._tag, "Refused")
        assert.strictEqual((yield* get("i1")).requestId, "wrong")
      })
    }

    story("cannot enter the id of another attempt, nor the same id again; both change nothing", function* (gateway) {
      yield* plan(invoice("i0"))
      yield* drain(gateway.account())
      yield* named(gateway)
      const before = yield* explain("i1")
      for (const [id, why] of [
        ["r1", "request id r1 belongs to another attempt"],
        ["wrong", "it has the request id wrong already"]
      ] as const) {
        const decision = { _tag: "Accepted", requestId: RequestId.make(id) } as const
        assert.deepStrictEqual(yield* decide("i1", decision), { _tag: "Refused", text: why })
      }
      assert.deepStrictEqual(yield* explain("i1"), before)
    })

    describe("that the gateway then gives to another document", () => {
      /**
       * i1 is Accepted under the request id that the gateway has given to i2, which is sent now.
       */
      const othersId = { _tag: "Accepted", requestId: RequestId.make("r1") } as const
      const timelineOf = (id: string) =>
        Effect.map(explain(id), ({ timeline }) => timeline.flatMap(({ text }) => text ?? []))

      for (const [name, look] of [
        ["", () => Effect.void],
        [", though a status has mentioned it", sweep]
      ] as const) {
        story(`loses the id${name}, and the outcome belongs to the other document`, function* (gateway) {
          const account = gateway.account({ firstLook: 0 })
          yield* unknown(gateway)
          gateway.state.status = pending
          yield* decide("i1", othersId)
          yield* look(account)
          yield* drain(account)
          assert.deepStrictEqual(yield* states, ["i1 Unknown", "i2 Accepted"])
          assert.include(
            yield* timelineOf("i1"),
            "the request id r1 is taken back: the gateway has given it to the invoice N-i2"
          )
          gateway.state.status = fiscalised
          yield* TestClock.adjust("1 hour")
          yield* sweep(account)
          assert.deepStrictEqual(yield* states, ["i1 Unknown", "i2 Fiscalised"])
          assert.strictEqual((yield* get("i1")).requestId, null)
          assert.deepStrictEqual(yield* decide("i1", right), { _tag: "Resolved", from: "Unknown", to: "Accepted" })
        })
      }

      story("is informed at both documents if the outcome was already taken for the first", function* (gateway) {
        yield* unknown(gateway)
        yield* decide("i1", othersId)
        const store = yield* SubmissionStore
        const outcome = store.recordOutcomes("shop", [fiscalised("r1")], "webhook")
        gateway.answer("i2", Effect.andThen(Effect.orDie(outcome), gateway.accept))
        yield* drain(gateway.account())
        assert.deepStrictEqual(yield* states, ["i1 Fiscalised", "i2 Unknown"])
        assert.deepStrictEqual(
          (yield* explain("i1")).conflicts.map(({ code, detail }) => [code, detail]),
          [
            [
              "OUTCOME_CONFLICT",
              "an operator entered the request id r1, and the gateway has given it to the invoice N-i2: the receipt is probably the other's"
            ]
          ]
        )
        assert.strictEqual(
          (yield* get("i2")).text,
          "the gateway answered with the request id r1, which the invoice N-i1 has"
        )
      })
    })

    story("cannot undo an id that the gateway itself gave", function* (gateway) {
      gateway.state.status = () => null
      yield* plan(invoice("i1"))
      yield* drain(gateway.account())
      for (const decision of [right, { _tag: "NotProcessed" }, { _tag: "Withdrawn" }] as const) {
        assert.strictEqual((yield* decide("i1", decision))._tag, "Refused")
      }
      const { attempts } = yield* explain("i1")
      assert.deepStrictEqual(
        attempts.map(({ requestId, requestIdBy }) => [requestId, requestIdBy]),
        [[RequestId.make("r1"), "gateway"]]
      )
    })

    story("sees the lost id in the document's story and in health", function* (gateway) {
      yield* named(gateway)
      const [attempt] = (yield* explain("i1")).attempts
      assert.deepStrictEqual(
        [attempt!.requestId, attempt!.requestIdBy, attempt!.mentionedAt],
        ["wrong", "operator", null]
      )
      const found = concerns(yield* SubmissionStore.use((store) => store.health(Duration.days(7))))
      assert.deepStrictEqual(
        found.map(({ code, text }) => [code, text]),
        [["UNANSWERED", "no status has mentioned it: N-i1 (request id wrong, entered by an operator; asked for once)"]]
      )
    })
  })

  story(
    "who decides “not processed” has the document sent again with IsRetry, since a statement is not proof",
    function* (gateway) {
      yield* unknown(gateway)
      yield* decide("i1", { _tag: "NotProcessed" })
      yield* drain(gateway.account())
      assert.deepStrictEqual(
        gateway.submitted.map(({ id, isRetry }) => `${id} ${isRetry}`),
        ["i1 false", "i1 true", "i2 false"]
      )
    }
  )

  story("is overruled by the gateway's evidence, and informed about the conflict", function* (gateway) {
    yield* unknown(gateway)
    yield* decide("i1", { _tag: "Rejected", rejection: { error: "gone", nature: "final" } })
    yield* record(fiscalised("lost"))
    yield* drain(exclusive(gateway))
    const { conflicts, submission } = yield* explain("i1")
    assert.strictEqual(submission.state, "Fiscalised")
    assert.deepStrictEqual(
      conflicts.map(({ detail }) => detail),
      ["an operator stated rejected, the gateway states fiscalised"]
    )
  })

  story("who withdrew a processed document is informed", function* (gateway) {
    yield* unknown(gateway)
    yield* decide("i1", { _tag: "Withdrawn" })
    yield* record(fiscalised("lost"))
    yield* drain(exclusive(gateway))
    const { conflicts, submission } = yield* explain("i1")
    assert.strictEqual(submission.state, "Fiscalised")
    assert.deepStrictEqual(
      conflicts.map(({ detail }) => detail),
      ["withdrawn, but the gateway says fiscalised"]
    )
  })

  story("may withdraw a document that was never sent, and its number is free again", function* () {
    yield* plan(invoice("i1", { number: "7" }))
    yield* decide("i1", { _tag: "Withdrawn" })
    const [again] = yield* plan(invoice("i2", { number: "7" }))
    assert.strictEqual(again!.verdict._tag, "Planned")
  })

  story("may send a document that is held as late: it gets a new date", function* (gateway) {
    yield* plan(invoice("i5"))
    yield* drain(gateway.account())
    yield* plan(invoice("i1", { zone: "+02:00" }))
    yield* drain(gateway.account())
    assert.deepStrictEqual(yield* decide("i1", { _tag: "Resend" }), {
      _tag: "Resolved",
      from: "Held",
      to: "Planned"
    })
    yield* drain(gateway.account())
    assert.strictEqual(gateway.submitted.at(-1)!.date, "2026-01-10T15:05:00+02:00")
  })

  story("may acknowledge a conflict", function* (gateway) {
    yield* plan(invoice("i1"))
    yield* drain(gateway.account())
    yield* plan(invoice("i1", { total: "9.00" }))
    assert.isNull((yield* explain("i1")).conflicts[0]!.settledAt)
    assert.deepStrictEqual(yield* decide("i1", { _tag: "Acknowledged" }), {
      _tag: "Resolved",
      from: "Accepted",
      to: "Accepted"
    })
    assert.isNotNull((yield* explain("i1")).conflicts[0]!.settledAt)
  })

  const misfits: ReadonlyArray<readonly [string, Decision, (gateway: ScriptedGateway) => void]> = [
    ["an Accepted", { _tag: "Fiscalised", proof: {} }, () => undefined],
    ["an Accepted", { _tag: "Withdrawn" }, () => undefined],
    ["an Accepted", { _tag: "NotProcessed" }, () => undefined],
    ["an Unknown", { _tag: "Resend" }, (gateway) => gateway.answer("i1", answers.unknown)],
    ["a Declined", { _tag: "NotProcessed" }, (gateway) => gateway.answer("i1", answers.declined)]
  ]
  for (const [name, decision, prepare] of misfits) {
    story(`may not settle ${name} document as ${decision._tag}`, function* (gateway) {
      prepare(gateway)
      yield* plan(invoice("i1"))
      yield* drain(gateway.account())
      const before = yield* stateOf("i1")
      assert.strictEqual((yield* decide("i1", decision))._tag, "Refused")
      assert.strictEqual(yield* stateOf("i1"), before)
    })
  }

  story("needs a reason, and an existing document", function* () {
    yield* plan(invoice("i1"))
    assert.deepStrictEqual(yield* decide("i1", { _tag: "Withdrawn" }, " "), {
      _tag: "Refused",
      text: "a decision needs a reason"
    })
    assert.deepStrictEqual(yield* decide("i9", { _tag: "Withdrawn" }), {
      _tag: "Refused",
      text: "there is no invoice i9 of account shop"
    })
  })

  story("may not send a finally rejected document again", function* (gateway) {
    yield* plan(invoice("i1"))
    yield* drain(gateway.account())
    yield* record(rejected("r1", "final"))
    assert.strictEqual((yield* decide("i1", { _tag: "Resend" }))._tag, "Refused")
  })
})

story("two receipts of one document are both kept for an operator", function* (gateway) {
  const account = gateway.account({
    unknown: "resend-flagged",
    assumptions: { "DOC-10": "deduplicates" },
    firstLook: 0
  })
  gateway.answer("i1", answers.unknown)
  gateway.state.status = pending
  yield* plan(invoice("i1"))
  yield* drain(account)
  yield* TestClock.adjust("10 minutes")
  yield* drain(account)
  yield* record(fiscalised("r1", "SECOND"))
  yield* decide("i1", { _tag: "Acknowledged" })
  const store = yield* SubmissionStore
  const late = (yield* explain("i1")).attempts[0]!
  yield* store.finishAttempt({
    attempt: late.id,
    result: { _tag: "Accepted", requestId: RequestId.make("r0") },
    firstLook: Duration.zero
  })
  yield* record(fiscalised("r0", "FIRST"))
  const { conflicts, submission } = yield* explain("i1")
  assert.strictEqual(submission.state, "Fiscalised")
  assert.deepStrictEqual(
    conflicts.map(({ code, detail }) => [code, detail]),
    [["DOUBLE_FISCALISED", "verification codes FIRST and SECOND"]]
  )
})
