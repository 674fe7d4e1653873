/** Seeded damage to exports. */

/** Returns a generator of numbers from 0 up to 1, the same for the same seed (mulberry32). */
export const randomOf = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
}

const scraps = [
  ...'{}[],:"\\\n\r\t0-e.',
  "null",
  "true",
  "[]",
  "{}",
  '""',
  "1e999",
  "1e-999",
  "-0",
  "9".repeat(400),
  '"\\ud800"',
  '"__proto__":',
  '"/Date(8640000000000001)/"',
  '"2018-10-20T99:99:99+99:99"',
  "\u{feff}",
  "\0",
  "[".repeat(300),
  '{"Invoices":['
].map((scrap) => new TextEncoder().encode(scrap))

/**
 * Returns a copy with one to four changes: bytes flipped, cut out, doubled, or scraps inserted;
 * sometimes truncated.
 */
export const mutate = (bytes: Uint8Array, random: () => number): Uint8Array => {
  let result = bytes
  const below = (limit: number) => Math.floor(random() * limit)
  const splice = (at: number, removed: number, added: Uint8Array) => {
    const next = new Uint8Array(result.length - removed + added.length)
    next.set(result.subarray(0, at))
    next.set(added, at)
    next.set(result.subarray(at + removed), at + added.length)
    result = next
  }
  for (let changes = 1 + below(4); changes > 0; changes--) {
    const at = below(result.length)
    const length = Math.min(below(40), result.length - at)
    const way = below(6)
    if (way === 0) splice(at, Math.min(1, result.length - at), Uint8Array.of(below(256)))
    else if (way === 1) splice(at, length, new Uint8Array(0))
    else if (way === 2) splice(at, 0, result.slice(at, at + length))
    else if (way === 3 && below(4) === 0) splice(at, result.length - at, new Uint8Array(0))
    else splice(at, way === 4 ? length : 0, scraps[below(scraps.length)] ?? new Uint8Array(0))
  }
  return result
}
