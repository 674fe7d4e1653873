/**
 * A changed address in the configuration: the key is not sent until an operator trusts the address.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { type AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { connector, key } from "./RunningConnector.ts"

/** Starts a host with a counter of connections. */
const counting = Effect.acquireRelease(
  Effect.callback<{ readonly url: string; readonly connections: () => number; readonly close: () => void }>(
    (resume) => {
      let connections = 0
      const server = createServer((_, response) => response.writeHead(401).end())
      server.on("connection", () => connections++)
      server.listen(0, "127.0.0.1", () => {
        const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
        resume(Effect.succeed({ url, connections: () => connections, close: () => void server.close() }))
      })
    }
  ),
  ({ close }) => Effect.sync(close)
)

const text = (baseUrl: string) =>
  JSON.stringify({
    accounts: {
      main: { baseUrl, application: "app", station: "till-1", keyFile: "main.key", retries: { times: 0 } }
    }
  })

describe("an account with a changed baseUrl", () => {
  it.live("does not send its key in any command until the operator trusts the address", function* () {
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "key-origin-"))),
      (made) => Effect.sync(() => rmSync(made, { recursive: true }))
    )
    const config = join(folder, "accounts.json")
    const at = (...args: ReadonlyArray<string>) => connector([...args, "--config", config], { cwd: folder })
    writeFileSync(join(folder, "main.key"), key, { mode: 0o600 })
    // No host answers there, so the key is not sent.
    writeFileSync(config, text("https://gateway.invalid/api"))
    yield* at("doctor")
    const other = yield* counting
    writeFileSync(config, text(other.url))
    for (const command of [
      ["doctor"],
      ["gateway", "status", "REQ-1"],
      ["mappings", "pull", "--book", "new.book.json"],
      ["resume"],
      ["work"],
      ["config", "check"]
    ]) {
      const { code, err, out } = yield* at(...command)
      assert.strictEqual(code, 1, command.join(" "))
      assert.include(out + err, "CONFIG_ORIGIN_CHANGED", command.join(" "))
    }
    assert.strictEqual(other.connections(), 0)
    const empty = yield* at("account", "trust-origin", "main", "--because", " ")
    assert.strictEqual(empty.code, 1)
    const trusted = yield* at("account", "trust-origin", "main", "--because", "the gateway moved")
    assert.strictEqual(trusted.code, 0, trusted.err)
    assert.include(trusted.out, other.url)
    assert.include(readFileSync(join(folder, "accounts.origins.json"), "utf8"), "the gateway moved")
    yield* at("doctor")
    assert.isAbove(other.connections(), 0)
  })
})
