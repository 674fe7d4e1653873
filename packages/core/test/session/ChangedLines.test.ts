import { assert, describe, it } from "@effect/vitest"
import { BigDecimal } from "effect"
import * as Credit from "../../src/session/Credit.ts"
import { TaxCode } from "../../src/document/Identifiers.ts"
import type { LineItem } from "../../src/document/LineItem.ts"
import type { Money } from "../../src/document/Money.ts"

const money = (amount: string): Money => BigDecimal.fromStringUnsafe(amount)
const line = (description: string, quantity: string, price: string, taxCode = "V"): LineItem => ({
  description,
  unitAmount: money(price),
  taxCode: TaxCode.make(taxCode),
  productCode: null,
  lineAmount: BigDecimal.multiply(money(quantity), money(price)),
  discountAmount: null,
  quantity: money(quantity),
  customFields: null
})
const paint = line("Paint", "5", "20.00")

describe("what the books changed of an invoice", () => {
  for (const [what, now, words] of [
    ["nothing", [paint], ""],
    ["a quantity", [line("Paint", "4", "20.00")], "1 line: Paint, 5 → 4 pieces"],
    ["one piece", [line("Paint", "1", "20.00")], "1 line: Paint, 5 → 1 pieces"],
    ["a price", [line("Paint", "5", "1800.50")], "1 line: Paint, 100.00 → 9,002.50"],
    ["a tax", [line("Paint", "5", "20.00", "Z")], "1 line: Paint, tax V → Z"],
    ["a line less", [], "1 line: Paint, taken out"],
    ["a line more", [paint, line("Hose", "1", "18.04")], "1 line: Hose, added"],
    ["a line of the same name more", [paint, paint], "1 line: Paint, added"],
    [
      "several lines",
      [line("Paint", "4", "20.00"), line("Hose", "1", "1"), line("Rope", "1", "1")],
      "3 lines: Paint, 5 → 4 pieces; Hose, added; and 1 more"
    ]
  ] as const)
    it(`is in words: ${what}`, () => {
      assert.strictEqual(Credit.changesInWords([paint], now), words)
    })
})
