import { assert, describe, it } from "../It.ts"
import { DateTime, Duration, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { copyFileSync, mkdtempSync, renameSync, rmSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { tmpdir } from "node:os"
import { setTimeout } from "node:timers/promises"
import { join } from "node:path"
import { merged, type StoreWitness, type WitnessedStore } from "../../src/account/StoreWitness.ts"
import { AccountStopped } from "../../src/account/StopReason.ts"
import * as OpenAccount from "../../src/account/OpenAccount.ts"
import * as OlderStore from "../../src/session/OlderStore.ts"
import * as StatusPoller from "../../src/sending/StatusPoller.ts"
import * as Submitter from "../../src/sending/Submitter.ts"
import * as SqliteStore from "../../src/node/SqliteStore.ts"
import * as Money from "../../src/document/Money.ts"
import type { ZReport } from "../../src/gateway/operation/ZReport.ts"
import { currency, mapping } from "../mapping/Mappings.ts"
import type { StoreError } from "../../src/submission/ledger/StoreError.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { invoice } from "../submission/PlannedDocuments.ts"
import { at, key, now, plan, stateOf, states } from "../sending/Engine.ts"
import { MalformedAnswer, Unavailable } from "../../src/gateway/contract/GatewayError.ts"
import { answers, failure, fiscalised, make, pending, rejected } from "../sending/ScriptedGateway.ts"

const inFolder = Effect.acquireRelease(
  Effect.sync(() => join(mkdtempSync(join(tmpdir(), "went-back-")), "store.db")),
  (file) => Effect.sync(() => rmSync(join(file, ".."), { recursive: true, force: true }))
)

/** Returns the services of one process on the store. */
const process = (filename: string) =>
  Layer.mergeAll(Submitter.layer(), StatusPoller.layer).pipe(
    Layer.provideMerge(Layer.fresh(SqliteStore.layer({ filename })))
  )

/**
 * Rewrites the history in the same file: the latest attempts are lost, and others have their
 * numbers.
 */
const rewritten = (filename: string, ...statements: ReadonlyArray<string>) =>
  Effect.sync(() => {
    const db = new DatabaseSync(filename)
    for (const statement of statements) db.exec(statement)
    db.close()
  })

/** Keeps a copy of the contents; returns an effect that restores the copy into the open file. */
const keptCopy = (filename: string, name = "kept") =>
  Effect.sync(() => {
    const copy = new DatabaseSync(filename)
    const kept = join(filename, "..", `${name}.db`)
    copy.exec(`vacuum into '${kept}'`)
    copy.close()
    return Effect.sync(() => {
      const db = new DatabaseSync(filename)
      db.exec(`attach '${kept}' as kept; pragma foreign_keys = off; begin immediate`)
      const tables = db
        .prepare("select name from kept.sqlite_schema where type = 'table' and name like 'fiscal%'")
        .all()
      db.exec("drop trigger fiscal_attempt_of_this_version")
      for (const { name } of tables)
        db.exec(`delete from main.${name}; insert into main.${name} select * from kept.${name}`)
      const guard = db.prepare("select sql from kept.sqlite_schema where type = 'trigger'").get()!
      db.exec(`${guard["sql"]}; commit`)
      db.close()
    })
  })

const anotherHistory = "update fiscal_attempt set token = 'another'; update fiscal_lane set newest_token = 'another'"

const remembering = () => {
  const known: Array<WitnessedStore> = []
  const witness: StoreWitness = {
    read: Effect.sync(() => [...known]),
    write: (store) =>
      Effect.sync(() => {
        const before = known.find(({ id }) => id === store.id)
        known.splice(0, known.length, merged(before, store))
        return "written" as const
      })
  }
  return { known, witness }
}

/** Creates a folder for the store, a gateway and a witness, and sets the clock. */
const scene = Effect.gen(function* () {
  const filename = yield* inFolder
  yield* at(now)
  return { filename, gateway: make(), ...remembering() }
})

const drained = (account: OpenAccount.OpenAccount) =>
  Effect.map(
    Submitter.Submitter.use((submitter) => submitter.drain([account])),
    ([report]) => report!
  )

describe("a store that is replaced by an older copy under a running process", () => {
  it.effect(
    "sends nothing more, stops its lane for all processes, and continues after an operator accepts it",
    function* () {
      const { filename, gateway, witness } = yield* scene
      yield* Effect.gen(function* () {
        const account = yield* OpenAccount.open(gateway.account({ firstLook: 0 }), { witness })
        yield* plan(invoice("i1"))
        yield* drained(account)
        yield* rewritten(filename, anotherHistory)
        yield* plan(invoice("i2"))
        const { attempts, end } = yield* drained(account)
        assert.deepStrictEqual([attempts, end._tag === "Stopped" && end.stop.cause], [0, "store-older"])
        const store = yield* SubmissionStore
        assert.strictEqual((yield* store.lanes())[0]!.stop?.retryAt, null)
        const refused = yield* Effect.flip(OpenAccount.open(gateway.account(), { witness }))
        assert.include(refused.message, "older copy")
        // Another process without knowledge meets the stop.
        const other = yield* Effect.flip(OpenAccount.open(gateway.account())).pipe(Effect.provide(process(filename)))
        assert.strictEqual(other.message, refused.message)

        assert.strictEqual(yield* OlderStore.accept(witness, "there is no newer copy"), 1)
        const resend = store.decide(key("i2"), { _tag: "Resend" }, "the portal does not have it")
        assert.strictEqual((yield* resend)._tag, "Refused")
        yield* TestClock.adjust("5 minutes")
        assert.strictEqual((yield* resend)._tag, "Resolved")
        assert.strictEqual((yield* drained(account)).attempts, 1)
        assert.strictEqual(gateway.submitted.length, 2)
      }).pipe(Effect.provide(process(filename)))
    }
  )

  it.effect("never writes the answer of a lost attempt to the attempt with the same number", function* () {
    const { filename, gateway } = yield* scene
    yield* Effect.gen(function* () {
      const account = yield* OpenAccount.open(gateway.account({ firstLook: 0 }))
      yield* plan(invoice("i1"))
      gateway.answer("i1", Effect.andThen(rewritten(filename, anotherHistory), gateway.accept))
      const before = yield* drained(account)
      assert.strictEqual(before.attempts, 1)
      const store = yield* SubmissionStore
      assert.strictEqual((yield* store.lanes())[0]!.holder, null)
      const [document] = yield* store.list({})
      assert.deepStrictEqual([document!.state, document!.requestId], ["Sending", null])
    }).pipe(
      Effect.catchTag("StoreError", (error) =>
        Effect.sync(() => assert.match(error.message, /older copy.*request id r1/))
      ),
      Effect.provide(process(filename))
    )
  })

  it.effect(
    "is recorded in the file next to the configuration by the failing process, for the next process",
    function* () {
      const { filename, gateway, known, witness } = yield* scene
      yield* Effect.gen(function* () {
        const account = yield* OpenAccount.open(gateway.account({ firstLook: 0 }), { witness })
        yield* plan(invoice("i1"), invoice("i2"))
        // Within the ten seconds in which the file is not written again.
        gateway.answer("i2", Effect.andThen(rewritten(filename, anotherHistory), gateway.accept))
        yield* Effect.flip(drained(account))
      }).pipe(Effect.provide(process(filename)))
      assert.deepStrictEqual(
        known[0]!.newest.map(({ attempt, number }) => [number, attempt]),
        [[2, 2]]
      )
      const next = yield* Effect.flip(
        OpenAccount.open(gateway.account(), { witness }).pipe(Effect.provide(process(filename)))
      )
      assert.include(next.message, "older copy")
    }
  )

  it.effect(
    "is recognized from the file next to the configuration by a process that did not see the change",
    function* () {
      const { filename, gateway, known, witness } = yield* scene
      const sending = (id: string) =>
        Effect.gen(function* () {
          const account = yield* OpenAccount.open(gateway.account({ firstLook: 0 }), { witness })
          yield* plan(invoice(id))
          return yield* drained(account)
        }).pipe(Effect.provide(process(filename)))
      yield* sending("i1")
      assert.deepStrictEqual(
        known[0]!.newest.map(({ attempt, lane, number }) => [lane, number, attempt]),
        [["test/1001", 1, 1]]
      )
      yield* rewritten(filename, anotherHistory)
      const error = yield* Effect.flip(sending("i2"))
      assert.include(error.message, "older copy")
      // The recorded values never decrease.
      assert.deepStrictEqual([known[0]!.attempts, known[0]!.newest[0]!.number], [1, 1])
      assert.strictEqual(gateway.submitted.length, 1)
    }
  )

  for (const knowledge of ["the file beside the configuration", "the memory of a process"] as const)
    it.effect(`is recognized from ${knowledge} if the copy that an operator accepted is restored again`, function* () {
      const { filename, gateway, witness } = yield* scene
      yield* Effect.gen(function* () {
        const account = yield* OpenAccount.open(gateway.account({ firstLook: 0 }), { witness })
        yield* plan(invoice("i1"))
        yield* plan(invoice("i2"))
        const put = yield* keptCopy(filename)
        yield* drained(account)
        assert.strictEqual(gateway.submitted.length, 2)
        yield* put
        const store = yield* SubmissionStore
        assert.strictEqual((yield* drained(account)).attempts, 0)
        assert.strictEqual(yield* OlderStore.accept(witness, "there is no newer copy"), 2)
        // The lane continues, and knows only the attempts in the copy.
        yield* OpenAccount.renew(account)
        assert.deepStrictEqual((yield* drained(account)).end._tag, "Drained")
        yield* put
        assert.isNull((yield* store.lanes())[0]!.stop)
        const attempts = yield* knowledge === "the memory of a process"
          ? Effect.map(drained(account), ({ attempts }) => attempts)
          : Effect.as(Effect.flip(OpenAccount.open(gateway.account(), { witness })), 0).pipe(
              Effect.provide(process(filename))
            )
        assert.strictEqual(attempts, 0)
        assert.strictEqual((yield* store.lanes())[0]!.stop?.cause, "store-older")
        assert.strictEqual(gateway.submitted.length, 2)

        assert.strictEqual(yield* OlderStore.accept(witness, "there is still no newer copy"), 2)
        assert.isNull((yield* store.lanes())[0]!.stop)
        assert.strictEqual((yield* drained(account)).attempts, 0)
      }).pipe(Effect.provide(process(filename)))
    })

  for (const whose of ["this machine's", "another machine's"])
    it.effect(`holds the documents of a lane that the accepted copy does not have, by ${whose} file`, function* () {
      const { filename, gateway, witness } = yield* scene
      yield* Effect.gen(function* () {
        const put = yield* keptCopy(filename)
        const account = yield* OpenAccount.open(gateway.account({ firstLook: 0 }), { witness })
        yield* plan(invoice("i1"))
        yield* drained(account)
        yield* put
      }).pipe(Effect.provide(process(filename)))
      yield* Effect.gen(function* () {
        const asked = whose === "this machine's" ? witness : remembering().witness
        assert.strictEqual(yield* OlderStore.accept(asked, "there is no newer copy"), 0)
        const account = yield* OpenAccount.open(gateway.account({ firstLook: 0 }), { witness })
        yield* plan(invoice("i1"))
        yield* drained(account)
        assert.strictEqual(yield* stateOf("i1"), "Held")
        assert.strictEqual(gateway.submitted.length, 1)
      }).pipe(Effect.provide(process(filename)))
    })

  it.effect("stops every lane, because no lane has what was decided after the copy", function* () {
    const filename = yield* inFolder
    const gateway = make()
    const till = make()
    const destination = { lane: "test/2002", account: "till", taxpayer: "2000000001" }
    yield* at(now)
    yield* Effect.gen(function* () {
      const shop = yield* OpenAccount.open(gateway.account({ firstLook: 0 }))
      const other = yield* OpenAccount.open(
        till.account({ account: "till", firstLook: 0 }, { deviceId: 2002, serialNo: "SN-2002" })
      )
      yield* plan(invoice("i1"), invoice("t1", destination))
      yield* drained(shop)
      yield* drained(other)
      yield* rewritten(
        filename,
        "update fiscal_attempt set token = 'another' where lane = 'test/1001'; update fiscal_lane set newest_token = 'another' where lane = 'test/1001'"
      )
      yield* plan(invoice("i2"), invoice("t2", destination))
      const ends = [yield* drained(shop), yield* drained(other)]
      assert.deepStrictEqual(
        ends.map(({ attempts, end }) => [attempts, end._tag === "Stopped" && end.stop.cause]),
        [
          [0, "store-older"],
          [0, "store-older"]
        ]
      )
      assert.include((yield* (yield* SubmissionStore).lanes())[1]!.stop?.text, "of lane test/1001")
    }).pipe(Effect.provide(process(filename)))
    assert.deepStrictEqual(
      till.submitted.map(({ id }) => id),
      ["t1"]
    )
  })

  it.effect(
    "offers no first use of a live device while it is stopped, and another code than before afterwards",
    function* () {
      const { filename, gateway, witness } = yield* scene
      const live = make()
      const facts = { deviceId: 2002, serialNo: "SN-2002", isLive: true }
      const opening = (firstUse?: string) =>
        OpenAccount.open(live.account({ account: "till" }, facts), { live: "allowed", firstUse })
      const codeOf = (error: { readonly _tag: string }) =>
        error instanceof AccountStopped
          ? error.reasons.map((reason) => (reason._tag === "FirstUse" ? reason.code : reason._tag))
          : [error._tag]
      yield* Effect.gen(function* () {
        const shop = yield* OpenAccount.open(gateway.account({ firstLook: 0 }), { witness })
        const put = yield* keptCopy(filename)
        const [inScript] = codeOf(yield* Effect.flip(opening()))
        yield* opening(inScript)
        yield* plan(invoice("i1"))
        yield* drained(shop)
        yield* put
        yield* Effect.flip(OpenAccount.open(gateway.account(), { witness }))
        assert.deepStrictEqual(codeOf(yield* Effect.flip(opening(inScript))), ["StoreOlder"])
        yield* OlderStore.accept(witness, "there is no newer copy")
        const [offered] = codeOf(yield* Effect.flip(opening(inScript)))
        assert.match(offered!, /^2002-[0-9A-F]{4}$/)
        assert.notStrictEqual(offered, inScript)
        // the same copy once more: the second code confirms nothing either
        yield* put
        yield* Effect.flip(OpenAccount.open(gateway.account(), { witness }))
        assert.deepStrictEqual(codeOf(yield* Effect.flip(opening(offered))), ["StoreOlder"])
      }).pipe(Effect.provide(process(filename)))
    }
  )

  it.effect("begins nothing in another lane in the same commit in which a lane recognizes the copy", function* () {
    const { filename, gateway } = yield* scene
    const destination = { lane: "test/2002", account: "till", taxpayer: "2000000001" }
    const accounts = ["shop", "till"].map(
      (account) => ({ account, environment: "test", afterRejection: "retry", continueAfter: "accepted" }) as const
    )
    const options = { accounts, lease: Duration.minutes(2), skew: Duration.zero }
    yield* Effect.gen(function* () {
      const store = yield* SubmissionStore
      const shop = yield* OpenAccount.open(gateway.account({ firstLook: 0 }))
      yield* plan(invoice("i1"))
      yield* drained(shop)
      yield* plan(invoice("i2"), invoice("t1", destination))
      const leases = yield* Effect.forEach(["test/1001", "test/2002"], (lane) =>
        Effect.map(
          store.claim(lane, "somebody", options.lease, () => false),
          (claim) => {
            assert(claim._tag === "Claimed")
            return claim.lease
          }
        )
      )
      yield* rewritten(filename, anotherHistory)
      const steps = yield* Effect.forEach(leases, (lease) => store.beginAttempt(lease, options), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(
        steps.map((step) => step._tag === "Stopped" && step.stop.cause),
        ["store-older", "store-older"]
      )
    }).pipe(Effect.provide(process(filename)))
  })

  it.effect(
    "takes nothing for a lane that is first used after the copy was made, once the copy is recognized",
    function* () {
      const { filename, gateway, witness } = yield* scene
      const till = make()
      const facts = { deviceId: 2002, serialNo: "SN-2002" }
      const destination = { lane: "test/2002", account: "till", taxpayer: "2000000001" }
      const opening = OpenAccount.open(till.account({ account: "till", firstLook: 0 }, facts))
      const options = { accounts: [], lease: Duration.minutes(2), skew: Duration.zero }
      yield* Effect.gen(function* () {
        const shop = yield* OpenAccount.open(gateway.account({ firstLook: 0 }), { witness })
        const put = yield* keptCopy(filename)
        yield* plan(invoice("i1"))
        yield* drained(shop)
        yield* Effect.flatMap(opening, (account) => Effect.andThen(plan(invoice("t1", destination)), drained(account)))
        yield* put
        const refused = yield* Effect.flip(OpenAccount.open(gateway.account(), { witness }))
        assert.include(refused.message, "older copy")
      }).pipe(Effect.provide(process(filename)))
      // a process on another machine, without any knowledge of the store
      yield* Effect.gen(function* () {
        const store = yield* SubmissionStore
        const sentence = /this store is an older copy: attempt 1 of lane test\/1001/i
        assert.match((yield* Effect.flip(opening)).message, sentence)
        const planned = yield* Effect.flip(plan(invoice("t1", destination)))
        assert.deepStrictEqual(
          [planned._tag, planned._tag === "StoreError" && planned.reason],
          ["StoreError", "stopped"]
        )
        assert.match(planned.message, sentence)
        const claim = yield* store.claim(destination.lane, "somebody", options.lease, () => false)
        assert(claim._tag === "Claimed")
        const begun = yield* store.beginAttempt(claim.lease, options)
        assert(begun._tag === "Stopped")
        assert.strictEqual(begun.stop.cause, "store-older")
        assert.match(begun.stop.text, sentence)
        yield* store.release(claim.lease)
        assert.deepStrictEqual(
          (yield* store.lanes()).map(({ lane, stop }) => [lane, stop?.cause]),
          [
            ["test/1001", "store-older"],
            ["test/2002", "store-older"]
          ]
        )
        yield* OlderStore.accept(witness, "there is no newer copy")
        assert.deepStrictEqual(
          (yield* store.lanes()).map(({ stop }) => stop),
          [null, null]
        )
        const account = yield* opening
        yield* plan(invoice("t1", destination))
        yield* drained(account)
        assert.strictEqual(yield* Effect.map(store.list({}), ([document]) => document?.state), "Held")
      }).pipe(Effect.provide(process(filename)))
      assert.lengthOf(till.submitted, 1)
    }
  )

  it.effect("is stopped for all processes if a file of an earlier version counted more attempts", function* () {
    const { filename, gateway, known, witness } = yield* scene
    yield* Effect.gen(function* () {
      const account = yield* OpenAccount.open(gateway.account({ firstLook: 0 }), { witness })
      yield* plan(invoice("i1"))
      yield* drained(account)
      // A file of that version has no marks of single attempts.
      known.splice(0, 1, { ...known[0]!, attempts: 7, newest: [] })
      const error = yield* Effect.flip(OpenAccount.open(gateway.account(), { witness }))
      assert.include(error.message, "older copy")
      const store = yield* SubmissionStore
      const { cause, text } = (yield* store.lanes())[0]!.stop!
      assert.strictEqual(cause, "store-older")
      assert.include(text, "it has written 1 attempts; 7 were counted")
    }).pipe(Effect.provide(process(filename)))
  })

  it.effect("is not stopped if the newest copy is restored while an opening compares the older one", function* () {
    const { filename, gateway, witness } = yield* scene
    yield* Effect.gen(function* () {
      const account = yield* OpenAccount.open(gateway.account({ firstLook: 0 }), { witness })
      yield* plan(invoice("i1"))
      const putOlder = yield* keptCopy(filename)
      yield* drained(account)
      yield* plan(invoice("i2"))
      const putNewest = yield* keptCopy(filename, "newest")
      yield* putOlder
      // The secret is proven after the comparison with the older copy.
      gateway.state.proof = putNewest
      const error = yield* Effect.flip(OpenAccount.open(gateway.account(), { witness }))
      assert.include(error.message, "older copy")
      gateway.state.proof = Effect.void
      const store = yield* SubmissionStore
      assert.isNull((yield* store.lanes())[0]!.stop)
      const again = yield* OpenAccount.open(gateway.account({ firstLook: 0 }), { witness })
      assert.deepStrictEqual(
        [yield* Effect.map(drained(again), ({ end }) => end._tag), gateway.submitted.map(({ id }) => id)],
        ["Drained", ["i1", "i2"]]
      )
    }).pipe(Effect.provide(process(filename)))
  })

  it.effect("is reported if another file replaces it, and nothing is written into the removed file", function* () {
    const { filename, gateway } = yield* scene
    yield* Effect.gen(function* () {
      const account = yield* OpenAccount.open(gateway.account({ firstLook: 0 }))
      yield* plan(invoice("i1"))
      yield* drained(account)
      yield* plan(invoice("i2"))
      copyFileSync(filename, `${filename}.older`)
      renameSync(`${filename}.older`, filename)
      // The file is checked every 5 ms.
      yield* Effect.promise(() => setTimeout(10))
      const error = yield* Effect.flip(drained(account))
      assert.deepStrictEqual([error._tag, error._tag === "StoreError" && error.reason], ["StoreError", "replaced"])
      assert.include(error.message, "another file was put in its place")
      assert.strictEqual(gateway.submitted.length, 1)
    }).pipe(Effect.provide(process(filename)))
  })
})

describe("an outcome with an unknown request id, in an older copy", () => {
  /**
   * The answer of i1 is lost, and a copy is made. Then i1 gets its outcome by elimination, i2 is
   * sent, and the copy is restored. It lacks the request of i2, whose outcome comes now.
   */
  const outcomeOfLostRequest = (filename: string, witness: StoreWitness) =>
    Effect.gen(function* () {
      const gateway = make()
      const account = yield* OpenAccount.open(gateway.account({ credentials: "exclusive", firstLook: 0 }), { witness })
      const store = yield* SubmissionStore
      yield* plan(invoice("i1"), invoice("i2"))
      gateway.answer("i1", answers.unknown)
      yield* drained(account)
      const put = yield* keptCopy(filename)
      yield* store.recordOutcomes("shop", [fiscalised("of-i1")], "webhook")
      yield* drained(account)
      assert.deepStrictEqual(yield* states, ["i1 Fiscalised", "i2 Accepted"])
      yield* put
      yield* store.recordOutcomes("shop", [fiscalised("r1")], "webhook")
      return account
    })

  const undecided = ["i1 Unknown", "i2 Planned"]

  it.effect("is not assigned by a process that has begun a request which the copy lacks", function* () {
    const filename = yield* inFolder
    yield* at(now)
    yield* Effect.gen(function* () {
      const account = yield* outcomeOfLostRequest(filename, remembering().witness)
      yield* drained(account)
      assert.deepStrictEqual(yield* states, undecided)
    }).pipe(Effect.provide(process(filename)))
  })

  it.effect("is not assigned by another process after the copy was recognized", function* () {
    const filename = yield* inFolder
    yield* at(now)
    yield* Effect.gen(function* () {
      yield* outcomeOfLostRequest(filename, remembering().witness)
      yield* (yield* SubmissionStore).stopOlder(undefined)
    }).pipe(Effect.provide(process(filename)))
    yield* Effect.gen(function* () {
      assert.strictEqual(yield* (yield* SubmissionStore).joinByElimination("shop"), 0)
      assert.deepStrictEqual(yield* states, undecided)
    }).pipe(Effect.provide(process(filename)))
  })

  it.effect("is not assigned after an operator has accepted the copy, which still lacks the request", function* () {
    const filename = yield* inFolder
    const { witness } = remembering()
    yield* at(now)
    yield* Effect.gen(function* () {
      const account = yield* outcomeOfLostRequest(filename, witness)
      yield* OlderStore.accept(witness, "there is no newer copy")
      yield* OpenAccount.renew(account)
      yield* drained(account)
      assert.strictEqual(yield* stateOf("i1"), "Unknown")
    }).pipe(Effect.provide(process(filename)))
  })

  it.effect(
    "does not take the store for a copy after a common commit with a request of another lane has failed",
    function* () {
      const filename = yield* inFolder
      const till = { lane: "test/2002", account: "till", taxpayer: "2000000001" }
      const options = {
        accounts: [{ account: "till", environment: "test", afterRejection: "retry", continueAfter: "accepted" }],
        lease: Duration.minutes(2),
        skew: Duration.zero
      } as const
      yield* at(now)
      yield* Effect.gen(function* () {
        const gateway = make()
        const account = yield* OpenAccount.open(gateway.account({ credentials: "exclusive", firstLook: 0 }))
        const store = yield* SubmissionStore
        yield* plan(invoice("i1"), invoice("t1", till))
        gateway.answer("i1", answers.unknown)
        yield* drained(account)
        yield* store.recordOutcomes("shop", [fiscalised("of-i1")], "webhook")
        // works of two lanes share a commit
        yield* store.claim("test/1001", "somebody", options.lease, () => false)
        const claim = yield* store.claim(till.lane, "somebody", options.lease, () => false)
        assert(claim._tag === "Claimed")
        yield* rewritten(
          filename,
          "create trigger full before insert on fiscal_event begin select raise(abort, 'disk full'); end"
        )
        const [begun, joined] = yield* Effect.all(
          [Effect.flip(store.beginAttempt(claim.lease, options)), Effect.flip(store.joinByElimination("shop"))],
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual([begun._tag, joined._tag], ["StoreError", "StoreError"])
        yield* rewritten(filename, "drop trigger full")
        assert.strictEqual((yield* store.beginAttempt(claim.lease, options))._tag, "Begun")
      }).pipe(Effect.provide(process(filename)))
    }
  )
})

describe("a store that was restored together with its witness", () => {
  /** Scene whose device gives a request its number. Null: a success without a number. */
  const device = Effect.gen(function* () {
    const { filename, gateway } = yield* scene
    const numbers = new Map<string, number | null>()
    let fiscalDay = 7
    gateway.state.mappings = { taxes: [mapping(1, "EXEMPT", 3)], currencies: [currency(1, "USD", "USD")] }
    const days = new Map<string, number>()
    gateway.state.status = (id) => {
      const item = fiscalised(id)
      const invoiceNumber = numbers.get(id)
      if (invoiceNumber === undefined) return pending(id)
      if (!days.has(id)) days.set(id, fiscalDay)
      const proof = { invoiceNumber, fiscalDay: days.get(id)! }
      return item._tag === "Fiscalised" ? { ...item, qrData: { ...item.qrData!, ...proof } } : item
    }
    /** Closes the fiscal day with these sales; the next day begins in the morning. */
    const closes = (sales: string) =>
      Effect.gen(function* () {
        const amount = Option.getOrThrow(Money.parse(sales))
        const counter = { currency: "USD", taxPercent: null, paymentMethod: null, amount, unknownFields: {} }
        const report: ZReport = {
          openedAt: null,
          closedAt: DateTime.setZoneOffset(yield* DateTime.now, 2 * 3_600_000),
          fiscalDayNumber: fiscalDay++,
          isSuccess: true,
          message: null,
          summaries: [
            { ...counter, counterType: "Sale", taxId: 3 },
            { ...counter, counterType: "Balance", taxId: null }
          ],
          unknownFields: {}
        }
        gateway.state.closes = [...gateway.state.closes, report]
        yield* TestClock.adjust("12 hours")
      })
    /** Sends these documents in a new process, as often as an answer frees the lane. */
    const sends = (
      ids: ReadonlyArray<string>,
      {
        before = Effect.void,
        ...dates
      }: {
        readonly before?: Effect.Effect<unknown, StoreError, SubmissionStore>
        readonly sourceDate?: string
        readonly receiptDate?: string
      } = {}
    ) =>
      Effect.gen(function* () {
        yield* before
        const account = yield* OpenAccount.open(gateway.account({ firstLook: 0 }))
        yield* plan(...ids.map((id) => invoice(id, dates)))
        let sent = 0
        for (let look = 0; look < 9; look++) {
          const { attempts, end } = yield* drained(account)
          sent += attempts
          if (end._tag === "Stopped") return [sent, end.stop.cause]
          yield* TestClock.adjust("1 second")
          yield* StatusPoller.StatusPoller.use((poller) => poller.sweep([account]))
          if (end._tag === "Drained") break
        }
        return [sent, "drained"]
      }).pipe(
        Effect.catchTag("AccountStopped", ({ message }) => Effect.succeed([0, message])),
        Effect.provide(process(filename))
      )
    const states = (stated: "others" | "alone") =>
      SubmissionStore.use((store) => store.stateOtherPrograms("test/1001", stated, "seen at the tills"))
    return { closes, filename, gateway, numbers, sends, states }
  })
  const behind = /this store may be an older copy: device test\/1001 used 4 receipt numbers before 46 \(fiscal day 7\)/

  const stops = [
    [
      "the first receipt",
      [
        [
          ["i3", "i4", "i5"],
          [1, "store-behind"]
        ]
      ]
    ],
    [
      "the only receipt of a process",
      [
        [["i3"], [1, "drained"]],
        [["i4"], [0, "store-behind"]]
      ]
    ]
  ] as const
  for (const stated of ["not stated", "alone"] as const)
    for (const [receipt, runs] of stops)
      it.effect(`is stopped by ${receipt} after missing numbers, where other programs are ${stated}`, function* () {
        const { numbers, sends, states } = yield* device
        numbers.set("r1", 40).set("r2", 41).set("r3", 46).set("r4", 47)
        yield* sends(["i1", "i2"], stated === "alone" ? { before: states("alone") } : {})
        for (const [ids, ends] of runs) assert.deepStrictEqual(yield* sends(ids), [...ends])
        const [sent, message] = yield* sends(["i6"])
        assert.strictEqual(sent, 0)
        assert.match(String(message), behind)
      })

  it.effect("is stopped by numbers missing after a repeated request, whose receipt is the first one's", function* () {
    const { filename, gateway, numbers, sends } = yield* device
    gateway.answer("i1", answers.unknown)
    numbers.set("r1", 40).set("r2", 46)
    yield* Effect.gen(function* () {
      const policy = { unknown: "resend-flagged", assumptions: { "DOC-10": "deduplicates" } } as const
      const account = yield* OpenAccount.open(gateway.account({ firstLook: 0, ...policy }))
      yield* plan(invoice("i1"), invoice("i2"))
      yield* drained(account)
      yield* TestClock.adjust("10 minutes")
      yield* drained(account)
      yield* TestClock.adjust("1 second")
      yield* StatusPoller.StatusPoller.use((poller) => poller.sweep([account]))
    }).pipe(Effect.provide(process(filename)))
    assert.deepStrictEqual(
      gateway.submitted.map(({ id }) => id),
      ["i1", "i1", "i2"]
    )
    assert.deepStrictEqual(yield* sends(["i3"]), [0, "store-behind"])
  })

  it.effect("is stopped in a process that compared the days before another got the first receipt", function* () {
    const { filename, gateway, numbers, sends } = yield* device
    numbers.set("r1", 40).set("r2", 41)
    yield* sends(["i1", "i2"])
    yield* sends(["i3"])
    yield* Effect.gen(function* () {
      const account = yield* OpenAccount.open(gateway.account({ firstLook: 0, assumptions: { "ORD-1": "outcome" } }))
      yield* plan(invoice("i4"))
      assert.strictEqual((yield* drained(account)).end._tag, "Waiting")
      // 42 to 45 are of the lost store
      numbers.set("r3", 46)
      yield* TestClock.adjust("10 minutes")
      yield* StatusPoller.StatusPoller.use((poller) => poller.sweep([account]))
      const { attempts, end } = yield* drained(account)
      assert.deepStrictEqual([attempts, end._tag === "Stopped" && end.stop.cause], [0, "store-behind"])
    }).pipe(Effect.provide(process(filename)))
  })

  for (const [beside, settles] of [
    ["nothing", "345.00"],
    ["a rejected document", "345.00"],
    ["a document without an outcome", "345.00"],
    ["a document without an outcome that has the same amount", null]
  ] as const)
    it.effect(
      `is ${settles === null ? "not " : ""}stopped before its first document by a closed day, beside ${beside}`,
      function* () {
        const { closes, gateway, numbers, sends } = yield* device
        numbers.set("r1", 40).set("r2", 41).set("r4", 44)
        const asked = gateway.state.status
        gateway.state.status = (id) => (id === "r3" && beside.includes("rejected") ? rejected(id) : asked(id))
        const later = { receiptDate: "at-submission", sourceDate: "2026-01-11" }
        yield* sends(["i1"])
        yield* closes("115.00")
        assert.deepStrictEqual(yield* sends(["i2"], later), [1, "drained"])
        if (beside !== "nothing") yield* sends(["i3"], later)
        // the receipts 42 and 43 are of the lost store
        yield* closes(settles ?? "230.00")
        assert.deepStrictEqual(yield* sends(["i4"], later), settles === null ? [1, "drained"] : [0, "store-behind"])
      }
    )

  /** Sends a document before and one after the close of a day; the store lost two after these. */
  const afterTheFirstDay = Effect.gen(function* () {
    const opened = yield* device
    opened.numbers.set("r1", 40).set("r2", 41).set("r3", 44)
    const later = { receiptDate: "at-submission", sourceDate: "2026-01-11" } as const
    yield* opened.sends(["i1"])
    yield* opened.closes("115.00")
    yield* opened.sends(["i2"], later)
    return { ...opened, later }
  })

  it.effect(
    "sends nothing while the gateway does not answer for a closed day, and is stopped once it answers",
    function* () {
      const { closes, gateway, later, sends } = yield* afterTheFirstDay
      // the receipts 42 and 43 are of the lost store
      yield* closes("345.00")
      gateway.state.report = failure(new Unavailable({ status: 503, text: "busy" }))
      assert.deepStrictEqual(yield* sends(["i3"], later), [0, "not-sent"])
      gateway.state.report = Effect.void
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(yield* sends(["i4"], later), [0, "store-behind"])
    }
  )

  it.effect(
    "goes on beside a report of a closed day that can never be read, to the number of its receipt",
    function* () {
      const { closes, gateway, later, sends } = yield* afterTheFirstDay
      yield* closes("345.00")
      gateway.state.report = failure(new MalformedAnswer({ text: "not JSON", excerpt: "" }))
      assert.deepStrictEqual(yield* sends(["i3", "i4"], later), [1, "store-behind"])
    }
  )

  it.effect("goes on for good after one statement that other programs use the device", function* () {
    const { numbers, sends, states } = yield* device
    for (const [id, number] of [
      ["r1", 40],
      ["r2", 46],
      ["r3", 52],
      ["r4", 60]
    ] as const)
      numbers.set(id, number)
    assert.deepStrictEqual(yield* sends(["i1"]), [1, "drained"])
    assert.deepStrictEqual(yield* sends(["i2", "i3"]), [1, "store-behind"])
    assert.deepStrictEqual(yield* sends([], { before: states("others") }), [1, "drained"])
    assert.deepStrictEqual(yield* sends(["i4", "i5"]), [2, "drained"])
  })

  it.effect("goes on after an acceptance, and is compared with later receipts only", function* () {
    const { filename, numbers, sends } = yield* device
    for (const [id, number] of [
      ["r1", 40],
      ["r2", 46],
      ["r3", 52],
      ["r4", 60]
    ] as const)
      numbers.set(id, number)
    yield* sends(["i1"])
    yield* sends(["i2", "i3"])
    const held = OlderStore.accept(remembering().witness, "there is no newer copy").pipe(
      Effect.provide(process(filename))
    )
    assert.strictEqual(yield* held, 1)
    yield* TestClock.adjust("2 days")
    assert.deepStrictEqual(yield* sends(["i4"], { sourceDate: "2026-01-12" }), [1, "drained"])
    assert.deepStrictEqual(yield* sends(["i5", "i6"], { sourceDate: "2026-01-12" }), [1, "store-behind"])
  })

  it.effect(
    "is not assumed where a first store begins with a used device, or its numbers had gaps before",
    function* () {
      const { numbers, sends } = yield* device
      // a till makes receipts between the first two
      for (const [id, number] of [
        ["r1", 40],
        ["r2", 42],
        ["r3", 60],
        ["r4", 61]
      ] as const)
        numbers.set(id, number)
      assert.deepStrictEqual(yield* sends(["i1", "i2"]), [2, "drained"])
      assert.deepStrictEqual(yield* sends(["i3", "i4"]), [2, "drained"])
    }
  )

  it.effect("is not assumed where requests of the store may have the missing numbers", function* () {
    const { gateway, numbers, sends } = yield* device
    for (const [id, number] of [
      ["r1", 40],
      ["r2", null],
      ["r3", 42],
      ["r4", 44],
      ["r5", 45]
    ] as const)
      numbers.set(id, number)
    gateway.state.status = (
      (asked) => (id) =>
        id === "r4" ? rejected(id) : asked(id)
    )(gateway.state.status)
    assert.deepStrictEqual(yield* sends(["i1", "i2"]), [2, "drained"])
    assert.deepStrictEqual(yield* sends(["i3", "i4"]), [2, "drained"])
    // the device may have used 43 for the rejected document
    numbers.set("r5", 44)
    assert.deepStrictEqual(yield* sends(["i5", "i6"]), [2, "drained"])
  })

  it.effect("waits for the first answer of a process for one minute, and for no other answer", function* () {
    const { filename, gateway, numbers, sends } = yield* device
    numbers.set("r1", 40)
    yield* sends(["i1"])
    yield* Effect.gen(function* () {
      const account = yield* OpenAccount.open(gateway.account({ firstLook: 0 }))
      yield* plan(...["i2", "i3", "i4", "i5"].map((id) => invoice(id)))
      const { end } = yield* drained(account)
      assert.deepStrictEqual(end, { _tag: "Waiting", wait: { for: "outcome", key: key("i2") } })
      yield* TestClock.adjust("59 seconds")
      assert.strictEqual((yield* drained(account)).attempts, 0)
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual((yield* drained(account)).attempts, 1)
      numbers.set("r2", 41)
      yield* StatusPoller.StatusPoller.use((poller) => poller.sweep([account]))
      assert.strictEqual((yield* drained(account)).attempts, 2)
    }).pipe(Effect.provide(process(filename)))
  })
})

describe("the witness data of a store", () => {
  const one = (number: number, attempts = number): WitnessedStore => ({
    id: "a",
    attempts,
    lanes: ["live/1"],
    at: new Date(1000 * number).toISOString(),
    accepted: null,
    newest: [{ lane: "live/1", number, attempt: number, token: `t${number}`, begunAt: 1000 * number }]
  })

  it("never decreases", () => {
    assert.deepStrictEqual(merged(one(41), one(18)), { ...one(18), attempts: 41, newest: one(41).newest })
    assert.deepStrictEqual(merged(one(18), one(41)), one(41))
  })

  it("starts again after an operator has accepted the store", () => {
    const accepted = { ...one(18), accepted: { number: 1, token: "a" } }
    assert.deepStrictEqual(merged(one(41), accepted), accepted)
    // A copy made before the acceptance, and a copy with another acceptance.
    assert.deepStrictEqual(merged(accepted, one(41)), accepted)
    assert.deepStrictEqual(merged(accepted, { ...one(41), accepted: { number: 1, token: "b" } }), accepted)
  })
})
