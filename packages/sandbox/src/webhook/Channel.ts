/**
 * One POST as the gateway makes it: no key, no redirects, an answer within five seconds, no cookies
 * allowed (HOOK-4).
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { DeliveryAttempt } from "./DeliveryLog.ts"

/** Answer of a receiver. `cookies`: `some` if the answer sets a cookie. */
export interface DeliveryResponse {
  readonly status: number
  readonly cookies: "none" | "some"
}

/** Request to send: address, headers and body. */
export interface Parcel {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array<ArrayBuffer>
}

/** Function that sends one delivery. Fails with `unreachable` if the receiver cannot be reached. */
export type Post = (parcel: Parcel) => Effect.Effect<DeliveryResponse, "unreachable">

const byFetch: Post = ({ body, headers, url }) =>
  Effect.tryPromise({
    try: async (signal) => {
      const response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal })
      // Read to the end, so that the connection is free again.
      await response.arrayBuffer()
      const cookies = response.headers.getSetCookie().length > 0 ? "some" : "none"
      return { status: response.status, cookies } as const
    },
    catch: () => "unreachable" as const
  })

/** Transport of deliveries. Real HTTP by default; a test provides a simulated network. */
export class Channel extends Context.Reference<Post>("@fiscal-connector/sandbox/webhook/Channel", {
  defaultValue: () => byFetch
}) {}

const patience = "5 seconds"

/** Sends a parcel. Returns the answer, and the reason why the delivery failed or null. */
export const send = (post: Post, parcel: Parcel): Effect.Effect<Pick<DeliveryAttempt, "answer" | "problem">> =>
  post(parcel).pipe(
    Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.fail("no-answer" as const) }),
    Effect.match({
      onFailure: (answer) => ({
        answer,
        problem: answer === "no-answer" ? "no answer within five seconds" : "the address cannot be reached"
      }),
      onSuccess: ({ cookies, status }) => ({ answer: status, problem: problemOf(status, cookies) })
    })
  )

const problemOf = (status: number, cookies: DeliveryResponse["cookies"]): string | null => {
  if (status >= 300 && status < 400) return "a redirect, which is not followed"
  if (status < 200 || status >= 300) return "the answer is not 2xx"
  return cookies === "some" ? "the answer sets a cookie" : null
}
