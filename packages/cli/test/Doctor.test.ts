import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { connector, folderWith, gatewayFor, key, secret } from "./RunningConnector.ts"

const book = "historical-invoices.book.json"
const flags = ["--config", "account.json"]

describe("connector doctor", { timeout: 120_000 }, () => {
  it.live("finds an account in order, with and without a store, and changes nothing", () =>
    Effect.gen(function* () {
      const cwd = yield* folderWith(book, "historical-invoices.csv")
      const sandbox = yield* gatewayFor(cwd)
      const first = yield* connector(["doctor", ...flags, "--book", book], { cwd })
      assert.strictEqual(first.code, 0, first.out)
      assert.include(first.out, "none yet: nothing was ever sent for this account")
      assert.strictEqual((yield* connector(["import", "csv", "historical-invoices.csv", ...flags], { cwd })).code, 0)
      yield* sandbox.control.forgetCalls
      const second = yield* connector(["doctor", ...flags, "--book", book], { cwd })
      assert.strictEqual(second.code, 0, second.out)
      assert.match(second.out, /store +46 Fiscalised/)
      const calls = yield* sandbox.control.calls
      assert.isTrue(calls.every(({ method, operation }) => method === "GET" || operation === "status"))
      for (const planted of [key, secret]) assert.notInclude(first.out + second.out, planted)
    })
  )

  it.live("exits with 1 and the next step for each thing that is broken, as text and as JSON", () =>
    Effect.gen(function* () {
      const cwd = yield* folderWith(book)
      yield* gatewayFor(cwd, { account: { taxMappings: [] }, device: { isSwitchedOn: false } })
      const { code, out } = yield* connector(["doctor", ...flags, "--book", book], { cwd })
      assert.strictEqual(code, 1)
      assert.include(out, "DEV01: the device 1001 is switched off")
      assert.include(out, "→ connector mappings plan, then connector mappings apply.")
      const json = yield* connector(["doctor", ...flags, "--json"], { cwd })
      const checks = JSON.parse(json.out) as ReadonlyArray<{ readonly name: string; readonly state: string }>
      assert.deepInclude(checks, { ...checks.find(({ name }) => name === "device")!, state: "broken" })
      writeFileSync(join(cwd, "fiscal-connector.db"), "no database at all")
      const damaged = yield* connector(["doctor", ...flags], { cwd })
      assert.strictEqual(damaged.code, 1)
      assert.match(damaged.out, /STORE_UNUSABLE[^]*connector why STORE_CORRUPT/)
      assert.match(damaged.out, /ok +key/)
    })
  )

  it.live("says a wrong key, and a configuration that cannot be used, before anything else", () =>
    Effect.gen(function* () {
      const cwd = yield* folderWith()
      yield* gatewayFor(cwd)
      const wrong = yield* connector(["doctor", ...flags], { cwd, env: { FISCAL_CONNECTOR_MAIN_API_KEY: "wrong" } })
      assert.strictEqual(wrong.code, 1)
      assert.include(wrong.out, "KEY_REFUSED")
      assert.match(wrong.out, /\? +device +not asked/)
      writeFileSync(join(cwd, "account.json"), `{ "accounts": { "main": { "baseUrl": 7 } } }`)
      const broken = yield* connector(["doctor", ...flags], { cwd })
      assert.strictEqual(broken.code, 1)
      assert.include(broken.err, "accounts.main.baseUrl")
    })
  )
})

describe("connector z-reports", { timeout: 120_000 }, () => {
  it.live("shows a closed day whose counters are what the store has fiscalised", () =>
    Effect.gen(function* () {
      const cwd = yield* folderWith(book, "historical-invoices.csv")
      const sandbox = yield* gatewayFor(cwd)
      assert.strictEqual((yield* connector(["import", "csv", "historical-invoices.csv", ...flags], { cwd })).code, 0)
      assert.include((yield* connector(["z-reports", ...flags], { cwd })).out, "No fiscal day has been closed.")
      yield* sandbox.control.closeDay()
      const list = yield* connector(["z-reports", ...flags], { cwd })
      assert.strictEqual(list.code, 0, list.out)
      assert.match(list.out, /Day +Opened +Closed +Result +Message\n +1 /)
      const day = yield* connector(["z-reports", ...flags, "--day", "1"], { cwd })
      assert.strictEqual(day.code, 0, day.out)
      assert.include(day.out, "Beside 46 documents that the store has for this day.")
      const json = yield* connector(["z-reports", ...flags, "--day", "1", "--json"], { cwd })
      const { comparison, findings } = JSON.parse(json.out)
      assert.deepStrictEqual(findings, [])
      assert.isAbove(comparison.rows.length, 10)
    })
  )

  it.live("says that something else has fed the device, figure by figure", () =>
    Effect.gen(function* () {
      const cwd = yield* folderWith(book, "historical-invoices.csv")
      const sandbox = yield* gatewayFor(cwd)
      assert.strictEqual((yield* connector(["import", "csv", "historical-invoices.csv", ...flags], { cwd })).code, 0)
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
      writeFileSync(join(cwd, "stranger.json"), JSON.stringify(stranger))
      assert.strictEqual((yield* connector(["gateway", "submit-invoice", "stranger.json", ...flags], { cwd })).code, 0)
      yield* sandbox.control.closeDay()
      const { code, out } = yield* connector(["z-reports", ...flags, "--day", "1"], { cwd })
      assert.strictEqual(code, 3)
      assert.include(out, "Z_REPORT_DIFFERS: fiscal day 1, USD: the counters differ from the store")
    })
  )
})
