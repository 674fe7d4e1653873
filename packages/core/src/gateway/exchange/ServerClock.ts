/** Difference between this machine's clock and the gateway's, from the Date header of an answer. */
import { Clock, Effect, Option } from "effect"
import type * as Headers from "effect/http/Headers"
import * as HttpClient from "effect/http/HttpClient"

/**
 * The gateway's time according to one answer. `cached`: the answer had an Age header, so its Date
 * is of an earlier moment.
 */
export type ClockSample =
  | { readonly _tag: "Told"; readonly aheadMillis: number }
  | { readonly _tag: "NotTold"; readonly cause: "no-date" | "cached" }

export const read = (headers: Headers.Headers, sentAt: number, receivedAt: number): ClockSample => {
  const header = headers["date"]
  const date = header === undefined ? Number.NaN : Date.parse(header)
  if (Number.isNaN(date)) return { _tag: "NotTold", cause: "no-date" }
  if (headers["age"] !== undefined) return { _tag: "NotTold", cause: "cached" }
  return { _tag: "Told", aheadMillis: difference(sentAt, receivedAt, date) }
}

/**
 * Returns the reading with the largest difference. Each reading is a lower bound, which is smaller
 * the longer the answer took.
 */
export const surest = (readings: ReadonlyArray<ClockSample>): ClockSample | undefined =>
  readings.reduce<ClockSample | undefined>((best, reading) => {
    if (best === undefined || best._tag === "NotTold") return reading
    return reading._tag === "Told" && Math.abs(reading.aheadMillis) > Math.abs(best.aheadMillis) ? reading : best
  }, undefined)

/**
 * Without credentials. Milliseconds by which our clock is at least ahead (negative: behind); 0 if
 * the whole seconds of the header and the time of the answer leave room for no difference. Empty
 * without an answer, or without a usable Date in it.
 */
export const clockLead = (baseUrl: string): Effect.Effect<Option.Option<number>, never, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const client = yield* HttpClient.HttpClient
    const sentAt = yield* Clock.currentTimeMillis
    const response = yield* client.head(baseUrl)
    const receivedAt = yield* Clock.currentTimeMillis
    const reading = read(response.headers, sentAt, receivedAt)
    return reading._tag === "Told" ? Option.some(reading.aheadMillis) : Option.none()
  }).pipe(
    Effect.timeout("10 seconds"),
    Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
    Effect.orElseSucceed(() => Option.none())
  )

/**
 * Returns the smallest possible difference. The header was written between sending and receiving,
 * and cut to its second.
 */
export const difference = (sentAt: number, receivedAt: number, date: number): number => {
  if (sentAt > date + 999) return sentAt - (date + 999)
  return receivedAt < date ? receivedAt - date : 0
}
