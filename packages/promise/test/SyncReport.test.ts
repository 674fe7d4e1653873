/**
 * Report of a sync: every input is accounted for, in order, and success only if all of them are
 * fiscalized.
 */
import { assert, describe, it } from "@effect/vitest"
import { adapter as csv } from "@fiscal-connector/adapter-csv/CsvAdapter"
import {
  connect,
  type ConnectOptions,
  type DocumentInput,
  type FiscalConnector,
  type FiscalEvent,
  type Result
} from "@fiscal-connector/promise"
import { Effect, type Scope } from "effect"
import * as SqliteStore from "../../core/src/node/SqliteStore.ts"
import { SubmissionStore } from "../../core/src/submission/SubmissionStore.ts"
import { failure, gateway, type Given, invoice, receipts } from "./Gateway.ts"

const test = (use: (given: Given, options: ConnectOptions) => Promise<void>) => () =>
  Effect.gen(function* () {
    const given = yield* gateway
    const { config, folder, store } = given
    const options = { account: "shop", config, book, store, witnessFile: `${folder}/witness.json` }
    yield* Effect.promise(() => use(given, options))
  }) as Effect.Effect<void, never, Scope.Scope>

const book = {
  version: 1,
  zone: "+02:00",
  taxes: [{ from: ["Standard"], code: "VAT155", device: 515, percent: "15.5" }],
  currencies: [{ code: "USD", device: "USD" }]
}

const statuses = (results: ReadonlyArray<Result>) => results.map(({ number, status }) => `${number} ${status}`)

const header =
  "InvoiceNumber,InvoiceDate,Currency,AmountsAre,Description,Quantity,UnitPrice,TaxCode,ProductCode,Total\n"
