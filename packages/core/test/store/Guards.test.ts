/**
 * Every row of the table of guards: with the row the attempt does not begin, and without it the
 * same document is sent.
 */
import { assert, describe, it } from "../It.ts"
import { Duration, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { mkdtempSync, rmSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { CivilDate } from "../../src/document/CivilDate.ts"
import { CurrencyCode, DocumentNumber, InvoiceId, RequestId, TaxCode } from "../../src/document/Identifiers.ts"
import * as Instant from "../../src/document/Instant.ts"
import * as Money from "../../src/document/Money.ts"
import * as SqliteStore from "../../src/node/SqliteStore.ts"
import { type Guard, guards, objections } from "../../src/store/lanes/Guards.ts"
import type { AttemptOptions, FinishedAttempt } from "../../src/submission/Attempt.ts"
import type { Decision } from "../../src/submission/Decision.ts"
import type { LaneLease } from "../../src/submission/Lane.ts"
import { basisOf } from "../../src/submission/ledger/CreditFamily.ts"
import { unmarked } from "../../src/submission/ledger/NewestAttempt.ts"
import type { PlannedDocument } from "../../src/submission/PlannedDocument.ts"
import type { StoreError } from "../../src/submission/ledger/StoreError.ts"
import { SubmissionStore, type SubmissionStoreOperations } from "../../src/submission/SubmissionStore.ts"
import { at, key, now } from "../sending/Engine.ts"
import { rejected } from "../sending/ScriptedGateway.ts"
import { creditDecision, creditNote, invoice } from "../submission/PlannedDocuments.ts"

const lane = "test/1001"
const account = { account: "shop", environment: "test", afterRejection: "retry", continueAfter: "accepted" } as const
const sends = (fields: Partial<AttemptOptions["accounts"][number]> = {}): AttemptOptions => ({
  accounts: [{ ...account, ...fields }],
  lease: Duration.hours(2),
  skew: Duration.minutes(1)
})
const instant = (text: string) => Option.getOrThrow(Instant.parse(`2026-01-10T${text}+02:00`))
const dated = (time: string) => ({ receiptDate: `2026-01-10T${time}+02:00` })

const claimed = (store: SubmissionStoreOperations) =>
  Effect.map(
    store.claim(lane, "worker", Duration.hours(2), () => true),
    (claim): LaneLease => (claim._tag === "Claimed" ? claim.lease : assert.fail("the lane is busy"))
  )

const resolved = (store: SubmissionStoreOperations, id: string, decision: Decision) =>
  Effect.map(store.decide(key(id), decision, "as the portal shows"), (resolution) =>
    assert.strictEqual(resolution._tag, "Resolved", JSON.stringify(resolution))
  )

/** A store to prepare, so that its next document meets the guard. */
interface World {
  readonly store: SubmissionStoreOperations
  readonly plan: (...documents: ReadonlyArray<PlannedDocument>) => Effect.Effect<unknown, StoreError>
  /** Begins the next attempt, and finishes it with this result. */
  readonly sent: (result: FinishedAttempt["result"], more?: Partial<FinishedAttempt>) => Effect.Effect<void, StoreError>
  readonly decide: (decision: Decision) => Effect.Effect<unknown, StoreError>
  /** Changes the file, as an earlier version left it. */
  readonly change: (statement: string) => Effect.Effect<void>
}

interface Scene {
  readonly prepare: (world: World) => Effect.Effect<unknown, StoreError>
  readonly options?: AttemptOptions
}

const accepted = (id: string) => ({ _tag: "Accepted", requestId: RequestId.make(id) }) as const
const unknown = { _tag: "Unknown", text: "cut" } as const

const registered = (id: string) => ({
  account: "shop",
  taxpayer: "2000000001",
  invoiceId: InvoiceId.make(id),
  number: DocumentNumber.make(`N-${id}`),
  date: instant("00:00:00"),
  currency: CurrencyCode.make("USD"),
  total: Option.getOrThrow(Money.parse("115.00")),
  taxCodes: [TaxCode.make("EXEMPT")],
  credited: Money.zero
})

/** Sends i1, has it rejected, and plans its correction. */
const corrected = ({ plan, sent, store }: World) =>
  Effect.gen(function* () {
    yield* plan(invoice("i1"))
    yield* sent(accepted("r1"))
    yield* store.recordOutcomes("shop", [rejected("r1")], "webhook")
    yield* plan(invoice("i1", { total: "2.00" }))
  })

const confirmed = ({ store }: World, id: string) =>
  store.confirmRejections(key("i1"), [RequestId.make(id)], [rejected(id)])

/** Leaves i1 Planned, with a request whose outcome is open and whose quiet period is over. */
const openAndPlanned = ({ plan, sent, store }: World) =>
  Effect.gen(function* () {
    yield* plan(invoice("i1"))
    yield* sent(unknown)
    yield* TestClock.adjust("5 minutes")
    yield* store.resendUnknown("shop")
  })

const scenes: Readonly<Record<string, Scene>> = {
  "account waits for account": { prepare: ({ plan }) => plan(invoice("i1", { account: "till" })) },
  "before the start holds before-start": {
    prepare: ({ plan }) => plan(invoice("i1")),
    options: sends({ notBefore: CivilDate.make("2026-01-11") })
  },
  "older copy holds older-copy": {
    prepare: ({ plan, store }) =>
      Effect.andThen(store.acceptOlder(CivilDate.make("2026-01-10"), unmarked), plan(invoice("i1")))
  },
  "duplicate holds duplicate": {
    // registered while its request was under way
    prepare: ({ plan, store }) =>
      Effect.gen(function* () {
        yield* plan(invoice("i1"))
        const next = yield* store.beginAttempt(yield* claimed(store), sends())
        yield* store.registerOriginals([registered("i1")])
        const attempt = next._tag === "Begun" ? next.attempt : assert.fail(next._tag)
        const result = { _tag: "NotProcessed", text: "429" } as const
        yield* store.finishAttempt({ attempt, result, firstLook: Duration.zero })
      })
  },
  "replaces holds replaces": {
    prepare: ({ plan, sent }) =>
      Effect.gen(function* () {
        yield* plan(invoice("i3", { replaces: { by: "id", value: "i1" } }))
        yield* plan(invoice("i1"))
        yield* sent(accepted("r1"))
      })
  },
  "credited here holds duplicate": {
    // planned at the same time as the note of the source, and not sent yet
    prepare: ({ change, plan, sent, store }) =>
      Effect.gen(function* () {
        yield* plan(invoice("i1"))
        yield* sent(accepted("r1"))
        yield* change("update fiscal_submission set state = 'Fiscalised'")
        yield* plan(creditNote("c2", { credits: "i1", total: "1.00" }))
        const family = Option.getOrThrow(yield* store.family(key("i1")))
        yield* plan(
          creditNote("c3", {
            credits: "i1",
            total: "1.00",
            prepared: { basis: basisOf(family, "c3"), beside: [], decision: creditDecision },
            held: "not yet"
          })
        )
      })
  },
  "original waits for original": {
    prepare: ({ plan, sent }) =>
      Effect.gen(function* () {
        yield* plan(invoice("i1"), creditNote("c2", { credits: "i1" }))
        yield* sent(accepted("r1"))
      })
  },
  "original holds original": { prepare: ({ plan }) => plan(creditNote("c2", { credits: "i9" })) },
  "original holds credited": {
    prepare: ({ plan, store }) =>
      Effect.andThen(
        store.registerOriginals([registered("i9")]),
        plan(creditNote("c2", { credits: "i9", total: "200.00" }))
      )
  },
  "contradicted holds contradicted": {
    prepare: ({ change, decide, plan, sent }) =>
      Effect.gen(function* () {
        yield* plan(invoice("i1"))
        yield* sent(unknown)
        yield* TestClock.adjust("5 minutes")
        yield* decide({ _tag: "NotProcessed" })
        yield* sent({ _tag: "Declined", text: "known already" })
        yield* TestClock.adjust("5 minutes")
        yield* change("update fiscal_submission set state = 'Planned', hold_cause = null, hold_because = null")
      })
  },
  "quiet period waits for quiet": {
    prepare: (world) =>
      Effect.gen(function* () {
        const { decide, plan, sent, store } = world
        yield* plan(invoice("i1"))
        yield* sent(unknown)
        yield* decide({ _tag: "Accepted", requestId: RequestId.make("r9") })
        yield* store.recordOutcomes("shop", [rejected("r9")], "webhook")
        yield* plan(invoice("i1", { total: "2.00" }))
        yield* confirmed(world, "r9")
      })
  },
  "unconfirmed rejection holds rejection-unconfirmed": {
    prepare: (world) =>
      Effect.gen(function* () {
        yield* corrected(world)
        yield* confirmed(world, "r1")
        yield* world.change("update fiscal_outcome set settled_by = 'text'")
      })
  },
  "unconfirmed rejection asks the gateway": { prepare: corrected },
  "receipt date stops mark-in-future": {
    prepare: ({ plan, sent }) =>
      Effect.gen(function* () {
        yield* plan(invoice("i1", dated("14:59:00")), invoice("i2", dated("14:59:30")))
        yield* sent(accepted("r1"))
        yield* at("2026-01-10T14:00:00+02:00")
      })
  },
  "receipt date waits for clock": { prepare: ({ plan }) => plan(invoice("i1", dated("15:10:00"))) },
  "receipt date holds late": {
    prepare: ({ plan, sent }) =>
      Effect.gen(function* () {
        yield* plan(invoice("i1", dated("12:00:05")))
        yield* sent(accepted("r1"))
        yield* plan(invoice("i2", dated("12:00:03")))
      })
  },
  "receipt date holds historical": {
    prepare: ({ plan, store }) => Effect.andThen(store.closeDay(lane, instant("12:30:00")), plan(invoice("i1")))
  },
  "receipt date holds outdated": {
    prepare: ({ plan }) =>
      plan(invoice("i1", { receiptDate: "at-submission", validUntil: CivilDate.make("2026-01-09") }))
  },
  "receipt date holds operator": {
    prepare: (world) => Effect.andThen(openAndPlanned(world), world.store.closeDay(lane, instant("12:30:00")))
  },
  "pace waits for clock": {
    prepare: ({ plan, sent }) =>
      Effect.andThen(plan(invoice("i1"), invoice("i2")), sent(accepted("r1"), { pace: Duration.seconds(10) }))
  }
}

/** Runs the work with a row of the table replaced by others. */
const withRow = <A, E, R>(guard: Guard, rows: ReadonlyArray<Guard>, work: Effect.Effect<A, E, R>) => {
  const table = guards as Array<Guard>
  const place = table.indexOf(guard)
  return Effect.acquireUseRelease(
    Effect.sync(() => table.splice(place, 1, ...rows)),
    () => work,
    () => Effect.sync(() => table.splice(place, rows.length, guard))
  )
}

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "guards-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** Begins the next attempt: `sent`, or the objection. */
const begun = (store: SubmissionStoreOperations, options: AttemptOptions) =>
  Effect.gen(function* () {
    const next = yield* store.beginAttempt(yield* claimed(store), options)
    if (next._tag === "Begun") return "sent"
    if (next._tag === "Waiting") return `waits for ${next.wait.for}`
    if (next._tag === "Stopped") return `stops ${next.stop.cause}`
    if (next._tag === "Unconfirmed") return "asks the gateway"
    const [held] = yield* store.list({ states: ["Held"] })
    return next._tag === "Drained" ? `holds ${held?.hold?.cause}` : next._tag
  })

/** Runs the work in the scene, in a separate store. */
const inScene = <A>(
  { options = sends(), prepare }: Scene,
  work: (store: SubmissionStoreOperations, options: AttemptOptions) => Effect.Effect<A, StoreError>
) =>
  Effect.gen(function* () {
    const filename = join(yield* folder, "store.db")
    yield* at(now)
    return yield* Effect.gen(function* () {
      const store = yield* SubmissionStore
      yield* prepare({
        store,
        plan: (...documents) => store.plan(documents),
        sent: (result, more) =>
          Effect.gen(function* () {
            const next = yield* store.beginAttempt(yield* claimed(store), sends())
            if (next._tag !== "Begun") return assert.fail(JSON.stringify(next))
            yield* store.finishAttempt({ attempt: next.attempt, result, firstLook: Duration.zero, ...more })
          }),
        decide: (decision) => resolved(store, "i1", decision),
        change: (statement) =>
          Effect.sync(() => {
            const database = new DatabaseSync(filename)
            database.exec(statement)
            database.close()
          })
      })
      return yield* work(store, options)
    }).pipe(Effect.provide(Layer.fresh(SqliteStore.layer({ filename }))))
  }).pipe(Effect.scoped)

/** The row, with its queries counted. */
const counted = (guard: Guard) => {
  let queries = 0
  const question: Guard["question"] = (candidate) => {
    const sql = new Proxy(candidate.transaction.sql, {
      apply: (of, self, args: [TemplateStringsArray, ...Array<never>]) => {
        if (args[0][0]?.trimStart().startsWith("select")) queries++
        return Reflect.apply(of as never, self, args)
      }
    })
    return guard.question({ ...candidate, transaction: Object.create(candidate.transaction, { sql: { value: sql } }) })
  }
  return { row: { ...guard, question }, queries: () => queries }
}

const rows = [...guards]
const nameOf = ({ name }: Guard, objection: string) => `${name} ${objection}`

describe("a guard before an attempt", () => {
  it("has a scene for each of its objections", () =>
    assert.deepStrictEqual(
      Object.keys(scenes),
      rows.flatMap((guard) => objections(guard).map((objection) => nameOf(guard, objection)))
    ))

  for (const guard of rows) {
    it.effect(`${guard.name}: ${objections(guard).join(", ")}, and without the row the document is sent`, function* () {
      const asked: Array<number> = []
      for (const objection of objections(guard)) {
        const scene = scenes[nameOf(guard, objection)]!
        const { queries, row } = counted(guard)
        const found = yield* inScene(scene, (...world) => withRow(guard, [row], begun(...world)))
        assert.strictEqual(found, objection)
        asked.push(queries())
        const without = yield* inScene(scene, (...world) => withRow(guard, [], begun(...world)))
        assert.strictEqual(without, "sent", objection)
      }
      assert.strictEqual(Math.max(...asked), guard.queries ?? 0, "queries of the question")
    })
  }

  for (const guard of rows.filter(({ cause }) => cause !== undefined)) {
    const objection = `holds ${guard.cause}`
    it.effect(`${guard.name}: a document that it held is sent after an operator's decision`, () =>
      inScene(scenes[nameOf(guard, objection)]!, (store, options) =>
        Effect.gen(function* () {
          assert.strictEqual(yield* begun(store, options), objection)
          const [held] = yield* store.list({ states: ["Held"] })
          yield* TestClock.adjust("5 minutes")
          yield* resolved(store, held!.id, { _tag: "Resend" })
          assert.strictEqual(yield* begun(store, options), "sent")
        })
      )
    )
  }
})
