// slow: an import, and a worker that waits for slow answers
/**
 * SIGHUP: `work` and `serve` read the configuration and the secrets again, between two requests.
 */
import type { SandboxShape } from "@fiscal-connector/sandbox/Sandbox"
import { signForTest } from "../../testing/src/SignForTest.ts"
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect, Fiber, Redacted } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { echoedKey, echoedSecret } from "../../core/test/leak/Planted.ts"
import { connector, events, folderWith, gatewayFor, lines, secret, type Signaled } from "./RunningConnector.ts"
import { book, sales } from "./SalesExport.ts"

const documents = [1, 2, 3, 4, 5, 6]
const importing = ["import", "csv", "sales.csv", "--book", book, "--config", "account.json"]

/** Folder with an export of six invoices. */
const folderWithSales = Effect.tap(folderWith(book), (cwd) =>
  Effect.sync(() => writeFileSync(join(cwd, "sales.csv"), sales(...documents)))
)

/** Removes the usual test variables, so that the files provide the credentials. */
const env = { FISCAL_CONNECTOR_MAIN_API_KEY: undefined, FISCAL_CONNECTOR_MAIN_API_SECRET: undefined }

const started = (cwd: string, args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    let [printed, looked] = ["", 0]
    let child: Signaled | undefined
    const watch = (text: string, handle: Signaled) => {
      printed = text
      child = handle
    }
    const fiber = yield* Effect.forkChild(
      connector([...args, "--config", "account.json", "--log-format", "json"], { cwd, env, watch })
    )
    return {
      /** Waits for an event after the last awaited one, and returns the event. */
      until: (code: string) =>
        Effect.sync(() => {
          const at = printed.indexOf(`"code":"${code}"`, looked)
          const end = printed.indexOf("\n", at)
          if (at === -1 || end === -1) return undefined
          looked = end
          return JSON.parse(printed.slice(printed.lastIndexOf("\n", at) + 1, end)) as Record<string, unknown>
        }).pipe(
          Effect.delay("10 millis"),
          Effect.repeat({ until: (found) => found !== undefined }),
          Effect.map((found) => found!)
        ),
      printed: () => printed,
      hangUp: Effect.sync(() => child?.hangUp()),
      stop: Effect.suspend(() => {
        child?.terminate()
        return Fiber.join(fiber)
      })
    }
  })

const submissions = (sandbox: SandboxShape) =>
  Effect.map(sandbox.control.calls, (calls) => calls.filter(({ operation }) => operation.startsWith("submit")))

const sent = (sandbox: SandboxShape, count: number) =>
  Effect.repeat(Effect.delay(submissions(sandbox), "10 millis"), { until: ({ length }) => length >= count })

/** Makes an import interrupted at the first request. */
const planned = Effect.fnUntraced(function* (cwd: string, sandbox: SandboxShape) {
  let interrupt = () => {}
  const running = yield* Effect.forkChild(
    connector(importing, { cwd, env, watch: (_, child) => (interrupt = child.interrupt) })
  )
  yield* sent(sandbox, 1)
  interrupt()
  yield* Fiber.join(running)
})

const states = (cwd: string) =>
  Effect.map(connector(["list", "--json"], { cwd }), ({ out }) => lines(out).map(({ state }) => state))

const settings = (cwd: string, change: (settings: Record<string, unknown>) => unknown) => {
  const file = join(cwd, "account.json")
  writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>)))
}

