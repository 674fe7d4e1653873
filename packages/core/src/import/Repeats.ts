/** By hash while reading, then by comparing full statements. */
import { Effect, Result, Stream } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { hash as digest } from "node:crypto"
import type { AdapterError } from "../source/Adapter.ts"
import { wording } from "../source/Fingerprint.ts"
import * as Readings from "../source/Readings.ts"
import { perPage } from "./StagingArea.ts"

/** Surrogates. UTF-8 replaces each unpaired surrogate by U+FFFD. */
const first = 0xd800
const last = 0xdfff
const replaced = 0xfffd

/**
 * Returns 53 bits of hash, never 0. Texts that are equal in the staging database have equal hashes.
 */
const hash = (text: string): number => {
  let a = 0x811c9dc5
  let b = 0x9e3779b9
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    const code = unit >= first && unit <= last ? replaced : unit
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b ^ code, 0x85ebca6b) ^ (b >>> 13)
  }
  a ^= a >>> 16
  return (a >>> 0) * 0x200000 + ((b ^ (b >>> 15)) >>> 11) + 1
}

/**
 * Up to 16 bytes each: 16 MB for the keys of a million documents. `again` may be wrong for two
 * texts with the same hash, with a probability of 1 in 9 × 10^15, but never misses a repeat. Most
 * exports state each document once, so the staging area need not be searched.
 */
export class Repeats {
  again = false
  #hashes = new Float64Array(1024)
  #size = 0

  add(text: string): void {
    if (this.again) return
    const code = hash(text)
    const slot = this.#slot(code)
    if (this.#hashes[slot] === code) {
      this.again = true
      this.#hashes = new Float64Array(0)
      return
    }
    this.#hashes[slot] = code
    if (++this.#size * 2 > this.#hashes.length) this.#grow()
  }

  #slot(code: number): number {
    const mask = this.#hashes.length - 1
    let slot = (code >>> 0) & mask
    while (this.#hashes[slot] !== 0 && this.#hashes[slot] !== code) slot = (slot + 1) & mask
    return slot
  }

  #grow(): void {
    const old = this.#hashes
    this.#hashes = new Float64Array(old.length * 2)
    for (const code of old) if (code !== 0) this.#hashes[this.#slot(code)] = code
  }
}

export const fillWordings = Effect.fnUntraced(function* (
  sql: SqlClient,
  readings: Stream.Stream<Readings.Numbered, AdapterError>
) {
  // a document missing in the second reading keeps a unique value and matches nothing
  const repeated = yield* sql<{ readonly seq: number }>`update document set wording = 'document ' || seq
    where key in (select key from document group by key having count(*) > 1) returning seq`
  const wanted = new Set(repeated.map(({ seq }) => seq))
  if (wanted.size === 0) return
  yield* Stream.runForEachArray(
    readings,
    Effect.fnUntraced(function* (some) {
      const found: Array<readonly [number, string, string, string, string]> = []
      for (const { reading, seq } of some) {
        if (reading._tag !== "SourceDocument" || !wanted.has(seq)) continue
        const digested = Readings.made(reading, (source) => digest("sha256", wording(source), "base64"))
        if (Result.isFailure(digested)) return yield* digested.failure
        found.push([seq, reading.kind, reading.id, reading.number, digested.success])
      }
      for (let from = 0; from < found.length; from += perPage) yield* write(sql, found.slice(from, from + perPage))
    })
  )
})

const write = (sql: SqlClient, found: ReadonlyArray<ReadonlyArray<number | string>>) =>
  sql.unsafe(
    `update document set wording = new.column5 from (values ${found.map(() => "(?, ?, ?, ?, ?)").join(", ")}) as new
      where seq = new.column1 and kind = new.column2 and id = new.column3 and number = new.column4`,
    found.flat()
  )
