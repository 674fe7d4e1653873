/**
 * A date and a time of day without an offset, as in most answers, in the account's zone (TIME-1).
 */
import { DateTime, Effect, Option, Schema, SchemaIssue, SchemaTransformation } from "effect"
import * as CivilDate from "../../document/CivilDate.ts"
import * as Instant from "../../document/Instant.ts"
import type { AssumptionSwitches } from "../contract/AssumptionSwitches.ts"

const form = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?$/

const isLocal = (text: string): boolean => {
  const parts = form
    .exec(text)
    ?.slice(1)
    .map((part) => (part === undefined ? 0 : Number(part)))
  if (parts === undefined) return false
  const [year, month, day, hour, minute, second] = parts as [number, number, number, number, number, number]
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && minute < 60 && second < 60
}

/**
 * ISO 8601 without an offset. Seconds and their fractions stay as received:
 * `2024-05-06T07:08:09.123`.
 */
export const LocalDateTime = Schema.String.check(
  Schema.makeFilter((text) => isLocal(text) || "expected a date-time without an offset")
).pipe(Schema.brand("LocalDateTime"))
export type LocalDateTime = typeof LocalDateTime.Type

/** A date-time of an answer: an instant if the gateway wrote an offset, else a local date-time. */
export type AnswerDateTime = LocalDateTime | Instant.Instant

/** A bare date means midnight, an offset may lack its colon, a blank may replace the T. */
const usual = (text: string): string =>
  text
    .trim()
    .replace(/^(\d{4}-\d{2}-\d{2})$/, "$1T00:00:00")
    .replace(/^(\d{4}-\d{2}-\d{2}) (?=\d)/, "$1T")
    .replace(/(T\d{2}:\d{2})(?=Z$|[+-]\d{2}(?::?\d{2})?$)/, "$1:00")
    .replace(/(T[\d:.]+[+-]\d{2}):?(\d{2})?$/, (_, at: string, minutes = "00") => `${at}:${minutes}`)

export const read = (text: string): Option.Option<AnswerDateTime> => {
  const written = usual(text)
  return isLocal(written) ? Option.some(LocalDateTime.make(written)) : Instant.parse(written)
}

const isAnswerDateTime = (value: unknown): value is AnswerDateTime =>
  typeof value === "string" || (DateTime.isDateTime(value) && DateTime.isZoned(value))

export const AnswerDateTime = Schema.String.pipe(
  Schema.decodeTo(
    Schema.declare(isAnswerDateTime, { identifier: "AnswerDateTime" }),
    SchemaTransformation.transformEffect<AnswerDateTime, string>({
      decode: (text) =>
        Effect.mapError(Effect.fromOption(read(text)), () => new SchemaIssue.InvalidValue({ expected: "a date-time" })),
      encode: (at) => Effect.succeed(typeof at === "string" ? at : Instant.format(at))
    })
  )
)

/** Formats a date-time for the user, on the gateway's own clock: `2026-03-01 12:00:00`. */
export const wallClock = (at: AnswerDateTime): string =>
  typeof at === "string" ? at.slice(0, "YYYY-MM-DDTHH:MM:SS".length).replace("T", " ") : Instant.wallClock(at)

/**
 * Returns the instant in whole seconds. A local date-time is read in `zone`; if the clocks go back
 * and the time occurs twice, the earlier instant is returned. Empty for a local date-time if the
 * zone is not known (null).
 */
export const toInstant = (value: AnswerDateTime, zone: DateTime.TimeZone | null): Option.Option<Instant.Instant> => {
  if (typeof value !== "string") return Option.some(value)
  if (zone === null) return Option.none()
  return Option.map(DateTime.makeZoned(`${value}Z`, { timeZone: zone, adjustForTimeZone: true }), (zoned) =>
    Instant.fromSeconds(Instant.seconds(zoned), zone)
  )
}

/**
 * Returns the civil date on the value's own wall clock. Empty before 1900, because gateways write
 * such years for "not set".
 */
export const civilDate = (value: AnswerDateTime): Option.Option<CivilDate.CivilDate> =>
  typeof value === "string" ? CivilDate.parse(value.slice(0, 10)) : Option.some(CivilDate.of(value))

/**
 * Returns the zone of date-times without an offset: the account's zone, unless switch TIME-1 names
 * another zone. Null if the account's zone applies and is not known (null).
 */
export const zoneOf = <Zone extends DateTime.TimeZone | null>(
  time: AssumptionSwitches["TIME-1"],
  account: Zone
): DateTime.TimeZone | Zone =>
  time === "account" ? account : Option.getOrElse(DateTime.zoneFromString(time), () => account)
