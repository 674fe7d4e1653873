import { assert, describe, it } from "../It.ts"
import { Clock, DateTime, Duration, Effect, Fiber, Option } from "effect"
import { TestClock } from "effect/testing"
import * as Consent from "../../src/session/Consent.ts"
import * as Instant from "../../src/document/Instant.ts"
import * as CivilDate from "../../src/document/CivilDate.ts"
import { SendDeadline } from "../../src/gateway/contract/SendDeadline.ts"
import * as OpenAccount from "../../src/account/OpenAccount.ts"
import * as Runner from "../../src/sending/Runner.ts"
import type { AccountStopped } from "../../src/account/StopReason.ts"
import type { StoreWitness, WitnessedStore } from "../../src/account/StoreWitness.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import * as Submitter from "../../src/sending/Submitter.ts"
import type { ZReport } from "../../src/gateway/operation/ZReport.ts"
import { invoice } from "../submission/PlannedDocuments.ts"
import { changeable } from "../sending/ChangeableClock.ts"
import { at, drain, ended, engine, explain, get, now, open, plan, sweep, test } from "../sending/Engine.ts"
import { answers, failure, fiscalised, make, type ScriptedGateway } from "../sending/ScriptedGateway.ts"
import { NotSent } from "../../src/gateway/contract/GatewayError.ts"

const sent = (gateway: ScriptedGateway) => gateway.submitted.map(({ id }) => id)
const reasons = <A, E, R>(opening: Effect.Effect<A, E | AccountStopped, R>) =>
  Effect.map(Effect.flip(opening), (error) => (error as AccountStopped).reasons.map(({ _tag }) => _tag))
const instant = (text: string) => Option.getOrThrow(Instant.parse(text))
const live = { isLive: true }

describe("an account is not opened", () => {
  const faults: ReadonlyArray<readonly [string, (gateway: ScriptedGateway) => void, string]> = [
    ["if its device is switched off", ({ state }) => (state.device = { isSwitchedOn: false }), "DeviceRefuses"],
    ["if its device is not active", ({ state }) => (state.device = { isActive: false }), "DeviceRefuses"],
    [
      "if its subscription has ended",
      ({ state }) => (state.subscription = { status: "cancelled", isDeleted: false }),
      "DeviceRefuses"
    ],
    ["if its key is refused", ({ state }) => (state.profile = answers.credentials), "Unasked"],
    ["if this machine's clock is two days ahead", ({ state }) => (state.aheadMillis = 172_800_000), "ClockWrong"],
    ["if this machine's clock is 61 seconds behind", ({ state }) => (state.aheadMillis = -61_000), "ClockWrong"],
    ["if its device is live and live sending is not allowed", ({ state }) => (state.device = live), "LiveNotAllowed"]
  ]
  for (const [title, fault, reason] of faults) {
    it.effect(
      title,
      test(function* () {
        const gateway = make()
        fault(gateway)
        assert.include(yield* reasons(OpenAccount.open(gateway.account())), reason)
        assert.deepStrictEqual(sent(gateway), [])
      })
    )
  }

  it.effect(
    "if its device, taxpayer or serial number differs from before; the lane states the cause",
    test(function* () {
      const gateway = make()
      const store = yield* SubmissionStore
      yield* OpenAccount.open(gateway.account())
      for (const device of [{ deviceId: 2002 }, { tin: "9" }, { serialNo: "SN-2" }]) {
        gateway.state.device = device
        assert.deepStrictEqual(yield* reasons(OpenAccount.open(gateway.account())), ["DeviceChanged"])
        assert.strictEqual((yield* store.lanes())[0]!.stop?.cause, "device-changed")
      }
      gateway.state.device = {}
      yield* OpenAccount.open(gateway.account())
      assert.isNull((yield* store.lanes())[0]!.stop)
    })
  )

  it.effect(
    "for as long as the proof of its secret may take: after five seconds it is opened with a warning",
    test(function* () {
      const gateway = make()
      gateway.state.proof = Effect.never
      const opening = yield* Effect.forkChild(OpenAccount.open(gateway.account()))
      yield* TestClock.adjust("4 seconds")
      assert.isUndefined(opening.pollUnsafe())
      yield* TestClock.adjust("1 second")
      const { warnings } = yield* Fiber.join(opening)
      assert.include(
        warnings.map(({ code }) => code),
        "SECRET_UNPROVEN"
      )
    })
  )

  it.effect(
    "if its device is switched off while its reports are read",
    test(function* () {
      const gateway = make()
      gateway.state.afterDays = Effect.sync(() => void (gateway.state.device = { isSwitchedOn: false }))
      assert.deepStrictEqual(yield* reasons(OpenAccount.open(gateway.account())), ["DeviceRefuses"])
    })
  )

  it.effect(
    "if its device is exchanged while its reports are read; the closes of the other device are not kept",
    test(function* () {
      const gateway = make()
      const store = yield* SubmissionStore
      yield* OpenAccount.open(gateway.account())
      gateway.state.closes = [
        { closedAt: instant("2026-01-10T08:00:00+02:00"), isSuccess: true, fiscalDayNumber: 7 } as ZReport
      ]
      const exchange = (deviceId: number) => Effect.sync(() => void (gateway.state.device = { deviceId }))
      gateway.state.afterDays = exchange(2002)
      assert.deepStrictEqual(yield* reasons(OpenAccount.open(gateway.account())), ["DeviceChanged"])
      // The device changes in each of the two tries.
      gateway.state.afterDays = Effect.suspend(() => exchange(gateway.state.device.deviceId === 1001 ? 2002 : 1001))
      gateway.state.device = { deviceId: 1001 }
      const error = yield* Effect.flip(OpenAccount.open(gateway.account()))
      assert.include(error.message, "the device was exchanged while its facts were read: device 2002")
      assert.isNull((yield* store.lanes())[0]!.closedAt)
    })
  )

  it.effect(
    "for the first time while its device refuses: no device is pinned, since the device may be wrong",
    test(function* () {
      const gateway = make()
      gateway.state.device = { deviceId: 2002, isSwitchedOn: false }
      yield* Effect.flip(OpenAccount.open(gateway.account()))
      gateway.state.device = {}
      const account = yield* OpenAccount.open(gateway.account())
      assert.strictEqual(account.destination.lane, "test/1001")
    })
  )

  it.effect(
    "and all reasons are reported at once",
    test(function* () {
      const gateway = make()
      gateway.state.device = { isLive: true, isSwitchedOn: false }
      gateway.state.aheadMillis = 120_000
      assert.deepStrictEqual(yield* reasons(OpenAccount.open(gateway.account())), [
        "DeviceRefuses",
        "ClockWrong",
        "LiveNotAllowed",
        "FirstUse"
      ])
    })
  )
})

