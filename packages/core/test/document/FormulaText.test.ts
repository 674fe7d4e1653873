/** Files of refused rows open in spreadsheet programs: no cell may run as a formula. */
import { assert, describe, it } from "@effect/vitest"
import { neutralized, withoutMarks } from "../../src/document/FormulaText.ts"

describe("a cell in a file for spreadsheets", () => {
  const hostile = [
    "=1+1",
    "+cmd",
    "-cmd",
    "@SUM(A1)",
    "\0=1",
    "\n=1",
    "\r=1",
    "\t=1",
    " =1",
    "\u200b=1",
    "＝1+1",
    "＋cmd",
    "－cmd",
    "＠SUM"
  ]

  it.each(hostile.map((cell) => [JSON.stringify(cell), cell] as const))("%s begins with an apostrophe", (_, cell) => {
    assert.strictEqual(neutralized(cell).replace("\t'", "\t"), `'${cell}`)
    assert.strictEqual(withoutMarks(neutralized(cell)), cell)
  })

  it.each([";", ",", "|", "\t"])(
    "contains no formula after %j, which may be the separator when the file is opened",
    (separator) => {
      for (const formula of ["=1+1", "@SUM(A1)", " =1", '"=1', "＝1"]) {
        const cell = `Pen${separator}${formula}`
        assert.strictEqual(neutralized(cell), `Pen${separator}'${formula}`)
        assert.strictEqual(withoutMarks(neutralized(cell)), cell)
      }
    }
  )

  it("stays unchanged if it is a number or plain text", () => {
    for (const cell of ["-5", "+1.50", "-12,5 %", "Pen", "O'Brien; a, b", "1;-2", "a - b", "", "\t", "a=b"]) {
      assert.strictEqual(neutralized(cell), cell)
    }
  })
})
