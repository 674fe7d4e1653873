/** A point in time with an offset, in whole seconds: the receipt date of a document (DOC-9). */
import { DateTime, Effect, Option, Schema, SchemaIssue, SchemaTransformation } from "effect"
import * as CivilDate from "./CivilDate.ts"
import { offsetOf } from "./Offset.ts"

export type Instant = DateTime.Zoned

const form = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-](0\d|1[0-4]):[0-5]\d)$/

/**
 * Reads ISO 8601 with an offset (`2026-01-31T08:00:01+02:00`) on an existing day; cuts off
 * fractions of a second.
 */
export const parse = (text: string): Option.Option<Instant> => {
  const match = form.exec(text)
  // a Date would read 30 February as 2 March
  if (match === null || Option.isNone(CivilDate.parse(match[1]!))) return Option.none()
  const zone = DateTime.zoneFromString(match[4] === "Z" ? "+00:00" : match[4]!)
  const milliseconds = Date.parse(text)
  return Number.isNaN(milliseconds)
    ? Option.none()
    : Option.map(zone, (zone) => fromSeconds(Math.floor(milliseconds / 1000), zone))
}

const dayLength = 86_400
const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, "0"))

let ofOffset = { offset: 0, text: "+00:00" }

/** Writes ISO 8601 with an offset and whole seconds, the wire's format (DOC-9). */
export const format = (instant: Instant): string => {
  const offset = offsetOf(instant)
  if (offset !== ofOffset.offset) ofOffset = { offset, text: DateTime.zonedOffsetIso(instant) }
  const local = Math.floor((instant.epochMilliseconds + offset) / 1000)
  const second = local - Math.floor(local / dayLength) * dayLength
  const clock = `${twoDigits[Math.floor(second / 3600)]}:${twoDigits[Math.floor(second / 60) % 60]}:${twoDigits[second % 60]}`
  return `${CivilDate.of(instant)}T${clock}${ofOffset.text}`
}

/** Writes an instant for display in its own zone, without the offset: `2026-03-01 12:00:00`. */
export const wallClock = (instant: Instant): string =>
  format(instant).slice(0, "YYYY-MM-DDTHH:MM:SS".length).replace("T", " ")

/** Returns the whole seconds since the epoch. */
export const seconds = (instant: DateTime.DateTime): number => Math.floor(DateTime.toEpochMillis(instant) / 1000)

/** Returns the instant at `epochSeconds` on the wall clock of `zone`. */
export const fromSeconds = (epochSeconds: number, zone: DateTime.TimeZone): Instant =>
  DateTime.makeZonedUnsafe(epochSeconds * 1000, { timeZone: zone })

/** Schema of an instant, encoded as wire text. */
export const Instant = Schema.String.pipe(
  Schema.decodeTo(
    Schema.DateTimeZoned,
    SchemaTransformation.transformEffect({
      decode: (text) =>
        Effect.mapError(
          Effect.fromOption(parse(text)),
          () => new SchemaIssue.InvalidValue({ expected: "ISO 8601 with an offset" })
        ),
      encode: (instant) => Effect.succeed(format(instant))
    })
  )
)
