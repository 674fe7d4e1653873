/** Hash table from keys to whole numbers, twelve bytes per slot: 24 MB for a million documents. */

/**
 * Last key with its hash. Tables of one reading share the value, because a key is looked up several
 * times in a row.
 */
export class LastHash {
  private key = ""
  private code = 0

  of(key: string): number {
    if (key !== this.key || this.code === 0) {
      this.key = key
      this.code = hash(key)
    }
    return this.code
  }
}

/** Returns a 53-bit hash, never 0; two texts collide once in nine thousand million million. */
const hash = (key: string): number => {
  let a = 0x811c9dc5
  let b = 0x9e3779b9
  for (let i = 0; i < key.length; i++) {
    const code = key.charCodeAt(i)
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b ^ code, 0x85ebca6b) ^ (b >>> 13)
  }
  a ^= a >>> 16
  return (a >>> 0) * 0x200000 + ((b ^ (b >>> 15)) >>> 11) + 1
}

/**
 * An unset key has 0, and two keys with equal hashes share a value. A caller that needs certainty
 * compares the keys.
 */
export class KeyTable {
  private readonly last: LastHash
  private hashes = new Float64Array(1024)
  private values = new Int32Array(1024)
  private size = 0

  constructor(last = new LastHash()) {
    this.last = last
  }

  get(key: string): number {
    return this.values[this.slot(this.last.of(key))]!
  }

  set(key: string, value: number): void {
    const code = this.last.of(key)
    let slot = this.slot(code)
    if (this.hashes[slot] === 0) {
      if (++this.size * 2 > this.hashes.length) {
        this.grow()
        slot = this.slot(code)
      }
      this.hashes[slot] = code
    }
    this.values[slot] = value
  }

  private slot(code: number): number {
    const mask = this.hashes.length - 1
    let slot = (code >>> 0) & mask
    while (this.hashes[slot] !== 0 && this.hashes[slot] !== code) slot = (slot + 1) & mask
    return slot
  }

  private grow(): void {
    const { hashes, values } = this
    this.hashes = new Float64Array(hashes.length * 2)
    this.values = new Int32Array(hashes.length * 2)
    for (const [i, code] of hashes.entries()) {
      if (code === 0) continue
      const slot = this.slot(code)
      this.hashes[slot] = code
      this.values[slot] = values[i]!
    }
  }
}
