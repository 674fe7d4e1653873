/**
 * Proves that every path to the device has the same checks: `resume` refuses everything that
 * `import` refuses, whatever happened between the two.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { connector, folderWith, gatewayFor, lines, secret } from "./RunningConnector.ts"

const files = ["historical-invoices.csv", "historical-invoices.book.json"]
const importing = ["import", "csv", "historical-invoices.csv", "--config", "account.json"]
const resuming = ["resume", "--config", "account.json"]
const otherKey = "other-key"

const accepted = (sandbox: Sandbox) => Effect.map(sandbox.control.accepted, (documents) => documents.length)
type Sandbox = Effect.Success<ReturnType<typeof gatewayFor>>

/**
 * Returns an import that was interrupted with documents still to be sent: the gateway became
 * unreachable after the first few.
 */
const cutOff = (options: Parameters<typeof gatewayFor>[1] = {}, args: ReadonlyArray<string> = []) =>
  Effect.gen(function* () {
    const cwd = yield* folderWith(...files)
    const sandbox = yield* gatewayFor(cwd, options)
    yield* sandbox.control.addFault({ kind: "latency", millis: 100, operations: ["submitInvoice"] })
    let isCut = false
    yield* connector([...importing, ...args], {
      cwd,
      watch: (printed, child) => {
        if (isCut || !/[1-9]\d* of 46/.test(printed)) return
        isCut = true
        child.interrupt()
      }
    })
    yield* sandbox.control.clearFaults
    // The device has processed all sent documents: later changes of the device do not affect them.
    while ((yield* sandbox.control.accepted).some(({ receipts }) => receipts === 0)) yield* Effect.sleep("10 millis")
    const sent = yield* accepted(sandbox)
    assert.isTrue(sent > 0 && sent < 46, `${sent} were sent`)
    return { cwd, sandbox, sent }
  })

