export type DateSystem = "1900" | "1904"

/**
 * Lower serial numbers of the 1900 system include 29 February 1900, which never existed; in both
 * systems they are numbers or times.
 */
const first = 61
/** 31 December 9999, the last day of both systems. */
const last = 2_958_465
const day = 86_400_000
const seconds = 86_400
/** Days from the first day of the 1900 system to the first day of the 1904 system. */
const days1904 = 1462
const epoch = Date.UTC(1899, 11, 30)

/** Last day read, with its text; the cells of a workbook have few different days in a row. */
export class LastDay {
  private days = -1
  private text = ""

  of(days: number): string {
    if (this.days !== days) {
      this.days = days
      this.text = new Date(epoch + days * day).toISOString().slice(0, 10)
    }
    return this.text
  }
}

/**
 * Returns `2026-01-31`, or with a time `2026-01-31T13:05:00` to the second; undefined if not a
 * date.
 */
export const read = (stored: string, system: DateSystem, lastDay = new LastDay()): string | undefined => {
  const serial = Number(stored)
  if (!(serial >= first)) return undefined
  const all = Math.round((serial + (system === "1904" ? days1904 : 0)) * seconds)
  const days = Math.floor(all / seconds)
  if (days > last) return undefined
  const rest = all - days * seconds
  return rest === 0 ? lastDay.of(days) : `${lastDay.of(days)}T${clock(rest)}`
}

const two = (number: number): string => String(number).padStart(2, "0")

const clock = (rest: number): string =>
  `${two(Math.floor(rest / 3600))}:${two(Math.floor(rest / 60) % 60)}:${two(rest % 60)}`

export const write = (text: string): number =>
  (Date.parse(`${text.slice(0, 10)}T${text.slice(11) || "00:00:00"}Z`) - epoch) / day

const iso = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?)?(Z|[+-]\d{2}:\d{2})?$/

export const readIso = (stored: string): string | undefined =>
  iso.test(stored.trim()) ? stored.trim().replace(/T00:00(:00(\.0+)?)?$/, "") : undefined
