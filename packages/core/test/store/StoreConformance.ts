/**
 * Conformance suite for submission stores of any engine: checks to run one test each, with real
 * time.
 *
 * `open` opens the same database at every build (pass `Layer.fresh`): several builds represent
 * several processes, a later build represents a restart. Every check needs a separate database.
 */
import { deepStrictEqual, notStrictEqual, ok, strictEqual } from "node:assert/strict"
import { DateTime, Duration, Effect, Fiber, type Layer, Option, Stream } from "effect"
import { CivilDate } from "../../src/document/CivilDate.ts"
import { RequestId } from "../../src/document/Identifiers.ts"
import * as Instant from "../../src/document/Instant.ts"
import type { Finding } from "../../src/finding/Finding.ts"
import type { ImportMade, KeptDocument } from "../../src/submission/KeptImport.ts"
import type { LaneLease } from "../../src/submission/Lane.ts"
import type { PlannedDocument } from "../../src/submission/PlannedDocument.ts"
import type { SourceNotice } from "../../src/submission/PlanResult.ts"
import { type StoreMarks, unmarked } from "../../src/submission/ledger/NewestAttempt.ts"
import type { StoreError } from "../../src/submission/ledger/StoreError.ts"
import type { AttemptOptions, BegunAttempt } from "../../src/submission/Attempt.ts"
import { SubmissionStore, type SubmissionStoreOperations } from "../../src/submission/SubmissionStore.ts"
import * as LiveSourceChecks from "./LiveSourceChecks.ts"
import { creditNote, invoice } from "../submission/PlannedDocuments.ts"

/** Layer of the checked store; several builds represent several processes. */
export type OpenStore = Layer.Layer<SubmissionStore, StoreError>

/** One check of a store, by name. */
export interface StoreCheck {
  readonly name: string
  check(open: OpenStore): Effect.Effect<void, StoreError>
}

const lane = "test/1001"
const lease = Duration.minutes(2)
const firstLook = Duration.zero
const never = () => false
const keyOf = (id: string) => ({ account: "shop", kind: "invoice", id }) as const

const options: AttemptOptions = {
  accounts: [{ account: "shop", environment: "test", afterRejection: "retry", continueAfter: "accepted" }],
  lease,
  skew: Duration.zero
}

const within = <A>(open: OpenStore, use: (store: SubmissionStoreOperations) => Effect.Effect<A, StoreError>) =>
  SubmissionStore.use(use).pipe(Effect.provide(open))

const claimed = (store: SubmissionStoreOperations, holder: string, presumedDead: (holder: string) => boolean = never) =>
  Effect.map(store.claim(lane, holder, lease, presumedDead), (claim): LaneLease => {
    ok(claim._tag === "Claimed", `${holder} should have got the lane`)
    return claim.lease
  })

const begun = (store: SubmissionStoreOperations, lease: LaneLease) =>
  Effect.map(store.beginAttempt(lease, options), (next): BegunAttempt => {
    ok(next._tag === "Begun", `an attempt should have begun, not ${next._tag}`)
    return next
  })

const states = (store: SubmissionStoreOperations) =>
  Effect.map(store.list({}), (rows) => rows.map(({ id, state }) => `${id} ${state}`))

const accepted = (id: string) => ({ _tag: "Accepted", requestId: RequestId.make(id) }) as const

const batch = (size: number): ReadonlyArray<PlannedDocument> =>
  Array.from({ length: size }, (_, i) => invoice(`i${i + 1}`))

/**
 * Sends the queue of a lane as a Submitter does, with every document accepted; returns the sent
 * documents.
 */
const drain = (store: SubmissionStoreOperations, holder: string) =>
  Effect.gen(function* () {
    const sent: Array<string> = []
    while (true) {
      const claim = yield* store.claim(lane, holder, lease, never)
      if (claim._tag === "Busy") {
        yield* Effect.sleep("1 millis")
        continue
      }
      for (let turn = 0; turn < 3; turn++) {
        const next = yield* store.beginAttempt(claim.lease, options)
        if (next._tag === "Drained") {
          yield* store.release(claim.lease)
          return sent
        }
        ok(next._tag === "Begun", `unexpected ${next._tag}`)
        sent.push(next.key.id)
        yield* Effect.yieldNow
        yield* store.finishAttempt({ attempt: next.attempt, result: accepted(`r-${next.key.id}`), firstLook })
      }
      yield* store.release(claim.lease)
    }
  })

