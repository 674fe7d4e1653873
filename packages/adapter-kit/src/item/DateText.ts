/** A point in time becomes a day only in an explicitly named zone. */
import { CivilDate, Instant } from "@fiscal-connector/core/adapter"
import { DateTime, Option, Result } from "effect"

/**
 * Form of a day in a cell.
 * @default `2026-01-31`, optionally followed by midnight without a zone
 */
export interface DateForm {
  /**
   * Pattern such as `dd/mm/yyyy` or `yyyymmdd`. The letters are digits; all other characters are
   * literal.
   */
  readonly written?: string
  /** Unit of a count since 1970-01-01T00:00:00Z; requires `zone`. */
  readonly epoch?: "seconds" | "milliseconds"
  /** Zone in which a point in time becomes a day: `Africa/Harare`, `+02:00`. */
  readonly zone?: string
}

/** Form of a point in time in a cell. @default ISO 8601 with an offset */
export interface InstantForm {
  readonly epoch?: "seconds" | "milliseconds"
  /** Zone of a local time without an offset, and of the instant made from an epoch. */
  readonly zone?: string
}

export type DateProblem = "form" | "time-of-day"

const forms = new Map<string, { readonly pattern: RegExp; readonly order: ReadonlyArray<string> }>()

/** Returns the pattern of a written form like `dd/mm/yyyy`, and the order of its parts. */
export const formOf = (written: string) => {
  const known = forms.get(written)
  if (known !== undefined) return known
  const order: Array<string> = []
  const pattern = written.replace(/yyyy|mm|dd|[^a-z0-9]/gi, (part) => {
    const name = part.toLowerCase()
    if (name !== "yyyy" && name !== "mm" && name !== "dd") return `\\u{${part.codePointAt(0)!.toString(16)}}`
    order.push(name)
    return name === "yyyy" ? "(\\d{4})" : /[^a-z0-9]/i.test(written) ? "(\\d{1,2})" : "(\\d{2})"
  })
  if (order.toSorted().join() !== "dd,mm,yyyy")
    throw new TypeError(`${written} is not a date format: dd/mm/yyyy is one`)
  const form = { pattern: new RegExp(`^${pattern}$`, "u"), order }
  forms.set(written, form)
  return form
}

const zones = new Map<string, DateTime.TimeZone>()

const zoneOf = (zone: string): DateTime.TimeZone => {
  const known = zones.get(zone)
  if (known !== undefined) return known
  const found = Option.getOrUndefined(DateTime.zoneFromString(zone))
  if (found === undefined) throw new TypeError(`${zone} is not a time zone: examples are Africa/Harare and +02:00`)
  zones.set(zone, found)
  return found
}

const atEpoch = (text: string, unit: "seconds" | "milliseconds", zone: string): Instant.Instant | undefined => {
  const count = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  const seconds = unit === "seconds" ? count : Math.floor(count / 1000)
  return Math.abs(seconds) < 253_402_300_800 ? Instant.fromSeconds(seconds, zoneOf(zone)) : undefined
}

const midnight = /^(\d{4}-\d{2}-\d{2})(?:[T ]00:00(?::00(?:\.0+)?)?)?$/

export const dateOf = (
  text: string,
  { epoch, written, zone }: DateForm
): Result.Result<CivilDate.CivilDate, DateProblem> => {
  if (epoch !== undefined) {
    if (zone === undefined) throw new TypeError("an epoch is a day only in a zone: date(key, { epoch, zone })")
    const instant = atEpoch(text, epoch, zone)
    return instant === undefined ? Result.fail("form") : Result.succeed(CivilDate.of(instant))
  }
  if (written !== undefined) {
    const { order, pattern } = formOf(written)
    const [, ...parts] = pattern.exec(text) ?? []
    const [year, month, day] = ["yyyy", "mm", "dd"].map((name) => Number(parts[order.indexOf(name)]))
    return Result.fromOption(CivilDate.make(year!, month!, day!), () => "form" as const)
  }
  const day = Option.getOrUndefined(CivilDate.parse(midnight.exec(text)?.[1] ?? ""))
  if (day !== undefined) return Result.succeed(day)
  const instant = Option.getOrUndefined(Instant.parse(text))
  if (instant === undefined) return Result.fail(/^\d{4}-\d{2}-\d{2}[T ]\d/.test(text) ? "time-of-day" : "form")
  if (zone === undefined) return Result.fail("time-of-day")
  return Result.succeed(CivilDate.inZone(instant, zoneOf(zone)))
}

const local = /^(\d{4}-\d{2}-\d{2})[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.\d+)?)?$/

export const instantOf = (text: string, { epoch, zone }: InstantForm): Instant.Instant | undefined => {
  if (epoch !== undefined) return atEpoch(text, epoch, zone ?? "+00:00")
  const instant = Option.getOrUndefined(Instant.parse(text))
  if (instant !== undefined || zone === undefined) return instant
  const [, date, hours, minutes, seconds] = local.exec(text) ?? []
  const day = Option.getOrUndefined(CivilDate.parse(date ?? ""))
  if (day === undefined) return undefined
  return CivilDate.at(day, Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds ?? 0), zoneOf(zone))
}

/** Converts a driver's Date to a point in time, in the named zone or else in UTC. */
export const ofDate = (date: Date, zone = "+00:00"): Instant.Instant | undefined =>
  Number.isNaN(date.getTime()) ? undefined : Instant.fromSeconds(Math.floor(date.getTime() / 1000), zoneOf(zone))
