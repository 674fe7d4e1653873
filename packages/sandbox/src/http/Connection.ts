/**
 * The connection a request came by, as faults cut it: a socket, or none where the sandbox is called in its own process.
 */
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { ServerResponse } from "node:http"

/** Nothing comes after either: whoever serves the request ends it when its connection is gone. */
export interface Connection {
  /** Cut without an answer. */
  readonly cut: (request: HttpServerRequest) => void
  /** Headers and half the body go out, then it is cut. */
  readonly cutHalfWay: (request: HttpServerRequest, response: HttpServerResponse) => void
}

/** The bytes of an answer that has them at hand; none of a stream. */
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

/** The connection of the request being served. Default: its socket. */
export const Connection = Context.Reference<Connection>("@fiscal-connector/sandbox/Connection", {
  defaultValue: () => socket
})

/** Cuts the connection in its way; the fiber of the request is interrupted then. */
export const cut = (how: (connection: Connection) => void): Effect.Effect<never> =>
  Effect.flatMap(Connection, (connection) => {
    how(connection)
    return Effect.never
  })