describe("an account with a changed gateway address", () => {
  const named = (gateway: ScriptedGateway, origin: string) => ({ ...gateway.account({ firstLook: 0 }), origin })

  it.effect(
    "makes no requests, not even for accepted documents, until an operator trusts the address",
    test(function* () {
      const gateway = make()
      const store = yield* SubmissionStore
      yield* plan(invoice("i1"))
      yield* drain(named(gateway, "https://gateway.example"))
      const asked = gateway.asked.length
      // Each of these answers would be another reason.
      const { profile } = gateway.state
      gateway.state.profile = answers.credentials
      for (const other of ["https://attacker.example", "http://127.0.0.1:9"]) {
        assert.deepStrictEqual(yield* reasons(OpenAccount.open(named(gateway, other))), ["OriginChanged"])
        const { calls, problems } = yield* sweep(named(gateway, other))
        assert.strictEqual(calls, 0)
        assert.include(problems[0]?.text, `was used for https://gateway.example, and baseUrl leads to ${other}`)
      }
      assert.strictEqual(gateway.asked.length, asked)
      yield* store.trustOrigin("shop", "https://attacker.example", "the gateway moved")
      gateway.state.profile = profile
      yield* OpenAccount.open(named(gateway, "https://attacker.example"))
      assert.deepStrictEqual(yield* reasons(OpenAccount.open(named(gateway, "https://gateway.example"))), [
        "OriginChanged"
      ])
      const decision = (yield* store.decisions(0, 10)).find(({ act }) => act === "trust-origin")
      assert.include(decision, { subject: "https://attacker.example", because: "the gateway moved" })
    })
  )

  it.effect(
    "is not compared if the gateway is on this machine or no former address is known",
    test(function* () {
      const gateway = make()
      yield* OpenAccount.open(gateway.account())
      for (const origin of ["http://127.0.0.1:4010", "http://localhost:4011", "https://gateway.example"]) {
        yield* OpenAccount.open(named(gateway, origin))
      }
      assert.deepStrictEqual(yield* reasons(OpenAccount.open(named(gateway, "https://other.example"))), [
        "OriginChanged"
      ])
    })
  )
})

