/** A source that is read live by a job on promises: one run, its report, and its errors. */
import { assert, describe, it } from "@effect/vitest"
import * as XeroLikeCompany from "@fiscal-connector/adapter-xero-like/XeroLikeCompany"
import { connect, type ConnectOptions, type SourceInput } from "@fiscal-connector/promise"
import type { LiveSource } from "../../core/src/source/LiveSource.ts"
import * as SourceServer from "@fiscal-connector/sandbox/source/SourceServer"
import type { SourceWorld } from "@fiscal-connector/sandbox/source/SourceWorld"
import { Effect, type Scope, Stream } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { book, failure, gateway, type Given, invoice as document, receipts } from "./Gateway.ts"

const invoice = (n: number, more: Readonly<Record<string, unknown>> = {}) => ({
  InvoiceID: `invoice-${n}`,
  InvoiceNumber: `INV-${n}`,
  Type: "ACCREC",
  Status: "AUTHORISED",
  LineAmountTypes: "Inclusive",
  CurrencyCode: "USD",
  DateString: "2026-03-02T00:00:00",
  LineItems: [
    { Description: "Lamp", Quantity: 1, UnitAmount: 11.55, LineAmount: 11.55, TaxType: "Standard", TaxAmount: 1.55 }
  ].map((line) => ({ ...line, ItemCode: "94036000" })),
  Total: 11.55,
  TotalTax: 1.55,
  SubTotal: 10,
  ...more
})

interface Both extends Given {
  readonly world: SourceWorld
  readonly options: ConnectOptions
  readonly input: SourceInput
}

const test = (use: (both: Both) => Promise<void>) => () =>
  Effect.gen(function* () {
    const given = yield* gateway
    const { config, folder, store } = given
    const { url, world } = yield* SourceServer.make()
    const tokenFile = join(folder, "tokens.json")
    writeFileSync(tokenFile, JSON.stringify({ refreshToken: world.config.refreshToken }), { mode: 0o600 })
    const source = XeroLikeCompany.source({
      name: "books",
      tenant: "tenant-1",
      clientId: "client",
      tokenFile,
      url,
      tokenUrl: `${url}/connect/token`,
      options: { productCode: "item-code", missingContacts: "as-stated" }
    })
    const options = { account: "shop", config, book, store, witnessFile: join(folder, "witness.json") }
    yield* Effect.promise(() => use({ ...given, world, options, input: { source, goLive: "2026-03-01" } }))
  }) as Effect.Effect<void, never, Scope.Scope>

