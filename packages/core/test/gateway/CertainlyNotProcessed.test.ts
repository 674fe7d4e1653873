/** Each entry of "certainly not processed", produced by a real server, socket or closed port. */
import { assert, describe, it } from "../It.ts"
import { Deferred, Duration, Effect, Fiber, type Scope } from "effect"
import { RequestId } from "../../src/document/Identifiers.ts"
import * as DualClock from "../../src/gateway/contract/DualClock.ts"
import * as tls from "node:tls"
import { certainlyNotProcessed, isCertainlyNotProcessed } from "../../src/gateway/contract/CertainlyNotProcessed.ts"
import { SendDeadline } from "../../src/gateway/contract/SendDeadline.ts"
import type { GatewayConfig } from "../../src/gateway/contract/GatewayConfig.ts"
import type { GatewayErrorReason } from "../../src/gateway/contract/GatewayError.ts"
import type * as UndiciHttpClient from "../../src/node/UndiciHttpClient.ts"
import { closedPort, connect, serve, serveAnswer, serveSockets, withClient } from "./Loopback.ts"
import { certificate, privateKey } from "./LoopbackCertificate.ts"
import { creditNote, invoice } from "./SampleDocuments.ts"

const submitTo = (
  baseUrl: string,
  config: Partial<GatewayConfig> = {},
  options: UndiciHttpClient.DispatcherOptions = {}
) =>
  Effect.flatMap(connect(baseUrl, config), (gateway) => Effect.flip(gateway.submit(invoice))).pipe(
    Effect.map(({ reason }) => reason),
    withClient(options)
  )

const serveTls = Effect.gen(function* () {
  const seen = { bytes: 0 }
  const server = yield* Effect.acquireRelease(
    Effect.sync(() =>
      tls.createServer({ cert: certificate, key: privateKey }, (socket) => {
        socket.on("error", () => undefined)
        socket.on("data", (chunk) => {
          seen.bytes += chunk.length
          socket.end("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nr-1")
        })
      })
    ),
    (server) => Effect.sync(() => server.close())
  )
  server.on("tlsClientError", () => undefined)
  yield* Effect.callback<void>((resume) => {
    server.listen(0, "127.0.0.1", () => resume(Effect.void))
  })
  const address = server.address()
  return { port: typeof address === "object" && address !== null ? address.port : 0, seen }
})

type Produced = Effect.Effect<GatewayErrorReason, unknown, Scope.Scope>

