/**
 * Times for people: all times of an output are in a single zone, named in the titles. Programs get
 * ISO 8601 with an offset.
 */
import * as Instant from "@fiscal-connector/core/document/Instant"
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import { DateTime, Effect } from "effect"

/** Returns the zone's name: `+02:00`, `Africa/Harare`, `UTC`. */
export const label = (zone: DateTime.TimeZone): string => {
  const text = DateTime.zoneToString(zone)
  return text === "+00:00" ? "UTC" : text
}

/** Returns a title with the zone: `Since (+02:00)`. */
export const title = (what: string, zone: DateTime.TimeZone): string => `${what} (${label(zone)})`

/** Returns the time on the zone's wall clock: `2026-03-01 12:00:00`. */
export const shown = (at: DateTime.DateTime, zone: DateTime.TimeZone): string =>
  Instant.wallClock(DateTime.setZone(at, zone))

/** Number of documents searched for a receipt date. */
const newest = 20

/**
 * Returns the zone for a store's times: the zone of its newest receipt date, or the machine's zone
 * without a receipt date.
 */
export const zoneOfStore = Effect.gen(function* () {
  const store = yield* SubmissionStore
  const found = yield* store.list({ order: "newest-first", limit: newest })
  const dated = found.find(({ receiptDate }) => receiptDate !== null)
  return dated?.receiptDate?.zone ?? DateTime.zoneMakeLocal()
})
