/** Spellings of a number by which an export comes again, and numbers of one series. */
import { assert, describe, it } from "@effect/vitest"
import { int } from "./Numbers.ts"
import { seeded } from "../Property.ts"
import * as NumberFold from "../../src/document/NumberFold.ts"

describe("the fold of a number", () => {
  it.each([
    ["00005", "5"],
    ["inv-004", "INV-4"],
    ["INV/2026/006", "INV-2026-006"],
    ["INV 2026 6", "inv2026.06"],
    ["ＩＮＶ－００７", "INV-7"],
    ["INV\u00a0\u20117", "INV7"],
    ["000", "0"],
    ["01001.0", "1001"],
    ["1001.00", "1001"]
  ])("is one for %s and %s", (one, other) => {
    assert.strictEqual(NumberFold.of(one), NumberFold.of(other))
  })

  it.each([
    ["INV-1-12", "INV-11-2"],
    ["INV-10", "INV-1"],
    ["A-1", "B-1"],
    ["2025-001", "2026-001"],
    ["#5", "5"],
    ["1-0", "10"],
    ["2026.01", "2026"],
    ["--", "-"]
  ])("tells %s from %s", (one, other) => {
    assert.notStrictEqual(NumberFold.of(one), NumberFold.of(other))
  })

  const saved: ReadonlyArray<(number: string) => string> = [
    (number) => number.replace(/(^|\D)0+(?=\d)/g, "$1"),
    (number) => number.replace(/\d+/g, (digits) => digits.padStart(9, "0")),
    (number) => number.toLowerCase(),
    (number) => number.replaceAll("-", "/"),
    (number) => number.replaceAll("-", " "),
    (number) => number.replaceAll("-", "\u2011"),
    (number) => number.replace(/[!-~]/g, (sign) => String.fromCodePoint(sign.codePointAt(0)! + 0xfee0))
  ]

  it.prop(
    "is one for every way in which an export is saved again, and keeps other numbers of the series apart",
    { n: int(0, 99_999), step: int(1, 99), year: int(2020, 2030), places: int(1, 6), way: int(0, saved.length - 1) },
    ({ n, places, step, way, year }) => {
      const numbered = (of: number) => `INV-${year}-${String(of).padStart(places, "0")}`
      assert.strictEqual(NumberFold.of(saved[way]!(numbered(n))), NumberFold.of(numbered(n)))
      assert.notStrictEqual(NumberFold.of(numbered(n + step)), NumberFold.of(numbered(n)))
    },
    seeded()
  )
})
