import { assert, describe, it } from "../It.ts"
import { Clock, DateTime, Deferred, Duration, Effect, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import { RequestId } from "../../src/document/Identifiers.ts"
import * as DualClock from "../../src/gateway/contract/DualClock.ts"
import * as ExchangeFacts from "../../src/gateway/contract/ExchangeFacts.ts"
import { SendDeadline } from "../../src/gateway/contract/SendDeadline.ts"
import { Limited } from "../../src/gateway/contract/GatewayError.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import * as Submitter from "../../src/sending/Submitter.ts"
import { invoice } from "../submission/PlannedDocuments.ts"
import { drain, ended, engine, explain, get, key, open, plan, runAccounts, stateOf, states } from "./Engine.ts"
import { answers, failure, make, pending, rejected, type ScriptedGateway } from "./ScriptedGateway.ts"
import { story } from "./Story.ts"

const sent = (gateway: ScriptedGateway) => gateway.submitted.map(({ id }) => id)
const retries = (gateway: ScriptedGateway) => gateway.submitted.map(({ isRetry }) => isRetry)
const lane = SubmissionStore.use((store) => Effect.map(store.lanes(), ([view]) => view!))

describe("a lane", () => {
  for (const [name, cause] of [
    ["credentials", "credentials"],
    ["notFound", "not-found"],
    ["misdirected", "misdirected"],
    ["limited", "limited"],
    ["notSent", "not-sent"]
  ] as const) {
    /** i1 gets the answer, and i2 is behind it. */
    const stopped = (gateway: ScriptedGateway) =>
      Effect.gen(function* () {
        gateway.answer("i1", answers[name])
        const account = gateway.account()
        yield* plan(invoice("i1"), invoice("i2"))
        return { account, end: yield* ended(account) }
      })

    story(`stops if a submission ends with ${cause}, and states the reason`, function* (gateway) {
      const { end } = yield* stopped(gateway)
      assert.isTrue(end._tag === "Stopped" && end.stop.cause === cause && end.stop.text.length > 10)
      assert.isNotNull((yield* get("i1")).text)
    })

    story(
      `that stopped for ${cause} keeps its documents Planned, and makes no requests before the retry time`,
      function* (gateway) {
        const { account } = yield* stopped(gateway)
        assert.deepStrictEqual(yield* states, ["i1 Planned", "i2 Planned"])
        assert.strictEqual((yield* ended(account))._tag, "Stopped")
        assert.deepStrictEqual([gateway.state.probes, sent(gateway).length], [1, 1])
      }
    )

    story(`that stopped for ${cause} continues after a successful GET, without retry flags`, function* (gateway) {
      const { account } = yield* stopped(gateway)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* ended(account), { _tag: "Drained" })
      assert.strictEqual(gateway.state.probes, 2)
      assert.deepStrictEqual(sent(gateway), ["i1", "i1", "i2"])
      assert.deepStrictEqual(retries(gateway), [false, false, false])
    })
  }

  story("stays stopped while the probe fails, for longer each time", function* (gateway) {
    gateway.answer("i1", answers.credentials)
    yield* plan(invoice("i1"))
    const account = gateway.account()
    yield* drain(account)
    gateway.state.profile = answers.credentials
    const waits: Array<number> = []
    for (let turn = 0; turn < 12; turn++) {
      const retryAt = (yield* lane).stop!.retryAt!
      const rest = DateTime.distance(yield* DateTime.now, retryAt)
      waits.push(Duration.toSeconds(rest))
      yield* TestClock.adjust(rest)
      assert.strictEqual((yield* ended(account))._tag, "Stopped")
    }
    assert.strictEqual(gateway.state.probes, 13)
    assert.deepStrictEqual(sent(gateway), ["i1"])
    for (const [turn, wait] of waits.entries()) {
      const longest = Math.min(2 ** turn, 600)
      assert.isTrue(wait >= longest / 2 && wait <= longest, `turn ${turn} waits ${wait} s`)
    }
  })

  story("waits at least as long as the gateway requests, up to a limit", function* (gateway) {
    const limited = (seconds: number) => failure(new Limited({ retryAfter: Duration.seconds(seconds) }))
    gateway.answer("i1", limited(30), limited(86_400))
    yield* plan(invoice("i1"))
    yield* drain(gateway.account())
    yield* TestClock.adjust("29 seconds")
    yield* drain(gateway.account())
    assert.strictEqual(sent(gateway).length, 1)
    yield* TestClock.adjust("1 second")
    yield* drain(gateway.account())
    assert.strictEqual(sent(gateway).length, 2)
    yield* TestClock.adjust("10 minutes")
    yield* drain(gateway.account())
    assert.deepStrictEqual(yield* states, ["i1 Accepted"])
    assert.strictEqual((yield* lane).stops, 0)
  })

  story("keeps the pace of its account", function* (gateway) {
    yield* plan(invoice("i1"), invoice("i2"), invoice("i3"))
    const account = gateway.account({ pace: "10 seconds", firstLook: "1 hour" })
    const end = yield* ended(account)
    assert.isTrue(end._tag === "Waiting" && end.wait.for === "clock")
    const settling = yield* Effect.forkChild(runAccounts([account], { patience: "1 minute" }))
    yield* TestClock.adjust("9 seconds")
    assert.deepStrictEqual(sent(gateway), ["i1"])
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(sent(gateway), ["i1", "i2"])
    yield* TestClock.adjust("10 seconds")
    yield* Fiber.join(settling)
    assert.deepStrictEqual(sent(gateway), ["i1", "i2", "i3"])
  })

  story(
    "keeps the pace of its account across processes: the store has the time of the last sending",
    function* (gateway) {
      yield* plan(invoice("i1"), invoice("i2"))
      const account = gateway.account({ pace: "10 seconds", firstLook: "1 hour" })
      yield* drain(account)
      const another = yield* Submitter.make()
      const [report] = yield* another.drain([yield* open(account)])
      assert.deepStrictEqual([report?.attempts, report?.end._tag], [0, "Waiting"])
      yield* TestClock.adjust("10 seconds")
      yield* another.drain([yield* open(account)])
      assert.deepStrictEqual(sent(gateway), ["i1", "i2"])
    }
  )

  story("has one request in flight, while other lanes have their own", function* (gateway) {
    const gates = yield* Effect.forEach(["i1", "i2", "i3"], () => Deferred.make<void>())
    const arrived = yield* Effect.forEach(gates, () => Deferred.make<void>())
    for (const [n, gate] of gates.entries()) {
      const wait = Effect.andThen(Deferred.succeed(arrived[n]!, undefined), Deferred.await(gate))
      gateway.answer(`i${n + 1}`, Effect.andThen(wait, gateway.accept))
    }
    const other = gateway.account({ account: "branch" }, { deviceId: 2002, tin: "3" })
    yield* plan(invoice("i1"), invoice("i2"), invoice("i3", { account: "branch", lane: "test/2002", taxpayer: "3" }))
    const draining = yield* Effect.forkChild(drain(gateway.account(), other))
    yield* Deferred.await(arrived[0]!)
    yield* Deferred.await(arrived[2]!)
    assert.deepStrictEqual(sent(gateway).toSorted(), ["i1", "i3"])
    yield* Effect.forEach(gates, (gate) => Deferred.succeed(gate, undefined))
    yield* Fiber.join(draining)
    assert.deepStrictEqual(sent(gateway).toSorted(), ["i1", "i2", "i3"])
  })

  story("is skipped if another run holds it", function* (gateway) {
    const gate = yield* Deferred.make<void>()
    gateway.answer("i1", Effect.andThen(Deferred.await(gate), gateway.accept))
    yield* plan(invoice("i1"), invoice("i2"))
    const first = yield* Effect.forkChild(drain(gateway.account()))
    yield* TestClock.adjust("1 second")
    assert.strictEqual((yield* ended(gateway.account()))._tag, "Busy")
    yield* Deferred.succeed(gate, undefined)
    yield* Fiber.join(first)
    assert.deepStrictEqual(sent(gateway), ["i1", "i2"])
  })
})

