/** Real servers on loopback for the gateway's tests: HTTP that records what it received, bare sockets, ports nobody listens on. */
import { Effect, Redacted } from "effect"
import type { HttpClient } from "effect/http/HttpClient"
import * as http from "node:http"
import * as net from "node:net"
import * as Gateway from "../../src/gateway/Gateway.ts"
import type { GatewayConfig } from "../../src/gateway/contract/GatewayConfig.ts"
import type { SubmitOperations } from "../../src/gateway/operation/Submit.ts"
import * as Transmission from "../../src/gateway/internal/SubmitCapability.ts"
import * as UndiciHttpClient from "../../src/node/UndiciHttpClient.ts"

export interface Received {
  readonly method: string
  readonly path: string
  /** Without host, connection and content-length. */
  readonly headers: Record<string, string>
  readonly body: string
}

const listening = (server: net.Server) =>
  Effect.callback<number>((resume) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

const headersOf = ({ rawHeaders }: http.IncomingMessage): Record<string, string> => {
  const pairs = rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [[name, rawHeaders[index + 1]!] as const] : []))
  return Object.fromEntries(pairs.filter(([name]) => !["host", "connection", "content-length"].includes(name)))
}

/** An HTTP server; `reply` answers each request once its body is here. */
export const serve = (reply: (received: Received, response: http.ServerResponse) => void) =>
  Effect.gen(function* () {
    const received: Array<Received> = []
    const server = yield* Effect.acquireRelease(
      Effect.sync(() =>
        http.createServer((message, response) => {
          const chunks: Array<Buffer> = []
          message.on("data", (chunk: Buffer) => chunks.push(chunk))
          message.on("end", () => {
            const one = {
              method: message.method ?? "",
              path: message.url ?? "",
              headers: headersOf(message),
              body: Buffer.concat(chunks).toString("utf8")
            }
            received.push(one)
            reply(one, response)
          })
        })
      ),
      (server) =>
        Effect.sync(() => {
          server.closeAllConnections()
          server.close()
        })
    )
    const port = yield* listening(server)
    return { baseUrl: `http://127.0.0.1:${port}/api`, received }
  })

/** Answers every request alike. */
export const serveAnswer = (status: number, body: string | Uint8Array, headers: http.OutgoingHttpHeaders = {}) =>
  serve((_, response) => response.writeHead(status, headers).end(body))

/** A bare TCP server; what arrives is counted in `connections` and collected in `bytes`. */
export const serveSockets = (onData: (socket: net.Socket, text: string) => void) =>
  Effect.gen(function* () {
    const seen = { connections: 0, bytes: "" }
    const open = new Set<net.Socket>()
    const server = yield* Effect.acquireRelease(
      Effect.sync(() =>
        net.createServer((socket) => {
          seen.connections++
          open.add(socket)
          socket.on("error", () => undefined)
          socket.on("data", (chunk) => {
            seen.bytes += chunk.toString("latin1")
            onData(socket, chunk.toString("latin1"))
          })
        })
      ),
      (server) =>
        Effect.sync(() => {
          for (const socket of open) socket.destroy()
          server.close()
        })
    )
    const port = yield* listening(server)
    return { baseUrl: `http://127.0.0.1:${port}/api`, port, seen }
  })

/** A port on which nobody listens. */
export const closedPort = Effect.scoped(
  Effect.map(
    serveSockets(() => undefined),
    ({ port }) => port
  )
)

export const apiKey = "key-PLANTED-7f3a"
export const secret = "secret-PLANTED-91cc"

export const settings = {
  account: "shop",
  application: "fiscal-connector",
  station: "till-1",
  // Short waits: these servers are on the same machine.
  retries: { base: "1 millis", longest: "2 millis" }
} as const

/** The operations against a server, over the real client for Node. */
export const connect = (baseUrl: string, config: Partial<GatewayConfig> = {}) =>
  Effect.flatMap(
    Effect.orDie(Gateway.make({ ...settings, baseUrl, apiKey: Redacted.make(apiKey), ...config })),
    withSubmit
  )

export interface WholeGateway extends Gateway.GatewayOperations, SubmitOperations {}

/** The operations with the one that only a permission to send leads to. */
export const withSubmit = (operations: Gateway.GatewayOperations): Effect.Effect<WholeGateway> =>
  Effect.map(Transmission.of(operations), (submit) => Transmission.keep({ ...operations, submit }, submit))

export const withClient =
  (options?: UndiciHttpClient.Options) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, HttpClient>> =>
    Effect.provide(effect, UndiciHttpClient.layer(options), { local: true })
