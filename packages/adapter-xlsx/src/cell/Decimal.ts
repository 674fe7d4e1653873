/** Numbers of cells: stored as decimal text of a double, shown with 15 significant digits. */
import { TextEdges } from "@fiscal-connector/core/adapter"

/**
 * The decimal as text. `digits`: more digits than a double keeps, so that some are lost. `none`:
 * not a number.
 */
export type Decimal = { readonly text: string } | "digits" | "none"

const stored = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/
/** Significant digits that a double keeps exactly, and that spreadsheets display. */
const kept = 15
/** Largest accepted exponent and text length. No double has a larger exponent. */
const longest = 400

/**
 * Reads a stored number: `99.90000000000001` is 99.9, as displayed. A whole number with 16 or more
 * digits has lost its last digits.
 */
export const read = (text: string): Decimal => {
  if (isUsual(text)) return { text }
  const [, sign, whole = "", fraction = "", exponent = "0"] = stored.exec(text.trim()) ?? []
  if (sign === undefined || whole.length + fraction.length === 0 || text.length > longest) return "none"
  if (Math.abs(Number(exponent)) > longest) return "none"
  const point = whole.length + Number(exponent)
  const digits = whole + fraction
  const leading = /^0*/.exec(digits)![0].length
  const significant = digits.slice(leading)
  if (/^0*$/.test(significant)) return { text: "0" }
  if (point - leading > kept) return "digits"
  const rounded = roundUp(significant, kept)
  // a carry adds a digit
  const at = point - leading + (rounded.carried ? 1 : 0)
  return { text: (sign === "-" ? "-" : "") + placed(rounded.digits, at) }
}

/**
 * At most 15 digits, one point, no trailing zero in the fraction. Some writers store `7.0` for 7.
 */
const isUsual = (text: string): boolean => {
  const { length } = text
  if (length === 0 || length > kept) return false
  const from = text.charCodeAt(0) === 0x2d ? 1 : 0
  let point = -1
  for (let i = from; i < length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x2e && point < 0) point = i
    else if (code < 0x30 || code > 0x39) return false
  }
  if (length === from || point === from || point === length - 1) return false
  if (point >= 0 && text.charCodeAt(length - 1) === 0x30) return false
  return text.charCodeAt(from) !== 0x30 || length === from + 1 || point === from + 1
}

const roundUp = (digits: string, places: number): { readonly digits: string; readonly carried: boolean } => {
  if (digits.length <= places) return { digits, carried: false }
  const up = digits.charCodeAt(places) >= 0x35
  const cut = BigInt(digits.slice(0, places)) + (up ? 1n : 0n)
  const text = String(cut)
  return { digits: text, carried: text.length > places }
}

const placed = (digits: string, point: number): string => {
  if (point >= digits.length) return digits.padEnd(point, "0")
  const whole = point > 0 ? digits.slice(0, point) : "0"
  const fraction = TextEdges.withoutTrailing(
    point > 0 ? digits.slice(point) : digits.padStart(digits.length - point, "0"),
    "0"
  )
  return fraction === "" ? whole : `${whole}.${fraction}`
}

export const timesHundred = (text: string): string => {
  const negative = text.startsWith("-")
  const [whole = "", fraction = ""] = (negative ? text.slice(1) : text).split(".")
  const digits = (whole + fraction.padEnd(2, "0")).replace(/^0+/, "")
  const point = digits.length - Math.max(fraction.length - 2, 0)
  const shown = digits === "" ? "0" : placed(digits, point)
  return negative && shown !== "0" ? `-${shown}` : shown
}