// slow: each case is an import, a change outside, and a resumed run
describe("connector resume", () => {
  it.live("opens an account that was never sent for, by the commands that health and the refusals print", function* () {
    const cwd = yield* folderWith(...files)
    yield* gatewayFor(cwd, { device: { isLive: true } })
    assert.strictEqual((yield* connector(importing, { cwd })).code, 1)
    const health = ["health", "--config", "account.json"]
    const { out } = yield* connector(health, { cwd })
    assert.match(out, /ACCOUNT_STOPPED main: [^]*\n {4}connector resume --config account\.json --live\n/)
    const asked = yield* connector([...resuming, "--live"], { cwd })
    const [, code = ""] = /connector resume .*--first-use ([A-Z0-9-]+)/.exec(asked.err) ?? []
    const opened = yield* connector([...resuming, "--live", "--first-use", code], { cwd })
    assert.deepStrictEqual([opened.code, (yield* connector(health, { cwd })).code], [0, 0], opened.err)
  })

  it.live("sends nothing if the key belongs to another device, until the former device is back", function* () {
    const { cwd, sandbox, sent } = yield* cutOff({
      accounts: [{ key: otherKey, device: 2002 }],
      devices: [{ deviceId: 2002 }]
    })
    const swapped = yield* connector(resuming, { cwd, env: { FISCAL_CONNECTOR_MAIN_API_KEY: otherKey } })
    assert.strictEqual(swapped.code, 1)
    assert.include(swapped.err, "the gateway now names test/2002")
    assert.include(swapped.err, "connector account repin main --config account.json --because")
    assert.strictEqual(yield* accepted(sandbox), sent)
    const again = yield* connector(resuming, { cwd })
    assert.strictEqual(again.code, 0, again.err)
    assert.strictEqual(yield* accepted(sandbox), 46)
  })

  it.live("sends nothing to a device that was switched off, as import does", function* () {
    const { cwd, sandbox, sent } = yield* cutOff()
    yield* sandbox.control.changeDevice({ isSwitchedOn: false })
    for (const command of [resuming, importing]) {
      const refused = yield* connector(command, { cwd })
      assert.strictEqual(refused.code, 1)
      assert.include(refused.err, "DEV01")
      assert.strictEqual(yield* accepted(sandbox), sent)
    }
    assert.include((yield* connector(["health"], { cwd })).out, "device-refuses")
    yield* sandbox.control.changeDevice({ isSwitchedOn: true })
    const after = yield* connector(resuming, { cwd })
    assert.strictEqual(after.code, 0, after.out + after.err)
    assert.strictEqual(yield* accepted(sandbox), 46)
  })

  it.live("holds documents dated before a day that another till has closed meanwhile", function* () {
    const { cwd, sandbox, sent } = yield* cutOff()
    yield* sandbox.control.closeDay()
    const { code, out } = yield* connector(resuming, { cwd })
    assert.strictEqual(code, 3, out)
    assert.include(out, "Held")
    assert.strictEqual(yield* accepted(sandbox), sent)
  })

  it.live("drains the lane of a device for all accounts that share it", function* () {
    const cwd = yield* folderWith(files[1]!)
    const sandbox = yield* gatewayFor(cwd, { accounts: [{ key: otherKey }] })
    writeFileSync(join(cwd, "key2"), otherKey, { mode: 0o600 })
    const { accounts } = JSON.parse(readFileSync(join(cwd, "account.json"), "utf8"))
    const till = { ...accounts.main, keyFile: "key2", secretFile: "secret" }
    writeFileSync(join(cwd, "account.json"), JSON.stringify({ accounts: { ...accounts, till } }), { mode: 0o600 })
    writeFileSync(join(cwd, "secret"), secret, { mode: 0o600 })
    const book = readFileSync(join(cwd, files[1]!))
    const export_ = (name: string, times: ReadonlyArray<string>) => {
      const row = (time: string, n: number) =>
        `${name}-${n},2026-03-02T${time}+02:00,USD,inclusive,Lamp,1,10.00,Standard,85131000`
      const header = "InvoiceNumber,InvoiceDate,Currency,AmountsAre,Description,Quantity,UnitPrice,TaxCode,ProductCode"
      writeFileSync(join(cwd, `${name}.csv`), [header, ...times.map(row)].join("\n"))
      writeFileSync(join(cwd, `${name}.book.json`), book)
    }
    export_("main", ["08:00:01", "08:00:03"])
    export_("till", ["08:00:02", "08:00:04"])
    // Both are planned before either is sent: the gateway refuses the submissions.
    yield* sandbox.control.addFault({ kind: "error", status: 429, operations: ["submitInvoice"] })
    const runs = ["main", "till"].map((name) =>
      connector(["import", "csv", `${name}.csv`, "--account", name, "--config", "account.json"], {
        cwd,
        watch: (printed, child) => (printed.includes(" of 2") ? child.interrupt() : undefined)
      })
    )
    for (const run of runs) assert.strictEqual((yield* run).code, 130)
    yield* sandbox.control.clearFaults
    const alone = yield* connector([...resuming, "--account", "main"], { cwd })
    assert.strictEqual(alone.code, 3)
    assert.match(alone.out + alone.err, /waits for the invoice till-0 of account till/)
    const resumed = yield* connector(resuming, { cwd })
    assert.strictEqual(resumed.code, 0, resumed.out + resumed.err)
    const documents = yield* sandbox.control.accepted
    assert.deepStrictEqual(
      documents.map(({ number }) => number),
      ["main-0", "till-0", "main-1", "till-1"]
    )
  })
})

describe("a wrong clock", () => {
  for (const [days, said] of [
    [-2, "ahead of"],
    [2, "behind"]
  ] as const) {
    it.live(`is refused before anything is sent: two days ${said} the gateway's clock`, function* () {
      const cwd = yield* folderWith(...files)
      const startAt = new Date(Date.now() + days * 86_400_000).toISOString()
      const sandbox = yield* gatewayFor(cwd, { gateway: { startAt } })
      const { code, err } = yield* connector(importing, { cwd })
      assert.strictEqual(code, 1)
      assert.include(err, "CLOCK_WRONG")
      assert.match(err.replaceAll("\n", " "), new RegExp(`clock is 172[78]\\d\\d s ${said} the gateway's`))
      assert.strictEqual(yield* accepted(sandbox), 0)
    })
  }
})

