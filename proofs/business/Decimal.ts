/** Exact decimals for the truth of the proofs. Shares no code with the money of core. */

/** `units` × 10 to the power of −`places`. */
export interface Decimal {
  readonly units: bigint
  readonly places: number
}

const power = (places: number): bigint => 10n ** BigInt(places)

const scaled = ({ places, units }: Decimal, to: number): bigint => units * power(to - places)

/** Returns the decimal of whole units and places: `of(1250, 2)` is 12.50. */
export const of = (units: bigint | number, places = 0): Decimal => ({ units: BigInt(units), places })

export const zero = of(0)

export const plus = (a: Decimal, b: Decimal): Decimal => {
  const places = Math.max(a.places, b.places)
  return { units: scaled(a, places) + scaled(b, places), places }
}

export const times = (a: Decimal, b: Decimal): Decimal => ({ units: a.units * b.units, places: a.places + b.places })

export const minus = (a: Decimal, b: Decimal): Decimal => plus(a, { ...b, units: -b.units })

export const sum = (all: ReadonlyArray<Decimal>): Decimal => all.reduce(plus, zero)

/** Returns a ÷ b, rounded half away from zero; b is positive. */
export const over = (a: Decimal, b: Decimal, places: number): Decimal => {
  const dividend = a.units * power(b.places + places)
  const divisor = b.units * power(a.places)
  const size = dividend < 0n ? -dividend : dividend
  const rounded = (2n * size + divisor) / (2n * divisor)
  return { units: dividend < 0n ? -rounded : rounded, places }
}

export const rounded = (a: Decimal, places: number): Decimal => over(a, of(1), places)

/** Returns the amount in cents; the decimal has at most two places of value. */
export const cents = (a: Decimal): number => Number(rounded(a, 2).units)

/** Returns the digits, with exactly `places` places. Default: as many as the value needs. */
export const text = (a: Decimal, places?: number): string => {
  const { units, places: all } = places === undefined ? a : rounded(a, places)
  const digits = (units < 0n ? -units : units).toString().padStart(all + 1, "0")
  const fraction = all === 0 ? "" : digits.slice(-all)
  const kept = places === undefined ? fraction.replace(/0+$/, "") : fraction
  return `${units < 0n ? "-" : ""}${digits.slice(0, digits.length - all)}${kept === "" ? "" : `.${kept}`}`
}
