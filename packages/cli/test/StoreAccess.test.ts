import { assert, describe, it } from "../../core/test/It.ts"
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { connector, folderWith, gatewayFor, lines } from "./RunningConnector.ts"

const fixture = join(import.meta.dirname, "../../../fixtures/upgrade/4ab5620/store.sqlite")
const exportFiles = ["historical-invoices.csv", "historical-invoices.book.json"]

const misfits = {
  empty: (file: string) => writeFileSync(file, ""),
  "a text": (file: string) => writeFileSync(file, "Dear all,\nplease find attached\n".repeat(50)),
  "a short text": (file: string) => writeFileSync(file, "notes\n"),
  "another program's database": (file: string) => {
    const db = new DatabaseSync(file)
    db.exec("pragma journal_mode = delete; create table song (title text); insert into song values ('a')")
    db.close()
  }
}

const current = (folder: string) => {
  const file = join(folder, "store.db")
  copyFileSync(fixture, file)
  return file
}

describe("a read-only command", () => {
  for (const [what, make] of Object.entries(misfits)) {
    it.live(`reports that a file that is ${what} is not a store, and does not change it`, function* () {
      const folder = yield* folderWith()
      const file = join(folder, "store.db")
      make(file)
      const before = readFileSync(file)
      for (const args of [
        ["list"],
        ["list", "--json"],
        ["health"],
        ["health", "--json"],
        ["explain", "INV-1"],
        ["resolve", "INV-1", "--resend", "--because", "test"],
        ["withdraw", "INV-1", "--because", "test"],
        ["store", "backup", join(folder, "copy.db")]
      ]) {
        const [name, ...rest] = args as [string, ...Array<string>]
        const flag = name === "store" ? [rest[0]!, "--store", file, ...rest.slice(1)] : ["--store", file, ...rest]
        const { code, err, out } = yield* connector([name, ...flag])
        assert.strictEqual(code, 1, args.join(" "))
        assert.include(err, file)
        assert.notInclude(err, "    at ")
        if (args.includes("--json")) assert.strictEqual(lines(out)[0]!["exitCode"], 1)
        else assert.strictEqual(out, "")
        assert.deepStrictEqual(readFileSync(file), before)
        assert.deepStrictEqual(readdirSync(folder), ["store.db"])
      }
    })
  }

  it.live("changes nothing in the store and leaves no file next to it, for every store version", function* () {
    const folder = yield* folderWith()
    const file = current(folder)
    const before = readFileSync(file)
    const looked = [
      yield* connector(["list", "--store", file]),
      yield* connector(["health", "--store", file]),
      yield* connector(["explain", "--store", file, "STATES-I-UNKNOWN"])
    ]
    assert.deepStrictEqual(
      looked.map(({ code }) => code),
      [0, 3, 0]
    )
    assert.include(looked[0]!.out, "STATES-I-HELD-OUTDATED")
    assert.include(looked[1]!.out, "51 Fiscalised")
    assert.include(looked[2]!.out, "500, an HTML page")
    assert.deepStrictEqual(readFileSync(file), before)
    assert.deepStrictEqual(readdirSync(folder), ["store.db"])
  })
})

describe("a sending command", () => {
  for (const [what, make] of Object.entries(misfits)) {
    if (what === "empty") continue
    it.live(`sends nothing if its store is ${what}, and does not change the file`, function* () {
      const cwd = yield* folderWith(...exportFiles)
      const sandbox = yield* gatewayFor(cwd)
      const store = join(cwd, "fiscal-connector.db")
      make(store)
      const before = readFileSync(store)
      for (const args of [["import", "csv", exportFiles[0]!], ["plan", "csv", exportFiles[0]!], ["resume"]]) {
        const { code, err } = yield* connector([...args, "--config", "account.json"], { cwd })
        assert.strictEqual(code, 1, err)
        assert.include(err, "fiscal-connector.db")
      }
      assert.deepStrictEqual(readFileSync(store), before)
      assert.deepStrictEqual(yield* sandbox.control.accepted, [])
      assert.isFalse(existsSync(`${store}-wal`))
    })
  }
})

describe("connector store backup", () => {
  it.live("copies the store for its owner only, prints the size, and overwrites nothing", function* () {
    const folder = yield* folderWith()
    const file = current(folder)
    const copy = join(folder, "copy.db")
    const { code, out } = yield* connector(["store", "backup", "--store", file, copy])
    assert.strictEqual(code, 0)
    assert.strictEqual(out, `${copy}: ${statSync(copy).size} bytes, 74 documents\n`)
    assert.strictEqual(statSync(copy).mode & 0o777, 0o600)
    const listed = yield* connector(["list", "--store", copy, "--json"])
    assert.strictEqual(listed.out, (yield* connector(["list", "--store", file, "--json"])).out)
    const before = readFileSync(copy)
    const again = yield* connector(["store", "backup", "--store", file, copy])
    assert.strictEqual(again.code, 1)
    assert.include(again.err, "already")
    assert.deepStrictEqual(readFileSync(copy), before)
    assert.deepStrictEqual(readdirSync(folder).toSorted(), ["copy.db", "store.db"])
  })

  it.live("copies complete transactions while other processes write", function* () {
    const folder = yield* folderWith()
    const file = current(folder)
    const writer = new DatabaseSync(file)
    writer.exec("pragma journal_mode = wal; pragma wal_autocheckpoint = 0")
    writer.exec("begin immediate; update fiscal_lane set stops = 7 where lane = 'test/1002'; commit")
    // Half a transaction.
    writer.exec("begin immediate; update fiscal_lane set stops = 8 where lane = 'test/1002'")
    const copy = join(folder, "copy.db")
    assert.strictEqual((yield* connector(["store", "backup", "--store", file, copy])).code, 0)
    writer.exec("commit")
    writer.close()
    const read = new DatabaseSync(copy, { readOnly: true })
    assert.strictEqual(read.prepare("select stops from fiscal_lane where lane = 'test/1002'").get()?.["stops"], 7)
    read.close()
  })

  it.live("leaves no partial file if there is no space for the copy", function* () {
    const folder = yield* folderWith()
    const { code, err } = yield* connector([
      "store",
      "backup",
      "--store",
      current(folder),
      join(folder, "none/copy.db")
    ])
    assert.strictEqual(code, 1)
    assert.include(err, "cannot be written")
    assert.deepStrictEqual(readdirSync(folder), ["store.db"])
  })
})
