/**
 * Time zone of a device, and civil time in the zone: answers contain date-times without an offset
 * (TIME-1).
 */
import * as Schema from "effect/Schema"

const offsetForm = /^[+-](0\d|1[0-4]):[0-5]\d$/

const named = new Map<string, Intl.DateTimeFormat>()

const calendarOf = (zone: string): Intl.DateTimeFormat | undefined => {
  const known = named.get(zone)
  if (known !== undefined) return known
  try {
    const calendar = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit"
    })
    named.set(zone, calendar)
    return calendar
  } catch {
    return undefined
  }
}

/** UTC offset such as `+02:00`, or IANA zone such as `Africa/Harare`. */
export const Zone = Schema.String.check(
  Schema.makeFilter(
    (text) =>
      offsetForm.test(text) ||
      (/^[A-Za-z][\w+/-]*$/.test(text) && calendarOf(text) !== undefined) ||
      "expected a UTC offset such as +02:00, or an IANA zone such as Africa/Harare"
  )
).pipe(Schema.brand("Zone"))
export type Zone = typeof Zone.Type

/**
 * Returns the distance of the zone's clocks from UTC at the instant, in milliseconds; positive if
 * ahead.
 */
const offsetMillis = (zone: Zone, epochMillis: number): number => {
  if (offsetForm.test(zone)) {
    const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6))
    return (zone.startsWith("-") ? -minutes : minutes) * 60_000
  }
  const calendar = calendarOf(zone)
  if (calendar === undefined) return 0
  const second = Math.floor(epochMillis / 1000) * 1000
  const parts = new Map(calendar.formatToParts(second).map(({ type, value }) => [type, Number(value)]))
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  return Date.UTC(of("year"), of("month") - 1, of("day"), of("hour"), of("minute"), of("second")) - second
}

/**
 * Returns the offset at a civil date-time of the zone: `+02:00`. If the clocks go back, the earlier
 * instant counts.
 */
export const offsetAt = (zone: Zone, civilText: string): string => {
  const at = instant(zone, civilText)
  if (offsetForm.test(zone) || at === undefined) return offsetForm.test(zone) ? zone : "+00:00"
  const minutes = Math.round(offsetMillis(zone, at) / 60_000)
  const pad = (number: number) => String(number).padStart(2, "0")
  return `${minutes < 0 ? "-" : "+"}${pad(Math.floor(Math.abs(minutes) / 60))}:${pad(Math.abs(minutes) % 60)}`
}

/**
 * Returns the civil date-time of an instant (milliseconds since 1970) in a zone, without offset:
 * `2026-01-31T08:00:00.123`.
 */
export const civil = (zone: Zone, epochMillis: number): string =>
  new Date(epochMillis + offsetMillis(zone, epochMillis)).toISOString().slice(0, -1)

/**
 * Returns the instant, in milliseconds since 1970, of a civil date-time (or civil date at 00:00) in
 * a zone; undefined if the text is neither.
 */
export const instant = (zone: Zone, civilText: string): number | undefined => {
  if (!/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?)?$/.test(civilText)) return undefined
  const millis = Date.parse(`${civilText.length === 10 ? `${civilText}T00:00` : civilText}Z`)
  // 30 February would roll over into March.
  if (Number.isNaN(millis) || new Date(millis).getUTCDate() !== Number(civilText.slice(8, 10))) return undefined
  // Candidates: with the offset a day earlier, before a clock change, and the offset after the
  // change. The first that gives this wall clock counts.
  const candidates = [millis - 86_400_000, millis].map((near) => millis - offsetMillis(zone, near))
  return candidates.find((at) => at + offsetMillis(zone, at) === millis) ?? candidates[0]
}
