/** Generated decimal numbers: small and huge, of either sign, with up to nine places. */
import { Arbitrary, BigDecimal, Schema } from "effect"

export const int = (minimum: number, maximum: number) =>
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum, maximum })))

const digits = Arbitrary.all({
  high: int(-999_999, 999_999),
  low: int(0, 999_999_999_999_999),
  size: int(0, 2)
}).pipe(
  Arbitrary.map(({ high, low, size }) => (size === 2 ? BigInt(high) * 10n ** 15n + BigInt(low) : BigInt(size * high)))
)

export const money = Arbitrary.all({ digits, scale: int(-2, 9) }).pipe(
  Arbitrary.map(({ digits, scale }) => BigDecimal.make(digits, scale))
)

export const nonZero = Arbitrary.map(money, (number) => (BigDecimal.isZero(number) ? BigDecimal.make(7n, 1) : number))

/** Amount above zero, in cents. */
export const amount = Arbitrary.map(int(1, 5_000_000), (cents) => BigDecimal.make(BigInt(cents), 2))
