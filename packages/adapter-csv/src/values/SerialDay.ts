/**
 * Days as spreadsheets store them: numbers counted from 1900, or from 1904 in workbooks of older
 * Macs.
 */

export type SerialDates = "1900" | "1904"

/**
 * Limits of plausible days: 1954 to 2119 counted from 1900, four years later counted from 1904.
 * Other numbers of five digits are not days of a sale.
 */
const [first, last] = [20_000, 80_000]
/** Days from the first day of the 1900 system to the first day of the 1904 system. */
const days1904 = 1462
const day = 86_400_000
const epoch = Date.UTC(1899, 11, 30)

const form = /^\d{5}(?:\.\d{1,12})?$/

export const mayBe = (text: string): boolean => {
  const serial = form.test(text) ? Number(text) : 0
  return serial >= first && serial < last
}

/**
 * Returns the day as 2026-01-31, and the time of day as 13:05:00 if stated; undefined if the text
 * is not a day number.
 */
export const read = (
  text: string,
  from: SerialDates
): { readonly day: string; readonly time: string | undefined } | undefined => {
  if (!mayBe(text)) return undefined
  const [whole = "", fraction] = text.split(".")
  const days = Number(whole) + (from === "1904" ? days1904 : 0)
  const seconds = fraction === undefined ? 0 : Math.round(Number(`0.${fraction}`) * 86_400)
  const moment = new Date(epoch + days * day + seconds * 1000).toISOString()
  return { day: moment.slice(0, 10), time: seconds === 0 ? undefined : moment.slice(11, 19) }
}
