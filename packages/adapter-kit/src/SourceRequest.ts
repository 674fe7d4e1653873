/**
 * One request to a source: its answer as text, or why there was none, in the reasons that every
 * source states.
 */
import type { LiveSourceReason } from "@fiscal-connector/core/source/LiveSourceError"
import { Duration, Effect } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import type { HttpClientRequest } from "effect/http/HttpClientRequest"
import type { HttpClientResponse } from "effect/http/HttpClientResponse"

/** An answer whose body was read to its end. */
export interface SourceAnswer {
  readonly response: HttpClientResponse
  readonly text: string
}

// a page of 1 000 invoices may have some megabytes
const timeout = Duration.seconds(60)

const codeOf = (cause: unknown): string => {
  const deeper = cause instanceof Error && cause.cause !== undefined ? cause.cause : cause
  const code = deeper instanceof Error && "code" in deeper ? deeper.code : undefined
  return typeof code === "string" && /^\w{1,60}$/.test(code) ? code : "no answer"
}

const tls = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO_SELF_SIGNED|HOSTNAME_MISMATCH)/

const transportReason = (cause: unknown): LiveSourceReason => {
  const code = codeOf(cause)
  return tls.test(code) ? { _tag: "Certificate", because: code } : { _tag: "Unreached", because: code }
}

/**
 * Sends the request. Fails with `Unreached` after a minute, and with `Certificate` where TLS fails.
 * Statuses are the caller's to judge.
 */
export const send = (
  client: HttpClient.HttpClient,
  request: HttpClientRequest
): Effect.Effect<SourceAnswer, LiveSourceReason> =>
  client.execute(request).pipe(
    Effect.flatMap((response) => Effect.map(response.text, (text) => ({ response, text }))),
    Effect.timeout(timeout),
    Effect.mapError((error): LiveSourceReason =>
      error._tag === "TimeoutError"
        ? { _tag: "Unreached", because: "no answer within a minute" }
        : transportReason("reason" in error && "cause" in error.reason ? error.reason.cause : undefined)
    ),
    Effect.provideService(HttpClient.TracerDisabledWhen, () => true)
  )

/**
 * Returns the source's clock when it answered; null where a cache answered, or where the source
 * does not state it.
 */
export const dateOf = ({ headers }: HttpClientResponse): number | null => {
  const millis = Date.parse(headers["date"] ?? "")
  return Number.isNaN(millis) || headers["age"] !== undefined ? null : millis
}

/**
 * Returns how long the source asks to wait, in milliseconds; undefined where it does not state
 * whole seconds.
 */
export const retryAfter = ({ headers }: HttpClientResponse): number | undefined => {
  const text = headers["retry-after"]?.trim() ?? ""
  return /^\d{1,9}$/.test(text) ? Number(text) * 1000 : undefined
}
