/**
 * The receiver behind Node's own HTTP server: POST on the path of an account, and nothing else. It reads the bytes itself, so nothing can have
 * parsed them before.
 */
import { Effect } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { maxBodySize, type WebhookAccount } from "../webhook/WebhookDelivery.ts"
import { type Reply, toCallback, type WebhookReceiver } from "../webhook/WebhookReceiver.ts"

/** For `http.createServer`, or for the part of a host's own server that its webhooks are on. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** Where it listens. */
export interface ListenerOptions {
  /** The account that each path stands for (HOOK-6), as `/webhooks/shop`; paths are compared as they are written. */
  readonly paths: ReadonlyMap<string, WebhookAccount>
  /** Told of every answer to a delivery. */
  readonly observe?: (account: string, status: Reply["status"]) => void
}

/** Where an account's deliveries come in, unless a host decides otherwise. */
export const pathOf = (account: string): string => `/webhooks/${encodeURIComponent(account)}`

const answer = (response: ServerResponse, status: number, body: string): void => {
  response.writeHead(status, status === 204 ? {} : { "Content-Type": "text/plain; charset=utf-8" })
  response.end(body)
}

/** Says no without reading what else is coming. */
const refuse = (response: ServerResponse, status: number, body: string): void => {
  response.setHeader("Connection", "close")
  answer(response, status, body)
}

/** The whole body; null once it is larger than any delivery. */
const bytesOf = (request: IncomingMessage, done: (body: Uint8Array | null) => void): void => {
  const chunks: Array<Buffer> = []
  let size = 0
  request.on("data", (chunk: Buffer) => {
    size += chunk.length
    if (size <= maxBodySize) return chunks.push(chunk)
    request.removeAllListeners("data").removeAllListeners("end").resume()
    done(null)
  })
  request.on("end", () => done(Buffer.concat(chunks)))
  // the sender has gone; there is nobody to answer
  request.on("error", () => undefined)
}

/** Answers 404 to every other path and method, so that a public address shows nothing else. */
export const make = ({ observe, paths }: ListenerOptions): Effect.Effect<Listener, never, WebhookReceiver> =>
  Effect.map(toCallback, (receive) => (request, response) => {
    const receivedAt = new Date()
    const path = (request.url ?? "").replace(/[?#].*$/s, "")
    const account = request.method === "POST" ? paths.get(path) : undefined
    if (account === undefined) return refuse(response, 404, "")
    bytesOf(request, (body) => {
      const tell = ({ body: text, status }: Reply) => {
        observe?.(account.account, status)
        if (status === 413) refuse(response, status, text)
        else answer(response, status, text)
      }
      if (body === null) tell({ status: 413, body: `more than ${maxBodySize} bytes` })
      else receive({ account, headers: request.headers, body, receivedAt }, tell)
    })
  })
