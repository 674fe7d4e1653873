/** How fast documents get their outcomes: measured while a page of the import is open. */

interface Sample {
  readonly at: number
  readonly known: number
}

/** The last two minutes count: a pause or a slow hour before them says nothing about now. */
const lookBack = 120_000
/** Shorter measurements jump. */
const shortest = 5_000

export interface Pace {
  readonly perMinute: number
  readonly minutesLeft: number
}

export const make = () => {
  const samples = new Map<number, ReadonlyArray<Sample>>()
  return {
    /** The pace of an import of which so many have their outcome now; null as long as it cannot be told. */
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
