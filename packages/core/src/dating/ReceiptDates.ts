/** Receipt dates of a batch, strictly increasing per device (RCPT030). Pure. */
import { type DateTime, Option } from "effect"
import * as CivilDate from "../document/CivilDate.ts"
import * as Instant from "../document/Instant.ts"
import type { FindingCode } from "../finding/FindingCode.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import { civilDateOf } from "../translate/translate.ts"
import { DateFinding } from "./DateFinding.ts"
import * as FreeSeconds from "./FreeSeconds.ts"
import * as Mark from "../submission/ledger/Mark.ts"
import { RCPT031 } from "../finding/ReceiptRule.ts"
import * as StatedDate from "./StatedDate.ts"

/** Returns the first second of a day since the epoch, on the wall clock of the zone. */
export const firstSecond = (day: CivilDate.CivilDate, zone: DateTime.TimeZone): number =>
  Instant.seconds(CivilDate.at(day, 0, zone))

/** A day with a change of the clock is not 86 400 seconds long, so the next day's start is read. */
export const lastSecond = (day: CivilDate.CivilDate, zone: DateTime.TimeZone): number =>
  Instant.seconds(CivilDate.at(day, 86_400, zone)) - 1

export interface Datable {
  readonly key: string
  readonly number: string
  readonly date: StatedDate.StatedDate
  /**
   * Origin of an instant's time: the source, or an earlier plan that assigned the time. The lane
   * moves an assigned time to a later second of the same day if another document was sent
   * meanwhile. Default `stated`.
   */
  readonly dated?: "stated" | "assigned"
  readonly original: string | null
  readonly originalDate?: StatedDate.StatedDate
  /**
   * The document's own mark, if different from the lane's: the lane's latest attempt belongs to
   * this document.
   */
  readonly mark?: Option.Option<Mark.Mark>
}

/**
 * Result for one document. `Late`: at or before the mark; `restamp` and `--historical` decide about
 * late documents elsewhere.
 */
export type Dating =
  | { readonly _tag: "Dated"; readonly key: string; readonly receiptDate: Instant.Instant | "at-submission" }
  | { readonly _tag: "Late"; readonly key: string; readonly mark: Mark.Mark }
  | {
      readonly _tag: "Undatable"
      readonly key: string
      readonly code: FindingCode
      readonly detail: string | undefined
    }

export interface DatingContext {
  readonly book: Pick<MappingBook, "zone" | "times" | "opens">
  readonly mark: Option.Option<Mark.Mark>
  /** Seconds since the epoch taken by documents planned earlier. */
  readonly reserved?: ReadonlySet<number>
  readonly now: DateTime.DateTime
}

interface When {
  readonly day: CivilDate.CivilDate
  readonly stated: number | undefined
}

const whenOf = (date: StatedDate.StatedDate, zone: DateTime.TimeZone): When => ({
  day: civilDateOf(date, zone),
  stated: StatedDate.isDay(date) ? undefined : Instant.seconds(date)
})

interface DatedDocument<D> extends When {
  readonly document: D
}

const natural = new Intl.Collator("en", { numeric: true })

/**
 * Sorts by civil date in the book's zone, then stated time, then number in natural order; a credit
 * note follows its original. Keys must be unique.
 */
export const inOrder = <D extends Datable>(documents: Iterable<D>, zone: DateTime.TimeZone): ReadonlyArray<D> =>
  placedInOrder(documents, zone).map(({ document }) => document)

const placedInOrder = <D extends Datable>(
  documents: Iterable<D>,
  zone: DateTime.TimeZone
): ReadonlyArray<DatedDocument<D>> => {
  const placed = Array.from(documents, (document): DatedDocument<D> => ({
    document,
    ...whenOf(document.date, zone)
  })).toSorted(
    (a, b) =>
      (a.day < b.day ? -1 : a.day > b.day ? 1 : 0) ||
      (a.stated ?? 0) - (b.stated ?? 0) ||
      natural.compare(a.document.number, b.document.number) ||
      (a.document.key < b.document.key ? -1 : 1)
  )
  const keys = new Set(placed.map(({ document }) => document.key))
  const waiting = new Map<string, Array<DatedDocument<D>>>()
  const done = new Set<string>()
  const ordered: Array<DatedDocument<D>> = []
  const emit = (one: DatedDocument<D>) => {
    const { key } = one.document
    if (done.has(key)) return
    done.add(key)
    ordered.push(one)
    for (const next of waiting.get(key) ?? []) emit(next)
  }
  for (const one of placed) {
    const { original } = one.document
    if (original === null || !keys.has(original) || done.has(original)) {
      emit(one)
      continue
    }
    const notes = waiting.get(original)
    if (notes === undefined) waiting.set(original, [one])
    else notes.push(one)
  }
  // notes that name each other wait for each other: append them now
  for (const one of placed) emit(one)
  return ordered
}

