/**
 * Exact decimals of the wire: read from a number's own source text or from a string (NUM-1),
 * printed without an exponent.
 */
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { byDefault } from "../Default.ts"

const numeral = /^-?\d+(\.\d+)?([eE][+-]?\d{1,3})?$/
const longestNumeral = 60
const largestScale = 40

/**
 * Reads a numeral exactly. Returns no value for other text, and for a numeral so large that
 * calculating with it would be an attack (over 60 characters, or more than 40 places on either side
 * of the point).
 */
export const fromText = (text: string): Option.Option<BigDecimal.BigDecimal> =>
  text.length > longestNumeral || !numeral.test(text)
    ? Option.none()
    : Option.filter(BigDecimal.fromString(text), (decimal) => Math.abs(decimal.scale) <= largestScale)

/**
 * Prints a decimal in plain notation and keeps its places: `10.10` remains `10.10`, `1e-7` becomes
 * `0.0000001`.
 */
export const toText = (decimal: BigDecimal.BigDecimal): string => {
  const { scale, value } = decimal.scale < 0 ? BigDecimal.scale(decimal, 0) : decimal
  const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, "0")
  const plain = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`
  return value < 0n ? `-${plain}` : plain
}

/** Returns the number of places after the point, without trailing zeros. */
export const placesOf = (decimal: BigDecimal.BigDecimal): number => Math.max(0, BigDecimal.normalize(decimal).scale)

/** Rounds half away from zero, as the device does (DOC-7), to exactly `places` places. */
export const round = (decimal: BigDecimal.BigDecimal, places: number): BigDecimal.BigDecimal =>
  BigDecimal.scale(BigDecimal.round(decimal, { scale: places, mode: "half-from-zero" }), places)

const notDecimal = new SchemaIssue.InvalidValue({ expected: "a decimal number" })

const ExactNumber = Schema.declare(BigDecimal.isBigDecimal, {
  expected: "a number",
  toCodecJson: () =>
    Schema.link<BigDecimal.BigDecimal>()(Schema.Finite, {
      decode: SchemaGetter.transform((number) => BigDecimal.fromNumberUnsafe(number)),
      encode: SchemaGetter.transform((decimal) => BigDecimal.toNumberUnsafe(decimal))
    })
})

const NumberText = Schema.String.pipe(
  Schema.decodeTo(
    ExactNumber,
    SchemaTransformation.transformEffect({
      decode: (text) => Effect.mapError(Effect.fromOption(fromText(text.trim())), () => notDecimal),
      encode: (decimal) => Effect.succeed(toText(decimal))
    })
  )
)

/**
 * Decimal of a request: a JSON number read exactly (see ExactJson), or a string that holds a number
 * (NUM-1).
 */
export const Decimal = Schema.Union([ExactNumber, NumberText])

/** Decimal that may be absent, null or `""` (DOC-16), each decoded as null. */
export const OptionalDecimal = Schema.Union([Decimal, Schema.Null, Schema.Literal("")]).pipe(
  Schema.decodeTo(Schema.NullOr(ExactNumber), {
    decode: SchemaGetter.transform((value) => (value === "" ? null : value)),
    encode: SchemaGetter.transform((value) => value)
  }),
  byDefault(null)
)

/** Whole number of a request, as a JSON number or as a string (NUM-1). */
export const Integer = Decimal.pipe(
  Schema.decodeTo(
    Schema.Int,
    SchemaTransformation.transformEffect({
      decode: (decimal) =>
        BigDecimal.isInteger(decimal) && Number.isSafeInteger(BigDecimal.toNumberUnsafe(decimal))
          ? Effect.succeed(BigDecimal.toNumberUnsafe(decimal))
          : Effect.fail(new SchemaIssue.InvalidValue({ expected: "a whole number" })),
      encode: (integer) => Effect.succeed(BigDecimal.fromBigInt(BigInt(integer)))
    })
  )
)
