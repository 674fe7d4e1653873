/** Exact from JSON text to JSON text: numbers never pass through a double. */
import { withoutTrailing } from "./TextEdges.ts"
import { BigDecimal, Effect, Option, Result, Schema, SchemaIssue, SchemaTransformation } from "effect"

/** A decimal number. The currency is a field of the document. */
export type Money = BigDecimal.BigDecimal

/** A number literal with its original spelling, as `JSON.rawJSON` creates. */
export interface RawJson {
  readonly rawJSON: string
}

declare global {
  interface JSON {
    rawJSON(text: string): RawJson
    isRawJSON(value: unknown): value is RawJson
  }
}

/** Zero, the start of a sum. */
export const zero: Money = BigDecimal.make(0n, 0)

/** Running sum. Adding amounts of one scale creates no intermediate BigDecimal. */
export class Sum {
  private value = 0n
  private scale = 0

  add(amount: Money): void {
    const { scale, value } = amount
    if (scale === this.scale) this.value += value
    else if (scale > this.scale) {
      this.value = (this.value === 0n ? 0n : this.value * powerOfTen(scale - this.scale)) + value
      this.scale = scale
    } else if (value !== 0n) this.value += value * powerOfTen(this.scale - scale)
  }

  get amount(): Money {
    return BigDecimal.make(this.value, this.scale)
  }
}

const one: Money = BigDecimal.make(1n, 0)

/** One hundredth, the unit in which amounts are rounded (DOC-8). */
export const cent: Money = BigDecimal.make(1n, 2)

const decimalPoint = 0x2e
const zeroDigit = 0x30
const nineDigit = 0x39

/**
 * Up to 15 digits with an optional sign and point, exact as a double. Undefined for any other text.
 */
const plain = (text: string): Money | undefined => {
  const { length } = text
  if (length > 17) return undefined
  const sign = text.charCodeAt(0)
  let value = 0
  let digits = 0
  let at = -1
  for (let i = sign === 0x2d || sign === 0x2b ? 1 : 0; i < length; i++) {
    const code = text.charCodeAt(i)
    if (code >= zeroDigit && code <= nineDigit) {
      value = value * 10 + code - zeroDigit
      digits++
    } else if (code === decimalPoint && at === -1) at = i
    else return undefined
  }
  if (digits === 0 || digits > 15) return undefined
  return BigDecimal.make(BigInt(sign === 0x2d ? -value : value), at === -1 ? 0 : length - at - 1)
}

/**
 * Reads a plain decimal literal (`10.10`, `-0.5`, `1e-7`). Returns an empty Option for any other
 * text, including surrounding white space.
 */
export const parse = (text: string): Option.Option<Money> => {
  const usual = plain(text)
  if (usual !== undefined) return Option.some(usual)
  if (!/^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?$/.test(text)) return Option.none()
  if (text.includes("e") || text.includes("E")) return BigDecimal.fromString(text)
  const point = text.indexOf(".")
  const digits = point === -1 ? text : text.slice(0, point) + text.slice(point + 1)
  return Option.some(BigDecimal.make(BigInt(digits), point === -1 ? 0 : text.length - point - 1))
}

const powers = Array.from({ length: 20 }, (_, exponent) => 10n ** BigInt(exponent))
const powerOfTen = (exponent: number): bigint => powers[exponent] ?? 10n ** BigInt(exponent)

/** Rounds half-up to `scale` places, away from zero at the half: the device's rounding (DOC-7). */
export const round = (amount: Money, scale: number): Money => quotient(amount, one, scale)

/**
 * Returns `dividend / divisor`, half-up at `scale` places, exact: no intermediate rounding. The
 * divisor must not be zero.
 */
export const quotient = (dividend: Money, divisor: Money, scale: number): Money => {
  const shift = divisor.scale - dividend.scale + scale
  const numerator = shift > 0 ? dividend.value * powerOfTen(shift) : dividend.value
  const denominator = shift < 0 ? divisor.value * powerOfTen(-shift) : divisor.value
  if (denominator === 1n) return BigDecimal.make(numerator, scale)
  const twice = 2n * (numerator < 0n ? -numerator : numerator)
  const size = denominator < 0n ? -denominator : denominator
  const magnitude = (twice + size) / (2n * size)
  return BigDecimal.make(numerator < 0n === denominator < 0n ? magnitude : -magnitude, scale)
}

/** Significant digits that a double keeps exactly. */
const kept = 15

const rounded = new WeakSet<Money>()
let isAny = false

const digitsOf = (value: bigint): number => String(value < 0n ? -value : value).length

/**
 * Returns the figure rounded to 15 significant digits if it has more and the rounding is shorter;
 * otherwise the figure: `141.26999999999998` is 141.27, as in a spreadsheet. A whole number has no
 * noise. Not for a text that identifies.
 */
export const withoutNoise = (figure: Money): Money => {
  const digits = digitsOf(figure.value)
  const places = figure.scale - (digits - kept)
  if (digits <= kept || places <= 0) return figure
  const shorter = BigDecimal.normalize(round(figure, places))
  if (digitsOf(shorter.value) >= kept || BigDecimal.equals(shorter, figure)) return figure
  const read = shorter.scale < 0 ? BigDecimal.scale(shorter, 0) : BigDecimal.make(shorter.value, shorter.scale)
  rounded.add(read)
  isAny = true
  return read
}