const row = (number: string) => `${number},2026-03-02,USD,inclusive,Solar lamp,2,9.99,Standard,85131000,19.98\n`
describe("a sync", () => {
  it.live(
    "has one result for each document in order, even if some are too old, repeated, cancelled or invalid",
    test(async (given, options) => {
      await using fiscal = await connect({ ...options, notBefore: "2026-03-01" })
      const documents = [
        invoice("S-1", { date: "2026-02-27" }),
        invoice("S-2"),
        "S-3" as unknown as DocumentInput,
        invoice("S-2"),
        { kind: "cancelled", of: "invoice", id: "S-4", number: "S-4" } as const,
        invoice("S-5")
      ]
      const { ok, results } = await fiscal.sync(documents)
      assert.deepStrictEqual(statuses(results), [
        "S-1 skipped",
        "S-2 fiscalised",
        " refused",
        "S-2 duplicate",
        "S-4 skipped",
        "S-5 fiscalised"
      ])
      assert.match(results[0]!.because ?? "", /notBefore/)
      assert.isFalse(ok)
      assert.strictEqual((await receipts(given)).length, 2)
      const skipped = await fiscal.sync([invoice("S-1", { date: "2026-02-27" }), invoice("S-2")])
      assert.deepStrictEqual([skipped.ok, statuses(skipped.results)], [true, ["S-1 skipped", "S-2 fiscalised"]])
      const all = await fiscal.sync([invoice("S-2"), invoice("S-2"), invoice("S-5")])
      assert.deepStrictEqual([all.ok, all.open, all.problems], [true, 0, []])
    })
  )

  it.live(
    "names the document that each one replaces, in its plan, its report and later",
    test(async (_, options) => {
      await using fiscal = await connect(options)
      await fiscal.sync([{ ...invoice("S-1"), id: "first" }])
      const amended = [
        { ...invoice("S-2"), id: "second", replaces: { id: "first" } },
        { ...invoice("S-3"), id: "third", replaces: { number: "S-2" } },
        { ...invoice("S-4"), id: "fourth", currency: "XYZ", replaces: { number: "S-9" } },
        invoice("S-5")
      ]
      const named = (results: Iterable<Result>) => Array.from(results, ({ number, replaces }) => [number, replaces])
      const expected = [
        ["S-2", "S-1"],
        ["S-3", "S-2"],
        ["S-4", "S-9"],
        ["S-5", null]
      ]
      const { results } = await fiscal.sync(amended)
      assert.deepStrictEqual(statuses(results), ["S-2 withdrawn", "S-3 held", "S-4 refused", "S-5 fiscalised"])
      assert.deepStrictEqual(named(results), expected)
      assert.deepStrictEqual(named((await fiscal.sync(amended)).results), expected)
      assert.strictEqual((await fiscal.get({ kind: "invoice", id: "third" }))?.replaces, "S-2")
    })
  )

  it.live(
    "is ok with a refused document only while its dismissal lasts, and not ok with a receipt elsewhere",
    test(async (_, options) => {
      await using fiscal = await connect(options)
      const refused = (taxCode: string) => invoice("S-2", { lines: [{ ...invoice("S-2").lines[0]!, taxCode }] })
      const sync = async (taxCode: string) => (await fiscal.sync([invoice("S-1"), refused(taxCode)])).ok
      assert.isFalse(await sync("Luxury"))
      await fiscal.dismiss({ numbers: ["S-2"] }, "written by hand")
      assert.isTrue(await sync("Luxury"))
      assert.isFalse(await sync("Opulent"))
      await fiscal.dismiss({ numbers: ["S-2"] }, "written by hand")
      assert.isTrue(await sync("Opulent"))
      assert.deepStrictEqual((await fiscal.registerOriginals([invoice("S-1")])).fiscalisedHere, ["S-1"])
      assert.isFalse(await sync("Opulent"))
    })
  )

  for (const [what, damage] of [
    ["a cut last row", `${header}${row("S-1")}S-2,2026-03-02,USD`],
    [
      "a quote that is not closed",
      `${header}${row("S-1")}S-2,2026-03-02,USD,inclusive,"Solar lamp,2,9.99,Standard,85131000,19.98\n`
    ],
    ["a row too wide", `${header}${row("S-1")}${row("S-2").trimEnd()},more\n`]
  ] as const)
    it.live(
      `of a CSV file with ${what} sends the valid documents, reports the problem, and is not ok`,
      test(async (_, options) => {
        await using fiscal = await connect(options)
        const files = [{ name: "sales.csv", bytes: new TextEncoder().encode(damage) }]
        const report = await fiscal.sync({ adapter: csv, files })
        assert.isFalse(report.ok)
        assert.include(statuses(report.results), "S-1 fiscalised")
        const refused = report.results.filter(({ status }) => status === "refused")
        assert.isNotEmpty([...report.problems.filter(({ severity }) => severity === "error"), ...refused])
      })
    )

  it.live(
    "rejects in every run for a wrong secret, before anything is planned",
    test(async (_, options) => {
      const config = { ...(options.config as Given["config"]), secret: "another secret" }
      await using fiscal = await connect({ ...options, config })
      for (const run of [1, 2]) {
        const error = await failure(fiscal.sync([invoice(`S-${run}`)]))
        assert.deepStrictEqual([error.code, error.retryable], ["credentials_refused", false])
      }
      assert.deepStrictEqual((await fiscal.health()).counts, {})
    })
  )

  it.live(
    "sends no document dated before the close of a day without the upload permission, even if it ended after the plan",
    test(async (given, options) => {
      const { control } = given.sandbox
      const permission = (allowCsvUpload: boolean) =>
        Effect.runPromise(control.changeDevice({ allowCsvUpload, expireCsvUpload: "2099-01-01T00:00:00" }))
      await using fiscal = await connect(options)
      assert.isTrue((await fiscal.sync([invoice("S-1", { date: "2026-02-27" })])).ok)
      await Effect.runPromise(control.closeDay())
      const older = [invoice("S-2")]
      const refused = await failure(fiscal.sync(older, { timing: "historical" }))
      assert.strictEqual(refused.code, "historical_refused")
      await permission(true)
      const plan = await fiscal.plan(older, { timing: "historical" })
      await permission(false)
      const late = await failure(fiscal.submit(plan))
      assert.strictEqual(late.code, "historical_refused")
      const ordinary = await fiscal.sync(older)
      assert.deepStrictEqual([ordinary.ok, statuses(ordinary.results)], [false, ["S-2 held"]])
      assert.lengthOf(await receipts(given), 1)
      await permission(true)
      const { ok, results } = await fiscal.sync(older, { timing: "historical" })
      assert.deepStrictEqual([ok, statuses(results)], [true, ["S-2 fiscalised"]])
    })
  )

  it.live(
    "sends the other documents next to a bad one by default, and stops if configured",
    test(async (_, options) => {
      const documents = [1, 2, 3, 4, 5].map((n) =>
        invoice(`S-${n}`, { date: `2026-03-0${n}`, ...(n === 2 && { currency: "XYZ" }) })
      )
      await using fiscal = await connect(options)
      const stopped = await failure(fiscal.sync(documents, { whenLate: "stop" }))
      const [problem] = stopped.problems
      assert.deepStrictEqual([stopped.code, stopped.problems.length], ["would_become_late", 1])
      assert.deepStrictEqual(problem?.document, { kind: "invoice", id: "S-2", number: "S-2" })
      assert.deepStrictEqual([problem?.path, problem?.choices?.[0]?.settles], [["currency"], "book"])
      const { ok, results } = await fiscal.sync(documents)
      assert.isFalse(ok)
      assert.deepStrictEqual(
        results.map(({ status }) => status),
        ["fiscalised", "refused", "fiscalised", "fiscalised", "fiscalised"]
      )
    })
  )

  it.live(
    "reports a fiscalised document that was changed or cancelled since",
    test(async (_, options) => {
      await using fiscal = await connect(options)
      assert.isTrue((await fiscal.sync([invoice("S-1"), invoice("S-2")])).ok)
      const lines = [{ ...invoice("S-1").lines[0]!, quantity: "3" }]
      const changed = { ...invoice("S-1"), lines, totals: { total: "29.97" } }
      const again = await fiscal.sync([changed, { kind: "cancelled", of: "invoice", id: "S-2", number: "S-2" }])
      const [first, second] = again.results
      assert.deepStrictEqual(statuses(again.results), ["S-1 fiscalised", "S-2 fiscalised"])
      assert.isNotNull(first!.changed)
      assert.match(second!.cancelled ?? "", /cancelled/)
      assert.deepStrictEqual(
        again.conflicts.map(({ id }) => id),
        ["S-1"]
      )
      assert.isFalse(again.ok)
      const cancelled = await fiscal.sync([{ kind: "cancelled", of: "invoice", id: "S-2", number: "S-2" }])
      assert.deepStrictEqual([cancelled.ok, cancelled.conflicts], [false, []])
    })
  )

  it.live(
    "is done although a call has named a changed text, because the receipt has the same figures",
    test(async (_, options) => {
      await using fiscal = await connect(options)
      const sold = invoice("S-1")
      assert.isTrue((await fiscal.sync([sold])).ok)
      const lines = [{ ...sold.lines[0]!, description: "the same goods in other words" }]
      const { conflicts, ok, results } = await fiscal.sync([{ ...sold, lines }])
      assert.deepStrictEqual([ok, conflicts, results.map(({ changed }) => changed)], [true, [], [null]])
      assert.isFalse((await fiscal.sync([{ ...sold, number: "S-1-R" }])).ok)
    })
  )

  it.live(
    "keeps the change or cancellation of a fiscalised document in get, results and events until it is settled",
    test(async (_, options) => {
      const events: Array<string> = []
      const onEvent = (event: FiscalEvent) => {
        if (event.type !== "source") return
        const { cancelled, changed, number, status } = event
        events.push(
          `${number} ${status} ${changed === null ? "-" : "changed"} ${cancelled === null ? "-" : "cancelled"}`
        )
      }
      const known = (result: Result | undefined) => [result?.changed !== null, result?.cancelled !== null]
      const [one, two] = [{ kind: "invoice", id: "S-1" } as const, { kind: "invoice", id: "S-2" } as const]
      const lines = [{ ...invoice("S-1").lines[0]!, quantity: "3" }]
      const changed = { ...invoice("S-1"), lines, totals: { total: "29.97" } }
      const cancelled = { kind: "cancelled", of: "invoice", id: "S-2", number: "S-2" } as const
      await using fiscal = await connect({ ...options, onEvent })
      assert.isTrue((await fiscal.sync([invoice("S-1"), invoice("S-2")])).ok)
      let after: string | undefined
      for await (const { cursor } of fiscal.results()) after = cursor
      await fiscal.sync([changed, cancelled])
      assert.deepStrictEqual(known(await fiscal.get(one)), [true, false])
      assert.deepStrictEqual(known(await fiscal.get(two)), [false, true])
      const news: Array<Result> = []
      for await (const result of fiscal.results({ ...(after !== undefined && { after }) })) news.push(result)
      assert.includeMembers(
        news.map((result) => [result.number, ...known(result)].join(" ")),
        ["S-1 true false", "S-2 false true"]
      )
      assert.isFalse((await fiscal.sync([changed, cancelled])).ok)
      assert.deepStrictEqual(events, ["S-1 fiscalised changed -", "S-2 fiscalised - cancelled"])
      await fiscal.resolve(one, "acknowledged", "credit note CN-7")
      await fiscal.resolve(two, "acknowledged", "credit note CN-8")
      const settled = await fiscal.sync([changed, cancelled])
      assert.deepStrictEqual(
        [settled.ok, settled.conflicts, statuses(settled.results)],
        [true, [], ["S-1 fiscalised", "S-2 fiscalised"]]
      )
      assert.isTrue((await fiscal.sync([invoice("S-1"), invoice("S-2")])).ok)
      assert.isFalse((await fiscal.sync([changed])).ok)
    })
  )

  it.live(
    "reports the reason of a waiting lane with its retry time, and warns about a store without a witness",
    test(async (given, { account, config, store }) => {
      const options = { account, config, book, store }
      await Effect.runPromise(
        given.sandbox.control.addFault({ kind: "drop", stage: "after", operations: ["submitInvoice"], times: 1 })
      )
      const warned: Array<string> = []
      const log = (fields: object) => void warned.push(JSON.stringify(fields))
      const logger = { debug: () => {}, info: () => {}, warn: log, error: log }
      const fiscal = await connect({ ...options, logger })
      const { lanes, ok, problems } = await fiscal.sync([invoice("S-1"), invoice("S-2")], { patienceMs: 100 })
      const [lane] = lanes
      assert.deepStrictEqual([lane?.state, lane?.code, lane?.retryAt, ok], ["waiting", "unknown", null, false])
      assert.match(lane?.text ?? "", /S-1/)
      const code = "STORE_UNWITNESSED"
      assert.include(
        problems.map((problem) => `${problem.code} ${problem.severity}`),
        `${code} warning`
      )
      const concernsOf = async ({ health }: FiscalConnector) =>
        (await health()).concerns.map(({ cause, text }) => [cause, text])
      const concerns = await concernsOf(fiscal)
      assert.isTrue(concerns.some(([cause]) => cause === code))
      // the notice is in the store, so that any other host reports the same
      await using other = await connect({ ...options, witnessFile: `${given.folder}/witness.json` })
      assert.deepStrictEqual(await concernsOf(other), concerns)
      assert.isTrue((await fiscal.doctor()).some(({ problems }) => problems.some((problem) => problem.code === code)))
      assert.isTrue(warned.some((line) => line.includes(code)))
      await fiscal.close()
      await fiscal.close()
      assert.strictEqual((await failure(fiscal.health())).code, "closed")
    })
  )

  it.live(
    "accepts a delivery with headers in the form of Node and of the web",
    test(async (_, options) => {
      await using fiscal = await connect(options)
      const body = new TextEncoder().encode("[]")
      const signed = Object.entries(fiscal.webhooks.signForTest("[]"))
      const upper = Object.fromEntries(signed.map(([name, value]) => [name.toUpperCase(), value]))
      for (const headers of [new Headers(signed as Array<[string, string]>), upper, signed])
        assert.strictEqual((await fiscal.webhooks.receive(body, headers)).status, 200)
    })
  )
})

