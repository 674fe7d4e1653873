/** Gives every document of a batch its receipt date, strictly increasing per device (RCPT030), by the policy the book names. Pure. */
import { DateTime, Option } from "effect"
import * as CivilDate from "../document/CivilDate.ts"
import * as Instant from "../document/Instant.ts"
import type { FindingCode } from "../finding/FindingCode.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import { DateFinding } from "./DateFinding.ts"
import type { Mark } from "./Ledger.ts"
import { RCPT031 } from "./ReceiptRule.ts"

/** What of a document decides its place in time. `original` is the key of an invoice of the same batch. */
export interface Datable {
  readonly key: string
  readonly number: string
  readonly date: CivilDate.CivilDate | Instant.Instant
  readonly original: string | null
}

/** `late`: at or before the mark. `restamp` and `--historical` decide what becomes of it, not this module. */
export type Dating =
  | { readonly _tag: "Dated"; readonly key: string; readonly receiptDate: Instant.Instant | "at-submission" }
  | { readonly _tag: "Late"; readonly key: string; readonly mark: Mark }
  | {
      readonly _tag: "Undatable"
      readonly key: string
      readonly code: FindingCode
      readonly detail: string | undefined
    }

export interface DatingContext {
  readonly book: Pick<MappingBook, "zone" | "times" | "opens">
  readonly mark: Option.Option<Mark>
  /** Seconds since the epoch that documents planned before already have. */
  readonly reserved?: ReadonlySet<number>
  readonly now: DateTime.DateTime
}

const natural = new Intl.Collator("en", { numeric: true })

/** Civil date in the book's zone, then stated time, then number in natural order; a credit note after its original. */
export const inOrder = <D extends Datable>(documents: Iterable<D>, zone: DateTime.TimeZone): ReadonlyArray<D> => {
  const placed = Array.from(documents, (document) => ({
    document,
    day: dayOf(document.date, zone),
    time: typeof document.date === "string" ? 0 : Instant.seconds(document.date)
  })).toSorted(
    (a, b) =>
      (a.day < b.day ? -1 : a.day > b.day ? 1 : 0) ||
      a.time - b.time ||
      natural.compare(a.document.number, b.document.number) ||
      (a.document.key < b.document.key ? -1 : 1)
  )
  const keys = new Set(placed.map(({ document }) => document.key))
  const done = new Set<string>()
  const waiting = Map.groupBy(
    placed.filter(({ document: { original } }) => original !== null && keys.has(original)),
    ({ document }) => document.original
  )
  const ordered: Array<D> = []
  const emit = (document: D) => {
    if (done.has(document.key)) return
    done.add(document.key)
    ordered.push(document)
    for (const next of waiting.get(document.key) ?? []) if (passed.has(next.document.key)) emit(next.document)
  }
  const passed = new Set<string>()
  for (const { document } of placed) {
    passed.add(document.key)
    const isFree = document.original === null || !keys.has(document.original) || done.has(document.original)
    if (isFree) emit(document)
  }
  return ordered
}

/** Dates the documents in order. Every document comes back once; the dated ones are to be sent in the order of their receipt dates. */
export const settle = (documents: Iterable<Datable>, context: DatingContext): ReadonlyArray<Dating> => {
  const ordered = inOrder(documents, context.book.zone)
  const days = new Map(ordered.map(({ date, key }) => [key, dayOf(date, context.book.zone)]))
  const precedesOriginal = ({ key, original }: Datable) =>
    original !== null && days.has(original) && days.get(key)! < days.get(original)!
  const datable = ordered.filter((document) => !precedesOriginal(document))
  const before = ordered
    .filter(precedesOriginal)
    .map((document) => undatable(document, DateFinding.CREDIT_BEFORE_ORIGINAL, `dated ${days.get(document.key)}`))
  switch (context.book.times) {
    case "spread":
      return [...before, ...spread(datable, context)]
    case "stated":
      return [...before, ...stated(datable, context)]
    case "at-submission":
      return [...before, ...datable.map((document) => atSubmission(document, context))]
  }
}

const dayOf = (date: Datable["date"], zone: DateTime.TimeZone): CivilDate.CivilDate =>
  typeof date === "string" ? date : CivilDate.of(DateTime.setZone(date, zone))

const undatable = ({ key }: Datable, code: FindingCode, detail?: string): Dating => ({
  _tag: "Undatable",
  key,
  code,
  detail
})

const atSubmission = (document: Datable, { book, now }: DatingContext): Dating => {
  const today = CivilDate.of(DateTime.setZone(now, book.zone))
  const day = dayOf(document.date, book.zone)
  return day === today
    ? { _tag: "Dated", key: document.key, receiptDate: "at-submission" }
    : undatable(document, DateFinding.DATE_NOT_TODAY, `dated ${day}, today is ${today}`)
}