describe("a new store for a live device", () => {
  const codeIn = (text: string) => /--first-use (\S+)$/m.exec(text)?.[1] ?? assert.fail(text)

  it.live("sends nothing until its first use is confirmed; a lost store asks again", function* () {
    const cwd = yield* folderWith(...files)
    const sandbox = yield* gatewayFor(cwd, { device: { isLive: true } })
    const live = [...importing, "--live"]
    const first = yield* connector(live, { cwd })
    assert.strictEqual(first.code, 1)
    assert.include(first.err, "another store may already have sent these")
    assert.match(first.err, /\d{4}-\d{2}-\d{2} to \d{4}-\d{2}-\d{2}/)
    const confirmed = [...live, "--first-use", codeIn(first.err)]
    const meant = yield* connector(confirmed, { cwd })
    assert.strictEqual(meant.code, 0, meant.err)
    assert.strictEqual(yield* accepted(sandbox), 46)

    for (const end of ["", "-wal", "-shm"]) rmSync(join(cwd, `fiscal-connector.db${end}`), { force: true })
    const lost = yield* connector(confirmed, { cwd })
    assert.strictEqual(lost.code, 1)
    assert.include(lost.err, "had made 46 requests to it")
    assert.notStrictEqual(codeIn(lost.err), codeIn(first.err))
    const documents = yield* sandbox.control.accepted
    assert.isTrue(documents.every(({ receipts }) => receipts === 1))
  })

  it.live("is only reported if the device is not live", function* () {
    const cwd = yield* folderWith(...files)
    yield* gatewayFor(cwd)
    const { code, err } = yield* connector(importing, { cwd })
    assert.strictEqual(code, 0)
    assert.include(err, "This store has never sent to the device")
    assert.notInclude((yield* connector(importing, { cwd })).err, "This store has never sent")
  })
})

describe("an older copy of the store", () => {
  it.live(
    "is detected by the counter next to the configuration, and is used only after an operator's decision, with open documents held",
    function* () {
      const { cwd, sandbox, sent } = yield* cutOff()
      const copied = yield* connector(["store", "backup", "copy.db"], { cwd })
      assert.strictEqual(copied.code, 0, copied.err)
      assert.strictEqual((yield* connector(resuming, { cwd })).code, 0)
      const isRefused = Effect.gen(function* () {
        for (const end of ["-wal", "-shm"]) rmSync(join(cwd, `fiscal-connector.db${end}`), { force: true })
        writeFileSync(join(cwd, "fiscal-connector.db"), readFileSync(join(cwd, "copy.db")), { mode: 0o600 })
        for (const command of [resuming, importing]) {
          const refused = yield* connector(command, { cwd })
          assert.strictEqual(refused.code, 1)
          assert.include(refused.err, "older copy")
          assert.include(refused.err, "connector store accept-older")
        }
      })
      yield* isRefused
      const because = ["--because", "the disk broke; no newer copy"]
      const taken = yield* connector(["store", "accept-older", "--config", "account.json", ...because], { cwd })
      assert.strictEqual(taken.code, 0, taken.err)
      assert.match(taken.out, /[1-9]\d* documents? that (was|were) waiting to be sent (is|are) held now/)
      // The report states that further documents will be held later.
      assert.include(taken.out, "When they are imported again, those dated up to")
      const resumed = yield* connector(resuming, { cwd })
      assert.strictEqual(resumed.code, 3, resumed.err)
      // A document that the copy never had is held as well: the lost store may have sent it.
      const again = readFileSync(join(cwd, files[0]!), "utf8").replaceAll("INV-", "NEW-").replaceAll("CN-", "NEWCN-")
      writeFileSync(join(cwd, "later.csv"), again)
      const later = ["import", "csv", "later.csv", "--book", files[1]!, "--config", "account.json"]
      const held = yield* connector(later, { cwd })
      assert.strictEqual(held.code, 3, held.err)
      assert.include(held.out, "the store was an older copy")
      // The same copy is restored again: the acceptance is lost with it.
      yield* isRefused
      const documents = yield* sandbox.control.accepted
      assert.isTrue(documents.length === 46 && documents.every(({ receipts }) => receipts === 1), `${sent}`)
    }
  )
})

describe("documents dated before the first day of an account", () => {
  it.live("are skipped by name, and never sent", function* () {
    const cwd = yield* folderWith(...files)
    const sandbox = yield* gatewayFor(cwd)
    const { out } = yield* connector([...importing, "--not-before", "2026-02-05", "--send-rest", "--json"], { cwd })
    const rows = lines(out)
    const early = rows.filter(({ state }) => state === "Skipped")
    assert.isTrue(early.length > 0 && early.every(({ said }) => String(said).includes("2026-02-05")))
    const sent = rows.filter(({ state }) => state === "Fiscalised")
    assert.isTrue(sent.length > 0)
    for (const { payload } of sent) {
      assert.isTrue(String((payload as { readonly Date: string }).Date) >= "2026-02-05")
    }
    assert.strictEqual(yield* accepted(sandbox), sent.length)
  })
})