const checks: Record<string, StoreCheck["check"]> = {
  "plans a document once, however often it is imported": (open) =>
    within(open, (store) =>
      Effect.gen(function* () {
        const first = yield* store.plan([invoice("i1"), invoice("i1")])
        const again = yield* store.plan([invoice("i1")])
        deepStrictEqual(
          [...first, ...again].map(({ verdict }) => verdict._tag),
          ["Planned", "Unchanged", "Unchanged"]
        )
        strictEqual((yield* store.list({})).length, 1)
      })
    ),

  "gives a number to one document of a taxpayer, invoice or credit note": (open) =>
    within(open, (store) =>
      Effect.gen(function* () {
        const plans = yield* store.plan([
          invoice("i1", { number: "7" }),
          invoice("i2", { number: "7" }),
          creditNote("c1", { number: "7", account: "other" }),
          invoice("i3", { number: "7", taxpayer: "3000000000" })
        ])
        deepStrictEqual(
          plans.map(({ verdict }) => verdict._tag),
          ["Planned", "NumberTaken", "NumberTaken", "Planned"]
        )
      })
    ),

  "keeps what was committed when it is opened again": (open) =>
    Effect.gen(function* () {
      yield* within(open, (store) => store.plan(batch(3)))
      deepStrictEqual(yield* within(open, states), ["i1 Planned", "i2 Planned", "i3 Planned"])
    }),

  "stores an interrupted batch as a whole or not at all": (open) =>
    within(open, (store) =>
      Effect.gen(function* () {
        for (const turns of [1, 2, 3, 5, 8, 13]) {
          const before = (yield* store.list({ limit: 5000 })).length
          const documents = Array.from({ length: 700 }, (_, i) => invoice(`t${turns}-${i}`))
          const planning = yield* Effect.forkChild(store.plan(documents))
          for (let turn = 0; turn < turns; turn++) yield* Effect.yieldNow
          yield* Fiber.interrupt(planning)
          const planned = (yield* store.list({ limit: 5000 })).length - before
          ok(planned === 0 || planned === 700, `${planned} of 700 were left`)
        }
      })
    ),

  "lists the newest first, page by page, matches typed text, and counts documents with a result": (open) =>
    within(open, (store) =>
      Effect.gen(function* () {
        yield* store.plan([
          invoice("i1", { number: "A-1", buyer: "Ada 100% Example" }),
          invoice("i2", { number: "A-2", buyer: "MÜLLER & Söhne" }),
          invoice("i3", { number: "B_3" }),
          invoice("i4", { number: "B43" })
        ])
        const ids = (query: Parameters<typeof store.list>[0]) =>
          Effect.map(store.list(query), (rows) => rows.map(({ id }) => id).join(" "))
        const newest = { order: "newest-first" } as const
        strictEqual(yield* ids(newest), "i4 i3 i2 i1")
        strictEqual(yield* ids({ ...newest, states: ["Planned", "Held"], limit: 3 }), "i4 i3 i2")
        const [, , third] = yield* store.list(newest)
        strictEqual(yield* ids({ ...newest, before: third?.seq ?? 0 }), "i1")
        const all = yield* Stream.runCollect(store.stream({ ...newest, limit: 2 }))
        strictEqual(all.map(({ id }) => id).join(" "), "i4 i3 i2 i1")
        strictEqual(yield* ids({ matching: "a-" }), "i1 i2")
        // wildcards of the database are ordinary characters here
        strictEqual(yield* ids({ matching: "b_" }), "i3")
        strictEqual(yield* ids({ matching: "100% ex" }), "i1")
        strictEqual(yield* ids({ matching: "%" }), "i1")
        // part of a number, of an identifier, and of a name in any case
        strictEqual(yield* ids({ matching: "-1" }), "i1")
        strictEqual(yield* ids({ matching: "I4" }), "i4")
        strictEqual(yield* ids({ matching: "MÜLLER" }), "i2")
        const since = DateTime.subtract(yield* DateTime.now, { minutes: 5 })
        deepStrictEqual(yield* store.activity(since, Duration.minutes(10)), [])
        yield* begun(store, yield* claimed(store, "a"))
        yield* store.decide({ account: "shop", kind: "invoice", id: "i4" }, { _tag: "Withdrawn" }, "a test")
        const [only, ...others] = yield* store.activity(since, Duration.minutes(10))
        deepStrictEqual([only?.counts, others], [{ Withdrawn: 1 }, []])
        strictEqual(only?.from.epochMilliseconds, since.epochMilliseconds)
      })
    ),

  "has another version after each commit, of this process and of another one": (open) =>
    within(open, (mine) =>
      Effect.gen(function* () {
        const others = within(open, (store) => store.plan([invoice("i2")]))
        const empty = yield* mine.version
        yield* mine.plan([invoice("i1")])
        const one = yield* mine.version
        notStrictEqual(one, empty)
        yield* others
        notStrictEqual(yield* mine.version, one)
      })
    ),

  "filters by kind, by the document's own date and by the time of the last change": (open) =>
    within(open, (store) =>
      Effect.gen(function* () {
        yield* store.plan([
          invoice("i1", { sourceDate: "2026-01-09" }),
          invoice("i2", { sourceDate: "2026-01-10" }),
          creditNote("c3", { sourceDate: "2026-01-10" }),
          invoice("i4", { sourceDate: "2026-01-11" })
        ])
        const ids = (query: Parameters<typeof store.list>[0]) =>
          Effect.map(store.list(query), (rows) => rows.map(({ id }) => id).join(" "))
        const [tenth, eleventh] = [CivilDate.make("2026-01-10"), CivilDate.make("2026-01-11")]
        strictEqual(yield* ids({ kind: "invoice" }), "i1 i2 i4")
        strictEqual(yield* ids({ kind: "credit-note" }), "c3")
        strictEqual(yield* ids({ datedFrom: tenth }), "i2 c3 i4")
        strictEqual(yield* ids({ datedTo: tenth }), "i1 i2 c3")
        strictEqual(yield* ids({ datedFrom: tenth, datedTo: tenth, kind: "invoice", matching: "i" }), "i2")
        strictEqual(yield* ids({ datedFrom: eleventh, datedTo: tenth }), "")
        const [first] = yield* store.list({ limit: 1 })
        const changed = first!.since
        strictEqual(yield* ids({ changedFrom: changed }), "i1 i2 c3 i4")
        strictEqual(yield* ids({ changedFrom: DateTime.add(changed, { seconds: 1 }) }), "")
        // the limit counts what fits, so that a page is full although others are between
        const pages = yield* Stream.runCollect(store.stream({ states: ["Planned", "Held"], kind: "invoice", limit: 1 }))
        strictEqual(pages.map(({ id }) => id).join(" "), "i1 i2 i4")
      })
    ),

  "returns every document once, in the order of the last change, from any cursor": (open) =>
    within(open, (store) =>
      Effect.gen(function* () {
        yield* store.plan(batch(3))
        const { attempt } = yield* begun(store, yield* claimed(store, "a"))
        yield* store.finishAttempt({ attempt, result: accepted("r1"), firstLook })
        const told = (after?: number, limit = 2) =>
          Effect.map(store.changed({ limit, ...(after !== undefined && { after }) }), (changes) =>
            changes.map(({ order, position, submission: { id, state } }) => ({ id, state, order, position }))
          )
        const first = yield* told()
        deepStrictEqual(
          first.map(({ id, order, state }) => [id, state, order]),
          [
            ["i2", "Planned", "recent"],
            ["i3", "Planned", "recent"]
          ]
        )
        const rest = yield* told(first.at(-1)!.position)
        deepStrictEqual(
          rest.map(({ id, state }) => [id, state]),
          [["i1", "Accepted"]]
        )
        deepStrictEqual(yield* told(rest.at(-1)!.position), [])
        deepStrictEqual(yield* store.changed({ accounts: ["another"] }), [])
        const newest = yield* store.changed({ order: "newest-first", limit: 1 })
        const day = CivilDate.make("2026-02-28")
        deepStrictEqual(yield* store.changedAfter(lane, day, newest[0]!.position), [])
        deepStrictEqual(
          (yield* store.changedAfter(lane, day, first.at(-1)!.position)).map(({ before, requests }) => [
            requests.id,
            before,
            requests.state
          ]),
          [["i1", "Planned", "Accepted"]]
        )
        deepStrictEqual(
          newest.map(({ position }) => position),
          [rest.at(-1)!.position]
        )
        deepStrictEqual(yield* store.changedAt(newest[0]!.position), Option.some(newest[0]!.at))
        deepStrictEqual(yield* store.changedAt(newest[0]!.position + 1), Option.none())
        const tomorrow = DateTime.add(yield* DateTime.now, { days: 1 })
        deepStrictEqual(yield* store.changed({ since: tomorrow }), [])
        const yesterday = DateTime.subtract(tomorrow, { days: 2 })
        strictEqual((yield* store.changed({ since: yesterday })).length, 3)
      })
    ),

  "answers every question about a sent, an unknown and a waiting document": (open) =>
    within(open, (store) =>
      Effect.gen(function* () {
        const [taxpayer, account] = ["2000000001", "shop"]
        const pin = { account, lane, taxpayer, environment: "test" } as const
        strictEqual((yield* store.pin(pin))._tag, "Pinned")
        strictEqual(Option.getOrThrow(yield* store.pinOf(account)).lane, lane)
        yield* store.trustOrigin(account, "https://gateway.example", "a test")
        yield* store.know(lane)
        yield* store.plan([...batch(3), invoice("i4", { number: "N-0004" })])
        const held = yield* claimed(store, "a")
        const first = yield* begun(store, held)
        yield* store.finishAttempt({ attempt: first.attempt, result: accepted("r1"), firstLook })
        yield* store.hold([keyOf("i3")], { cause: "operator", text: "a test" })
        deepStrictEqual(yield* store.holdCauses, { operator: 1 })
        const second = yield* begun(store, held)
        yield* store.finishAttempt({ attempt: second.attempt, result: { _tag: "Unknown", text: "lost" }, firstLook })
        yield* store.release(held)
        deepStrictEqual(yield* states(store), ["i1 Accepted", "i2 Unknown", "i3 Held", "i4 Planned"])
        // what the page and the command show
        deepStrictEqual(
          (yield* store.getMany([keyOf("i1"), keyOf("i4")])).map(({ id }) => id),
          ["i1", "i4"]
        )
        strictEqual((yield* store.find("N-0004")).length, 1)
        strictEqual((yield* store.sent([keyOf("i1")])).size, 1)
        strictEqual((yield* store.lastAttempts(5)).length, 2)
        strictEqual((yield* store.gatewaySeen(account)).requestIds.all, 1)
        strictEqual((yield* store.lanes([account])).length, 1)
        const feeder = { account, continueAfter: "outcome", unknown: "explained" } as const
        strictEqual((yield* store.claimable([feeder])).length, 1)
        // a server of tests writes without fsync
        ok(["Durable", "MayLose"].includes((yield* store.durability)._tag))
        // outcomes
        yield* store.recordOpening(account, { ability: "able", control: null })
        deepStrictEqual(yield* store.pollable([account]), [account])
        ok(Option.isSome(yield* store.nextPoll(account)))
        const policy = { firstLook, longestPause: Duration.hours(1), retention: Duration.days(7) }
        const r1 = RequestId.make("r1")
        const failed = { _tag: "Rejected", requestId: r1, error: "it waits", nature: "correctable" } as const
        const control = { _tag: "Answered", items: [] } as const
        yield* store.recordPoll(account, [r1], [failed], policy, { control, ability: "able" })
        strictEqual((yield* store.unproven([account])).length, 1)
        const facts = yield* store.decisionFacts(yield* store.list({ states: ["Accepted"] }))
        deepStrictEqual(
          facts.flatMap(({ requests }) => requests.map(({ failures, id }) => [id, failures.length])),
          [[r1, 1]]
        )
        yield* store.confirmRejections(keyOf("i1"), [r1], [failed])
        strictEqual(yield* store.resendUnknown(account), 0)
        strictEqual(yield* store.joinByElimination(account), 0)
        // decisions, alerts and facts of the account
        const decision = { act: "live", account, subject: lane, what: "sends live", because: "a test" } as const
        yield* store.recordDecision(decision, "once")
        const report = { act: "report", account, subject: "report of a to b", what: "sums", because: null } as const
        for (const what of ["sums", "other sums"]) yield* store.recordDecision({ ...report, what }, "each")
        deepStrictEqual(
          (yield* store.reports).map(({ what }) => what),
          ["other sums"]
        )
        yield* store.takeAlert(["LANE_STOPPED"], lease)
        yield* store.endAlert(["LANE_STOPPED"], "told")
        yield* store.acceptUnknown(account, "taxes", "a test")
        yield* store.factsBack(account, ["taxes"])
        deepStrictEqual(yield* store.acceptedUnknowns(account), [])
        yield* store.stop(lane, { cause: "limited", text: "a test", retryAt: null })
        yield* store.restart(lane)
        yield* store.compareClocks(account, null)
        strictEqual(yield* store.interruptions, 0)
        // refused documents
        const refused = {
          name: "invoice N-9",
          kind: "invoice",
          number: "N-9",
          day: null,
          original: null,
          content: "a"
        } as const
        const given = { ...refused, codes: ["NO_TAX"], dated: "as-before" } as const
        yield* store.refused.note({ account, origin: "csv", refused: [given], ended: ["invoice N-8"] })
        strictEqual((yield* store.health(Duration.days(7))).refused[0]?.count, 1)
        deepStrictEqual(yield* store.refused.dismiss({ account, numbers: ["N-9"] }, "a test"), ["N-9"])
        strictEqual((yield* store.refused.of(account))[0]?.standing, "dismissed")
        // the ledger
        const { ledger } = store
        strictEqual((yield* ledger.holders(taxpayer, ["N-0004", "N-5"])).length, 1)
        strictEqual((yield* ledger.alike(taxpayer, ["n|4"])).length, 1)
        for (const by of ["id", "number", "fold"] as const) yield* ledger.original(account, { by, value: "n|4" })
        deepStrictEqual(yield* ledger.registered(account, ["i1"]), [])
        deepStrictEqual(yield* ledger.besidePrepared(account, ["N-0004"]), [], "no note was prepared here")
        strictEqual(yield* store.ruled(account, "{original}\\C{n}"), null)
        deepStrictEqual(yield* ledger.spellings(account), [])
        ok(!(yield* ledger.settledPairs([keyOf("i1")]))(keyOf("i1"), keyOf("i4")))
        ok(!(yield* ledger.alikeInAll([keyOf("i1")]))(keyOf("i1")))
        const of = { account, kind: "invoice", taxpayer } as const
        strictEqual(yield* ledger.replacement(of, { by: "number", value: "N-0004" }), null)
        deepStrictEqual(yield* store.registeredOriginals, [])
        deepStrictEqual(
          yield* store.liveSources.left({ source: "books", tenant: "company" }, ["Invoices"], account),
          []
        )
        const noon = Option.getOrThrow(Instant.parse("2026-01-10T12:00:00+02:00"))
        ok(Option.isNone(yield* ledger.latestReceiptDate(lane, noon, noon)))
        // the receipts of the device
        const [sent] = yield* Stream.runCollect(store.documentsOf(lane, "sent", null))
        strictEqual((yield* Stream.runCollect(store.documentsOf(lane, "all", null))).length, 4)
        strictEqual(sent?.number, "N-i1")
        strictEqual((yield* store.repeatedCodes(lane)).size, 0)
        strictEqual((yield* store.revisions([[1, 1]])).length, 1)
        deepStrictEqual(yield* store.noticed([account]), [])
        ok(Option.isSome(yield* store.family(keyOf("i1"))))
        strictEqual(yield* store.otherPrograms(lane), null)
        strictEqual(yield* store.stateOtherPrograms(lane, "alone", "a test"), null)
        strictEqual((yield* store.otherPrograms(lane))?.stated, "alone")
        strictEqual(yield* store.tryWrite, null)
        strictEqual(yield* store.writeFailure, null)
        // the device and the place of the store
        yield* store.closeDay(lane, noon)
        strictEqual((yield* store.repin({ ...pin, lane: "test/2002" }, "a test"))._tag, "Refused")
        yield* store.stopUnproven("a test", null)
        yield* store.proven(null)
        yield* store.compareDays(lane, null)
        yield* store.compareDays(lane, "a test")
        yield* store.stateOtherPrograms(lane, "others", "a test")
      })
    ),

  "marks a document as Unknown that was being sent when the process died": (open) =>
    Effect.gen(function* () {
      yield* within(open, (store) =>
        Effect.gen(function* () {
          yield* store.plan(batch(2))
          yield* begun(store, yield* claimed(store, "dead"))
        })
      )
      yield* within(open, (store) =>
        Effect.gen(function* () {
          deepStrictEqual(yield* states(store), ["i1 Sending", "i2 Planned"])
          strictEqual((yield* store.claim(lane, "heir", lease, never))._tag, "Busy")
          const own = yield* claimed(store, "heir", (holder) => holder === "dead")
          deepStrictEqual(yield* states(store), ["i1 Unknown", "i2 Planned"])
          const next = yield* store.beginAttempt(own, options)
          deepStrictEqual(next, { _tag: "Waiting", wait: { for: "unknown", key: keyOf("i1") } })
        })
      )
    }),

  "identifies each acceptance of an older copy by number and token, and misses no attempts from before it": (open) =>
    Effect.gen(function* () {
      const accepting = (known: StoreMarks) =>
        within(open, (store) =>
          Effect.andThen(store.acceptOlder(CivilDate.make("2000-01-01"), known), store.compareMarks(unmarked))
        )
      const standing = (known: StoreMarks) =>
        within(open, (store) =>
          Effect.map(store.compareMarks(known), ({ acceptance, missing }) => [acceptance, missing.length])
        )
      const since = (number: number): StoreMarks => ({
        accepted: { number, token: "another" },
        newest: [{ lane, number: 3, attempt: 3, token: "lost", begunAt: 0 }]
      })
      deepStrictEqual(yield* standing({ ...since(1), accepted: null }), ["kept", 1])
      const first = yield* accepting(unmarked)
      strictEqual(first.accepted?.number, 1)
      deepStrictEqual(yield* standing(first), ["kept", 0])
      deepStrictEqual(yield* standing({ ...since(1), accepted: null }), ["kept", 0])
      // a copy accepted elsewhere, and a store that was accepted more often
      deepStrictEqual(yield* standing(since(1)), ["lost", 0])
      deepStrictEqual(yield* standing(since(7)), ["lost", 0])
      strictEqual((yield* accepting(since(7))).accepted?.number, 8)
      deepStrictEqual(yield* standing(since(7)), ["kept", 0])
    }),

  "plans and begins nothing in a stopped store, in no lane, until an operator accepts the store": (open) =>
    within(open, (store) =>
      Effect.gen(function* () {
        yield* store.plan(batch(1))
        const lease = yield* claimed(store, "worker")
        const waiting = yield* store.beginImport(importMade, "kept")
        yield* store.keepRest(waiting, [invoice("i2")])
        yield* store.acceptImport(waiting, { documents: 1, refused: 0, skipped: 0 })
        const other = yield* store.beginImport(importMade, "kept")
        const { id } = yield* store.identity
        yield* store.stopOlder({ ...unmarked, id, attempts: 9, at: "2026-03-10T06:00:00Z" })
        const refused: ReadonlyArray<Effect.Effect<unknown, StoreError>> = [
          store.plan([invoice("i3", { lane: "test/2002", account: "till" })]),
          store.handOver(["shop"]),
          store.acceptImport(other, { documents: 0, refused: 0, skipped: 0 }),
          store.registerOriginals([])
        ]
        for (const work of refused) {
          const { text: problem, reason } = yield* Effect.flip(Effect.andThen(work, Effect.die("it was taken")))
          deepStrictEqual(
            [reason, problem],
            [
              "stopped",
              "this store is an older copy: it has written 0 attempts; 9 were counted at 2026-03-10T06:00:00Z"
            ]
          )
        }
        const next = yield* store.beginAttempt(lease, options)
        strictEqual(next._tag === "Stopped" && next.stop.cause, "store-older")
        deepStrictEqual(yield* states(store), ["i1 Planned"])
        yield* store.acceptOlder(CivilDate.make("2000-01-01"), unmarked)
        strictEqual(Option.isSome(yield* store.handOver(["shop"])), true)
        yield* begun(store, lease)
      })
    ),

  "gives a lane to one of many simultaneous claims": (open) =>
    Effect.gen(function* () {
      const claim = (holder: string) => within(open, (store) => store.claim(lane, holder, lease, never))
      const claims = yield* Effect.forEach(["a", "b", "c", "d", "e", "f"], claim, { concurrency: "unbounded" })
      strictEqual(claims.filter(({ _tag }) => _tag === "Claimed").length, 1)
    }),

  "lets the holder of a lane claim it again, as after a commit with a lost answer": (open) =>
    within(open, (store) =>
      Effect.gen(function* () {
        const first = yield* claimed(store, "a")
        const again = yield* claimed(store, "a")
        ok(again.fence > first.fence)
        strictEqual((yield* store.claim(lane, "b", lease, never))._tag, "Busy")
      })
    ),

  "lets the former holder of a lane begin no attempt, and accepts its answer as evidence": (open) =>
    within(open, (store) =>
      Effect.gen(function* () {
        yield* store.plan(batch(2))
        const old = yield* claimed(store, "old")
        const { attempt } = yield* begun(store, old)
        yield* claimed(store, "new", () => true)
        strictEqual((yield* store.beginAttempt(old, options))._tag, "Lost")
        deepStrictEqual(yield* states(store), ["i1 Unknown", "i2 Planned"])
        strictEqual(yield* store.finishAttempt({ attempt, result: accepted("r1"), firstLook }), "Accepted")
        deepStrictEqual(yield* store.duePolls("shop", 100, lease), ["r1"])
      })
    ),

  "treats a repeated answer like one answer": (open) =>
    within(open, (store) =>
      Effect.gen(function* () {
        yield* store.plan(batch(1))
        const { attempt } = yield* begun(store, yield* claimed(store, "a"))
        strictEqual(yield* store.finishAttempt({ attempt, result: accepted("r1"), firstLook }), "Accepted")
        strictEqual(yield* store.finishAttempt({ attempt, result: accepted("r1"), firstLook }), "Accepted")
        const unknown = { _tag: "Unknown", text: "late doubt" } as const
        strictEqual(yield* store.finishAttempt({ attempt, result: unknown, firstLook }), "Accepted")
      })
    ),

  "keeps the first answer of an attempt, whatever is reported later": (open) =>
    within(open, (store) =>
      Effect.gen(function* () {
        yield* store.plan(batch(2))
        const { attempt } = yield* begun(store, yield* claimed(store, "a"))
        yield* store.finishAttempt({ attempt, result: accepted("r1"), firstLook })
        const story = Effect.map(store.explain(keyOf("i1")), Option.getOrThrow)
        const { attempts, timeline } = yield* story
        deepStrictEqual(
          attempts.map(({ requestId, result }) => [requestId, result?._tag]),
          [["r1", "Accepted"]]
        )
        deepStrictEqual(yield* store.duePolls("shop", 100, lease), ["r1"])
        for (const result of [
          accepted("r1"),
          accepted("r2"),
          { _tag: "Declined", text: "late no" },
          { _tag: "NotProcessed", text: "late no" },
          { _tag: "Unknown", text: "late doubt" }
        ] as const) {
          strictEqual(yield* store.finishAttempt({ attempt, result, firstLook }), "Accepted")
          const after = yield* story
          deepStrictEqual(after.attempts, attempts)
          deepStrictEqual(after.timeline, timeline)
        }
        // the next poll is not sooner, and the document still counts for the lane's mark
        deepStrictEqual(yield* store.duePolls("shop", 100, lease), [])
        strictEqual((yield* store.ledger.mark(lane)).latest?.key.id, "i1")
      })
    ),

  "treats a repeated unknown outcome like one": (open) =>
    within(open, (store) =>
      Effect.gen(function* () {
        yield* store.plan(batch(1))
        const { attempt } = yield* begun(store, yield* claimed(store, "a"))
        const unknown = { _tag: "Unknown", text: "cut" } as const
        strictEqual(yield* store.finishAttempt({ attempt, result: unknown, firstLook }), "Unknown")
        const story = Effect.map(store.explain(keyOf("i1")), Option.getOrThrow)
        const first = yield* story
        strictEqual(yield* store.finishAttempt({ attempt, result: unknown, firstLook }), "Unknown")
        deepStrictEqual(yield* story, first)
      })
    ),

  "sends documents with the same receipt date once, and holds the later one as late": (open) =>
    within(open, (store) =>
      Effect.gen(function* () {
        const receiptDate = "2026-01-10T12:00:00+02:00"
        yield* store.plan([invoice("a", { receiptDate }), invoice("b", { receiptDate })])
        const own = yield* claimed(store, "a")
        const first = yield* begun(store, own)
        strictEqual(first.key.id, "a")
        yield* store.finishAttempt({ attempt: first.attempt, result: accepted("r1"), firstLook })
        strictEqual((yield* store.beginAttempt(own, options))._tag, "Drained")
        const [, second] = yield* store.list({})
        deepStrictEqual([second!.state, second!.hold?.cause], ["Held", "late"])
      })
    ),

  "lets several processes share a lane, and sends each document once and in order": (open) =>
    Effect.gen(function* () {
      yield* within(open, (store) => store.plan(batch(40)))
      const sent = yield* Effect.forEach(["a", "b", "c"], (holder) => within(open, (store) => drain(store, holder)), {
        concurrency: "unbounded"
      })
      strictEqual(sent.flat().length, 40)
      strictEqual(new Set(sent.flat()).size, 40)
      for (const own of sent)
        deepStrictEqual(
          own,
          own.toSorted((a, b) => Number(a.slice(1)) - Number(b.slice(1)))
        )
    }),

  "plans the same documents of several processes once": (open) =>
    Effect.gen(function* () {
      const plan = () => within(open, (store) => store.plan(batch(50)))
      const results = yield* Effect.forEach([1, 2, 3], plan, { concurrency: "unbounded" })
      const verdicts = results.flat().map(({ verdict }) => verdict._tag)
      strictEqual(verdicts.filter((verdict) => verdict === "Planned").length, 50)
      strictEqual(verdicts.filter((verdict) => verdict === "Unchanged").length, 100)
    }),

  "gives a due request to one of two pollers": (open) =>
    within(open, (store) =>
      Effect.gen(function* () {
        yield* store.plan(batch(1))
        const { attempt } = yield* begun(store, yield* claimed(store, "a"))
        yield* store.finishAttempt({ attempt, result: accepted("r1"), firstLook })
        deepStrictEqual(yield* store.duePolls("shop", 100, lease), ["r1"])
        deepStrictEqual(yield* store.duePolls("shop", 100, lease), [])
      })
    ),

  "makes a named request due at once if its outcome is awaited": (open) =>
    within(open, (store) =>
      Effect.gen(function* () {
        yield* store.plan(batch(2))
        const own = yield* claimed(store, "a")
        for (const id of ["r1", "r2"]) {
          const { attempt } = yield* begun(store, own)
          yield* store.finishAttempt({ attempt, result: accepted(id), firstLook: Duration.hours(1) })
        }
        const requestId = RequestId.make("r2")
        const settled = { _tag: "Fiscalised", requestId, qrData: null, fiscalInvoicePdf: "r2.pdf" } as const
        yield* store.recordOutcomes("shop", [settled], "webhook")
        const named = ["r1", "r2", "strange"].map((id) => RequestId.make(id))
        yield* store.hastenPolls("bakery", named)
        deepStrictEqual(yield* store.duePolls("shop", 100, lease), [])
        yield* store.hastenPolls("shop", named)
        deepStrictEqual(yield* store.duePolls("shop", 100, lease), ["r1"])
      })
    ),

  "keeps an outcome that arrives before the answer of its request": (open) =>
    within(open, (store) =>
      Effect.gen(function* () {
        yield* store.plan(batch(1))
        const { attempt } = yield* begun(store, yield* claimed(store, "a"))
        const item = {
          _tag: "Fiscalised",
          requestId: RequestId.make("r1"),
          qrData: null,
          fiscalInvoicePdf: "r1.pdf"
        } as const
        deepStrictEqual(yield* store.recordOutcomes("shop", [item, item], "webhook"), [])
        strictEqual((yield* store.inbox("shop")).length, 1)
        strictEqual(yield* store.finishAttempt({ attempt, result: accepted("r1"), firstLook }), "Fiscalised")
        strictEqual((yield* store.inbox("shop")).length, 0)
        strictEqual(Option.getOrThrow(yield* store.get(keyOf("i1"))).proof?.fiscalInvoicePdf, "r1.pdf")
      })
    ),

  "records an import with its documents, and an import that was never accepted as far as it was stored": (open) =>
    Effect.gen(function* () {
      const first = yield* within(open, (store) =>
        Effect.gen(function* () {
          const id = yield* store.beginImport(importMade, "kept")
          yield* store.plan(batch(2))
          yield* store.keepPage({ import: id, documents: [kept("i0"), kept("i1")] })
          yield* store.keepPage({ import: id, documents: [{ ...kept("i2"), is: "Refused", findings: [found("a")] }] })
          yield* store.acceptImport(id, { documents: 3, refused: 1, skipped: 0 })
          const broken = yield* store.beginImport(importMade, "kept")
          yield* store.keepPage({ import: broken, documents: [kept("i0")] })
          return id
        })
      )
      yield* within(open, (store) =>
        Effect.gen(function* () {
          const all = yield* store.imports({})
          deepStrictEqual(
            all.map(({ documents, refused, standing }) => [standing, documents, refused]),
            [
              ["begun", 0, 0],
              ["whole", 3, 1]
            ]
          )
          deepStrictEqual(
            (yield* store.imports({ before: all[0]!.id, limit: 1 })).map(({ id }) => id),
            [first]
          )
          deepStrictEqual(yield* store.imports({ accounts: ["bakery"] }), [])
          deepStrictEqual(Option.getOrThrow(yield* store.importOf(first)), {
            ...importMade,
            by: "a program",
            id: first,
            standing: "whole",
            documents: 3,
            refused: 1,
            skipped: 0,
            rest: 0
          })
          strictEqual(Option.isNone(yield* store.importOf(first + 1000)), true)
          deepStrictEqual((yield* Stream.runCollect(store.importDocuments(first))).flat(), [
            kept("i0"),
            kept("i1"),
            { ...kept("i2"), is: "Refused", findings: [found("a")] }
          ])
        })
      )
    }),

  "hands over an accepted import as it was stored, each page once, to any process": (open) =>
    Effect.gen(function* () {
      const documents: ReadonlyArray<PlannedDocument> = [
        ...batch(3),
        invoice("i4", { receiptDate: "at-submission", late: "restamp", validUntil: null })
      ]
      const [id, other] = yield* within(open, (store) =>
        Effect.gen(function* () {
          const id = yield* store.beginImport(importMade, "kept")
          yield* store.keepRest(id, documents.slice(0, 2))
          yield* store.keepRest(id, documents.slice(2))
          deepStrictEqual(yield* store.handOver(["shop"]), Option.none(), "nothing was accepted yet")
          yield* store.acceptImport(id, { documents: 4, refused: 0, skipped: 0 })
          const other = yield* store.beginImport(importMade, "until-handed-over")
          yield* store.keepRest(other, documents.slice(0, 1))
          yield* store.acceptImport(other, { documents: 1, refused: 0, skipped: 0 })
          return [id, other] as const
        })
      )
      yield* within(open, (store) =>
        Effect.gen(function* () {
          deepStrictEqual(
            (yield* store.imports({ standings: ["accepted"] })).map(({ id, rest }) => [id, rest]),
            [
              [other, 1],
              [id, 4]
            ]
          )
          deepStrictEqual(yield* store.handOver(["bakery"]), Option.none(), "another account's")
          const pages = yield* Effect.all([store.handOver(["shop"]), store.handOver(["shop"])], { concurrency: 2 })
          deepStrictEqual(
            pages.flatMap(Option.toArray).map(({ results }) => results.map(({ verdict }) => verdict._tag)),
            [
              ["Planned", "Planned"],
              ["Planned", "Planned"]
            ]
          )
          strictEqual(Option.getOrThrow(yield* store.importOf(id)).standing, "whole")
          const [again] = Option.toArray(yield* store.handOver(["shop"]))
          deepStrictEqual(
            again?.results.map(({ verdict }) => verdict._tag),
            ["Unchanged"]
          )
          deepStrictEqual(yield* store.importOf(other), Option.none(), "nobody wants to see it again")
          deepStrictEqual(yield* store.handOver(["shop"]), Option.none())
          const direct = yield* store.plan(documents)
          deepStrictEqual(
            direct.map(({ verdict }) => verdict._tag),
            documents.map(() => "Unchanged"),
            "they are what was kept"
          )
        })
      )
    }),

  "keeps a difference to the source until the source or an operator settles it": (open) => {
    const noting = (store: SubmissionStoreOperations) => (states: SourceNotice["states"], fingerprint?: string) =>
      store.noteSource([{ key: keyOf("i1"), states, fingerprint: fingerprint ?? null, text: "it states more" }])
    const settled = (store: SubmissionStoreOperations) =>
      Effect.map(store.known([keyOf("i1")]), ([known]) => known?.settled)
    const standing = (store: SubmissionStoreOperations) =>
      Effect.map(store.get(keyOf("i1")), (found) => {
        const { cancelled, changed } = Option.getOrThrow(found)
        return [changed, cancelled]
      })
    return Effect.gen(function* () {
      yield* within(open, (store) =>
        Effect.gen(function* () {
          yield* store.plan([invoice("i1")])
          yield* noting(store)("as-sent")
          deepStrictEqual(yield* standing(store), [null, null])
          yield* noting(store)("changed", "another")
          yield* noting(store)("cancelled")
        })
      )
      yield* within(open, (store) =>
        Effect.gen(function* () {
          const note = noting(store)
          deepStrictEqual(yield* standing(store), ["it states more", "the source has cancelled it"])
          yield* note("changed", "another")
          deepStrictEqual(yield* standing(store), ["it states more", null], "it is stated as issued")
          strictEqual((yield* store.decide(keyOf("i1"), { _tag: "Acknowledged" }, "credited"))._tag, "Resolved")
          yield* store.stateCredited(keyOf("i1"), "4871", "as the portal shows")
          const stated = (yield* store.decisions(0, 100)).map(({ act, what }) => `${act} ${what}`)
          ok(stated.includes("credited-receipt 4871"))
          yield* note("changed", "another")
          deepStrictEqual(yield* standing(store), [null, null], "an operator has dealt with this difference")
          deepStrictEqual(yield* settled(store), { change: "another", canceling: "open" })
          yield* note("cancelled")
          yield* store.decide(keyOf("i1"), { _tag: "Acknowledged" }, "credited")
          deepStrictEqual(yield* settled(store), { change: "another", canceling: "settled" })
          yield* note("changed", "a third")
          deepStrictEqual(yield* standing(store), ["it states more", null], "this one is new")
          deepStrictEqual(yield* settled(store), { change: null, canceling: "open" })
          yield* note("as-sent")
          deepStrictEqual(yield* standing(store), [null, null])
          const { conflicts } = Option.getOrThrow(yield* store.explain(keyOf("i1")))
          deepStrictEqual(
            conflicts.map(({ code, settledAt }) => `${code} ${settledAt === null ? "open" : "settled"}`).toSorted(),
            ["SOURCE_CANCELLED settled", "SOURCE_CONFLICT settled"]
          )
          yield* note("changed", "a third")
          deepStrictEqual(yield* standing(store), ["it states more", null], "it came back")
          yield* store.decide(keyOf("i1"), { _tag: "Withdrawn" }, "not wanted")
          yield* note("cancelled")
          deepStrictEqual(yield* standing(store), [null, null], "nothing came of it")
          yield* store.noteSource([{ key: keyOf("i9"), states: "cancelled", fingerprint: null, text: null }])
        })
      )
    })
  },

  "records documents of an import that could not be planned, with the reason, from any process": (open) =>
    within(open, (store) =>
      Effect.gen(function* () {
        const id = yield* store.beginImport(importMade, "until-handed-over")
        yield* store.keepRest(id, [invoice("i1", { number: "7" })])
        yield* store.keepRest(id, [invoice("i2", { number: "8" })])
        yield* store.acceptImport(id, { documents: 2, refused: 0, skipped: 0 })
        yield* store.plan([invoice("other", { number: "7" })])
        yield* store.handOver(["shop"])
        yield* store.handOver(["shop"])
        const { refused, standing } = Option.getOrThrow(yield* store.importOf(id))
        deepStrictEqual([standing, refused], ["incomplete", 1])
        const [page] = yield* Stream.runCollect(store.importDocuments(id))
        deepStrictEqual(
          page?.map(({ findings, is, number }) => [is, number, findings[0]?.detail]),
          [["Refused", "7", "the number belongs to invoice other, account shop"]]
        )
        deepStrictEqual(
          (yield* store.health(Duration.days(7))).imports.incomplete.map(({ account, id }) => ({ id, account })),
          [{ id, account: "shop" }]
        )
        deepStrictEqual(
          (yield* store.imports({})).map((one) => one.id),
          [id]
        )
        strictEqual((yield* store.cancelImport(id))._tag, "Cancelled")
        deepStrictEqual((yield* store.health(Duration.days(7))).imports.incomplete, [])
      })
    ),

  "drops waiting documents of a cancelled import, and never accepts an ended one": (open) =>
    within(open, (store) =>
      Effect.gen(function* () {
        const id = yield* store.beginImport(importMade, "until-handed-over")
        for (const document of batch(3)) yield* store.keepRest(id, [document])
        yield* store.acceptImport(id, { documents: 3, refused: 0, skipped: 0 })
        yield* store.handOver(["shop"])
        deepStrictEqual(yield* store.cancelImport(id), { _tag: "Cancelled", dropped: 2 })
        deepStrictEqual(yield* store.handOver(["shop"]), Option.none())
        strictEqual(Option.getOrThrow(yield* store.importOf(id)).standing, "cancelled")
        strictEqual((yield* store.cancelImport(id))._tag, "Refused")
        strictEqual((yield* store.list({})).length, 1)
        const broken = yield* store.beginImport(importMade, "kept")
        yield* store.cancelImport(broken)
        const reasonOf = Effect.match({
          onFailure: ({ reason }: StoreError) => reason,
          onSuccess: () => "none" as const
        })
        strictEqual(yield* reasonOf(store.keepRest(broken, batch(1))), "conflict")
        const counts = { documents: 1, refused: 0, skipped: 0 }
        strictEqual(yield* reasonOf(store.acceptImport(broken, counts)), "conflict")
        strictEqual((yield* store.cancelImport(broken + 1000))._tag, "Refused")
      })
    ),

  "keeps an operator's acknowledgement of a fiscal day for exactly its recorded differences": (open) =>
    within(open, (store) =>
      Effect.gen(function* () {
        const differs = (text: string) =>
          store.notice("counters", "test/1001", [{ code: "DAY_DIFFERS", detail: "7", text }])
        const open = Effect.map(store.health(Duration.days(7)), ({ notices }) =>
          notices.filter(({ acknowledgedAt }) => acknowledgedAt === null).map(({ text }) => text)
        )
        yield* differs("one more")
        strictEqual((yield* store.acknowledgeDay("test/1001", 8, "looked up"))._tag, "Refused")
        deepStrictEqual(yield* store.acknowledgeDay("test/1001", 7, "looked up"), {
          _tag: "Acknowledged",
          codes: ["DAY_DIFFERS"]
        })
        strictEqual((yield* store.acknowledgeDay("test/1001", 7, "again"))._tag, "Refused")
        deepStrictEqual(yield* open, [])
        yield* differs("two more")
        deepStrictEqual(yield* open, ["two more"])
        const [decision] = yield* store.decisions(0, 10)
        deepStrictEqual(
          [decision?.act, decision?.subject, decision?.because],
          ["acknowledge-day", "fiscal day 7 of test/1001", "looked up"]
        )
      })
    )
}

