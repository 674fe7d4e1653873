import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import * as Attention from "../../src/attention/Attention.ts"
import type { Pin } from "../../src/submission/Pin.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { creditNote, invoice } from "../submission/PlannedDocuments.ts"
import { drain, explain, get, key, plan, states, stateOf, sweep, test } from "../sending/Engine.ts"
import { answers, fiscalised, make, rejected, type ScriptedGateway } from "../sending/ScriptedGateway.ts"

const pin: Pin = { account: "shop", lane: "test/2002", taxpayer: "2000000001", environment: "test" }
const repin = (to: Partial<Pin> = {}) =>
  SubmissionStore.use((store) => store.repin({ ...pin, ...to }, "the old one broke"))
const everything = SubmissionStore.use((store) => store.list({}))
const sent = ({ submitted }: ScriptedGateway) => submitted.map(({ date, id }) => `${id} ${date.slice(11, 19)}`)

const receiptOf = (deviceId: number) => (id: string) => fiscalised(id, `V-${id}`, deviceId)

/** Installs the new device: the gateway names it, and receipts come from it. */
const replaced = ({ state }: ScriptedGateway) => {
  state.device = { deviceId: 2002, serialNo: "SN-2002" }
  state.status = receiptOf(2002)
}

/** Returns a document of another account, on the new device. */
const till = (id: string, time: string) =>
  invoice(id, { account: "till", lane: "test/2002", number: `T-${id}`, receiptDate: `2026-01-10T${time}+02:00` })

