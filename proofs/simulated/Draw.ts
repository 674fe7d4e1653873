/**
 * Seeded random numbers: one stream for each concern, so that a change in one does not change the
 * others.
 */

export interface Draw {
  /** Returns a number from 0 up to, but not including, 1. */
  (): number
  /** Returns a whole number from 0 up to, but not including, `n`. */
  readonly int: (n: number) => number
  /** Returns a whole number from `from` up to, but not including, `to`. */
  readonly between: (from: number, to: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <const A>(of: readonly [A, ...ReadonlyArray<A>]) => A
  readonly bytes: (n: number) => string
}

const saltOf = (concern: string): number => {
  let salt = 0x811c9dc5
  for (let i = 0; i < concern.length; i++) salt = Math.imul(salt ^ concern.charCodeAt(i), 0x01000193)
  return salt
}

/** Returns the stream of a seed for one concern (mulberry32). */
export const stream = (seed: number, concern: string): Draw => {
  let state = (Math.imul(seed, 0x9e3779b1) + saltOf(concern)) | 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 4_294_967_296
  }
  const int = (n: number) => Math.floor(next() * n)
  return Object.assign(next, {
    int,
    between: (from: number, to: number) => from + int(to - from),
    chance: (probability: number) => next() < probability,
    pick: <const A>(of: readonly [A, ...ReadonlyArray<A>]): A => of[int(of.length)] ?? of[0],
    bytes: (n: number) => Array.from({ length: n }, () => int(256).toString(16).padStart(2, "0")).join("")
  })
}

/** Returns a function that makes random UUIDs (version 4) from a stream. */
export const uuid = (draw: Draw) => (): string => {
  const hex = draw.bytes(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
}
