import { assert, describe, it } from "@effect/vitest"
import { DateTime, Option, Schema } from "effect"
import { AnswerDateTime, civilDate, toInstant } from "../../src/gateway/operation/LocalDateTime.ts"
import * as Instant from "../../src/document/Instant.ts"

const read = Schema.decodeUnknownOption(AnswerDateTime)
const zone = (name: string) => Option.getOrThrow(DateTime.zoneFromString(name))
const instant = (text: string, name: string) =>
  Option.map(
    Option.flatMap(read(text), (value) => toInstant(value, zone(name))),
    Instant.format
  )

describe("LocalDateTime", () => {
  it("keeps a date-time without an offset unchanged, and reads it in the given zone", () => {
    assert.deepEqual(
      read("2024-05-06T07:08:09.1234567").pipe(Option.map(String)),
      Option.some("2024-05-06T07:08:09.1234567")
    )
    assert.deepStrictEqual(instant("2024-05-06T07:08:09.123", "+02:00"), Option.some("2024-05-06T07:08:09+02:00"))
    assert.deepStrictEqual(instant("2024-05-06T07:08", "Africa/Harare"), Option.some("2024-05-06T07:08:00+02:00"))
    assert.deepStrictEqual(instant("2024-07-01T12:00:00", "Europe/Paris"), Option.some("2024-07-01T12:00:00+02:00"))
    assert.deepStrictEqual(instant("2024-01-01T12:00:00", "Europe/Paris"), Option.some("2024-01-01T12:00:00+01:00"))
  })

  it("reads a date-time with an offset as an instant", () => {
    assert.deepStrictEqual(instant("2024-05-06T07:08:09Z", "+02:00"), Option.some("2024-05-06T07:08:09+00:00"))
    assert.deepStrictEqual(instant("2024-05-06T07:08:09.5+05:30", "+02:00"), Option.some("2024-05-06T07:08:09+05:30"))
  })

  it("refuses texts that are not date-times", () => {
    for (const text of [
      "2024-02-30T00:00:00",
      "2024-13-01T00:00:00",
      "2024-05-06T24:00:00",
      "2024-02-30",
      "06/05/2024",
      "",
      "now"
    ]) {
      assert.deepStrictEqual(read(text), Option.none(), text)
    }
  })

  it("has a civil date on its own wall clock, and no date if the year means “not set”", () => {
    const day = (text: string) => Option.flatMap(read(text), civilDate)
    assert.deepStrictEqual(day("2024-12-31T23:59:59"), Option.some("2024-12-31"))
    assert.deepStrictEqual(day("2024-12-31T23:59:59-11:00"), Option.some("2024-12-31"))
    assert.deepStrictEqual(day("0001-01-01T00:00:00"), Option.none())
  })
})
