/** Receipt dates of documents that go to another device than they were dated for. Pure. */
import type { FreeSeconds } from "./FreeSeconds.ts"

/** Seconds since the epoch. */
export interface Moved {
  readonly second: number
  /** Whose the time is: a stated one stays what it is. */
  readonly dated: "stated" | "assigned"
  /** Its mark on the new device. */
  readonly mark: number
  /** The last second of its receipt's day. */
  readonly endOfDay: number
}

/**
 * The seconds of the documents on the new device, for documents in their order: each keeps its own where it can. One that was given its time and
 * is not after the mark, or meets another, gets the next free second of its day, and those after it stay after it. What finds none keeps its own
 * and is late there.
 */
export const reassign = (documents: ReadonlyArray<Moved>, free: FreeSeconds): ReadonlyArray<number> => {
  for (const { dated, second } of documents) if (dated === "stated") free.take(second)
  let last = Number.NEGATIVE_INFINITY
  return documents.map(({ dated, endOfDay, mark, second }) => {
    if (dated === "stated") return second
    const found = free.from(Math.max(second, mark + 1, last + 1))
    if (found > endOfDay) return second
    free.take(found)
    last = found
    return found
  })
}