describe("a request in flight", () => {
  story("is finished and recorded if the run is interrupted", function* (gateway) {
    const gate = yield* Deferred.make<void>()
    gateway.answer("i1", Effect.andThen(Deferred.await(gate), gateway.accept))
    yield* plan(invoice("i1"), invoice("i2"))
    const run = yield* Effect.forkChild(drain(gateway.account()))
    yield* TestClock.adjust("1 second")
    const interrupting = yield* Effect.forkChild(Fiber.interrupt(run))
    yield* TestClock.adjust("1 second")
    assert.strictEqual(yield* stateOf("i1"), "Sending")
    yield* Deferred.succeed(gate, undefined)
    yield* Fiber.join(interrupting)
    assert.deepStrictEqual(yield* states, ["i1 Accepted", "i2 Planned"])
    assert.isNull((yield* lane).holder)
  })

  story(
    "without an answer is Unknown after the longest request time",
    function* (gateway) {
      gateway.answer("i1", Effect.never)
      yield* plan(invoice("i1"))
      const run = yield* Effect.forkChild(drain(gateway.account()))
      yield* TestClock.adjust("9 seconds")
      assert.strictEqual(yield* stateOf("i1"), "Sending")
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(run)
      assert.strictEqual(yield* stateOf("i1"), "Unknown")
      assert.include((yield* get("i1")).text, "no answer within 10s")
    },
    { longestRequest: "10 seconds" }
  )

  story(
    "that was never handed over is not processed after the longest request time: no operator is needed",
    function* (gateway) {
      // Like a process stopped before the socket that wakes up: its time is over before the client
      // has reported anything.
      const waiting = Effect.gen(function* () {
        const kept = (yield* ExchangeFacts.StoredFacts)!
        kept.facts = { stage: "not-sent", status: null, code: null, millis: 10_000 }
        return yield* Effect.never
      })
      gateway.answer("i1", waiting)
      yield* plan(invoice("i1"))
      const run = yield* Effect.forkChild(drain(gateway.account()))
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.join(run)
      assert.strictEqual(yield* stateOf("i1"), "Planned")
      assert.deepStrictEqual((yield* explain("i1")).attempts[0]!.result, {
        _tag: "NotProcessed",
        text: "not sent: it was not handed over within 10s"
      })
      assert.strictEqual((yield* lane).stop?.cause, "not-sent")
    },
    { longestRequest: "10 seconds" }
  )

  story("of a crashing client is Unknown, and the crash text is not stored", function* (gateway) {
    gateway.answer("i1", Effect.die(new Error("secret-key")))
    yield* plan(invoice("i1"))
    yield* drain(gateway.account())
    assert.deepStrictEqual([(yield* get("i1")).state, (yield* get("i1")).text], ["Unknown", "the client broke off"])
  })

  story("with an answer that has another document's request id is Unknown", function* (gateway) {
    const ok = Effect.succeed(RequestId.make("OK"))
    gateway.answer("i1", ok)
    gateway.answer("i2", ok)
    yield* plan(invoice("i1"), invoice("i2"))
    yield* drain(gateway.account())
    assert.deepStrictEqual(yield* states, ["i1 Accepted", "i2 Unknown"])
  })
})

