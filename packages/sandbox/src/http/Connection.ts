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
  readonly cut: (request: HttpServerRequest) => void
  readonly cutHalfWay: (request: HttpServerRequest, response: HttpServerResponse) => void
}

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

export const Connection = Context.Reference<Connection>("@fiscal-connector/sandbox/Connection", {
  defaultValue: () => socket
})

export const cut = (how: (connection: Connection) => void): Effect.Effect<never> =>
  Effect.flatMap(Connection, (connection) => {
    how(connection)
    return Effect.never
  })