describe("SIGHUP", () => {
  it.live(
    "makes work use a rotated secret between two requests: nothing is sent twice, and no outcome is unknown",
    function* () {
      const cwd = yield* folderWithSales
      const sandbox = yield* gatewayFor(cwd, { account: { secret: [secret, echoedSecret] } })
      const slow = yield* sandbox.control.addFault({ kind: "latency", millis: 300, operations: ["submitInvoice"] })
      yield* planned(cwd, sandbox)
      const before = (yield* submissions(sandbox)).length
      const worker = yield* started(cwd, ["work"])
      yield* sent(sandbox, before + 1)
      writeFileSync(join(cwd, "secret"), echoedSecret)
      yield* worker.hangUp
      yield* worker.until("configuration-reloaded")
      yield* sandbox.control.changeAccount({ account: "account-1", secret: echoedSecret })
      yield* sandbox.control.removeFault(slow)
      yield* Effect.repeat(Effect.delay(states(cwd), "100 millis"), {
        until: (all) => all.filter((state) => state === "Fiscalised").length === documents.length
      })
      const { code, err, out } = yield* worker.stop
      assert.deepStrictEqual([code, err], [0, ""])
      assert.deepStrictEqual(
        events(out).flatMap(({ code }) => (code === "lane-left" || code === "document" ? [] : [code])),
        ["started", "account-opened", "leaving", "configuration-reloaded", "account-opened", "leaving", "stopped"]
      )
      assert.isTrue((yield* sandbox.control.accepted).every(({ accepted }) => accepted === 1))
      // No request was interrupted, and none used the old secret afterwards.
      assert.deepStrictEqual(
        (yield* submissions(sandbox)).filter(({ status }) => status !== 200),
        []
      )
    }
  )

  it.live(
    "keeps the old configuration and says so if the new one is broken, lacks a key or names another store",
    function* () {
      const cwd = yield* folderWithSales
      const sandbox = yield* gatewayFor(cwd)
      const whole = readFileSync(join(cwd, "account.json"), "utf8")
      const worker = yield* started(cwd, ["work"])
      yield* worker.until("started")
      const keyFile = readFileSync(join(cwd, "key"), "utf8")
      const broken: Readonly<Record<string, () => void>> = {
        CONFIG_SYNTAX: () => writeFileSync(join(cwd, "account.json"), whole.slice(0, -1)),
        CONFIG_SECRET_UNUSABLE: () => writeFileSync(join(cwd, "key"), ""),
        CONFIG_SHAPE: () => settings(cwd, (all) => ({ ...all, accounts: {} }))
      }
      for (const [finding, spoil] of Object.entries(broken)) {
        spoil()
        yield* worker.hangUp
        const kept = yield* worker.until("configuration-kept")
        assert.deepInclude(kept, { level: "error", finding: "CONFIG_NOT_RELOADED", findings: [finding] })
        writeFileSync(join(cwd, "account.json"), whole)
        writeFileSync(join(cwd, "key"), keyFile)
      }
      settings(cwd, (all) => ({ ...all, store: "another.db" }))
      yield* worker.hangUp
      const kept = yield* worker.until("configuration-needs-restart")
      assert.deepInclude(kept, { level: "warn", finding: "CONFIG_NEEDS_RESTART" })
      assert.include(kept["message"], "names another store, and nothing of it is used")

      // The worker continues as before, and later uses the next valid configuration.
      yield* Effect.sync(() => writeFileSync(join(cwd, "account.json"), whole))
      yield* connector(importing, { cwd })
      yield* worker.hangUp
      assert.deepInclude(yield* worker.until("configuration-reloaded"), { accounts: 1 })
      const { code, out } = yield* worker.stop
      assert.strictEqual(code, 0)
      assert.lengthOf(
        events(out).filter((line) => line["code"] === "configuration-reloaded"),
        1
      )
      assert.isTrue((yield* sandbox.control.accepted).every(({ accepted }) => accepted === 1))
    }
  )

  it.live(
    "makes serve accept a rotated secret, deliveries of a new account and a new token, on the same ports",
    function* () {
      const cwd = yield* folderWith()
      yield* gatewayFor(cwd, { accounts: [{ key: echoedKey, name: "other" }] })
      writeFileSync(join(cwd, "token"), "first-token")
      const server = yield* started(cwd, ["serve", "--port", "0", "--status-port", "0", "--status-token-file", "token"])
      const [hook, status] = (yield* server.until("listening"))["addresses"] as readonly [string, string]
      const other = hook.replace("/main", "/other")
      yield* server.until("started")
      const deliver = (url: string, by: string) => {
        const { body, headers } = signForTest("[]", { secrets: [Redacted.make(by)] })
        return Effect.promise(() =>
          fetch(url, { method: "POST", headers, body: Uint8Array.from(body) }).then((answer) => answer.status)
        )
      }
      const health = (token: string) =>
        Effect.promise(() =>
          fetch(`${status}/health`, { headers: { authorization: `Bearer ${token}` } }).then((answer) => answer.status)
        )
      assert.deepStrictEqual(
        [yield* deliver(hook, secret), yield* deliver(hook, echoedSecret), yield* deliver(other, secret)],
        [200, 401, 404]
      )
      assert.deepStrictEqual([yield* health("first-token"), yield* health("second-token")], [200, 401])

      writeFileSync(join(cwd, "secret-of-before"), secret, { mode: 0o600 })
      writeFileSync(join(cwd, "secret"), echoedSecret)
      writeFileSync(join(cwd, "key-of-other"), echoedKey, { mode: 0o600 })
      writeFileSync(join(cwd, "token"), "second-token")
      settings(cwd, ({ accounts }) => {
        const main = { ...(accounts as { readonly main: object }).main, formerSecretFiles: ["secret-of-before"] }
        return { accounts: { main, other: { ...main, keyFile: "key-of-other" } } }
      })
      yield* server.hangUp
      assert.deepInclude(yield* server.until("configuration-reloaded"), { accounts: 2 })
      assert.deepStrictEqual(
        [yield* deliver(hook, secret), yield* deliver(hook, echoedSecret), yield* deliver(other, echoedSecret)],
        [200, 200, 200]
      )
      assert.deepStrictEqual([yield* health("first-token"), yield* health("second-token")], [401, 200])
      assert.strictEqual((yield* server.stop).code, 0)
    }
  )
})