/**
 * Dates the documents in order. Returns every document once; dated documents must be sent in the
 * order of their receipt dates.
 *
 * Receipt dates of one day do not depend on another day, so a batch may be passed day by day.
 */
export const assign = (documents: Iterable<Datable>, context: DatingContext): ReadonlyArray<Dating> => {
  const ordered = placedInOrder(documents, context.book.zone)
  const places = new Map(ordered.map((placed) => [placed.document.key, placed]))
  const [datable, before]: [Array<DatedDocument<Datable>>, Array<Dating>] = [[], []]
  for (const placed of ordered) {
    const detail = precedes(placed, originalOf(placed.document, places, context.book.zone))
    if (detail === undefined) datable.push(placed)
    else before.push(undatable(placed, DateFinding.CREDIT_BEFORE_ORIGINAL, detail))
  }
  switch (context.book.times) {
    case "spread":
      return [...before, ...spread(datable, context)]
    case "stated":
      return [...before, ...stated(datable, context)]
    case "at-submission":
      return [...before, ...datable.map((placed) => atSubmission(placed, context))]
  }
}

type DatedOriginal = When & { readonly document: Pick<Datable, "date"> }

const originalOf = (
  { original, originalDate }: Datable,
  places: ReadonlyMap<string, DatedDocument<Datable>>,
  zone: DateTime.TimeZone
): DatedOriginal | undefined =>
  (original === null ? undefined : places.get(original)) ??
  (originalDate === undefined ? undefined : { document: { date: originalDate }, ...whenOf(originalDate, zone) })

/**
 * Undefined if the note is not dated before its original. Ignores times that the source does not
 * state.
 */
const precedes = (note: DatedDocument<Datable>, original: DatedOriginal | undefined): string | undefined => {
  if (original === undefined) return undefined
  if (note.day < original.day) return `dated ${note.day}, its original ${original.day}`
  return (note.stated ?? 0) < (original.stated ?? 0) && note.stated !== undefined
    ? `stated ${written(note)}, its original ${written(original)}`
    : undefined
}

const written = ({ document: { date } }: DatedOriginal): string => StatedDate.format(date)

const undatable = ({ document: { key } }: DatedDocument<Datable>, code: FindingCode, detail: string): Dating => ({
  _tag: "Undatable",
  key,
  code,
  detail
})

const atSubmission = (placed: DatedDocument<Datable>, { book, now }: DatingContext): Dating => {
  const today = CivilDate.inZone(now, book.zone)
  return placed.day === today
    ? { _tag: "Dated", key: placed.document.key, receiptDate: "at-submission" }
    : undatable(placed, DateFinding.DATE_NOT_TODAY, `dated ${placed.day}, today is ${today}`)
}

/** In seconds since the epoch. */
const register = ({ book, mark, reserved }: DatingContext) => {
  const dated = new Map<string, number>()
  const free = FreeSeconds.make(reserved ?? [])
  return {
    mark: Mark.second(mark),
    markOf: ({ document }: DatedDocument<Datable>) => Mark.second(document.mark ?? mark),
    free,
    originalOf: ({ document: { original } }: DatedDocument<Datable>) =>
      (original === null ? undefined : dated.get(original)) ?? Number.NEGATIVE_INFINITY,
    late: ({ document }: DatedDocument<Datable>): Dating => ({
      _tag: "Late",
      key: document.key,
      mark: Option.getOrThrow(document.mark ?? mark)
    }),
    take: ({ document: { key } }: DatedDocument<Datable>, second: number): Dating => {
      dated.set(key, second)
      free.take(second)
      return { _tag: "Dated", key, receiptDate: Instant.fromSeconds(second, book.zone) }
    }
  }
}

