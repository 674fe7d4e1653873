import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { chmodSync, copyFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { envelope } from "./Envelope.ts"
import { connector, examples, folderWith } from "./RunningConnector.ts"

const settings = `"baseUrl": "https://gateway.example/api", "application": "app", "station": "till-1", "keyFile": "key"`

/**
 * Removes the variables of the account main: no account here has this name, so the variables would
 * be reported as unused.
 */
const withoutMain = { FISCAL_CONNECTOR_MAIN_API_KEY: undefined, FISCAL_CONNECTOR_MAIN_API_SECRET: undefined }

/** Runs `config check` of the text, in a folder with the files `key` and `secret`. */
const check = (text: string, ...flags: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const folder = yield* folderWith()
    writeFileSync(join(folder, "accounts.json"), text)
    for (const name of ["key", "secret"]) writeFileSync(join(folder, name), `${name}-PLANTED\n`, { mode: 0o600 })
    chmodSync(join(folder, "secret"), 0o644)
    const ended = yield* connector(["config", "check", "--config", join(folder, "accounts.json"), ...flags])
    assert.notInclude(ended.out + ended.err, "PLANTED")
    return { ...ended, out: ended.out.replaceAll(`${folder}/`, ""), err: ended.err.replaceAll(`${folder}/`, "") }
  }).pipe(Effect.scoped)

