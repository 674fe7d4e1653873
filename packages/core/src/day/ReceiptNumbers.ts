/** Receipt numbers of a device that no proof of the store has. */
import { DateTime } from "effect"

/**
 * Bounds of the receipts of a day whose numbers no proof has. Receipts of the store without a
 * number are already subtracted, so a bound is negative if fewer numbers are missing.
 */
export interface MissingNumbers {
  readonly least: number
  /** Infinity if the day has no known neighbor. */
  readonly most: number
  readonly unnumbered: number
}

export const notKnown: MissingNumbers = {
  least: Number.NEGATIVE_INFINITY,
  most: Number.POSITIVE_INFINITY,
  unnumbered: 0
}

export const permits = ({ least, most }: MissingNumbers, count: number): boolean => count >= least && count <= most

/**
 * True if exactly so many numbers are missing. Numbers at the borders of the day are left out where
 * its neighbors do not show whose they are.
 */
export const areExactly = ({ least, most, unnumbered }: MissingNumbers, count: number): boolean =>
  count === least && (least === most || unnumbered === 0)

export interface NumberedReceipt {
  readonly receiptNumber: number
  readonly day: number
  readonly account: string
  readonly number: string
  readonly sentAt: DateTime.DateTime | null
}

export interface MissingRange {
  readonly from: number
  readonly to: number
  /** Null if the numbers begin again with the day. */
  readonly before: NumberedReceipt | null
  readonly after: NumberedReceipt
  readonly awaited: number
  readonly unbroken: number
}

export type ReceiptNumbers = ReturnType<typeof make>

interface NumberRun {
  from: NumberedReceipt
  to: NumberedReceipt
}

interface Runs {
  readonly starts: Map<number, NumberRun>
  readonly ends: Map<number, NumberRun>
}

/**
 * Collects the numbers of proofs, and the times of requests and receipts that may have a missing
 * number. Keeps only the ends of consecutive numbers: half a million proofs took 119 MB.
 */
export const make = () => {
  const byDay = new Map<number, Runs>()
  const open: Array<DateTime.DateTime> = []
  let sorted: ReturnType<typeof inOrder> | null = null

  const runsOf = ({ starts }: Runs): ReadonlyArray<NumberRun> => {
    const runs: Array<NumberRun> = []
    for (const run of [...starts.values()].toSorted((a, b) => a.from.receiptNumber - b.from.receiptNumber)) {
      const last = runs.at(-1)
      // a number that two proofs have may be inside of an earlier run
      if (last === undefined || run.from.receiptNumber > last.to.receiptNumber + 1) runs.push({ ...run })
      else if (run.to.receiptNumber > last.to.receiptNumber) last.to = run.to
    }
    return runs
  }

  const inOrder = () =>
    Array.from(byDay, ([day, found]) => {
      const runs = runsOf(found)
      const count = runs.reduce((sum, { from, to }) => sum + to.receiptNumber - from.receiptNumber + 1, 0)
      return { day, runs, count, first: runs[0]!.from.receiptNumber, last: runs.at(-1)!.to.receiptNumber }
    }).toSorted((a, b) => a.day - b.day)

  const days = () => (sorted ??= inOrder())

  /** True if the numbers begin again with each day, as the proofs show. */
  const restart = (all: ReturnType<typeof days>): boolean =>
    all.some(({ first }, n) => n > 0 && first <= all[n - 1]!.last)

  /**
   * Returns the missing numbers of a day. `unnumbered`: receipts of the store in the day without a
   * number. Numbers at the borders may be of the day or of a neighbor, so both bounds are returned.
   */
  const missingIn = (day: number, unnumbered: number): MissingNumbers => {
    const all = days()
    const own = all.find((one) => one.day === day)
    const before = all.findLast((one) => one.day < day)
    const after = all.find((one) => one.day > day)
    const count = own?.count ?? 0
    const inside = own === undefined ? 0 : own.last - own.first + 1 - count
    if (restart(all)) {
      const least = inside + (own === undefined ? 0 : own.first - 1)
      return { least: least - unnumbered, most: Number.POSITIVE_INFINITY, unnumbered }
    }
    const isBounded = before !== undefined && after !== undefined
    const span = isBounded ? after.first - before.last - 1 - count : Number.POSITIVE_INFINITY
    return { least: inside - unnumbered, most: span - unnumbered, unnumbered }
  }

  const awaitedBetween = (before: NumberedReceipt | null, after: NumberedReceipt): number =>
    open.filter(
      ({ epochMilliseconds: at }) =>
        (before?.sentAt == null || at >= before.sentAt.epochMilliseconds) &&
        (after.sentAt === null || at <= after.sentAt.epochMilliseconds)
    ).length

  const rangesIn = (first: number, last: number): ReadonlyArray<MissingRange> => {
    const all = days()
    const doesRestart = restart(all)
    const runs = all.flatMap(({ runs }) => runs)
    let proofs = 0
    return runs.flatMap(({ from: after, to: end }, n): ReadonlyArray<MissingRange> => {
      const previous = runs[n - 1]?.to
      const before = previous === undefined || (doesRestart && previous.day < after.day) ? null : previous
      const [from, to] = [(before?.receiptNumber ?? 0) + 1, after.receiptNumber - 1]
      const isMissing = from <= to && (before !== null || doesRestart)
      const unbroken = proofs
      proofs = (isMissing ? 0 : proofs) + end.receiptNumber - to
      if (!isMissing || after.day < first || (before?.day ?? after.day) > last) return []
      const awaited = Math.min(to - from + 1, awaitedBetween(before, after))
      return [{ from, to, before, after, awaited, unbroken }]
    })
  }

  return {
    add: (proof: NumberedReceipt): void => {
      sorted = null
      const { receiptNumber: number } = proof
      const runs = byDay.get(proof.day) ?? { starts: new Map(), ends: new Map() }
      byDay.set(proof.day, runs)
      const { ends, starts } = runs
      if (starts.has(number) || ends.has(number)) return
      const run = { from: ends.get(number - 1)?.from ?? proof, to: starts.get(number + 1)?.to ?? proof }
      ends.delete(number - 1)
      starts.delete(number + 1)
      starts.set(run.from.receiptNumber, run)
      ends.set(run.to.receiptNumber, run)
    },
    addOpen: (at: DateTime.DateTime): void => void open.push(at),
    missingIn,
    rangesIn
  }
}

