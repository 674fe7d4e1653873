/** Parser of document dates in every form of exports, independent of the machine's time zone. */
import { CivilDate } from "@fiscal-connector/core/adapter"
import { Option, Result } from "effect"

/**
 * Reason why a date is unreadable. `time-of-day`: the date has a time, with any offset. Documents
 * have none, so a tool has moved the date, and the day is uncertain.
 */
export type XeroDateProblem = "form" | "time-of-day"

const milliseconds = /^\/Date\((-?\d{1,15})(?:[+-]\d{4})?\)\/$/
const day = 86_400_000
const iso =
  /^(\d{4}-\d{2}-\d{2})(?:[T ]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?) ?(Z|UTC|[+-]\d{2}:?\d{2})?)?$/

const civil = (text: string): Result.Result<CivilDate.CivilDate, XeroDateProblem> =>
  Result.fromOption(CivilDate.parse(text), () => "form" as const)

/**
 * Reads `/Date(1539993600000+0000)/` (milliseconds are UTC, the offset is ignored), `2018-10-20`,
 * and `2018-10-20T00:00:00` with or without fraction, `Z` or offset. Midnight becomes the written
 * day.
 */
export const parse = (text: string): Result.Result<CivilDate.CivilDate, XeroDateProblem> => {
  const ms = milliseconds.exec(text)
  if (ms !== null) return fromMilliseconds(Number(ms[1]))
  const match = iso.exec(text)
  if (match === null) return Result.fail("form")
  const [, date = "", time = "00:00"] = match
  return Result.flatMap(civil(date), (day) =>
    /^[0:.]+$/.test(time) ? Result.succeed(day) : Result.fail("time-of-day" as const)
  )
}

const fromMilliseconds = (ms: number): Result.Result<CivilDate.CivilDate, XeroDateProblem> => {
  const utc = new Date(ms)
  if (Number.isNaN(utc.getTime())) return Result.fail("form")
  if (ms % day !== 0) return Result.fail("time-of-day")
  const date = CivilDate.make(utc.getUTCFullYear(), utc.getUTCMonth() + 1, utc.getUTCDate())
  return Result.fromOption(date, () => "form" as const)
}

/**
 * In milliseconds since the epoch, in UTC if the text names no zone. Used for times of change, and
 * for the distance of two dates of a document. Undefined for an unknown form.
 */
export const timeOf = (text: string): number | undefined => {
  const ms = milliseconds.exec(text)
  if (ms !== null) return Number(ms[1])
  const match = iso.exec(text)
  if (match === null || Option.isNone(CivilDate.parse(match[1] ?? ""))) return undefined
  const [, date, time = "00:00", zone = "Z"] = match
  const offset = /^[+-]/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(-2)}` : "Z"
  const parsed = Date.parse(`${date}T${time.slice(0, 12)}${offset}`)
  return Number.isNaN(parsed) ? undefined : parsed
}

const furthest = 14 * 3_600_000

/**
 * True if a second date of a document can be the same day: the same written day, or
 * midnight of the day in some zone.
 */
export const isOfDay = (text: string, day: CivilDate.CivilDate): boolean => {
  const date = parse(text)
  if (Result.isSuccess(date)) return date.success === day
  const [time, midnight] = [timeOf(text), timeOf(day)]
  return time === undefined || midnight === undefined || Math.abs(time - midnight) <= furthest
}
