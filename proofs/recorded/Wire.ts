/** Records every byte that a client sends to the gateway: a proxy on the loopback address. */
import { Effect } from "effect"
import { connect, createServer, type AddressInfo } from "node:net"

/** Running proxy. `taken` returns the requests since the last call, in their order of arrival. */
export interface Wire {
  readonly port: number
  readonly taken: () => ReadonlyArray<string>
}

/** Starts a proxy to this port, until the scope closes. */
export const before = (port: number) =>
  Effect.acquireRelease(
    Effect.callback<Wire & { readonly close: () => void }>((resume) => {
      let requests: Array<{ text: string }> = []
      const server = createServer((client) => {
        const gateway = connect(port, "127.0.0.1")
        let last: { text: string } | undefined
        client.on("data", (bytes) => {
          const text = bytes.toString("utf8")
          if (/^[A-Z]+ \/\S* HTTP\/1\.1\r\n/.test(text)) {
            last = { text }
            requests.push(last)
          } else if (last !== undefined) last.text += text
        })
        client.pipe(gateway)
        gateway.pipe(client)
        for (const socket of [client, gateway])
          socket.on("error", () => {
            client.destroy()
            gateway.destroy()
          })
      })
      server.listen(0, "127.0.0.1", () =>
        resume(
          Effect.succeed({
            port: (server.address() as AddressInfo).port,
            taken: () => {
              const texts = requests.map(({ text }) => text.replaceAll("\r\n", "\n"))
              requests = []
              return texts
            },
            close: () => void server.close()
          })
        )
      )
    }),
    ({ close }) => Effect.sync(close)
  )
