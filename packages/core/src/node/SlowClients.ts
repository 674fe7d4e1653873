/** Keeps an HTTP server reachable while clients hold connections without completing a request. */
import type { Server } from "node:http"
import type { Socket } from "node:net"

export interface SlowClientLimits {
  /**
   * Connections of one address without a complete request. A proxy completes each request at once.
   */
  readonly perAddress: number
  readonly inAll: number
}

/**
 * Options for `createServer`: requests past their deadline end within a second. Node's default
 * check runs only every 30 s.
 */
export const timeouts = {
  headersTimeout: 5000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1000,
  maxHeaderSize: 16_384
} as const

export const usualLimits: SlowClientLimits = { perAddress: 64, inAll: 384 }

/**
 * When a new connection exceeds a limit, the oldest without a complete request is closed. An honest
 * request is complete within milliseconds, so the oldest belong to slow clients; refusing the
 * newest would refuse an honest delivery.
 */
export const guard = (server: Server, { inAll, perAddress }: SlowClientLimits = usualLimits): void => {
  // in the order of waiting
  const incomplete = new Set<Socket>()
  const ofAddress = new Map<string, Set<Socket>>()
  const addressOf = new WeakMap<Socket, string>()

  const wait = (socket: Socket) => {
    const address = addressOf.get(socket) ?? ""
    const same = ofAddress.get(address) ?? new Set()
    ofAddress.set(address, same.add(socket))
    incomplete.add(socket)
  }
  const proceed = (socket: Socket) => {
    const address = addressOf.get(socket) ?? ""
    const same = ofAddress.get(address)
    incomplete.delete(socket)
    same?.delete(socket)
    if (same?.size === 0) ofAddress.delete(address)
  }
  const endOldest = (sockets: ReadonlySet<Socket>) => {
    const [oldest] = sockets
    if (oldest === undefined) return
    proceed(oldest)
    oldest.destroy()
  }

  server.on("connection", (socket) => {
    addressOf.set(socket, socket.remoteAddress ?? "")
    wait(socket)
    socket.once("close", () => proceed(socket))
    const same = ofAddress.get(addressOf.get(socket) ?? "")
    if (same !== undefined && same.size > perAddress) endOldest(same)
    if (incomplete.size > inAll) endOldest(incomplete)
  })
  server.on("request", (request, response) => {
    const { socket } = request
    request.once("end", () => proceed(socket))
    // kept open for a further request
    response.once("close", () => {
      if (!socket.destroyed) wait(socket)
    })
  })
}
