import * as Sandbox from "@fiscal-connector/sandbox/Sandbox"
import { signForTest } from "../../testing/src/SignForTest.ts"
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect, Fiber, Redacted } from "effect"
import { writeFileSync } from "node:fs"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { saw } from "../../core/test/leak/Leaks.ts"
import { connector, folderWith, gatewayFor, key, secret } from "./RunningConnector.ts"
import { serving } from "./ServingConnector.ts"

const call = (url: string, init: RequestInit = {}) =>
  Effect.promise(async () => {
    const reply = await fetch(url, { redirect: "manual", ...init })
    return { status: reply.status, text: await reply.text(), headers: reply.headers }
  })

const main = { account: "main", secrets: [Redacted.make(secret)] }

const deliver = (url: string, body: string) => {
  const signed = signForTest(body, main)
  return call(url, { method: "POST", headers: signed.headers, body: Uint8Array.from(signed.body) })
}

// slow: an import with slow answers is interrupted, and completed by serve
describe("connector serve", () => {
  it.live("reports an address where it cannot listen in one sentence", function* () {
    const cwd = yield* folderWith()
    yield* gatewayFor(cwd)
    for (const [flags, said] of [
      [["--port", "99999"], "cannot listen on 127.0.0.1:99999: a port is a whole number from 0 to 65535"],
      [["--port", "-1"], "a port is a whole number from 0 to 65535"],
      [["--host", "no.invalid", "--port", "0"], "cannot listen on no.invalid:0: "]
    ] as const) {
      const { code, err } = yield* connector(["serve", "--config", "account.json", ...flags], { cwd })
      assert.strictEqual(code, 1)
      assert.include(err, said)
      assert.notMatch(err, /RangeError|\n {4}at /)
    }
  })

  it.live("accepts signed deliveries on one address per account, and shows nothing else there", function* () {
    const folder = yield* folderWith()
    yield* gatewayFor(folder)
    const { hook, status, text } = yield* serving(folder)
    assert.match(hook, /^http:\/\/127\.0\.0\.1:\d+\/webhooks\/main$/)
    assert.notInclude(text, secret)

    const taken = yield* deliver(hook, "[]")
    assert.deepStrictEqual([taken.status, taken.text], [200, "0 taken"])
    assert.isNull(taken.headers.get("set-cookie"))
    assert.strictEqual((yield* call(hook, { method: "POST", body: "[]" })).status, 401)
    assert.strictEqual((yield* call(hook, { method: "POST", body: "x".repeat(1024 * 1024 + 1) })).status, 413)
    for (const [url, method] of [
      [hook, "GET"],
      [hook, "PUT"],
      [hook.replace("main", "other"), "POST"],
      [new URL("/health", hook).href, "GET"],
      [new URL("/metrics", hook).href, "GET"]
    ] as const) {
      assert.deepStrictEqual(yield* Effect.map(call(url, { method }), ({ status, text }) => [status, text]), [404, ""])
    }

    const healthy = yield* call(`${status}/health`)
    assert.deepStrictEqual([healthy.status, JSON.parse(healthy.text).concerns], [200, []])
    const metrics = yield* call(`${status}/metrics`)
    assert.strictEqual(metrics.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8")
    assert.match(metrics.text, /^fiscal_connector_deliveries_total\{account="main",status="200"\} 1$/m)
    assert.match(metrics.text, /^fiscal_connector_deliveries_total\{account="main",status="401"\} 1$/m)
    assert.strictEqual((yield* call(new URL("/webhooks/main", status).href, { method: "POST" })).status, 404)

    // An outcome without a document needs the operator's attention.
    yield* deliver(hook, JSON.stringify([{ RequestId: "r9", Success: true }]))
    const look = yield* call(`${status}/health`)
    assert.strictEqual(look.status, 503)
    assert.deepStrictEqual(
      JSON.parse(look.text).concerns.map(({ code }: { readonly code: string }) => code),
      ["UNMATCHED"]
    )
    assert.match((yield* call(`${status}/metrics`)).text, /^fiscal_connector_concerns\{code="UNMATCHED"\} 1$/m)
  })

  it.live("counts its own attempts and the gateway's response times at /metrics, without any names", function* () {
    const folder = yield* folderWith("historical-invoices.csv", "historical-invoices.book.json")
    const sandbox = yield* gatewayFor(folder)
    yield* sandbox.control.addFault({ kind: "latency", millis: 100 })
    const sent = Effect.map(sandbox.control.calls, (calls) =>
      calls.filter(({ operation }) => operation.startsWith("submit"))
    )
    let interrupt = () => {}
    const importing = yield* Effect.forkChild(
      connector(["import", "csv", "historical-invoices.csv", "--config", "account.json"], {
        cwd: folder,
        watch: (_, child) => (interrupt = child.interrupt)
      })
    )
    yield* Effect.repeat(Effect.delay(sent, "20 millis"), { until: ({ length }) => length >= 2 })
    interrupt()
    yield* Fiber.join(importing)
    yield* sandbox.control.clearFaults
    const before = (yield* sent).length

    const { status } = yield* serving(folder)
    const metrics = Effect.map(call(`${status}/metrics`), ({ text }) => text)
    const settled = /^fiscal_connector_submissions\{lane="test\/1001",state="Fiscalised"\} 46$/m
    const text = yield* Effect.repeat(Effect.delay(metrics, "100 millis"), { until: (text) => settled.test(text) })
    const its = (yield* sent).length - before
    assert.isAbove(its, 30)
    const figure = (name: string, labels: string) =>
      Number(new RegExp(`^${name}\\{${labels}\\} (\\S+)$`, "m").exec(text)?.[1])
    assert.strictEqual(figure("fiscal_connector_attempts_total", 'lane="test/1001",result="Accepted"'), its)
    assert.strictEqual(figure("fiscal_connector_attempt_seconds_count", 'lane="test/1001"'), its)
    assert.isAbove(figure("fiscal_connector_attempt_seconds_sum", 'lane="test/1001"'), 0)
    assert.strictEqual(figure("fiscal_connector_attempt_seconds_bucket", 'lane="test/1001",le="\\+Inf"'), its)
    saw("metric", text)
  })

  it.live("treats a delivery for an account without a secret as a reason to poll", function* () {
    const folder = yield* folderWith()
    const sandbox = yield* Sandbox.make({ accounts: [{ key, name: "main", device: 1001 }] })
    writeFileSync(join(folder, "key"), key, { mode: 0o600 })
    const entry = { baseUrl: sandbox.url, application: "any", station: "any", keyFile: "key" }
    writeFileSync(join(folder, "account.json"), JSON.stringify({ accounts: { unsigned: entry } }))
    const { hook, text } = yield* serving(folder)
    assert.match(text, /unsigned +POST \S+ +\(no secret: a nudge/)
    assert.strictEqual((yield* call(hook, { method: "POST", body: '[{"RequestId":"r"}]' })).status, 204)
  })

  it.effect("reports that its port is in use", function* () {
    const folder = yield* folderWith()
    const { url } = yield* gatewayFor(folder)
    const { code, err } = yield* connector([
      "serve",
      "--config",
      join(folder, "account.json"),
      "--port",
      new URL(url).port
    ])
    assert.strictEqual(code, 1)
    assert.match(err, /cannot listen on 127\.0\.0\.1:\d+: another program uses the port/)
  })
})

/** Starts a server that answers every request with the listener. */
const answering = (listener: RequestListener) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<ReturnType<typeof createServer>>((resume) => {
        const server = createServer((request, response) => {
          request.resume().on("end", () => listener(request, response))
        })
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) => Effect.sync(() => (server.closeAllConnections(), server.close()))
    ),
    (server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/main`
  )

const checking = (folder: string, url: string) =>
  connector(["webhook", "check", url, "--config", join(folder, "account.json")])

describe("connector webhook check", () => {
  it.live("accepts connector serve", function* () {
    const folder = yield* folderWith()
    yield* gatewayFor(folder)
    const { hook } = yield* serving(folder)
    const { code, err, out } = yield* checking(folder, hook)
    assert.strictEqual(code, 0, out + err)
    assert.strictEqual(
      out,
      `an empty delivery, signed: 200\nan empty delivery, badly signed: 401\n${hook} is ready for the account main.\n`
    )
    const elsewhere = yield* checking(folder, `${hook}s`)
    assert.strictEqual(elsewhere.code, 1)
    assert.include(elsewhere.out, "there is no receiver at this path (404)")
  })

  const cases: Readonly<Record<string, readonly [answer: RequestListener, says: RegExp]>> = {
    "a redirect": [
      (_, response) => response.writeHead(302, { Location: "/elsewhere" }).end(),
      /it redirects \(302\), which the gateway does not follow/
    ],
    "a cookie": [
      (request, response) =>
        response.writeHead(request.headers["x-api-signature"] ? 200 : 401, { "Set-Cookie": "session=1" }).end(),
      /it sets a cookie/
    ],
    "another secret": [(_, response) => response.writeHead(401).end(), /it has another secret than this account/],
    "no look at the signature": [
      (_, response) => response.writeHead(200).end(),
      /it accepts deliveries that are not signed/
    ],
    "no secret": [(_, response) => response.writeHead(204).end(), /it takes deliveries as nudges only/],
    "a host that parses the body": [
      (_, response) => response.writeHead(500).end("The body of the delivery arrived as an object, not as bytes"),
      /it answers 500: The body of the delivery arrived as an object, not as bytes/
    ]
  }
  for (const [name, [listener, says]] of Object.entries(cases)) {
    it.live(`explains the problem with ${name}, and sends no key`, function* () {
      const folder = yield* folderWith()
      yield* gatewayFor(folder)
      const seen: Array<string> = []
      const url = yield* answering((request, response) => {
        seen.push(`${request.url} ${Object.keys(request.headers).toSorted().join(" ")}`)
        listener(request, response)
      })
      const { code, out } = yield* checking(folder, url)
      assert.strictEqual(code, 1)
      assert.match(out, says)
      for (const one of seen) {
        assert.strictEqual(one, "/webhooks/main connection content-length content-type host x-api-signature")
      }
    })
  }

  it.live("reports a closed port, an unknown host name and an invalid address", function* () {
    const folder = yield* folderWith()
    yield* gatewayFor(folder)
    assert.match((yield* checking(folder, "http://127.0.0.1:1/hook")).out, /nothing listens there.*\(ECONNREFUSED\)/)
    assert.match((yield* checking(folder, "shop.example/hook")).out, /expected an address such as/)
    const clear = yield* checking(folder, "http://receiver.invalid/hook")
    assert.match(clear.out, /the name is not known/)
  })
})
