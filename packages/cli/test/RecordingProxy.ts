/**
 * Plain HTTP server between a client and a sandbox: passes everything on and records the exchanges.
 */
import { Effect } from "effect"
import { type ClientRequest, createServer, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http"

export interface Exchange {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly status: number
  readonly contentType: string
  readonly answer: string
}

const textOf = (message: IncomingMessage, then: (text: string, bytes: Buffer) => void) => {
  const chunks: Array<Buffer> = []
  message.on("data", (chunk: Buffer) => chunks.push(chunk))
  message.on("end", () => then(Buffer.concat(chunks).toString("utf8"), Buffer.concat(chunks)))
}

/** Replaces the gateway's answer by another status and body, or cuts the connection before it. */
export type Rewrite = (exchange: Exchange) => { readonly status: number; readonly answer: string } | "cut"

/**
 * Starts the proxy, which stops with its scope. Answers are passed unchanged, or changed by
 * `rewrite`.
 */
export const before = Effect.fnUntraced(function* (gateway: string, rewrite?: Rewrite) {
  const exchanges: Array<Exchange> = []
  const server = createServer((incoming, response) =>
    textOf(incoming, (body, bytes) => {
      const url = new URL(incoming.url ?? "/", gateway)
      const { headers, method = "GET" } = incoming
      const outgoing: ClientRequest = request(url, { method, headers: { ...headers, host: url.host } }, (answer) =>
        textOf(answer, (text, answerBytes) => {
          const { statusCode: status = 0, headers: answerHeaders } = answer
          const contentType = answerHeaders["content-type"] ?? ""
          exchanges.push({ method, url, headers, body, status, contentType, answer: text })
          if (rewrite === undefined) return response.writeHead(status, answerHeaders).end(answerBytes)
          const other = rewrite(exchanges.at(-1)!)
          if (other === "cut") return response.destroy()
          const { "content-length": _, "transfer-encoding": __, ...rest } = answerHeaders
          response.writeHead(other.status, rest).end(other.answer)
        })
      )
      outgoing.end(bytes)
    })
  )
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.void))
    }),
    () =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return { url: `http://127.0.0.1:${port}`, exchanges }
})
