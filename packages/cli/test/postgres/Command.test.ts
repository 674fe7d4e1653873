import { fresh } from "../../../core/test/postgres/Database.ts"
import { assert, describe, it } from "../../../core/test/It.ts"
import { Effect, Redacted } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { connector, exampleResult, folderWith, gatewayFor, lines, type RunOptions } from "../RunningConnector.ts"

const files = ["historical-invoices.csv", "historical-invoices.book.json"]

/**
 * Configures a folder with a store in PostgreSQL, in a separate schema; the password is in the
 * environment.
 */
const configured = Effect.fnUntraced(function* (folder: string) {
  const { schema, url } = fresh()
  const address = new URL(Redacted.value(url))
  const password = decodeURIComponent(address.password)
  address.password = ""
  yield* gatewayFor(folder)
  const file = join(folder, "account.json")
  const write = (store: unknown) =>
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), store }))
  write({ url: address.href, schema })
  const run = (args: ReadonlyArray<string>, options: RunOptions = {}) =>
    connector(args, { cwd: folder, env: { FISCAL_CONNECTOR_STORE_PASSWORD: password }, ...options })
  return { address: address.href, password, run, schema, write }
})

const importAll = ["import", "csv", "historical-invoices.csv", "--config", "account.json", "--json"]

describe("the command with a PostgreSQL store", () => {
  it.live("imports, lists, explains and reports health; a second import sends nothing", function* () {
    const folder = yield* folderWith(...files)
    const { run } = yield* configured(folder)
    const before = yield* run(["health", "--config", "account.json"])
    assert.strictEqual(before.code, 1)
    assert.match(before.err, /^There is no store 127\.0\.0\.1:\d+\/fiscal_test_\w+, schema fiscal_\w+\./)
    const planned = yield* run(["plan", "csv", "historical-invoices.csv", "--config", "account.json", "--json"])
    assert.strictEqual(planned.code, 0, planned.err)
    const first = yield* run(importAll)
    assert.strictEqual(first.code, 0, first.err)
    const summary = lines(first.out).at(-1) as { totals: unknown }
    assert.deepStrictEqual(summary.totals, exampleResult.totals)
    const again = yield* run(importAll)
    assert.strictEqual(again.code, 0, again.err)
    const listed = yield* run(["list", "--json", "--config", "account.json"])
    assert.lengthOf(lines(listed.out), 46)
    const [row] = lines(listed.out)
    const explained = yield* run(["explain", String(row!["number"]), "--config", "account.json"])
    assert.include(explained.out, "Fiscalised")
    const health = yield* run(["health", "--config", "account.json"])
    assert.strictEqual(health.out, "46 Fiscalised\nNo action needed.\n")
    const resumed = yield* run(["resume", "--config", "account.json"])
    assert.strictEqual(resumed.out, "Nothing is open.\n")
    const attempts = JSON.parse(readFileSync(join(folder, "account.stores.json"), "utf8")) as {
      stores: ReadonlyArray<{ attempts: number }>
    }
    assert.lengthOf(attempts.stores, 1)
    // Number of the last attempt: a look without an attempt skips a number.
    assert.isAtLeast(attempts.stores[0]!.attempts, 46)
  })

  it.live("accepts the store address as a flag, and reads the password from a file", function* () {
    const folder = yield* folderWith(...files)
    const { address, password, run, schema, write } = yield* configured(folder)
    writeFileSync(join(folder, "store.password"), `${password}\n`, { mode: 0o600 })
    write({ url: address, schema, passwordFile: "store.password" })
    const checked = yield* run(["config", "check", "--config", "account.json"], { env: {} })
    assert.strictEqual(checked.code, 0, checked.err)
    assert.include(checked.out, `schema ${schema} (password from ${join(folder, "store.password")})`)
    assert.notInclude(checked.out, password)
    const imported = yield* run(importAll, { env: {} })
    assert.strictEqual(imported.code, 0, imported.err)
    // Schema of every store without a stated schema: it does not exist here.
    const named = yield* run(["list", "--store", address])
    assert.strictEqual(named.code, 1)
    assert.include(named.err, "schema fiscal_connector")
  })

  it.live(
    "reports a problem with the address, the password or the server in one sentence, and sends nothing",
    function* () {
      const folder = yield* folderWith(...files)
      const { address, password, run, schema, write } = yield* configured(folder)
      const inside = new URL(address)
      inside.password = password
      write(inside.href)
      const leaked = yield* run(importAll)
      assert.strictEqual(leaked.code, 1)
      assert.include(leaked.err, "CONFIG_SECRET_INSIDE")
      assert.notInclude(leaked.err + leaked.out, password)
      write("mysql://db.example/fiscal")
      const other = yield* run(importAll)
      assert.strictEqual(other.code, 1)
      assert.include(other.err, "expected a file, or an address that begins with postgres://")
      write({ url: address, schema })
      const wrong = yield* run(importAll, { env: { FISCAL_CONNECTOR_STORE_PASSWORD: "wrong" } })
      assert.strictEqual(wrong.code, 1)
      assert.include(wrong.err, "password authentication failed")
      const away = new URL(address)
      away.port = "1"
      write({ url: away.href, schema })
      const gone = yield* run(importAll)
      assert.strictEqual(gone.code, 1)
      assert.include(gone.err, "ECONNREFUSED")
      for (const { err } of [wrong, gone]) assert.notInclude(err, "    at ")
      const backup = yield* run(["store", "backup", "copy.db", "--config", "account.json"])
      assert.include(backup.err, "pg_dump")
    }
  )
})