describe("an account in a configuration that every user of the machine can write", () => {
  const exposed = ["every user may write accounts.json (mode 0666)"]

  it.effect(
    "does not send to a live device, and warns for a test device",
    test(function* () {
      const gateway = make()
      const { warnings } = yield* OpenAccount.open({ ...gateway.account(), exposed })
      assert.include(
        warnings.map(({ code, message }) => `${code} ${message}`),
        `CONFIG_WRITABLE ${exposed[0]}`
      )
      gateway.state.device = live
      const refused = yield* reasons(OpenAccount.open({ ...gateway.account(), exposed }, { live: "allowed" }))
      assert.include(refused, "LiveExposed")
      const others = yield* reasons(OpenAccount.open(gateway.account(), { live: "allowed" }))
      assert.notInclude(others, "LiveExposed")
    })
  )
})

describe("a store that may lose committed data", () => {
  it.effect(
    "is not used for a live device, but may be used for a test device",
    test(function* () {
      const gateway = make()
      const store = yield* SubmissionStore
      const forgetful = Effect.provideService(SubmissionStore, {
        ...store,
        durability: Effect.succeed({ _tag: "MayLose", text: "fsync is off" } as const)
      })
      yield* forgetful(OpenAccount.open(gateway.account()))
      gateway.state.device = live
      const opening = OpenAccount.open(gateway.account({ account: "live" }), { live: "allowed" })
      assert.include(yield* reasons(forgetful(opening)), "StoreNotDurable")
      assert.notInclude(yield* reasons(opening), "StoreNotDurable")
    })
  )
})

describe("the first use of a live device", () => {
  const code = (error: AccountStopped) =>
    error.reasons.flatMap((reason) => (reason._tag === "FirstUse" ? [reason.code] : []))[0]!

  it.effect(
    "needs the code from the refusal, and is asked for once",
    test(function* () {
      const gateway = make()
      gateway.state.device = live
      const refused = yield* Effect.flip(OpenAccount.open(gateway.account(), { live: "allowed" }))
      const firstUse = code(refused as AccountStopped)
      assert.match(firstUse, /^1001-[0-9A-F]{4}$/)
      assert.deepStrictEqual(
        yield* reasons(OpenAccount.open(gateway.account(), { live: "allowed", firstUse: "1001-0000X" })),
        ["FirstUse"]
      )
      yield* OpenAccount.open(gateway.account(), { live: "allowed", firstUse })
      yield* OpenAccount.open(gateway.account(), { live: "allowed" })
    })
  )

  it.effect("is not confirmed by an old code in a script if the store has changed", () => {
    const gateway = make()
    gateway.state.device = live
    const first = OpenAccount.open(gateway.account(), { live: "allowed" })
    return Effect.gen(function* () {
      const firstUse = code((yield* Effect.flip(first).pipe(Effect.provide(engine()))) as AccountStopped)
      const again = OpenAccount.open(gateway.account(), { live: "allowed", firstUse })
      assert.deepStrictEqual(yield* reasons(again).pipe(Effect.provide(engine())), ["FirstUse"])
    })
  })

  it.effect(
    "is asked for again after an operator moved the account to another device",
    test(function* () {
      const gateway = make()
      gateway.state.device = live
      const store = yield* SubmissionStore
      const refused = yield* Effect.flip(OpenAccount.open(gateway.account(), { live: "allowed" }))
      yield* OpenAccount.open(gateway.account(), { live: "allowed", firstUse: code(refused as AccountStopped) })
      gateway.state.device = { ...live, deviceId: 2002 }
      yield* store.repin(
        { account: "shop", lane: "live/2002", taxpayer: "2000000001", environment: "live", serial: "SN-1001" },
        "the old one broke"
      )
      assert.deepStrictEqual(yield* reasons(OpenAccount.open(gateway.account(), { live: "allowed" })), ["FirstUse"])
    })
  )
})

