/** Receipt dates of documents moved to another device than they were dated for. Pure. */
import type { FreeSeconds } from "./FreeSeconds.ts"

/** A moved document; times are in seconds since the epoch. */
export interface Moved {
  readonly second: number
  /** Origin of the time; a stated time never changes. */
  readonly dated: "stated" | "assigned"
  /** The document's mark on the new device. */
  readonly mark: number
  /** Last second of the receipt's day. */
  readonly endOfDay: number
}

/**
 * Returns the seconds of the documents on the new device, in the order given. Each document keeps
 * its own second if possible.
 *
 * An assigned time at or before the mark, or already taken, moves to the next free second of its
 * day; later assigned times stay after it. A document without a free second keeps its own time and
 * is late on the new device.
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
