import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { chmodSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { envelope } from "./Envelope.ts"
import { called } from "./CalledConnector.ts"
import { folderWith } from "./RunningConnector.ts"

const settings = `"baseUrl": "https://gateway.example/api", "application": "app", "station": "till-1", "keyFile": "key"`

/** `config check` of the text, in a folder with the files `key` and `secret`. */
const check = (text: string, ...flags: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const folder = yield* folderWith()
    writeFileSync(join(folder, "accounts.json"), text)
    for (const name of ["key", "secret"]) writeFileSync(join(folder, name), `${name}-PLANTED\n`, { mode: 0o600 })
    chmodSync(join(folder, "secret"), 0o644)
    const ended = yield* called("config", "check", "--config", join(folder, "accounts.json"), ...flags)
    assert.notInclude(ended.out + ended.err, "PLANTED")
    return { ...ended, out: ended.out.replaceAll(`${folder}/`, ""), err: ended.err.replaceAll(`${folder}/`, "") }
  }).pipe(Effect.scoped)

describe("connector config check", () => {
  it.effect("says of every account what it is and where its secrets were found, and what to look at; exit code 0", () =>
    Effect.gen(function* () {
      const { code, out } = yield* check(
        `{ "accounts": { "shop": { ${settings}, "secretFile": "secret", "assumptions": { "ORD-1": "outcome" } }, "till 2": { ${settings} } } }`
      )
      assert.strictEqual(code, 0)
      assert.include(
        out,
        `shop
  baseUrl      https://gateway.example/api
  application  app
  station      till-1
  version      1
  unknown      hold
  credentials  shared
  key          from key
  secret       from secret
  assumptions  ORD-1 = outcome`
      )
      assert.match(out, /^till 2$/m)
      assert.include(out, "accounts.json is in order. Submissions are kept in fiscal-connector.db.")
      assert.match(
        out,
        /CONFIG_SECRET_EXPOSED \(warning\)\n +accounts.json:1:\d+ +secret can be read by others \(mode 0644\)/
      )
      assert.include(out, "account till 2 has no secret, in a file or in FISCAL_CONNECTOR_TILL_2_API_SECRET")
    })
  )

  it.effect("shows every problem of every account with its place; exit code 1", () =>
    Effect.gen(function* () {
      const { code, err, out } = yield* check(`{ "accounts": {
  "shop": { ${settings}, "stattion": "x" },
  "other": { "keyFile": "nowhere" }
} }`)
      assert.strictEqual(code, 1)
      assert.include(out, "shop: cannot be used")
      const column = `  "shop": { ${settings}, "stattion": `.length + 1
      assert.include(err, `accounts.json:2:${column}  accounts.shop.stattion: there is no such setting`)
      assert.include(err, "accounts.json:3:25  nowhere cannot be read")
      assert.include(err, "accounts.json:3:12  accounts.other.baseUrl: is not set")
    })
  )

  for (const [title, text, said] of [
    ["is no JSON", "{", /accounts.json:1:2 +not JSON/],
    ["has no accounts", "{}", /accounts: is not set/]
  ] as const) {
    it.effect(`says so of a file that ${title}`, () =>
      Effect.map(check(text), ({ code, err }) => {
        assert.strictEqual(code, 1)
        assert.match(err, said)
      })
    )
  }

  it.effect("prints the same as JSON", () =>
    Effect.gen(function* () {
      const { code, err, out } = yield* check(`{ "accounts": { "shop": { ${settings} }, "x": 1 } }`, "--json")
      assert.strictEqual(code, 1)
      assert.strictEqual(err, "")
      const found: unknown = envelope(out).data
      assert.containSubset(found, {
        file: "accounts.json",
        accounts: [
          { name: "shop", usable: "yes", key: { from: "file", file: "key" }, secret: null },
          { name: "x", usable: "no", key: null }
        ],
        findings: [
          { code: "CONFIG_UNSIGNED", severity: "warning" },
          { code: "CONFIG_SHAPE", path: ["accounts", "x"] }
        ]
      })
    })
  )
})

describe("an account of a configuration", () => {
  const config = (text: string) =>
    Effect.gen(function* () {
      const folder = yield* folderWith()
      writeFileSync(join(folder, "accounts.json"), text)
      const args = ["gateway", "profile", "--config", join(folder, "accounts.json")]
      return { one: yield* called(...args), named: yield* called(...args, "--account", "b") }
    }).pipe(Effect.scoped)

  it.effect("is named where there are several, and every problem in its way is said", () =>
    Effect.gen(function* () {
      const { named, one } = yield* config(`{ "accounts": { "a": {}, "b": { "version": 5 } } }`)
      assert.deepStrictEqual([one.code, named.code], [1, 1])
      assert.include(one.err, "several accounts; say which with --account: a, b")
      for (const said of ["accounts.b.version: Expected string", "accounts.b.baseUrl: is not set", "CONFIG_NO_KEY"]) {
        assert.include(named.err, said)
      }
      assert.notInclude(named.err, "accounts.a")
    })
  )
})
