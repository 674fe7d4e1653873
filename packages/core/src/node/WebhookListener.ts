/**
 * Accepts POST on the path of an account, and nothing else. Reads the raw bytes, so no parser can
 * change the body before the signature check.
 */
import { Effect } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { maxBodySize, type WebhookAccount } from "../sending/WebhookDelivery.ts"
import { type Reply, toCallback, type WebhookReceiver } from "../sending/WebhookReceiver.ts"

/** Listener for `http.createServer`, or for the webhook part of a host's own server. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** Options of the listener. */
export interface ListenerOptions {
  /** Account of each path (HOOK-6), as `/webhooks/shop`; paths are compared as written. */
  readonly paths: ReadonlyMap<string, WebhookAccount>
  readonly observe?: (account: string, status: Reply["status"]) => void
}

/** Returns the default path of an account's deliveries. */
export const pathOf = (account: string): string => `/webhooks/${encodeURIComponent(account)}`

const answer = (response: ServerResponse, status: number, body: string): void => {
  response.writeHead(status, status === 204 ? {} : { "Content-Type": "text/plain; charset=utf-8" })
  response.end(body)
}

const refuse = (response: ServerResponse, status: number, body: string): void => {
  response.setHeader("Connection", "close")
  answer(response, status, body)
}

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
  // the sender is gone; no answer is possible
  request.on("error", () => undefined)
}

/**
 * Creates the listener. Every other path and method gets 404, so that a public address reveals
 * nothing else.
 */
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
