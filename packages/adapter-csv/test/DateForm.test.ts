import * as Instant from "../../core/src/document/Instant.ts"
import { assert, describe, it } from "@effect/vitest"
import * as DateForm from "../src/values/DateForm.ts"

const say = (text: string, order: DateForm.DateOrder, style: Partial<DateForm.DateStyle> = {}): string | undefined => {
  const date = DateForm.read(text, { order, utc: false, year: undefined, ...style })
  return date === undefined || typeof date === "string" ? date : Instant.format(date)
}

describe("dates", () => {
  const cases: ReadonlyArray<readonly [string, DateForm.DateOrder, string | undefined]> = [
    ["2018-10-20", "mdy", "2018-10-20"],
    ["2018-10-20T00:00:00", "dmy", "2018-10-20"],
    ["2018/10/20", "dmy", "2018-10-20"],
    ["2018.10.20", "dmy", "2018-10-20"],
    ["20180226", "dmy", "2018-02-26"],
    ["7/6/2019", "dmy", "2019-06-07"],
    ["7/6/2019", "mdy", "2019-07-06"],
    ["15/03/2024", "dmy", "2024-03-15"],
    ["15/03/2024", "mdy", undefined],
    ["31.12.2025", "dmy", "2025-12-31"],
    ["13-04-2025", "dmy", "2025-04-13"],
    ["01/31/26", "mdy", "2026-01-31"],
    ["26/01/31", "ymd", "2026-01-31"],
    ["1-Apr-25", "mdy", "2025-04-01"],
    ["Jan 28 2021", "dmy", "2021-01-28"],
    ["January 28, 2021", "dmy", "2021-01-28"],
    ["28 Sept. 2021", "dmy", "2021-09-28"],
    ["28th May 2021", "dmy", undefined],
    ["2025-05-11 09:55:16", "dmy", "2025-05-11"],
    ["05/31/2023 1:05:09", "mdy", "2023-05-31"],
    ["05/31/2023 1:05 PM", "mdy", "2023-05-31"],
    ["2025-05-11 09:55:16 -0400", "dmy", "2025-05-11T09:55:16-04:00"],
    ["2025-05-11T09:55:16Z", "dmy", "2025-05-11T09:55:16+00:00"],
    ["2025-05-11T09:55:16+02:00", "dmy", "2025-05-11T09:55:16+02:00"],
    ["2026-02-30", "dmy", undefined],
    ["2026-13-05", "dmy", undefined],
    ["31/04/2026", "dmy", undefined],
    ["29/02/2023", "dmy", undefined],
    ["2026-01-31 25:00", "dmy", undefined],
    ["43391", "dmy", undefined],
    ["3101", "dmy", undefined],
    ["1/2-2026", "dmy", undefined],
    ["7/6/2019", "ymd", undefined],
    ["yesterday", "dmy", undefined]
  ]
  for (const [text, order, expected] of cases) {
    it(`${text} in the order ${order} is ${expected ?? "not a date"}`, () =>
      assert.strictEqual(say(text, order), expected))
  }

  it("is an instant if the column states that its times are UTC", () => {
    assert.strictEqual(say("2018-10-19 22:30", "dmy", { utc: true }), "2018-10-19T22:30:00+00:00")
    assert.strictEqual(say("2018-10-19", "dmy", { utc: true }), "2018-10-19")
  })

  it("without a year are read with the chosen year, or not at all", () => {
    assert.strictEqual(say("3101", "dmy", { year: 2026 }), "2026-01-31")
    assert.strictEqual(say("131", "mdy", { year: 2026 }), "2026-01-31")
    assert.strictEqual(say("2902", "dmy", { year: 2026 }), undefined)
    assert.strictEqual(say("3101", "dmy"), undefined)
  })

  it("has the same day in every time zone of the process", () => {
    const before = process.env["TZ"]
    for (const zone of ["Africa/Harare", "Pacific/Auckland", "America/Los_Angeles", "UTC"]) {
      process.env["TZ"] = zone
      assert.strictEqual(say("2018-10-20T00:00:00", "dmy"), "2018-10-20", zone)
      assert.strictEqual(say("20/10/2018", "dmy"), "2018-10-20", zone)
    }
    if (before === undefined) delete process.env["TZ"]
    else process.env["TZ"] = before
  })
})
