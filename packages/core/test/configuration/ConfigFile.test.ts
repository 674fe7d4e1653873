import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "../It.ts"
import { Duration, Effect, Redacted } from "effect"
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as ConfigFile from "../../src/configuration/ConfigFile.ts"
import * as StorePlace from "../../src/submission/StorePlace.ts"
import type { ConfigEnvironment } from "../../src/configuration/ConfigVariables.ts"

type Files = { readonly [name: string]: string | Uint8Array }

const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le")

const good = `{
  // the shop's account
  "accounts": {
    "main": {
      "baseUrl": "https://gateway.example/api", "application": "app", "station": "till-1",
      "keyFile": "main.key", "secretFile": "main.secret",
    },
  },
}`

const secrets: Files = { "main.key": "k-PLANTED\n", "main.secret": " s-PLANTED \r\n" }

/**
 * Reads the configuration `text` in a separate folder, beside files that only their owner can read.
 */
const read = (text: string | Uint8Array, environment: ConfigEnvironment = {}, files: Files = secrets) =>
  Effect.gen(function* () {
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "config-"))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
    )
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content, { mode: 0o600 })
    if ("exposed.key" in files) chmodSync(join(folder, "exposed.key"), 0o644)
    writeFileSync(join(folder, "accounts.json"), text)
    const configuration = yield* ConfigFile.read(join(folder, "accounts.json"), environment)
    return { configuration, folder }
  }).pipe(Effect.provide(NodeServices.layer))

/** Returns all findings as `line:column CODE message`, without the folder. */
const problems = (text: string | Uint8Array, environment: ConfigEnvironment = {}, files: Files = secrets) =>
  Effect.map(read(text, environment, files), ({ configuration: { accounts, findings }, folder }) =>
    [...findings, ...accounts.flatMap((account) => account.findings)].map(({ at, code, message }) =>
      `${at?.line ?? "-"}:${at?.column ?? "-"} ${code} ${message}`.replaceAll(`${folder}/`, "")
    )
  )

const account = (text: string, environment: ConfigEnvironment = {}, name = "main") =>
  Effect.flatMap(read(text, environment), ({ configuration }) => ConfigFile.account(configuration, name))

const withStore = (store: unknown) => good.replace(`"accounts"`, `"store": ${JSON.stringify(store)}, "accounts"`)

describe("the store of a configuration", () => {
  it.effect("is a file next to it, or a database with its password from the environment or from a file", function* () {
    const file = yield* read(withStore("data/x.db"))
    assert.deepStrictEqual(file.configuration.store.place, StorePlace.file(join(file.folder, "data/x.db")))
    const url = "postgres://me@db.example:5433/fiscal"
    const files = { ...secrets, "db.password": " from-file \n" }
    for (const [environment, password] of [
      [{ FISCAL_CONNECTOR_STORE_PASSWORD: "from-environment" }, "from-environment"],
      [{}, "from-file"]
    ] as const) {
      const { configuration } = yield* read(withStore({ url, passwordFile: "db.password" }), environment, files)
      const { findings, place } = configuration.store
      assert.deepStrictEqual([...findings, ...configuration.findings], [])
      assert(place?._tag === "Postgres")
      assert.strictEqual(Redacted.value(place.password!), password)
      assert.strictEqual(StorePlace.describe(place), "db.example:5433/fiscal, schema fiscal_connector")
    }
  })

  for (const [store, said] of [
    ["", "CONFIG_SHAPE store: expected a file, or postgres://user@host:5432/database"],
    ["mysql://db/x", "CONFIG_SHAPE store: expected a file, or an address that begins with postgres://"],
    ["postgres://db", "CONFIG_SHAPE store: expected postgres://user@host:5432/database; it names no database"],
    ["postgres://me:PLANTED@db/x", "CONFIG_SECRET_INSIDE store: there is a password in the address"],
    ["postgres://me@db/x?password=PLANTED", "CONFIG_SECRET_INSIDE store: there is a password in the address"],
    [{ url: "postgres://me:PLANTED@db/x" }, "CONFIG_SECRET_INSIDE store.url: there is a password in the address"],
    [{ url: "postgres://db/x", scheme: "y" }, "CONFIG_SHAPE store.scheme: there is no such setting"],
    [
      { url: "postgres://db/x", passwordFile: "none" },
      "CONFIG_SECRET_UNUSABLE none cannot be read: there is no such file"
    ],
    [
      { url: "postgres://db/x", authoritiesFile: "main.key" },
      "CONFIG_SHAPE store.authoritiesFile: main.key cannot be read, or has no certificate in it"
    ]
  ] as const) {
    it.effect(`cannot be ${JSON.stringify(store)}, and then no account is usable`, function* () {
      const found = yield* problems(withStore(store))
      assert.lengthOf(found, 1)
      assert.strictEqual(found[0]!.replace(/^\S+ /, ""), said)
      const error = yield* Effect.flip(account(withStore(store)))
      assert.notInclude(error.message, "PLANTED")
    })
  }

  it.effect("on another machine without a verified identity causes a warning", function* () {
    const plain = (url: string) => problems(withStore({ url, encryption: "insecure" }))
    assert.match((yield* plain("postgres://me@db.example/x")).join(), /^3:\d+ CONFIG_STORE_PLAIN/)
    assert.deepStrictEqual(yield* plain("postgres://me@localhost/x"), [])
  })
})

