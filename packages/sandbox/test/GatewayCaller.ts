/** Calls a sandbox by plain HTTP, like a foreign client. */
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

/** Error: the connection was cut before or during the answer. */
export class Cut extends Data.TaggedError("Cut") {}

export const credentials = {
  "X-Api-Key": "sandbox-key",
  "X-Application": "sandbox-application",
  "X-App-Station": "sandbox-station",
  "X-App-Version": "1"
}

export const sign = (body: string | Uint8Array, secret = "sandbox-secret"): string =>
  createHmac("sha256", secret).update(body).digest("base64")

/** Sends one request; `headers` replace all headers, including credentials. */
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

/** Sends a GET or DELETE with the default account's credentials. */
export const get = (sandbox: SandboxShape, path: string, method = "GET") =>
  raw(sandbox, method, path, { headers: credentials })

/** Sends a signed request with a JSON body: a text as given, or a value written as JSON. */
export const send = (sandbox: SandboxShape, method: "POST" | "PUT", path: string, body: unknown) => {
  const text = typeof body === "string" ? body : JSON.stringify(body)
  return raw(sandbox, method, path, {
    headers: { ...credentials, "Content-Type": "application/json", "X-Api-Signature": sign(text) },
    body: text
  })
}

/** Returns the JSON of a reply, for literal comparison. */
export const jsonOf = (reply: Reply): unknown => JSON.parse(reply.text)
