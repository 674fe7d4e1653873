/** One request to a source: its answer as text, or the reason for none. */
import { LiveSourceError } from "@fiscal-connector/core/adapter"
import { Clock, Duration, Effect, Schedule } from "effect"
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

const transportReason = (cause: unknown): LiveSourceError.LiveSourceReason => {
  const code = codeOf(cause)
  return tls.test(code) ? { _tag: "Certificate", cause: code } : { _tag: "Unreached", text: code }
}

/**
 * Sends the request. Fails with `Unreached` after a minute, and with `Certificate` where TLS fails.
 * Statuses are the caller's to judge.
 */
export const send = (
  client: HttpClient.HttpClient,
  request: HttpClientRequest
): Effect.Effect<SourceAnswer, LiveSourceError.LiveSourceReason> =>
  client.execute(request).pipe(
    Effect.flatMap((response) => Effect.map(response.text, (text) => ({ response, text }))),
    Effect.timeout(timeout),
    Effect.mapError((error): LiveSourceError.LiveSourceReason =>
      error._tag === "TimeoutError"
        ? { _tag: "Unreached", text: "no answer within a minute" }
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

/** One attempt at an operation. */
export interface RequestAttempt {
  /** Makes the request; used again after `again`. */
  readonly request: Effect.Effect<HttpClientRequest, LiveSourceError.LiveSourceError>
  /** Returns what the status means for the login; undefined for a status that is not about it. */
  login(
    status: number
  ): Effect.Effect<"again" | LiveSourceError.LiveSourceReason | undefined, LiveSourceError.LiveSourceError>
}

/** An operation of a source that only reads, so that each request is safe to repeat. */
export interface Operation {
  readonly source: string
  readonly operation: string
  readonly attempt: () => RequestAttempt
}

const minute = 60_000
const day = 24 * 60 * minute

// a limit that passes within this time is waited for; a longer one ends the run
const longestWait = 2 * minute

const waits = 3

const retries = Schedule.exponential("1 second").pipe(Schedule.upTo({ times: 2 }))

/**
 * Sends requests until one is answered with 200. Waits for rate limits of up to two minutes, and
 * tries an operation twice more if the source is not reached.
 */
export const answered = (
  client: HttpClient.HttpClient,
  { attempt, operation, source }: Operation
): Effect.Effect<SourceAnswer, LiveSourceError.LiveSourceError> => {
  const failed = (reason: LiveSourceError.LiveSourceReason) =>
    new LiveSourceError.LiveSourceError({ source, operation, reason })
  const attempted = Effect.gen(function* () {
    const { login, request } = attempt()
    for (let waited = 0; ;) {
      const { response, text } = yield* Effect.mapError(send(client, yield* request), failed)
      const { status } = response
      if (status === 200) return { response, text }
      const ended = yield* login(status)
      if (ended === "again") continue
      if (ended !== undefined) return yield* failed(ended)
      if (status >= 500) return yield* failed({ _tag: "Unreached", text: `status ${status}` })
      if (status !== 429) return yield* failed({ _tag: "Refused", status })
      const limit = (response.headers["x-rate-limit-problem"] ?? "not stated").replaceAll(/[^\w -]/g, "").slice(0, 40)
      const wait = retryAfter(response) ?? (limit === "day" ? day : minute)
      const retryAt = (yield* Clock.currentTimeMillis) + wait
      if (wait > longestWait || waited === waits) return yield* failed({ _tag: "Limited", limit, retryAt })
      waited++
      yield* Effect.sleep(wait)
    }
  })
  return Effect.retry(attempted, { schedule: retries, while: ({ reason }) => reason._tag === "Unreached" })
}
