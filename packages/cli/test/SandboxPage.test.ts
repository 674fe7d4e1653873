/** Tests docs/sandbox.md: the configuration starts a sandbox, and every curl line is answered. */
import { FaultSpec } from "@fiscal-connector/sandbox/fault/Fault"
import * as Sandbox from "@fiscal-connector/sandbox/Sandbox"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as SandboxAccount from "../src/account/SandboxAccount.ts"
import * as SandboxFile from "../src/account/SandboxFile.ts"
import { folderWith } from "./RunningConnector.ts"

const page = readFileSync(join(import.meta.dirname, "../../../docs/sandbox.md"), "utf8")

/** Curl lines, without their comments. */
const lines = Array.from(
  page.matchAll(/^curl (?:-X (?<method>[A-Z]+) )?http:\/\/127.0.0.1:4010(?<path>\S+)(?: --json '(?<body>.*)')?/gm),
  ({ groups }) => ({ path: groups!["path"]!, body: groups!["body"], method: groups!["method"] })
)

describe("docs/sandbox.md", () => {
  it.live("has example requests that the sandbox answers, for every kind of fault and every control", function* () {
    const sandbox = yield* Sandbox.make(SandboxAccount.standard)
    for (const { body, method = body === undefined ? "GET" : "POST", path } of lines) {
      const response = yield* Effect.promise(() =>
        fetch(sandbox.url + path, {
          method,
          ...(body !== undefined && { body, headers: { "Content-Type": "application/json" } })
        })
      )
      const text = yield* Effect.promise(() => response.text())
      assert.isTrue(response.ok, `${method} ${path} ${body}: ${response.status} ${text}`)
    }
    const kinds = FaultSpec.members.map(({ fields }) => fields.kind.literal)
    for (const kind of kinds)
      assert.isTrue(
        lines.some(({ body }) => body?.includes(`"kind": "${kind}"`)),
        kind
      )
    const document = yield* Effect.promise(
      async () => (await (await fetch(`${sandbox.url}/openapi.json`)).json()) as object
    )
    const controls = Object.keys((document as { readonly paths: object }).paths).filter((path) =>
      path.startsWith("/_control")
    )
    const shown = new Set(
      lines.map(({ path }) => path.replace("fault-1", "{id}").replace("webhooks/sandbox", "webhooks/{account}"))
    )
    assert.deepStrictEqual(
      controls.filter((path) => !shown.has(path)),
      []
    )
  })

  it.live("has a configuration that starts unchanged", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith()
      const file = join(folder, "gateway.json")
      writeFileSync(file, /```jsonc\n(.*?)```/s.exec(page)?.[1] ?? "")
      const input = yield* SandboxFile.load(file)
      const { config, url } = yield* Sandbox.make({ ...input, port: 0 })
      assert.match(url, /\/api$/)
      assert.deepStrictEqual(
        config.accounts.map(({ name }) => name),
        ["shop", "branch", "unsigned"]
      )
    }).pipe(Effect.provide(NodeServices.layer))
  )
})
