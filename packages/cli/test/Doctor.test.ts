import { assert, describe, it } from "../../core/test/It.ts"
import { Effect, Fiber } from "effect"
import { copyFileSync, cpSync, readFileSync, writeFileSync } from "node:fs"
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
  it.live("reports a healthy account, with and without a store, and changes nothing", function* () {
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

  it.live("exits with 1 and the next step for each problem, as text and as JSON", function* () {
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

  it.live("reports a wrong key or an unusable configuration first", function* () {
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
})

describe("connector doctor with an older copy of the store", () => {
  it.live("reports the older copy before an import does", function* () {
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
})

describe("connector z-reports", () => {
  it.live("shows a closed day with the counters that the store has fiscalised", function* () {
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

  it.live("compares all accounts of the device with a day, failed or closed, whatever is mapped today", function* () {
    const cwd = yield* folderWith(book)
    const run = commandIn(cwd)
    const sandbox = yield* gatewayFor(cwd, {
      gateway: { processingDelayMillis: 0 },
      accounts: [
        {
          key: "key-of-shop",
          taxMappings: Object.entries({ STD: 515, NUL: 2 }).map(([taxCode, destinationTaxId]) => ({
            taxCode,
            taxName: taxCode,
            destinationTaxId
          }))
        },
        { key: "key-of-till" }
      ]
    })
    const { accounts } = JSON.parse(readFileSync(join(cwd, "account.json"), "utf8"))
    const withKey = (name: string) => {
      writeFileSync(join(cwd, name), `key-of-${name}`, { mode: 0o600 })
      return { ...accounts.main, keyFile: name }
    }
    const write = (folder: string, config: object) =>
      writeFileSync(join(folder, "account.json"), JSON.stringify({ accounts: config }), { mode: 0o600 })
    write(cwd, { ...accounts, shop: withKey("shop") })
    const importing = (account: string, name: string, at: (n: number) => string, nets: ReadonlyArray<number>) =>
      Effect.gen(function* () {
        const rows = nets.map(
          (net, n) => `${name}-${n + 1},${at(n)},USD,exclusive,Goods,1,${net}.00,Standard,11022000,cash`
        )
        const header =
          "InvoiceNumber,InvoiceDate,Currency,AmountsAre,Description,Quantity,UnitPrice,TaxCode,ProductCode,PaymentMethod"
        writeFileSync(join(cwd, `${name}.csv`), [header, ...rows].join("\n"))
        const text = readFileSync(join(cwd, book), "utf8")
        writeFileSync(join(cwd, `${name}.book.json`), account === "main" ? text : text.replaceAll("VAT155", "STD"))
        const { code, err, out } = yield* run("import", "csv", `${name}.csv`, "--account", account)
        assert.strictEqual(code, 0, out + err)
      })
    yield* importing("main", "INV", (n) => `2026-03-02T10:00:0${n}+02:00`, [101, 102, 103, 104, 105])
    yield* importing("shop", "SH", (n) => `2026-03-03T10:00:0${n}+02:00`, [51, 52])
    // a till without a configuration here; its second receipt is wrong, so the day stays open
    const elsewhere = yield* folderWith()
    write(elsewhere, { till: withKey("till") })
    for (const file of ["till", "secret"]) copyFileSync(join(cwd, file), join(elsewhere, file))
    for (const [n, net, tax, total] of [
      [1, 11, 1.71, 12.71],
      [2, 12, 1.85, 13.86]
    ] as const) {
      const line = {
        Description: "x",
        UnitAmount: net,
        TaxCode: "VAT155",
        ProductCode: "72142000",
        LineAmount: net,
        DiscountAmount: null,
        Quantity: 1,
        CustomFields: null
      }
      const invoice = {
        InvoiceId: `T-${n}`,
        InvoiceNumber: `T-${n}`,
        Reference: null,
        IsDiscounted: false,
        IsTaxInclusive: false,
        BuyerContact: null,
        Date: `2026-11-01T10:00:0${n}+02:00`,
        PaymentMethod: "Cash",
        SubTotal: net,
        TotalTax: tax,
        Total: total,
        CurrencyCode: "USD",
        IsRetry: false,
        LineItems: [line]
      }
      writeFileSync(join(elsewhere, "till.json"), JSON.stringify(invoice))
      const sent = yield* commandIn(elsewhere)("gateway", "submit-invoice", "till.json")
      assert.strictEqual(sent.code, 0, sent.err)
    }
    const told = (account: string) => run("z-reports", "--day", "1", "--account", account)
    for (const close of ["failed", "closed", "mapped otherwise since"]) {
      if (close === "closed") yield* sandbox.control.repairDay()
      if (close === "mapped otherwise since") {
        const shop = ["--account", "shop"]
        const [, id = ""] = /^(\d+) .*STD/m.exec((yield* run("gateway", "tax-mappings", ...shop)).out) ?? []
        const change = yield* run("gateway", "update-tax-mapping", id, "STD", "VAT", "2", ...shop)
        assert.strictEqual(change.code, 0, change.err)
        // only the next receipt shows that two numbers of the day are missing
        yield* Effect.sleep("1100 millis")
        yield* importing("main", "LATER", () => `${new Date().toISOString().slice(0, 19)}Z`, [1])
      } else yield* sandbox.control.closeDay()
      for (const account of ["main", "shop"]) {
        const { code, out } = yield* told(account)
        assert.strictEqual(code, close === "failed" ? 2 : 3, out)
        assert.include(out, "Beside 7 documents that the store has for this day.")
        assert.include(out, "Sale tax 515 740.38, store 713.81")
        assert.include(out, "Balance Cash 740.38, store 713.81. No document of the store can explain it")
        assert.notInclude(out, "Z_REPORT_UNPLACED")
        assert.strictEqual(out.includes("missing between"), close === "mapped otherwise since", out)
      }
    }
    const declare = ["device", "others", "--account", "main"]
    assert.include((yield* told("main")).out, "connector device others")
    assert.strictEqual((yield* run(...declare, "--because", " ")).code, 1)
    assert.strictEqual((yield* run(...declare, "--because", "the till at the counter")).code, 0)
    const declared = yield* told("shop")
    assert.strictEqual(declared.code, 0, declared.out)
    assert.include(declared.out, "Receipts of other programs: USD 26.57.")
    yield* run("device", "alone", "--account", "main", "--because", "the till was sold")
    assert.strictEqual((yield* told("shop")).code, 3)
  })

  it.live("reports each counter that another program has changed on the device", function* () {
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
    assert.include(out, "DAY_DIFFERS: fiscal day 1, USD: the counters differ from the store")
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
})
