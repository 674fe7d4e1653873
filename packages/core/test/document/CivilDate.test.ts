import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, DateTime, Option } from "effect"
import * as CivilDate from "../../src/document/CivilDate.ts"
import * as Instant from "../../src/document/Instant.ts"
import { int } from "./Numbers.ts"
import { seeded } from "../Property.ts"

const day = (text: string) => Option.getOrThrow(CivilDate.parse(text))
const zoneOf = (text: string) => Option.getOrThrow(DateTime.zoneFromString(text))

/** Offsets from −12:00 to +14:00 in quarters of an hour, as in real zones. */
const offset = Arbitrary.map(int(-48, 56), (quarters) => {
  const minutes = Math.abs(quarters) * 15
  const part = (n: number) => String(n).padStart(2, "0")
  return `${quarters < 0 ? "-" : "+"}${part(Math.floor(minutes / 60))}:${part(minutes % 60)}`
})

const zones = [
  "Africa/Harare",
  "Europe/Berlin",
  "America/New_York",
  "Pacific/Kiritimati",
  "Etc/GMT+12",
  "Asia/Kathmandu"
]
const zone = Arbitrary.all([offset, int(0, zones.length * 2)]).pipe(
  Arbitrary.map(([offset, index]) => zoneOf(zones[index] ?? offset))
)

/** Days from 2000 to 2035, all equally likely. */
const civil = Arbitrary.map(int(0, 13_148), (days) =>
  day(new Date(Date.UTC(2000, 0, 1 + days)).toISOString().slice(0, 10))
)

describe("CivilDate", () => {
  it.each(["2026-01-31", "2024-02-29", "2000-02-29", "1900-01-01", "9999-12-31"])("accepts %s", (text) => {
    assert.isTrue(Option.isSome(CivilDate.parse(text)))
  })

  it.each([
    "2026-02-29",
    "1900-02-29",
    "2100-02-29",
    "2026-02-30",
    "2026-04-31",
    "2026-00-10",
    "2026-13-01",
    "2026-01-00",
    "2026-1-1",
    "26-01-01",
    "1899-12-31",
    "2026-01-31T00:00:00",
    " 2026-01-31",
    "2026-01-31\n",
    "31/01/2026",
    ""
  ])("refuses %j", (text) => assert.isTrue(Option.isNone(CivilDate.parse(text))))

  it("is made from year, month and day, and is absent for an impossible day", () => {
    assert.deepStrictEqual(CivilDate.make(2024, 2, 29), Option.some(day("2024-02-29")))
    assert.deepStrictEqual(CivilDate.make(2026, 2, 29), Option.none())
    assert.deepStrictEqual(CivilDate.make(2026, 0, 1), Option.none())
    assert.deepStrictEqual(CivilDate.make(2026, 1.5, 1), Option.none())
    assert.deepStrictEqual(CivilDate.make(26, 1, 1), Option.none())
    assert.deepStrictEqual(CivilDate.make(2026, -1, 1), Option.none())
  })

  it("has the same day a year later: February 28 for a leap day, and never after the calendar's last day", () => {
    assert.strictEqual(CivilDate.yearAfter(day("2025-06-30")), "2026-06-30")
    assert.strictEqual(CivilDate.yearAfter(day("2024-02-29")), "2025-02-28")
    assert.strictEqual(CivilDate.yearAfter(day("9999-06-30")), "9999-12-31")
  })

  it.prop(
    "keeps its day on the way to an instant and back, in every zone and at every time of day",
    { civil, seconds: int(0, 86_399), zone },
    ({ civil, seconds, zone }) => {
      const instant = CivilDate.at(civil, seconds, zone)
      assert.strictEqual(CivilDate.of(instant), civil)
      assert.strictEqual(Instant.format(instant).slice(0, 10), civil)
    },
    seeded({ runs: 1000 })
  )

  it("is the day of an instant on the clock of the instant's zone", () => {
    const instant = Option.getOrThrow(Instant.parse("2026-01-31T23:30:00-10:00"))
    assert.strictEqual(CivilDate.of(instant), "2026-01-31")
    assert.strictEqual(CivilDate.of(DateTime.setZone(instant, zoneOf("+14:00"))), "2026-02-01")
  })

  it("keeps the wall-clock time when clocks change", () => {
    const berlin = zoneOf("Europe/Berlin")
    const at = (date: string, seconds: number) => Instant.format(CivilDate.at(day(date), seconds, berlin))
    assert.strictEqual(at("2026-03-29", 0), "2026-03-29T00:00:00+01:00")
    assert.strictEqual(at("2026-03-29", 8 * 3600), "2026-03-29T08:00:00+02:00")
    assert.strictEqual(at("2026-10-25", 8 * 3600), "2026-10-25T08:00:00+01:00")
    assert.strictEqual(at("2026-10-25", 86_399), "2026-10-25T23:59:59+01:00")
  })

  it("exists for every readable instant, also at the ends of the calendar", () => {
    for (const text of ["1900-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00"]) {
      const instant = Option.getOrThrow(Instant.parse(text))
      for (const zone of ["-12:00", "+14:00"]) assert.isString(CivilDate.of(DateTime.setZone(instant, zoneOf(zone))))
    }
  })
})
