/**
 * Reads dates as exports write them. A civil date stays a civil date; only a time with an offset
 * becomes an instant.
 */
import { CivilDate, Instant } from "@fiscal-connector/core/adapter"
import { Option } from "effect"
import * as SerialDay from "./SerialDay.ts"

export type DateOrder = "dmy" | "mdy" | "ymd"

export interface DateStyle {
  readonly order: DateOrder
  readonly utc: boolean
  readonly year: number | undefined
  /** First year of the day count, for days stored as numbers; undefined: a number is not a date. */
  readonly serials?: SerialDay.SerialDates | undefined
}

export type ParsedDate = CivilDate.CivilDate | Instant.Instant | undefined

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
const longMonths = "january february march april may june july august september october november december".split(" ")

const monthOf = (name: string): number => {
  const lower = name.toLowerCase().replace(/\.$/, "")
  const long = longMonths.indexOf(lower)
  return 1 + (long < 0 ? months.indexOf(lower === "sept" ? "sep" : lower) : long)
}

/** Returns the year; two digits mean 1970 to 2069. */
const yearOf = (text: string): number => {
  const year = Number(text)
  return text.length > 2 ? year : year < 70 ? 2000 + year : 1900 + year
}

const time = String.raw`(?:[T ]\s*(?<time>\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:\s*[AaPp][Mm])?)\s*(?<zone>Z|UTC|GMT|[+-]\d{2}:?\d{2})?)?`
export const forms = {
  iso: new RegExp(String.raw`^(?<y>\d{4})([-/.])(?<m>\d{1,2})\2(?<d>\d{1,2})${time}$`),
  compact: /^(?<y>\d{4})(?<m>\d{2})(?<d>\d{2})$/,
  yearless: /^(?<a>\d{1,2})(?<b>\d{2})$/,
  figures: new RegExp(String.raw`^(?<a>\d{1,2})([-/.])(?<b>\d{1,2})\2(?<y>\d{4}|\d{2})${time}$`),
  dayMonth: new RegExp(String.raw`^(?<d>\d{1,2})[- ./](?<name>\p{L}{3,9}\.?)[- ./,]+(?<y>\d{4}|\d{2})${time}$`, "u"),
  monthDay: new RegExp(
    String.raw`^(?<name>\p{L}{3,9}\.?)[- ./](?<d>\d{1,2})(?:st|nd|rd|th)?[- ./,]+(?<y>\d{4}|\d{2})${time}$`,
    "u"
  )
}

interface DateParts {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly time: string | undefined
  readonly zone: string | undefined
}

const partsOf = (text: string, { order, serials, year }: DateStyle): DateParts | undefined => {
  const serial = serials === undefined ? undefined : SerialDay.read(text, serials)
  if (serial !== undefined) {
    const [years, month, day] = serial.day.split("-").map(Number) as [number, number, number]
    return { year: years, month, day, time: serial.time, zone: undefined }
  }
  const yearless = forms.yearless.exec(text)?.groups
  if (yearless !== undefined) {
    const [day, month] = order === "mdy" ? [yearless["b"], yearless["a"]] : [yearless["a"], yearless["b"]]
    return year === undefined || order === "ymd"
      ? undefined
      : { year, month: Number(month), day: Number(day), time: undefined, zone: undefined }
  }
  for (const form of [forms.iso, forms.compact, forms.figures, forms.dayMonth, forms.monthDay]) {
    const groups = form.exec(text)?.groups
    if (groups === undefined) continue
    const { a, b, d, m, name, y } = groups
    const clock = { time: groups["time"], zone: groups["zone"] }
    if (a === undefined) {
      return { year: yearOf(y!), month: name === undefined ? Number(m) : monthOf(name), day: Number(d), ...clock }
    }
    if (order !== "ymd") {
      const [day, month] = order === "dmy" ? [a, b] : [b, a]
      return { year: yearOf(y!), month: Number(month), day: Number(day), ...clock }
    }
    return a.length === 2 && y!.length === 2
      ? { year: yearOf(a), month: Number(b), day: Number(y), ...clock }
      : undefined
  }
  return undefined
}

/** Maximum characters of a date: a longer cell is not parsed. */
const longest = 64

export const read = (text: string, style: DateStyle): ParsedDate => {
  const parts = text.length > longest ? undefined : partsOf(text.trim(), style)
  if (parts === undefined) return undefined
  const day = Option.getOrUndefined(CivilDate.make(parts.year, parts.month, parts.day))
  const clock = parts.time === undefined ? undefined : clockOf(parts.time)
  if (day === undefined || (parts.time !== undefined && clock === undefined)) return undefined
  const zone = parts.zone ?? (style.utc ? "Z" : undefined)
  if (clock === undefined || zone === undefined) return day
  const offset = /^[A-Z]/.test(zone) ? "Z" : zone.includes(":") ? zone : `${zone.slice(0, 3)}:${zone.slice(3)}`
  return Option.getOrUndefined(Instant.parse(`${day}T${clock}${offset}`))
}

export const written = (
  text: string,
  style: DateStyle
): { readonly day: CivilDate.CivilDate; readonly clock: string | undefined } | undefined => {
  const parts = text.length > longest ? undefined : partsOf(text.trim(), style)
  const day = parts && Option.getOrUndefined(CivilDate.make(parts.year, parts.month, parts.day))
  if (parts === undefined || day === undefined) return undefined
  const offset = parts.zone !== undefined || style.utc
  return { day, clock: offset && parts.time !== undefined ? clockOf(parts.time) : undefined }
}

/**
 * Reads a time of change, in milliseconds, for comparison within its column; a clock time without
 * an offset counts as UTC.
 */
export const moment = (text: string, style: DateStyle): number | undefined => {
  const date = read(text, style)
  if (date === undefined) return undefined
  if (typeof date !== "string") return date.epochMilliseconds
  const time = partsOf(text.trim(), style)?.time
  return Date.parse(`${date}T${(time === undefined ? undefined : clockOf(time)) ?? "00:00:00"}Z`)
}

/** Exports have many documents per day, so the last date is cached. */
export const reader = (style: DateStyle): ((text: string) => ParsedDate) => {
  let last: { readonly text: string; readonly date: ParsedDate } = { text: "", date: undefined }
  return (text) => {
    if (text !== last.text) last = { text, date: read(text, style) }
    return last.date
  }
}

const clockOf = (text: string): string | undefined => {
  const [, h = "", m = "", s = "00", half] = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*([AaPp])?/.exec(text) ?? []
  const hour = half === undefined ? Number(h) : (Number(h) % 12) + (half.toLowerCase() === "p" ? 12 : 0)
  if (hour > 23 || Number(m) > 59 || Number(s) > 59 || (half !== undefined && (Number(h) > 12 || Number(h) < 1)))
    return undefined
  return `${String(hour).padStart(2, "0")}:${m}:${s}`
}

/** Returns true for a day and a month without a year, as `3101`. */
export const isYearless = (text: string): boolean => forms.yearless.test(text.trim())

export const isDate = (text: string): boolean =>
  [forms.iso, forms.figures, forms.dayMonth, forms.monthDay].some((form) => form.test(text))

export const inFigures = (text: string): boolean => forms.figures.test(text.trim())
