/**
 * Plain HTTP against a sandbox, as a client written by someone else would speak it.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { createHmac } from "node:crypto"
import type { SandboxShape } from "../src/Sandbox.ts"

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly contentType: string | null
  readonly text: string
}

/** The connection was cut before or while the answer came. */
export class Cut extends Data.TaggedError("Cut") {}

export const credentials = {
  "X-Api-Key": "sandbox-key",
  "X-Application": "sandbox-application",
  "X-App-Station": "sandbox-station",
  "X-App-Version": "1"
}

export const sign = (body: string | Uint8Array, secret = "sandbox-secret"): string =>
  createHmac("sha256", secret).update(body).digest("base64")

/** One request; `headers` replace everything that would be sent, credentials included. */
export const raw = (
  sandbox: SandboxShape,
  method: string,
  path: string,
  options: { readonly headers: Record<string, string>; readonly body?: string | Uint8Array<ArrayBuffer> }
): Effect.Effect<Reply, Cut> =>
  Effect.tryPromise({
    try: async (signal) => {
      const response = await fetch(sandbox.url + path, {
        method,
        headers: options.headers,
        redirect: "manual",
        signal,
        ...(options.body === undefined ? {} : { body: options.body })
      })
      const text = await response.text()
      return {
        status: response.status,
        headers: response.headers,
        contentType: response.headers.get("content-type"),
        text
      }
    },
    catch: () => new Cut()
  })

/** A GET or DELETE with the default account's credentials. */
export const get = (sandbox: SandboxShape, path: string, method = "GET") =>
  raw(sandbox, method, path, { headers: credentials })

/** A signed request with a JSON body: the text as it is, or a value to be written as JSON. */
export const send = (sandbox: SandboxShape, method: "POST" | "PUT", path: string, body: unknown) => {
  const text = typeof body === "string" ? body : JSON.stringify(body)
  return raw(sandbox, method, path, {
    headers: { ...credentials, "Content-Type": "application/json", "X-Api-Signature": sign(text) },
    body: text
  })
}

/** The JSON of a reply, for literal comparison. */
export const jsonOf = (reply: Reply): unknown => JSON.parse(reply.text)
