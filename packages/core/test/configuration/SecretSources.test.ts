/**
 * Keys and secrets from the usual places of companies: commands, systemd credentials, and two
 * secrets during a rotation.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as AccountConfig from "../../src/configuration/AccountConfig.ts"
import * as ConfigFile from "../../src/configuration/ConfigFile.ts"
import type { ConfigEnvironment } from "../../src/configuration/ConfigVariables.ts"

const inFolder = <A, E>(run: (folder: string) => Effect.Effect<A, E, NodeServices.NodeServices>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "secrets-"))),
    run,
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
  ).pipe(Effect.provide(NodeServices.layer))

/** Returns a command that runs a JavaScript program with the arguments. */
const node = (program: string, ...args: ReadonlyArray<string>) => [process.execPath, "-e", program, ...args]

const printing = (text: string) => ["printf", "%s", text]

const read = (folder: string, secrets: Record<string, unknown>, environment: ConfigEnvironment = {}) => {
  const file = join(folder, "accounts.json")
  const main = { baseUrl: "http://127.0.0.1:9", application: "app", station: "till-1", ...secrets }
  writeFileSync(file, JSON.stringify({ accounts: { main } }), { mode: 0o600 })
  return ConfigFile.read(file, environment)
}

const problems = ({ accounts, findings }: ConfigFile.Configuration) =>
  [...findings, ...accounts.flatMap((one) => one.findings)].map(({ code, message }) => `${code} ${message}`)

const keyOf = ({ accounts: [main] }: ConfigFile.Configuration) =>
  main?.secrets.apiKey == null ? null : Redacted.value(main.secrets.apiKey.value)

describe("a command that prints a key", () => {
  it.live("gets its arguments unchanged, without a shell and without our variables", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const argument = `a b;$(touch ${join(folder, "shell")})`
        const program = `process.stdout.write([process.argv[1], process.env.FISCAL_CONNECTOR_STORE_PASSWORD].join("|") + "\\n")`
        process.env["FISCAL_CONNECTOR_STORE_PASSWORD"] = "k-STORE"
        const found = yield* read(folder, {
          keyCommand: node(program, argument),
          secretCommand: printing("s-PRINTED\n")
        })
        delete process.env["FISCAL_CONNECTOR_STORE_PASSWORD"]
        assert.deepStrictEqual(problems(found), [])
        assert.strictEqual(keyOf(found), `${argument}|`)
        assert.isFalse(existsSync(join(folder, "shell")))
        assert.deepStrictEqual(found.accounts[0]?.secrets.secret?.origin, {
          from: "command",
          command: "printf"
        })
      })
    )
  )

  it.live(
    "and fails, prints nothing, too much or several lines makes the account unusable, and its output is not shown",
    () =>
      inFolder((folder) =>
        Effect.gen(function* () {
          const secretCommand = printing("s-PRINTED")
          for (const [keyCommand, why] of [
            [node(`console.log("k-SHOWN"); console.error("k-SHOWN"); process.exitCode = 3`), "ended with exit code 3"],
            [["/none/such"], "ENOENT"],
            [printing(" \n"), "printed is empty"],
            [printing("k-SHOWN\nk-SHOWN"), "printed has more than one line"],
            [node(`process.stdout.write("k-SHOWN".repeat(20000))`), "printed more than 65536 bytes"]
          ] as const) {
            const found = yield* read(folder, { keyCommand, secretCommand })
            assert.isNull(found.accounts[0]!.config)
            const [problem, ...others] = problems(found)
            assert.deepStrictEqual(others, [])
            assert.match(problem!, /^CONFIG_SECRET_UNUSABLE /)
            assert.include(problem!, why)
            assert.notInclude(problem!, "k-SHOWN")
          }
        })
      )
  )

  it.live("is refused next to a key file, and the environment has priority over it", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const both = { keyCommand: printing("k-PRINTED"), keyFile: "main.key", secretCommand: printing("s-PRINTED") }
        assert.include(problems(yield* read(folder, both))[0], "keyFile and keyCommand are both set: name one of them")
        const marked = join(folder, "ran")
        const command = { keyCommand: ["touch", marked], secretCommand: printing("s-PRINTED") }
        const found = yield* read(folder, command, { FISCAL_CONNECTOR_MAIN_API_KEY: "k-ENVIRONMENT" })
        assert.strictEqual(keyOf(found), "k-ENVIRONMENT")
        assert.isFalse(existsSync(marked))
      })
    )
  )

  it.live("is not run if every user can write the configuration or the command", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const marked = join(folder, "ran")
        const secrets = { keyCommand: ["touch", marked], secretCommand: ["touch", marked] }
        chmodSync(folder, 0o777)
        const found = yield* read(folder, secrets)
        assert.include(problems(found).join("\n"), `the command touch is not run: every user may write ${folder}`)
        chmodSync(folder, 0o700)
        const script = join(folder, "key.sh")
        writeFileSync(script, `#!/bin/sh\ntouch ${marked}\n`)
        chmodSync(script, 0o777)
        const ofScript = yield* read(folder, { keyCommand: ["./key.sh"], secretCommand: ["./key.sh"] })
        assert.include(problems(ofScript).join("\n"), `${script} is not run: every user may write ${script}`)
        assert.isFalse(existsSync(marked))
        chmodSync(script, 0o755)
        yield* read(folder, { keyCommand: ["./key.sh"], secretCommand: ["./key.sh"] })
        assert.isTrue(existsSync(marked))
      })
    )
  )
})

describe("a credential of systemd", () => {
  it.live("is read from the folder that systemd names, with the permissions that systemd sets", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const mounted = join(folder, "credentials")
        mkdirSync(mounted)
        // An access list for the service's user appears as a permission of the group.
        writeFileSync(join(mounted, "main.key"), "k-MOUNTED\n", { mode: 0o440 })
        writeFileSync(join(mounted, "main.secret"), "s-MOUNTED\n", { mode: 0o440 })
        const secrets = {
          keyFile: "$CREDENTIALS_DIRECTORY/main.key",
          secretFile: "$CREDENTIALS_DIRECTORY/main.secret"
        }
        const found = yield* read(folder, secrets, { CREDENTIALS_DIRECTORY: mounted })
        assert.deepStrictEqual(problems(found), [])
        assert.strictEqual(keyOf(found), "k-MOUNTED")
        const outside = yield* read(folder, secrets)
        assert.include(problems(outside)[0], "CREDENTIALS_DIRECTORY is not set")
      })
    )
  )
})

describe("a secret under rotation", () => {
  it.live("signs with the new secret, and deliveries verify with both secrets, from files and commands", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        writeFileSync(join(folder, "old"), "s-PLANTED-1\n", { mode: 0o600 })
        const found = yield* read(folder, {
          keyCommand: printing("k-PRINTED"),
          secretCommand: printing("s-PLANTED-0"),
          formerSecretFiles: ["old"],
          formerSecretCommands: [printing("s-PLANTED-2")]
        })
        assert.deepStrictEqual(problems(found), [])
        const config = yield* ConfigFile.account(found, "main")
        assert.strictEqual(Redacted.value(config.settled.secret!), "s-PLANTED-0")
        const { secrets } = AccountConfig.webhookOf(config)
        assert.deepStrictEqual(secrets.map(Redacted.value), ["s-PLANTED-0", "s-PLANTED-1", "s-PLANTED-2"])
      })
    )
  )
})