describe("a store behind its external counter", () => {
  const witness = () => {
    const known: Array<WitnessedStore> = []
    const kept: StoreWitness = {
      read: Effect.sync(() => [...known]),
      write: (store) =>
        Effect.sync(() => {
          known.splice(0, known.length, ...known.filter(({ id }) => id !== store.id), store)
          return "written" as const
        })
    }
    return { known, kept }
  }

  it.effect(
    "is treated as an older copy, and nothing is sent from it",
    test(function* () {
      const gateway = make()
      const { kept, known } = witness()
      const account = yield* OpenAccount.open(gateway.account(), { witness: kept })
      yield* plan(invoice("i1"))
      yield* Submitter.Submitter.use((submitter) => submitter.drain([account]))
      assert.strictEqual(known[0]!.attempts, 1)
      known[0] = { ...known[0]!, attempts: 2 }
      assert.deepStrictEqual(yield* reasons(OpenAccount.open(gateway.account(), { witness: kept })), ["StoreOlder"])
    })
  )

  it.effect(
    "is also detected after a killed run: the count is saved before the first document is sent, and every ten seconds",
    test(function* () {
      const gateway = make()
      const { kept, known } = witness()
      const counted: Array<number> = []
      const account = yield* OpenAccount.open(gateway.account(), { witness: kept })
      const count = Effect.sync(() => counted.push(known[0]!.attempts))
      const ids = ["i1", "i2", "i3", "i4"]
      for (const id of ids) gateway.answer(id, Effect.andThen(count, Effect.delay(gateway.accept, "6 seconds")))
      yield* plan(...ids.map((id) => invoice(id)))
      yield* Effect.forkChild(Submitter.Submitter.use((submitter) => submitter.drain([account])))
      yield* TestClock.adjust("30 seconds")
      assert.deepStrictEqual(counted, [1, 1, 3, 3])
    })
  )
})

