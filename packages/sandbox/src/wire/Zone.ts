/**
 * A fixed UTC offset, and civil time in it: the zone in which a device lives and in which answers carry date-times without
 * an offset (TIME-1).
 */
import * as Schema from "effect/Schema"

/** A UTC offset such as `+02:00`. */
export const Zone = Schema.String.check(
  Schema.isPattern(/^[+-](0\d|1[0-4]):[0-5]\d$/, { message: "expected a UTC offset such as +02:00" })
).pipe(Schema.brand("Zone"))
export type Zone = typeof Zone.Type

const offsetMillis = (zone: Zone): number => {
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6))
  return (zone.startsWith("-") ? -minutes : minutes) * 60_000
}

/** Civil date-time of an instant (milliseconds since 1970) in a zone, without offset: `2026-01-31T08:00:00.123`. */
export const civil = (zone: Zone, epochMillis: number): string =>
  new Date(epochMillis + offsetMillis(zone)).toISOString().slice(0, -1)

/** The instant, in milliseconds since 1970, of a civil date-time (or civil date, then 00:00) in a zone; undefined if it is none. */
export const instant = (zone: Zone, civilText: string): number | undefined => {
  if (!/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?)?$/.test(civilText)) return undefined
  const millis = Date.parse(`${civilText.length === 10 ? `${civilText}T00:00` : civilText}Z`)
  // 30 February would roll over into March.
  return Number.isNaN(millis) || new Date(millis).getUTCDate() !== Number(civilText.slice(8, 10))
    ? undefined
    : millis - offsetMillis(zone)
}
