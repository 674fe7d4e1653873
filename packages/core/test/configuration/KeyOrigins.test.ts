/** A secret has permitted addresses: a changed address stops the request before the first byte. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as ConfigFile from "../../src/configuration/ConfigFile.ts"
import * as KeyOrigins from "../../src/configuration/KeyOrigins.ts"

const text = (baseUrl: string, keyFile?: string) =>
  JSON.stringify({
    accounts: { main: { baseUrl, application: "app", station: "till-1", ...(keyFile !== undefined && { keyFile }) } }
  })

const inFolder = <A, E>(run: (folder: string) => Effect.Effect<A, E, NodeServices.NodeServices>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "origins-"))),
    run,
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
  ).pipe(Effect.provide(NodeServices.layer))

const environment = { FISCAL_CONNECTOR_MAIN_API_KEY: "k-ENVIRONMENT" }

const written = (folder: string, content: string, name = "accounts.json") => {
  const file = join(folder, name)
  writeFileSync(file, content, { mode: 0o600 })
  return file
}

const codesOf = ({ accounts, findings }: ConfigFile.Configuration) =>
  [...findings, ...accounts.flatMap((account) => account.findings)]
    .map(({ code }) => code)
    .filter((code) => code !== "CONFIG_UNSIGNED")

const used = (file: string, env = {}) =>
  Effect.flatMap(ConfigFile.read(file, env), (read) => ConfigFile.account(read, "main"))

describe("an account key that was used for one gateway", () => {
  for (const [where, env, keyFile] of [
    ["a file", {}, "main.key"],
    ["the environment", environment, undefined]
  ] as const) {
    it.effect(`cannot be used for another gateway if the key is in ${where}`, () =>
      inFolder((folder) =>
        Effect.gen(function* () {
          written(folder, "k-FILE", "main.key")
          const file = written(folder, text("https://gateway.example/api", keyFile))
          yield* used(file, env)
          yield* used(file, env)
          assert.strictEqual(statSync(join(folder, "accounts.origins.json")).mode & 0o777, 0o600)
          for (const other of [
            "https://attacker.example/api",
            "https://gateway.example:444/api",
            "http://127.0.0.1:9/api"
          ]) {
            written(folder, text(other, keyFile))
            const read = yield* ConfigFile.read(file, env)
            assert.deepStrictEqual(codesOf(read), ["CONFIG_ORIGIN_CHANGED"])
            assert.isNull(read.accounts[0]!.config, "there is nothing to connect with")
            assert.strictEqual((yield* Effect.flip(used(file, env)))._tag, "ConfigFileError")
          }
          written(folder, text("https://gateway.example/other", keyFile))
          yield* used(file, env)
        })
      )
    )
  }

  it.effect("cannot be used for another gateway by a configuration in another folder with the same key file", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const keyFile = written(folder, "k-FILE", "main.key")
        yield* used(written(folder, text("https://gateway.example/api", keyFile)))
        mkdirSync(join(folder, "other"))
        const foreign = written(join(folder, "other"), text("https://attacker.example/api", keyFile))
        assert.deepStrictEqual(codesOf(yield* ConfigFile.read(foreign, {})), ["CONFIG_ORIGIN_CHANGED"])
      })
    )
  )

  it.effect(
    "cannot be used for another gateway by a configuration in another folder with the key in the environment",
    () =>
      inFolder((folder) =>
        Effect.gen(function* () {
          const env = { ...environment, HOME: join(folder, "home") }
          const [own, others] = [join(folder, "own"), join(folder, "others")]
          for (const made of [own, others]) mkdirSync(made)
          yield* used(written(own, text("https://gateway.example/api")), env)
          const state = join(folder, "home", ".local/state/fiscal-connector")
          assert.strictEqual(statSync(state).mode & 0o777, 0o700)
          assert.notInclude(readFileSync(join(state, "origins.json"), "utf8"), "k-ENVIRONMENT")
          const foreign = written(others, text("https://attacker.example/api"))
          assert.deepStrictEqual(codesOf(yield* ConfigFile.read(foreign, env)), ["CONFIG_ORIGIN_CHANGED"])
          const anotherKey = { ...env, FISCAL_CONNECTOR_MAIN_API_KEY: "k-ANOTHER-ONE" }
          assert.deepStrictEqual(codesOf(yield* ConfigFile.read(foreign, anotherKey)), [])
        })
      )
  )

  it.effect("cannot be used if the record of gateways is unreadable", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        written(folder, "k-FILE-FILE", "main.key")
        const file = written(folder, text("https://gateway.example/api", "main.key"))
        yield* used(file)
        written(folder, "{", "main.key.origins.json")
        assert.deepStrictEqual(codesOf(yield* ConfigFile.read(file, {})), ["CONFIG_ORIGIN_CHANGED"])
      })
    )
  )

  it.effect("can be used for another gateway after an operator trusts it and states why", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        written(folder, "k-FILE", "main.key")
        const file = written(folder, text("https://gateway.example/api", "main.key"))
        yield* used(file)
        written(folder, text("https://moved.example/api", "main.key"))
        const [account] = (yield* ConfigFile.read(file, {})).accounts
        const origin = yield* KeyOrigins.trust(
          account!,
          { file, environment: {} },
          account!.baseUrl!,
          "the gateway moved"
        )
        assert.strictEqual(origin, "https://moved.example")
        assert.strictEqual((yield* used(file)).settled.baseUrl, "https://moved.example/api")
      })
    )
  )

  it.effect("is not recorded for a gateway on this machine, or by a read-only command", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const file = written(folder, text("http://127.0.0.1:4010"))
        yield* used(file, environment)
        written(folder, text("https://gateway.example/api"))
        yield* ConfigFile.read(file, environment)
        assert.isFalse(existsSync(join(folder, "accounts.origins.json")))
      })
    )
  )
})

describe("a configuration that every user can write", () => {
  it.effect("is reported, and so is its folder", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const file = written(folder, text("https://gateway.example/api"))
        assert.deepStrictEqual(codesOf(yield* ConfigFile.read(file, environment)), [])
        chmodSync(file, 0o666)
        assert.deepStrictEqual(codesOf(yield* ConfigFile.read(file, environment)), ["CONFIG_WRITABLE"])
        chmodSync(folder, 0o777)
        assert.deepStrictEqual(codesOf(yield* ConfigFile.read(file, environment)), [
          "CONFIG_WRITABLE",
          "CONFIG_WRITABLE"
        ])
        chmodSync(file, 0o444)
        chmodSync(folder, 0o1777)
        assert.deepStrictEqual(codesOf(yield* ConfigFile.read(file, environment)), [])
      })
    )
  )
})
