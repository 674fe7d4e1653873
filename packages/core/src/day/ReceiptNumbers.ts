/** Receipt numbers of a device that no proof of the store has. */

/**
 * Bounds of the receipts of a day whose numbers no proof has. Receipts of the store without a
 * number are already subtracted, so a bound is negative if fewer numbers are missing.
 */
export interface Missing {
  readonly least: number
  /** Infinity if the day has no known neighbor. */
  readonly most: number
  /** Number of receipts that were subtracted. */
  readonly unnumbered: number
}

/** Any number may be missing. */
export const notKnown: Missing = {
  least: Number.NEGATIVE_INFINITY,
  most: Number.POSITIVE_INFINITY,
  unnumbered: 0
}

/** True if so many numbers can be missing. */
export const permits = ({ least, most }: Missing, count: number): boolean => count >= least && count <= most

/**
 * True if exactly so many numbers are missing. Numbers at the borders of the day are left out where
 * its neighbors do not show whose they are.
 */
export const areExactly = ({ least, most, unnumbered }: Missing, count: number): boolean =>
  count === least && (least === most || unnumbered === 0)

/** Collects the numbers of proofs. */
export const make = () => {
  const byDay = new Map<number, Set<number>>()

  /**
   * Returns the missing numbers of a day. `unnumbered`: receipts of the store in the day without a
   * number. Numbers at the borders may be of the day or of a neighbor, so both bounds are returned.
   */
  const missingIn = (day: number, unnumbered: number): Missing => {
    const days = Array.from(byDay, ([day, found]) => ({
      day,
      first: Math.min(...found),
      last: Math.max(...found),
      count: found.size
    })).toSorted((a, b) => a.day - b.day)
    const own = days.find((one) => one.day === day)
    const before = days.findLast((one) => one.day < day)
    const after = days.find((one) => one.day > day)
    const inside = own === undefined ? 0 : own.last - own.first + 1 - own.count
    const restarts = days.some(({ first }, n) => n > 0 && first <= days[n - 1]!.last)
    if (restarts) {
      const least = inside + (own === undefined ? 0 : own.first - 1)
      return { least: least - unnumbered, most: Number.POSITIVE_INFINITY, unnumbered }
    }
    const isBounded = before !== undefined && after !== undefined
    const span = isBounded ? after.first - before.last - 1 - (own?.count ?? 0) : Number.POSITIVE_INFINITY
    return { least: inside - unnumbered, most: span - unnumbered, unnumbered }
  }

  return {
    add: (day: number, receiptNumber: number): void => {
      const found = byDay.get(day) ?? new Set()
      byDay.set(day, found.add(receiptNumber))
    },
    missingIn
  }
}
