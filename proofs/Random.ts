/** Small seeded generator (mulberry32): the same seed makes the same export every time. */

export interface Random {
  /** Returns a number from 0, below 1. */
  next(): number
  /** Returns a whole number; both ends are included. */
  between(from: number, to: number): number
  pick<A>(choices: ReadonlyArray<A>): A
  chance(probability: number): boolean
  shuffled<A>(items: ReadonlyArray<A>): ReadonlyArray<A>
  times<A>(from: number, to: number, make: (i: number) => A): Array<A>
}

export const make = (seed: number): Random => {
  let state = (seed * 0x9e3779b1) >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return {
    next,
    between,
    pick: (choices) => choices[between(0, choices.length - 1)]!,
    chance: (probability) => next() < probability,
    shuffled: (items) =>
      items
        .map((item) => ({ item, place: next() }))
        .toSorted((a, b) => a.place - b.place)
        .map(({ item }) => item),
    times: (from, to, make) => Array.from({ length: between(from, to) }, (_, i) => make(i))
  }
}
