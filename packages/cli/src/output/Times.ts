/** Times as people read them: all of one output in one zone, which its titles name. Programs get ISO 8601 with an offset. */
import * as Instant from "@fiscal-connector/core/document/Instant"
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import { DateTime, Effect } from "effect"

/** `+02:00`, `Africa/Harare`, `UTC`. */
export const label = (zone: DateTime.TimeZone): string => {
  const text = DateTime.zoneToString(zone)
  return text === "+00:00" ? "UTC" : text
}

/** `Since (+02:00)` */
export const title = (what: string, zone: DateTime.TimeZone): string => `${what} (${label(zone)})`

/** `2026-03-01 12:00:00` on the wall clock of the zone. */
export const shown = (at: DateTime.DateTime, zone: DateTime.TimeZone): string =>
  Instant.wallClock(DateTime.setZone(at, zone))

/** How many documents are looked at for one that is dated. */
const newest = 20

/** The zone of what a store has: that of its newest receipt date, as it stands on the receipt. That of this machine where there is none. */
export const zoneOfStore = Effect.gen(function* () {
  const store = yield* SubmissionStore
  const found = yield* store.list({ order: "newest-first", limit: newest })
  const dated = found.find(({ receiptDate }) => receiptDate !== null)
  return dated?.receiptDate?.zone ?? DateTime.zoneMakeLocal()
})
