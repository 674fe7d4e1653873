/** Results of a sync that are read one by one, while the rest is sent. */
import { assert, describe, it } from "@effect/vitest"
import { connect, type ConnectOptions, FiscalConnectorError, type Result } from "@fiscal-connector/promise"
import { Effect, type Scope } from "effect"
import { createServer, request, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { book, failure, gateway, type Given, invoice, receipts } from "./Gateway.ts"

/** Passes requests on to the gateway. A request with the document waits until `release`. */
const gate = async (baseUrl: string, id: string) => {
  const opened = Promise.withResolvers<void>()
  const arrived = Promise.withResolvers<void>()
  const server: Server = createServer((asked, answer) => {
    const body: Array<Buffer> = []
    asked.on("data", (piece: Buffer) => body.push(piece))
    asked.on("end", async () => {
      const whole = Buffer.concat(body)
      if (whole.includes(`"${id}"`)) {
        arrived.resolve()
        await opened.promise
      }
      const { headers, method = "GET", url = "/" } = asked
      const passed = request(new URL(url, baseUrl), { method, headers }, (answered) => {
        answer.writeHead(answered.statusCode ?? 500, answered.headers)
        answered.pipe(answer)
      })
      passed.on("error", () => answer.destroy()).end(whole)
    })
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrived: arrived.promise,
    release: opened.resolve,
    [Symbol.dispose]: () => {
      opened.resolve()
      server.closeAllConnections()
      server.close()
    }
  }
}

const test = (use: (given: Given, options: ConnectOptions & { readonly config: object }) => Promise<void>) => () =>
  Effect.gen(function* () {
    const given = yield* gateway
    const { config, store } = given
    yield* Effect.promise(() => use(given, { account: "shop", config, book, store }))
  }) as Effect.Effect<void, never, Scope.Scope>

/** A page of results, and a few more documents. */
const page = 200
const documents = Array.from({ length: page + 5 }, (_, n) => invoice(`S-${n + 1}`))
const next = `S-${page + 1}`

// slow: more than a page of documents is sent
describe("a sync that is read one by one", () => {
  it.live(
    "gives results before the last document is sent, then every other result and the report",
    test(async (given, options) => {
      using held = await gate(given.config.baseUrl, next)
      await using fiscal = await connect({ ...options, config: { ...given.config, baseUrl: held.baseUrl } })
      const run = fiscal.syncEach(documents)
      const found: Array<Result> = []
      for await (const result of run) {
        if (found.length === 0) {
          assert.strictEqual(result.status, "fiscalised")
          await held.arrived
          assert.lengthOf(await receipts(given), page)
          held.release()
        }
        found.push(result)
      }
      assert.deepStrictEqual(
        found.map(({ number, status }) => `${number} ${status}`),
        documents.map(({ number }) => `${number} fiscalised`)
      )
      const { ok, open, problems } = await run.report()
      assert.deepStrictEqual([ok, open, problems.filter(({ severity }) => severity === "error")], [true, 0, []])
    }),
    60_000
  )

  it.live(
    "ends the sending at a break after the request in progress, and the next sync sends the rest once",
    test(async (given, options) => {
      using held = await gate(given.config.baseUrl, next)
      await using fiscal = await connect({ ...options, config: { ...given.config, baseUrl: held.baseUrl } })
      const run = fiscal.syncEach(documents)
      for await (const { status } of run) {
        assert.strictEqual(status, "fiscalised")
        await held.arrived
        setTimeout(held.release, 200)
        break
      }
      assert.strictEqual((await failure(run.report())).code, "closed")
      const { counts } = await fiscal.health()
      const { planned = 0, ...others } = counts
      const begun = Object.values(others).reduce((sum, n) => sum + n, 0)
      assert.deepStrictEqual([planned, begun], [documents.length - page - 1, page + 1])
      const { ok, results } = await fiscal.sync(documents)
      assert.deepStrictEqual([ok, results.length], [true, documents.length])
      assert.lengthOf(await receipts(given), documents.length)
    }),
    60_000
  )

  it.live(
    "starts with the first read, and reads what is left for the report",
    test(async (given, options) => {
      await using fiscal = await connect({ ...options, config: given.config })
      const run = fiscal.syncEach([invoice("S-1"), invoice("S-2", { currency: "XYZ" })])
      assert.lengthOf(await receipts(given), 0)
      assert.strictEqual((await run.report()).ok, false)
      assert.lengthOf(await receipts(given), 1)
      for await (const result of run) assert.fail(`${result.number} was read before`)
    })
  )

  it.live(
    "gives the results so far when the sending fails, and then throws",
    test(async (given, options) => {
      using held = await gate(given.config.baseUrl, "S-2")
      await using fiscal = await connect({ ...options, config: { ...given.config, baseUrl: held.baseUrl } })
      const stop = new AbortController()
      const run = fiscal.syncEach([invoice("S-1"), invoice("S-2")], { signal: stop.signal })
      const found: Array<string> = []
      const reading = (async () => {
        for await (const { number, status } of run) found.push(`${number} ${status}`)
      })()
      await held.arrived
      stop.abort(new FiscalConnectorError("closed", "the job stops"))
      held.release()
      assert.strictEqual((await failure(reading)).message, "the job stops")
      assert.strictEqual((await failure(run.report())).code, "closed")
      assert.deepStrictEqual([found.length, found[0]?.startsWith("S-1 ")], [2, true])
    })
  )

  it.live(
    "throws the error of the documents at the first read",
    test(async (given, options) => {
      await using fiscal = await connect({ ...options, config: given.config })
      const broken = new Error("the database is gone")
      const run = fiscal.syncEach(
        (async function* () {
          yield invoice("S-1")
          throw broken
        })()
      )
      const error: unknown = await run[Symbol.asyncIterator]()
        .next()
        .catch((error: unknown) => error)
      assert.strictEqual(error, broken)
      assert.lengthOf(await receipts(given), 0)
    })
  )
})
