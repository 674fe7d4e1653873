import { assert, describe, it } from "@effect/vitest"
import * as IdentifierForm from "../src/values/IdentifierForm.ts"

describe("identifiers", () => {
  const cases: ReadonlyArray<readonly [string, string, IdentifierForm.Identifier["trouble"]]> = [
    ["0000001", "0000001", undefined],
    ["#1001", "#1001", undefined],
    ["INV/SR/1", "INV/SR/1", undefined],
    ["2520018000000073144", "2520018000000073144", undefined],
    [" INV-1 ", "INV-1", undefined],
    ["'0001", "0001", "apostrophe"],
    ["'+31612345678", "+31612345678", "apostrophe"],
    ['="0001"', "0001", "wrapped"],
    ["'quoted'", "'quoted'", undefined],
    ["1.23E+12", "1.23E+12", "damaged"],
    ["2,52E+18", "2,52E+18", "damaged"],
    ["1-Apr", "1-Apr", "damaged"],
    ["Mar-25", "Mar-25", "damaged"],
    ["INV-MAR-25", "INV-MAR-25", undefined],
    ["E12", "E12", undefined],
    ["=1+1", "=1+1", "formula"],
    ["'=1+1", "=1+1", "formula"]
  ]
  for (const [text, value, trouble] of cases) {
    it(`${text} is read as ${value}${trouble === undefined ? "" : `, ${trouble}`}`, () => {
      assert.deepStrictEqual(IdentifierForm.read(text), trouble === undefined ? { value } : { value, trouble })
    })
  }
})