describe("a worker that paused between recording an attempt and sending it", () => {
  story(
    "passes the send deadline to its request, so that the request ends while the lane is held",
    function* (gateway) {
      let left = Number.NaN
      const looking = Effect.gen(function* () {
        const { from, within } = yield* SendDeadline
        left = within - DualClock.age(from, yield* Clock.Clock)
        return yield* gateway.accept
      })
      gateway.answer("i1", looking)
      yield* plan(invoice("i1"))
      yield* drain(gateway.account())
      // The lease minus the longest request.
      assert.strictEqual(left, Duration.toMillis("45 seconds"))
    }
  )

  story(
    "sends nothing if another worker may hold its lane, so that decisions made meanwhile stay true",
    function* (gateway) {
      const account = gateway.account()
      const store = yield* SubmissionStore
      const services = yield* Effect.context<SubmissionStore | Submitter.Submitter>()
      yield* plan(invoice("i1"))
      const meanwhile = Effect.gen(function* () {
        yield* TestClock.adjust("3 minutes")
        yield* drain(account)
        assert.strictEqual(yield* stateOf("i1"), "Unknown")
        yield* TestClock.adjust("5 minutes")
        yield* store.decide(key("i1"), { _tag: "NotProcessed" }, "the portal shows nothing of it")
        yield* drain(account)
      }).pipe(Effect.provideContext(services), Effect.orDie)
      const halting: SubmissionStore["Service"] = {
        ...store,
        beginAttempt: (...of) =>
          Effect.tap(store.beginAttempt(...of), ({ _tag }) => (_tag === "Begun" ? meanwhile : Effect.void))
      }
      const halted = yield* Effect.provideService(Submitter.make(), SubmissionStore, halting)
      const [report] = yield* halted.drain([yield* open(account)])
      assert.strictEqual(report!.end._tag, "Busy")
      assert.deepStrictEqual(sent(gateway), ["i1"])
      assert.strictEqual(yield* stateOf("i1"), "Accepted")
      assert.match((yield* explain("i1")).attempts[0]!.result!._tag, /NotProcessed/)
    }
  )
})

