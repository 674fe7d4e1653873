/** Two accounts share the lane of a device. */
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import type { AccountSettings } from "../../src/account/AccountSettings.ts"
import { DocumentNumber } from "../../src/document/Identifiers.ts"
import { inWords } from "../../src/sending/LaneEndText.ts"
import type { LaneEnd } from "../../src/sending/LaneRun.ts"
import * as Submitter from "../../src/sending/Submitter.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { invoice } from "../submission/PlannedDocuments.ts"
import { drain, key, open, plan, runAccounts, sweep, test } from "./Engine.ts"
import { passing } from "./PassingTime.ts"
import { make, type ScriptedGateway } from "./ScriptedGateway.ts"

const accountsOf = (gateway: ScriptedGateway) =>
  ["shop", "till"].map((account) => gateway.account({ account, firstLook: 0 }))

/** Eighty documents, alternating between two accounts. */
const eighty = Array.from({ length: 80 }, (_, n) => {
  const account = n % 2 === 0 ? "shop" : "till"
  return invoice(`i${n + 1}`, { account, number: `${account} ${n + 1}` })
})

describe("accounts that share a device", () => {
  it.effect(
    "are processed together: one run fiscalises all their documents in the order of receipt dates",
    test(function* () {
      const gateway = make()
      yield* plan(...eighty)
      const { lanes, open } = yield* passing(yield* Effect.forkChild(runAccounts(accountsOf(gateway))))
      assert.deepStrictEqual(
        lanes.map(({ attempts, end }) => [attempts, end._tag]),
        [[80, "Drained"]]
      )
      assert.strictEqual(open, 0)
      assert.deepStrictEqual(
        gateway.submitted.map(({ id }) => id),
        eighty.map((_, n) => `i${n + 1}`)
      )
    })
  )

  it.effect(
    "are listed by the store for each of them",
    test(function* () {
      yield* plan(...eighty, invoice("x", { account: "other", lane: "test/2002", number: "X" }))
      const store = yield* SubmissionStore
      for (const account of ["shop", "till"]) {
        const [lane, ...others] = yield* store.lanes([account])
        assert.deepStrictEqual([lane!.accounts, others], [["shop", "till"], []])
      }
    })
  )

  it.effect(
    "are blocked if only one of them is processed, and the report names the blocking document",
    test(function* () {
      const gateway = make()
      yield* plan(...eighty)
      const [shop] = accountsOf(gateway)
      const [first] = yield* drain(shop!)
      assert.strictEqual(inWords(first!), "lane test/1001 waits for the outcome of the invoice i1 of account shop")
      const { lanes } = yield* passing(yield* Effect.forkChild(runAccounts([shop!])))
      assert.deepStrictEqual(lanes[0]!.end, {
        _tag: "Waiting",
        wait: {
          for: "account",
          key: { ...key("i2"), account: "till" },
          number: DocumentNumber.make("till 2"),
          environment: "test"
        }
      })
      assert.strictEqual(
        inWords(lanes[0]!),
        "lane test/1001 waits for the invoice till 2 of account till (test), which is before the others and is not sent for here: send for all accounts of the device together"
      )
      assert.strictEqual(gateway.submitted.length, 1)
    })
  )

  it.effect(
    "continue separately if one of them moves to another device during a run",
    test(function* () {
      const gateway = make()
      const store = yield* SubmissionStore
      const [shop, till] = accountsOf(gateway) as [AccountSettings, AccountSettings]
      // An outcome makes the fiscal day of the device known.
      yield* plan(invoice("i1", { account: "till", number: "till 1" }))
      yield* drain(shop, till)
      yield* TestClock.adjust("1 minute")
      yield* sweep(shop, till)
      yield* plan(invoice("i2", { account: "till", number: "till 2" }))
      const pin = Option.getOrThrow(yield* store.pinOf("shop"))
      let begun = 0
      const moving: SubmissionStore["Service"] = {
        ...store,
        beginAttempt: (...of) =>
          Effect.gen(function* () {
            if (++begun > 10) return yield* Effect.die("the gateway is asked again and again")
            if (begun > 1) return yield* store.beginAttempt(...of)
            yield* store.repin({ ...pin, lane: "test/2002", serial: "SN-2" }, "the old one broke")
            moved.state.device = { deviceId: 2002, serialNo: "SN-2" }
            // An outcome has named a new day meanwhile.
            return { _tag: "Outdated" } as const
          })
      }
      const moved = make()
      const accounts = [yield* open(moved.account({ account: "shop" })), yield* open(till)]
      const submitter = yield* Effect.provideService(Submitter.make(), SubmissionStore, moving)
      yield* submitter.drain(accounts)
      yield* submitter.drain(accounts)
      assert.deepStrictEqual(
        gateway.submitted.map(({ id }) => id),
        ["i1", "i2"]
      )
    })
  )
})

describe("the reason why a lane stopped", () => {
  const at = DateTime.makeUnsafe("2026-01-10T13:00:00Z")
  const note = key("c2")
  const ends: ReadonlyArray<readonly [LaneEnd, string | null]> = [
    [{ _tag: "Drained" }, null],
    [{ _tag: "Busy", holder: "host/7", until: at }, "lane test/1001 is being worked by host/7"],
    [
      { _tag: "Stopped", stop: { cause: "limited", text: "429", retryAt: at } },
      "lane test/1001 is stopped (limited): 429; it looks again at 2026-01-10T13:00:00Z"
    ],
    [
      { _tag: "Stopped", stop: { cause: "credentials", text: "401", retryAt: null } },
      "lane test/1001 is stopped (credentials): 401"
    ],
    [
      { _tag: "Waiting", wait: { for: "sending", key: note } },
      "lane test/1001 waits for the credit note c2 of account shop, which is being sent, or was when its process ended"
    ],
    [
      { _tag: "Waiting", wait: { for: "unknown", key: note } },
      "lane test/1001 waits for the credit note c2 of account shop: it is not known whether it was processed, and an operator must decide"
    ],
    [
      { _tag: "Waiting", wait: { for: "original", key: note, original: key("i1") } },
      "lane test/1001 waits for the outcome of the invoice i1 of account shop, which the credit note c2 of account shop credits"
    ],
    [
      { _tag: "Waiting", wait: { for: "clock", key: note, until: at } },
      "lane test/1001 waits until 2026-01-10T13:00:00Z for the credit note c2 of account shop"
    ]
  ]
  for (const [end, words] of ends) {
    it(`is reported: ${words ?? "no text for a drained lane"}`, () =>
      assert.strictEqual(inWords({ lane: "test/1001", attempts: 0, end }), words))
  }
})
