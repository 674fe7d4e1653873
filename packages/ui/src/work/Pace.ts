/** Measures how fast documents get their outcomes while a page of the import is open. */

interface Sample {
  readonly at: number
  readonly known: number
}

/** Measuring window of two minutes: earlier pauses and slow hours do not affect the pace. */
const lookBack = 120_000
/** Minimum measuring time: shorter measurements fluctuate. */
const shortest = 5_000

export interface Pace {
  readonly perMinute: number
  readonly minutesLeft: number
}

export const make = () => {
  const samples = new Map<number, ReadonlyArray<Sample>>()
  return {
    /**
     * Returns the pace of an import. `known`: number of documents with an outcome now. Null if too
     * little was measured.
     */
    of: (id: number, at: number, known: number, total: number): Pace | null => {
      const before = (samples.get(id) ?? []).filter((one) => at - one.at <= lookBack && one.known <= known)
      samples.set(id, [...before, { at, known }])
      const [first] = before
      if (first === undefined || at - first.at < shortest || known === first.known) return null
      const perMinute = ((known - first.known) * 60_000) / (at - first.at)
      return { perMinute, minutesLeft: (total - known) / perMinute }
    }
  }
}

export type Paces = ReturnType<typeof make>
