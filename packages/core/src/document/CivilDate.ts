/**
 * A calendar day without a time zone, as stated on an invoice; never built from an instant through
 * UTC.
 */
import { DateTime, Option, Schema } from "effect"
import { offsetOf } from "./Offset.ts"

const daysIn = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate()

/** True if the text is an existing day, written `YYYY-MM-DD`. */
export const isCivilDate = (text: string): text is CivilDate => isDay(text)

const isDay = (text: string): boolean => {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (match === null) return false
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  return year >= 1900 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
}

/** An existing day as `YYYY-MM-DD`, from 1900 on. Text order is calendar order. */
export const CivilDate = Schema.String.check(
  Schema.makeFilter((text) => isDay(text) || "expected a day as YYYY-MM-DD")
).pipe(Schema.brand("CivilDate"))
export type CivilDate = typeof CivilDate.Type

/** Reads `YYYY-MM-DD`. */
export const parse = (text: string): Option.Option<CivilDate> => (isCivilDate(text) ? Option.some(text) : Option.none())

const pad = (number: number, width: number) => String(number).padStart(width, "0")

/**
 * Builds a day from year, month (1 to 12) and day. Returns an empty Option if the day does not
 * exist.
 */
export const make = (year: number, month: number, day: number): Option.Option<CivilDate> =>
  parse(`${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`)

const last = CivilDate.make("9999-12-31")

/** Returns the same day one year later: 28 February for a leap day, and at most 9999-12-31. */
export const yearAfter = (day: CivilDate): CivilDate =>
  Option.getOrElse(parse(`${Number(day.slice(0, 4)) + 1}${day.slice(4).replace("-02-29", "-02-28")}`), () => last)

const dayLength = 86_400_000

let latest = { day: 0, text: "1970-01-01" }

/** Returns the day of a wall clock that shows `local` milliseconds since 1970-01-01. */
const ofWallClock = (local: number): CivilDate => {
  const day = Math.floor(local / dayLength)
  if (day !== latest.day) latest = { day, text: new Date(day * dayLength).toISOString().split("T")[0]! }
  // made without checks, because an instant may be just outside the range of writable days
  return CivilDate.make(latest.text, { disableChecks: true })
}

/** Returns the day of an instant on the wall clock of the instant's own zone. */
export const of = (instant: DateTime.Zoned): CivilDate => ofWallClock(instant.epochMilliseconds + offsetOf(instant))

/** Returns the day of an instant on the wall clock of `zone`. */
export const inZone = (instant: DateTime.DateTime, zone: DateTime.TimeZone): CivilDate =>
  // an offset needs no instant in the zone, which costs more than everything else about a date
  zone._tag === "Offset" ? ofWallClock(instant.epochMilliseconds + zone.offset) : of(DateTime.setZone(instant, zone))

/** Returns the instant at `seconds` after midnight of the day, on the wall clock of `zone`. */
export const at = (date: CivilDate, seconds: number, zone: DateTime.TimeZone): DateTime.Zoned => {
  const [year, month, day] = date.split("-").map(Number) as [number, number, number]
  return DateTime.makeZonedUnsafe(
    { year, month, day, hour: Math.floor(seconds / 3600), minute: Math.floor(seconds / 60) % 60, second: seconds % 60 },
    { timeZone: zone, adjustForTimeZone: true }
  )
}
