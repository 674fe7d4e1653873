/** A small seeded generator: the same seed makes the same export for ever. */

export interface Random {
  /** Both included. */
  between(from: number, to: number): number
  pick<A>(choices: ReadonlyArray<A>): A
  chance(probability: number): boolean
  shuffled<A>(items: ReadonlyArray<A>): ReadonlyArray<A>
}

/** mulberry32 */
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
    between,
    pick: (choices) => choices[between(0, choices.length - 1)]!,
    chance: (probability) => next() < probability,
    shuffled: (items) =>
      items
        .map((item) => ({ item, place: next() }))
        .toSorted((a, b) => a.place - b.place)
        .map(({ item }) => item)
  }
}
