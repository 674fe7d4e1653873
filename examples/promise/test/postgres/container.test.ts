/**
 * Test of the container job: only environment variables, no writes except temporary files, killed
 * during the work.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, readdirSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { fresh } from "../../../../packages/core/test/postgres/Database.ts"
import { book, gateway, invoice } from "../../../../packages/promise/test/Gateway.ts"

const main = join(import.meta.dirname, "../../container/main.ts")

/** API of the shop: returns open invoices until their codes arrive. */
const shop = (numbers: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const codes = new Map<string, string>()
      const server = createServer(async (request, response) => {
        if (request.method === "POST") {
          const { id, verificationCode } = JSON.parse((await request.toArray()).join("")) as Record<string, string>
          codes.set(id!, verificationCode!)
        }
        response.end(JSON.stringify(numbers.filter((number) => !codes.has(number)).map((number) => invoice(number))))
      }).listen(0, "127.0.0.1")
      await once(server, "listening")
      return { codes, server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
    }),
    ({ server }) =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )

const until = async (child: ChildProcess, isSo: () => boolean | Promise<boolean>) => {
  while (!(await isSo())) {
    assert.isNull(child.exitCode, "the job has ended")
    await setTimeout(20)
  }
}

describe("the job in a container", () => {
  it.live("is killed halfway: the next container returns every code, and no document is sent twice", () =>
    Effect.gen(function* () {
      const { config, folder, sandbox } = yield* gateway
      const { schema, url } = fresh()
      const numbers = ["S-1", "S-2", "S-3", "S-4", "S-5"]
      const { codes, url: sales } = yield* shop(numbers)
      const address = new URL(Redacted.value(url))
      const password = decodeURIComponent(address.password)
      address.password = ""
      const temporary = join(folder, "tmp")
      mkdirSync(temporary)
      const env = {
        FISCAL_BASE_URL: config.baseUrl,
        FISCAL_APPLICATION: config.application,
        FISCAL_STATION: config.station,
        FISCAL_API_KEY: config.apiKey,
        FISCAL_SECRET: config.secret!,
        FISCAL_SETTINGS: JSON.stringify(config.settings),
        FISCAL_BOOK: JSON.stringify(book),
        FISCAL_STORE: address.href,
        FISCAL_STORE_SCHEMA: schema,
        FISCAL_STORE_ENCRYPTION: "insecure",
        FISCAL_CONNECTOR_STORE_PASSWORD: password,
        SALES_URL: sales,
        PAUSE_SECONDS: "0.1",
        TMPDIR: temporary
      }
      // a read-only root file system: Node itself forbids writes elsewhere
      const flags = ["--permission", "--allow-fs-read=*", `--allow-fs-write=${temporary}`, "--no-warnings"]
      const start = () =>
        spawn(process.execPath, [...flags, main], { env, cwd: "/", stdio: ["ignore", "pipe", "pipe"] })
      const run = Effect.runPromiseWith(yield* Effect.context())
      yield* Effect.promise(async () => {
        await run(sandbox.control.change({ processingDelayMillis: 60_000 }))
        const first = start()
        let said = ""
        first.stderr.on("data", (text: Buffer) => (said += text))
        await until(first, async () => (await run(sandbox.control.accepted)).length === numbers.length)
        await setTimeout(200)
        first.kill("SIGKILL")
        await once(first, "exit")
        assert.strictEqual(codes.size, 0, said)
        await run(sandbox.control.moveClock({ advanceMillis: 60_000 }))
        const second = start()
        await until(second, () => codes.size === numbers.length)
        second.kill("SIGTERM")
        await once(second, "exit")
        assert.strictEqual(second.exitCode, 0)
        const receipts = await run(sandbox.control.receipts)
        assert.deepStrictEqual(
          receipts.map(({ documentNumber, qrData }) => [documentNumber, qrData.VerificationCode]),
          numbers.map((number) => [number, codes.get(number)])
        )
        assert.deepStrictEqual(readdirSync(temporary), [])
      })
    })
  )

  it.live("names the missing environment variable", () =>
    Effect.promise(async () => {
      const child = spawn(process.execPath, [main], { env: {}, stdio: ["ignore", "ignore", "pipe"] })
      let said = ""
      child.stderr.on("data", (text: Buffer) => (said += text))
      await once(child, "close")
      assert.deepStrictEqual([child.exitCode, said], [1, "SALES_URL is not set\n"])
    })
  )
})