describe("connector config check", () => {
  it.effect(
    "prints the settings, the sources of the secrets and the warnings of every account; exit code 0",
    function* () {
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
      assert.include(
        out,
        "account till 2 has no secret, in a file, from a command or in FISCAL_CONNECTOR_TILL_2_API_SECRET"
      )
    }
  )

  it.effect("reports every problem of every account with its place; exit code 1", function* () {
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

  for (const [title, text, said] of [
    ["is not JSON", "{", /accounts.json:1:2 +not JSON/],
    ["has no accounts", "{}", /accounts: is not set/]
  ] as const) {
    it.effect(`reports a file that ${title}`, () =>
      Effect.map(check(text), ({ code, err }) => {
        assert.strictEqual(code, 1)
        assert.match(err, said)
      })
    )
  }

  it.effect("prints the same facts as JSON", function* () {
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
})

describe("the check of the files, commands and folders that a configuration names", () => {
  const entry = `"baseUrl": "https://gateway.example/api", "application": "app", "station": "till-1", "secretFile": "secret"`
  const one = `"accounts": { "shop": { ${entry}, "keyFile": "key" } }`

  /** Runs the check of `text` in a folder with a key, a secret, and the files that `lay` adds. */
  const around = (text: string, lay: (folder: string) => void = () => {}, ...flags: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const folder = yield* folderWith()
      writeFileSync(join(folder, "accounts.json"), text)
      for (const name of ["key", "secret"]) writeFileSync(join(folder, name), `${name}-PLANTED`, { mode: 0o600 })
      lay(folder)
      const before = readdirSync(folder)
      const ended = yield* connector(
        [
          "config",
          "check",
          "-c",
          join(folder, "accounts.json"),
          ...flags.map((flag) => flag.replace("FOLDER", folder))
        ],
        { env: withoutMain }
      )
      assert.deepStrictEqual(readdirSync(folder), before)
      assert.notInclude(ended.out + ended.err, "PLANTED")
      return ended
    }).pipe(Effect.scoped)

  const stops: ReadonlyArray<readonly [title: string, text: string, lay: (folder: string) => void, said: RegExp]> = [
    [
      "a store whose folder is not there",
      `{ "store": "no/where.db", ${one} }`,
      () => {},
      /CONFIG_STORE_UNUSABLE \(error\)\n +.*accounts.json:1:\d+ +there is no folder .*\/no for the store/
    ],
    [
      "a store in what is no folder",
      `{ "store": "key/store.db", ${one} }`,
      () => {},
      /\/key is not a folder, and the store would be in it/
    ],
    [
      "a store that is a folder",
      `{ "store": "store", ${one} }`,
      (folder) => mkdirSync(join(folder, "store")),
      /\/store is a folder, and the store is a file/
    ],
    ["a store that is another file", `{ "store": "key", ${one} }`, () => {}, /\/key is something else, and no store/],
    [
      "an empty key",
      `{ "accounts": { "shop": { ${entry}, "keyFile": "empty" } } }`,
      (folder) => writeFileSync(join(folder, "empty"), "\n", { mode: 0o600 }),
      /empty is empty/
    ],
    [
      "a key that is not there",
      `{ "accounts": { "shop": { ${entry}, "keyFile": "nowhere" } } }`,
      () => {},
      /nowhere cannot be read/
    ],
    [
      "no key in a file or the environment",
      `{ "accounts": { "shop": { ${entry} } } }`,
      () => {},
      /or in FISCAL_CONNECTOR_SHOP_API_KEY/
    ],
    [
      "plain http off this machine",
      `{ "accounts": { "shop": { ${entry.replace("https", "http")}, "keyFile": "key" } } }`,
      () => {},
      /expected https: http is for loopback only/
    ],
    [
      "a faulty book next to it",
      `{ ${one} }`,
      (folder) => writeFileSync(join(folder, "sales.book.json"), "{ oops"),
      /BOOK_SYNTAX \(error\)\n +.*sales.book.json:1:/
    ],
    [
      "an invalid zone",
      `{ ${one} }`,
      (folder) =>
        writeFileSync(
          join(folder, "sales.book.json"),
          `{ "version": 1, "zone": "Harare", "taxes": [], "currencies": [] }`
        ),
      /BOOK_ZONE \(error\)\n +.*sales.book.json:1:\d+ +"Harare" is not a zone/
    ]
  ]
  for (const [title, text, lay, said] of stops) {
    it.effect(`fails with a problem that stops an import: ${title}; exit code 1`, () =>
      Effect.map(around(text, lay), ({ code, err }) => {
        assert.strictEqual(code, 1)
        assert.match(err, said)
      })
    )
  }

  it.effect("fails if the named book does not exist", () =>
    Effect.map(around(`{ ${one} }`, undefined, "--book", "FOLDER/nope.json"), ({ code, err }) => {
      assert.strictEqual(code, 1)
      assert.match(err, /BOOK_UNREADABLE \(error\)\n +.*nope.json +There is no file .*nope.json/)
    })
  )

  const warned: ReadonlyArray<readonly [title: string, text: string, said: RegExp]> = [
    [
      "an alert command missing from PATH",
      `{ "alert": { "command": ["no-such-command"] }, ${one} }`,
      /CONFIG_ALERT_NOT_FOUND \(warning\)\n.* no folder of PATH has an executable no-such-command/
    ],
    [
      "an alert command that is not executable",
      `{ "alert": { "command": ["./key"] }, ${one} }`,
      /there is no executable .*\/key/
    ],
    [
      "two accounts with the same key",
      `{ "accounts": { "a": { ${entry}, "keyFile": "key" }, "b": { ${entry}, "keyFile": "key" } } }`,
      /CONFIG_KEY_SHARED \(warning\)\n.* the accounts a and b have the same key/
    ],
    [
      "a PostgreSQL on another machine without a password",
      `{ "store": "postgres://u@db.example/f", ${one} }`,
      /CONFIG_STORE_NO_PASSWORD \(warning\)\n.* no password is given for db.example, .*FISCAL_CONNECTOR_STORE_PASSWORD/
    ]
  ]
  for (const [title, text, said] of warned) {
    it.effect(`warns without failing: ${title}`, () =>
      Effect.map(around(text), ({ code, out }) => {
        assert.strictEqual(code, 0)
        assert.match(out, said)
      })
    )
  }

  it.effect("passes if command, book and store folder exist", () =>
    Effect.map(
      around(
        `{ "alert": { "command": ["sh", "-c", "true"] }, "store": "postgres://u@localhost/f", ${one} }`,
        (folder) => copyFileSync(join(examples, "historical-invoices.book.json"), join(folder, "sales.book.json"))
      ),
      ({ code, out }) => {
        assert.strictEqual(code, 0)
        assert.match(out, /The mapping book .*sales.book.json can be read.\n$/)
        assert.notInclude(out, "To look at")
      }
    )
  )
})

describe("a command with a configuration of several accounts", () => {
  const config = (text: string) =>
    Effect.gen(function* () {
      const folder = yield* folderWith()
      writeFileSync(join(folder, "accounts.json"), text)
      const args = ["gateway", "profile", "--config", join(folder, "accounts.json")]
      return { one: yield* connector(args), named: yield* connector([...args, "--account", "b"]) }
    }).pipe(Effect.scoped)

  it.effect("asks for the account, and reports every problem of the named account", function* () {
    const { named, one } = yield* config(`{ "accounts": { "a": {}, "b": { "version": 5 } } }`)
    assert.deepStrictEqual([one.code, named.code], [1, 1])
    assert.include(one.err, "several accounts; name one with --account: a, b")
    for (const said of ["accounts.b.version: Expected string", "accounts.b.baseUrl: is not set", "CONFIG_NO_KEY"]) {
      assert.include(named.err, said)
    }
    assert.notInclude(named.err, "accounts.a")
  })
})