const importMade: ImportMade = {
  at: DateTime.makeZonedUnsafe("2026-03-01T10:00:00Z", { timeZone: DateTime.zoneMakeOffset(7_200_000) }),
  destination: { account: "shop", taxpayer: "2000000001", lane, environment: "test" },
  adapter: "csv",
  files: [{ name: "export.csv", bytes: 12, sha256: "ab".repeat(32) }],
  book: null,
  settings: { dates: "dmy" }
}

const found = (detail: string): Finding => ({
  _tag: "Finding",
  code: "SOME_CODE",
  severity: "error",
  message: "something is wrong",
  detail,
  consequence: "it is refused",
  fix: "mend it",
  path: ["lines", 0],
  at: { file: "export.csv", line: 3, text: "a cell" }
})

const kept = (id: string): KeptDocument => ({
  is: "Stored",
  kind: "invoice",
  id,
  number: `N-${id}`,
  news: "new",
  day: null,
  source: { file: "export.csv", line: 2 },
  buyer: null,
  currency: null,
  total: null,
  shares: [{ taxCode: "VAT", net: "8.66", tax: "1.34", total: "10" }],
  said: null,
  findings: [{ ...found("b"), severity: "warning" }]
})

/** Every check that a store has to pass. */
export const suite: ReadonlyArray<StoreCheck> = Object.entries({
  ...checks,
  ...LiveSourceChecks.checks(importMade)
}).map(([name, check]) => ({ name, check }))
