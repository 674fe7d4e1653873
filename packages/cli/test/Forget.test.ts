/** Runs `connector forget` like its user, and with a kill in the middle. */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { start, Visitor } from "../../ui/test/PageProcess.ts"
import { connector, connectorProcess, folderWith, gatewayFor, key, secret } from "./RunningConnector.ts"

const keys = { FISCAL_CONNECTOR_MAIN_API_KEY: key, FISCAL_CONNECTOR_MAIN_API_SECRET: secret }

const header =
  "InvoiceNumber,InvoiceDate,Currency,AmountsAre,CustomerName,CustomerTIN,Description,Quantity,UnitPrice,TaxCode,ProductCode\n"
const row = (number: string, day: string) =>
  `${number},${day},USD,inclusive,Grace Planted,2000667788,planted lamp,1,10.00,Standard,85131000\n`

const book = {
  version: 1,
  zone: "+02:00",
  taxes: [{ from: ["Standard"], code: "VAT155", device: 515, percent: "15.5" }],
  currencies: [{ code: "USD", device: "USD" }],
  defaults: { payment: "Cash" }
}

/** Returns a folder with a store of two documents of March and one of April, all fiscalized. */
const settled = Effect.gen(function* () {
  const folder = yield* folderWith()
  const { control } = yield* gatewayFor(folder)
  writeFileSync(
    join(folder, "x.csv"),
    header + row("A-1", "2026-03-02") + row("A-2", "2026-03-03") + row("A-3", "2026-04-01")
  )
  writeFileSync(join(folder, "x.book.json"), JSON.stringify(book))
  const imported = connector(["import", "csv", "x.csv", "--config", "account.json"], { cwd: folder })
  const first = yield* imported
  assert.include(first.out, "3 fiscalised", first.err)
  return { folder, control, imported }
})

const forget = (cwd: string, args: ReadonlyArray<string>, killedAt?: string) => {
  const all = ["forget", "--config", "account.json", ...args]
  return killedAt === undefined
    ? connector(all, { cwd })
    : connectorProcess(all, {
        cwd,
        env: { KILLED_AT: killedAt, NODE_OPTIONS: `--import=${join(import.meta.dirname, "KilledAt.ts")}` }
      })
}

/** Returns the number of occurrences of a text in the store's files. */
const held = (folder: string, text: string): number =>
  readdirSync(folder)
    .filter((file) => file.startsWith("fiscal-connector.db"))
    .reduce((count, file) => count + readFileSync(join(folder, file), "latin1").split(text).length - 1, 0)

// slow: the command is killed at many moments, and runs again
describe("connector forget", () => {
  it.live(
    "shows what it will remove, removes it on confirmation, and keeps the knowledge of sent documents",
    function* () {
      const { control, folder, imported } = yield* settled
      const before = ["--before", "2026-04-01"]
      const looked = yield* forget(folder, before)
      assert.match(looked.out, /^2 documents from before 2026-04-01 in .* would lose buyers and texts/)
      assert.isAbove(held(folder, "Grace Planted"), 2)
      assert.match((yield* forget(folder, ["--before", "April"])).err, /--before is to be a day/)

      const done = yield* forget(folder, [...before, "--do-it"])
      assert.match(done.out, /^Forgotten in .*: buyers and texts of 2 documents/)
      // Occurrences of the newer document.
      assert.include([1, 2], held(folder, "Grace Planted"))
      assert.match((yield* forget(folder, [...before, "--do-it"])).out, /of 0 documents/)

      const again = yield* imported
      assert.strictEqual(again.code, 0, again.err)
      assert.strictEqual((yield* control.receipts).length, 3)
      const explained = yield* connector(["explain", "A-1", "--config", "account.json"], { cwd: folder })
      assert.match(explained.out, /Fiscalised/)
      assert.notInclude(explained.out, "Planted")
    }
  )

  it.live("names documents to settle first, and removes nothing before", function* () {
    const folder = yield* folderWith()
    const { control } = yield* gatewayFor(folder)
    yield* control.addFault({ kind: "drop", stage: "after", documents: ["A-2"], operations: ["submitInvoice"] })
    writeFileSync(join(folder, "x.csv"), header + row("A-1", "2026-03-02") + row("A-2", "2026-03-03"))
    writeFileSync(join(folder, "x.book.json"), JSON.stringify(book))
    yield* connector(["import", "csv", "x.csv", "--config", "account.json"], { cwd: folder })
    const before = held(folder, "Grace Planted")
    assert.isAbove(before, 2)
    const looked = yield* forget(folder, ["--before", "2026-04-01"])
    assert.strictEqual(looked.code, 1)
    assert.match(looked.err, /Nothing would be forgotten: settle these first[^]*invoice A-2 of account/)
    const done = yield* forget(folder, ["--before", "2026-04-01", "--do-it"])
    assert.strictEqual(done.code, 1)
    assert.match(done.err, /Nothing more is forgotten: settle these first[^]*invoice A-2 of account/)
    assert.strictEqual(held(folder, "Grace Planted"), before)
  })

  it.live(
    "completes after a kill at any moment when run again, with no buyer data left and nothing sent twice",
    function* () {
      const { control, folder, imported } = yield* settled
      const untouched = `${folder}-untouched`
      cpSync(folder, untouched, { recursive: true })
      yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(untouched, { recursive: true, force: true })))
      const everything = ["--before", "2026-05-01", "--do-it"]
      for (const at of ["UPDATE 3 after", "COMMIT 1 before", "COMMIT 1 after", "VACUUM 1 before", "VACUUM 1 after"]) {
        cpSync(untouched, folder, { recursive: true, force: true })
        const killed = yield* forget(folder, everything, at)
        assert.strictEqual(killed.code, null, `${at}: ${killed.out}${killed.err}`)
        const finished = yield* forget(folder, everything)
        assert.strictEqual(finished.code, 0, `${at}: ${finished.err}`)
        for (const text of ["Grace Planted", "planted lamp", "2000667788"])
          assert.strictEqual(held(folder, text), 0, `${at}: ${text}`)
      }
      const again = yield* imported
      assert.strictEqual(again.code, 0, again.err)
      assert.strictEqual((yield* control.receipts).length, 3)
    }
  )

  it.live(
    "reports the remaining work if another process reads the store for long, and completes when run again; an open page does not block it",
    function* () {
      const { folder } = yield* settled
      const page = yield* start(["--config", "account.json", "--book", "x.book.json"], keys, folder)
      const visitor = yield* Effect.promise(() => Visitor.open(page))
      void visitor.follow("/follow", () => false).catch(() => "")
      assert.include((yield* Effect.promise(() => visitor.get("/documents"))).body, "Grace Planted")
      const reader = new DatabaseSync(join(folder, "fiscal-connector.db"))
      reader.exec("begin; select count(*) from fiscal_submission")
      const everything = ["--before", "2026-05-01", "--do-it"]
      const first = yield* forget(folder, everything)
      assert.strictEqual(first.code, 1, first.out)
      assert.include(first.err, "everything is forgotten, but what was freed is not written over yet")
      assert.include(first.err, "an open page, a worker, a receiver of webhooks. Stop it, and do the same again")
      assert.isAbove(held(folder, "Grace Planted"), 0)
      reader.close()
      const second = yield* forget(folder, everything)
      assert.strictEqual(second.code, 0, second.err)
      assert.strictEqual(held(folder, "Grace Planted"), 0)
      assert.notInclude((yield* Effect.promise(() => visitor.get("/documents"))).body, "Planted")
    }
  )
})