describe("a replacement device", () => {
  for (const [state, prepare] of [
    [
      "Sending",
      () =>
        SubmissionStore.use((store) =>
          Effect.gen(function* () {
            const claim = yield* store.claim("test/1001", "a", Duration.minutes(2), () => false)
            if (claim._tag === "Busy") return assert.fail("the lane is taken")
            yield* store.beginAttempt(claim.lease, {
              accounts: [{ account: "shop", environment: "test", afterRejection: "retry", continueAfter: "accepted" }],
              lease: Duration.minutes(2),
              skew: Duration.zero
            })
          })
        )
    ],
    ["Accepted", (gateway: ScriptedGateway) => drain(gateway.account())],
    [
      "Unknown",
      (gateway: ScriptedGateway) => {
        gateway.answer("i1", answers.unknown)
        return drain(gateway.account())
      }
    ],
    [
      "Planned",
      (gateway: ScriptedGateway) =>
        Effect.gen(function* () {
          gateway.answer("i1", answers.unknown)
          yield* drain(gateway.account())
          // Sent again with IsRetry by the account's policy: the first attempt remains open.
          yield* TestClock.adjust("5 minutes")
          yield* SubmissionStore.use((store) => store.resendUnknown("shop"))
        })
    ]
  ] as const) {
    it.effect(
      `takes over nothing while a document sent to the old device may have a receipt there: one document is ${state}`,
      test(function* () {
        yield* plan(invoice("i1"), invoice("i9", { receiptDate: "2026-01-10T23:00:00+02:00" }))
        yield* prepare(make())
        assert.strictEqual(yield* stateOf("i1"), state)
        const before = yield* everything
        const answer = yield* repin()
        assert.isTrue(answer._tag === "Refused" && answer.reason === "in-flight")
        if (answer._tag === "Refused") assert.include(answer.text, `N-i1 is ${state}`)
        assert.deepStrictEqual(yield* everything, before)
        const store = yield* SubmissionStore
        assert.deepStrictEqual(
          (yield* store.lanes(["shop"])).map(({ lane }) => lane),
          ["test/1001"]
        )
      })
    )
  }

  for (const [name, to, reason] of [
    ["of another taxpayer", { taxpayer: "3000000000" }, "other-taxpayer"],
    ["of another environment", { environment: "live" }, "other-environment"]
  ] as const) {
    it.effect(
      `takes over nothing if it is ${name}`,
      test(function* () {
        yield* plan(invoice("i1"))
        const answer = yield* repin(to)
        assert.strictEqual(answer._tag === "Refused" ? answer.reason : answer._tag, reason)
        assert.strictEqual((yield* get("i1")).lane, "test/1001")
      })
    )
  }

  it.effect(
    "gives new times to documents with assigned times, after its sent documents and between its planned ones",
    test(function* () {
      const gateway = make()
      const accounts = [gateway.account({ firstLook: 0 }), gateway.account({ account: "till", firstLook: 0 })]
      replaced(gateway)
      yield* plan(till("t1", "12:30:00"))
      yield* drain(accounts[1]!)
      yield* sweep(...accounts)
      yield* plan(
        till("t2", "12:30:02"),
        invoice("i1", { dated: "assigned" }),
        invoice("i2", { dated: "assigned" }),
        invoice("i3", { dated: "stated" }),
        invoice("i4", { dated: "stated", receiptDate: "2026-01-10T13:00:00+02:00" }),
        invoice("i5", { dated: "assigned", receiptDate: "2026-01-09T12:00:00+02:00" }),
        invoice("i6", { dated: "assigned", receiptDate: "2026-01-10T14:00:00+02:00" })
      )
      assert.deepStrictEqual(yield* repin(), { _tag: "Repinned", moved: 6, redated: 2 })
      const { timeline } = yield* explain("i1")
      assert.strictEqual(
        timeline.at(-1)!.text,
        "moved from device test/1001 to test/2002: the old one broke; its receipt date becomes 2026-01-10T12:30:01+02:00"
      )
      for (let turn = 0; turn < 6; turn++) {
        yield* drain(...accounts)
        yield* sweep(...accounts)
      }
      assert.deepStrictEqual(sent(gateway), [
        "t1 12:30:00",
        "i1 12:30:01",
        "t2 12:30:02",
        "i2 12:30:03",
        "i4 13:00:00",
        "i6 14:00:00"
      ])
      assert.deepStrictEqual([(yield* get("i3")).hold?.cause, (yield* get("i5")).hold?.cause], ["late", "late"])
    })
  )

  it.effect(
    "releases documents that were late only for the old device, and no other held documents",
    test(function* () {
      const gateway = make()
      const account = gateway.account({ firstLook: 0 })
      yield* plan(invoice("i5"))
      yield* drain(account)
      yield* sweep(account)
      yield* plan(invoice("i1"), invoice("i2", { held: "look at it" }))
      yield* drain(account)
      assert.deepStrictEqual(yield* states, ["i5 Fiscalised", "i1 Held", "i2 Held"])
      yield* repin()
      replaced(gateway)
      yield* drain(account)
      assert.deepStrictEqual(sent(gateway), ["i5 12:00:05", "i1 12:00:01"])
      assert.strictEqual((yield* get("i2")).hold?.cause, "operator")
    })
  )

  for (const [name, again] of [
    ["corrected in the source", () => plan(invoice("i1", { lane: "test/2002", total: "20.00" }))],
    [
      "sent again by a person",
      () => SubmissionStore.use((store) => store.decide(key("i1"), { _tag: "Resend" }, "mapped now"))
    ]
  ] as const) {
    it.effect(
      `gets documents that the old device rejected after they are ${name}`,
      test(function* () {
        const gateway = make()
        const account = gateway.account({ firstLook: 0 })
        gateway.state.status = (id) => rejected(id)
        yield* plan(invoice("i1"))
        yield* drain(account)
        yield* sweep(account)
        yield* repin()
        assert.deepStrictEqual([(yield* get("i1")).state, (yield* get("i1")).lane], ["Rejected", "test/1001"])
        yield* again()
        replaced(gateway)
        gateway.state.status = (id) => rejected(id)
        yield* drain(account)
        assert.deepStrictEqual([(yield* get("i1")).state, (yield* get("i1")).lane], ["Accepted", "test/2002"])
        const store = yield* SubmissionStore
        const { lanes } = yield* store.health(Duration.days(7))
        assert.deepStrictEqual(
          lanes.map(({ counts, lane }) => [lane, { ...counts }]),
          [
            ["test/1001", {}],
            ["test/2002", { Accepted: 1 }]
          ]
        )
      })
    )
  }

  it.effect(
    "takes over a credit note whose original the old device has fiscalised, and both if neither was sent",
    test(function* () {
      const gateway = make()
      const account = gateway.account({ firstLook: 0 })
      yield* plan(invoice("i1"))
      yield* drain(account)
      yield* sweep(account)
      yield* plan(creditNote("c2", { credits: "i1" }), invoice("i3"), creditNote("c4", { credits: "i3" }))
      assert.strictEqual((yield* repin())._tag, "Repinned")
      replaced(gateway)
      for (let turn = 0; turn < 3; turn++) {
        yield* drain(account)
        yield* sweep(account)
      }
      assert.deepStrictEqual(yield* states, ["i1 Fiscalised", "c2 Fiscalised", "i3 Fiscalised", "c4 Fiscalised"])
    })
  )

  it.effect(
    "is checked before it is used, and gets nothing while the gateway still names the old device",
    test(function* () {
      const gateway = make()
      const account = gateway.account({ firstLook: 0 })
      yield* plan(invoice("i1"))
      yield* drain(account)
      yield* sweep(account)
      yield* plan(invoice("i2"))
      yield* repin()
      const [left] = yield* drain(account)
      assert.isTrue(left!.end._tag === "Stopped" && left!.end.stop.cause === "device-changed")
      assert.deepStrictEqual(sent(gateway), ["i1 12:00:01"])
      replaced(gateway)
      yield* drain(gateway.account({ firstLook: 0 }))
      assert.deepStrictEqual(sent(gateway), ["i1 12:00:01", "i2 12:00:02"])
    })
  )

  it.effect(
    "is not stopped by a late receipt of the old device",
    test(function* () {
      const gateway = make()
      const account = gateway.account({ firstLook: 0 })
      gateway.state.status = (id) => rejected(id)
      yield* plan(invoice("i1"))
      yield* drain(account)
      yield* sweep(account)
      yield* repin()
      const store = yield* SubmissionStore
      yield* plan(invoice("i1", { lane: "test/2002", total: "20.00" }))
      yield* store.recordOutcomes("shop", [receiptOf(1001)("r1")], "webhook")
      const { conflicts, submission } = yield* explain("i1")
      assert.deepStrictEqual(
        [submission.hold?.cause, ...conflicts.map(({ code }) => code)],
        ["contradicted", "OUTCOME_CONFLICT"]
      )
      assert.deepStrictEqual(
        (yield* store.lanes()).map(({ stop }) => stop),
        [null, null]
      )
    })
  )

  it.effect(
    "is not offered for a receipt of another device: the receipt is settled, and the lane continues",
    test(function* () {
      const gateway = make()
      gateway.state.status = receiptOf(2002)
      const account = gateway.account({ firstLook: 0 })
      yield* plan(invoice("i1"), invoice("i2"))
      yield* drain(account)
      yield* sweep(account)
      const store = yield* SubmissionStore
      const open = Effect.map(store.health(Duration.days(7)), (health) =>
        Attention.of(health).map(({ actions, code }) => [code, ...new Set(actions.map(({ step }) => step.do))])
      )
      assert.deepStrictEqual(yield* open, [
        ["STOPPED", "doctor", "explain", "resolve"],
        ["CONFLICT", "explain", "resolve"]
      ])
      for (const id of ["i1", "i2"])
        yield* store.decide(key(id), { _tag: "Acknowledged" }, "the gateway named the device")
      assert.deepStrictEqual(yield* open, [])
    })
  )

  it.effect(
    "may be declared twice, and for an account that was never used",
    test(function* () {
      yield* plan(invoice("i1"))
      assert.deepStrictEqual(yield* repin(), { _tag: "Repinned", moved: 1, redated: 0 })
      assert.deepStrictEqual(yield* repin(), { _tag: "Repinned", moved: 0, redated: 0 })
      assert.deepStrictEqual(yield* repin({ account: "new" }), { _tag: "Repinned", moved: 0, redated: 0 })
      const store = yield* SubmissionStore
      assert.deepStrictEqual(yield* store.pin({ ...pin, account: "new" }), { _tag: "Pinned" })
    })
  )
})
