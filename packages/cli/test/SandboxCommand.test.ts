import { assert, describe, it } from "../../core/test/It.ts"
import { Deferred, Effect, Fiber } from "effect"
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { kinds } from "../src/format/Formats.ts"
import { connector, folderWith, type RunOptions } from "./RunningConnector.ts"

/** Runs `connector sandbox …` in the background, and returns after its address is printed. */
const running = (args: ReadonlyArray<string>, options: RunOptions) =>
  Effect.gen(function* () {
    const printed = yield* Deferred.make<{ readonly text: string; readonly interrupt: () => void }>()
    let sofar = ""
    const ended = yield* Effect.forkChild(
      connector(["sandbox", ...args], {
        ...options,
        watch: (text, child) => {
          sofar = text
          if (text.includes("_control/faults"))
            Deferred.doneUnsafe(printed, Effect.succeed({ text, interrupt: child.interrupt }))
        }
      })
    )
    const { interrupt, text } = yield* Deferred.await(printed)
    return { text, printed: () => sofar, stop: Effect.andThen(Effect.sync(interrupt), Fiber.join(ended)) }
  })

/** Returns the configuration and the environment as copied from the printed text. */
const copied = (text: string, folder: string): RunOptions => {
  writeFileSync(join(folder, "sandbox.json"), /^\{.*?^\}/ms.exec(text)?.[0] ?? "")
  const env = Object.fromEntries(Array.from(text.matchAll(/^export (\w+)=(.*)$/gm), ([, name, value]) => [name, value]))
  return { cwd: folder, env }
}

/** Export and book of each kind of source. */
const exports: Readonly<Record<string, readonly [string, string]>> = {
  "xero-like": ["historical-invoices.json", "historical-invoices.book.json"],
  "odoo-like": ["odoo-like.json", "odoo-like.book.json"]
}

// slow: the command runs several times

describe("connector sandbox", () => {
  it.live("is reachable at its printed address, has the mappings of the book, and keeps its state", function* () {
    const folder = yield* folderWith("historical-invoices.book.json")
    const args = ["--port", "0", "--book", "historical-invoices.book.json", "--state", "state.json"]
    const { printed, stop, text } = yield* running(args, { cwd: folder })
    const options = copied(text, folder)
    const mappings = yield* connector(["gateway", "tax-mappings", "--config", "sandbox.json"], options)
    assert.match(yield* Effect.sync(printed), /^\d\d:\d\d:\d\dZ {2}GET \/taxmapping {2}200 {2}sandbox$/m)
    assert.strictEqual(mappings.code, 0, mappings.err)
    assert.include(mappings.out, "VAT155")
    assert.include(text, `its state is kept in ${join(folder, "state.json")}`)
    yield* stop
    assert.isTrue(existsSync(join(folder, "state.json")))
  })

  for (const { name } of kinds)
    it.live(`serves the system of ${name} with an export, and every printed step works as it is pasted`, function* () {
      const [file, book] = exports[name]!
      const folder = yield* folderWith(file, book)
      const args = ["--port", "0", "--book", book, "--sources", file]
      const { stop, text } = yield* running(args, { cwd: folder })
      const options = copied(text, folder)
      const [, sources = ""] = /^ {2}"sources": (\{.*?^ {2}\})$/ms.exec(text) ?? []
      const config = JSON.parse(readFileSync(join(folder, "sandbox.json"), "utf8")) as object
      const entry = JSON.parse(sources.replace("YOUR.book.json", book)) as object
      writeFileSync(join(folder, "sandbox.json"), JSON.stringify({ ...config, sources: entry }))
      const [, setup = "", run = ""] = /plan:\n\n(.*)\nconnector (sync .*)$/m.exec(text) ?? []
      execFileSync("sh", ["-ec", setup], { cwd: folder })
      const first = yield* connector(run.split(" "), options)
      assert.match(first.out, /The first run is a plan/, first.err)
      const second = yield* connector(run.split(" "), options)
      assert.match(second.out, /[1-9]\d* new/, second.err)
      yield* stop
    })

  it.effect("names the kinds, with their lists, if a file has none of their documents", function* () {
    const folder = yield* folderWith("quickbooks-like.json")
    const args = ["sandbox", "--port", "0", "--sources", join(folder, "quickbooks-like.json")]
    const { code, err } = yield* connector(args)
    assert.strictEqual(code, 1)
    for (const { name } of kinds) assert.match(err, new RegExp(`${name} \\([\\w., ]+\\)`))
    assert.match((yield* connector(["sandbox", "--kind", "./erp.mjs"])).err, /--kind is the kind of --sources/)
  })

  it.live("accepts a whole configuration with comments, and prints an entry for each account", function* () {
    const folder = yield* folderWith()
    writeFileSync(
      join(folder, "gateway.json"),
      `{ "port": 0, // any
           "accounts": [{ "key": "k 1", "name": "shop", "application": "a", "station": "s", "device": 7 },
                        { "key": "k2", "secret": ["new", "old"] }],
           "devices": [{ "deviceId": 7 }],
           "faults": [{ "kind": "error", "status": 503, "operations": ["profile"], "times": 1 }] }`
    )
    const { stop, text } = yield* running(["--config", "gateway.json"], { cwd: folder })
    assert.match(text, /"shop": \{"baseUrl":"http:\/\/127.0.0.1:\d+","application":"a","station":"s",/)
    assert.include(text, "export FISCAL_CONNECTOR_SHOP_API_KEY='k 1'")
    assert.include(
      text,
      "export FISCAL_CONNECTOR_ACCOUNT_2_API_KEY=k2\nexport FISCAL_CONNECTOR_ACCOUNT_2_API_SECRET=new"
    )
    assert.include(text, "connector gateway profile --config sandbox.json --account shop")
    yield* stop
  })

  const refused = [
    ["a field that does not exist", `{ "accounts": [{ "key": "k", "devise": 1 }] }`, /:1:40 +accounts.0.devise/],
    ["a device that is not defined", `{ "accounts": [{ "key": "k", "device": 7 }] }`, /no device of this sandbox/],
    ["no JSON", "{", /:1:2 +not JSON/]
  ] as const
  for (const [title, text, said] of refused) {
    it.effect(`does not start with ${title}, and reports the place`, function* () {
      const folder = yield* folderWith()
      writeFileSync(join(folder, "gateway.json"), text)
      const { code, err } = yield* connector(["sandbox", "--config", join(folder, "gateway.json")])
      assert.strictEqual(code, 1)
      assert.match(err, said)
    })
  }

  it.effect("refuses a book together with a configuration if both define accounts", function* () {
    const folder = yield* folderWith("historical-invoices.book.json")
    writeFileSync(join(folder, "gateway.json"), `{ "accounts": [{ "key": "k" }] }`)
    const book = join(folder, "historical-invoices.book.json")
    const { code, err } = yield* connector(["sandbox", "--config", join(folder, "gateway.json"), "--book", book])
    assert.strictEqual(code, 1)
    assert.include(err, "leave one of them out")
  })

  it.effect("reports an invalid port", () =>
    Effect.map(connector(["sandbox", "--port", "99999"]), ({ code, err }) => {
      assert.strictEqual(code, 1)
      assert.include(err, "port: Expected a value between 0 and 65535")
    })
  )
})
