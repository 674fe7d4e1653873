import { assert, describe, it } from "@effect/vitest"
import { Clock, DateTime, Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { DatabaseSync } from "node:sqlite"
import * as BulkDecision from "../../src/session/BulkDecision.ts"
import * as OpenAccount from "../../src/account/OpenAccount.ts"
import { CivilDate } from "../../src/document/CivilDate.ts"
import { RequestId } from "../../src/document/Identifiers.ts"
import * as StatusPoller from "../../src/sending/StatusPoller.ts"
import * as Submitter from "../../src/sending/Submitter.ts"
import { unmarked } from "../../src/submission/ledger/NewestAttempt.ts"
import * as SqliteClient from "../../src/node/SqliteClient.ts"
import * as SqlStore from "../../src/store/SqlStore.ts"
import type { Decision } from "../../src/submission/Decision.ts"
import * as PermittedDecision from "../../src/submission/PermittedDecision.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { invoice } from "../submission/PlannedDocuments.ts"
import { changeable } from "../sending/ChangeableClock.ts"
import { at, drain, ended, explain, get, key, now, plan, stateOf } from "../sending/Engine.ts"
import { answers, failed, fiscalised, make, rejected, type ScriptedGateway } from "../sending/ScriptedGateway.ts"

type Services = SubmissionStore | Submitter.Submitter | StatusPoller.StatusPoller

/** Clocks of one test, each with the milliseconds that it shows too much. */
interface Clocks {
  readonly gateway: ScriptedGateway
  readonly database: { ahead: number }
  /** Sets this machine's clock. The monotonic clock and the gateway's clock stay right. */
  readonly machine: (ahead: number) => void
}

/** Runs a test with a store on a server with its own clock, as PostgreSQL has one. */
const clocks = <A, E>(body: (clocks: Clocks) => Effect.Effect<A, E, Services>) =>
  Effect.gen(function* () {
    yield* at(now)
    const right = yield* Clock.Clock
    const { change, machine } = yield* changeable
    const gateway = make()
    const database = { ahead: 0 }
    const open = (filename: string) => {
      const db = new DatabaseSync(filename)
      db.function("unixepoch", { varargs: true }, () => (right.currentTimeMillisUnsafe() + database.ahead) / 1000)
      return db
    }
    const store = Layer.effect(SubmissionStore, SqlStore.open({ time: "database" })).pipe(
      Layer.provide(SqliteClient.layer({ filename: ":memory:", open }))
    )
    const set = (ahead: number) => {
      change.millis = ahead
      gateway.state.aheadMillis = ahead
    }
    return yield* body({ gateway, database, machine: set }).pipe(
      Effect.provide(
        Layer.mergeAll(Submitter.layer(), StatusPoller.layer).pipe(Layer.provideMerge(Layer.fresh(store)))
      ),
      Effect.provideService(Clock.Clock, machine)
    )
  })

const minutes = (count: number) => count * 60_000

const decide = (decision: Decision) =>
  SubmissionStore.use((store) => store.decide(key("i1"), decision, "as the portal shows"))

/** Makes i1 Unknown a moment ago. */
const unknown = (gateway: ScriptedGateway) =>
  Effect.gen(function* () {
    gateway.answer("i1", answers.unknown)
    const account = gateway.account({ firstLook: 0 })
    yield* plan(invoice("i1"))
    yield* drain(account)
    yield* TestClock.adjust("10 seconds")
    return account
  })

const released = Effect.map(decide({ _tag: "NotProcessed" }), ({ _tag }) => _tag === "Resolved")

describe("the last answer for a request", () => {
  it.effect("is not new for an operator's decision because the database restarts with its clock behind", () =>
    clocks(({ database, gateway }) =>
      Effect.gen(function* () {
        const account = gateway.account({ firstLook: 0 })
        gateway.state.status = (id) => failed(id, "no connection")
        yield* plan(invoice("i1"))
        yield* drain(account)
        yield* TestClock.adjust("10 minutes")
        const sweep = StatusPoller.StatusPoller.use((poller) => poller.sweep([account]))
        yield* sweep
        yield* TestClock.adjust("20 minutes")
        database.ahead = -minutes(20)
        const decision = { _tag: "Rejected", rejection: { error: "failed", nature: "correctable" } } as const
        const early = yield* decide(decision)
        assert.include(early._tag === "Refused" ? early.text : early._tag, "older than a minute")
        yield* BulkDecision.before(decision, [yield* get("i1")], Effect.succeed([account]))
        assert.strictEqual((yield* decide(decision))._tag, "Resolved")
      })
    )
  )
})

describe("a quiet period", () => {
  for (const decision of [{ _tag: "NotProcessed" }, { _tag: "Withdrawn" }] as const)
    it.effect(`is not over for ${decision._tag} after the database restarts with its clock 20 minutes ahead`, () =>
      clocks(({ database, gateway }) =>
        Effect.gen(function* () {
          yield* unknown(gateway)
          database.ahead = minutes(20)
          const early = yield* decide(decision)
          const from = DateTime.makeUnsafe("2026-01-10T13:05:00Z")
          assert.isTrue(early._tag === "Refused" && DateTime.Equivalence(early.from!, from), JSON.stringify(early))
          assert.include(early._tag === "Refused" ? early.text : "", "2026-01-10T13:05:00Z")
          const offered = PermittedDecision.of(yield* explain("i1")).find((one) => one.decision === decision._tag)
          assert.isTrue(DateTime.Equivalence(offered!.from!, from))
          yield* TestClock.adjust("290 seconds")
          assert.strictEqual((yield* decide(decision))._tag, "Resolved")
        })
      )
    )

  it.effect("is not over if this machine's clock is set ahead, although the database's clock is right", () =>
    clocks(({ gateway, machine }) =>
      Effect.gen(function* () {
        yield* unknown(gateway)
        machine(minutes(20))
        assert.isFalse(yield* released)
        yield* TestClock.adjust("290 seconds")
        assert.isTrue(yield* released)
      })
    )
  )

  it.effect("is not over if the clocks of database and machine are set ahead, by the gateway's time at opening", () =>
    clocks(({ database, gateway, machine }) =>
      Effect.gen(function* () {
        yield* unknown(gateway)
        database.ahead = minutes(20)
        machine(minutes(20))
        assert.isFalse(yield* released)
        yield* TestClock.adjust("290 seconds")
        assert.isTrue(yield* released)
      })
    )
  )

  it.effect("is not over in a fresh process with both clocks set ahead, which asks the gateway for its time", () =>
    clocks(({ database, gateway, machine }) =>
      Effect.gen(function* () {
        const account = yield* unknown(gateway)
        database.ahead = minutes(20)
        machine(minutes(20))
        const store = yield* SubmissionStore
        // a process that has not opened the account
        yield* store.compareClocks("shop", null)
        for (const decision of [{ _tag: "NotProcessed" }, { _tag: "Withdrawn" }] as const) {
          yield* BulkDecision.before(decision, [yield* get("i1")], Effect.succeed([account]))
          assert.strictEqual((yield* decide(decision))._tag, "Refused")
          yield* store.compareClocks("shop", null)
        }
        yield* BulkDecision.before({ _tag: "NotProcessed" }, [yield* get("i1")], Effect.fail("no configuration"))
        assert.isTrue(yield* released, "by the clocks that are known")
      })
    )
  )

  it.effect("is as long if it began while the database's clock was 20 minutes behind, and was set right since", () =>
    clocks(({ database, gateway }) =>
      Effect.gen(function* () {
        database.ahead = -minutes(20)
        yield* unknown(gateway)
        database.ahead = 0
        assert.isFalse(yield* released)
        yield* TestClock.adjust("290 seconds")
        assert.isTrue(yield* released)
      })
    )
  )

  it.effect("is as long if the database's clock was set back during the request", () =>
    clocks(({ database, gateway }) =>
      Effect.gen(function* () {
        gateway.answer(
          "i1",
          Effect.andThen(
            Effect.sync(() => (database.ahead = -minutes(20))),
            answers.unknown
          )
        )
        yield* plan(invoice("i1"))
        yield* drain(gateway.account({ firstLook: 0 }))
        database.ahead = 0
        yield* TestClock.adjust("290 seconds")
        assert.isFalse(yield* released)
      })
    )
  )

  it.effect(
    "keeps its lane waiting, until a time of this machine's clock, when the database's clock is set ahead",
    () =>
      clocks(({ database, gateway }) =>
        Effect.gen(function* () {
          const account = yield* unknown(gateway)
          yield* decide({ _tag: "Accepted", requestId: RequestId.make("r-9") })
          gateway.state.status = (id) => rejected(id)
          yield* SubmissionStore.use((store) => store.recordOutcomes("shop", [rejected("r-9")], "webhook"))
          yield* plan(invoice("i1", { total: "2.00" }))
          database.ahead = minutes(20)
          const end = yield* ended(account)
          assert(end._tag === "Waiting" && end.wait.for === "quiet")
          assert.isTrue(DateTime.Equivalence(end.wait.until, DateTime.makeUnsafe("2026-01-10T13:05:00Z")))
          yield* TestClock.adjust("290 seconds")
          yield* drain(account)
          assert.deepStrictEqual([yield* stateOf("i1"), gateway.submitted.length], ["Accepted", 2])
        })
      )
  )

  it.effect("that an operator overrides is recorded so when the database's clock is set ahead", () =>
    clocks(({ database, gateway }) =>
      Effect.gen(function* () {
        yield* unknown(gateway)
        database.ahead = minutes(20)
        const store = yield* SubmissionStore
        assert.strictEqual(
          (yield* store.decide(key("i1"), { _tag: "NotProcessed" }, "the portal", "recent"))._tag,
          "Resolved"
        )
        assert.isNull((yield* explain("i1")).quietUntil)
      })
    )
  )

  it.effect("is not over for the account's own resend when the database's clock is set ahead", () =>
    clocks(({ database, gateway }) =>
      Effect.gen(function* () {
        const store = yield* SubmissionStore
        yield* unknown(gateway)
        database.ahead = minutes(20)
        assert.strictEqual(yield* store.resendUnknown("shop"), 0)
        yield* TestClock.adjust("290 seconds")
        assert.strictEqual(yield* store.resendUnknown("shop"), 1)
      })
    )
  )

  it.effect("is as long after a crash, if the request began while the database's clock was 20 minutes behind", () =>
    clocks(({ database, gateway }) =>
      Effect.gen(function* () {
        const store = yield* SubmissionStore
        const lease = Duration.minutes(2)
        database.ahead = -minutes(20)
        yield* OpenAccount.open(gateway.account())
        yield* plan(invoice("i1"))
        const claim = yield* store.claim("test/1001", "dead", lease, () => false)
        assert(claim._tag === "Claimed")
        const accounts = [
          { account: "shop", environment: "test", afterRejection: "retry", continueAfter: "accepted" } as const
        ]
        yield* store.beginAttempt(claim.lease, { accounts, lease, skew: Duration.zero })
        yield* store.claim("test/1001", "heir", lease, () => true)
        database.ahead = 0
        assert.isFalse(yield* released)
        yield* TestClock.adjust("5 minutes")
        assert.isTrue(yield* released)
      })
    )
  )

  for (const [when, before, after] of [
    ["is set 20 minutes ahead afterwards", 0, 20],
    ["was 20 minutes behind, and is set right afterwards", -20, 0]
  ] as const)
    it.effect(`of an accepted older copy is as long if the database's clock ${when}`, () =>
      clocks(({ database }) =>
        Effect.gen(function* () {
          const store = yield* SubmissionStore
          database.ahead = minutes(before)
          yield* plan(invoice("i1"))
          yield* store.hold([key("i1")], { cause: "older-copy", text: "an older copy" })
          yield* store.acceptOlder(CivilDate.make("2026-01-01"), unmarked)
          database.ahead = minutes(after)
          assert.strictEqual((yield* decide({ _tag: "Resend" }))._tag, "Refused")
          yield* TestClock.adjust("5 minutes")
          assert.strictEqual((yield* decide({ _tag: "Resend" }))._tag, "Resolved")
        })
      )
    )
})

describe("the time for which the gateway answers", () => {
  for (const [when, before, after] of [
    ["is set 8 days ahead afterwards", 0, 8],
    ["was 8 days behind, and is set right afterwards", -8, 0]
  ] as const)
    it.effect(`is not over if the database's clock ${when}`, () =>
      clocks(({ database, gateway }) =>
        Effect.gen(function* () {
          const account = gateway.account({ firstLook: 0 })
          gateway.state.status = () => null
          database.ahead = minutes(before * 24 * 60)
          yield* plan(invoice("i1"))
          yield* drain(account)
          database.ahead = minutes(after * 24 * 60)
          yield* StatusPoller.StatusPoller.use((poller) => poller.sweep([account]))
          assert.strictEqual(yield* stateOf("i1"), "Accepted")
          yield* TestClock.adjust("7 days")
          yield* StatusPoller.StatusPoller.use((poller) => poller.sweep([account]))
          assert.strictEqual(yield* stateOf("i1"), "Expired")
        })
      )
    )

  it.effect(
    "is asked for an earlier request of a corrected document when the database's clock is set 8 days ahead",
    () =>
      clocks(({ database, gateway }) =>
        Effect.gen(function* () {
          const account = gateway.account({ firstLook: 0 })
          gateway.state.status = (id) => rejected(id)
          yield* plan(invoice("i1"))
          yield* drain(account)
          yield* StatusPoller.StatusPoller.use((poller) => poller.sweep([account]))
          yield* plan(invoice("i1", { total: "2.00" }))
          yield* TestClock.adjust("1 hour")
          database.ahead = minutes(8 * 24 * 60)
          gateway.asked.length = 0
          yield* drain(account)
          assert.deepInclude(gateway.asked, ["r1"])
        })
      )
  )

  it.effect("protects what was stated without a request from a database whose clock is set 9 days ahead", () =>
    clocks(({ database }) =>
      Effect.gen(function* () {
        const store = yield* SubmissionStore
        yield* store.recordOutcomes("shop", [fiscalised("r-1"), failed("r-2", "printing failed")], "webhook")
        database.ahead = minutes(9 * 24 * 60)
        yield* store.recordOutcomes("shop", [fiscalised("r-3")], "webhook")
        assert.sameMembers(
          (yield* store.inbox("shop")).map(({ item }) => item.requestId),
          ["r-1", "r-2", "r-3"].map((id) => RequestId.make(id))
        )
      })
    )
  )
})

describe("a permission to send", () => {
  it.effect("warns and stops nothing if only the database's clock is wrong, and names the clock", () =>
    clocks(({ database, gateway }) =>
      Effect.gen(function* () {
        const wrong = (account: OpenAccount.OpenAccount) =>
          account.warnings.flatMap(({ code, message, severity }) =>
            code === "CLOCK_WRONG" ? [`${severity}: ${message}`] : []
          )
        database.ahead = minutes(1)
        const account = yield* OpenAccount.open(gateway.account({ firstLook: 0 }))
        assert.deepStrictEqual(wrong(account), [])
        database.ahead = minutes(20)
        yield* OpenAccount.renew(account)
        assert.deepStrictEqual(wrong(account), [
          "warning: the clock of the store's database is 1200 s ahead of this machine's and 1200 s ahead of the gateway's; 1m are allowed"
        ])
        yield* plan(invoice("i1"))
        yield* Submitter.Submitter.use((submitter) => submitter.drain([account]))
        assert.strictEqual(yield* stateOf("i1"), "Accepted")
      })
    )
  )
})
