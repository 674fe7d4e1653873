import { Instant } from "@fiscal-connector/core/adapter"
import { SubmissionStore } from "@fiscal-connector/core/store"
import { DateTime, Effect } from "effect"

export const label = (zone: DateTime.TimeZone): string => {
  const text = DateTime.zoneToString(zone)
  return text === "+00:00" ? "UTC" : text
}

export const title = (what: string, zone: DateTime.TimeZone): string => `${what} (${label(zone)})`

export const shown = (at: DateTime.DateTime, zone: DateTime.TimeZone): string =>
  Instant.wallClock(DateTime.setZone(at, zone))

const newest = 20

/**
 * Returns the zone for a store's times: the zone of its newest receipt date, or the machine's zone
 * without a receipt date.
 */
export const zoneOfStore = Effect.gen(function* () {
  const store = yield* SubmissionStore.SubmissionStore
  const found = yield* store.list({ order: "newest-first", limit: newest })
  const dated = found.find(({ receiptDate }) => receiptDate !== null)
  return dated?.receiptDate?.zone ?? DateTime.zoneMakeLocal()
})
