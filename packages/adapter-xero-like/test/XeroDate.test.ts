import { CivilDate } from "../../core/src/document/CivilDate.ts"
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import * as XeroDate from "../src/values/XeroDate.ts"

const dayForms = [
  "/Date(1539993600000+0000)/",
  "/Date(1539993600000)/",
  "/Date(1539993600000+1300)/",
  "/Date(1539993600000-1200)/",
  "2018-10-20",
  "2018-10-20T00:00",
  "2018-10-20T00:00:00",
  "2018-10-20 00:00:00",
  "2018-10-20T00:00:00Z",
  "2018-10-20T00:00:00.000Z",
  "2018-10-20T00:00:00+00:00",
  "2018-10-20T00:00:00-12:00",
  "2018-10-20T00:00:00+1400",
  "2018-10-20 00:00:00.000000 UTC"
]

const reading = (text: string) =>
  Result.match(XeroDate.parse(text), {
    onFailure: (problem) => `! ${problem}`,
    onSuccess: (date) => date as string
  })

describe("XeroDate", () => {
  it("reads the day in every form, as written", () => {
    assert.deepStrictEqual(dayForms.map(reading), Array(dayForms.length).fill("2018-10-20"))
  })

  it("does not guess the day of an instant, whatever its offset", () => {
    for (const text of [
      "2018-10-19T22:00:00.000Z",
      "2018-10-19T22:00:00",
      "/Date(1539986400000+0000)/",
      "2018-10-19T10:00:00-00:00",
      "2018-10-20T23:30:05+02:00",
      "2018-10-20T00:30:05.25-0930"
    ]) {
      assert.strictEqual(reading(text), "! time-of-day", text)
    }
  })

  it("refuses texts that are not days, and years before 1900", () => {
    for (const text of [
      "",
      "2018-02-30",
      "20/10/2018",
      "2018-10-20T25:00:00+02:00",
      "/Date(x)/",
      "/Date(-62135596800000+0000)/",
      "/Date(86400000000000000)/",
      "2018-10-20T00:00:00+02:00 "
    ]) {
      assert.strictEqual(reading(text), "! form", text)
    }
    assert.strictEqual(reading("/Date(-86400000+0000)/"), "1969-12-31")
  })

  it("recognizes a second date of the same day, whatever zone moved its midnight", () => {
    const day = CivilDate.make("2018-10-20")
    for (const text of [...dayForms, "2018-10-19T22:00:00Z", "2018-10-20T11:00:00.000Z", "/Date(1539986400000)/"])
      assert.isTrue(XeroDate.isOfDay(text, day), text)
    for (const text of ["2018-10-21", "2018-10-19T00:00:00", "/Date(1539907200000+0000)/", "2018-10-19T09:00:00Z"])
      assert.isFalse(XeroDate.isOfDay(text, day), text)
    assert.isTrue(XeroDate.isOfDay("/Date(-86400000)/", CivilDate.make("1969-12-31")))
  })

  it("has the same day in every time zone of the machine", () => {
    const script = join(import.meta.dirname, "DaysInEveryZone.ts")
    const output = execFileSync(process.execPath, [script, JSON.stringify(dayForms)], { encoding: "utf8" })
    const zones = JSON.parse(output) as ReadonlyArray<{ readonly offset: number; readonly days: ReadonlyArray<string> }>
    assert.deepStrictEqual(
      zones.map(({ offset }) => offset),
      Array.from({ length: 27 }, (_, i) => (i - 12) * 60)
    )
    for (const { days } of zones) assert.deepStrictEqual(days, Array(dayForms.length).fill("2018-10-20"))
  })
})
