/** Texts that an operator types if no choice fits, and the form that each must have. */
import { DateTime, Option } from "effect"
import * as Money from "../document/Money.ts"

export const fills = {
  zone: "the zone, as +02:00 or Africa/Harare",
  currency: "the currency's code, as USD",
  percent: "the percent, as 15.5 %",
  hsCode: "an HS code of 8 digits",
  year: "the year, as 2026",
  line: "the line of the names, counted from 1",
  delimiter: "comma, semicolon, tab or pipe",
  dates: "dmy, mdy or ymd"
} as const

const amongThose = (fill: string) => (text: string) => fill.split(/, | or /).includes(text)

const forms: ReadonlyMap<string, (text: string) => boolean> = new Map([
  [fills.zone, (text) => Option.isSome(DateTime.zoneFromString(text))],
  [fills.currency, (text) => /^[A-Z]{3}$/.test(text)],
  [fills.percent, (text) => /^(?:100|\d{1,2}(?:\.\d{1,4})?) ?%?$/.test(text)],
  // the mapping book accepts a heading of 4 digits, too
  [fills.hsCode, (text) => /^(?:\d{4}|\d{8})$/.test(text)],
  [fills.year, (text) => /^\d{4}$/.test(text)],
  [fills.line, (text) => /^\d{1,7}$/.test(text)],
  [fills.delimiter, amongThose(fills.delimiter)],
  [fills.dates, amongThose(fills.dates)]
])

/** Never the id of a choice: `15.5 %`. */
const withSign = (text: string): string =>
  `${Money.formatPlain(Option.getOrThrow(Money.parse(text.replace("%", "").trim())))} %`

/** Returns the zones of the city, else of the cities that begin with the text, as `harar`. */
const zonesNamed = (text: string): ReadonlyArray<string> => {
  const city = `/${text.toLowerCase().replaceAll(" ", "_")}`
  if (city.length < 4) return []
  const zones = Intl.supportedValuesOf("timeZone").filter((zone) => zone.toLowerCase().includes(city))
  const named = zones.filter((zone) => zone.toLowerCase().endsWith(city))
  return named.length > 0 ? named : zones
}

/**
 * Returns the text in the form that the description asks for; undefined if it has another form. A
 * description without a form takes any text.
 */
export const inForm = (fill: string, text: string): string | undefined => {
  if (text === "") return undefined
  if (forms.get(fill)?.(text) ?? true) return fill === fills.percent ? withSign(text) : text
  const [zone, other] = fill === fills.zone ? zonesNamed(text) : []
  return other === undefined ? zone : undefined
}