const withAlert = (alert: unknown) => good.replace(`"accounts"`, `"alert": ${JSON.stringify(alert)}, "accounts"`)

describe("the alert of a configuration", () => {
  it.effect("is a command, found next to the configuration or on the path, or a URL", function* () {
    const target = (alert: unknown) =>
      Effect.map(read(withAlert(alert)), ({ configuration, folder }) =>
        JSON.stringify(configuration.alert.target).replaceAll(folder, "HERE")
      )
    assert.strictEqual(yield* target({ command: ["tell", "-v"] }), `{"_tag":"Command","argv":["tell","-v"]}`)
    assert.strictEqual(yield* target({ command: ["./tell"] }), `{"_tag":"Command","argv":["HERE/tell"]}`)
    assert.strictEqual(yield* target({ url: "https://a.example/x" }), `{"_tag":"Url","url":"https://a.example/x"}`)
  })

  for (const [alert, said] of [
    [{}, "alert: expected a command or a url, one of them"],
    [{ command: ["a"], url: "https://a.example" }, "alert: expected a command or a url, one of them"],
    [{ command: "rm -rf" }, "alert.command: "],
    [{ command: [] }, "alert.command"],
    [{ url: "http://a.example/x" }, "alert.url: expected an https address"],
    [{ url: "https://me:PLANTED@a.example/x" }, "alert.url: expected an https address"],
    [{ shell: "x" }, "alert.shell: there is no such setting"]
  ] as const) {
    it.effect(`cannot be ${JSON.stringify(alert)}`, function* () {
      const found = yield* problems(withAlert(alert))
      assert.lengthOf(found, 1)
      assert.include(found[0]!, said)
      assert.notInclude(found[0]!, "PLANTED")
    })
  }
})