/** Days of skipped numbers that show a device to skip them: one day may be a fault. */
const skippingDays = 3

/**
 * Returns the ranges that may be receipts which the store does not know. A missing number of days
 * that were compared is not a further receipt. `differs`: the difference of the day has the range.
 */
export const unexplained = (
  ranges: ReadonlyArray<MissingRange>,
  standingOf: (day: number) => "agrees" | "differs" | "not-compared"
): ReadonlyArray<MissingRange> => {
  const skipped = ranges.flatMap(({ after: { day }, before }) =>
    (before?.day ?? day) === day && standingOf(day) === "agrees" ? [day] : []
  )
  if (new Set(skipped).size >= skippingDays) return []
  return ranges.filter(({ after: { day }, before }) => {
    const first = before?.day ?? day
    // a day between both may have the receipts
    return day - first > 1 || standingOf(first) === "not-compared" || standingOf(day) === "not-compared"
  })
}

const figure = (count: number): string => count.toLocaleString("en-US").replaceAll(",", " ")

const neighbor = ({ number, receiptNumber, sentAt }: NumberedReceipt): string =>
  `${number} (${figure(receiptNumber)}${sentAt === null ? "" : `, ${DateTime.formatIso(sentAt).slice(0, 16)} UTC`})`

const wordsOf = ({ after, awaited, before, from, to }: MissingRange): string => {
  const what =
    from === to ? `Receipt number ${figure(from)} is` : `Receipt numbers ${figure(from)} to ${figure(to)} are`
  const where = before === null ? `before ${neighbor(after)}` : `between ${neighbor(before)} and ${neighbor(after)}`
  return `${what} missing ${where}.${awaited === 0 ? "" : ` Awaited: ${awaited} of them, by requests or receipts without a number.`}`
}

/** Ranges that a text names at most. */
const mostNamed = 20

export const listed = (ranges: ReadonlyArray<MissingRange>): string =>
  [
    ...ranges.slice(0, mostNamed).map(wordsOf),
    ...(ranges.length > mostNamed ? [`${ranges.length - mostNamed} further ranges are missing.`] : [])
  ].join(" ")
