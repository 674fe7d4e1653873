/** Tests of the recipes without their own database. */
import { assert, describe, it } from "@effect/vitest"
import { FiscalConnectorError, type FiscalConnector } from "@fiscal-connector/promise"
import { Effect } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { install } from "../../../scripts/Tools.ts"
import { book, gateway, invoice, writeFiles } from "../../../packages/promise/test/Gateway.ts"

type Given = Effect.Success<typeof gateway>

const recipes = join(import.meta.dirname, "..")

/** Starts the service as a separate process, and returns its address. */
const serviceIn = async (folder: string): Promise<{ readonly url: string; readonly process: ChildProcess }> => {
  const child = spawn(process.execPath, [join(recipes, "express/main.ts"), folder], {
    stdio: ["ignore", "pipe", "inherit"]
  })
  const [said] = (await once(child.stdout, "data")) as [Buffer]
  return { url: said.toString().trim(), process: child }
}

const order = (id: string, changes: object = {}) =>
  JSON.stringify({ id, at: "2026-03-02T10:00:00+02:00", article: "Lamp", pieces: "2", price: "9.99", ...changes })

const post = (url: string, body: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(url, { method: "POST", body, headers: { "content-type": "application/json", ...headers } })

const stateOf = async ({ url }: { readonly url: string }, id: string) =>
  (await (await fetch(`${url}/orders/${id}`)).json()) as { status: string; verificationCode: string }

// slow: a service is started, killed and started again
describe("the service under Express", () => {
  it.live("takes orders, refuses orders that cannot be sent, is killed, and has every code after the restart", () =>
    Effect.gen(function* () {
      const given: Given = yield* gateway
      writeFiles(given)
      const receiptsOf = Effect.runPromiseWith(yield* Effect.context())
      yield* Effect.promise(async () => {
        const first = await serviceIn(given.folder)
        assert.strictEqual((await post(`${first.url}/orders`, order("1"))).status, 202)
        assert.strictEqual((await post(`${first.url}/orders`, order("1"))).status, 202)
        const refused = await post(`${first.url}/orders`, order("2", { price: "cheap" }))
        const problems = (await refused.json()) as ReadonlyArray<{ readonly code: string }>
        assert.deepStrictEqual([refused.status, problems[0]?.code], [422, "INPUT_VALUE"])
        assert.strictEqual((await post(`${first.url}/fiscal`, "[]")).status, 401)
        // a kill during the sending would leave the outcome to an operator
        while (["planned", "sending"].includes((await stateOf(first, "1")).status)) await setTimeout(20)
        first.process.kill("SIGKILL")
        await once(first.process, "exit")

        const second = await serviceIn(given.folder)
        await post(`${second.url}/orders`, order("3", { at: "2026-03-02T11:00:00+02:00" }))
        const open = new Set(["planned", "sending", "accepted"])
        while (open.has((await stateOf(second, "3")).status) || open.has((await stateOf(second, "1")).status))
          await setTimeout(20)
        const receipts = await receiptsOf(given.sandbox.control.receipts)
        for (const { documentNumber, qrData } of receipts)
          assert.strictEqual((await stateOf(second, documentNumber.slice(2))).verificationCode, qrData.VerificationCode)
        assert.include(
          receipts.map(({ documentNumber }) => documentNumber),
          "S-3"
        )
        assert.strictEqual(new Set(receipts.map(({ documentNumber }) => documentNumber)).size, receipts.length)
        assert.strictEqual((await fetch(`${second.url}/orders/9`)).status, 404)
        second.process.kill("SIGTERM")
        assert.deepStrictEqual(await once(second.process, "exit"), [0, null])
      })
    })
  )
})

const nestjs = () => {
  install("nestjs")
  return import("../nestjs/index.ts")
}

describe("the module for NestJS", () => {
  it.live("injects the connector into its providers, and closes the connector when the application ends", () =>
    Effect.gen(function* () {
      const { config, store } = yield* gateway
      yield* Effect.promise(async () => {
        const { FISCAL, FiscalModule, NestFactory } = await nestjs()
        const options = { account: "shop", config, book, store }
        const app = await NestFactory.createApplicationContext(FiscalModule.forRoot(options), { logger: false })
        app.enableShutdownHooks()
        const fiscal = app.get<FiscalConnector>(FISCAL)
        const [result] = (await fiscal.sync([invoice("S-1")])).results
        assert.strictEqual(result?.status, "fiscalised")
        await app.close()
        const after = await fiscal.sync([invoice("S-2")]).catch((error: unknown) => error)
        assert.strictEqual(after instanceof FiscalConnectorError && after.code, "closed")
      })
    })
  )

  it.live("does not start without its configuration", () =>
    Effect.promise(async () => {
      const { FiscalModule, NestFactory } = await nestjs()
      const options = { account: "shop", config: "/nowhere.json", book, store: { sqlite: "/nowhere/shop.db" } }
      const failed = await NestFactory.createApplicationContext(FiscalModule.forRoot(options), {
        logger: false,
        abortOnError: false
      }).catch((error: unknown) => error)
      assert.instanceOf(failed, FiscalConnectorError)
    })
  )
})