describe("an account of a configuration", () => {
  it.effect("has its settings, and its secrets from files without surrounding white space", function* () {
    const { configuration, folder } = yield* read(good)
    const { gateway, name, settled } = yield* ConfigFile.account(configuration, "main")
    assert.deepStrictEqual(configuration.store.place, StorePlace.file(join(folder, "fiscal-connector.db")))
    assert.deepStrictEqual(
      [name, settled.baseUrl, settled.station, settled.version],
      ["main", "https://gateway.example/api", "till-1", "1"]
    )
    assert.strictEqual(Redacted.value(gateway.apiKey), "k-PLANTED")
    assert.strictEqual(Redacted.value(gateway.secret!), "s-PLANTED")
    assert.deepStrictEqual(configuration.accounts[0]!.findings, [])
    assert.deepStrictEqual(configuration.accounts[0]!.secrets.apiKey!.origin, {
      from: "file",
      file: join(folder, "main.key")
    })
  })

  it.effect("takes settings from the environment before the file, and ignores an empty variable", function* () {
    const { gateway, settled } = yield* account(good, {
      FISCAL_CONNECTOR_MAIN_BASE_URL: "https://other.example",
      FISCAL_CONNECTOR_MAIN_STATION: "",
      FISCAL_CONNECTOR_MAIN_VERSION: "2",
      FISCAL_CONNECTOR_MAIN_API_KEY: "k-environment",
      FISCAL_CONNECTOR_MAIN_API_FORMER_SECRET: "s-former"
    })
    assert.deepStrictEqual(
      [settled.baseUrl, settled.station, settled.version],
      ["https://other.example", "till-1", "2"]
    )
    assert.strictEqual(Redacted.value(gateway.apiKey), "k-environment")
    assert.strictEqual(Redacted.value(gateway.secret!), "s-PLANTED")
    assert.deepStrictEqual(gateway.formerSecrets!.map(Redacted.value), ["s-former"])
  })

  it.effect("may be defined without settings in the file", function* () {
    const { settled } = yield* account(
      `{ "accounts": { "Till 2": {} } }`,
      {
        FISCAL_CONNECTOR_TILL_2_BASE_URL: "https://gateway.example",
        FISCAL_CONNECTOR_TILL_2_APPLICATION: "app",
        FISCAL_CONNECTOR_TILL_2_STATION: "till-2",
        FISCAL_CONNECTOR_TILL_2_API_KEY: "k"
      },
      "Till 2"
    )
    assert.strictEqual(settled.station, "till-2")
  })

  it.effect("passes its settings to the engine", function* () {
    const text = good.replace(
      `"keyFile"`,
      `"unknown": "resend-flagged", "credentials": "exclusive", "pace": "200 millis", "unworkedAfter": "4 hours", "assumptions": { "DOC-10": "deduplicates" }, "keyFile"`
    )
    const { policy, settled } = yield* account(text)
    assert.deepStrictEqual(policy, {
      firstLook: Duration.seconds(6),
      unknown: "resend-flagged",
      credentials: "exclusive",
      pace: Duration.millis(200),
      unworkedAfter: Duration.hours(4)
    })
    assert.strictEqual(settled.assumptions["DOC-10"], "deduplicates")
  })

  it.effect("must have a name that is in the file", () =>
    Effect.map(Effect.flip(account(good, {}, "mian")), ({ message }) =>
      assert.include(message, "accounts: the configuration has no account mian; it has main")
    )
  )

  it.effect("is usable even if another account is not", function* () {
    const text = good.replace(`"main": {`, `"other": { "keyFile": "nowhere.key" }, "main": {`)
    assert.strictEqual((yield* account(text)).name, "main")
    const { findings } = yield* Effect.flip(account(text, {}, "other"))
    assert.deepStrictEqual(
      findings.map(({ code }) => code),
      ["CONFIG_SECRET_UNUSABLE", "CONFIG_SHAPE", "CONFIG_SHAPE", "CONFIG_SHAPE"]
    )
  })
})

