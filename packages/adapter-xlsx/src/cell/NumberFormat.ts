/**
 * Meaning of a cell's number format: a date, a percent, leading zeros, a currency sign; ECMA-376
 * part 1, 18.8.30 and 18.8.31.
 */
import { StatedWords } from "@fiscal-connector/core/adapter"
import * as NumberFormatCode from "./NumberFormatCode.ts"

type Token = NumberFormatCode.Token

export type NumberFormat =
  | { readonly is: "plain" }
  /** `zone`: suffix of the time, such as `Z` or `+02:00`. */
  | { readonly is: "date"; readonly zone?: string }
  | { readonly is: "percent"; readonly code: string }
  /** `00000`: displayed with at least `width` figures. */
  | { readonly is: "zeros"; readonly code: string; readonly width: number }
  /** Displayed differently, with `sign` if known. */
  | { readonly is: "formatted"; readonly code: string; readonly sign: string | undefined }

const plain: NumberFormat = { is: "plain" }
const date: NumberFormat = { is: "date" }

/** Currency formats depend on the country, so their sign is unknown. */
const builtIn: { readonly [id: number]: string } = {
  0: "General",
  1: "0",
  2: "0.00",
  3: "#,##0",
  4: "#,##0.00",
  9: "0%",
  10: "0.00%",
  11: "0.00E+00",
  12: "# ?/?",
  13: "# ??/??",
  48: "##0.0E+0",
  49: "@"
}

const dateIds = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58]
] as const

const firstOwn = 164

/**
 * Returns the format of a number. `code`: the workbook's own code for the number. Undefined if the
 * workbook lacks a required code.
 */
export const of = (id: number, code: string | undefined): NumberFormat | undefined => {
  if (code !== undefined) return ofCode(code)
  if (dateIds.some(([from, to]) => id >= from && id <= to)) return date
  if (!(id < firstOwn)) return undefined
  const known = builtIn[id]
  return known === undefined ? { is: "formatted", code: "#,##0.00", sign: undefined } : ofCode(known)
}

const ofCode = (code: string): NumberFormat => {
  const tokens = firstSection(NumberFormatCode.tokensOf(code))
  const first = tokens.map(({ text }) => text).join("")
  if (/^(?:general|@)?$/i.test(first.trim())) return plain
  const bare = tokens
    .map(({ shown, text }) => (shown === "figures" ? text : ""))
    .join("")
    .replaceAll(/general/gi, "")
  if (/[dmyhs]/i.test(bare.replaceAll(/e[+-]/gi, ""))) {
    const zone = zoneOf(first)
    return zone === undefined ? date : { is: "date", zone }
  }
  if (bare.includes("%")) return { is: "percent", code }
  if (/^[0#]$/.test(first)) return plain
  if (/^0+$/.test(first)) return { is: "zeros", code, width: first.length }
  return { is: "formatted", code, sign: signOf(tokens, bare) }
}

/**
 * Returns the text that a number format shows beside the figures, such as `thousand`; undefined
 * without such a text, and for a currency sign.
 */
export const wordsOf = (code: string): string | undefined => {
  const tokens = firstSection(NumberFormatCode.tokensOf(code))
  const text = tokens
    .flatMap((token) => (token.shown === "literal" ? [token.literal] : []))
    .join("")
    .trim()
  return /\p{L}{2}/u.test(text) && !sign.test(text) && !StatedWords.isCurrencyCode(text) ? text : undefined
}

const zoneOf = (section: string): string | undefined => {
  const shown = section.replaceAll(/"([^"]*)"|\\(.)/g, "$1$2").trimEnd()
  const [, utc, hours, minutes] = /(?:(Z|UTC|GMT)|([+-]\d{2}):?(\d{2}))\)?$/.exec(shown) ?? []
  return utc === undefined ? hours && `${hours}:${minutes}` : "Z"
}

/** A format has up to four sections: for positive numbers, negative numbers, zero and texts. */
const firstSection = (tokens: ReadonlyArray<Token>): ReadonlyArray<Token> => {
  const isSeparator = ({ shown, text }: Token) => shown === "figures" && text === ";"
  const from = tokens.findIndex((token) => !isSeparator(token))
  if (from < 0) return tokens
  const to = tokens.findIndex((token, i) => i > from && isSeparator(token))
  return tokens.slice(from, to < 0 ? undefined : to)
}

const sign = /^(?:\p{L}{1,3}\.?)?\p{Sc}$|^(?:R|Rs\.?|ZiG|ZIG)$/u

/** `[$USD]` and `"USD"` name a currency by code. */
const signOf = (section: ReadonlyArray<Token>, bare: string): string | undefined => {
  const named = section.flatMap((token) => {
    if (token.shown !== "literal" && token.shown !== "currency") return []
    const text = token.literal.trim()
    return sign.test(text) ||
      (token.shown === "currency" ? /^\p{Lu}{3}$/u.test(text) : StatedWords.isCurrencyCode(text))
      ? [text]
      : []
  })
  return named[0] ?? /\p{Sc}/u.exec(bare)?.[0]
}
