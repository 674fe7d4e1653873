import { assert, describe, it } from "../It.ts"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as AlertDelivery from "../../src/node/AlertDelivery.ts"
import type { AlertEvent } from "../../src/attention/Alert.ts"

const event: AlertEvent = {
  event: "health-changed",
  at: "2026-01-10T13:00:00.000Z",
  health: "look",
  concerns: [{ code: "HELD", cause: null, account: null, lane: "test/1001", text: "1 held" }],
  over: []
}

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "alert-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const node = (program: string, ...rest: ReadonlyArray<string>) =>
  AlertDelivery.make({ _tag: "Command", argv: [process.execPath, "-e", program, ...rest] })

/** Returns false for an ended process, even if its parent has not collected it yet. */
const isAlive = (pid: number): boolean => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"))
  } catch {
    return false
  }
}

describe("an alert command", () => {
  it.live("reads the event and gets its arguments without a shell, and none of our secrets", function* () {
    const file = join(yield* folder, "said")
    process.env["FISCAL_CONNECTOR_MAIN_API_KEY"] = "PLANTED"
    process.env["PGPASSWORD"] = "PLANTED"
    const write = `require("fs").writeFileSync(process.argv[1], require("fs").readFileSync(0, "utf8") + process.argv[2] + JSON.stringify(process.env))`
    yield* node(write, file, "$(touch x); `id`")(event)
    delete process.env["FISCAL_CONNECTOR_MAIN_API_KEY"]
    delete process.env["PGPASSWORD"]
    const said = readFileSync(file, "utf8")
    assert.deepStrictEqual(JSON.parse(said.split("\n")[0]!), event)
    assert.include(said, "$(touch x); `id`")
    assert.include(said, '"PATH"')
    assert.notInclude(said, "PLANTED")
  })

  it.live("that fails, is missing or does not read is reported with the cause", function* () {
    assert.include(yield* Effect.flip(node("process.exit(3)")(event)), "exit code 3")
    const missing = AlertDelivery.make({ _tag: "Command", argv: ["/none/such"] })
    assert.include(yield* Effect.flip(missing(event)), "ENOENT")
    yield* node("process.stdin.destroy()")({ ...event, over: Array.from({ length: 20_000 }, () => "HELD test/1001") })
  })

  it.effect("that hangs is killed after half a minute, with its child processes", function* () {
    const file = join(yield* folder, "started")
    const hangs = `const child = require("child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" }); require("fs").writeFileSync(process.argv[1], String(child.pid)); setInterval(() => {}, 1000)`
    const fiber = yield* Effect.forkChild(Effect.flip(node(hangs, file)(event)))
    yield* Effect.promise(async () => {
      while (!existsSync(file) || readFileSync(file, "utf8") === "")
        await new Promise((resolve) => setTimeout(resolve, 20))
    })
    yield* TestClock.adjust("31 seconds")
    assert.strictEqual(yield* Fiber.join(fiber), "it took longer than 30 seconds")
    const started = Number(readFileSync(file, "utf8"))
    yield* Effect.promise(async () => {
      while (isAlive(started)) await new Promise((resolve) => setTimeout(resolve, 20))
    })
  })
})

const serving = (answer: RequestListener) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly url: string; readonly close: () => void }>((resume) => {
      const server = createServer(answer).listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        resume(Effect.succeed({ url: `http://127.0.0.1:${port}/hook`, close: () => server.close() }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )

describe("an alert URL", () => {
  it.live("receives the event as JSON; any answer but 2xx is a failure, and redirects are not followed", function* () {
    const heard: Array<string> = []
    const { close, url } = yield* serving((request, response) => {
      let body = ""
      request.on("data", (chunk) => (body += chunk))
      request.on("end", () => {
        heard.push(`${request.method} ${request.url} ${body}`)
        if (request.url === "/hook") response.writeHead(204).end()
        else response.writeHead(302, { Location: "/hook" }).end()
      })
    })
    yield* AlertDelivery.make({ _tag: "Url", url })(event)
    assert.deepStrictEqual(heard, [`POST /hook ${JSON.stringify(event)}`])
    const moved = AlertDelivery.make({ _tag: "Url", url: url.replace("hook", "moved") })
    assert.match(yield* Effect.flip(moved(event)), /answered 302$/)
    assert.lengthOf(heard, 2)
    close()
    assert.match(yield* Effect.flip(AlertDelivery.make({ _tag: "Url", url })(event)), /ECONNREFUSED|closed/)
  })
})