describe("a configuration", () => {
  it.effect("is checked as a whole: every account, all problems at once, each with its place", function* () {
    const text = `{ "stores": "x",
  "accounts": {
    "main": { "baseUrl": "http://gateway.example", "application": " x", "keyFile": "main.key", "secretFile": "main.secret",
      "timeouts": { "write": "soon" }, "retries": { "times": 99 }, "nonsense": true, "toString": 1,
      "assumptions": { "STAT-1": "success", "NOPE": 1 }, "pace": "fast", "unworkedAfter": "30 seconds",
      "paths": { "downloadPdf": "/x" }, "formerSecretFiles": ["main.secret", 5] },
    "number": 5,
    "other": { "baseUrl": "https://a.example", "baseUrl": "https://b.example", "station": "s", "unknown": "resend-flagged" }
  } }`
    assert.deepStrictEqual((yield* problems(text)).toSorted(), [
      "1:13 CONFIG_SHAPE stores: there is no such setting",
      "3:13 CONFIG_SHAPE accounts.main.station: is not set",
      "3:26 CONFIG_SHAPE accounts.main.baseUrl: expected https: http is for loopback only, since the key travels in every request (AUTH-7)",
      "3:67 CONFIG_SHAPE accounts.main.application: expected 1 to 200 printable ASCII characters, no white space at either end",
      "4:30 CONFIG_SHAPE accounts.main.timeouts.write: expected a duration such as 30 seconds or 500 millis",
      "4:62 CONFIG_SHAPE accounts.main.retries.times: Expected a value between 0 and 20",
      "4:80 CONFIG_SHAPE accounts.main.nonsense: there is no such setting",
      "4:98 CONFIG_SHAPE accounts.main.toString: there is no such setting",
      '5:34 CONFIG_SHAPE accounts.main.assumptions.STAT-1: Expected "pending" | "rejected"',
      "5:53 CONFIG_SHAPE accounts.main.assumptions.NOPE: there is no such setting",
      "5:66 CONFIG_SHAPE accounts.main.pace: expected a duration such as 30 seconds or 500 millis",
      "5:91 CONFIG_SHAPE accounts.main.unworkedAfter: expected 1 minute or more",
      "6:33 CONFIG_SHAPE accounts.main.paths.downloadPdf: expected a path that begins with / and has {file} in it once",
      "6:78 CONFIG_SHAPE accounts.main.formerSecretFiles.1: Expected string",
      "7:15 CONFIG_SHAPE accounts.number: expected an object with the account's settings",
      "8:14 CONFIG_NO_KEY account other has no key, in a file, from a command or in FISCAL_CONNECTOR_OTHER_API_KEY",
      "8:14 CONFIG_SHAPE accounts.other.application: is not set",
      "8:14 CONFIG_UNSIGNED account other has no secret, in a file, from a command or in FISCAL_CONNECTOR_OTHER_API_SECRET",
      "8:48 CONFIG_SHAPE accounts.other.baseUrl: appears twice in the same object"
    ])
  })

  for (const [title, text, expected] of [
    ["no JSON", `{ "accounts": {,} }`, ["1:16 CONFIG_SYNTAX"]],
    ["empty", "", ["1:1 CONFIG_SYNTAX"]]
  ] as const) {
    it.effect(`that is ${title} is refused with the place`, () =>
      Effect.map(Effect.flip(read(text)), (error) => {
        assert.strictEqual(error._tag, "ConfigFileError")
        assert.deepStrictEqual(
          error.findings.map(({ at, code }) => `${at?.line}:${at?.column} ${code}`),
          [...expected]
        )
      })
    )
  }

  for (const text of ["[]", "5", "{}", `{ "accounts": {} }`, `{ "accounts": [] }`]) {
    it.effect(`without accounts is refused: ${text}`, function* () {
      const { configuration } = yield* read(text)
      const error = yield* Effect.flip(ConfigFile.account(configuration, "main"))
      assert.deepStrictEqual(
        error.findings.map(({ code }) => code),
        ["CONFIG_SHAPE"]
      )
      assert.notInclude(error.message, "main")
    })
  }

  it.effect("that does not exist is refused", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(ConfigFile.read("/nowhere/accounts.json", {}))
      assert.deepStrictEqual(
        error.findings.map(({ code }) => code),
        ["CONFIG_UNREADABLE"]
      )
    }).pipe(Effect.provide(NodeServices.layer))
  )
})

