/**
 * Waiting documents that were dated for another mark: they moved to another device, or another
 * document was sent first. Pure.
 */
import * as CivilDate from "../document/CivilDate.ts"
import * as Instant from "../document/Instant.ts"
import { lastSecond } from "./ReceiptDates.ts"
import * as FreeSeconds from "./FreeSeconds.ts"

/** A moved document; times are in seconds since the epoch. */
export interface Moved {
  readonly second: number
  /** Origin of the time; a stated time never changes. */
  readonly dated: "stated" | "assigned"
  readonly mark: number
  readonly endOfDay: number
}

/**
 * In the order given. Each document keeps its own second if possible. An assigned time at or before
 * the mark, or already taken, moves to the next free second of its day; later assigned times stay
 * after it. A document without a free second keeps its own time and is late on the new device.
 */
export const reassign = (documents: ReadonlyArray<Moved>, free: FreeSeconds.FreeSeconds): ReadonlyArray<number> => {
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

export interface Waiting extends Pick<Moved, "dated" | "mark"> {
  readonly date: Instant.Instant
}

export const endOfDay = (date: Instant.Instant): number => lastSecond(CivilDate.of(date), date.zone)

/**
 * Returns the dates of the documents in the order given, which is the order of sending. A document
 * that keeps its date keeps the same value. `taken`: occupied seconds of other documents.
 */
export const redate = (documents: ReadonlyArray<Waiting>, taken: Iterable<number>): ReadonlyArray<Instant.Instant> => {
  const seconds = reassign(
    documents.map(({ date, ...document }) => ({
      ...document,
      second: Instant.seconds(date),
      endOfDay: endOfDay(date)
    })),
    FreeSeconds.make(taken)
  )
  return documents.map(({ date }, at) =>
    seconds[at] === Instant.seconds(date) ? date : Instant.fromSeconds(seconds[at]!, date.zone)
  )
}
