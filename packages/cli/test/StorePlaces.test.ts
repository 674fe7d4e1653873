/**
 * Proves that every command refuses an impossible place for a store in one sentence with an action,
 * without waiting or sending.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { connector, folderWith, gatewayFor } from "./RunningConnector.ts"

const raw = /no such file or directory|disk I\/O|unable to open|EISDIR|ENOTDIR|the store, /

const places = {
  "no/store.db": /its folder is not there: make the folder, or name another place \(ENOENT\)/,
  "file/store.db": /what should be its folder is a file: name another place/,
  folder: /it is a folder, and a store is a file: name another place/,
  pipe: /it is not a file, but a pipe or a device, and a store is a file: name another place/
}

const commands = [
  ["import", "csv", "historical-invoices.csv"],
  ["resume"],
  ["list"],
  ["health"],
  ["work"],
  ["plan", "csv", "historical-invoices.csv"],
  ["mappings", "plan", "--delete", "--book", "historical-invoices.book.json"],
  ["doctor"],
  ["config", "check"]
]

/** Returns true for read-only commands: for these a missing store is not a mistake. */
const isLooking = ([command]: ReadonlyArray<string>) => command === "list" || command === "health"

describe("an impossible place for a store", () => {
  it.live("is reported with the next step by every command that opens a store", function* () {
    const cwd = yield* folderWith("historical-invoices.csv", "historical-invoices.book.json")
    const { control, url } = yield* gatewayFor(cwd)
    writeFileSync(join(cwd, "file"), "")
    mkdirSync(join(cwd, "folder"))
    execFileSync("mkfifo", [join(cwd, "pipe")])
    const main = { baseUrl: url, application: "test", station: "test", keyFile: "key", secretFile: "secret" }
    for (const [store, said] of Object.entries(places)) {
      writeFileSync(join(cwd, "accounts.json"), JSON.stringify({ store, accounts: { main } }))
      for (const command of commands) {
        const isMissing = store.endsWith("store.db")
        const { code, err, out } = yield* connector([...command, "--config", "accounts.json"], { cwd })
        const text = `${command.join(" ")} ${store}\n${out}${err}`
        assert.strictEqual(code, 1, text)
        assert.notMatch(out + err, raw, text)
        if (command[0] === "config" || command[0] === "doctor") assert.include(out + err, "CONFIG_STORE_UNUSABLE", text)
        else if (isMissing && isLooking(command))
          assert.match(err, /There is no store .* no import can create it/, text)
        else assert.match(err, said, text)
      }
    }
    assert.deepStrictEqual(yield* control.accepted, [])
  })

  it.live(
    "is distinguished from a missing store that the first import creates: a plan reports that earlier documents are unknown",
    function* () {
      const cwd = yield* folderWith("historical-invoices.csv", "historical-invoices.book.json")
      yield* gatewayFor(cwd)
      const plan = ["plan", "csv", "historical-invoices.csv", "--config", "account.json"]
      const { code, err } = yield* connector(plan, { cwd })
      assert.strictEqual(code, 0)
      assert.match(err, /There is no store .*fiscal-connector\.db yet: nothing is known of documents sent before/)
      assert.isFalse(existsSync(join(cwd, "fiscal-connector.db")))
    }
  )

  it.live(
    "is distinguished from a store whose creation was interrupted, which the next import completes",
    function* () {
      const cwd = yield* folderWith("historical-invoices.csv", "historical-invoices.book.json")
      yield* gatewayFor(cwd)
      const database = new DatabaseSync(join(cwd, "fiscal-connector.db"))
      database.exec("pragma user_version = 0; create table x (y); drop table x")
      database.close()
      const health = yield* connector(["health", "--config", "account.json"], { cwd })
      assert.strictEqual(health.code, 1)
      assert.include(health.err, "it is not a store yet, because its creation was interrupted")
      const importing = ["import", "csv", "historical-invoices.csv", "--config", "account.json"]
      assert.strictEqual((yield* connector(importing, { cwd })).code, 0)
    }
  )
})