/** True if `withoutNoise` has rounded this figure. */
export const hadNoise = (figure: Money | undefined): boolean => figure !== undefined && rounded.has(figure)

/** True if `withoutNoise` has rounded any figure of this process. */
export const isAnyRounded = (): boolean => isAny

const valueAt = ({ scale, value }: Money, places: number): bigint =>
  scale === places ? value : value * powerOfTen(places - scale)

/**
 * True if two amounts differ by at most `tolerance`, which must not be negative. The first
 * comparison is a fast path: nearly all compared amounts are identical, digit by digit.
 */
export const within = (one: Money, other: Money, tolerance: Money): boolean => {
  if (one.scale === other.scale && one.value === other.value) return true
  const places = Math.max(one.scale, other.scale, tolerance.scale)
  const apart = valueAt(one, places) - valueAt(other, places)
  return (apart < 0n ? -apart : apart) <= valueAt(tolerance, places)
}

/**
 * Numbers below 1000, bare and zero-padded, and hundredths. Most amounts are assembled from these
 * texts.
 */
const small = Array.from({ length: 1000 }, (_, number) => String(number))
const threeDigits = small.map((digits) => digits.padStart(3, "0"))
const hundredths = small.slice(0, 100).map((digits) => `.${digits.padStart(2, "0")}`)
const hundredthsOnly = hundredths.map((fraction) => withoutTrailing(withoutTrailing(fraction, "0"), "."))

const whole = (number: number): string =>
  number < 1000 ? small[number]! : small[Math.floor(number / 1000)]! + threeDigits[number % 1000]!

const ofCents = (cents: number, places: 0 | 2): string => {
  const rest = cents % 100
  return whole((cents - rest) / 100) + (places === 0 ? hundredthsOnly : hundredths)[rest]!
}

/** At least `places`, more if the number has more, and no trailing zeros beyond. */
const digits = ({ scale, value }: Money, places: 0 | 2): string => {
  // fast path for most amounts; `places` is 0 or 2
  if (scale === 2 && value >= 0n && value < 100_000_000n) return ofCents(Number(value), places)
  if (scale === 0 && value >= 0n && value < 1_000_000n) return whole(Number(value)) + (places === 0 ? "" : ".00")
  const size = value < 0n ? -value : value
  const all = scale <= 0 ? `${size * powerOfTen(-scale)}` : `${size}`.padStart(scale + 1, "0")
  const point = all.length - Math.max(scale, 0)
  let end = all.length
  while (end > point && all[end - 1] === "0") end--
  const fraction = all.slice(point, end).padEnd(places, "0")
  return `${value < 0n ? "-" : ""}${all.slice(0, point)}${fraction === "" ? "" : "."}${fraction}`
}

/**
 * Writes a quantity, price or percent without trailing zeros, never exponential (`2.5`,
 * `0.0000001`).
 */
export const formatPlain = (number: Money): string => digits(number, 0)

/** Writes an amount with at least two places, never rounded (`10.10`, `0.125`). */
export const formatAmount = (amount: Money): string => digits(amount, 2)

/** Writes an amount for reading, with a comma for each thousand (`-8,439.50`). */
export const formatGrouped = (amount: Money): string => {
  const [whole = "", ...places] = formatAmount(BigDecimal.abs(amount)).split(".")
  return `${BigDecimal.isNegative(amount) ? "-" : ""}${[BigInt(whole).toLocaleString("en"), ...places].join(".")}`
}

const isWireNumber = (value: unknown): value is number | string | RawJson =>
  typeof value === "number" || typeof value === "string" || JSON.isRawJSON(value)

const WireNumber = Schema.declare(isWireNumber, { identifier: "WireNumber", expected: "a number" })

const fromWire = (format: (number: Money) => string) =>
  WireNumber.pipe(
    Schema.decodeTo(
      Schema.BigDecimal,
      SchemaTransformation.transformEffect({
        decode: (wire) =>
          Effect.mapError(
            Effect.fromOption(parse(typeof wire === "object" ? wire.rawJSON : String(wire).trim())),
            () => new SchemaIssue.InvalidValue({ expected: "a decimal number" })
          ),
        encode: (number) => Effect.succeed(JSON.rawJSON(format(number)))
      })
    )
  )

/**
 * An amount on the wire: a JSON number, or a JSON string holding a number (NUM-1); written with at
 * least two places.
 */
export const Amount = fromWire(formatAmount)

/** A quantity, unit price or percent on the wire; written without trailing zeros. */
export const Decimal = fromWire(formatPlain)

const keepDigits = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value !== "number" || context?.source === undefined || isExact(value, context.source) ? value : context.source

// 1071249999999999.95 parses to a double that is a safe integer but differs from the written number
const isExact = (value: number, source: string): boolean =>
  Number.isSafeInteger(value) &&
  (String(value) === source || Option.exists(parse(source), BigDecimal.equals(BigDecimal.make(BigInt(value), 0))))

/**
 * Parses JSON without loss of digits: each number not written as a safe integer is returned as its
 * source text. The error does not quote the input.
 */
export const parseJson = (text: string): Result.Result<unknown, string> =>
  Result.try({
    try: (): unknown => JSON.parse(text, keepDigits),
    catch: () => "not JSON"
  })
