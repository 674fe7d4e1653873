/** Which keys have occurred, in eight bytes each: the keys of a million documents are remembered in 16 MB. */

/** 53 bits of a text; two texts share them once in nine thousand million million. */
export const hash = (key: string): number => {
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

/** A hash table from keys to whole numbers; a key that was never set has 0. */
export class KeyTable {
  private keys = new Float64Array(1024)
  private values = new Float64Array(1024)
  private size = 0

  get(key: string): number {
    return this.values[this.slot(hash(key))]!
  }

  set(key: string, value: number): void {
    const code = hash(key)
    let slot = this.slot(code)
    if (this.keys[slot] === 0) {
      if (++this.size * 2 > this.keys.length) {
        this.grow()
        slot = this.slot(code)
      }
      this.keys[slot] = code
    }
    this.values[slot] = value
  }

  private slot(code: number): number {
    const mask = this.keys.length - 1
    let slot = (code >>> 0) & mask
    while (this.keys[slot] !== 0 && this.keys[slot] !== code) slot = (slot + 1) & mask
    return slot
  }

  private grow(): void {
    const { keys, values } = this
    this.keys = new Float64Array(keys.length * 2)
    this.values = new Float64Array(keys.length * 2)
    for (const [i, code] of keys.entries()) {
      if (code === 0) continue
      const slot = this.slot(code)
      this.keys[slot] = code
      this.values[slot] = values[i]!
    }
  }
}
