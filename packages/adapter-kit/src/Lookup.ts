/** Records that documents are joined with, found by a key of theirs: kept as their texts, parsed when they are asked for. */
import type { Instant } from "@fiscal-connector/core/document/Instant"
import { DateTime, Result } from "effect"
import { Item, type Reading } from "./item/Item.ts"
import type { Origin } from "./item/Origin.ts"
import { type Cell, isMembers, type Members, RowValues } from "./item/Cell.ts"
import { parse } from "./json/JsonParser.ts"

/** A record of a file as its place and text; a row of a program's own as it is, since text would not tell a double from a figure. */
type Kept = { readonly origin: Origin; readonly list: string; readonly members: Members | undefined }

export class Lookup {
  private readonly kept = new Map<string, Array<Kept>>()
  private readonly reading: Reading
  /** How many records it holds. */
  size = 0

  constructor(reading: Reading) {
    this.reading = reading
  }

  /** Keeps a record under a key; a key may have several. */
  add(key: string, { list, members, origin }: Item): void {
    const kept: Kept = { origin, list, members: members instanceof RowValues ? members : undefined }
    const known = this.kept.get(key)
    if (known === undefined) this.kept.set(key, [kept])
    else known.push(kept)
    this.size++
  }

  has(key: string): boolean {
    return this.kept.has(key)
  }

  /** All records of a key, in the order they were added. */
  all(key: string): ReadonlyArray<Item> {
    return (this.kept.get(key) ?? []).flatMap(({ list, members, origin }) => {
      const value = members ?? Result.getOrUndefined(parse(origin.json, origin.place([]).line ?? 1))
      return isMembers(value as Cell) ? [new Item(origin, [], list, value as Members, this.reading)] : []
    })
  }

  /**
   * The record of a key that counts: of several statements the one with the latest time, which `modified` reads. `differ` where they state
   * different things and no time tells which is the latest.
   */
  latest(key: string, modified: (item: Item) => Instant | undefined): Item | "differ" | undefined {
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

  /** The one record of a key; nothing where there is none, or more than one. */
  one(key: string): Item | undefined {
    const known = this.kept.get(key)
    return known?.length === 1 ? this.all(key)[0] : undefined
  }
}