describe("a permission to send", () => {
  const refusedBy = <A, E extends { readonly message: string }, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.map(Effect.flip(effect), ({ message }) =>
      assert.include(message, "not a permission to send from this store")
    )

  it.effect(
    "cannot be forged, copied, or used with another store",
    test(function* () {
      const gateway = make()
      const submitter = yield* Submitter.Submitter
      const account = yield* OpenAccount.open(gateway.account())
      yield* plan(invoice("i1"))
      const forged = { ...gateway.account(), checkedAt: account.checkedAt, destination: account.destination }
      yield* refusedBy(submitter.drain([forged as unknown as OpenAccount.OpenAccount]))
      yield* refusedBy(submitter.drain([{ ...account }]))
      yield* refusedBy(submitter.drain([Object.create(account) as OpenAccount.OpenAccount]))
      const elsewhere = Submitter.Submitter.use((other) => other.drain([account]))
      yield* refusedBy(Effect.provide(elsewhere, engine()))
      assert.deepStrictEqual(sent(gateway), [])
    })
  )

  it.effect(
    "is renewed before the next document if it is ten minutes old",
    test(function* () {
      const gateway = make()
      const account = gateway.account()
      yield* open(account)
      yield* TestClock.adjust("9 minutes")
      yield* plan(invoice("i1"))
      yield* drain(account)
      assert.strictEqual(gateway.state.probes, 1)
      yield* TestClock.adjust("1 minute")
      yield* plan(invoice("i2"))
      yield* drain(account)
      assert.strictEqual(gateway.state.probes, 2)
    })
  )

  it.effect(
    "is requested at most once a minute while only an operator can end the stop",
    test(function* () {
      const gateway = make()
      const account = gateway.account()
      yield* open(account)
      yield* plan(invoice("i1"))
      gateway.state.device = { deviceId: 2002 }
      yield* TestClock.adjust("10 minutes")
      yield* drain(account)
      const { probes } = gateway.state
      yield* TestClock.adjust("59 seconds")
      yield* drain(account)
      assert.strictEqual(gateway.state.probes, probes)
      yield* TestClock.adjust("1 second")
      yield* drain(account)
      assert.isAbove(gateway.state.probes, probes)
    })
  )

  it.effect(
    "is renewed only five seconds after the store was interrupted, because another process may know more",
    test(function* () {
      const gateway = make()
      const store = yield* SubmissionStore
      let interruptions = 0
      const interrupted = SubmissionStore.of({ ...store, interruptions: Effect.sync(() => interruptions) })
      const opened = yield* Effect.provideService(OpenAccount.open(gateway.account()), SubmissionStore, interrupted)
      interruptions = 1
      const renewing = yield* Effect.forkChild(OpenAccount.renew(opened))
      yield* TestClock.adjust("4 seconds")
      assert.isUndefined(renewing.pollUnsafe())
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(renewing)
    })
  )

  it.effect("expires after ten minutes even if the clock was set back meanwhile", () =>
    Effect.gen(function* () {
      const { change, machine } = yield* changeable
      yield* at(now)
      const gateway = make()
      const account = gateway.account()
      yield* Effect.gen(function* () {
        yield* open(account)
        yield* TestClock.adjust("9 minutes")
        change.millis = -8 * 60_000
        yield* TestClock.adjust("1 minute")
        yield* plan(invoice("i1"))
        yield* drain(account)
      }).pipe(Effect.provideService(Clock.Clock, machine))
      assert.strictEqual(gateway.state.probes, 2)
    }).pipe(Effect.provide(engine()))
  )

  /**
   * Opens the account, waits nearly ten minutes and sends, in a process that is stopped for seven
   * minutes at its n-th look at the clock. Returns the result.
   */
  const stoppedAt = (n: number) =>
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      let [looks, pause, seenAt] = [0, 0, 0]
      const ages: Array<number> = []
      const now = () => {
        if (++looks === n) pause = 7 * 60_000
        return clock.currentTimeMillisUnsafe() + pause
      }
      const stopping: Clock.Clock = {
        ...clock,
        currentTimeMillisUnsafe: now,
        currentTimeMillis: Effect.sync(now),
        currentTimeNanosUnsafe: () => BigInt(now()) * 1_000_000n,
        sleep: (duration) => clock.sleep(duration)
      }
      const gateway = make()
      const { profile } = gateway.state
      gateway.state.profile = Effect.suspend(() => {
        seenAt = clock.currentTimeMillisUnsafe() + pause
        return profile
      })
      const submitted = Effect.gen(function* () {
        const by = yield* SendDeadline
        const at = clock.currentTimeMillisUnsafe() + pause
        if (at > by.from.time + by.within) return yield* answers.notSent
        ages.push(at - seenAt)
        return yield* gateway.accept
      })
      gateway.answer("i1", submitted, submitted)
      const account = gateway.account()
      yield* Effect.gen(function* () {
        yield* open(account)
        yield* TestClock.adjust("9 minutes")
        yield* plan(invoice("i1"))
        yield* drain(account)
      }).pipe(Effect.provideService(Clock.Clock, stopping))
      return { ages, wasStopped: looks >= n }
    }).pipe(Effect.provide(engine()))

  it.effect(
    "is used for at most ten minutes after the device answered, wherever its process is interrupted",
    function* () {
      yield* at(now)
      for (let n = 1; ; n++) {
        const { ages, wasStopped } = yield* stoppedAt(n)
        // Includes the time that a request may take to the socket.
        for (const age of ages) assert.isAtMost(age, Duration.toMillis("645 seconds"), `stopped at look ${n}`)
        if (!wasStopped) return assert.lengthOf(ages, 1)
      }
    }
  )

  for (const [title, fault, cause] of [
    ["the device is switched off meanwhile", ({ state }) => (state.device = { isSwitchedOn: false }), "device-refuses"],
    ["the clock was changed meanwhile", ({ state }) => (state.aheadMillis = 90_000), "clock"],
    ["the device was swapped meanwhile", ({ state }) => (state.device = { deviceId: 2002 }), "device-changed"],
    [
      "the gateway is unreachable",
      ({ state }) => (state.profile = failure(new NotSent({ cause: "not-connected", text: "no connection" }))),
      "not-sent"
    ],
    ["the key was withdrawn", ({ state }) => (state.profile = answers.credentials), "credentials"]
  ] as ReadonlyArray<readonly [string, (gateway: ScriptedGateway) => void, string]>) {
    it.effect(
      `is never used when expired: if ${title}, the lane stops with ${cause}, and continues after the repair`,
      test(function* () {
        const gateway = make()
        const account = gateway.account()
        yield* open(account)
        const before = { ...gateway.state }
        yield* plan(invoice("i1"))
        fault(gateway)
        yield* TestClock.adjust("10 minutes")
        const end = yield* ended(account)
        assert.isTrue(end._tag === "Stopped" && end.stop.cause === cause)
        yield* TestClock.adjust("10 minutes")
        assert.strictEqual((yield* ended(account))._tag, "Stopped")
        assert.deepStrictEqual(sent(gateway), [])
        Object.assign(gateway.state, before, { probes: gateway.state.probes })
        // The operator repeats the command, which opens the account again.
        const again = yield* OpenAccount.open(gateway.account())
        yield* TestClock.adjust("10 minutes")
        yield* Submitter.Submitter.use((submitter) => submitter.drain([again]))
        assert.deepStrictEqual(sent(gateway), ["i1"])
      })
    )
  }

  for (const [title, device] of [
    ["that is off, after its back-off", { isSwitchedOn: false }],
    ["that was swapped, a minute later", { deviceId: 2002 }]
  ] as const) {
    it.effect(
      `is requested again after a refusal of a device ${title}, however often the lane is processed`,
      test(function* () {
        const gateway = make()
        const account = gateway.account()
        yield* open(account)
        yield* plan(invoice("i1"))
        gateway.state.device = device
        yield* TestClock.adjust("10 minutes")
        for (let n = 0; n < 5; n++) assert.strictEqual((yield* ended(account))._tag, "Stopped")
        assert.strictEqual(gateway.state.probes, 2)
        gateway.state.device = {}
        yield* TestClock.adjust("1 minute")
        yield* drain(account)
        assert.strictEqual(gateway.state.probes, 3)
        assert.deepStrictEqual(sent(gateway), ["i1"])
      })
    )
  }

  it.effect(
    "is renewed when an outcome names a new fiscal day: a document dated before the close is held, not sent",
    test(function* () {
      const gateway = make()
      const settings = gateway.account({ firstLook: 0 })
      const account = yield* OpenAccount.open(settings)
      const submitter = yield* Submitter.Submitter
      const days = [7, 8]
      gateway.state.status = (id) => {
        const item = fiscalised(id)
        return item._tag === "Fiscalised"
          ? { ...item, qrData: { ...item.qrData!, fiscalDay: days.shift() ?? 8 } }
          : item
      }
      yield* plan(invoice("i1"), invoice("i2"))
      yield* submitter.drain([account])
      yield* sweep(account)
      gateway.state.closes = [
        { closedAt: instant("2026-01-10T14:00:00+02:00"), isSuccess: true }
      ] as unknown as typeof gateway.state.closes
      yield* plan(invoice("i3"))
      yield* submitter.drain([account])
      assert.deepStrictEqual(sent(gateway), ["i1", "i2"])
      assert.strictEqual((yield* get("i3")).hold?.cause, "historical")
    })
  )

  const closed = [
    { closedAt: instant("2026-01-10T14:00:00+02:00"), isSuccess: true }
  ] as unknown as ScriptedGateway["state"]["closes"]

  /** Sets the fiscal days of the next outcomes, in sequence; the last day repeats. */
  const inDays = (gateway: ScriptedGateway, ...days: Array<number>) => {
    gateway.state.status = (id) => {
      const item = fiscalised(id)
      const fiscalDay = (days.length > 1 ? days.shift() : days[0]) ?? 0
      return item._tag === "Fiscalised" ? { ...item, qrData: { ...item.qrData!, fiscalDay } } : item
    }
  }

  it.effect(
    "is renewed when the run's first outcome names a later day than the store knew",
    test(function* () {
      const gateway = make()
      inDays(gateway, 7, 8)
      const settings = gateway.account({ firstLook: 0 })
      const submitter = yield* Submitter.Submitter
      yield* plan(invoice("i1"))
      yield* submitter.drain([yield* OpenAccount.open(settings)])
      yield* sweep(settings)
      const account = yield* OpenAccount.open(settings)
      gateway.state.closes = closed
      yield* plan(invoice("i2"))
      yield* submitter.drain([account])
      yield* sweep(account)
      yield* plan(invoice("i3"))
      yield* submitter.drain([account])
      assert.deepStrictEqual(sent(gateway), ["i1", "i2"])
      assert.strictEqual((yield* get("i3")).hold?.cause, "historical")
    })
  )

  it.effect(
    "is renewed when another process has learned of the new day",
    test(function* () {
      const gateway = make()
      inDays(gateway, 7, 8)
      const settings = gateway.account({ firstLook: 0 })
      const submitter = yield* Submitter.Submitter
      yield* plan(invoice("i1"))
      yield* submitter.drain([yield* OpenAccount.open(settings)])
      yield* sweep(settings)
      const account = yield* OpenAccount.open(settings)
      gateway.state.closes = closed
      yield* plan(invoice("i2"))
      yield* submitter.drain([account])
      // That process has a separate permission.
      yield* sweep(settings)
      yield* plan(invoice("i3"))
      yield* submitter.drain([account])
      assert.deepStrictEqual(sent(gateway), ["i1", "i2"])
      assert.strictEqual((yield* get("i3")).hold?.cause, "historical")
    })
  )

  for (const [cause, answer, goesOn] of [
    ["credentials", answers.credentials, true],
    ["not-found", answers.notFound, true],
    ["misdirected", answers.misdirected, true],
    ["not-sent", answers.notSent, true],
    ["limited", answers.limited, false]
  ] as const) {
    it.effect(
      `retries a stopped lane (${cause}) ${goesOn ? "at once when an operator resumes it, and waits longer after a failure" : "not earlier, even when an operator resumes it"}`,
      test(function* () {
        const gateway = make()
        const store = yield* SubmissionStore
        const submitter = yield* Submitter.Submitter
        const settings = gateway.account()
        const opened = (backOff: "kept" | "over") =>
          Effect.flatMap(OpenAccount.open(settings, { backOff }), (account) => submitter.drain([account]))
        const stop = Effect.map(store.lanes(), ([view]) => view!)
        gateway.answer("i1", ...Array.from({ length: 12 }, () => answer))
        yield* plan(invoice("i1"))
        // Like another user's attempts.
        for (let n = 0; n < 9; n++) yield* opened("over")
        const before = gateway.submitted.length
        assert.strictEqual(before, goesOn ? 9 : 1)
        yield* opened("kept")
        assert.strictEqual(gateway.submitted.length, before)
        const { stops } = yield* stop
        yield* opened("over")
        assert.strictEqual(gateway.submitted.length, before + (goesOn ? 1 : 0))
        assert.strictEqual((yield* stop).stops, stops + (goesOn ? 1 : 0))
        gateway.answer("i1")
        yield* opened("over")
        assert.strictEqual((yield* get("i1")).state, goesOn ? "Accepted" : "Planned")
      })
    )
  }

  it.effect(
    "keeps a lane stopped while its account is still refused, even when an operator resumes it",
    test(function* () {
      const gateway = make()
      const store = yield* SubmissionStore
      const settings = gateway.account()
      yield* plan(invoice("i1"))
      gateway.answer("i1", answers.credentials)
      yield* drain(settings)
      gateway.state.profile = answers.credentials
      assert.deepStrictEqual(yield* reasons(OpenAccount.open(settings, { backOff: "over" })), ["Unasked"])
      assert.strictEqual((yield* store.lanes())[0]!.stop?.cause, "credentials")
      assert.deepStrictEqual(sent(gateway), ["i1"])
    })
  )

  it.effect(
    "saves the last close before the first document is sent",
    test(function* () {
      const gateway = make()
      gateway.state.closes = [
        { closedAt: instant("2026-01-10T14:00:00+02:00"), isSuccess: true }
      ] as unknown as typeof gateway.state.closes
      yield* plan(invoice("i1"))
      yield* drain(gateway.account())
      assert.deepStrictEqual(sent(gateway), [])
      assert.strictEqual((yield* get("i1")).hold?.cause, "historical")
    })
  )

  it.effect(
    "reads a close without an offset in the zone of the book or of an earlier run, and never in a guessed one",
    test(function* () {
      const gateway = make()
      gateway.state.closes = [
        { closedAt: "2026-01-10T14:00:00", fiscalDayNumber: 7, isSuccess: true }
      ] as unknown as typeof gateway.state.closes
      const store = yield* SubmissionStore
      const closedAt = Effect.map(store.lanes(), ([lane]) => lane?.closedAt?.epochMilliseconds ?? null)
      const { zone, ...withoutZone } = gateway.account()
      assert.isUndefined(zone)
      const opened = yield* OpenAccount.open(withoutZone)
      assert.include(opened.lastCloseDoubt, "ClosedAt of fiscal day 7: the time has no offset")
      assert.isNull(yield* closedAt)
      const noon = Date.parse("2026-01-10T14:00:00+02:00")
      yield* OpenAccount.open({ ...withoutZone, zone: DateTime.zoneMakeOffset(2 * 3_600_000) })
      assert.strictEqual(yield* closedAt, noon)
      gateway.state.closes = [
        { closedAt: "2026-01-10T14:30:00", fiscalDayNumber: 8, isSuccess: true }
      ] as unknown as typeof gateway.state.closes
      yield* OpenAccount.open(withoutZone)
      assert.strictEqual(yield* closedAt, noon + 1_800_000)
    })
  )

  it.effect(
    "never sends a document dated before the first day of the account",
    test(function* () {
      const gateway = make()
      const notBefore = Option.getOrThrow(CivilDate.parse("2026-01-11"))
      yield* plan(invoice("i1"))
      yield* drain(gateway.account({ notBefore }))
      assert.deepStrictEqual(sent(gateway), [])
      assert.include((yield* get("i1")).hold?.text, "2026-01-11")
    })
  )
})

