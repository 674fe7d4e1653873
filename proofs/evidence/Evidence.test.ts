/**
 * Real processes behind a proxy that alters the gateway's answers: one test for each way to a
 * second receipt that was measured when what is not known was taken for settled. Each ends by
 * counting the receipts at the gateway. The older copy whose every printed command is pasted is in
 * RestoreDrill.test.ts and in the proof `pasted`.
 */
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { copyFileSync, cpSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { commandsIn, withReason, words } from "../../packages/cli/test/PrintedCommands.ts"
import { lines } from "../../packages/cli/test/RunningConnector.ts"
import { sales } from "../../packages/cli/test/SalesExport.ts"
import { launch } from "../../packages/core/test/postgres/OwnServer.ts"
import { given } from "../Given.ts"
import { make } from "../Random.ts"
import { type Item, shop, switchOff } from "./EvidenceShop.ts"

const { count, seed } = given("evidence")

const otherKey = "7f6f7d8a-7b1d-4f5e-9a1c-5d6f7d8a7b1d"
const minutes = (n: number): number => n * 60_000

/** States the corrected documents of an export. */
const corrected = (text: string): string => text.replaceAll("Lamp", "Desk lamp")

const once = (numbers: ReadonlyArray<string>): Record<string, number> =>
  Object.fromEntries(numbers.map((number) => [number, 1]))

const fiscalised = (numbers: ReadonlyArray<string>): Record<string, string> =>
  Object.fromEntries(numbers.map((number) => [number, "Fiscalised"]))

const numbered = (n: number): ReadonlyArray<string> => Array.from({ length: n }, (_, i) => `INV-${i + 1}`)

const failing = (item: Item, error: unknown, actionable: boolean | null): Item => ({
  ...item,
  Success: false,
  IsActionable: actionable,
  Error: error,
  QrData: null,
  FiscalInvoicePdf: null
})

/** Answers while the gateway works. The last answer names the number of the document. */
const working: ReadonlyArray<readonly [error: unknown, actionable: boolean | null]> = [
  ["Not found", null],
  ["Still processing", false],
  ["Pending", true],
  [{ Code: 404, Message: "Request not found in database" }, null],
  ["The till has no connection and tries again", true],
  ["Invoice RCPT026-17 is queued", null]
]

/** Sets the clock that the database tells to its clients ahead. */
const clockAhead = (url: string) =>
  Effect.forEach(
    [
      "alter function pg_catalog.clock_timestamp() rename to right_clock_timestamp",
      `create function pg_catalog.clock_timestamp() returns timestamptz language sql
        as $$ select pg_catalog.right_clock_timestamp() + interval '20 minutes' $$`
    ],
    (statement) => PgClient.PgClient.use((sql) => sql.unsafe(statement))
  ).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(url), maxConnections: 1 })))

interface Row {
  readonly name: string
  readonly proven: Effect.Effect<void, unknown>
}

