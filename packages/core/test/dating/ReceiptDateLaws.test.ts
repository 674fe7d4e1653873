import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, DateTime, Option } from "effect"
import * as CivilDate from "../../src/document/CivilDate.ts"
import * as Instant from "../../src/document/Instant.ts"
import { type Datable, type Dating, inOrder, assign } from "../../src/dating/ReceiptDates.ts"
import { int } from "../document/Numbers.ts"
import { context, instant } from "./Datables.ts"
import { seeded } from "../Property.ts"

const now = instant("2026-03-29T12:00:00+02:00")
const zones = ["+02:00", "-12:00", "+14:00", "Europe/Berlin", "America/New_York", "Asia/Kathmandu"]

/**
 * Days around now, within few hours so that seconds collide; some documents are instants of any
 * offset, some credit another.
 */
const documents = Arbitrary.array(
  Arbitrary.all({
    day: int(-3, 1),
    seconds: int(0, 40),
    hour: int(0, 47),
    quarters: int(-48, 56),
    number: int(0, 12),
    original: int(-14, 14)
  }),
  { maxLength: 14 }
).pipe(
  Arbitrary.map((parts) =>
    parts.map(({ day, hour, number, original, quarters, seconds }, index): Datable => {
      const second = Instant.seconds(now) + day * 86_400 + (hour - 24) * 1800 + seconds
      const clock = Instant.fromSeconds(second, DateTime.zoneMakeOffset(quarters * 15 * 60_000))
      const isNote = original >= 0 && original < parts.length && original !== index
      return {
        key: `${isNote ? "note" : "invoice"}-${index}`,
        number: `INV-${number}`,
        date: hour % 3 === 0 ? clock : CivilDate.of(clock),
        original: isNote ? `invoice-${original}` : null
      }
    })
  )
)

const given = Arbitrary.all({
  zone: int(0, zones.length - 1),
  mark: int(-5, 2),
  times: int(0, 2),
  opens: int(0, 86_399),
  reserved: Arbitrary.array(int(-259_200, 0), { maxLength: 20 })
}).pipe(
  Arbitrary.map(({ mark, opens, reserved, times, zone }) => ({
    ...context({
      zone: zones[zone]!,
      opens,
      times: (["spread", "spread", "stated"] as const)[times]!,
      now: Instant.format(now),
      ...(mark <= 0 && { mark: Instant.format(DateTime.add(now, { hours: mark * 9 })) })
    }),
    // Consecutive seconds, at the place where documents of the day begin.
    reserved: new Set(reserved.flatMap((ago) => [0, 1, 2].map((more) => Instant.seconds(now) + ago + more)))
  }))
)

const isDated = (dating: Dating) => dating._tag === "Dated" && dating.receiptDate !== "at-submission"
const secondsOf = (datings: ReadonlyArray<Dating>) =>
  new Map(
    datings.flatMap((dating) =>
      dating._tag === "Dated" && dating.receiptDate !== "at-submission"
        ? [[dating.key, Instant.seconds(dating.receiptDate)] as const]
        : []
    )
  )
const many = seeded({ runs: 1000 })

describe("receipt dates", () => {
  it.prop(
    "are returned once for every document",
    { documents, given },
    ({ documents, given }) => {
      const keys = assign(documents, given).map(({ key }) => key)
      assert.deepStrictEqual(keys.toSorted(), documents.map(({ key }) => key).toSorted())
    },
    many
  )

  it.prop(
    "are all different, after the mark, not in the future, and on the document's own day",
    { documents, given },
    ({ documents, given }) => {
      const datings = assign(documents, given)
      const seconds = secondsOf(datings)
      assert.strictEqual(new Set(seconds.values()).size, datings.filter(isDated).length)
      const mark = Option.match(given.mark, { onNone: () => -Infinity, onSome: ({ at }) => Instant.seconds(at) })
      for (const { date, key } of documents) {
        const second = seconds.get(key)
        if (second === undefined) continue
        assert.isAbove(second, mark)
        assert.isFalse(given.reserved.has(second))
        assert.isAtMost(second, Instant.seconds(now))
        const day = typeof date === "string" ? date : CivilDate.of(DateTime.setZone(date, given.book.zone))
        assert.strictEqual(CivilDate.of(Instant.fromSeconds(second, given.book.zone)), day)
        if (typeof date !== "string") assert.isAtLeast(second, Instant.seconds(date))
      }
    },
    many
  )

  it.prop(
    "place a credit note after its original",
    { documents, given },
    ({ documents, given }) => {
      const seconds = secondsOf(assign(documents, given))
      for (const { key, original } of documents) {
        const [note, invoice] = [seconds.get(key), seconds.get(original ?? "")]
        if (note !== undefined && invoice !== undefined) assert.isAbove(note, invoice)
      }
    },
    many
  )

  it.prop(
    "are late only for documents without a possible time after the mark",
    { documents, given },
    ({ documents, given }) => {
      const dates = new Map(documents.map(({ date, key }) => [key, date]))
      for (const dating of assign(documents, given)) {
        if (dating._tag !== "Late") continue
        const date = dates.get(dating.key)!
        const last = typeof date === "string" ? CivilDate.at(date, 86_399, given.book.zone) : date
        assert.isAtMost(Instant.seconds(last), Instant.seconds(dating.mark.at))
      }
    },
    many
  )

  it.prop(
    "do not depend on the reading order of documents",
    { documents, given, turn: int(0, 13) },
    ({ documents, given, turn }) => {
      const permuted = [...documents.slice(turn), ...documents.slice(0, turn)].toReversed()
      assert.deepStrictEqual(
        inOrder(permuted, given.book.zone).map(({ key }) => key),
        inOrder(documents, given.book.zone).map(({ key }) => key)
      )
      assert.deepStrictEqual(secondsOf(assign(permuted, given)), secondsOf(assign(documents, given)))
    },
    many
  )

  it.prop(
    "are the same if each day is dated separately",
    { documents, given },
    ({ documents, given }) => {
      const dayOf = ({ date }: Datable) =>
        typeof date === "string" ? date : CivilDate.of(DateTime.setZone(date, given.book.zone))
      const dates = new Map(documents.map(({ date, key }) => [key, date]))
      const withOriginals = documents.map((document): Datable => {
        const originalDate = dates.get(document.original ?? "")
        return originalDate === undefined ? document : { ...document, originalDate }
      })
      const byDay = Array.from(Map.groupBy(withOriginals, dayOf).values(), (ofDay) => assign(ofDay, given)).flat()
      const byKey = (datings: ReadonlyArray<Dating>) => new Map(datings.map((dating) => [dating.key, dating]))
      assert.deepStrictEqual(byKey(byDay), byKey(assign(documents, given)))
    },
    many
  )
})