describe("IsRetry", () => {
  const deduplicating = { unknown: "resend-flagged", assumptions: { "DOC-10": "deduplicates" } } as const

  story("is set if an earlier attempt may have been processed", function* (gateway) {
    gateway.answer("i1", answers.notSent, answers.unknown)
    const account = gateway.account(deduplicating)
    yield* plan(invoice("i1"))
    yield* drain(account)
    yield* TestClock.adjust("1 second")
    yield* drain(account)
    yield* TestClock.adjust("10 minutes")
    yield* drain(account)
    assert.deepStrictEqual(retries(gateway), [false, false, true])
    assert.strictEqual(yield* stateOf("i1"), "Accepted")
  })

  for (const [afterRejection, expected] of [
    ["retry", true],
    ["first", false]
  ] as const) {
    story(`after an actionable rejection is ${expected} if DOC-10b is ${afterRejection}`, function* (gateway) {
      const store = yield* SubmissionStore
      const account = gateway.account({ assumptions: { "DOC-10b": afterRejection } })
      yield* plan(invoice("i1"))
      yield* drain(account)
      gateway.state.status = (id) => rejected(id)
      yield* store.recordOutcomes("shop", [rejected("r1")], "webhook")
      yield* plan(invoice("i1", { total: "2.00" }))
      yield* drain(account)
      assert.deepStrictEqual(retries(gateway), [false, expected])
    })
  }

  story("is not set after a declined attempt, which was certainly not processed", function* (gateway) {
    const store = yield* SubmissionStore
    gateway.answer("i1", answers.declined)
    yield* plan(invoice("i1"))
    yield* drain(gateway.account())
    yield* store.decide(key("i1"), { _tag: "Resend" }, "the gateway was wrong")
    yield* drain(gateway.account())
    assert.deepStrictEqual(retries(gateway), [false, false])
    assert.deepStrictEqual(
      (yield* explain("i1")).attempts.map(({ repeats, result, revision }) => [revision, repeats, result?._tag]),
      [
        [1, "first", "Declined"],
        [2, "first", "Accepted"]
      ]
    )
  })
})

