/** How far this machine's clock is from the gateway's, by the Date header of an answer. */
import { Clock, Effect, Option } from "effect"
import type * as Headers from "effect/http/Headers"
import * as HttpClient from "effect/http/HttpClient"

/** What one answer tells of the gateway's time. `cached`: it came with an Age, so its Date is of another moment. */
export type Reading =
  | { readonly _tag: "Told"; readonly aheadMillis: number }
  | { readonly _tag: "NotTold"; readonly because: "no-date" | "cached" }

/** Reads the headers of an answer to a question that was asked at `sentAt` and answered at `receivedAt`, in our milliseconds. */
export const read = (headers: Headers.Headers, sentAt: number, receivedAt: number): Reading => {
  const header = headers["date"]
  const date = header === undefined ? Number.NaN : Date.parse(header)
  if (Number.isNaN(date)) return { _tag: "NotTold", because: "no-date" }
  if (headers["age"] !== undefined) return { _tag: "NotTold", because: "cached" }
  return { _tag: "Told", aheadMillis: difference(sentAt, receivedAt, date) }
}

/** Each reading says how far it is at least, the less the longer its answer took: the largest says most. */
export const surest = (readings: ReadonlyArray<Reading>): Reading | undefined =>
  readings.reduce<Reading | undefined>((best, reading) => {
    if (best === undefined || best._tag === "NotTold") return reading
    return reading._tag === "Told" && Math.abs(reading.aheadMillis) > Math.abs(best.aheadMillis) ? reading : best
  }, undefined)

/**
 * Asks without credentials. Milliseconds by which our clock is ahead (negative: behind), at least; 0 where the header, which has whole seconds, and the time the answer
 * took leave room for no difference. None where nothing answers, or without a Date.
 */
export const ahead = (baseUrl: string): Effect.Effect<Option.Option<number>, never, HttpClient.HttpClient> =>
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

/** The header was written at a moment between sending and receiving, and cut off to its second. */
export const difference = (sentAt: number, receivedAt: number, date: number): number => {
  if (sentAt > date + 999) return sentAt - (date + 999)
  return receivedAt < date ? receivedAt - date : 0
}
