import { assert, describe, it } from "@effect/vitest"
import { DateTime, Option, Result, Schema } from "effect"
import * as Instant from "../../src/document/Instant.ts"
import { int } from "./Numbers.ts"
import { seeded } from "../Property.ts"

const format = (text: string) => Option.map(Instant.parse(text), Instant.format)

describe("Instant", () => {
  it.each([
    ["2026-01-31T08:00:01+02:00", "2026-01-31T08:00:01+02:00"],
    ["2026-01-31T08:00:01-12:00", "2026-01-31T08:00:01-12:00"],
    ["2026-01-31T08:00:01+14:00", "2026-01-31T08:00:01+14:00"],
    ["2026-01-31T08:00:01+05:45", "2026-01-31T08:00:01+05:45"],
    ["2026-01-31T08:00:01Z", "2026-01-31T08:00:01+00:00"],
    ["2024-02-29T23:59:59+02:00", "2024-02-29T23:59:59+02:00"]
  ])("reads %s and writes %s", (text, written) => assert.deepStrictEqual(format(text), Option.some(written)))

  it("truncates fractions of a second, also before the epoch", () => {
    assert.deepStrictEqual(format("2026-01-31T23:59:59.999+02:00"), Option.some("2026-01-31T23:59:59+02:00"))
    assert.deepStrictEqual(format("1969-12-31T23:59:58.5Z"), Option.some("1969-12-31T23:59:58+00:00"))
    assert.deepStrictEqual(format("2026-01-31T08:00:01.123456789+02:00"), Option.some("2026-01-31T08:00:01+02:00"))
  })

  it.each([
    "2026-02-30T08:00:00+02:00",
    "2026-02-29T08:00:00+02:00",
    "2026-04-31T08:00:00Z",
    "2026-13-01T08:00:00Z",
    "2026-01-31T24:00:00+02:00",
    "2026-01-31T08:60:00+02:00",
    "2026-01-31T08:00:60+02:00",
    "2026-01-31T08:00:00",
    "2026-01-31T08:00+02:00",
    "2026-01-31 08:00:00+02:00",
    "2026-01-31T08:00:00+0200",
    "2026-01-31T08:00:00+15:00",
    "2026-01-31T08:00:00+02:75",
    "1899-12-31T08:00:00Z",
    "2026-01-31",
    ""
  ])("refuses %j instead of reading another moment", (text) => assert.isTrue(Option.isNone(Instant.parse(text))))

  it.prop(
    "reads back its own text as the same moment on the same clock",
    { epoch: int(-2_000_000_000, 5_000_000_000), quarters: int(-48, 56) },
    ({ epoch, quarters }) => {
      const instant = Instant.fromSeconds(epoch, DateTime.zoneMakeOffset(quarters * 15 * 60_000))
      const read = Option.getOrThrow(Instant.parse(Instant.format(instant)))
      assert.strictEqual(Instant.seconds(read), epoch)
      assert.strictEqual(Instant.format(read), Instant.format(instant))
    },
    seeded({ runs: 500 })
  )

  it.prop(
    "writes the ISO 8601 text of the moment on its clock, whatever was written before",
    { epoch: int(-9_000_000_000, 300_000_000_000), offset: int(-720, 840), millis: int(0, 999), zone: int(0, 3) },
    ({ epoch, millis, offset, zone }) => {
      const names = ["Africa/Harare", "America/New_York", "Asia/Kathmandu"]
      const at = names[zone]
      const clock = at === undefined ? DateTime.zoneMakeOffset(offset * 60_000) : DateTime.zoneMakeNamedUnsafe(at)
      const instant = DateTime.makeZonedUnsafe(epoch * 1000 + millis, { timeZone: clock })
      assert.strictEqual(Instant.format(instant), DateTime.formatIsoOffset(instant).replace(/\.\d+/, ""))
    },
    seeded({ runs: 1000 })
  )

  it("is a text on the wire, and its decoding failure does not quote the input", () => {
    const decode = Schema.decodeUnknownResult(Instant.Instant)
    const instant = Result.getOrThrow(decode("2026-01-31T08:00:01+02:00"))
    assert.strictEqual(Schema.encodeSync(Instant.Instant)(instant), "2026-01-31T08:00:01+02:00")
    const failure = Result.flip(decode("31 January of Somebody"))
    assert.notInclude(Result.getOrThrow(failure).message, "Somebody")
    assert.include(Result.getOrThrow(failure).message, "ISO 8601 with an offset")
  })
})
