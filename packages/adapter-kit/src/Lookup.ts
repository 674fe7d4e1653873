/** Lookup of joined records by key. Records of files are stored as text and parsed on demand. */
import type { Instant } from "@fiscal-connector/core/adapter"
import { DateTime, Result } from "effect"
import { Item, type ReadingLog } from "./item/Item.ts"
import type { Origin } from "./item/Origin.ts"
import { type Cell, isMembers, type CellMembers, RowValues } from "./item/Cell.ts"
import { parse } from "./json/JsonParser.ts"

/**
 * A row of a program keeps its values, because text would not distinguish a double from an exact
 * figure.
 */
type KeptRecord = { readonly origin: Origin; readonly list: string; readonly members: CellMembers | undefined }

export class Lookup {
  private readonly kept = new Map<string, Array<KeptRecord>>()
  private readonly reading: ReadingLog
  size = 0

  constructor(reading: ReadingLog) {
    this.reading = reading
  }

  /** Stores a record under a key. A key may have several records. */
  add(key: string, { list, members, origin }: Item): void {
    const kept: KeptRecord = { origin, list, members: members instanceof RowValues ? members : undefined }
    const known = this.kept.get(key)
    if (known === undefined) this.kept.set(key, [kept])
    else known.push(kept)
    this.size++
  }

  has(key: string): boolean {
    return this.kept.has(key)
  }

  /** Returns all records of a key, in the order of `add`. */
  all(key: string): ReadonlyArray<Item> {
    return (this.kept.get(key) ?? []).flatMap(({ list, members, origin }) => {
      const value = members ?? Result.getOrUndefined(parse(origin.json, origin.place([]).line ?? 1))
      return isMembers(value as Cell) ? [new Item(origin, [], list, value as CellMembers, this.reading)] : []
    })
  }

  /**
   * Returns the valid record of a key: of several statements the statement with the latest time,
   * which `modified` reads. Returns `differ` if the statements differ and no time identifies the
   * latest.
   */
  latest(key: string, modified: (item: Item) => Instant.Instant | undefined): Item | "differ" | undefined {
    const [first, ...others] = this.all(key)
    if (first === undefined || others.every(({ origin }) => origin.json === first.origin.json)) return first
    const timed = [first, ...others].map((item) => {
      const time = modified(item.quietly())
      return { item, at: time && DateTime.toEpochMillis(time) }
    })
    const last = Math.max(...timed.map(({ at }) => at ?? Number.NaN))
    const [latest, ...rest] = timed.filter(({ at }) => at === last)
    if (latest === undefined) return "differ"
    return rest.every(({ item }) => item.origin.json === latest.item.origin.json) ? latest.item : "differ"
  }

  /** Returns the only record of a key; undefined if the key has no record or several. */
  one(key: string): Item | undefined {
    const known = this.kept.get(key)
    return known?.length === 1 ? this.all(key)[0] : undefined
  }
}
