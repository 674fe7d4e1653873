/** The text format of Prometheus (version 0.0.4), without data of a document or a buyer. */
import { DateTime, Duration } from "effect"
import type { Health } from "../submission/Health.ts"
import * as Attention from "./Attention.ts"

/** The content type of the text. */
export const contentType = "text/plain; version=0.0.4; charset=utf-8"

interface MetricSample {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** One measure. A measure without samples is left out of the text. */
export interface Measure {
  readonly name: string
  readonly help: string
  readonly type: "gauge" | "counter"
  readonly samples: ReadonlyArray<MetricSample>
}

const escaped = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")

const line = (name: string, { labels, value }: MetricSample): string => {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`)
  return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}`
}

/** Returns the measures as text. */
export const render = (measures: ReadonlyArray<Measure>): string =>
  measures
    .filter(({ samples }) => samples.length > 0)
    .map(({ help, name, samples, type }) =>
      [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples.map((sample) => line(name, sample)), ""].join(
        "\n"
      )
    )
    .join("")

const gauge = (name: string, help: string, samples: ReadonlyArray<MetricSample>): Measure => ({
  name: `fiscal_connector_${name}`,
  help,
  type: "gauge",
  samples
})

const one = (value: number): ReadonlyArray<MetricSample> => [{ labels: {}, value }]

const secondsSince = (since: DateTime.Utc, now: DateTime.Utc): number =>
  Math.floor(Duration.toSeconds(DateTime.distance(since, now)))

/** Measures of sources that are read live. A source that never ran has no age. */
const ofSources = ({ at, liveSources: sources }: Pick<Health, "at" | "liveSources">): ReadonlyArray<Measure> => [
  gauge(
    "source_read_seconds",
    "Seconds since the source was last read to its end.",
    sources.flatMap(({ ranAt, source }) =>
      ranAt === null ? [] : [{ labels: { source }, value: secondsSince(ranAt, at) }]
    )
  ),
  gauge(
    "source_found_seconds",
    "Seconds since the source last had something new.",
    sources.flatMap(({ foundAt, source }) =>
      foundAt === null ? [] : [{ labels: { source }, value: secondsSince(foundAt, at) }]
    )
  ),
  gauge(
    "source_stopped",
    "Sources of which nothing is read, with the code.",
    sources.flatMap(({ source, stop }) => (stop === null ? [] : [{ labels: { source, code: stop.code }, value: 1 }]))
  ),
  gauge(
    "source_refused",
    "Documents of the source that cannot be sent.",
    sources.map(({ refused, source }) => ({ labels: { source }, value: refused }))
  )
]

/** Converts the result of `health` to measures. Ages are in seconds. */
export const measures = (health: Health, limits: Attention.AttentionLimits = {}): ReadonlyArray<Measure> => {
  const byCode = Map.groupBy(Attention.of(health, limits), ({ code }) => code)
  return [
    gauge(
      "submissions",
      "Submissions by lane and state.",
      health.lanes.flatMap(({ counts, lane }) =>
        Object.entries(counts).map(([state, value]) => ({ labels: { lane, state }, value }))
      )
    ),
    gauge(
      "oldest_seconds",
      "How long the oldest submission has been in a state that is not final.",
      health.lanes.flatMap(({ lane, oldest }) =>
        Object.entries(oldest).map(([state, since]) => ({
          labels: { lane, state },
          value: Math.floor(Duration.toSeconds(DateTime.distance(since, health.at)))
        }))
      )
    ),
    gauge(
      "lane_stopped",
      "Lanes in which nothing is sent, with the cause.",
      health.lanes.flatMap(({ lane, stop }) =>
        stop === null ? [] : [{ labels: { lane, cause: stop.cause }, value: 1 }]
      )
    ),
    gauge(
      "horizon_seconds",
      "Seconds until the gateway no longer answers for the first awaited request.",
      health.secondsToHorizon === null ? [] : one(health.secondsToHorizon)
    ),
    gauge(
      "conflicts",
      "Contradictions that no operator has settled.",
      one(health.conflicts.reduce((sum, { count }) => sum + count, 0))
    ),
    gauge("unmatched_outcomes", "Outcomes of requests that belong to no document we know.", one(health.unmatched)),
    ...ofSources(health),
    gauge(
      "concerns",
      "Items that need attention, by code.",
      Array.from(byCode, ([code, all]) => ({ labels: { code }, value: all.length }))
    )
  ]
}
