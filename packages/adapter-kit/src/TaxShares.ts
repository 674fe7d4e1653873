/** Allocates a document's tax to lines if the system rounds differently from the device. */
import { Money, type SourceDocument } from "@fiscal-connector/core/adapter"
import { BigDecimal } from "effect"

const hundred = BigDecimal.make(100n, 0)
const sumOf = (amounts: ReadonlyArray<Money.Money>): Money.Money => BigDecimal.sumAll(amounts)
const minus = BigDecimal.subtract

/**
 * If the taxes differ from the rounded sums of lines and charges per percent (another rounding of
 * ties, or a remainder). Each share is within a cent of the line's own rounded tax. Undefined if no
 * allocation is needed, or no such shares add up to the stated tax.
 */
export const allocated = (
  whole: Money.Money,
  nets: ReadonlyArray<Money.Money>,
  taxes: ReadonlyArray<ReadonlyArray<SourceDocument.SourceTax>>,
  charges: ReadonlyArray<SourceDocument.SourceCharge>
): ReadonlyArray<Money.Money> | undefined => {
  if (taxes.some((own) => own.length > 1 || own.some(({ percent }) => percent === undefined))) return undefined
  const exact = nets.map((net, i) =>
    Money.quotient(BigDecimal.multiply(net, taxes[i]![0]?.percent ?? Money.zero), hundred, 6)
  )
  const groups = new Map<string, Money.Money>()
  const add = (percent: Money.Money | undefined, tax: Money.Money) => {
    const key = Money.formatPlain(BigDecimal.normalize(percent ?? Money.zero))
    groups.set(key, BigDecimal.sum(groups.get(key) ?? Money.zero, tax))
  }
  for (const [i, tax] of exact.entries()) add(taxes[i]![0]?.percent, tax)
  const own = charges.flatMap(({ amount, taxes: [tax] }) => (tax?.amount === undefined ? [] : [{ amount, tax }]))
  for (const { amount, tax } of own)
    add(tax.percent, Money.quotient(BigDecimal.multiply(amount, tax.percent ?? Money.zero), hundred, 6))
  const stated = sumOf([whole, ...own.map(({ tax }) => tax.amount!)])
  if (BigDecimal.equals(sumOf([...groups.values()].map((sum) => Money.round(sum, 2))), stated)) return undefined
  const shares = exact.map((tax) => Money.round(tax, 2))
  const rest = minus(whole, sumOf(shares))
  const step = BigDecimal.isNegative(rest) ? BigDecimal.negate(Money.cent) : Money.cent
  const order = exact
    .map((tax, i) => ({ i, room: BigDecimal.multiply(minus(tax, shares[i]!), step) }))
    .filter(({ i }) => !BigDecimal.isZero(exact[i]!))
    .toSorted((a, b) => BigDecimal.Order(b.room, a.room))
  const count = Number(Money.formatPlain(BigDecimal.multiply(BigDecimal.abs(rest), hundred)))
  if (!Number.isInteger(count) || count > order.length) return undefined
  for (const { i } of order.slice(0, count)) shares[i] = BigDecimal.sum(shares[i]!, step)
  return exact.every((tax, i) => Money.within(Money.round(tax, 2), shares[i]!, Money.cent)) ? shares : undefined
}
