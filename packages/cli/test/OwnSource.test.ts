/** A kind of live source of an operator's own, named by the configuration. */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { chmodSync, copyFileSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { inject } from "vitest"
import { connector, folderWith } from "./RunningConnector.ts"

const consumers = join(import.meta.dirname, "../../../scripts/consumers")

/** Writes the kind and a configuration that names its file. */
const shop = Effect.gen(function* () {
  const folder = yield* folderWith("historical-invoices.book.json")
  symlinkSync(join(import.meta.dirname, "../node_modules"), join(folder, "node_modules"))
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text, { mode: 0o600 })
  write("erp.mjs", readFileSync(join(consumers, "own-kind/erp.mjs"), "utf8"))
  write("shop.key", "key of the shop\n")
  const accounts = { main: { baseUrl: "http://127.0.0.1:9", application: "shop", station: "till-1" } }
  const configure = (more: Readonly<Record<string, unknown>> = {}) =>
    write(
      "account.json",
      JSON.stringify({
        accounts,
        sources: {
          shop: {
            kind: "./erp.mjs",
            account: "main",
            book: "historical-invoices.book.json",
            tenant: "shelf-1",
            goLive: "2026-01-01",
            consent: "send",
            url: "https://shop.example",
            tokenUrl: "https://shop.example/token",
            authorizeUrl: "https://shop.example/login",
            redirectUrl: "http://localhost:8765/callback",
            shelf: "shelf-1",
            secretFile: "shop.key",
            options: { currency: "USD" },
            ...more
          }
        }
      })
    )
  const run = (...args: ReadonlyArray<string>) => connector([...args, "--config", "account.json"], { cwd: folder })
  return { folder, configure, run, write }
})

// slow: the command runs several times
describe("a kind of live source of an operator's own", () => {
  it.live("is logged in to, and read by sync, work, serve, the page and health, in a folder with nothing else", () =>
    Effect.sync(() => {
      const { stderr, stdout } = spawnSync(process.execPath, [join(consumers, "own-kind.mjs"), inject("command")], {
        encoding: "utf8"
      })
      assert.strictEqual(stdout, "login sync work serve page health package replaces refused\n", stderr)
    })
  )

  it.live(
    "has wrong settings and wrong code reported at their place, and code that others may change refused",
    function* () {
      const { configure, folder, run, write } = yield* shop
      configure({ shelf: 7, url: "ftp://shop", secretFile: undefined, options: {}, colour: "red" })
      for (const args of [
        ["sync", "shop"],
        ["config", "check"]
      ]) {
        const { code, err, out } = yield* run(...args)
        assert.strictEqual(code, 1)
        for (const text of [
          /sources\.shop\.shelf: Expected string/,
          /sources\.shop\.url: expected an https address/,
          /sources\.shop\.secretFile: expected the key of the shop/,
          /sources\.shop\.options\.currency: is not set/,
          /sources\.shop\.colour: there is no such setting/,
          /account\.json:1:\d+/
        ])
          assert.match(out + err, text)
      }
      configure({ kind: "xerolike" })
      assert.match((yield* run("sync", "shop")).err, /sources\.shop\.kind: there is no kind xerolike, but xero-like/)
      copyFileSync(join(folder, "shop.key"), join(folder, "not.mjs"))
      configure({ kind: "./not.mjs" })
      assert.match((yield* run("sync", "shop")).err, /cannot be loaded/)
      write(
        "not.mjs",
        `${readFileSync(join(folder, "erp.mjs"), "utf8").replace("check: (", "check: () => nothing, unused: (")}`
      )
      assert.match(
        (yield* run("sync", "shop")).err,
        /sources\.shop\.kind: its code fails: ReferenceError: nothing is not/
      )
      configure()
      chmodSync(join(folder, "erp.mjs"), 0o666)
      const exposed = yield* run("sync", "shop")
      assert.match(exposed.err, /sources\.shop\.kind: its code runs with your rights, and every user may write/)
      assert.notMatch(exposed.err, /which runs with your rights\.$/m)
    }
  )
})