const stated = (documents: ReadonlyArray<DatedDocument<Datable>>, context: DatingContext): ReadonlyArray<Dating> => {
  const seen = register(context)
  const now = Instant.seconds(context.now)
  let last = Number.NEGATIVE_INFINITY
  return documents.map((placed) => {
    const { day, stated } = placed
    if (stated === undefined) return undatable(placed, DateFinding.DATE_HAS_NO_TIME, day)
    if (stated <= seen.markOf(placed)) return seen.late(placed)
    const second = seen.free.from(Math.max(stated, last + 1))
    if (second > now) return undatable(placed, RCPT031, `stated ${written(placed)}`)
    if (second !== stated && second > lastSecond(day, context.book.zone)) {
      return undatable(placed, DateFinding.DATE_HAS_NO_ROOM, `nothing left of ${day}`)
    }
    last = second
    return seen.take(placed, second)
  })
}

const spread = (documents: ReadonlyArray<DatedDocument<Datable>>, context: DatingContext): ReadonlyArray<Dating> => {
  const { book, now: at, reserved } = context
  const seen = register(context)
  const now = Instant.seconds(at)
  const today = CivilDate.inZone(at, book.zone)
  // an instant keeps its own time; documents without a time fill the gaps
  const gaps = FreeSeconds.make([...(reserved ?? []), ...documents.flatMap(({ stated }) => stated ?? [])])
  let last = seen.mark
  const ofOneDay = (day: CivilDate.CivilDate, ofDay: ReadonlyArray<DatedDocument<Datable>>): ReadonlyArray<Dating> => {
    if (day > today) return ofDay.map((placed) => undatable(placed, RCPT031, `dated ${day}, today is ${today}`))
    const second = (ofMidnight: number) => Instant.seconds(CivilDate.at(day, ofMidnight, book.zone))
    const endOfDay = lastSecond(day, book.zone)
    const limit = Math.min(endOfDay, now)
    const fromOpening = Math.max(second(book.opens), last) + 1
    let lastOfDay = fromOpening - 1
    for (const { stated } of ofDay) if (stated === undefined) lastOfDay = gaps.from(lastOfDay + 1)
    const startAfter = (mark: number) => {
      const opening = Math.max(second(book.opens), mark) + 1
      return gaps.from(opening) > limit ? Math.max(second(0), mark) + 1 : opening
    }
    // if the day does not fit before the limit, start the whole day at midnight (or after the last
    // receipt) instead of dating documents in the future or not at all
    let cursor = lastOfDay > limit ? Math.max(second(0), last) + 1 : fromOpening
    return ofDay.map((placed): Dating => {
      const { stated } = placed
      const original = seen.originalOf(placed)
      const mark = seen.markOf(placed)
      const isForLane = placed.document.dated === "assigned" && stated !== undefined && mark < endOfDay
      if (isForLane && stated <= mark) return seen.take(placed, stated)
      if ((stated ?? endOfDay) <= mark) return seen.late(placed)
      if (stated !== undefined && stated > now) return undatable(placed, RCPT031, `stated ${written(placed)}`)
      // a document with an earlier own mark may be dated before the lane's mark, so it is excluded
      // from the sequence of the other documents
      const isApart = mark < seen.mark && second(0) <= seen.mark
      const from = isApart ? startAfter(mark) : cursor
      const candidate =
        stated === undefined ? gaps.from(Math.max(from, original + 1)) : seen.free.from(Math.max(stated, original + 1))
      if (stated === undefined && !isApart) cursor = candidate + 1
      if (candidate > limit) {
        const until = limit < endOfDay ? " until now" : ""
        return undatable(placed, DateFinding.DATE_HAS_NO_ROOM, `nothing left of ${day}${until}`)
      }
      gaps.take(candidate)
      last = Math.max(last, candidate)
      return seen.take(placed, candidate)
    })
  }
  return Array.from(Map.groupBy(documents, ({ day }) => day)).flatMap(([day, ofDay]) => ofOneDay(day, ofDay))
}
