/**
 * Requests of the client for Node through real tunnels, to a gateway that requires a client
 * certificate, and with a dispatcher of the host program.
 */
import { assert, describe, it } from "../It.ts"
import { Effect, Redacted } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import * as http from "node:http"
import * as https from "node:https"
import * as net from "node:net"
import type { TLSSocket } from "node:tls"
import { Agent, RetryAgent } from "undici"
import type * as UndiciHttpClient from "../../src/node/UndiciHttpClient.ts"
import * as HttpDispatchers from "../../src/node/HttpDispatchers.ts"
import { connect, serve, serveAnswer, withClient } from "../gateway/Loopback.ts"
import { certificate, privateKey } from "../gateway/LoopbackCertificate.ts"
import { invoice } from "../gateway/SampleDocuments.ts"

const listening = <Server extends net.Server>(server: Server) =>
  Effect.acquireRelease(
    Effect.callback<number>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed((server.address() as net.AddressInfo).port)))
    }),
    () => Effect.sync(() => server.close())
  )

/**
 * Starts a proxy that connects every tunnel to `port` of this machine, whatever name was requested.
 */
const proxyTo = (port: number, broken?: (text: string) => boolean) =>
  Effect.gen(function* () {
    const seen: Array<{ readonly target: string; readonly authorization: string | undefined }> = []
    const open = new Set<net.Socket>()
    const server = http.createServer((_, response) => response.writeHead(501).end())
    server.on("connect", ({ headers, url }, socket: net.Socket) => {
      seen.push({ target: url ?? "", authorization: headers["proxy-authorization"] })
      const beyond = net.connect(port, "127.0.0.1", () => socket.write("HTTP/1.1 200 Connection established\r\n\r\n"))
      for (const one of [socket, beyond]) open.add(one.on("error", () => undefined))
      socket.on("data", (chunk) => {
        if (broken?.(chunk.toString("latin1")) === true) socket.destroy()
        else beyond.write(chunk)
      })
      beyond.on("data", (chunk) => socket.write(chunk)).on("end", () => socket.end())
      socket.on("close", () => beyond.destroy())
    })
    yield* Effect.addFinalizer(() => Effect.sync(() => open.forEach((socket) => socket.destroy())))
    const at = yield* listening(server)
    return { seen, url: `http://127.0.0.1:${at}` }
  })

/** Starts a gateway that requires a certificate of its authority. */
const knowing = Effect.gen(function* () {
  const shown: Array<string> = []
  const options = { cert: certificate, key: privateKey, ca: certificate, requestCert: true, rejectUnauthorized: true }
  const server = https.createServer(options, ({ socket }, response) => {
    shown.push(String((socket as TLSSocket).getPeerCertificate().subject.CN))
    response.end("r-1")
  })
  const port = yield* listening(server)
  yield* Effect.addFinalizer(() => Effect.sync(() => server.closeAllConnections()))
  return { shown, port }
})

const identity = { certificate, key: Redacted.make(privateKey) }

const sendTo = (baseUrl: string, options: UndiciHttpClient.DispatcherOptions) =>
  Effect.flatMap(connect(baseUrl), (gateway) => Effect.result(gateway.submit(invoice))).pipe(
    Effect.map((result) => (result._tag === "Success" ? result.success : result.failure.reason._tag)),
    withClient(options)
  )

