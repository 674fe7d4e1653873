/** How far this machine's clock is from the gateway's, by the Date header of any answer; no credentials are needed for it. */
import { Clock, Effect, Option } from "effect"
import * as HttpClient from "effect/http/HttpClient"

/**
 * Milliseconds by which our clock is ahead (negative: behind), at least; 0 where the header, which has whole seconds, and the time the answer
 * took leave room for no difference. None where nothing answers, or without a Date.
 */
export const ahead = (baseUrl: string): Effect.Effect<Option.Option<number>, never, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const client = yield* HttpClient.HttpClient
    const sentAt = yield* Clock.currentTimeMillis
    const response = yield* client.head(baseUrl)
    const receivedAt = yield* Clock.currentTimeMillis
    const header = response.headers["date"]
    const date = header === undefined ? Number.NaN : Date.parse(header)
    return Number.isNaN(date) ? Option.none() : Option.some(difference(sentAt, receivedAt, date))
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
