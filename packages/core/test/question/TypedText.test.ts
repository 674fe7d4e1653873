import { assert, describe, it } from "@effect/vitest"
import { fills, inForm } from "../../src/question/TypedText.ts"

describe("a typed text", () => {
  it.each([
    [fills.zone, ["+02:00", "Africa/Harare", "UTC"], ["Ha", "2", "USD", "City", "san"]],
    [fills.currency, ["USD", "ZWG"], ["usd", "US Dollar", "$", "+02:00"]],
    [fills.percent, ["0 %", "15 %", "15.5 %", "100 %"], ["15,5", "USD", "-1", "101", "1e1", "%"]],
    [fills.hsCode, ["12345678", "1234"], ["123", "1234567", "ABCDEFGH"]],
    [fills.year, ["2026"], ["26", "20266"]],
    [fills.line, ["0", "12"], ["-1", "1.5", "first"]]
  ])("has the form of %s", (fill, good, bad) => {
    for (const text of good) assert.strictEqual(inForm(fill, text), text)
    for (const text of ["", ...bad]) assert.isUndefined(inForm(fill, text), text)
  })

  it("is any text but an empty one if the description names no form", () => {
    assert.strictEqual(inForm("the reason of all of them", "returned goods"), "returned goods")
    assert.isUndefined(inForm("the reason of all of them", ""))
  })

  it("has a sign if it is a percent, so that it is not the id of a choice", () => {
    for (const text of ["2", "2%", "2 %", "2.0"]) assert.strictEqual(inForm(fills.percent, text), "2 %")
  })

  it("names a zone by its city or the city's beginning, in any case, if only one zone has it", () => {
    assert.strictEqual(inForm(fills.zone, "harar"), "Africa/Harare")
    assert.strictEqual(inForm(fills.zone, "new york"), "America/New_York")
    assert.strictEqual(inForm(fills.zone, "harare"), "Africa/Harare")
    assert.strictEqual(inForm(fills.zone, "Johannesburg"), "Africa/Johannesburg")
  })

  it("is one of the names that the description lists, if it lists them", () => {
    for (const [fill, name] of [
      [fills.delimiter, "tab"],
      [fills.dates, "dmy"]
    ] as const) {
      assert.strictEqual(inForm(fill, name), name)
      assert.isUndefined(inForm(fill, "or"))
      assert.isUndefined(inForm(fill, ";"))
    }
  })
})