describe("a proxy", () => {
  it.live("tunnels every request, and receives only its own password", function* () {
    const { baseUrl, received } = yield* serveAnswer(200, "r-1")
    const { seen, url } = yield* proxyTo(Number(new URL(baseUrl).port))
    const proxy = url.replace("//", "//clerk:open%20sesame@")
    assert.strictEqual(yield* sendTo(baseUrl, { proxy }), "r-1")
    const authorization = `Basic ${Buffer.from("clerk:open sesame").toString("base64")}`
    assert.deepStrictEqual(seen, [{ target: new URL(baseUrl).host, authorization }])
    assert.deepStrictEqual(
      received.map(({ headers, path }) => [path, headers["proxy-authorization"]]),
      [["/api/invoice", undefined]]
    )
  })

  it.live(
    "that drops the tunnel after the request was sent makes the outcome unknown, and the request is not repeated",
    function* () {
      const { baseUrl, received } = yield* serveAnswer(200, "r-1")
      const { seen, url } = yield* proxyTo(Number(new URL(baseUrl).port), (text) => text.startsWith("POST"))
      assert.strictEqual(yield* sendTo(baseUrl, { proxy: url }), "UnknownOutcome")
      assert.deepStrictEqual([seen.length, received.length], [1, 0])
    }
  )

  it.live("is taken from the environment, but not for loopback addresses, NO_PROXY or `none`", function* () {
    const { baseUrl } = yield* serveAnswer(200, "x")
    const { seen, url } = yield* proxyTo(Number(new URL(baseUrl).port))
    const environment = {
      HTTPS_PROXY: "http://127.0.0.1:9",
      http_proxy: url.slice("http://".length),
      NO_PROXY: ".inner"
    }
    const reached = (origin: string, options: UndiciHttpClient.DispatcherOptions = {}) =>
      Effect.promise(async () => {
        const dispatchers = HttpDispatchers.make(options, environment)
        const status = await new Promise<number | string>((resume) => {
          dispatchers.of(origin).dispatch(
            { origin, path: "/", method: "GET" },
            {
              onRequestStart: () => undefined,
              onResponseStart: (_: unknown, status: number) => resume(status),
              onResponseData: () => undefined,
              onResponseEnd: () => undefined,
              onResponseError: (_: unknown, error: { readonly code: string }) => resume(error.code)
            }
          )
        })
        await dispatchers.destroy()
        return status
      })
    assert.strictEqual(yield* reached("http://gateway.example"), 200)
    assert.deepStrictEqual(
      seen.map(({ target }) => target),
      ["gateway.example:80"]
    )
    assert.strictEqual(yield* reached("https://gateway.example"), "ECONNREFUSED")
    assert.strictEqual(yield* reached(baseUrl.replace("/api", "")), 200)
    assert.strictEqual(yield* reached("http://gateway.inner"), "ENOTFOUND")
    assert.strictEqual(yield* reached("http://gateway.invalid", { proxy: "none" }), "ENOTFOUND")
    assert.strictEqual(seen.length, 1)
  })

  it.live("with an invalid URL means a request that was not sent, and its password appears in no text", function* () {
    const error = yield* Effect.flatMap(connect("https://gateway.example"), (gateway) =>
      Effect.flip(gateway.submit(invoice))
    ).pipe(withClient({ proxy: "http://clerk:planted@:::" }))
    assert.strictEqual(error.reason._tag, "NotSent")
    assert.notInclude(JSON.stringify(error) + error.message, "planted")
  })
})

describe("a gateway that requires a client certificate", () => {
  it.live("accepts a machine with its certificate, also through a tunnel", function* () {
    const { port, shown } = yield* knowing
    assert.strictEqual(yield* sendTo(`https://localhost:${port}`, { ca: certificate, identity }), "r-1")
    const { url } = yield* proxyTo(port)
    assert.strictEqual(yield* sendTo("https://localhost", { ca: certificate, identity, proxy: url }), "r-1")
    assert.deepStrictEqual(shown, ["localhost", "localhost"])
  })

  it.live("refuses other machines before any request", function* () {
    const { port, shown } = yield* knowing
    assert.include(["UnknownOutcome", "NotSent"], yield* sendTo(`https://localhost:${port}`, { ca: certificate }))
    assert.strictEqual(yield* sendTo(`https://localhost:${port}`, { identity }), "NotSent")
    assert.deepStrictEqual(shown, [])
  })
})

describe("a dispatcher of the host program", () => {
  it.live("sends all requests, and is not closed with the client", function* () {
    const { baseUrl, received } = yield* serveAnswer(200, "r-1")
    const dispatcher = new Agent()
    for (const _ of [1, 2]) assert.strictEqual(yield* sendTo(baseUrl, { dispatcher }), "r-1")
    assert.strictEqual(received.length, 2)
    yield* Effect.promise(() => dispatcher.destroy())
  })

  it.live("that retries cannot send a request a second time", function* () {
    const { baseUrl, received } = yield* serve((_, response) => void response.destroy())
    const dispatcher = new RetryAgent(new Agent(), { minTimeout: 1, methods: ["POST", "GET"], maxRetries: 3 })
    assert.strictEqual(yield* sendTo(baseUrl, { dispatcher }), "UnknownOutcome")
    assert.strictEqual(received.length, 1)
    yield* Effect.promise(() => dispatcher.destroy())
  })

  it.live("that does not report the start of a request is refused at its first answer", function* () {
    const dispatcher = {
      dispatch: (_: object, given: object) => {
        const handler = given as { onResponseStart: (controller: object, status: number, headers: object) => void }
        setImmediate(() => handler.onResponseStart({ abort: () => undefined }, 200, {}))
        return true
      }
    }
    const error = yield* Effect.flip(
      Effect.flatMap(HttpClient.HttpClient, (client) => client.get("http://gateway.example")).pipe(
        withClient({ dispatcher })
      )
    )
    assert.match(String(error.reason.cause), /give it one of undici 7 or later/)
    assert.strictEqual(yield* sendTo("https://gateway.example", { dispatcher }), "UnknownOutcome")
  })
})
