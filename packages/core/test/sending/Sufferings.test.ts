/**
 * Known problems of integrators of such gateways, as far as the engine can prevent them: each must
 * not happen here.
 */
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Layer, Logger, References } from "effect"
import { TestClock } from "effect/testing"
import { RequestId } from "../../src/document/Identifiers.ts"
import { of as concerns } from "../../src/attention/Attention.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { invoice } from "../submission/PlannedDocuments.ts"
import { drain, engine, explain, get, key, plan, runAccounts, stateOf, states, sweep, test } from "./Engine.ts"
import { answers, fiscalised, make, pending, rejected } from "./ScriptedGateway.ts"

describe("known troubles of users", () => {
  it.effect(
    "1: an item in progress is not taken for fiscalised, however often it is polled",
    test(function* () {
      const gateway = make()
      gateway.state.status = pending
      yield* plan(invoice("i1"))
      yield* drain(gateway.account())
      for (let look = 0; look < 5; look++) {
        yield* TestClock.adjust("1 hour")
        yield* sweep(gateway.account())
        assert.strictEqual(yield* stateOf("i1"), "Accepted")
      }
      assert.isNull((yield* get("i1")).proof)
    })
  )

  it.effect(
    "2: a timeout is not a failure: a repeated cron job sends nothing a second time",
    test(function* () {
      const gateway = make()
      gateway.answer("i1", answers.unknown)
      for (let run = 0; run < 10; run++) {
        yield* plan(invoice("i1"), invoice("i2"))
        yield* runAccounts([gateway.account()])
        yield* TestClock.adjust("1 day")
      }
      assert.deepStrictEqual(
        gateway.submitted.map(({ id }) => id),
        ["i1"]
      )
      assert.deepStrictEqual(yield* states, ["i1 Unknown", "i2 Planned"])
    })
  )

  it.effect(
    "3: a correction keeps the number, answers, outcomes and attempts of the first sending",
    test(function* () {
      const gateway = make()
      gateway.state.status = (id) => (id === "r1" ? rejected(id) : fiscalised(id))
      const account = gateway.account({ firstLook: 0 })
      yield* plan(invoice("i1", { number: "A" }))
      yield* drain(account)
      yield* sweep(account)
      yield* plan(invoice("i1", { number: "B", total: "20.00" }))
      yield* drain(account)
      yield* sweep(account)
      const { attempts, timeline } = yield* explain("i1")
      assert.deepStrictEqual(
        attempts.map(({ requestId, revision }) => [revision, requestId]),
        [
          [1, RequestId.make("r1")],
          [2, RequestId.make("r2")]
        ]
      )
      assert.isTrue(timeline.some(({ text, to }) => to === "Rejected" && text === "RCPT017: TaxCode X is not mapped"))
      const [taken] = yield* plan(invoice("i9", { number: "A" }))
      assert.strictEqual(taken!.verdict._tag, "NumberTaken")
    })
  )

  it.effect("8: only a document's number and ids are logged, never its buyer or its amounts", () => {
    const lines: Array<string> = []
    const logger = Logger.make(({ fiber, message }) =>
      lines.push(JSON.stringify([message, fiber.getRef(References.CurrentLogAnnotations)]))
    )
    return Effect.gen(function* () {
      const gateway = make()
      gateway.answer("i1", answers.unknown)
      yield* TestClock.setTime(Date.UTC(2026, 0, 10, 13))
      yield* plan(invoice("i1", { buyer: "Planted Buyer", number: "PLANTED-1" }), invoice("i2"))
      yield* runAccounts([gateway.account()])
      yield* explain("i1")
      assert.deepStrictEqual(
        lines.filter((line) => /planted buyer|a thing|115/i.test(line)),
        []
      )
      assert.isTrue(lines.some((line) => line.includes("PLANTED-1")))
    }).pipe(Effect.provide([engine(), Logger.layer([logger]), Layer.succeed(References.MinimumLogLevel)("Trace")]))
  })

  it.effect(
    "9: one unknown id does not fail its whole delivery",
    test(function* () {
      const gateway = make()
      const store = yield* SubmissionStore
      yield* plan(invoice("i1"), invoice("i2"))
      yield* drain(gateway.account())
      yield* store.recordOutcomes("shop", [fiscalised("nobody's"), fiscalised("r1"), rejected("r2")], "webhook")
      assert.deepStrictEqual(yield* states, ["i1 Fiscalised", "i2 Rejected"])
      assert.strictEqual((yield* store.inbox("shop")).length, 1)
      yield* store.recordOutcomes("shop", [], "webhook")
    })
  )

  it.effect(
    "10: two companies submit at once, and the trouble of one does not affect the other",
    test(function* () {
      const shop = make()
      const bakery = make()
      bakery.answer("i1", answers.credentials)
      const other = { account: "bakery", lane: "test/2002", taxpayer: "3000000000" }
      yield* plan(invoice("i1"), invoice("i2"), invoice("i1", other))
      yield* drain(shop.account(), bakery.account({ account: "bakery" }, { deviceId: 2002, tin: "3000000000" }))
      assert.deepStrictEqual(
        [shop.submitted.map(({ id }) => id), bakery.submitted.map(({ id }) => id)],
        [["i1", "i2"], ["i1"]]
      )
      assert.deepStrictEqual(yield* states, ["i1 Accepted", "i2 Accepted", "i1 Planned"])
    })
  )

  it.effect(
    "11: a receipt date keeps its offset and its day, from the plan through the file to the request",
    test(function* () {
      const gateway = make()
      yield* plan(invoice("i1", { receiptDate: "2026-01-01T00:00:01+02:00" }))
      yield* drain(gateway.account())
      assert.deepStrictEqual(
        gateway.submitted.map(({ date }) => date),
        ["2026-01-01T00:00:01+02:00"]
      )
      assert.strictEqual((yield* get("i1")).sourceDate, "2026-01-01")
    })
  )

  it.effect(
    "12: a stuck queue is noticed even if all workers are dead",
    test(function* () {
      const store = yield* SubmissionStore
      yield* plan(invoice("i1"))
      const claim = yield* store.claim("test/1001", "a worker that died", Duration.minutes(2), () => false)
      assert.strictEqual(claim._tag, "Claimed")
      yield* TestClock.adjust("2 days")
      const found = concerns(yield* store.health(Duration.days(7)))
      assert.deepStrictEqual(
        found.map(({ code, text }) => [code, text]),
        [["NOT_WORKED", "1 document for device 1001, and no process sends them; the oldest has waited 48 h"]]
      )
    })
  )
})

it.effect(
  "a fiscalised document is never sent again, whatever is reported afterwards",
  test(function* () {
    const gateway = make()
    const store = yield* SubmissionStore
    const account = gateway.account({ firstLook: 0 })
    yield* plan(invoice("i1"))
    yield* drain(account)
    yield* sweep(account)
    yield* store.recordOutcomes("shop", [rejected("r1")], "webhook")
    yield* plan(invoice("i1", { total: "9.00" }))
    for (const decision of [{ _tag: "Resend" }, { _tag: "NotProcessed" }, { _tag: "Withdrawn" }] as const) {
      assert.strictEqual((yield* store.decide(key("i1"), decision, "try"))._tag, "Refused")
    }
    yield* drain(account)
    assert.deepStrictEqual([gateway.submitted.length, yield* stateOf("i1")], [1, "Fiscalised"])
  })
)