/** What has been dated so far, in seconds since the epoch. */
const register = ({ book, mark, reserved }: DatingContext) => {
  const dated = new Map<string, number>()
  const taken = new Set(reserved)
  return {
    mark: Option.match(mark, { onNone: () => Number.NEGATIVE_INFINITY, onSome: ({ at }) => Instant.seconds(at) }),
    isTaken: (second: number) => taken.has(second),
    /** When the original is dated, if it is of this batch. */
    originalOf: ({ original }: Datable) =>
      (original === null ? undefined : dated.get(original)) ?? Number.NEGATIVE_INFINITY,
    late: ({ key }: Datable): Dating => ({ _tag: "Late", key, mark: Option.getOrThrow(mark) }),
    take: ({ key }: Datable, second: number): Dating => {
      dated.set(key, second)
      taken.add(second)
      return { _tag: "Dated", key, receiptDate: Instant.fromSeconds(second, book.zone) }
    }
  }
}

const stated = (documents: ReadonlyArray<Datable>, context: DatingContext): ReadonlyArray<Dating> => {
  const seen = register(context)
  const now = Instant.seconds(context.now)
  let last = Number.NEGATIVE_INFINITY
  return documents.map((document) => {
    if (typeof document.date === "string") return undatable(document, DateFinding.DATE_HAS_NO_TIME, document.date)
    const own = Instant.seconds(document.date)
    if (own <= seen.mark) return seen.late(document)
    if (own < seen.originalOf(document)) return undatable(document, DateFinding.CREDIT_BEFORE_ORIGINAL)
    let second = Math.max(own, last + 1)
    while (seen.isTaken(second)) second++
    if (second > now) return undatable(document, RCPT031, Instant.format(document.date))
    last = second
    return seen.take(document, second)
  })
}

const spread = (documents: ReadonlyArray<Datable>, context: DatingContext): ReadonlyArray<Dating> => {
  const { book, now: at } = context
  const seen = register(context)
  const now = Instant.seconds(at)
  const today = CivilDate.of(DateTime.setZone(at, book.zone))
  let last = seen.mark
  const ofOneDay = (day: CivilDate.CivilDate, ofDay: ReadonlyArray<Datable>): ReadonlyArray<Dating> => {
    if (day > today) return ofDay.map((document) => undatable(document, RCPT031, `dated ${day}, today is ${today}`))
    const second = (ofMidnight: number) => Instant.seconds(CivilDate.at(day, ofMidnight, book.zone))
    const endOfDay = second(86_399)
    if (endOfDay <= seen.mark) return ofDay.map(seen.late)
    // an instant keeps its own time; days without a time are fitted in between
    const own = new Map(
      ofDay.flatMap(({ date, key }) => (typeof date === "string" ? [] : [[key, Instant.seconds(date)]]))
    )
    const reserved = new Set(own.values())
    const isFree = (candidate: number) => !seen.isTaken(candidate) && !reserved.has(candidate)
    const fromOpening = Math.max(second(book.opens), last) + 1
    // the whole day begins early rather than some of it in the future
    let cursor = fromOpening + ofDay.length - own.size - 1 > now ? Math.max(second(0), last) + 1 : fromOpening
    const datings = ofDay.map((document): Dating => {
      const stated = own.get(document.key)
      const original = seen.originalOf(document)
      if (stated !== undefined && stated <= seen.mark) return seen.late(document)
      if (stated !== undefined && stated < original) return undatable(document, DateFinding.CREDIT_BEFORE_ORIGINAL)
      let candidate = stated ?? Math.max(cursor, original + 1)
      while (stated === undefined ? !isFree(candidate) : seen.isTaken(candidate)) candidate++
      if (stated === undefined && original < cursor) cursor = candidate + 1
      if (candidate <= Math.min(endOfDay, now)) return seen.take(document, candidate)
      return candidate <= endOfDay && stated !== undefined
        ? undatable(document, RCPT031, `stated ${Instant.format(Instant.fromSeconds(stated, book.zone))}`)
        : undatable(document, DateFinding.DATE_HAS_NO_ROOM, `nothing left of ${day}`)
    })
    for (const dating of datings) {
      if (dating._tag === "Dated" && dating.receiptDate !== "at-submission")
        last = Math.max(last, Instant.seconds(dating.receiptDate))
    }
    return datings
  }
  return Array.from(Map.groupBy(documents, ({ date }) => dayOf(date, book.zone))).flatMap(([day, ofDay]) =>
    ofOneDay(day, ofDay)
  )
}
