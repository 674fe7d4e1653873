/**
 * Reads numbers as exports write them: exact, with the decimal mark of the column, never of the
 * cell.
 */
import { Money, TextEdges } from "@fiscal-connector/core/adapter"
import { BigDecimal } from "effect"
import * as OwnSpellings from "./OwnSpellings.ts"

export type DecimalMark = "point" | "comma"

/**
 * A number, the reason why the text is not a number, or undefined for an empty cell (blank, `-`,
 * `--`).
 */
export type ParsedNumber = Money.Money | string | undefined

/** Reason for a formula, which is never evaluated. */
export const formula = "is a formula"

const zero = 0x30
const nine = 0x39

/**
 * Reads plain digits, at most 15, without a regular expression: the usual case. Undefined for any
 * other text.
 */
export const plain = (text: string, mark: DecimalMark): Money.Money | undefined => {
  const length = text.length
  if (length > 17) return undefined
  for (let i = 0; i < length; i++) ascii[i] = text.charCodeAt(i)
  return plainAt(ascii, 0, length, mark)
}

const ascii = new Uint16Array(17)

const small = Array.from({ length: 256 }, (_, value) => BigDecimal.make(BigInt(value), 0))

export const plainAt = (
  bytes: ArrayLike<number>,
  from: number,
  to: number,
  decimalMark: DecimalMark
): Money.Money | undefined => {
  const mark = decimalMark === "point" ? 0x2e : 0x2c
  const negative = bytes[from] === 0x2d
  let value = 0
  let digits = 0
  let scale = -1
  for (let i = negative ? from + 1 : from; i < to; i++) {
    const code = bytes[i]!
    if (code >= zero && code <= nine) {
      value = value * 10 + code - zero
      digits++
      if (scale >= 0) scale++
    } else if (code === mark && scale < 0 && digits > 0) scale = 0
    else return undefined
  }
  if (scale === 0 || digits === 0 || digits > 15) return undefined
  if (scale < 0 && !negative && value < small.length) return small[value]
  return BigDecimal.make(BigInt(negative ? -value : value), Math.max(scale, 0))
}

/**
 * `whole` for none, `point` or `comma` for a certain mark (`12.5`, `0,125`), `either` for a text
 * that needs a closer check.
 */
export const shapeAt = (bytes: ArrayLike<number>, first: number, to: number): "whole" | DecimalMark | "either" => {
  let at = -1
  const from = bytes[first] === 0x2d ? first + 1 : first
  for (let i = from; i < to; i++) {
    const code = bytes[i]!
    if (code >= zero && code <= nine) continue
    if ((code !== 0x2e && code !== 0x2c) || at >= 0) return "either"
    at = i
  }
  if (at < 0) return "whole"
  const grouped = to - at === 4 && at - from >= 1 && at - from <= 3 && bytes[from] !== zero
  return grouped || at === from || at === to - 1 ? "either" : bytes[at] === 0x2e ? "point" : "comma"
}

/**
 * Signs and codes of money around figures: `$`, `US$`, `Rs.`, `EUR`, and the region's letters: `R`,
 * `P`, `ZiG`.
 */
const letters = "ZiG|Zig|FCFA|KSh|Ksh|TSh|Tsh|USh|Ush|Sh|ZK|MK|MT|Mt|Kz|Rs|kr|Fr|Br|R|P|K|E|M|L|N|D"
const sign = String.raw`(?:\p{L}{1,3}\.?)?\p{Sc}|\p{Lu}{3}|(?:${letters})\.?(?![\p{L}])`
const blanks = /[\s\u00a0\u2007\u2009\u202f]/gu
const minus = /[-\u2212]/u

interface NumberParts {
  readonly before: string | undefined
  readonly figures: string
  readonly after: string | undefined
}

export interface MoneySigns {
  around(text: string): NumberParts
  codeOf(spelling: string): string | undefined
}

export const usualPattern = new RegExp(String.raw`^(${sign})?(.*?)(${sign})?$`, "u")

const usualAround = (text: string): NumberParts => {
  const [, before, figures = "", after] = usualPattern.exec(text) ?? []
  return { before, figures, after }
}

export const usualSigns: MoneySigns = { around: usualAround, codeOf: () => undefined }

export interface Currency {
  readonly from: ReadonlyArray<string>
  readonly code: string
}

/**
 * The usual signs plus the spellings of the mapping book: `Bs 115`, `US Dollar 5`. If two fit, the
 * longer wins.
 */
export const signsOf = (currencies: ReadonlyArray<Currency>): MoneySigns => {
  const codes = new Map(currencies.flatMap(({ code, from }) => [code, ...from].map((text) => [folded(text), code])))
  const own = OwnSpellings.make(codes.keys())
  return {
    around: (text) => {
      const before = longer(own.atStart(text), usualAround(text).before)
      const rest = text.slice(before?.length ?? 0)
      const after = longer(own.atEnd(rest), usualAround(rest).after)
      return { before, figures: after === undefined ? rest : rest.slice(0, -after.length), after }
    },
    codeOf: (spelling) => codes.get(folded(spelling))
  }
}

const longer = (own: string, usual: string | undefined): string | undefined =>
  own.length > (usual?.length ?? 0) ? own : usual

const folded = (text: string): string => text.replaceAll(blanks, " ").trim().replace(/\.$/, "")

