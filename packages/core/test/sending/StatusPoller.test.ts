import { assert, describe } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { RequestId } from "../../src/document/Identifiers.ts"
import { GatewayError, Unavailable } from "../../src/gateway/contract/GatewayError.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { invoice } from "../submission/PlannedDocuments.ts"
import { drain, explain, get, plan, runAccounts, stateOf, states, sweep } from "./Engine.ts"
import { passing } from "./PassingTime.ts"
import { fiscalised, pending, receiptNumber, rejected } from "./ScriptedGateway.ts"
import { story } from "./Story.ts"

const many = (count: number) => Array.from({ length: count }, (_, i) => invoice(`i${i + 1}`))

describe("the status of accepted documents", () => {
  story("is first requested after six seconds", function* (gateway) {
    yield* plan(invoice("i1"))
    yield* drain(gateway.account())
    yield* TestClock.adjust("5999 millis")
    assert.strictEqual((yield* sweep(gateway.account())).calls, 0)
    yield* TestClock.adjust("1 millis")
    assert.strictEqual((yield* sweep(gateway.account())).calls, 1)
    assert.strictEqual(yield* stateOf("i1"), "Fiscalised")
  })

  story("is requested in calls of at most a hundred, and in as few calls as needed", function* (gateway) {
    const account = gateway.account({ firstLook: 0 })
    yield* plan(...many(201))
    yield* drain(account)
    const { answered, calls } = yield* sweep(account)
    assert.deepStrictEqual([calls, answered], [3, 201])
    assert.deepStrictEqual(
      gateway.asked.map((ids) => ids.length),
      [100, 100, 1]
    )
    assert.strictEqual((yield* sweep(account)).calls, 0)
  })

  story("is requested again in growing pauses while it is pending, at most an hour", function* (gateway) {
    gateway.state.status = pending
    const account = gateway.account()
    yield* plan(invoice("i1"))
    yield* drain(account)
    for (const pause of [6, 12, 24, 48, 96, 192, 384, 768, 1536, 3072, 3600, 3600]) {
      // what is due stays due, so nothing was due earlier
      yield* TestClock.adjust(Duration.seconds(pause - 1))
      assert.strictEqual((yield* sweep(account)).calls, 0)
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* sweep(account)).calls, 1)
    }
    assert.strictEqual(yield* stateOf("i1"), "Accepted")
  })

  story("is requested first for documents that expire first", function* (gateway) {
    const account = gateway.account({ firstLook: 0 })
    const store = yield* SubmissionStore
    yield* plan(invoice("i1"))
    yield* drain(account)
    yield* TestClock.adjust("1 hour")
    yield* plan(invoice("i2"))
    yield* drain(account)
    gateway.state.status = pending
    assert.deepStrictEqual(yield* store.duePolls("shop", 1, Duration.minutes(1)), [RequestId.make("r1")])
    yield* TestClock.adjust("1 second")
    yield* store.recordPoll("shop", [RequestId.make("r1")], [pending("r1")], {
      firstLook: Duration.zero,
      longestPause: Duration.hours(1),
      retention: Duration.days(7)
    })
    assert.deepStrictEqual(yield* store.duePolls("shop", 1, Duration.minutes(1)), [RequestId.make("r2")])
  })

  story("is matched by request id, in any order and with extra items", function* (gateway) {
    const account = gateway.account({ firstLook: 0 })
    yield* plan(...many(3))
    yield* drain(account)
    const said = [rejected("r3"), fiscalised("r1"), fiscalised("r1"), fiscalised("foreign"), pending("r2")]
    const mixed = { ...account, gateway: { ...gateway.gateway, status: () => Effect.succeed(said) } }
    yield* sweep(mixed)
    assert.deepStrictEqual(yield* states, ["i1 Fiscalised", "i2 Accepted", "i3 Rejected"])
  })

  story("of an expired document is taken from a later delivery", function* (gateway) {
    gateway.state.status = () => null
    const account = gateway.account()
    const store = yield* SubmissionStore
    yield* plan(invoice("i1"))
    yield* drain(account)
    yield* TestClock.adjust("8 days")
    yield* sweep(account)
    assert.strictEqual(yield* stateOf("i1"), "Expired")
    yield* store.recordOutcomes("shop", [fiscalised("r1")], "webhook")
    assert.strictEqual(yield* stateOf("i1"), "Fiscalised")
  })

  story(
    "is Expired seven days after the last pending answer if no further answer comes, and not before",
    function* (gateway) {
      gateway.state.status = pending
      const account = gateway.account()
      yield* plan(invoice("i1"))
      yield* drain(account)
      yield* TestClock.adjust("3 days")
      yield* sweep(account)
      gateway.state.status = () => null
      yield* TestClock.adjust("6 days")
      assert.strictEqual((yield* sweep(account)).expired, 0)
      yield* TestClock.adjust("1 day")
      assert.strictEqual((yield* sweep(account)).expired, 1)
      assert.strictEqual(yield* stateOf("i1"), "Expired")
    }
  )

  story("never expires while the gateway reports it as pending, however old it is", function* (gateway) {
    gateway.state.status = pending
    const account = gateway.account()
    yield* plan(invoice("i1"))
    yield* drain(account)
    yield* TestClock.adjust("30 days")
    yield* sweep(account)
    assert.strictEqual(yield* stateOf("i1"), "Accepted")
  })

  story("is unchanged if the call fails, and the failure is reported", function* (gateway) {
    const account = gateway.account({ firstLook: 0 })
    yield* plan(invoice("i1"))
    yield* drain(account)
    const failed = new GatewayError({
      operation: "Check Status",
      reason: new Unavailable({ status: 503, text: "answered 503" })
    })
    const { problems } = yield* sweep({
      ...account,
      gateway: { ...gateway.gateway, status: () => Effect.fail(failed) }
    })
    assert.deepStrictEqual(problems, [{ account: "shop", what: "not-asked", text: "Check Status: answered 503 (503)" }])
    assert.strictEqual(yield* stateOf("i1"), "Accepted")
    yield* TestClock.adjust("1 minute")
    yield* sweep(account)
    assert.strictEqual(yield* stateOf("i1"), "Fiscalised")
  })

  story("that could not be read is reported while the document is open, and no longer", function* (gateway) {
    const unread = { field: "0", text: "Success: expected a boolean", follows: "row" } as const
    gateway.state.misfits = [{ operation: "status", misfits: [unread] }]
    gateway.state.status = pending
    const account = gateway.account({ firstLook: "1 second" })
    yield* plan(invoice("i1"))
    const problem = {
      account: "shop",
      what: "not-read" as const,
      text: "Check Status: a result could not be read: Success: expected a boolean"
    }
    const settled = Effect.gen(function* () {
      const { open, problems } = yield* passing(
        yield* Effect.forkChild(runAccounts([account], { patience: "5 seconds" }))
      )
      return { open, problems }
    })
    assert.deepStrictEqual(yield* settled, { open: 1, problems: [problem] })
    gateway.state.status = fiscalised
    assert.deepStrictEqual(yield* settled, { open: 0, problems: [] })
  })

  story("includes the proof and the name of the PDF", function* (gateway) {
    const account = gateway.account({ firstLook: 0 })
    yield* plan(invoice("i1"))
    yield* drain(account)
    yield* sweep(account)
    assert.deepStrictEqual((yield* get("i1")).proof, {
      verificationCode: "V-r1",
      qrCodeUrl: null,
      fiscalDay: 7,
      deviceId: 1001,
      invoiceNumber: receiptNumber("r1"),
      fiscalInvoicePdf: "r1.pdf"
    })
  })

  story("keeps unknown fields of the answer", function* (gateway) {
    const store = yield* SubmissionStore
    yield* plan(invoice("i1"))
    yield* drain(gateway.account())
    yield* store.recordOutcomes("shop", [{ ...rejected("r1"), unknownFields: { Hint: "see rule 17" } }], "webhook")
    const { evidence } = yield* explain("i1")
    assert.deepStrictEqual(
      evidence.map(({ outcome, source, unknownFields }) => [source, outcome._tag, unknownFields]),
      [["webhook", "Rejected", { Hint: "see rule 17" }]]
    )
  })
})
