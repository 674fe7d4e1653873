import { assert, describe, it } from "@effect/vitest"
import { invoice, line } from "../documents.ts"
import { marksOf } from "./device.ts"

const exclusive = (lines: ReadonlyArray<readonly [code: string, amount: number]>, totals: object) =>
  invoice({
    IsTaxInclusive: false,
    LineItems: lines.map(([TaxCode, amount]) => ({ ...line, TaxCode, UnitAmount: amount, LineAmount: amount })),
    ...totals
  })
const inclusive = (lines: ReadonlyArray<readonly [code: string, amount: number]>, totals: object) => ({
  ...exclusive(lines, totals),
  IsTaxInclusive: true
})

const cases: ReadonlyArray<readonly [title: string, body: ReturnType<typeof invoice>, marks: ReadonlyArray<string>]> = [
  [
    "inclusive, 115.00 at 15 %: 15.00 tax",
    inclusive([["VAT15", 115]], { SubTotal: 100, TotalTax: 15, Total: 115 }),
    []
  ],
  // 10.00 * 15 / 115 = 1.3043…
  ["inclusive, 10.00 at 15 %: 1.30 tax", inclusive([["VAT15", 10]], { SubTotal: 8.7, TotalTax: 1.3, Total: 10 }), []],
  // 0.23 * 15 / 115 = 0.03 exactly; 0.27 * 15 / 115 = 0.0352…
  [
    "inclusive, 0.27 at 15 %: 0.04 tax",
    inclusive([["VAT15", 0.27]], { SubTotal: 0.23, TotalTax: 0.04, Total: 0.27 }),
    []
  ],
  // per line 1.30 + 1.30 + 1.30 = 3.90; per group 30.00 * 15 / 115 = 3.9130…
  [
    "inclusive, three lines of 10.00: 3.91 tax, per group",
    inclusive(
      [
        ["VAT15", 10],
        ["VAT15", 10],
        ["VAT15", 10]
      ],
      { SubTotal: 26.09, TotalTax: 3.91, Total: 30 }
    ),
    []
  ],
  [
    "RCPT026, 027: the same taxed per line",
    inclusive(
      [
        ["VAT15", 10],
        ["VAT15", 10],
        ["VAT15", 10]
      ],
      { SubTotal: 26.1, TotalTax: 3.9, Total: 30 }
    ),
    ["RCPT026", "RCPT027"]
  ],
  // 0.10 * 15 / 100 = 0.015: half is rounded up.
  [
    "exclusive, 0.10 at 15 %: half a cent goes up",
    exclusive([["VAT15", 0.1]], { SubTotal: 0.1, TotalTax: 0.02, Total: 0.12 }),
    []
  ],
  [
    "RCPT026, 038: half a cent gone down",
    exclusive([["VAT15", 0.1]], { SubTotal: 0.1, TotalTax: 0.01, Total: 0.11 }),
    ["RCPT026", "RCPT038"]
  ],
  // 33.33 * 15.5 / 100 = 5.16615
  [
    "exclusive, 33.33 at 15.5 %: 5.17 tax",
    exclusive([["VAT155", 33.33]], { SubTotal: 33.33, TotalTax: 5.17, Total: 38.5, Date: "2026-02-01T10:00:00+02:00" }),
    []
  ],
  [
    "exclusive, mixed rates",
    exclusive(
      [
        ["VAT15", 100],
        ["VAT0", 50],
        ["EXEMPT", 25]
      ],
      { SubTotal: 175, TotalTax: 15, Total: 190 }
    ),
    []
  ],
  ["inclusive, exempt: no tax", inclusive([["EXEMPT", 40]], { SubTotal: 40, TotalTax: 0, Total: 40 }), []],
  [
    "RCPT019: a total that is not the sum of the lines",
    inclusive([["VAT15", 115]], { SubTotal: 101, TotalTax: 15, Total: 116 }),
    ["RCPT019", "RCPT027"]
  ],
  [
    "RCPT027: the tax subtracted twice",
    inclusive([["VAT15", 115]], { SubTotal: 85, TotalTax: 15, Total: 115 }),
    ["RCPT027"]
  ],
  [
    "RCPT037, 038: an exclusive total without its tax",
    exclusive([["VAT15", 100]], { SubTotal: 85, TotalTax: 15, Total: 100 }),
    ["RCPT027", "RCPT037", "RCPT038"]
  ],
  [
    "RCPT037, 038: an exclusive total one cent off",
    exclusive([["VAT15", 100]], { SubTotal: 100.01, TotalTax: 15, Total: 115.01 }),
    ["RCPT027", "RCPT037", "RCPT038"]
  ],
  [
    "amounts beyond any double",
    inclusive([["EXEMPT", 1]], {
      LineItems: [
        { ...line, TaxCode: "EXEMPT", UnitAmount: "12345678901234567.89", LineAmount: "12345678901234567.89" }
      ],
      SubTotal: "12345678901234567.89",
      TotalTax: 0,
      Total: "12345678901234567.89"
    }),
    []
  ],
  [
    "RCPT019, 027: the same one cent off",
    inclusive([["EXEMPT", 1]], {
      LineItems: [
        { ...line, TaxCode: "EXEMPT", UnitAmount: "12345678901234567.89", LineAmount: "12345678901234567.89" }
      ],
      SubTotal: "12345678901234567.90",
      TotalTax: 0,
      Total: "12345678901234567.90"
    }),
    ["RCPT019", "RCPT027"]
  ]
]

describe("a receipt", () => {
  for (const [title, body, marks] of cases) {
    it(`(${title}) is ${marks.length === 0 ? "not marked" : `marked ${marks.join(", ")}`}`, () => {
      assert.deepStrictEqual(marksOf(body), marks)
    })
  }
})
