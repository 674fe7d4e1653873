/**
 * "Everything else": answers and broken connections after which a submission may or may not have
 * been processed.
 */
import { assert, describe, it } from "../It.ts"
import { Effect, type Scope } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import type * as net from "node:net"
import { isCertainlyNotProcessed } from "../../src/gateway/contract/CertainlyNotProcessed.ts"
import type { GatewayErrorReason } from "../../src/gateway/contract/GatewayError.ts"
import { closedPort, connect, serve, serveAnswer, serveSockets, withClient } from "./Loopback.ts"
import { creditNote, invoice } from "./SampleDocuments.ts"

const submitTo = (baseUrl: string, write = "20 seconds") =>
  Effect.flatMap(connect(baseUrl, { timeouts: { write } }), (gateway) => Effect.flip(gateway.submit(invoice))).pipe(
    Effect.map(({ reason }) => reason),
    withClient({ longestAnswer: 10_000 })
  )

const answered = (status: number, body: string | Uint8Array, headers = {}) =>
  Effect.gen(function* () {
    const { baseUrl, received } = yield* serveAnswer(status, body, headers)
    const reason = yield* submitTo(baseUrl)
    assert.strictEqual(received.length, 1)
    return reason
  })

const onSocket = (onData: (socket: net.Socket) => void, timeout?: string) =>
  Effect.gen(function* () {
    const { baseUrl, seen } = yield* serveSockets(onData)
    const reason = yield* submitTo(baseUrl, timeout)
    assert.strictEqual(seen.connections, 1)
    assert.strictEqual(seen.bytes.match(/POST \/api\/invoice HTTP/g)?.length, 1)
    return reason
  })

const says = (text: string) => onSocket((socket) => socket.end(text))

const situations: { readonly [situation: string]: Effect.Effect<GatewayErrorReason, unknown, Scope.Scope> } = {
  "the server resets the connection": onSocket((socket) => socket.resetAndDestroy()),
  "the server hangs up without a word": onSocket((socket) => socket.end()),
  "half a status line": says("HTTP/1.1 20"),
  "headers without their end": says("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n"),
  "a body shorter than announced": says("HTTP/1.1 200 OK\r\nContent-Length: 30\r\n\r\nr-1"),
  "a chunked body without its end": says("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nr-1\r\n"),
  "a cut answer of a status that would be certain": says("HTTP/1.1 400 Bad Request\r\nContent-Length: 30\r\n\r\nno"),
  "a body longer than is taken": answered(200, "x".repeat(20_000)),
  "an answer that is no HTTP": says("SSH-2.0-OpenSSH_9.6\r\n"),
  "an upgrade nobody asked for": says("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
  "no answer in time": onSocket(() => undefined, "1 second"),
  "headers in time but a slow body": onSocket(
    (socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nr"),
    "1 second"
  ),
  "continue and nothing after it": onSocket((socket) => socket.write("HTTP/1.1 100 Continue\r\n\r\n"), "1 second"),
  "an empty 200": answered(200, ""),
  "204": answered(204, ""),
  HTML: answered(200, "<!doctype html><title>Welcome</title>", { "content-type": "text/html" }),
  "an object": answered(200, '{"RequestId":"r-1"}'),
  "an array": answered(200, '["r-1"]'),
  "empty quotes": answered(200, '""'),
  null: answered(200, "null"),
  true: answered(200, "true"),
  "a word": answered(200, "OK"),
  "a word in quotes": answered(202, '"Accepted"'),
  "a proxy's own page as text": answered(200, "Service Unavailable"),
  "a sentence": answered(200, "Thank you for your invoice"),
  "201 characters": answered(200, "1".repeat(201)),
  "bytes that are no text": answered(200, new Uint8Array([0xff, 0xfe, 0x00, 0x41]))
}

const statuses = [
  300, 301, 302, 303, 304, 307, 308, 402, 406, 408, 409, 410, 418, 425, 451, 500, 501, 502, 503, 504, 599
]

const isUnknown = (reason: GatewayErrorReason) => {
  assert.strictEqual(reason._tag, "UnknownOutcome")
  assert.isFalse(isCertainlyNotProcessed(reason))
}

describe("the outcome of a submission is unknown", () => {
  for (const [situation, produced] of Object.entries(situations)) {
    it.live(situation, () => Effect.map(produced, isUnknown))
  }

  for (const status of statuses) {
    it.live(`${status}`, () =>
      Effect.map(answered(status, "", { location: "/api/elsewhere" }), (reason) => {
        isUnknown(reason)
        assert.strictEqual(reason._tag === "UnknownOutcome" && reason.status, status)
      })
    )
  }

  it.live("if the server closes an idle connection just when the next submission is sent", () =>
    Effect.gen(function* () {
      const answer = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nr-1"
      const { baseUrl, seen } = yield* serveSockets((socket, text) =>
        text.includes("/creditnote") ? socket.write(answer) : socket.resetAndDestroy()
      )
      const gateway = yield* connect(baseUrl)
      yield* gateway.submit(creditNote)
      isUnknown((yield* Effect.flip(gateway.submit(invoice))).reason)
      assert.strictEqual(seen.bytes.match(/POST \/api\/invoice HTTP/g)?.length, 1)
    }).pipe(withClient({ connections: 1 }))
  )

  it.live(
    "after one sending, even with a retrying client, and a closed port after the first try proves nothing",
    function* () {
      const { baseUrl, seen } = yield* serveSockets((socket) => socket.resetAndDestroy())
      const reason = yield* Effect.flatMap(connect(baseUrl), (gateway) => Effect.flip(gateway.submit(invoice))).pipe(
        Effect.updateService(HttpClient.HttpClient, HttpClient.retry({ times: 3 })),
        withClient()
      )
      isUnknown(reason.reason)
      assert.strictEqual(seen.bytes.match(/POST \/api\/invoice HTTP/g)?.length, 1)
    }
  )

  it.live("with a client that does not report whether it sent", () =>
    Effect.gen(function* () {
      const gateway = yield* connect(`http://127.0.0.1:${yield* closedPort}`)
      isUnknown((yield* Effect.flip(gateway.submit(invoice))).reason)
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )

  it.live("after a redirect, which the platform's fetch does not follow either", () =>
    Effect.gen(function* () {
      const { baseUrl, received } = yield* serve(({ path }, response) =>
        path === "/api/invoice"
          ? response.writeHead(307, { location: "/api/elsewhere" }).end()
          : response.writeHead(200).end("r-1")
      )
      const gateway = yield* connect(baseUrl)
      isUnknown((yield* Effect.flip(gateway.submit(invoice))).reason)
      assert.strictEqual(received.length, 1)
      assert.notProperty(received[0]?.headers, "traceparent")
      assert.notProperty(received[0]?.headers, "b3")
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )
})
