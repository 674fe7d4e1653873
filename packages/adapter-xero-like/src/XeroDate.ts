/** Document dates in every form exports write them (formats.md A3), read without a look at the machine's time zone. */
import * as CivilDate from "@fiscal-connector/core/document/CivilDate"
import * as Instant from "@fiscal-connector/core/document/Instant"
import { type Option, Result } from "effect"

/**
 * Why a date cannot be read. `time-of-day`: it carries a time in UTC or in no zone; documents have none, so a tool has moved it, and nobody
 * can say from which day.
 */
export type DateProblem = "form" | "time-of-day"

const milliseconds = /^\/Date\((-?\d{1,15})(?:[+-]\d{4})?\)\/$/
const day = 86_400_000
const iso = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?) ?(Z|UTC|[+-]\d{2}:?\d{2})?)?$/

const civil = (text: string): Result.Result<CivilDate.CivilDate, DateProblem> =>
  Result.fromOption(CivilDate.parse(text), () => "form" as const)

/**
 * Reads `/Date(1539993600000+0000)/` (milliseconds are UTC, the offset only tells), `2018-10-20`, `2018-10-20T00:00:00` with or without
 * fraction, `Z` or offset. Midnight is a civil date, the one that is written. Another time is an instant where its offset is not UTC.
 */
export const parse = (text: string): Result.Result<CivilDate.CivilDate | Instant.Instant, DateProblem> => {
  const ms = milliseconds.exec(text)
  if (ms !== null) return fromMilliseconds(Number(ms[1]))
  const match = iso.exec(text)
  if (match === null) return Result.fail("form")
  const [, date = "", time = "00:00", zone = ""] = match
  if (/^[0:.]+$/.test(time)) return civil(date)
  if (zone === "" || zone === "Z" || zone === "UTC" || /^[+-]00:?00$/.test(zone)) return Result.fail("time-of-day")
  const seconds = time.length === 5 ? `${time}:00` : time
  const instant = Instant.parse(`${date}T${seconds}${zone.slice(0, 3)}:${zone.slice(-2)}`)
  return Result.flatMap(civil(date), () => Result.fromOption(instant, () => "form" as const))
}

const fromMilliseconds = (ms: number): Result.Result<CivilDate.CivilDate, DateProblem> => {
  const utc = new Date(ms)
  if (Number.isNaN(utc.getTime())) return Result.fail("form")
  if (ms % day !== 0) return Result.fail("time-of-day")
  const date = CivilDate.make(utc.getUTCFullYear(), utc.getUTCMonth() + 1, utc.getUTCDate())
  return Result.fromOption(date, () => "form" as const)
}

/** The day alone of a date as written, for comparing two of one document; none where it has no known form. */
export const dayOf = (text: string): Option.Option<CivilDate.CivilDate> => {
  const ms = milliseconds.exec(text)
  if (ms === null) return CivilDate.parse(text.slice(0, 10))
  return Result.getSuccess(fromMilliseconds(Math.floor(Number(ms[1]) / day) * day))
}
