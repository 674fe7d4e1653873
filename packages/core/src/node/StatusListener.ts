/** `/health` and `/metrics` of a store over HTTP, for a loopback address: they say how the business goes to whoever asks. */
import { DateTime, type Duration, Effect } from "effect"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import * as Health from "../submission/Health.ts"
import * as HealthMetrics from "../submission/HealthMetrics.ts"
import { SubmissionStore } from "../submission/SubmissionStore.ts"
import type { Listener } from "./WebhookListener.ts"

/** Further measures, read at every scrape. */
export type MoreMeasures = () => ReadonlyArray<HealthMetrics.Measure>

/** What this process counted while it sent (engine/AttemptMetrics); other metrics of the process are its own business. */
const ofAttempts = (counted: string): string => {
  const lines = counted.split("\n").filter((line) => /^(# (HELP|TYPE) )?fiscal_connector_attempt/.test(line))
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`
}

interface Page {
  readonly status: number
  readonly type: string
  readonly body: string
}

const json = (status: number, value: object): Page => ({
  status,
  type: "application/json; charset=utf-8",
  body: `${JSON.stringify(value)}\n`
})

/**
 * 200 where nobody needs to look, 503 with the concerns where somebody does, or where the store does not answer. `retention`: how long the gateway
 * answers for a request.
 */
export const make = (
  retention: Duration.Duration,
  more: MoreMeasures = () => []
): Effect.Effect<Listener, never, SubmissionStore> =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const run = Effect.runForkWith(yield* Effect.context<never>())
    const health = Effect.map(store.health(retention), (health): Page => {
      const concerns = Health.concerns(health)
      const { conflicts, counts, secondsToHorizon, unmatched } = health
      return json(concerns.length === 0 ? 200 : 503, {
        at: DateTime.formatIso(health.at),
        counts,
        secondsToHorizon,
        conflicts,
        unmatched,
        concerns
      })
    })
    const metrics = Effect.zipWith(store.health(retention), PrometheusMetrics.format(), (health, counted): Page => ({
      status: 200,
      type: HealthMetrics.contentType,
      body: HealthMetrics.render([...HealthMetrics.measures(health), ...more()]) + ofAttempts(counted)
    }))
    const pages: Readonly<Record<string, typeof health>> = { "/health": health, "/metrics": metrics }
    return (request, response) => {
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