describe("a proof that names a device other than the lane's device", () => {
  it.effect(
    "is a conflict and stops the lane until an operator acknowledges it",
    test(function* () {
      const gateway = make()
      const account = gateway.account({ firstLook: 0 })
      const store = yield* SubmissionStore
      gateway.state.status = (id) => {
        const item = fiscalised(id)
        return item._tag === "Fiscalised" ? { ...item, qrData: { ...item.qrData!, deviceId: 2002 } } : item
      }
      yield* plan(invoice("i1"))
      yield* drain(account)
      yield* sweep(account)
      assert.deepStrictEqual(
        (yield* explain("i1")).conflicts.map(({ code }) => code),
        ["OTHER_DEVICE"]
      )
      yield* plan(invoice("i2"))
      const end = yield* ended(account)
      assert.isTrue(end._tag === "Stopped" && end.stop.text.includes("2002"))
      yield* OpenAccount.open(gateway.account())
      assert.strictEqual((yield* ended(account))._tag, "Stopped")
      yield* store.decide({ account: "shop", kind: "invoice", id: "i1" }, { _tag: "Acknowledged" }, "asked the gateway")
      yield* drain(account)
      assert.deepStrictEqual(sent(gateway), ["i1", "i2"])
    })
  )
})

// Sending requires a permission; an account's settings are not enough. A statement here that
// compiles would bypass the permission.
export const types = (settings: ReturnType<ScriptedGateway["account"]>) => [
  // @ts-expect-error no exported function sends with less
  Submitter.Submitter.use((submitter) => submitter.drain([settings])),
  // @ts-expect-error no exported function sends with less
  Runner.run([settings]),
  // @ts-expect-error no exported function sends with less
  Consent.give(settings, undefined as never),
  // @ts-expect-error a gateway submits nothing by itself
  settings.gateway.submit,
  // @ts-expect-error nor does what was seen of the account
  { ...settings, checkedAt: undefined as never } satisfies OpenAccount.OpenAccount
]

