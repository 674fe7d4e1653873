/**
 * Proves that every view shows the same attention: the command, `resume`, `serve` with its metrics,
 * alerts, and the promise package.
 */
import { assert, it } from "../../core/test/It.ts"
import * as SqliteStore from "../../core/src/node/SqliteStore.ts"
import type { AlertEvent } from "../../core/src/attention/Alert.ts"
import * as Alerting from "../../core/src/sending/Alerting.ts"
import { Effect, Layer } from "effect"
import { copyFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { connect } from "../../promise/src/index.ts"
import { connector, examples, folderWith, gatewayFor, lines } from "./RunningConnector.ts"
import { serving } from "./ServingConnector.ts"

const header = "InvoiceNumber,InvoiceDate,Currency,AmountsAre,Description,Quantity,UnitPrice,TaxCode,ProductCode"
const config = ["--config", "account.json"]

interface Item {
  readonly code: string
  readonly cause: string | null
  readonly account: string | null
  readonly lane: string | null
}

const named = (items: unknown): ReadonlyArray<string> =>
  (items as ReadonlyArray<Item>).map(({ account, cause, code, lane }) => `${code} ${cause} ${account} ${lane}`)

/** Returns a shop with most kinds of problems at once. */
const troubled = Effect.gen(function* () {
  const cwd = yield* folderWith()
  const { control } = yield* gatewayFor(cwd, { gateway: { processingDelayMillis: 1 } })
  copyFileSync(join(examples, "historical-invoices.book.json"), join(cwd, "sales.book.json"))
  const importing = (...invoices: ReadonlyArray<string>) =>
    Effect.suspend(() => {
      const rows = invoices.map((invoice) => {
        const [number, date, price = "10.00"] = invoice.split(" ")
        return `${number},${date},USD,inclusive,Lamp,1,${price},Standard,85131000`
      })
      writeFileSync(join(cwd, "sales.csv"), [header, ...rows].join("\n"))
      return connector(["import", "csv", "sales.csv", ...config], { cwd })
    })
  yield* control.addFault({ kind: "reject", times: 1, documents: ["INV-7"] })
  yield* importing("INV-7 2026-03-07", "INV-8 2026-03-08")
  // A late document, and a document changed after fiscalization.
  yield* importing("INV-1 2026-03-01", "INV-8 2026-03-08 11.00")
  yield* control.addFault({ kind: "error", status: 401, operations: ["submitInvoice"] })
  yield* importing("INV-9 2026-03-09")
  const database = new DatabaseSync(join(cwd, "fiscal-connector.db"))
  const noticed = database.prepare("insert into fiscal_notice values (?, ?, ?, ?, ?, 1, 1)")
  noticed.run("counters", "test/1001", "DAY_DIFFERS", "4", "a receipt too many")
  database.exec("update fiscal_import set standing = 'incomplete' where id = 1")
  database.close()
  yield* connector(["account", "accept-unknown", "taxes", ...config, "--because", "the portal has them"], { cwd })
  return cwd
})

it.live("every view shows the same open items", function* () {
  const cwd = yield* troubled
  const resumed = yield* connector(["resume", ...config, "--json"], { cwd })
  const asked = yield* connector(["health", ...config, "--json"], { cwd })
  const expected = named(lines(asked.out)[0]?.["concerns"])
  assert.deepStrictEqual(
    expected.map((name) => name.split(" ")[0]),
    ["STOPPED", "DAY_DIFFERS", "CONFLICT", "IMPORT_INCOMPLETE", "HELD", "FAILED_AT_GATEWAY", "SENT_UNCHECKED"]
  )
  assert.deepStrictEqual([asked.code, resumed.code], [3, 3])
  assert.deepStrictEqual(named(lines(resumed.out)[0]?.["concerns"]), expected)
  const text = yield* connector(["health", ...config], { cwd })
  const codes = text.out.split("\n").flatMap((line) => /^([A-Z_]+) \S+: /.exec(line)?.[1] ?? [])
  assert.deepStrictEqual(
    codes,
    expected.map((name) => name.split(" ")[0])
  )
  const listed = yield* connector(["imports", ...config, "--json"], { cwd })
  const open = lines(listed.out).filter(({ standing }) => standing === "incomplete")
  assert.deepStrictEqual(
    open.map(({ id }) => `IMPORT_INCOMPLETE ${String(id)} main null`),
    expected.filter((name) => name.startsWith("IMPORT_"))
  )
  const { status } = yield* serving(cwd, ["--lanes", "0"])
  const answered = yield* Effect.promise(() => fetch(`${status}/health`))
  const { concerns } = yield* Effect.promise(() => answered.json() as Promise<{ readonly concerns: unknown }>)
  assert.deepStrictEqual([answered.status, named(concerns)], [503, expected])
  const metrics = yield* Effect.promise(async () => (await fetch(`${status}/metrics`)).text())
  const counted = Array.from(metrics.matchAll(/concerns\{code="([A-Z_]+)"\} 1/g), ([, code]) => code)
  assert.sameMembers(counted, codes)
  const told: Array<AlertEvent> = []
  yield* Alerting.look((event) => Effect.sync(() => void told.push(event))).pipe(
    Effect.provide(Layer.fresh(SqliteStore.layer({ filename: join(cwd, "fiscal-connector.db") })))
  )
  assert.deepStrictEqual(named(told[0]?.concerns), expected)
  yield* Effect.promise(async () => {
    await using fiscal = await connect({
      account: "main",
      config: join(cwd, "account.json"),
      book: join(cwd, "sales.book.json"),
      store: { sqlite: join(cwd, "fiscal-connector.db") },
      witnessFile: join(cwd, "witness.json")
    })
    assert.deepStrictEqual(named((await fiscal.health()).concerns), expected)
  })
})

it.live("health shows a failure that proves nothing yet as pending, and needs no action", function* () {
  const cwd = yield* folderWith()
  yield* gatewayFor(cwd, { gateway: { processingDelayMillis: 1 } })
  copyFileSync(join(examples, "historical-invoices.book.json"), join(cwd, "sales.book.json"))
  const row = "INV-1,2026-03-01,USD,inclusive,Lamp,1,10.00,Standard,85131000"
  writeFileSync(join(cwd, "sales.csv"), [header, row].join("\n"))
  assert.strictEqual((yield* connector(["import", "csv", "sales.csv", ...config], { cwd })).code, 0)
  const database = new DatabaseSync(join(cwd, "fiscal-connector.db"))
  const now = Date.now()
  database.exec(`delete from fiscal_outcome;
      update fiscal_submission set state = 'Accepted', proof = null;
      insert into fiscal_statement (account, request_id, mask, text, nature, first_at, last_at, looks, able_millis)
        select account, request_id, 'off', 'The till is off', 'correctable', ${now}, ${now}, 1, 0 from fiscal_attempt`)
  database.close()
  const { code, out } = yield* connector(["health", ...config], { cwd })
  assert.strictEqual(code, 0, out)
  assert.match(
    out,
    /^ANSWER_UNPROVEN test\/1001: the gateway says "The till is off" of 1 document \(INV-1\), which may still become receipts\. No action needed yet\.\nNo action needed\.$/m
  )
})
