/** Calculates the device's own amounts: lines grouped by tax, and the tax of each group (DOC-7). */
import * as BigDecimal from "effect/BigDecimal"
import type { ApplicableTax } from "../DeviceConfig.ts"
import * as Decimal from "../wire/Decimal.ts"
import * as Zone from "../wire/Zone.ts"
import type { Receipt } from "./Receipt.ts"

/**
 * Amounts in the receipt's currency with two places. `taxPercent` is a percentage (15 for 15 %),
 * null if the tax is exempt or unknown.
 */
export interface TaxGroup {
  readonly taxId: number
  readonly taxPercent: BigDecimal.BigDecimal | null
  readonly net: BigDecimal.BigDecimal
  readonly tax: BigDecimal.BigDecimal
  readonly gross: BigDecimal.BigDecimal
}

const zero = BigDecimal.make(0n, 2)
const hundred = BigDecimal.fromBigInt(100n)

/**
 * True if a tax is valid at an instant (seconds since 1970). Both ends are inclusive; a
 * bare date means the whole day.
 */
export const isValid = (tax: ApplicableTax, zone: Zone.Zone, epochSeconds: number): boolean => {
  const at = Zone.civil(zone, epochSeconds * 1000)
  const since = tax.taxValidFrom
  const until = tax.taxValidTill
  return (since === undefined || since <= at) && (until === undefined || at.slice(0, until.length) <= until)
}

/**
 * Returns the device's tax with the id: the tax valid at the instant (seconds since 1970), else any
 * tax with the id.
 */
export const taxAt = (
  taxes: ReadonlyArray<ApplicableTax>,
  taxId: number,
  zone: Zone.Zone,
  epochSeconds: number
): ApplicableTax | undefined => {
  const candidates = taxes.filter((tax) => tax.taxId === taxId)
  return candidates.find((tax) => isValid(tax, zone, epochSeconds)) ?? candidates[0]
}

// Rounds half away from zero in integers: an exact division, rounded once.
const divide = (dividend: BigDecimal.BigDecimal, divisor: BigDecimal.BigDecimal): BigDecimal.BigDecimal => {
  const scale = Math.max(dividend.scale, divisor.scale)
  const numerator = BigDecimal.scale(dividend, scale).value * 100n
  const denominator = BigDecimal.scale(divisor, scale).value
  const magnitude = numerator < 0n ? -numerator : numerator
  const rounded = (magnitude * 2n + denominator) / (denominator * 2n)
  return BigDecimal.make(numerator < 0n ? -rounded : rounded, 2)
}

/** Returns the tax of a group: inclusive L·p/(100+p), exclusive L·p/100, half-up to two places. */
const taxOf = (
  amounts: Receipt["amounts"],
  lineTotal: BigDecimal.BigDecimal,
  taxPercent: BigDecimal.BigDecimal | null
): BigDecimal.BigDecimal =>
  taxPercent === null
    ? zero
    : divide(
        BigDecimal.multiply(lineTotal, taxPercent),
        amounts === "inclusive" ? BigDecimal.sum(hundred, taxPercent) : hundred
      )

/**
 * Returns the groups of a receipt in the order in which their taxes first occur, with the
 * percentages valid at `epochSeconds`.
 */
export const groups = (
  receipt: Receipt,
  taxes: ReadonlyArray<ApplicableTax>,
  zone: Zone.Zone,
  epochSeconds: number
): ReadonlyArray<TaxGroup> => {
  const totals = new Map<number, BigDecimal.BigDecimal>()
  for (const line of receipt.lines) {
    totals.set(line.taxId, BigDecimal.sum(totals.get(line.taxId) ?? zero, line.lineAmount))
  }
  return Array.from(totals, ([taxId, total]) => {
    const taxPercent = taxAt(taxes, taxId, zone, epochSeconds)?.taxPercent ?? null
    const tax = taxOf(receipt.amounts, total, taxPercent)
    const amount = Decimal.round(total, 2)
    return receipt.amounts === "inclusive"
      ? { taxId, taxPercent, net: BigDecimal.subtract(amount, tax), tax, gross: amount }
      : { taxId, taxPercent, net: amount, tax, gross: BigDecimal.sum(amount, tax) }
  })
}
