/** Closed with the scope, with limits against slow and many clients. */
import { Data, Effect, type Scope } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import * as SlowClients from "./SlowClients.ts"
import type { Listener } from "./WebhookListener.ts"

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program uses the port; end that one, or take another port, 0 for a free one",
  EACCES: "this user may not use this port; take one from 1024 on, or 0 for a free one",
  EADDRNOTAVAIL: "this machine has no such address; name one that it has, or 127.0.0.1 for itself alone",
  ENOTFOUND: "no address has this name; name one of this machine, or 127.0.0.1 for itself alone",
  ERR_SOCKET_BAD_PORT: "a port is a whole number from 0 to 65535"
}

/**
 * The address cannot be used: taken by another program, not an address of this machine, or not
 * permitted.
 */
export class NotListening extends Data.TaggedError("NotListening")<{
  readonly host: string
  readonly port: number
  readonly code: string
}> {
  override get message() {
    return `cannot listen on ${this.host}:${this.port}: ${reasons[this.code] ?? this.code}`
  }
}

/** Starts the server and returns its base address; port 0 takes a free port. */
export const listen = (
  listener: Listener,
  { host, port }: { readonly host: string; readonly port: number }
): Effect.Effect<string, NotListening, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<ReturnType<typeof createServer>, NotListening>((resume) => {
        // Node would throw an exception
        if (!Number.isInteger(port) || port < 0 || port > 65_535)
          return resume(Effect.fail(new NotListening({ host, port, code: "ERR_SOCKET_BAD_PORT" })))
        const server = createServer(SlowClients.timeouts, listener)
        SlowClients.guard(server)
        server.maxConnections = 512
        server.once("error", (error: NodeJS.ErrnoException) =>
          resume(Effect.fail(new NotListening({ host, port, code: error.code ?? error.name })))
        )
        server.listen(port, host, () => resume(Effect.succeed(server)))
      }),
      (server) =>
        Effect.callback<void>((resume) => {
          server.close(() => resume(Effect.void))
          // current requests are answered; idle connections are closed at once
          server.closeIdleConnections()
          setTimeout(() => server.closeAllConnections(), 5000).unref()
        })
    ),
    (server) => {
      const { address, port } = server.address() as AddressInfo
      return `http://${address.includes(":") ? `[${address}]` : address}:${port}`
    }
  )
