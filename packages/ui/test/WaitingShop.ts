/** A shop whose store, or whose device, needs a decision on the page. */
import { Effect } from "effect"
import { copyFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { connector, examples, folderWith, gatewayFor, key, secret } from "../../cli/test/RunningConnector.ts"
import { start, Visitor } from "./PageProcess.ts"

const config = ["--config", "account.json"]
const env = { FISCAL_CONNECTOR_MAIN_API_KEY: key, FISCAL_CONNECTOR_MAIN_API_SECRET: secret }
export const submits = { operations: ["submitInvoice", "submitCreditNote"] } as const
const header = "InvoiceNumber,InvoiceDate,Currency,AmountsAre,Description,Quantity,UnitPrice,TaxCode,ProductCode"
const rows = ["INV-1,2026-03-02", "INV-2,2026-03-03", "INV-3,2026-03-04"].map(
  (row) => `${row},USD,inclusive,Lamp,1,10.00,Standard,85131000`
)

/**
 * Shop with one sent invoice and two waiting ones, because the gateway refused the key for a while.
 */
export const shop = (options: Parameters<typeof gatewayFor>[1] = {}) =>
  Effect.gen(function* () {
    const folder = yield* folderWith()
    copyFileSync(join(examples, "historical-invoices.book.json"), join(folder, "sales.book.json"))
    const sandbox = yield* gatewayFor(folder, { gateway: { processingDelayMillis: 1 }, ...options })
    const run = (...args: ReadonlyArray<string>) => connector([...args, ...config], { cwd: folder })
    yield* sandbox.control.addFault({ kind: "error", status: 401, skip: 1, ...submits })
    writeFileSync(join(folder, "sales.csv"), [header, ...rows].join("\n"))
    yield* run("import", "csv", "sales.csv")
    yield* sandbox.control.clearFaults
    const started = (more: Readonly<Record<string, string>> = {}) =>
      start([...config, "--book", "sales.book.json"], { ...env, ...more }, folder)
    const page = (more?: Readonly<Record<string, string>>) =>
      Effect.flatMap(started(more), (running) => Effect.promise(() => Visitor.open(running)))
    // The lane is retried a second after its stop.
    const resumed = Effect.gen(function* () {
      for (let i = 0; i < 40; i++) {
        if ((yield* run("resume")).out.match(/INV-2 +Planned/) === null) return
        yield* Effect.sleep("100 millis")
      }
    })
    /** Sends the rest, puts an older copy in place of the store, and continues with it. */
    const putBack = Effect.gen(function* () {
      yield* run("store", "backup", "copy.db")
      yield* resumed
      for (const end of ["-wal", "-shm"]) rmSync(join(folder, `fiscal-connector.db${end}`), { force: true })
      copyFileSync(join(folder, "copy.db"), join(folder, "fiscal-connector.db"))
      return yield* run("resume")
    })
    return { sandbox, run, started, page, resumed, putBack }
  })
