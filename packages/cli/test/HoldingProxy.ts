/**
 * Plain HTTP server between a client and a sandbox that delays requests: the client gives up, but
 * the gateway still takes the request.
 */
import { Effect } from "effect"
import { createServer, request } from "node:http"

/**
 * Starts the proxy, which stops with its scope. `hold`: delay of a request, in milliseconds, or
 * `Infinity` until `release` is called. `held`: bodies of the delayed requests. `late`: number of
 * requests passed on after their client had left.
 */
export const before = Effect.fnUntraced(function* (gateway: string, hold: (path: string) => number) {
  const passed: Array<string> = []
  const timers = new Set<NodeJS.Timeout>()
  const waiting = new Map<object, { readonly body: string; readonly pass: () => void }>()
  const proceed = (incoming: object) => {
    // Passed on before removal, so that the request is never missing from both.
    waiting.get(incoming)?.pass()
    waiting.delete(incoming)
  }
  let late = 0
  const server = createServer((incoming, response) => {
    const chunks: Array<Buffer> = []
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk))
    incoming.on("end", () => {
      const url = new URL(incoming.url ?? "/", gateway)
      const { headers, method = "GET" } = incoming
      const pass = () => {
        passed.push(`${method} ${url.pathname}`)
        if (response.destroyed) late++
        const outgoing = request(url, { method, agent: false, headers: { ...headers, host: url.host } }, (answer) => {
          response.on("error", () => undefined)
          if (response.destroyed) return answer.resume()
          // An answer interrupted by the gateway is interrupted here as well.
          answer.on("error", () => response.destroy())
          response.writeHead(answer.statusCode ?? 500, answer.headers)
          return answer.pipe(response)
        })
        outgoing.on("error", () => response.destroy())
        outgoing.end(Buffer.concat(chunks))
      }
      const millis = hold(url.pathname)
      if (millis === 0) pass()
      else {
        waiting.set(incoming, { body: Buffer.concat(chunks).toString(), pass })
        if (millis === Infinity) return
        const timer = setTimeout(() => {
          timers.delete(timer)
          proceed(incoming)
        }, millis)
        timers.add(timer)
      }
    })
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.void))
    }),
    () =>
      Effect.sync(() => {
        for (const timer of timers) clearTimeout(timer)
        server.closeAllConnections()
        server.close()
      })
  )
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    passed,
    held: (): ReadonlyArray<string> => [...waiting.values()].map(({ body }) => body),
    release: (): void => [...waiting.keys()].forEach(proceed),
    late: () => late
  }
})
