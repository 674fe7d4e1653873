/** A day in the calendar, in no zone: what an invoice states as its date. Never built from an instant by way of UTC. */
import { DateTime, Option, Schema } from "effect"

const daysIn = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate()

/** Whether a text is a day that exists, as `YYYY-MM-DD`. */
export const isCivilDate = (text: string): text is CivilDate => isDay(text)

const isDay = (text: string): boolean => {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (match === null) return false
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  return year >= 1900 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
}

/** `YYYY-MM-DD`, a day that exists, from 1900 on. Text order is calendar order. */
export const CivilDate = Schema.String.check(
  Schema.makeFilter((text) => isDay(text) || "expected a day as YYYY-MM-DD")
).pipe(Schema.brand("CivilDate"))
export type CivilDate = typeof CivilDate.Type

const is = Schema.is(CivilDate)

/** Reads `YYYY-MM-DD`. */
export const parse = (text: string): Option.Option<CivilDate> => (is(text) ? Option.some(text) : Option.none())

const pad = (number: number, width: number) => String(number).padStart(width, "0")

/** From year, month (1 to 12) and day; none where there is no such day. */
export const make = (year: number, month: number, day: number): Option.Option<CivilDate> =>
  parse(`${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`)

const last = CivilDate.make("9999-12-31")

/** The same day of the month a year later; a leap day's is the last of February, and nothing is after the last day that may be written. */
export const yearAfter = (day: CivilDate): CivilDate =>
  Option.getOrElse(parse(`${Number(day.slice(0, 4)) + 1}${day.slice(4).replace("-02-29", "-02-28")}`), () => last)

/** The day of an instant on the wall clock of its own zone. */
export const of = (instant: DateTime.Zoned): CivilDate =>
  // every instant has a day, be it just outside the calendar that may be written
  CivilDate.make(DateTime.formatIsoDate(instant), { disableChecks: true })

/** The instant at `seconds` after midnight of the day, on the wall clock of `zone`. */
export const at = (date: CivilDate, seconds: number, zone: DateTime.TimeZone): DateTime.Zoned => {
  const [year, month, day] = date.split("-").map(Number) as [number, number, number]
  return DateTime.makeZonedUnsafe(
    { year, month, day, hour: Math.floor(seconds / 3600), minute: Math.floor(seconds / 60) % 60, second: seconds % 60 },
    { timeZone: zone, adjustForTimeZone: true }
  )
}