const rows: ReadonlyArray<Row> = [
  {
    name: "a failure in any words, while the gateway works on a document that is corrected meanwhile",
    proven: Effect.gen(function* () {
      const numbers = [...numbered(5), "RCPT026-17"]
      let isWorking = true
      const { age, importing, receipts, run, states, untilAsked } = yield* shop({
        item: (item, { number }) => (isWorking ? failing(item, ...working[numbers.indexOf(number)]!) : item)
      })
      const text = sales(1, 2, 3, 4, 5, 6).replace("INV-6,", "RCPT026-17,")
      yield* untilAsked(3, importing("sales.csv", text))
      const again = yield* run(...importing("again.csv", corrected(text)))
      assert.deepStrictEqual(
        [again.code, yield* states],
        [3, Object.fromEntries(numbers.map((number) => [number, "Accepted"]))],
        again.out + again.err
      )
      isWorking = false
      age(minutes(5))
      yield* run("resume")
      assert.deepStrictEqual(yield* states, fiscalised(numbers))
      assert.deepStrictEqual(yield* receipts, once(numbers))
    }).pipe(Effect.scoped)
  },
  {
    name: "a failure beside the proof of a receipt, as an object and as JSON in a text",
    proven: Effect.gen(function* () {
      const numbers = numbered(2)
      const { importing, receipts, run, states, untilAsked } = yield* shop({
        item: (item, { number }) => ({
          ...failing(item, "printing failed", true),
          QrData: number === "INV-1" ? item["QrData"] : JSON.stringify(item["QrData"])
        })
      })
      yield* untilAsked(3, importing("sales.csv", sales(1, 2)))
      const health = yield* run("health")
      const again = yield* run(...importing("again.csv", corrected(sales(1, 2))))
      assert.match(health.out, /SUCCESS_AND_FAILURE: 2 documents \(INV-1, INV-2\)/)
      assert.deepStrictEqual(yield* states, { "INV-1": "Accepted", "INV-2": "Accepted" }, again.out + again.err)
      assert.deepStrictEqual(yield* receipts, once(numbers))
    }).pipe(Effect.scoped)
  },
  ...(["decline", "fail"] as const).map((repeats) => ({
    name: `a statement "not processed" after which the gateway will ${repeats} the repeated document`,
    proven: Effect.gen(function* () {
      const { age, importing, receipts, run, states, untilAsked } = yield* shop(
        { cuts: ({ nth }) => nth === 1 },
        { gateway: { repeats } }
      )
      yield* run(...importing("sales.csv", sales(1)))
      assert.deepStrictEqual(yield* states, { "INV-1": "Unknown" })
      age(minutes(10))
      const word = yield* run("resolve", "INV-1", "--not-processed", "--because", "it is not on the first page")
      assert.strictEqual(word.code, 0, word.err)
      // the control of the opening, the look, its control; the next look shows that they are stored
      yield* untilAsked(4, ["resume"])
      age(minutes(30))
      // The gateway's refusal proves nothing by its words, so the operator states it in addition.
      if (repeats === "fail")
        yield* run("resolve", "INV-1", "--rejected", "Duplicate invoice number", "--because", "the portal says so")
      assert.deepStrictEqual(yield* states, { "INV-1": "Held" })
      assert.match((yield* run("explain", "INV-1")).out, /an earlier request may have been fiscalised.*Duplicate/)
      yield* run(...importing("again.csv", corrected(sales(1))))
      assert.deepStrictEqual(yield* states, { "INV-1": "Held" })
      assert.deepStrictEqual(yield* receipts, once(["INV-1"]))
    }).pipe(Effect.scoped)
  })),
  {
    name: "two request ids that both succeeded, one of them without a code",
    proven: Effect.gen(function* () {
      let isTrue = false
      const { importing, receipts, run, states } = yield* shop(
        {
          item: (item, { nth }) =>
            nth > 1
              ? item
              : isTrue
                ? { ...item, QrData: null, FiscalInvoicePdf: null }
                : failing(item, "RCPT026: the tax amount is wrong", true)
        },
        { gateway: { isRetry: "new-id" } }
      )
      yield* run(...importing("sales.csv", sales(1)))
      assert.deepStrictEqual(yield* states, { "INV-1": "Rejected" })
      yield* run("resolve", "INV-1", "--resend", "--because", "the tax is right")
      yield* run("resume")
      isTrue = true
      yield* run("resume")
      assert.include((yield* run("health")).out, "DOUBLE_FISCALISED")
      assert.include((yield* run("explain", "INV-1")).out, "2 requests succeeded")
      // both proofs count in the account, each with its revision
      const account = yield* run("reconcile", "--from", "2026-01-01", "--to", "2099-12-31")
      assert.match(account.out, /proven +DOUBLE_FISCALISED/, account.err)
      assert.strictEqual(account.code, 2)
      yield* run(...importing("again.csv", corrected(sales(1))))
      assert.deepStrictEqual(yield* receipts, once(["INV-1"]))
    }).pipe(Effect.scoped)
  },
  {
    name: "one proof for two documents",
    proven: Effect.gen(function* () {
      let first: unknown
      const { importing, receipts, run, states } = yield* shop({
        item: (item, { number }) => {
          if (number === "INV-1") first = item["QrData"] ?? first
          return number === "INV-2" && item["Success"] === true ? { ...item, QrData: first } : item
        }
      })
      assert.strictEqual((yield* run(...importing("sales.csv", sales(1, 2)))).code, 3)
      assert.match((yield* run("health")).out, /PROOF_SHARED: 2 documents \(INV-1, INV-2\)/)
      yield* run(...importing("again.csv", corrected(sales(1, 2))))
      assert.deepStrictEqual(yield* states, fiscalised(numbered(2)))
      assert.deepStrictEqual(yield* receipts, once(numbered(2)))
    }).pipe(Effect.scoped)
  },
  {
    name: "a success without any proof",
    proven: Effect.gen(function* () {
      let isProven = false
      const { age, importing, receipts, run, states } = yield* shop({
        item: (item) => (isProven ? item : { ...item, QrData: null, FiscalInvoicePdf: null })
      })
      yield* run(...importing("sales.csv", sales(1)))
      assert.deepStrictEqual(yield* states, fiscalised(["INV-1"]))
      age(minutes(20))
      assert.include((yield* run("health")).out, "PROOF_MISSING")
      yield* run(...importing("again.csv", corrected(sales(1))))
      isProven = true
      age(minutes(60))
      yield* run("resume")
      const [listed] = lines((yield* run("list", "--json")).out)
      assert.match(String(listed?.["verificationCode"]), /^[0-9A-F-]{19}$/)
      assert.deepStrictEqual(yield* receipts, once(["INV-1"]))
    }).pipe(Effect.scoped)
  },
  {
    name: "an accepted older copy, and a device that was first used after the copy was made",
    proven: Effect.gen(function* () {
      const { cwd, importing, receipts, run, states } = yield* shop(
        {},
        { accounts: [{ key: otherKey, device: 2002 }], devices: [{ deviceId: 2002, isLive: true }] }
      )
      const held = Object.fromEntries(
        numbered(5)
          .slice(1)
          .map((number) => [number, "Held"])
      )
      const till = (...more: ReadonlyArray<string>) =>
        run(...importing("till.csv", sales(2, 3, 4, 5)), "--account", "till", ...more)
      yield* run(...importing("sales.csv", sales(1)), "--account", "main")
      yield* run("store", "backup", "older.db")
      const asked = yield* till("--live")
      const [, code = ""] = /--first-use ([A-Z0-9-]+)/.exec(asked.out + asked.err) ?? []
      assert.strictEqual((yield* till("--live", "--first-use", code)).code, 0)
      for (const name of readdirSync(cwd)) if (name.startsWith("fiscal-connector.db")) rmSync(join(cwd, name))
      copyFileSync(join(cwd, "older.db"), join(cwd, "fiscal-connector.db"))
      const older = yield* till("--live", "--first-use", code)
      const accepted = yield* run("store", "accept-older", "--because", "there is no newer one")
      assert.strictEqual(accepted.code, 0, accepted.err)
      const again = yield* till("--live", "--first-use", code)
      assert.deepStrictEqual([older.code, again.code], [1, 1], older.out + again.out)
      assert.include(older.out + older.err, "STORE_OLDER")
      // The operator pastes the command that is printed now, with the code of the accepted copy.
      const [, now = ""] = /--first-use ([A-Z0-9-]+)/.exec(again.out + again.err) ?? []
      assert.notStrictEqual(now, code)
      assert.strictEqual((yield* till("--live", "--first-use", now)).code, 3)
      yield* run("resume", "--live")
      assert.deepStrictEqual(yield* states, { ...fiscalised(["INV-1"]), ...held })
      assert.deepStrictEqual(yield* receipts, once(numbered(5)))
    }).pipe(Effect.scoped)
  },
  {
    name: "a machine that is set back with its witness file, and jobs of one document each",
    proven: Effect.gen(function* () {
      const { cwd, importing, receipts, run } = yield* shop({})
      const job = (n: number) => run(...importing(`${n}.csv`, sales(n)))
      for (const n of [1, 2]) yield* job(n)
      const snapshot = `${cwd}-snapshot`
      yield* Effect.acquireRelease(
        Effect.sync(() => cpSync(cwd, snapshot, { recursive: true })),
        () => Effect.sync(() => rmSync(snapshot, { recursive: true }))
      )
      for (const n of [3, 4, 5]) yield* job(n)
      rmSync(cwd, { recursive: true })
      cpSync(snapshot, cwd, { recursive: true })
      // The first receipt since the snapshot shows that others are missing; it may be a second one.
      const ended = yield* Effect.forEach([3, 4, 5], job)
      assert.deepStrictEqual(
        ended.map(({ code, err, out }) => [code, (out + err).includes("may be an older copy")]),
        [
          [0, false],
          [3, true],
          [1, true]
        ]
      )
      assert.match((yield* run("health")).out, /connector device others/)
      assert.deepStrictEqual(yield* receipts, { ...once(numbered(5)), "INV-3": 2 })
    }).pipe(Effect.scoped)
  },
  {
    name: "a PostgreSQL that restarts with its clock 20 minutes ahead while an answer is lost",
    proven: Effect.gen(function* () {
      const server = yield* Effect.acquireRelease(
        Effect.promise(() => launch("allow_system_table_mods=on")),
        ({ close }) => Effect.promise(close)
      )
      const { importing, receipts, run, states } = yield* shop({ cuts: ({ nth }) => nth === 1 }, {}, { store: server })
      yield* run(...importing("sales.csv", sales(1)))
      assert.deepStrictEqual(yield* states, { "INV-1": "Unknown" })
      yield* clockAhead(server.url)
      yield* Effect.promise(server.stop)
      yield* Effect.promise(server.start)
      for (const decision of [
        ["resolve", "INV-1", "--not-processed"],
        ["withdraw", "INV-1"]
      ]) {
        const { code, err, out } = yield* run(...decision, "--because", "it is not on the first page")
        assert.strictEqual(code, 1, out)
        assert.match(err, /accepted from 20\d\d-/)
      }
      assert.include((yield* run("doctor")).out, "CLOCK_WRONG")
      yield* run("resume")
      assert.deepStrictEqual(yield* states, { "INV-1": "Unknown" })
      assert.deepStrictEqual(yield* receipts, once(["INV-1"]))
    }).pipe(Effect.scoped)
  },
  {
    name: "a device that is switched off after 30 of 150 documents",
    proven: Effect.gen(function* () {
      const all = numbered(150)
      let preview = ""
      const made = yield* shop({
        answered: (count) => {
          if (count === 30) switchOff(made.sandbox)
        }
      })
      const { age, importing, receipts, run, sandbox, states, untilAsked } = made
      yield* untilAsked(25, importing("sales.csv", sales(...all.map((_, i) => i + 1))))
      const failed = Object.values(yield* receipts).filter((count) => count === 0).length
      assert.isBelow(failed, 60, "the lane stops, and does not fail one document after the other")
      yield* sandbox.control.changeDevice({ isSwitchedOn: true })
      age(minutes(20))
      yield* untilAsked(8, ["resume"])
      age(minutes(10))
      // One act for the cause, as printed, with the numbers that have no receipt in the portal.
      const looked = Object.entries(yield* receipts).flatMap(([number, count]) => (count === 0 ? [number] : []))
      for (const part of ["--cause DEV01 --resend", "--confirm"]) {
        const printed = commandsIn(part === "--confirm" ? preview : (yield* run("health")).out)
        const line = printed.find((one) => one.includes(part)) ?? ""
        const named = line.replace(/'<numbers [^>]*>'/, looked.join(" "))
        const { err, out } = yield* run(...(yield* words(withReason(named))))
        preview = out
        assert.notStrictEqual(line, "", out + err)
      }
      const resuming = Effect.suspend(() => {
        // A stopped lane is probed every 15 minutes.
        age(minutes(16))
        return run("resume")
      })
      const last = yield* Effect.repeat(resuming, { until: ({ code }) => code === 0, times: 3 })
      assert.deepStrictEqual(yield* states, fiscalised(all), last.out + last.err)
      assert.deepStrictEqual(yield* receipts, once(all))
    }).pipe(Effect.scoped)
  }
]

// slow: real processes that wait for outcomes
describe("a document gets one receipt, whatever the proxy makes of", () => {
  for (const { name, proven } of make(seed).shuffled(rows).slice(0, count)) it.live(name, () => proven)
})
