import { assert, describe, it } from "../It.ts"
import { Cause, Deferred, Duration, Effect, Exit, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { DatabaseSync } from "node:sqlite"
import type { StoreWitness, WitnessedStore } from "../../src/account/StoreWitness.ts"
import { failureOf, merged } from "../../src/account/StoreWitness.ts"
import * as Attention from "../../src/attention/Attention.ts"
import { RequestId } from "../../src/document/Identifiers.ts"
import { Limited } from "../../src/gateway/contract/GatewayError.ts"
import { unmarked } from "../../src/submission/ledger/NewestAttempt.ts"
import { StoreError } from "../../src/submission/ledger/StoreError.ts"
import * as SqliteStore from "../../src/node/SqliteStore.ts"
import * as StatusPoller from "../../src/sending/StatusPoller.ts"
import * as Submitter from "../../src/sending/Submitter.ts"
import type { AccountSettings } from "../../src/account/AccountSettings.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import * as Worker from "../../src/sending/Worker.ts"
import { invoice } from "../submission/PlannedDocuments.ts"
import { at, explain, get, now, open, plan, stateOf, states, test } from "./Engine.ts"
import { answers, failure, fiscalised, make, rejected } from "./ScriptedGateway.ts"

/** Starts a worker in the background; returns its events. */
const working = (accounts: ReadonlyArray<AccountSettings>, options: Worker.WorkerOptions = {}) =>
  Effect.gen(function* () {
    // The store sends for the accounts that it knows.
    yield* Effect.forEach(accounts, (settings) => Effect.ignore(open(settings)))
    const events: Array<Worker.WorkerEvent> = []
    const fiber = yield* Effect.forkChild(
      Worker.work(accounts, {}, { ...options, observe: (event) => Effect.sync(() => void events.push(event)) })
    )
    return {
      fiber,
      events,
      /** Returns the reports of lanes. */
      left: () =>
        events.flatMap((event) =>
          event._tag === "Left" ? [`${event.report.lane} ${event.report.attempts} ${event.report.end._tag}`] : []
        )
    }
  })

/** Advances the time in steps of a quarter of a second, like a worker's looks. */
const pass = (seconds: number) =>
  Effect.forEach(Array.from({ length: seconds * 4 }), () => TestClock.adjust("250 millis"), { discard: true })

/** Shows this device from now on; returns the number of openings of the account. */
const looksAt = ({ state }: ReturnType<typeof make>, device: () => { readonly isActive?: boolean }) => {
  const before = state.probes
  Object.defineProperty(state, "device", { get: device })
  return () => state.probes - before
}

const second = { lane: "test/1002", account: "till", taxpayer: "2000000001" }

describe("a worker", () => {
  it.effect(
    "sends planned documents, including those planned during the run, and collects the outcomes",
    test(function* () {
      const gateway = make()
      yield* plan(invoice("i1"), invoice("i2"))
      const { left } = yield* working([gateway.account()])
      yield* pass(10)
      assert.deepStrictEqual(yield* states, ["i1 Fiscalised", "i2 Fiscalised"])
      yield* plan(invoice("i3"))
      yield* pass(10)
      assert.strictEqual(yield* stateOf("i3"), "Fiscalised")
      assert.deepStrictEqual(
        gateway.submitted.map(({ id }) => id),
        ["i1", "i2", "i3"]
      )
      assert.deepStrictEqual(left(), ["test/1001 2 Drained", "test/1001 1 Drained"])
    })
  )

  it.effect(
    "waits for the running request when it is stopped, records the answer, and starts no other",
    test(function* () {
      const gateway = make()
      const begun = yield* Deferred.make<void>()
      const answer = yield* Deferred.make<void>()
      const slowly = Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(answer)).pipe(
        Effect.as(RequestId.make("r1"))
      )
      gateway.answer("i1", slowly)
      yield* plan(invoice("i1"), invoice("i2"))
      const { events, fiber } = yield* working([gateway.account()])
      yield* Deferred.await(begun)
      const stopping = yield* Effect.forkChild(Fiber.interrupt(fiber))
      yield* pass(5)
      assert.strictEqual(yield* stateOf("i1"), "Sending")
      yield* Deferred.succeed(answer, undefined)
      yield* Fiber.join(stopping)
      assert.deepStrictEqual(yield* states, ["i1 Accepted", "i2 Planned"])
      assert.deepStrictEqual(events.at(-1), { _tag: "Leaving", lanes: 1 })
      const [view] = yield* SubmissionStore.use((store) => store.lanes())
      assert.isNull(view!.holder)
    })
  )

  it.effect(
    "continues after a stop has expired, and reports stop and restart once",
    test(
      function* () {
        const gateway = make()
        gateway.answer("i1", answers.limited)
        yield* plan(invoice("i1"))
        const { left } = yield* working([gateway.account()])
        yield* pass(1)
        assert.strictEqual(yield* stateOf("i1"), "Planned")
        yield* pass(70)
        assert.strictEqual(yield* stateOf("i1"), "Fiscalised")
        assert.deepStrictEqual(left(), ["test/1001 1 Stopped", "test/1001 1 Drained"])
      },
      { backOff: { first: "30 seconds", longest: "1 minute" } }
    )
  )

  it.effect(
    "retries an account whose device refuses, reports the reason once, and sends when the device is on again",
    test(function* () {
      const gateway = make()
      yield* open(gateway.account())
      yield* plan(invoice("i1"))
      gateway.state.device = { isActive: false }
      const { events } = yield* working([gateway.account()])
      yield* pass(190)
      assert.lengthOf(gateway.submitted, 0)
      gateway.state.device = {}
      yield* pass(70)
      assert.strictEqual(yield* stateOf("i1"), "Fiscalised")
      assert.deepStrictEqual(
        events.map(({ _tag }) => _tag).filter((tag) => tag !== "Left"),
        ["NotOpened", "Opened"]
      )
    })
  )

  it.effect(
    "asks the gateway once a minute while another process has stopped the lane for an older store",
    test(function* () {
      const gateway = make()
      yield* open(gateway.account())
      yield* plan(invoice("i1"))
      yield* SubmissionStore.use((store) =>
        Effect.flatMap(store.identity, ({ id }) =>
          store.stopOlder({ ...unmarked, id, attempts: 9, at: "2026-03-10T06:00:00Z" })
        )
      )
      const looks = looksAt(gateway, () => ({}))
      yield* working([gateway.account()])
      yield* pass(600)
      assert.lengthOf(gateway.submitted, 0)
      assert.isAtMost(looks(), 13)
    })
  )

  it.effect(
    "asks the gateway once a minute while a full disk refuses the reason why the account is not opened",
    test(function* () {
      const gateway = make()
      yield* open(gateway.account())
      yield* plan(invoice("i1"))
      const store = yield* SubmissionStore
      const full = new StoreError({ operation: "stop", reason: "unavailable", text: "the disk is full" })
      let isOver = false
      const failing = SubmissionStore.of({
        ...store,
        stop: (lane, stop) => Effect.suspend(() => (isOver ? store.stop(lane, stop) : Effect.fail(full)))
      })
      const looks = looksAt(gateway, () => ({ isActive: isOver }))
      yield* Effect.forkChild(Effect.provideService(Worker.work([gateway.account()]), SubmissionStore, failing))
      yield* pass(600)
      assert.isAtMost(looks(), 13)
      isOver = true
      yield* pass(70)
      assert.strictEqual(yield* stateOf("i1"), "Fiscalised")
    })
  )

  it.effect(
    "gives every lane a turn if there are more lanes than it may process at once",
    test(function* () {
      const one = make()
      const two = make()
      two.state.status = (id) => fiscalised(id, `V-${id}`, 1002)
      const slowly = (gateway: typeof one, prefix: string) => {
        for (let n = 1; n <= 30; n++) gateway.answer(`${prefix}${n}`, Effect.delay(gateway.accept, "1 second"))
      }
      slowly(one, "i")
      slowly(two, "t")
      const shop = one.account()
      const till = two.account({ account: "till" }, { deviceId: 1002, serialNo: "SN-1002" })
      yield* Effect.forEach([shop, till], open)
      yield* plan(...Array.from({ length: 30 }, (_, n) => invoice(`i${n + 1}`)))
      yield* plan(...Array.from({ length: 30 }, (_, n) => invoice(`t${n + 1}`, second)))
      yield* working([shop, till], { lanes: 1 })
      yield* pass(24)
      const sent = [one, two].map(({ submitted }) => submitted.length)
      yield* pass(60)
      for (const count of sent) {
        assert.isAtLeast(count, 8)
        assert.isAtMost(count, 16)
      }
      assert.lengthOf(one.submitted, 30)
      assert.lengthOf(two.submitted, 30)
    })
  )

  it.effect(
    "sends in several lanes at once",
    test(function* () {
      const [one, two] = [make(), make()]
      for (const [gateway, id] of [
        [one, "i1"],
        [two, "i2"]
      ] as const)
        gateway.answer(id, Effect.delay(gateway.accept, "3 seconds"))
      yield* plan(invoice("i1"), invoice("i2", second))
      yield* working([one.account(), two.account({ account: "till" }, { deviceId: 1002, serialNo: "SN-1002" })])
      yield* pass(2)
      const sent = [one.submitted.length, two.submitted.length]
      // a worker that is stopped waits for its answers
      yield* pass(10)
      assert.deepStrictEqual(sent, [1, 1])
    })
  )

  it.effect(
    "continues within ten seconds after another process has restarted a stopped lane",
    test(function* () {
      const gateway = make()
      gateway.answer("i1", failure(new Limited({ retryAfter: Duration.minutes(10) })))
      yield* plan(invoice("i1"))
      yield* working([gateway.account()])
      yield* pass(2)
      yield* SubmissionStore.use((store) => store.restart("test/1001"))
      yield* pass(11)
      assert.lengthOf(gateway.submitted, 2)
    })
  )

  it.effect(
    "joins an unknown outcome if the credentials are exclusive, and otherwise leaves it to an operator",
    test(function* () {
      const gateway = make()
      gateway.answer("i1", answers.unknown)
      gateway.state.status = (id) => (id === "elsewhere" ? rejected(id, "final") : fiscalised(id))
      yield* plan(invoice("i1"), invoice("i2"))
      const { fiber } = yield* working([gateway.account()])
      yield* pass(3)
      const found = (id: string) =>
        SubmissionStore.use((store) =>
          store.recordOutcomes(
            "shop",
            [{ _tag: "Rejected", requestId: RequestId.make(id), error: "RCPT017: no", nature: "final" }],
            "webhook"
          )
        )
      yield* found("elsewhere")
      yield* pass(3)
      assert.deepStrictEqual(yield* states, ["i1 Unknown", "i2 Planned"])
      yield* Fiber.interrupt(fiber)
      yield* working([gateway.account({ credentials: "exclusive" })])
      yield* pass(6)
      assert.deepStrictEqual(yield* states, ["i1 Rejected", "i2 Fiscalised"])
    })
  )

  it.effect(
    "does not take a lane of another worker, and takes over after the lease has expired",
    test(
      function* () {
        const gateway = make()
        yield* open(gateway.account())
        yield* plan(invoice("i1"))
        const store = yield* SubmissionStore
        yield* store.claim("test/1001", "session/elsewhere/1/ab#1", Duration.seconds(10), () => false)
        const { events } = yield* working([gateway.account()])
        yield* pass(8)
        assert.lengthOf(gateway.submitted, 0)
        yield* pass(4)
        assert.lengthOf(gateway.submitted, 1)
        const taken = events.find(({ _tag }) => _tag === "TakenOver")
        assert.deepStrictEqual(taken, { _tag: "TakenOver", lane: "test/1001", from: "session/elsewhere/1/ab" })
      },
      { lease: "10 seconds", longestRequest: "5 seconds" }
    )
  )

  it.effect(
    "waits while the store is unreachable, and ends if the store has another version",
    test(function* () {
      const gateway = make()
      yield* open(gateway.account())
      yield* plan(invoice("i1"))
      const store = yield* SubmissionStore
      let reason: StoreError["reason"] | undefined = "unavailable"
      const failing = SubmissionStore.of({
        ...store,
        claimable: (feeders) =>
          Effect.suspend(() =>
            reason === undefined
              ? store.claimable(feeders)
              : Effect.fail(new StoreError({ operation: "look", reason, text: "gone" }))
          )
      })
      const events: Array<string> = []
      const fiber = yield* Effect.forkChild(
        Worker.work([gateway.account()], {}, { observe: ({ _tag }) => Effect.sync(() => void events.push(_tag)) }).pipe(
          Effect.provideService(SubmissionStore, failing)
        )
      )
      yield* pass(10)
      reason = undefined
      yield* pass(20)
      assert.strictEqual(yield* stateOf("i1"), "Fiscalised")
      assert.deepStrictEqual(
        events.filter((event) => event === "Store"),
        ["Store", "Store"]
      )
      reason = "newer-version"
      yield* pass(2)
      const error = yield* Effect.flip(Fiber.join(fiber))
      assert.strictEqual((error as StoreError).reason, "newer-version")
      assert.isNull((yield* get("i1")).hold)
      assert.lengthOf((yield* explain("i1")).attempts, 1)
    })
  )

  /** A store whose disk the test fills and frees, and the witness beside it. */
  const filling = () => {
    let database: DatabaseSync | undefined
    let stores: ReadonlyArray<WitnessedStore> = []
    const layer = Layer.mergeAll(Submitter.layer(), StatusPoller.layer).pipe(
      Layer.provideMerge(
        SqliteStore.layer({ filename: ":memory:", open: (name) => (database = new DatabaseSync(name)) })
      )
    )
    const disk = (is: "full" | "free") => database?.exec(`pragma max_page_count = ${is === "full" ? 1 : 100_000}`)
    const witness = (how: "written" | "unwritten"): StoreWitness => ({
      read: Effect.sync(() => stores),
      write: (store) =>
        Effect.sync(() => {
          if (how === "written") stores = [merged(stores[0], store)]
          return how
        })
    })
    return { layer, disk, witness, recorded: () => failureOf(stores[0])?.text }
  }

  const shown = SubmissionStore.use((store) =>
    Effect.map(store.health(Duration.days(7)), (health) => Attention.of(health).map(({ code }) => code))
  )

  it.effect("records in the witness that its disk is full, and that the disk has room again", function* () {
    const { disk, layer, recorded, witness } = filling()
    yield* at(now)
    yield* Effect.gen(function* () {
      const gateway = make()
      yield* open(gateway.account())
      const opening = { witness: witness("written") }
      yield* Effect.forkChild(Worker.work([gateway.account()], opening))
      yield* pass(5)
      disk("full")
      yield* Effect.ignore(plan(...Array.from({ length: 50 }, (_, n) => invoice(`full${n}`))))
      yield* pass(5)
      assert.isUndefined(recorded(), "a failure of seconds needs no operator")
      yield* pass(40)
      assert.match(recorded() ?? "", /the disk is full/)
      assert.deepStrictEqual(yield* shown, ["STORE_UNWRITTEN"])
      disk("free")
      yield* pass(60)
      assert.isUndefined(recorded())
      assert.deepStrictEqual(yield* shown, [])
      yield* plan(invoice("i1"))
      yield* pass(20)
      assert.strictEqual(yield* stateOf("i1"), "Fiscalised")
    }).pipe(Effect.provide(layer))
  })

  it.effect("ends if neither the store nor the witness can be written", function* () {
    const { disk, layer, witness } = filling()
    yield* at(now)
    yield* Effect.gen(function* () {
      const gateway = make()
      yield* open(gateway.account())
      const worker = yield* Effect.forkChild(Worker.work([gateway.account()], { witness: witness("unwritten") }))
      yield* pass(5)
      disk("full")
      yield* Effect.ignore(plan(...Array.from({ length: 50 }, (_, n) => invoice(`full${n}`))))
      yield* pass(60)
      assert.isNotNull(worker.pollUnsafe(), "the worker has ended")
      const error = yield* Effect.flip(Fiber.join(worker))
      assert.match(error.message, /the disk is full.* cannot be written either/)
    }).pipe(Effect.provide(layer))
  })

  it.effect(
    "ends after an internal error, and does not repeat it",
    test(function* () {
      const gateway = make()
      yield* plan(invoice("i1"))
      yield* open(gateway.account())
      const store = yield* SubmissionStore
      const broken = SubmissionStore.of({ ...store, lanes: () => Effect.die(new Error("a bug")) })
      const fiber = yield* Effect.forkChild(
        Effect.provideService(Worker.work([gateway.account()]), SubmissionStore, broken)
      )
      yield* pass(2)
      const exit = yield* Fiber.await(fiber)
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
    })
  )
})