describe("a sync of a live source", () => {
  it.live(
    "rejects with the exception of the caller's own source, opened or asked",
    test(async ({ input, options }) => {
      const thrown = new TypeError("Baobab Traders")
      const { source } = input
      const asked = Effect.map(source.open as Effect.Effect<LiveSource<unknown>>, (live) => ({
        ...live,
        pages: () => {
          throw thrown
        }
      }))
      await using fiscal = await connect(options)
      for (const open of [Effect.die(thrown), asked]) {
        const [result] = await Promise.allSettled([fiscal.sync({ ...input, source: { ...source, open } })])
        assert.strictEqual(result.status === "rejected" ? result.reason : undefined, thrown)
      }
    })
  )

  it.live(
    "plans first, then sends, and is quiet afterwards; each report counts every record read",
    test(async ({ input, options, world, ...given }) => {
      world.put("Invoices", invoice(1))
      world.put("Invoices", invoice(2, { Status: "DRAFT" }))
      world.put("Invoices", invoice(3, { DateString: "2026-02-27T00:00:00" }))
      await using fiscal = await connect(options)
      const first = await fiscal.sync(input)
      assert.deepStrictEqual(
        [first.mode, first.read, first.goLive],
        ["first-plan", 3, { day: "2026-03-01", before: 1, after: 1 }]
      )
      assert.lengthOf(await receipts(given), 0)
      const { mode, new: news, ok, open, problems, read, skipped, statuses } = await fiscal.sync(input)
      assert.deepStrictEqual(
        [mode, read, news, statuses, open, ok, problems],
        ["sent", 3, 1, { fiscalised: 1 }, 0, true, []]
      )
      assert.strictEqual(
        Object.values(skipped).reduce((sum, n) => sum + n, 0),
        2
      )
      const quiet = await fiscal.sync(input)
      assert.deepStrictEqual([quiet.mode, quiet.unchanged, quiet.calls, quiet.ok], ["quiet", 3, 3, true])
      assert.lengthOf(await receipts(given), 1)
    })
  )

  it.live(
    "reports a refused document with its problems, and its run is not ok",
    test(async ({ input, options, world }) => {
      await using fiscal = await connect(options)
      world.put("Invoices", invoice(1))
      await fiscal.sync(input)
      world.put("Invoices", invoice(2, { CurrencyCode: "XYZ" }))
      const { ok, refused, refusedDocuments } = await fiscal.sync(input, { whenLate: "send-rest" })
      assert.deepStrictEqual([ok, refused, refusedDocuments[0]?.number], [false, 1, "INV-2"])
      assert.include(
        refusedDocuments.flatMap(({ problems }) => problems.map(({ code }) => code)),
        "CURRENCY_UNMAPPED"
      )
    })
  )

  it.live(
    "names the document that a held or refused one replaces, in later runs as well",
    test(async ({ input, options, world }) => {
      await using fiscal = await connect(options)
      const { source } = input
      // the adapter of the tests' system states no replacement
      const open = Effect.map(source.open as Effect.Effect<LiveSource<unknown>>, (live) => ({
        ...live,
        adapter: {
          ...live.adapter,
          read: (...given: Parameters<typeof live.adapter.read>) =>
            Stream.map(live.adapter.read(...given), (reading) =>
              reading._tag === "SourceDocument" && reading.number !== "INV-1"
                ? Object.assign(reading, { replaces: { by: "number" as const, value: "INV-1" } })
                : reading
            )
        }
      }))
      const amended = { ...input, source: { ...source, open } }
      world.put("Invoices", invoice(1))
      await fiscal.sync(amended)
      await fiscal.sync(amended)
      world.put("Invoices", invoice(2))
      world.put("Invoices", invoice(3, { CurrencyCode: "XYZ" }))
      for (let run = 0; run < 2; run++) {
        const { refusedDocuments, standing } = await fiscal.sync(amended)
        assert.deepStrictEqual(
          [...standing, ...refusedDocuments].map(({ number, replaces }) => [number, replaces]),
          [
            ["INV-2", "INV-1"],
            ["INV-3", "INV-1"]
          ]
        )
      }
    })
  )

  it.live(
    "is not ok while the source has voided or edited a fiscalised document, in later runs as well",
    test(async ({ input, options, world }) => {
      await using fiscal = await connect(options)
      world.put("Invoices", invoice(1))
      world.put("Invoices", invoice(2))
      await fiscal.sync(input)
      assert.isTrue((await fiscal.sync(input)).ok)
      world.put("Invoices", invoice(1, { Status: "VOIDED" }))
      const voided = await fiscal.sync(input)
      assert.isFalse(voided.ok)
      const line = { ...invoice(2).LineItems[0]!, UnitAmount: 23.1, LineAmount: 23.1, TaxAmount: 3.1 }
      world.put("Invoices", invoice(2, { LineItems: [line], Total: 23.1, TotalTax: 3.1, SubTotal: 20 }))
      const edited = await fiscal.sync(input)
      assert.deepStrictEqual([edited.ok, edited.changed], [false, 1])
      const later = await fiscal.sync(input)
      assert.deepStrictEqual([later.ok, later.changed, later.mode], [false, 0, "quiet"])
      assert.deepStrictEqual(
        later.standing.map(({ cancelled, changed, number }) => [number, cancelled !== null, changed !== null]),
        [
          ["INV-1", true, false],
          ["INV-2", false, true]
        ]
      )
      for (const id of ["invoice-1", "invoice-2"])
        await fiscal.resolve({ kind: "invoice", id }, "acknowledged", "a credit note follows")
      assert.isTrue((await fiscal.sync(input)).ok)
    })
  )

  it.live(
    "is not ok while a document of the account that another way handed over is on its way",
    test(async ({ input, options, sandbox, world }) => {
      await using fiscal = await connect(options)
      world.put("Invoices", invoice(1))
      await fiscal.sync(input)
      assert.isTrue((await fiscal.sync(input)).ok)
      const refusing = { kind: "error", status: 403, times: 4, operations: ["submitInvoice"] } as const
      await Effect.runPromise(sandbox.control.addFault(refusing))
      await fiscal.sync([document("S-1")], { patienceMs: 100 })
      const { mode, ok, open, standing } = await fiscal.sync(input)
      assert.deepStrictEqual([mode, ok, open, standing], ["quiet", false, 1, []])
      const documents = await fiscal.sync([], { patienceMs: 100 })
      assert.deepStrictEqual([documents.ok, documents.open, documents.results], [false, 1, []])
    })
  )

  it.live(
    "counts a refused document for which the source does not answer, and is not ok",
    test(async ({ input, options, world }) => {
      await using fiscal = await connect(options)
      world.put("Invoices", invoice(1))
      await fiscal.sync(input)
      world.put("Invoices", invoice(2, { CurrencyCode: "XYZ" }))
      await fiscal.sync(input)
      await fiscal.sync(input)
      world.remove("Invoices", "invoice-2")
      const { mode, ok, refused, refusedDocuments } = await fiscal.sync(input)
      assert.deepStrictEqual([mode, ok, refused, refusedDocuments[0]?.number], ["quiet", false, 1, "INV-2"])
      assert.include(refusedDocuments[0]?.problems[0]?.detail ?? "", "CURRENCY_UNMAPPED")
      const concerns = async () => (await fiscal.health()).concerns.map(({ cause, code }) => `${code} ${cause}`)
      assert.include(await concerns(), "IMPORT_REFUSED CURRENCY_UNMAPPED")
      assert.deepStrictEqual(await fiscal.dismiss({ numbers: ["INV-2"] }, "it was a test of the system"), ["INV-2"])
      assert.isTrue((await fiscal.sync(input)).ok)
      assert.notInclude(await concerns(), "IMPORT_REFUSED CURRENCY_UNMAPPED")
    })
  )

  it.live(
    "takes no document for void for which the source does not answer, and one that is deleted for void",
    test(async ({ input, options, store, world }) => {
      await using fiscal = await connect(options)
      world.put("Invoices", invoice(1))
      world.put("Invoices", invoice(2))
      await fiscal.sync(input)
      assert.isTrue((await fiscal.sync(input)).ok)
      world.remove("Invoices", "invoice-2")
      const { source } = input
      const silent = Effect.map(source.open as Effect.Effect<LiveSource<unknown>>, (live) => ({
        ...live,
        byIds: (...asked: Parameters<typeof live.byIds>) =>
          Effect.map(live.byIds(...asked), (answer) => ({ ...answer, absent: [] }))
      }))
      for (const [open, because] of [
        [silent, "same-figures"],
        [source.open, null]
      ] as const) {
        const database = new DatabaseSync(store.sqlite)
        database.exec("update fiscal_source set planned_at = planned_at - 90000000, swept_at = null")
        database.close()
        const { standing } = await fiscal.sync({ ...input, source: { ...source, open } })
        const { balance, because: found } = await fiscal.creditable({ kind: "invoice", id: "invoice-2" })
        const stated = because === null ? "0.00" : "11.55"
        assert.deepStrictEqual(
          [standing.length, balance?.stated?.total, found],
          [because === null ? 1 : 0, stated, because]
        )
      }
    })
  )

  it.live(
    "reports an error of reading a fiscalised document as one of a new document, and reads it again",
    test(async ({ input, options, world }) => {
      await using fiscal = await connect(options)
      world.put("Invoices", invoice(1))
      await fiscal.sync(input)
      assert.isTrue((await fiscal.sync(input)).ok)
      world.put("Invoices", invoice(1, { Status: "PART-VOIDED" }))
      for (const run of ["first", "next"] as const) {
        const { ok, refusedDocuments } = await fiscal.sync(input)
        assert.deepStrictEqual([ok, refusedDocuments.map(({ number }) => number)], [false, ["INV-1"]], run)
      }
      world.put("Invoices", invoice(1))
      assert.isTrue((await fiscal.sync(input)).ok)
    })
  )

  it.live(
    "reads a document again that the gateway declined, so that a change of the book corrects it",
    test(async ({ input, options, sandbox, world }) => {
      const { ItemCode: _, ...line } = invoice(1).LineItems[0]!
      world.put("Invoices", invoice(1, { LineItems: [line] }))
      const withCode = (productCode: string) => connect({ ...options, book: { ...book, defaults: { productCode } } })
      {
        await using fiscal = await withCode("11111111")
        await fiscal.sync(input)
        await Effect.runPromise(
          sandbox.control.addFault({ kind: "error", status: 422, times: 1, operations: ["submitInvoice"] })
        )
        for (const _ of ["declined", "unchanged"])
          assert.deepStrictEqual(
            (await fiscal.sync(input)).standing.map(({ status }) => status),
            ["declined"]
          )
      }
      await using fiscal = await withCode("22222222")
      const { ok, statuses } = await fiscal.sync(input)
      assert.deepStrictEqual([ok, statuses], [true, { fiscalised: 1 }])
    })
  )

  it.live(
    "is not stopped by one unallocated credit note",
    test(async ({ input, options, world, ...given }) => {
      await using fiscal = await connect(options)
      world.put("Invoices", invoice(1))
      await fiscal.sync(input)
      world.put("Invoices", invoice(2, { DateString: "2026-03-02T00:00:00" }))
      world.put("CreditNotes", {
        ...invoice(3),
        CreditNoteID: invoice(3).InvoiceID,
        CreditNoteNumber: "CN-3",
        Type: "ACCRECCREDIT",
        Allocations: []
      })
      const { ok, refused, statuses } = await fiscal.sync(input)
      assert.deepStrictEqual([ok, refused, statuses], [false, 1, { fiscalised: 2 }])
      assert.lengthOf(await receipts(given), 2)
    })
  )

  it.live(
    "rejects with a code for each way in which the source is unreadable, and then takes no document",
    test(async ({ input, options, world, ...given }) => {
      await using fiscal = await connect(options)
      world.put("Invoices", invoice(1))
      await fiscal.sync(input)
      world.addFault({ kind: "html", times: 1 })
      const html = await failure(fiscal.sync(input))
      assert.deepStrictEqual([html.code, html.problems[0]?.code], ["source_refused", "SOURCE_ANSWER_UNREADABLE"])
      world.addFault({ kind: "limit-day", retryAfter: 3600, times: 1 })
      const limited = await failure(fiscal.sync(input))
      assert.deepStrictEqual([limited.code, limited.retryable], ["source_limited", true])
      assert.isAbove(limited.retryAfterMs ?? 0, 3_500_000)
      assert.lengthOf(await receipts(given), 0)
      assert.include(
        (await fiscal.health()).concerns.map(({ code }) => code),
        "SOURCE_STOPPED"
      )
    })
  )

  it.live(
    "rejects an invalid day, an overlap that would lose documents, and an expired login",
    test(async ({ input, options, world }) => {
      await using fiscal = await connect(options)
      for (const wrong of [{ goLive: "March" }, { overlapMs: 1000 }])
        assert.strictEqual((await failure(fiscal.sync({ ...input, ...wrong }))).code, "config_invalid")
      world.endLogins()
      const { code, retryable } = await failure(fiscal.sync(input))
      assert.deepStrictEqual([code, retryable], ["source_login_ended", false])
    })
  )

  it.live(
    "is compared in an account as it is now, and not possible to compare while it does not answer",
    test(async ({ input, options, sandbox, world }) => {
      world.put("Invoices", invoice(1))
      await using fiscal = await connect(options)
      await fiscal.sync(input)
      assert.isTrue((await fiscal.sync(input)).ok)
      await Effect.runPromise(sandbox.control.closeDay())
      const order = { from: "2026-03-01", to: "2099-12-31", source: input.source }
      const agreed = await fiscal.reconcile(order)
      assert.deepStrictEqual([agreed.exitCode, agreed.legs.at(-1)?.notPossible], [0, []])
      world.addFault({ kind: "status", status: 503 })
      const { exitCode, legs } = await fiscal.reconcile(order)
      assert.deepStrictEqual([exitCode, legs.at(-1)?.name, legs.at(-1)?.compared], [3, "source ↔ store", null])
    })
  )
})
