/**
 * Finds the next second without a receipt, in near-constant time even if many documents share one
 * second.
 */

export interface FreeSeconds {
  from(second: number): number
  take(second: number): void
}

/** Tracks seconds since the epoch, all free except `taken`. */
export const make = (taken: Iterable<number>): FreeSeconds => {
  // each taken second points to a later second; a lookup shortens the path that was followed
  const onward = new Map<number, number>()
  for (const second of taken) onward.set(second, second + 1)
  return {
    from: (second) => {
      let free = second
      for (let next = onward.get(free); next !== undefined; next = onward.get(free)) free = next
      for (let passed = second; passed !== free;) {
        const next = onward.get(passed)!
        onward.set(passed, free)
        passed = next
      }
      return free
    },
    take: (second) => {
      onward.set(second, second + 1)
    }
  }
}
