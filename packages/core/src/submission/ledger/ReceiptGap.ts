/**
 * Receipts that the device made and this store does not have, as the receipt numbers show them.
 * Pure. The facts come from the store.
 */

export interface NumberedAttempt {
  readonly attempt: number
  /** Claim of the lane under which the attempt was begun. */
  readonly fence: number
  /** `retry`: the gateway may have answered with the receipt of an earlier request. */
  readonly repeats: "first" | "retry"
  /** Store time in milliseconds. */
  readonly begunAt: number
  readonly day: number
  readonly number: number
}

export const inOrder = (a: NumberedAttempt, b: NumberedAttempt): number => a.day - b.day || a.number - b.number

/** Between days it is the smaller figure of both ways to number: on, or from 1 with each day. */
const missingBetween = (before: NumberedAttempt, after: NumberedAttempt): number => {
  const onward = after.number - before.number - 1
  if (before.day === after.day) return Math.max(0, onward)
  return onward < 0 ? after.number - 1 : Math.min(onward, after.number - 1)
}

/** A place in the order of the receipts at which numbers are missing. */
export interface ReceiptGap {
  readonly before: NumberedAttempt
  readonly after: NumberedAttempt
  readonly missing: number
}

/** Returns the gaps of receipts in order. A receipt of a new series of numbers comes last. */
export const gapsIn = (receipts: ReadonlyArray<NumberedAttempt>): ReadonlyArray<ReceiptGap> =>
  receipts.flatMap((after, n) => {
    const before = receipts[n - 1] ?? after
    const missing = missingBetween(before, after)
    return missing === 0 ? [] : [{ before, after, missing }]
  })

/**
 * States the numbers that nothing of this store can have. Null if there are none. `unnumbered`:
 * requests and receipts without a number, each of which may have one of them.
 */
export const becauseMissing = (lane: string, { after, missing }: ReceiptGap, unnumbered: number): string | null => {
  if (missing <= unnumbered) return null
  const numbers = missing === 1 ? `receipt number ${after.number - 1}` : `${missing} receipt numbers`
  return `device ${lane} used ${numbers} before ${after.number} (fiscal day ${after.day}) for receipts that are not in it`
}

export const becauseOfDay = (lane: string, day: number, sums: string): string =>
  `device ${lane} has receipts of fiscal day ${day} (${sums}) that are not in it`