const notSent: { readonly [cause: string]: { readonly [situation: string]: Produced } } = {
  "name-not-resolved": {
    "a name that does not exist": submitTo("https://gateway.invalid/api")
  },
  "not-connected": {
    "a port nobody listens on": Effect.flatMap(closedPort, (port) => submitTo(`http://127.0.0.1:${port}`)),
    "a TLS handshake that is never answered": Effect.gen(function* () {
      const { port, seen } = yield* serveSockets(() => undefined)
      const reason = yield* submitTo(`https://127.0.0.1:${port}`, {}, { connectTimeout: 100 })
      assert.notInclude(seen.bytes, "HTTP/1.1")
      return reason
    }),
    "a proxy nobody listens at": Effect.flatMap(closedPort, (port) =>
      submitTo("https://gateway.example", {}, { proxy: `http://127.0.0.1:${port}` })
    ),
    "a proxy that refuses the tunnel": Effect.gen(function* () {
      const { port, seen } = yield* serveSockets((socket) => socket.end("HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n"))
      const reason = yield* submitTo("https://gateway.example", {}, { proxy: `http://u:planted@127.0.0.1:${port}` })
      assert.match(seen.bytes, /^CONNECT gateway.example:443 HTTP/)
      assert.notInclude(seen.bytes, "POST")
      return reason
    }),
    "a proxy that hangs up instead of an answer": Effect.gen(function* () {
      const { port, seen } = yield* serveSockets((socket) => socket.destroy())
      const reason = yield* submitTo("https://gateway.example", {}, { proxy: `http://127.0.0.1:${port}` })
      assert.notInclude(seen.bytes, "POST")
      return reason
    })
  },
  "tls-failure": {
    "a certificate nobody vouches for": Effect.gen(function* () {
      const { port, seen } = yield* serveTls
      const reason = yield* submitTo(`https://127.0.0.1:${port}`)
      assert.strictEqual(seen.bytes, 0)
      return reason
    }),
    "a certificate for another name": Effect.gen(function* () {
      const { port, seen } = yield* serveTls
      const reason = yield* submitTo(`https://127.0.0.1:${port}`, {}, { ca: certificate })
      assert.strictEqual(seen.bytes, 0)
      return reason
    }),
    "a server that does not speak TLS": Effect.flatMap(
      serveSockets((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")),
      ({ port }) => submitTo(`https://127.0.0.1:${port}`)
    ),
    "a server that hangs up in the handshake": Effect.flatMap(
      serveSockets((socket) => socket.end()),
      ({ port }) => submitTo(`https://127.0.0.1:${port}`)
    )
  },
  "aborted-before-sending": {
    "a proxy that never answers": Effect.gen(function* () {
      const { port, seen } = yield* serveSockets(() => undefined)
      const impatient = { timeouts: { write: "100 millis" } } as const
      const reason = yield* submitTo("https://gateway.example", impatient, { proxy: `http://127.0.0.1:${port}` })
      assert.notInclude(seen.bytes, "POST")
      return reason
    }),
    "a timeout while another request has the only connection": Effect.gen(function* () {
      const arrived = yield* Deferred.make<void>()
      const { baseUrl, received } = yield* serve(() => Deferred.doneUnsafe(arrived, Effect.void))
      const { reason } = yield* Effect.gen(function* () {
        const gateway = yield* connect(baseUrl)
        const first = yield* Effect.forkChild(gateway.submit(creditNote))
        yield* Deferred.await(arrived)
        const impatient = yield* connect(baseUrl, { timeouts: { write: "100 millis" } })
        const second = yield* Effect.flip(impatient.submit(invoice))
        yield* Fiber.interrupt(first)
        return second
      }).pipe(withClient({ connections: 1 }))
      assert.deepStrictEqual(
        received.map(({ path }) => path),
        ["/api/creditnote"]
      )
      return reason
    })
  }
}

/**
 * Submits to a server with the status and a body; returns the client's reason, which contains the
 * body's text if it has a text.
 */
const submitAnswered = (status: number) =>
  Effect.gen(function* () {
    const { baseUrl, received } = yield* serveAnswer(status, '{"message":"because"}', { "retry-after": "7" })
    const reason = yield* submitTo(baseUrl)
    assert.strictEqual(received.length, 1)
    return reason
  })

describe("certainly not processed", () => {
  for (const entry of certainlyNotProcessed) {
    if (entry.when === "not-sent") {
      it(`${entry.cause} has a situation that produces it`, () => {
        assert.isNotEmpty(Object.keys(notSent[entry.cause] ?? {}))
      })
      for (const [situation, produced] of Object.entries(notSent[entry.cause] ?? {})) {
        it.live(`${entry.cause}: ${situation}`, () =>
          Effect.map(produced, (reason) => {
            assert.strictEqual(reason._tag, "NotSent")
            assert.strictEqual(reason._tag === "NotSent" && reason.cause, entry.cause)
            assert.isTrue(isCertainlyNotProcessed(reason))
          })
        )
      }
    } else {
      it.live(`a complete answer of ${entry.status}`, () =>
        Effect.map(submitAnswered(entry.status), (reason) => {
          assert.strictEqual(reason._tag, entry.reason)
          assert.isTrue(isCertainlyNotProcessed(reason))
          if (reason._tag === "Declined" || reason._tag === "CredentialsRefused")
            assert.strictEqual(reason.text, "because")
        })
      )
    }
  }

  for (const entry of certainlyNotProcessed)
    if (entry.when === "answered")
      it.live(`does not include a ${entry.status} if LIM-1 states that it may come after processing`, function* () {
        const { baseUrl } = yield* serveAnswer(entry.status, "because")
        const reason = yield* submitTo(baseUrl, { assumptions: { "LIM-1": "unknown" } })
        assert.deepInclude(reason, { _tag: "UnknownOutcome", status: entry.status })
        assert.isFalse(isCertainlyNotProcessed(reason))
      })

  it.live("includes a request after its send deadline, which is not handed over", function* () {
    const { baseUrl, received } = yield* serve((_, response) => response.end("r-1"))
    const reason = yield* Effect.provideService(submitTo(baseUrl), SendDeadline, {
      from: yield* DualClock.now,
      within: -1
    })
    assert.isTrue(reason._tag === "NotSent" && reason.cause === "aborted-before-sending")
    assert.isTrue(isCertainlyNotProcessed(reason))
    assert.lengthOf(received, 0)
  })

  it.live("includes the pause that a 429 requests from the lane", () =>
    Effect.map(submitAnswered(429), (reason) => {
      assert.strictEqual(reason._tag === "Limited" && reason.retryAfter && Duration.toSeconds(reason.retryAfter), 7)
    })
  )

  it.live("does not apply if the private authority is trusted: the request succeeds", () =>
    Effect.gen(function* () {
      const { port } = yield* serveTls
      const gateway = yield* connect(`https://localhost:${port}`)
      assert.strictEqual(yield* gateway.submit(invoice), RequestId.make("r-1"))
    }).pipe(withClient({ ca: certificate }))
  )
})
