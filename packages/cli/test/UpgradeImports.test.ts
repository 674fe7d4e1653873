/**
 * Unfinished imports in stores written by earlier versions: reported until completed, and completed
 * by the same import.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { appendFileSync, copyFileSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { connector, folderWith, gatewayFor, lines } from "./RunningConnector.ts"

const fixtures = join(import.meta.dirname, "../../../fixtures/upgrade")

/**
 * Documents that the killed import had not handed over: they are in the export, but were never in
 * the store.
 */
const rest = ["REST-1", "REST-2"]

const upgrading = (version: string) =>
  Effect.gen(function* () {
    const folder = yield* folderWith()
    const sandbox = yield* gatewayFor(folder, { gateway: { processingDelayMillis: 1 } })
    for (const file of ["store.sqlite", "export.csv", "export.book.json"])
      copyFileSync(join(fixtures, version, file), join(folder, file))
    const configured = JSON.parse(readFileSync(join(folder, "account.json"), "utf8")) as object
    writeFileSync(join(folder, "account.json"), JSON.stringify({ ...configured, store: "store.sqlite" }))
    const head = readFileSync(join(folder, "export.csv"), "utf8").split("\n")[0]!.trim().split(",")
    const fields: Readonly<Record<string, string>> = {
      Kind: "invoice",
      InvoiceDate: "2026-03-02",
      Currency: "USD",
      AmountsAre: "inclusive",
      Description: "Solar lamp",
      Quantity: "2",
      UnitPrice: "9.99",
      TaxCode: "Standard",
      ProductCode: "85131000",
      Total: "19.98"
    }
    for (const InvoiceNumber of rest)
      appendFileSync(
        join(folder, "export.csv"),
        `${head.map((name) => ({ ...fields, InvoiceNumber })[name] ?? "").join(",")}\n`
      )
    const run = (...args: ReadonlyArray<string>) => connector([...args, "--config", "account.json"], { cwd: folder })
    return {
      store: join(folder, "store.sqlite"),
      run,
      imported: run("import", "csv", "export.csv", "--book", "export.book.json", "--account", "main", "--send-rest"),
      sent: Effect.map(sandbox.control.receipts, (receipts) => receipts.map(({ documentNumber }) => documentNumber))
    }
  })

describe("an import killed under an earlier version", () => {
  it.live("of 4ab5620 is completed by the same import, which sends only the missing documents", function* () {
    const { imported, sent } = yield* upgrading("4ab5620")
    const { err, out } = yield* imported
    assert.deepStrictEqual(yield* sent, rest, out + err)
  })

  it.live("of bc82904f is reported, completed by the same import, or ended by its cancellation", function* () {
    const { imported, run, sent, store } = yield* upgrading("bc82904f")
    // Row as written by that version: begun with the first page, and never ended.
    const database = new DatabaseSync(store)
    database.exec(`insert into fiscal_import (account, at, made, standing, documents, refused, skipped)
        select account, at, made, 'unfinished', 0, 0, 0 from fiscal_import where id = 1`)
    database.close()
    const [open] = lines((yield* run("imports", "--json")).out)
    assert.deepStrictEqual([open?.["id"], open?.["standing"]], [2, "unfinished"])
    assert.match((yield* run("health")).out, /IMPORT_BROKE_OFF/)
    assert.match((yield* run("imports", "2")).out, /The same import again hands over the rest/)
    const { err, out } = yield* imported
    assert.deepStrictEqual(yield* sent, rest, out + err)
    assert.strictEqual((yield* run("imports", "cancel", "2")).code, 0)
    assert.notMatch((yield* run("health")).out, /IMPORT_BROKE_OFF/)
  })
})
