/**
 * `/health` and `/metrics` of a store, on a loopback address: both reveal business figures to every
 * caller.
 */
import { createHash, timingSafeEqual } from "node:crypto"
import type { IncomingHttpHeaders } from "node:http"
import { DateTime, type Duration, Effect, Redacted } from "effect"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import * as Attention from "../attention/Attention.ts"
import * as AttentionJson from "../attention/AttentionJson.ts"
import * as HealthMetrics from "../attention/HealthMetrics.ts"
import { escaped } from "../document/EscapedText.ts"
import { isLoopback } from "../gateway/contract/Loopback.ts"
import { SubmissionStore } from "../submission/SubmissionStore.ts"
import type { Listener } from "./WebhookListener.ts"

/** Additional measures, read at every scrape. */
export type MoreMeasures = () => ReadonlyArray<HealthMetrics.Measure>

const ofAttempts = (counted: string): string => {
  const lines = counted.split("\n").filter((line) => /^(# (HELP|TYPE) )?fiscal_connector_attempt/.test(line))
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`
}

interface StatusPage {
  readonly status: number
  readonly type: string
  readonly body: string
}

const json = (status: number, value: object): StatusPage => ({
  status,
  type: "application/json; charset=utf-8",
  body: `${escaped(JSON.stringify(value))}\n`
})

/**
 * A web page could reach this address under a foreign name that resolves here, so only names of
 * this machine are accepted.
 */
const isOwnHost = (host: string | undefined): boolean => isLoopback((host ?? "").replace(/:\d{1,5}$/, ""))

const isToken = (header: string | undefined, token: Redacted.Redacted<string>): boolean => {
  const digest = (text: string) => createHash("sha256").update(text).digest()
  return timingSafeEqual(digest(header ?? ""), digest(`Bearer ${Redacted.value(token)}`))
}

const refusal = (
  { authorization, host }: IncomingHttpHeaders,
  token: Redacted.Redacted<string> | undefined
): StatusPage | undefined => {
  if (!isOwnHost(host)) return json(421, { message: "ask for it as localhost or by the loopback address" })
  if (token !== undefined && !isToken(authorization, token)) {
    return json(401, { message: "send the status token as Authorization: Bearer" })
  }
  return undefined
}

/**
 * Creates the listener: 200 if attention is empty, 503 with the items otherwise, or if the store
 * does not answer. `retention`: time for which the gateway answers for a request. `token`: required
 * value of `Authorization: Bearer`.
 */
export const make = (
  retention: Duration.Duration,
  more: MoreMeasures = () => [],
  token?: Redacted.Redacted<string>,
  limits?: Attention.AttentionLimits
): Effect.Effect<Listener, never, SubmissionStore> =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const run = Effect.runForkWith(yield* Effect.context<never>())
    const health = Effect.map(store.health(retention), (health): StatusPage => {
      const concerns = Attention.of(health, limits).map(AttentionJson.of)
      const { counts, secondsToHorizon, unmatched } = health
      return json(concerns.length === 0 ? 200 : 503, {
        at: DateTime.formatIso(health.at),
        counts,
        secondsToHorizon,
        unmatched,
        concerns
      })
    })
    const metrics = Effect.zipWith(
      store.health(retention),
      PrometheusMetrics.format(),
      (health, counted): StatusPage => ({
        status: 200,
        type: HealthMetrics.contentType,
        body: escaped(
          HealthMetrics.render([...HealthMetrics.measures(health, limits), ...more()]) + ofAttempts(counted)
        )
      })
    )
    const pages: Readonly<Record<string, typeof health>> = { "/health": health, "/metrics": metrics }
    return (request, response) => {
      const no = refusal(request.headers, token)
      if (no !== undefined) {
        response.writeHead(no.status, { "Content-Type": no.type, "Cache-Control": "no-store" }).end(no.body)
        return
      }
      const page = request.method === "GET" || request.method === "HEAD" ? pages[request.url ?? ""] : undefined
      const found = page ?? Effect.succeed(json(404, { paths: Object.keys(pages) }))
      const safe = Effect.catch(found, ({ message, reason }) =>
        Effect.succeed(json(503, { concerns: [{ code: `STORE_${reason.toUpperCase()}`, lane: null, text: message }] }))
      )
      run(
        Effect.map(safe, ({ body, status, type }) => {
          response.writeHead(status, { "Content-Type": type, "Cache-Control": "no-store" }).end(body)
        })
      )
    }
  })
