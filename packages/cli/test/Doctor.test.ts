import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { copyFileSync, cpSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { envelope } from "./Envelope.ts"
import { connector, folderWith, gatewayFor, key, secret } from "./RunningConnector.ts"

const book = "historical-invoices.book.json"
/**
 * Returns a function to run the command in this process, with the configuration and the files of
 * the folder.
 */
const commandIn =
  (cwd: string) =>
  (...args: ReadonlyArray<string>) =>
    connector([...args.map((arg) => (arg.includes(".") ? join(cwd, arg) : arg)), "--config", join(cwd, "account.json")])

// slow: imports first, then reads what another program changed
describe("connector doctor", () => {
  it.live("reports a healthy account, with and without a store, and changes nothing", () =>
    Effect.gen(function* () {
      const cwd = yield* folderWith(book, "historical-invoices.csv")
      const run = commandIn(cwd)
      const sandbox = yield* gatewayFor(cwd)
      const first = yield* run("doctor", "--book", book)
      assert.strictEqual(first.code, 0, first.out)
      assert.include(first.out, "none yet: nothing was ever sent for this account")
      assert.strictEqual((yield* run("import", "csv", "historical-invoices.csv")).code, 0)
      const seen = yield* run("doctor")
      assert.match(
        seen.out,
        /What this account has seen of its gateway, by assumption:\n {2}HOOK-2 {3}agrees: of 46 receipts/
      )
      assert.notInclude(seen.out, "Figures of patience")
      const verbose = yield* run("doctor", "--verbose")
      assert.match(verbose.out, /Figures of patience:[^]* {2}quietPeriod: 5m from the last request/)
      yield* sandbox.control.forgetCalls
      const second = yield* run("doctor", "--book", book)
      assert.strictEqual(second.code, 0, second.out)
      assert.match(second.out, /store +46 Fiscalised/)
      const calls = yield* sandbox.control.calls
      assert.isTrue(calls.every(({ method, operation }) => method === "GET" || operation === "status"))
      for (const planted of [key, secret]) assert.notInclude(first.out + second.out, planted)
    })
  )

  it.live("exits with 1 and the next step for each problem, as text and as JSON", () =>
    Effect.gen(function* () {
      const cwd = yield* folderWith(book)
      const run = commandIn(cwd)
      yield* gatewayFor(cwd, { account: { taxMappings: [] }, device: { isSwitchedOn: false } })
      const { code, out } = yield* run("doctor", "--book", book)
      assert.strictEqual(code, 1)
      assert.include(out, "DEV01: the device 1001 is switched off")
      assert.match(out, /connector mappings plan --config \S+account\.json/)
      const json = yield* run("doctor", "--json")
      const checks = envelope(json.out).data["checks"] as ReadonlyArray<{ name: string; state: string }>
      assert.deepInclude(checks, { ...checks.find(({ name }) => name === "device")!, state: "broken" })
      writeFileSync(join(cwd, "fiscal-connector.db"), "no database at all")
      const damaged = yield* run("doctor")
      assert.strictEqual(damaged.code, 1)
      assert.match(damaged.out, /STORE_UNUSABLE[^]*connector why STORE_CORRUPT/)
      assert.match(damaged.out, /ok +key/)
    })
  )

  it.live("reports a wrong key or an unusable configuration first", () =>
    Effect.gen(function* () {
      const cwd = yield* folderWith()
      const run = commandIn(cwd)
      yield* gatewayFor(cwd)
      const wrong = yield* connector(["doctor", "--config", "account.json"], {
        cwd,
        env: { FISCAL_CONNECTOR_MAIN_API_KEY: "wrong" }
      })
      assert.strictEqual(wrong.code, 1)
      assert.include(wrong.out, "KEY_REFUSED")
      assert.match(wrong.out, /\? +device +not asked/)
      writeFileSync(join(cwd, "account.json"), `{ "accounts": { "main": { "baseUrl": 7 } } }`)
      const broken = yield* run("doctor")
      assert.strictEqual(broken.code, 1)
      assert.include(broken.err, "accounts.main.baseUrl")
    })
  )
})

describe("connector doctor with an older copy of the store", () => {
  it.live("reports the older copy before an import does", () =>
    Effect.gen(function* () {
      const cwd = yield* folderWith(book, "historical-invoices.csv")
      const run = commandIn(cwd)
      const sandbox = yield* gatewayFor(cwd)
      yield* sandbox.control.addFault({ kind: "error", status: 401, operations: ["submitInvoice"] })
      yield* run("import", "csv", "historical-invoices.csv")
      copyFileSync(join(cwd, "fiscal-connector.db"), join(cwd, "older.db"))
      yield* sandbox.control.clearFaults
      // The lane pauses for a moment after the 401.
      yield* Effect.repeat(run("import", "csv", "historical-invoices.csv"), { until: ({ code }) => code === 0 })
      copyFileSync(join(cwd, "older.db"), join(cwd, "fiscal-connector.db"))
      const { code, out } = yield* run("doctor")
      assert.strictEqual(code, 1, out)
      assert.match(out, /BROKEN +store [^]*STORE_OLDER[^]*connector store accept-older/)
    })
  )
})

describe("connector z-reports", () => {
  it.live("shows a closed day with the counters that the store has fiscalised", () =>
    Effect.gen(function* () {
      const cwd = yield* folderWith(book, "historical-invoices.csv")
      const run = commandIn(cwd)
      const sandbox = yield* gatewayFor(cwd)
      assert.strictEqual((yield* run("import", "csv", "historical-invoices.csv")).code, 0)
      assert.include((yield* run("z-reports")).out, "No fiscal day has been closed.")
      yield* sandbox.control.closeDay()
      const list = yield* run("z-reports")
      assert.strictEqual(list.code, 0, list.out)
      assert.match(list.out, /Day +Opened \(device\) +Closed \(device\) +Result +Message\n +1 /)
      const other = yield* run("z-reports", "--day", "99")
      assert.strictEqual(other.code, 1)
      assert.match(other.err, /knows no closed fiscal day 99: .*\n  connector z-reports/)
      const day = yield* run("z-reports", "--day", "1")
      assert.strictEqual(day.code, 0, day.out)
      assert.include(day.out, "Beside 46 documents that the store has for this day.")
      const json = yield* run("z-reports", "--day", "1", "--json")
      const { comparison, findings } = envelope(json.out).data
      assert.deepStrictEqual(findings, [])
      assert.isAbove((comparison as { readonly rows: ReadonlyArray<unknown> }).rows.length, 10)
    })
  )

  it.live("reports each counter that another program has changed on the device", () =>
    Effect.gen(function* () {
      const cwd = yield* folderWith(book, "historical-invoices.csv")
      const run = commandIn(cwd)
      const sandbox = yield* gatewayFor(cwd, { gateway: { processingDelayMillis: 0 } })
      // Another store of the same account: this store does not know the documents sent from there.
      const elsewhere = yield* folderWith()
      cpSync(cwd, elsewhere, { recursive: true })
      assert.strictEqual((yield* run("import", "csv", "historical-invoices.csv")).code, 0)
      const stranger = {
        InvoiceId: "S-1",
        InvoiceNumber: "STRANGER-1",
        Reference: null,
        IsDiscounted: false,
        IsTaxInclusive: true,
        BuyerContact: null,
        Date: "2026-11-01T10:00:00+02:00",
        PaymentMethod: "Cash",
        SubTotal: 10,
        TotalTax: 0,
        Total: 10,
        CurrencyCode: "USD",
        IsRetry: false,
        LineItems: [
          {
            Description: "x",
            UnitAmount: 10,
            TaxCode: "ZERO",
            ProductCode: "72142000",
            LineAmount: 10,
            DiscountAmount: null,
            Quantity: 1,
            CustomFields: null
          }
        ]
      }
      writeFileSync(join(elsewhere, "stranger.json"), JSON.stringify(stranger))
      assert.strictEqual((yield* commandIn(elsewhere)("gateway", "submit-invoice", "stranger.json")).code, 0)
      yield* sandbox.control.closeDay()
      const { code, out } = yield* run("z-reports", "--day", "1")
      assert.strictEqual(code, 3, out)
      assert.include(out, "Z_REPORT_DIFFERS: fiscal day 1, USD: the counters differ from the store")
      const before = yield* run("health")
      assert.notInclude(before.out, "DAY_DIFFERS")
      // A worker finds the same without a request.
      const worker = yield* Effect.forkChild(run("work"))
      const { code: needsLook, out: health } = yield* Effect.repeat(Effect.delay(run("health"), "500 millis"), {
        until: ({ out }) => out.includes("DAY_DIFFERS")
      })
      yield* Fiber.interrupt(worker)
      assert.strictEqual(needsLook, 3)
      assert.match(health, /DAY_DIFFERS test\/1001: fiscal day 1, USD: the counters differ from the store/)
      assert.match(health, /connector z-reports .*--day 1/)
    })
  )
})
