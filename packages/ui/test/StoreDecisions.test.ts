/**
 * Decisions about the store and the device on the page: the offers of attention with their
 * consequences, the required reason, and the refusals.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { copyFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { connector, examples, folderWith, gatewayFor, key, secret } from "../../cli/test/RunningConnector.ts"
import { patience, start, Visitor } from "./PageProcess.ts"

const config = ["--config", "account.json"]
const env = { FISCAL_CONNECTOR_MAIN_API_KEY: key, FISCAL_CONNECTOR_MAIN_API_SECRET: secret }
const submits = { operations: ["submitInvoice", "submitCreditNote"] } as const
const header = "InvoiceNumber,InvoiceDate,Currency,AmountsAre,Description,Quantity,UnitPrice,TaxCode,ProductCode"
const rows = ["INV-1,2026-03-02", "INV-2,2026-03-03", "INV-3,2026-03-04"].map(
  (row) => `${row},USD,inclusive,Lamp,1,10.00,Standard,85131000`
)

/**
 * Shop with one sent invoice and two waiting ones, because the gateway refused the key for a while.
 */
const shop = (options: Parameters<typeof gatewayFor>[1] = {}) =>
  Effect.gen(function* () {
    const folder = yield* folderWith()
    copyFileSync(join(examples, "historical-invoices.book.json"), join(folder, "sales.book.json"))
    const sandbox = yield* gatewayFor(folder, { gateway: { processingDelayMillis: 1 }, ...options })
    const run = (...args: ReadonlyArray<string>) => connector([...args, ...config], { cwd: folder })
    yield* sandbox.control.addFault({ kind: "error", status: 401, skip: 1, ...submits })
    writeFileSync(join(folder, "sales.csv"), [header, ...rows].join("\n"))
    yield* run("import", "csv", "sales.csv")
    yield* sandbox.control.clearFaults
    const page = (more: Readonly<Record<string, string>> = {}) =>
      Effect.flatMap(start([...config, "--book", "sales.book.json"], { ...env, ...more }, folder), (started) =>
        Effect.promise(() => Visitor.open(started))
      )
    // The lane is retried a second after its stop.
    const resumed = Effect.gen(function* () {
      for (let i = 0; i < 40; i++) {
        if ((yield* run("resume")).out.match(/INV-2 +Planned/) === null) return
        yield* Effect.sleep("100 millis")
      }
    })
    return { folder, sandbox, run, page, resumed }
  })

describe("the page", () => {
  it.live("accepts an older copy of the store with its consequence and a reason, and holds the waiting documents", () =>
    Effect.gen(function* () {
      const { folder, page, resumed, run, sandbox } = yield* shop()
      yield* run("store", "backup", "copy.db")
      yield* resumed
      for (const end of ["-wal", "-shm"]) rmSync(join(folder, `fiscal-connector.db${end}`), { force: true })
      copyFileSync(join(folder, "copy.db"), join(folder, "fiscal-connector.db"))
      assert.include((yield* run("resume")).err, "older copy")
      const visitor = yield* page()
      yield* Effect.promise(async () => {
        assert.match((await visitor.get("/health")).body, /href="[^"]*\/accept-older"/)
        const shown = (await visitor.get("/accept-older")).body
        assert.include(shown, "Only if there is no newer copy.")
        assert.include(shown, "Go on with this copy, and hold 2 documents")
        assert.include((await visitor.post("/accept-older", { because: " " })).body, "the reason is missing")
        const done = (await visitor.post("/accept-older", { because: "the disk <broke>" })).body
        assert.include(done, "The copy is the store from now on. 2 documents are held")
        assert.notInclude(done, 'action="/accept-older"')
        const record = (await visitor.get("/decisions")).body
        assert.include(record, "accept-older")
        assert.include(record, "the disk &lt;broke&gt;")
        // The lost store may have sent the document a moment ago: the refusal of a release states
        // the time of its acceptance.
        const release = { decision: "Resend", state: "Held", because: "not in the portal" }
        const address = visitor.whereTo(await visitor.post("/documents/main/invoice/INV-2/decide", release))
        assert.match(
          (await visitor.get(address)).body,
          /Nothing was changed: [^<]* This decision is accepted from \S+ on\./
        )
        // The account is opened again, and the item is removed: a repeated action settles nothing.
        await visitor.post("/resume", {})
        for (let i = 0; i < patience && (await visitor.get("/health")).body.includes("/accept-older"); i++)
          await new Promise((resolve) => setTimeout(resolve, 50))
        assert.include((await visitor.post("/accept-older", { because: "again" })).body, "Nothing was changed.")
        assert.notInclude((await visitor.get("/decisions")).body, "again<")
      })
      const before = (yield* sandbox.control.accepted).length
      yield* run("resume")
      assert.strictEqual((yield* sandbox.control.accepted).length, before)
    }).pipe(Effect.scoped)
  )

  it.live("moves an account to the replacement device after all outcomes are known", () =>
    Effect.gen(function* () {
      const other = "other-key"
      const { page } = yield* shop({
        accounts: [{ key: other, device: 2002 }],
        devices: [{ deviceId: 2002 }]
      })
      const visitor = yield* page({ FISCAL_CONNECTOR_MAIN_API_KEY: other })
      yield* Effect.promise(async () => {
        const shown = (await visitor.get("/repin?account=main")).body
        assert.match(shown, /Device so far<\/dt>\s*<dd>test\/1001/)
        assert.match(shown, /Device that the gateway names now<\/dt>\s*<dd>test\/2002/)
        assert.include(shown, "2 documents that wait to be sent go to the new device")
        const move = (fields: Readonly<Record<string, string>>) =>
          visitor.post("/repin", { account: "main", device: "test/2002", because: "the old one broke", ...fields })
        assert.include((await move({ because: "" })).body, "the reason is missing")
        // Another device than the one shown.
        assert.include((await move({ device: "test/3003" })).body, "It has changed since you looked")
        assert.include((await move({})).body, "Moved, with 2 documents that had not been sent")
        const after = (await visitor.get("/repin?account=main")).body
        assert.include(after, "There is nothing to move.")
        assert.include((await visitor.get("/decisions")).body, "the old one broke")
        assert.strictEqual((await visitor.get("/repin?account=other")).status, 404)
        const moved = (await visitor.get("/documents/main/invoice/INV-2")).body
        assert.include(moved, "moved from device test/1001 to test/2002: the old one broke")
      })
    }).pipe(Effect.scoped)
  )

  it.live("refuses to move an account while an outcome is unknown, and names the document", () =>
    Effect.gen(function* () {
      const other = "other-key"
      const { page, resumed, sandbox } = yield* shop({
        accounts: [{ key: other, device: 2002 }],
        devices: [{ deviceId: 2002 }]
      })
      yield* sandbox.control.addFault({ kind: "drop", stage: "before", times: 1, ...submits })
      yield* resumed
      const visitor = yield* page({ FISCAL_CONNECTOR_MAIN_API_KEY: other })
      yield* Effect.promise(async () => {
        const fields = { account: "main", device: "test/2002", because: "the old one broke" }
        const refused = (await visitor.post("/repin", fields)).body
        assert.match(
          refused,
          /Nothing was changed: not all that was sent to device test\/1001 is settled: INV-2 is Unknown/
        )
      })
    }).pipe(Effect.scoped)
  )
})
