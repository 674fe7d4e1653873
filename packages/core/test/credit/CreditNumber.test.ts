/** Rules for the numbers of prepared credit notes. */
import { assert, describe, it } from "../It.ts"
import * as CreditNumber from "../../src/submission/ledger/CreditNumber.ts"

describe("the rule for numbers of credit notes", () => {
  it("has the invoice's number and a count, each once and kept apart", () => {
    for (const rule of [CreditNumber.standard, "CN{n}/{original}", "{original} ({n})"])
      assert.isNull(CreditNumber.problem(rule), rule)
    for (const rule of ["{original}-C", "C{n}", "", "{original}{n}", "{n}0{original}", "{original}-{n}-{n}"])
      assert.isNotNull(CreditNumber.problem(rule), rule)
  })

  it("finds every invoice for which it can make a number", () => {
    assert.strictEqual(CreditNumber.make(CreditNumber.standard, "A-$&", 2), "A-$&-C2")
    const cases: ReadonlyArray<readonly [rule: string, number: string, originals: ReadonlyArray<string>]> = [
      [CreditNumber.standard, "INV-2-C1", ["INV-2"]],
      [CreditNumber.standard, "INV-2-C1-C3", ["INV-2-C1"]],
      [CreditNumber.standard, "INV-2-C01", []],
      [CreditNumber.standard, "INV-2", []],
      ["{n}-{original}", "7-8-9", ["8-9"]],
      ["{original}-{n}", "7-8-9", ["7-8"]],
      ["x{original}x{n}x", "xx", []]
    ]
    for (const [rule, number, originals] of cases)
      assert.deepStrictEqual(CreditNumber.originalsOf(rule, number), originals, `${rule} ${number}`)
  })
})
