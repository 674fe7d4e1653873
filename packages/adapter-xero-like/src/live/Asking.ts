/**
 * Client of a Xero-shaped interface: authenticated, within rate limits, with retries. Retries are
 * safe, because all requests are reads.
 */
import * as SourceRequest from "@fiscal-connector/adapter-kit/SourceRequest"
import { LiveSourceError, type LiveSourceReason } from "@fiscal-connector/core/source/LiveSourceError"
import type { RenewedToken, Tokens } from "@fiscal-connector/core/pull/TokenFile"
import { Clock, Duration, Effect, Redacted, Schedule } from "effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"

/** Address, tenant and tokens of the source. */
export interface AskOptions {
  readonly name: string
  readonly url: string
  readonly tenant: string
  readonly tokens: Tokens
}

/** Longest rate limit that the client waits for; a longer limit ends the run. */
const longestWait = Duration.minutes(2)

/** Maximum number of rate limits that one request waits for. */
const waits = 3

const retries = Schedule.exponential("1 second").pipe(Schedule.upTo({ times: 2 }))

const day = Duration.toMillis(Duration.days(1))

/**
 * Makes the function that sends requests. A request fails if the source does not answer, or if a
 * rate limit exceeds the longest wait.
 */
export const make = (client: HttpClient.HttpClient, { name, tenant, tokens, url }: AskOptions) => {
  const once = (path: string, headers: Readonly<Record<string, string>>, access: Redacted.Redacted<string>) =>
    SourceRequest.send(
      client,
      HttpClientRequest.get(`${url}${path}`).pipe(
        HttpClientRequest.setHeaders({
          ...headers,
          accept: "application/json",
          "xero-tenant-id": tenant,
          authorization: `Bearer ${Redacted.value(access)}`
        })
      )
    )
  return (operation: string, path: string, headers: Readonly<Record<string, string>> = {}) => {
    const failed = (reason: LiveSourceReason) => new LiveSourceError({ source: name, operation, reason })
    const answered = Effect.gen(function* () {
      let access = yield* tokens.current
      let issued: RenewedToken["issued"] = "before"
      for (let waited = 0; ;) {
        const { response, text } = yield* Effect.mapError(once(path, headers, access), failed)
        const { status } = response
        if (status === 401 && issued === "before") {
          const renewed = yield* tokens.renewed(access)
          access = renewed.access
          issued = renewed.issued
        } else if (status === 429) {
          const limit = response.headers["x-rate-limit-problem"] ?? "not stated"
          const wait = SourceRequest.retryAfter(response) ?? (limit === "day" ? day : 60_000)
          const retryAt = (yield* Clock.currentTimeMillis) + wait
          if (wait > Duration.toMillis(longestWait) || waited === waits)
            return yield* failed({ _tag: "Limited", limit: limit.replaceAll(/[^\w -]/g, "").slice(0, 40), retryAt })
          waited++
          yield* Effect.sleep(wait)
        } else if (status >= 500) return yield* failed({ _tag: "Unreached", because: `status ${status}` })
        else if (status === 401) return yield* failed({ _tag: "LoginEnded", because: "the source refuses a new token" })
        else if (status !== 200) return yield* failed({ _tag: "Refused", status })
        else return { response, text }
      }
    })
    return Effect.retry(answered, {
      schedule: retries,
      while: ({ reason }) => reason._tag === "Unreached"
    })
  }
}