describe("a clock that is ahead by less than the limit", () => {
  it.effect(
    "never dates a receipt in the gateway's future: the lane waits for the gateway's time",
    test(function* () {
      const gateway = make()
      gateway.state.aheadMillis = 20_000
      yield* plan(
        invoice("i1", { receiptDate: "2026-01-10T14:59:30+02:00" }),
        invoice("i2", { receiptDate: "2026-01-10T14:59:50+02:00" }),
        invoice("i3", { receiptDate: "at-submission" })
      )
      const account = gateway.account()
      const end = yield* ended(account)
      assert.isTrue(end._tag === "Waiting" && end.wait.for === "clock")
      assert.deepStrictEqual(sent(gateway), ["i1"])
      yield* TestClock.adjust("11 seconds")
      const draining = yield* Effect.forkChild(drain(account))
      // Two receipts are a second apart.
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(draining)
      assert.deepStrictEqual(sent(gateway), ["i1", "i2", "i3"])
      assert.strictEqual(gateway.submitted[2]!.date, "2026-01-10T12:59:51+00:00")
    })
  )

  it.effect(
    "is measured by the fastest answer, because a slow answer allows any difference",
    test(function* () {
      const gateway = make()
      gateway.state.aheadMillis = 0
      gateway.state.aheadNext = [0, 20_000]
      yield* plan(
        invoice("i1", { receiptDate: "2026-01-10T14:59:30+02:00" }),
        invoice("i2", { receiptDate: "2026-01-10T14:59:50+02:00" }),
        invoice("i3", { receiptDate: "at-submission" })
      )
      const account = gateway.account()
      const end = yield* ended(account)
      assert.isTrue(end._tag === "Waiting" && end.wait.for === "clock")
      assert.deepStrictEqual(sent(gateway), ["i1"])
      yield* TestClock.adjust("11 seconds")
      const draining = yield* Effect.forkChild(drain(account))
      // Two receipts are a second apart.
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(draining)
      assert.deepStrictEqual(sent(gateway), ["i1", "i2", "i3"])
      assert.strictEqual(gateway.submitted[2]!.date, "2026-01-10T12:59:51+00:00")
    })
  )
})
