/**
 * Connection of a request, which faults can cut: a socket, or a replacement for a sandbox called in
 * its own process.
 */
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { ServerResponse } from "node:http"

/**
 * Connection that can be cut. Neither function answers: the server ends the request when its
 * connection is gone.
 */
export interface Connection {
  /** Cuts the connection without an answer. */
  readonly cut: (request: HttpServerRequest) => void
  /** Sends the headers and half the body, then cuts the connection. */
  readonly cutHalfWay: (request: HttpServerRequest, response: HttpServerResponse) => void
}

/** Returns the bytes of an answer with a byte body; empty for a stream. */
export const bytesOf = ({ body }: HttpServerResponse): Uint8Array =>
  body._tag === "Uint8Array" ? body.body : new Uint8Array()

const socket: Connection = {
  cut: (request) => {
    NodeHttpServerRequest.toIncomingMessage(request).socket.destroy()
  },
  cutHalfWay: (request, response) => {
    const bytes = bytesOf(response)
    const node = NodeHttpServerRequest.toServerResponse(request)
    if (!(node instanceof ServerResponse)) return
    node.writeHead(response.status, { ...response.headers, "content-length": bytes.length })
    node.write(bytes.subarray(0, bytes.length / 2), () => node.socket?.destroy())
  }
}

/** Connection of the request being served. Default: its socket. */
export const Connection = Context.Reference<Connection>("@fiscal-connector/sandbox/Connection", {
  defaultValue: () => socket
})

/** Cuts the connection with the given function; the request's fiber is then interrupted. */
export const cut = (how: (connection: Connection) => void): Effect.Effect<never> =>
  Effect.flatMap(Connection, (connection) => {
    how(connection)
    return Effect.never
  })