describe("resend-flagged", () => {
  story("requires a gateway that detects duplicates", function* () {
    const error = yield* Effect.flip(drain(make().account({ unknown: "resend-flagged" })))
    assert.include(error.message, "DOC-10")
  })

  story("leaves an Unknown document alone until none of its requests can be under way", function* (gateway) {
    gateway.answer("i1", answers.unknown)
    const account = gateway.account({ unknown: "resend-flagged", assumptions: { "DOC-10": "deduplicates" } })
    yield* plan(invoice("i1"), invoice("i2"))
    yield* drain(account)
    yield* TestClock.adjust("299 seconds")
    yield* drain(account)
    assert.deepStrictEqual(yield* states, ["i1 Unknown", "i2 Planned"])
    yield* TestClock.adjust("1 second")
    yield* drain(account)
    assert.deepStrictEqual(yield* states, ["i1 Accepted", "i2 Accepted"])
  })

  for (const [name, options] of [
    ["a lease that is not longer than the longest request", { lease: "60 seconds", longestRequest: "60 seconds" }]
  ] as const) {
    it.effect(`is refused at construction with ${name}`, function* () {
      const error = yield* Effect.flip(Effect.provide(Submitter.Submitter, engine(options)))
      assert.strictEqual(error._tag, "SubmitterConfigError")
      assert.include(error.message, "must be longer than")
    })
  }
})

describe("settling", () => {
  story("sends, waits for outcomes and back-offs, and reports that nothing is left", function* (gateway) {
    const looks = new Map<string, number>()
    const status = gateway.state.status
    gateway.state.status = (id) => {
      looks.set(id, (looks.get(id) ?? 0) + 1)
      return looks.get(id)! > 2 ? status(id) : pending(id)
    }
    gateway.answer("i2", answers.limited)
    yield* plan(invoice("i1"), invoice("i2"))
    const settling = yield* Effect.forkChild(runAccounts([gateway.account()]))
    yield* TestClock.adjust("1 minute")
    const { lanes, open } = yield* Fiber.join(settling)
    assert.deepStrictEqual([lanes.map(({ attempts, end }) => [attempts, end._tag]), open], [[[3, "Drained"]], 0])
    assert.deepStrictEqual(yield* states, ["i1 Fiscalised", "i2 Fiscalised"])
  })

  story("ends at once if only an operator can continue", function* (gateway) {
    gateway.answer("i1", answers.unknown)
    yield* plan(invoice("i1"), invoice("i2"))
    const { lanes, open } = yield* runAccounts([gateway.account()])
    assert.deepStrictEqual(lanes[0]!.end, { _tag: "Waiting", wait: { for: "unknown", key: key("i1") } })
    assert.strictEqual(open, 1)
  })

  story("ends after a period without progress, and leaves the rest unchanged", function* (gateway) {
    gateway.state.status = pending
    yield* plan(invoice("i1"))
    const settling = yield* Effect.forkChild(runAccounts([gateway.account()], { patience: "1 minute" }))
    yield* TestClock.adjust("1 minute")
    assert.strictEqual((yield* Fiber.join(settling)).open, 1)
    assert.strictEqual(yield* stateOf("i1"), "Accepted")
  })

  story("reports every state change after its commit", function* (gateway) {
    const store = yield* SubmissionStore
    const seen = yield* Effect.forkChild(store.changes.pipe(Stream.take(4), Stream.runCollect))
    yield* Effect.yieldNow
    yield* plan(invoice("i1"))
    const settling = yield* Effect.forkChild(runAccounts([gateway.account()]))
    yield* TestClock.adjust("10 seconds")
    yield* Fiber.join(settling)
    assert.deepStrictEqual(
      (yield* Fiber.join(seen)).map(({ from, number, to }) => `${number}: ${from} ${to}`),
      ["N-i1: null Planned", "N-i1: Planned Sending", "N-i1: Sending Accepted", "N-i1: Accepted Fiscalised"]
    )
  })
})