describe("a dangerous setting", () => {
  it.effect(
    "is reported: secrets in the file, readable by others, empty, missing, or with white space from the environment",
    function* () {
      const text = `{ "accounts": { "main": { "baseUrl": "https://a.example", "application": "a", "station": "s",
  "keyFile": "exposed.key", "secret": "PLANTED", "formerSecretFiles": ["empty", "nowhere"] } } }`
      const environment = { FISCAL_CONNECTOR_MAIN_API_SECRET: " PLANTED" }
      const found = yield* problems(text, environment, { "exposed.key": "PLANTED", empty: "\n" })
      assert.sameMembers(found, [
        "2:14 CONFIG_SECRET_EXPOSED exposed.key can be read by others (mode 0644)",
        "2:39 CONFIG_SECRET_INSIDE accounts.main.secret is a secret",
        "2:72 CONFIG_SECRET_UNUSABLE empty is empty",
        "2:81 CONFIG_SECRET_UNUSABLE nowhere cannot be read: there is no such file",
        "1:25 CONFIG_SECRET_UNUSABLE FISCAL_CONNECTOR_MAIN_API_SECRET: expected at least 8 characters, no white space at either end: a shorter text is a word, and cannot be kept out of messages"
      ])
      assert.notInclude(found.join(), "PLANTED")
    }
  )

  it.effect(
    "is reported for a key with two lines or from a special file; a key written by Windows PowerShell is read",
    function* () {
      const entry = (file: string) =>
        `{ "accounts": { "main": { "baseUrl": "https://a.example", "application": "a", "station": "s", "keyFile": "${file}", "secretFile": "main.secret" } } }`
      assert.deepStrictEqual(yield* problems(entry("two"), {}, { ...secrets, two: "PLANTED\r\nPLANTED\r\n" }), [
        "1:106 CONFIG_SECRET_UNUSABLE two has more than one line"
      ])
      assert.deepStrictEqual(yield* problems(entry("/dev/null")), [
        "1:106 CONFIG_SECRET_UNUSABLE /dev/null is not a file, but a pipe or a device"
      ])
      const { configuration } = yield* read(entry("wide"), {}, { ...secrets, wide: utf16("k-PLANTED\r\n") })
      assert.strictEqual(Redacted.value(configuration.accounts[0]!.secrets.apiKey!.value), "k-PLANTED")
    }
  )

  it.effect(
    "is found in a file written by Windows as well: UTF-16 or UTF-8 with a byte order mark, lines ending with CR LF",
    function* () {
      const windows = good.replaceAll("\n", "\r\n")
      for (const text of [utf16(windows), `\uFEFF${windows}`]) assert.deepStrictEqual(yield* problems(text), [])
      assert.deepStrictEqual(yield* problems(utf16(windows.replace('"station"', '"sttion"'))), [
        "5:81 CONFIG_SHAPE accounts.main.sttion: there is no such setting",
        "4:13 CONFIG_SHAPE accounts.main.station: is not set"
      ])
    }
  )

  it.effect(
    "is reported for a variable with an invalid value, with the variable's name and without the value",
    function* () {
      const found = yield* problems(good, { FISCAL_CONNECTOR_MAIN_BASE_URL: "PLANTED" })
      assert.deepStrictEqual(found, [
        "4:13 CONFIG_SHAPE FISCAL_CONNECTOR_MAIN_BASE_URL: expected an address such as https://gateway.example/api"
      ])
    }
  )

  it.effect("is reported for resending if the gateway may not recognize a document", function* () {
    const text = good.replace(`"keyFile"`, `"unknown": "resend-flagged", "keyFile"`)
    assert.deepStrictEqual(yield* problems(text), [
      "6:18 CONFIG_RESEND_UNSAFE A document with an unknown outcome would be sent again, although the gateway may not recognize it"
    ])
    assert.strictEqual((yield* Effect.flip(account(text)))._tag, "ConfigFileError")
  })

  it.effect("warns of a value of STAT-9 that decides nothing any more, and of no value that decides", function* () {
    const withStat9 = (value: string) => good.replace(`"keyFile"`, `"assumptions": { "STAT-9": "${value}" }, "keyFile"`)
    for (const value of ["20 hours", "3 days", "never", "any"])
      assert.deepStrictEqual(yield* problems(withStat9(value)), [])
    for (const value of ["usual", "none", "no such request"]) {
      const found = yield* problems(withStat9(value))
      assert.lengthOf(found, 1)
      assert.include(found[0], "CONFIG_STAT9_OUTDATED")
      assert.strictEqual((yield* account(withStat9(value))).name, "main")
    }
  })

  it.effect("is reported for accounts that would share a key variable, and for unknown variables", function* () {
    const entry = `{ "baseUrl": "https://a.example", "application": "a", "station": "s", "keyFile": "main.key", "secretFile": "main.secret" }`
    const found = yield* problems(`{ "accounts": { "a-b": ${entry}, "A_B": ${entry} } }`, {
      FISCAL_CONNECTOR_AB_API_KEY: "PLANTED",
      FISCAL_CONNECTOR_CONFIG: "accounts.json",
      HOME: "/"
    })
    assert.deepStrictEqual(found, [
      "1:155 CONFIG_NAMES_CLASH the accounts a-b and A_B share FISCAL_CONNECTOR_A_B_API_KEY and the others",
      "-:- CONFIG_VARIABLE_UNKNOWN FISCAL_CONNECTOR_AB_API_KEY belongs to no account and no setting"
    ])
  })
})
