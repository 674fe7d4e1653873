/** The seconds no receipt has yet. The next one is found in near-constant time, however many documents crowd into one second. */

export interface FreeSeconds {
  /** The first free second at or after `second`. */
  from(second: number): number
  take(second: number): void
}

/** Seconds since the epoch, all free but those `taken`. */
export const make = (taken: Iterable<number>): FreeSeconds => {
  // every taken second points onward; the way that was gone is shortened behind us
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