describe("the account of a period", () => {
  it.live(
    "compares documents, store and device, and names a document that was never given",
    test(async ({ sandbox }, options) => {
      await using fiscal = await connect(options)
      const period = { from: "2026-03-01", to: "2099-12-31" }
      const given = await failure(fiscal.reconcile(period))
      assert.strictEqual(given.code, "config_invalid")
      await fiscal.sync([invoice("S-1"), invoice("S-2")])
      await Effect.runPromise(sandbox.control.closeDay())
      const agreed = await fiscal.reconcile({ ...period, source: [invoice("S-1"), invoice("S-2")] })
      assert.strictEqual(agreed.exitCode, 0)
      assert.strictEqual(agreed.chains?.[0]?.left, "0.00")
      const documents: Array<string> = []
      for await (const { fate, number, receipts } of agreed.documents())
        documents.push(`${number} ${fate} ${receipts[0]?.number}`)
      assert.deepStrictEqual(documents, ["S-1 fiscalised 1", "S-2 fiscalised 2"])
      const differing = await fiscal.reconcile({ ...period, source: [invoice("S-1"), invoice("S-2"), invoice("S-3")] })
      assert.deepStrictEqual(
        differing.differences.map(({ code, documents }) => [code, documents[0]?.number]),
        [["SOURCE_NOT_HERE", "S-3"]]
      )
      assert.strictEqual(differing.exitCode, 2)
    })
  )

  it.live(
    "has the receipts of declared tills in the account, and what it cannot compare while the gateway is down",
    test(async ({ config, folder, sandbox, store }, given) => {
      const options = { ...given, notBefore: "2026-03-01" }
      const period = { from: "2026-02-01", to: "2099-12-31" }
      const source = [invoice("S-0", { date: "2026-02-27" }), invoice("S-1")]
      {
        await using till = await connect({
          ...options,
          book: { ...book, times: "spread", opens: "12:00" },
          store: { sqlite: `${folder}/till.db` },
          witnessFile: `${folder}/till.json`
        })
        await using fiscal = await connect(options)
        await fiscal.sync(source)
        assert.isTrue((await till.sync([invoice("T-1")])).ok)
        const later = invoice("S-2", { date: "2026-03-03" })
        assert.isTrue((await fiscal.sync([later])).ok)
        await Effect.runPromise(sandbox.control.closeDay())
        const found = await fiscal.reconcile(period)
        assert.deepStrictEqual([found.exitCode, found.chains?.[0]?.left], [2, "19.98"])
        await Effect.runPromise(
          SubmissionStore.use((own) => own.stateOtherPrograms("test/1001", "others", "a till")).pipe(
            Effect.provide(SqliteStore.layer({ filename: store.sqlite }))
          )
        )
        const declared = await fiscal.reconcile({ ...period, source: [...source, later] })
        const { dayReports, left, notCompared, otherPrograms } = declared.chains![0]!
        assert.deepStrictEqual([dayReports, otherPrograms, notCompared, left], ["59.94", "19.98", "0.00", "0.00"])
        assert.strictEqual(declared.exitCode, 0)
      }
      await using offline = await connect({ ...options, config: { ...config, baseUrl: "http://127.0.0.1:9" } })
      const { chains, exitCode, legs } = await offline.reconcile({ ...period, source })
      assert.deepStrictEqual(
        [exitCode, chains, ...legs.map(({ compared, name, notPossible }) => [name, compared, notPossible.length])],
        [
          3,
          null,
          ["store ↔ gateway", null, 1],
          ["store ↔ day reports", null, 1],
          ["receipt numbers", null, 1],
          ["source ↔ store", null, 1]
        ]
      )
    })
  )
})
