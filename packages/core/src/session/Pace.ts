/** Rate of outcomes in the last seconds, and the time left at that rate: the same in every host. */

/** Measuring window in milliseconds: earlier pauses and slow hours do not affect the rate. */
const window = 20_000
/** Shortest measuring time in milliseconds: shorter measurements fluctuate. */
const shortest = 3_000

export interface Pace {
  readonly perSecond: number
  readonly secondsLeft: number
}

/**
 * Returns a function that takes the number of known outcomes at a time in milliseconds, and returns
 * the pace. Null if too little was measured.
 */
export const make = (): ((at: number, known: number, total: number) => Pace | null) => {
  let samples: ReadonlyArray<{ readonly at: number; readonly known: number }> = []
  return (at, known, total) => {
    const before = samples.filter((one) => at - one.at <= window && one.known <= known)
    samples = [...before, { at, known }]
    const [first] = before
    if (first === undefined || at - first.at < shortest || known === first.known) return null
    const perSecond = ((known - first.known) * 1000) / (at - first.at)
    return { perSecond, secondsLeft: (total - known) / perSecond }
  }
}