export const moneySign = (text: string, signs = usualSigns): string | undefined => {
  if (text.length > longest) return undefined
  if (/^[\d.,-]*$/.test(text)) return undefined
  const unsigned = text
    .replaceAll(blanks, " ")
    .trim()
    .replace(/^[-+(\u2212]+ ?/u, "")
  const bare = TextEdges.withoutTrailing(unsigned, "-)\u2212")
  const { after, before } = signs.around(bare.trim())
  return before ?? after
}

const groupsOf = {
  point: /^\d+$|^\d{1,3}(?<g>[,'’ ])\d{3}(?:\k<g>\d{3})*$|^\d{1,2}(?:,\d{2})+,\d{3}$/,
  comma: /^\d+$|^\d{1,3}(?<g>[.'’ ])\d{3}(?:\k<g>\d{3})*$/
}

/**
 * Reads a number. Accepts money signs on either side, brackets and a trailing minus for negative
 * numbers, U+2212, groups of three by comma or point, space (also no-break and thin) or apostrophe,
 * and Indian groups (`12,48,500.00`).
 */
export const read = (text: string, mark: DecimalMark, signs = usualSigns): ParsedNumber =>
  plain(text, mark) ?? decorated(text, mark, signs)

export type Reader = (text: string, mark: DecimalMark, signs?: MoneySigns) => ParsedNumber

export const readPercent: Reader = (text, mark, signs) => read(text.replace(/(?<=\d)\s*%\s*$/u, ""), mark, signs)

/** Words beside an amount, as in `less 10%`; more words are a text. */
const mostWords = 3

/**
 * A percent, or a number with its cents, among few words. `46.20 CR` is a credit. Other numbers, as
 * `5 boxes`, stay a text.
 */
export const amongWords: Reader = (text, mark, signs) => {
  if (text.length > longest) return notANumber(mark)
  const parts = text
    .trim()
    .replace(/(?<=\d) %/, "%")
    .split(blanks)
  const [amount = "", ...others] = parts.filter((part) => /\d/.test(part))
  const words = parts.filter((part) => /^\p{L}+[.:]?$/u.test(part))
  const isAmount = /%$|\d[.,]\d\d\D?$/.test(amount) && others.length === 0
  if (!isAmount || words.length !== parts.length - 1 || words.length > mostWords) return notANumber(mark)
  const value = readPercent(amount, mark, signs)
  return BigDecimal.isBigDecimal(value) && words.some((word) => /^cr\b/i.test(word)) ? BigDecimal.negate(value) : value
}

/** Maximum characters of a number: a longer cell is not parsed. */
const longest = 64

const decorated = (text: string, mark: DecimalMark, { around }: MoneySigns): ParsedNumber => {
  if (text.length > longest) return text.trim() === "" ? undefined : notANumber(mark)
  let rest = text
    .replaceAll(blanks, " ")
    .trim()
    .replace(/^'(?=[=+\-@])/, "")
  if (rest === "" || /^[-\u2212\u2013]{1,2}$/u.test(rest)) return undefined
  if (rest.startsWith("=")) return formula
  if (/\d[eE][+-]?\d/.test(rest)) return "is in powers of ten: a spreadsheet has shortened it"
  let negative = false
  const bare = () => {
    const { after, before, figures } = around(rest)
    rest = figures.trim()
    if (before !== undefined && after !== undefined) rest = "?"
  }
  const takeSign = () => {
    const [first, last] = [rest.charAt(0), rest.charAt(rest.length - 1)]
    const signed = Number(minus.test(first) || first === "+") + Number(minus.test(last))
    if (signed === 0) return
    if (signed > 1 || negative) rest = "?"
    negative = first !== "+"
    rest = (minus.test(last) ? rest.slice(0, -1) : rest.slice(1)).trim()
  }
  bare()
  if (rest.startsWith("(") && rest.endsWith(")")) {
    rest = rest.slice(1, -1).trim()
    bare()
    if (minus.test(rest)) return "has both brackets and a minus"
    negative = true
  } else {
    takeSign()
    bare()
    takeSign()
  }
  const value = figures(rest, mark)
  return typeof value === "string" ? value : Money.withoutNoise(negative ? BigDecimal.negate(value) : value)
}

const figures = (text: string, mark: DecimalMark): Money.Money | string => {
  const point = mark === "point" ? "." : ","
  const at = text.indexOf(point)
  const whole = at < 0 ? text : text.slice(0, at)
  const fraction = at < 0 ? "" : text.slice(at + 1)
  if (!/^\d*$/.test(fraction) || (at >= 0 && fraction === "" && whole === "")) return notANumber(mark)
  if (!(whole === "" && fraction !== "") && !groupsOf[mark].test(whole)) return notANumber(mark)
  if (whole.length > 1 && whole.startsWith("0") && !/^\d+$/.test(whole)) return notANumber(mark)
  return BigDecimal.make(BigInt(whole.replaceAll(/\D/g, "") + fraction || "0"), fraction.length)
}

const notANumber = (mark: DecimalMark) => `is not a number with a decimal ${mark}`

/** Names the letter of a cell that looks like a digit, as in `1O.00`. Empty without one. */
export const likeDigit = (text: string): string => {
  const letter = /^[\d.,\s-]*([OoIl])[\dOoIl.,\s-]*$/.exec(text)?.[1]
  if (letter === undefined || !/\d/.test(text)) return ""
  return ` has the letter ${letter}, not a ${letter.toUpperCase() === "O" ? "zero" : "one"}`
}
