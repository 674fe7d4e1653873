/**
 * An import is a durable job: interrupted at any point, either nothing was accepted, which is
 * reported, or everything is sent. For processes killed at every commit, see `pnpm proofs
 * one-report`. The tests run concurrently, since each waits a second for the gateway's outcomes.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { copyFileSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { type CrashAt, crashing } from "./InjectedCrash.ts"
import { takeNumber } from "./TakenNumber.ts"
import { connector, folderWith, gatewayFor, lines } from "./RunningConnector.ts"

const header =
  "InvoiceNumber,InvoiceDate,Currency,AmountsAre,Description,Quantity,UnitPrice,TaxCode,ProductCode,Total\n"
const row = (number: string, taxCode = "VAT155") =>
  `${number},2026-03-02,USD,inclusive,Solar lamp,2,9.99,${taxCode},85131000,19.98\n`
const numbered = (count: number) => Array.from({ length: count }, (_, i) => row(`S-${i + 1}`)).join("")

const book = JSON.stringify({
  version: 1,
  zone: "+02:00",
  taxes: [{ from: ["VAT155"], code: "VAT155", device: 515, percent: "15.5" }],
  currencies: [{ code: "USD", device: "USD" }]
})

const prepared = (documents: number) =>
  Effect.gen(function* () {
    const folder = yield* folderWith()
    const sandbox = yield* gatewayFor(folder, { gateway: { processingDelayMillis: 1 } })
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
    write("sales.csv", header + numbered(documents))
    write("sales.book.json", book)
    const run = (...args: ReadonlyArray<string>) => connector([...args, "--config", "account.json"], { cwd: folder })
    const imported = (file: string) => run("import", "csv", file, "--book", "sales.book.json", "--send-rest")
    const sent = Effect.map(sandbox.control.receipts, (receipts) =>
      receipts.map(({ documentNumber }) => documentNumber).toSorted()
    )
    return { folder, sandbox, run, imported, sent, write }
  })

/** Returns an accepted import without any document handed over. */
const waiting = (documents: number) =>
  Effect.gen(function* () {
    const given = yield* prepared(documents)
    yield* crashing({ ...accepted, folder: given.folder }, given.imported("sales.csv"))
    const [listed] = lines((yield* given.run("imports", "--json")).out)
    assert.deepStrictEqual([listed?.["standing"], listed?.["rest"]], ["accepted", documents])
    return { ...given, id: String(listed!["id"]) }
  })

/**
 * Commit that accepts the import. The commit before keeps the documents; the commit after hands
 * them over.
 */
const accepted: CrashAt = { commit: 9, when: "after" }

describe.concurrent("an import whose process is killed", () => {
  for (const { commit, when } of [
    { commit: accepted.commit - 1, when: "after" },
    { commit: accepted.commit, when: "before" },
    accepted,
    { commit: accepted.commit + 1, when: "before" },
    { commit: accepted.commit + 1, when: "after" }
  ] as ReadonlyArray<CrashAt>)
    it.live(`${when} commit ${commit} of the store is accepted as a whole or not at all`, function* () {
      const { folder, imported, run, sent } = yield* prepared(3)
      const { crashed, value } = yield* crashing({ commit, when, folder }, imported("sales.csv"))
      assert.deepStrictEqual([crashed, value.code], [true, 3], value.err)
      const [listed] = lines((yield* run("imports", "--json")).out)
      const standing = listed?.["standing"]
      const isAccepted = commit > accepted.commit || (commit === accepted.commit && when === "after")
      if (standing === "accepted") assert.match((yield* run("health")).out, /IMPORT_WAITS/)
      const resumed = yield* run("resume")
      if (isAccepted) {
        assert.deepStrictEqual(
          [standing, resumed.code],
          [when === "after" && commit > accepted.commit ? "whole" : "accepted", 0]
        )
        assert.deepStrictEqual(yield* sent, ["S-1", "S-2", "S-3"])
      } else {
        assert.deepStrictEqual([standing, yield* sent], ["begun", []])
        assert.match((yield* run("imports", String(listed!["id"]))).out, /Nothing of it was accepted/)
      }
    })

  it.live("is continued by the next import of any process, with its original translation", function* () {
    const { id, imported, sent, write } = yield* waiting(2)
    write("sales.book.json", book.replace(`"VAT155"],"code":"VAT155"`, `"VAT155x"],"code":"VAT155"`))
    write("more.csv", header + row("T-1", "VAT155x"))
    const { code, out } = yield* imported("more.csv")
    assert.strictEqual(code, 0, out)
    assert.include(out, `Import ${id} was accepted and not over: the rest of it was handed over first`)
    assert.deepStrictEqual(yield* sent, ["S-1", "S-2", "T-1"])
  })

  it.live(
    "is joined by a second import of the same files: no document is sent twice, and no second import is stored",
    function* () {
      const { id, imported, run, sent } = yield* waiting(2)
      const { code, out } = yield* imported("sales.csv")
      assert.strictEqual(code, 0, out)
      assert.include(out, `These files are import ${id}, which was accepted and not over`)
      assert.deepStrictEqual(yield* sent, ["S-1", "S-2"])
      const listed = lines((yield* run("imports", "--json")).out)
      assert.deepStrictEqual(
        listed.map((one) => [String(one["id"]), one["standing"]]),
        [[id, "whole"]]
      )
      assert.match((yield* run("imports", id)).out, /2 documents: 2 fiscalised/)
    }
  )

  it.live("is cancelled for good: none of its documents is sent", function* () {
    const { id, run, sent } = yield* waiting(2)
    const { err, out } = yield* run("imports", "cancel", id)
    assert.match(out, /is cancelled. 2 documents of it will not be sent/, err)
    yield* run("resume")
    assert.deepStrictEqual(yield* sent, [])
    assert.strictEqual((yield* run("imports", "cancel", id)).code, 1)
  })

  it.live("reports why a document could not be planned later, until the import is cancelled", function* () {
    const { folder, id, imported, run, sent, write } = yield* waiting(2)
    // Another account of the same taxpayer has taken the number meanwhile.
    yield* takeNumber(join(folder, "fiscal-connector.db"), "S-2")
    const resumed = yield* run("resume")
    assert.strictEqual(resumed.code, 3)
    assert.match(resumed.out, new RegExp(`IMPORT_INCOMPLETE main: documents of import ${id} .*were not planned`))
    assert.notMatch(resumed.out, /Nothing is open/)
    assert.match((yield* run("health")).out, /IMPORT_INCOMPLETE/)
    assert.match((yield* run("imports", id)).out, /NOT_TAKEN[^]*the number belongs to invoice elsewhere/)
    write("more.csv", header + row("T-1"))
    const more = yield* imported("more.csv")
    assert.deepStrictEqual([more.code, yield* sent], [3, ["S-1", "T-1"]])
    yield* run("imports", "cancel", id)
    assert.strictEqual((yield* run("resume")).code, 0)
  })
})

