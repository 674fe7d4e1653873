/**
 * Real servers on loopback for the gateway's tests: recording HTTP servers, bare sockets, ports
 * without a listener.
 */
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
  /** Headers without host, connection and content-length. */
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

/** Starts an HTTP server; `reply` answers each request after its body has arrived. */
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

/** Starts a server with the same answer to every request. */
export const serveAnswer = (status: number, body: string | Uint8Array, headers: http.OutgoingHttpHeaders = {}) =>
  serve((_, response) => response.writeHead(status, headers).end(body))

/**
 * Starts a bare TCP server; `connections` counts the connections, and `bytes` collects the received
 * data.
 */
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

/** Port without a listener. */
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

/** Returns the operations for a server, with the real client for Node. */
export const connect = (baseUrl: string, config: Partial<GatewayConfig> = {}) =>
  Effect.flatMap(
    Effect.orDie(Gateway.make({ ...settings, baseUrl, apiKey: Redacted.make(apiKey), ...config })),
    withSubmit
  )

export interface WholeGateway extends Gateway.GatewayOperations, SubmitOperations {}

/** Adds the submit operation, which otherwise only a permission to send provides. */
export const withSubmit = (operations: Gateway.GatewayOperations): Effect.Effect<WholeGateway> =>
  Effect.map(Transmission.of(operations), (submit) => Transmission.keep({ ...operations, submit }, submit))

export const withClient =
  (options?: UndiciHttpClient.DispatcherOptions) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, HttpClient>> =>
    Effect.provide(effect, UndiciHttpClient.layer(options), { local: true })