describe.concurrent("an accepted import that is not sent yet", () => {
  it.live("is in a store file for its owner only, and forget does not remove it before its end", function* () {
    const { folder, id, run } = yield* waiting(2)
    assert.strictEqual(statSync(join(folder, "fiscal-connector.db")).mode & 0o777, 0o600)
    const everything = ["forget", "--before", "2026-04-01", "--do-it"]
    const open = yield* run(...everything)
    assert.deepStrictEqual(
      [open.code, /S-1.*not handed over/s.test(open.out + open.err)],
      [1, true],
      open.out + open.err
    )
    yield* run("imports", "cancel", id)
    assert.strictEqual((yield* run(...everything)).code, 0)
  })

  it.live("moves with the store, and is sent from the new store only", function* () {
    const { folder, run, sent } = yield* waiting(2)
    const moved = yield* connector(["store", "copy", "--from", "fiscal-connector.db", "--to", "moved.db"], {
      cwd: folder
    })
    assert.strictEqual(moved.code, 0, moved.err)
    assert.strictEqual((yield* run("resume")).code, 1, "it was moved")
    const configured = JSON.parse(readFileSync(join(folder, "account.json"), "utf8")) as object
    writeFileSync(join(folder, "account.json"), JSON.stringify({ ...configured, store: "moved.db" }))
    const { code, err } = yield* run("resume")
    assert.deepStrictEqual([code, yield* sent], [0, ["S-1", "S-2"]], err)
  })

  it.live("is sent from a backup restored before the first sending, and never from a later restore", function* () {
    const { folder, run, sent } = yield* waiting(2)
    const database = new DatabaseSync(join(folder, "fiscal-connector.db"))
    database.exec(`vacuum into '${join(folder, "backup.db")}'`)
    database.close()
    const configured = JSON.parse(readFileSync(join(folder, "account.json"), "utf8")) as object
    const restored = (name: string) => {
      copyFileSync(join(folder, "backup.db"), join(folder, name))
      writeFileSync(join(folder, "account.json"), JSON.stringify({ ...configured, store: name }))
    }
    restored("first.db")
    const first = yield* run("resume")
    assert.deepStrictEqual([first.code, yield* sent], [0, ["S-1", "S-2"]], first.out + first.err)
    restored("second.db")
    const older = yield* run("resume")
    assert.deepStrictEqual([older.code, /older copy/.test(older.out + older.err)], [1, true], older.out + older.err)
    assert.deepStrictEqual(yield* sent, ["S-1", "S-2"])
  })
})

describe.concurrent("credentials that the gateway does not accept", () => {
  for (const [what, changed, named] of [
    ["a wrong secret", { FISCAL_CONNECTOR_MAIN_API_SECRET: "another secret" }, "SECRET_REFUSED"],
    ["a wrong key", { FISCAL_CONNECTOR_MAIN_API_KEY: "another key" }, "KEY_REFUSED"]
  ] as const)
    it.live(`end the import with exit code 1 and ${named} before any planning: ${what}`, function* () {
      const { folder, run, sandbox } = yield* prepared(1)
      const importing = ["import", "csv", "sales.csv", "--book", "sales.book.json", "--config", "account.json"]
      const { code, err, out } = yield* connector(importing, { cwd: folder, env: changed })
      assert.strictEqual(code, 1, out + err)
      assert.include(err, named)
      assert.notInclude(out, "S-1")
      assert.deepStrictEqual(lines((yield* run("list", "--json")).out), [])
      assert.deepStrictEqual(lines((yield* run("imports", "--json")).out), [])
      assert.deepStrictEqual(yield* sandbox.control.accepted, [])
      // The same command with the correct credentials sends the import.
      assert.strictEqual((yield* connector(importing, { cwd: folder })).code, 0)
    })

  it.live("are only reported if no operation can prove them", function* () {
    const { imported, sandbox, sent } = yield* prepared(1)
    yield* sandbox.control.addFault({ kind: "error", status: 404, operations: ["status"], times: 1 })
    const { code, err } = yield* imported("sales.csv")
    assert.deepStrictEqual([code, yield* sent], [0, ["S-1"]], err)
    assert.match(err, /SECRET_UNPROVEN[^]*404/)
  })
})
