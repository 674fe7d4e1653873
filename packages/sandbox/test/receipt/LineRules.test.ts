import { assert, describe, it } from "@effect/vitest"
import { invoice, line } from "../documents.ts"
import { decimal, marksOf } from "./device.ts"

/** Returns an invoice of one line; the case states the totals, calculated by hand. */
const single = (change: object, totals: object = {}) => invoice({ LineItems: [{ ...line, ...change }], ...totals })
const untaxed = { SubTotal: 115, TotalTax: 0, Total: 115 }

const cases: ReadonlyArray<readonly [title: string, body: ReturnType<typeof invoice>, marks: ReadonlyArray<string>]> = [
  ["RCPT016: a receipt without lines", invoice({ LineItems: [], SubTotal: 0, TotalTax: 0, Total: 0 }), ["RCPT016"]],
  ["RCPT016: lines that are null", invoice({ LineItems: null, SubTotal: 0, TotalTax: 0, Total: 0 }), ["RCPT016"]],
  ["one line", invoice(), []],
  [
    "RCPT022: a price of zero",
    single({ UnitAmount: 0, LineAmount: 0 }, { SubTotal: 0, TotalTax: 0, Total: 0 }),
    ["RCPT022"]
  ],
  [
    "RCPT022: a negative price",
    single({ UnitAmount: -1, Quantity: 1, LineAmount: -1 }, { SubTotal: -0.87, TotalTax: -0.13, Total: -1 }),
    ["RCPT022", "RCPT040"]
  ],
  ["a price of six places", single({ UnitAmount: 0.000001, Quantity: 115000000 }), []],
  [
    "RCPT023: a quantity of zero",
    single({ Quantity: 0, LineAmount: 0 }, { SubTotal: 0, TotalTax: 0, Total: 0 }),
    ["RCPT023"]
  ],
  ["a quantity of a millionth", single({ UnitAmount: 115000000, Quantity: 0.000001 }), []],
  ["RCPT024: an amount two cents off", single({ UnitAmount: 115.02 }), ["RCPT024"]],
  ["an amount one cent off", single({ UnitAmount: 115.01 }), []],
  ["RCPT024: an amount a hundredth of a cent beyond that", single({ UnitAmount: 115.0101 }), ["RCPT024"]],
  ["a discount taken off the amount", single({ UnitAmount: 60, Quantity: 2, DiscountAmount: 5 }), []],
  ["RCPT024: a discount not taken off", single({ DiscountAmount: 5 }), ["RCPT024"]],
  ["RCPT025: a tax the device does not know", single({ TaxCode: "GONE" }), ["RCPT025"]],
  ["RCPT025: a rate after its last day", single({}, { Date: "2026-01-01T00:00:00+02:00" }), ["RCPT025"]],
  ["a rate in the last second of its last day, in the device's zone", single({}, { Date: "2025-12-31T21:59:59Z" }), []],
  ["RCPT025: one second later in another zone's December", single({}, { Date: "2025-12-31T22:00:00Z" }), ["RCPT025"]],
  [
    "RCPT025: a rate before its first day",
    single(
      { TaxCode: "VAT155", UnitAmount: 115.5, LineAmount: 115.5 },
      { TotalTax: 15.5, Total: 115.5, Date: "2025-12-31T23:59:59+02:00" }
    ),
    ["RCPT025"]
  ],
  [
    "the new rate from its first second",
    single(
      { TaxCode: "VAT155", UnitAmount: 115.5, LineAmount: 115.5 },
      { TotalTax: 15.5, Total: 115.5, Date: "2026-01-01T00:00:00+02:00" }
    ),
    []
  ],
  ["RCPT047: no HS code", single({ ProductCode: null }), ["RCPT047"]],
  ["RCPT047: an empty HS code", single({ ProductCode: "" }), ["RCPT047"]],
  ["an HS code of four digits on a taxed line", single({ ProductCode: "1234" }), []],
  ["RCPT048: four digits at 0 %", single({ ProductCode: "1234", TaxCode: "VAT0" }, untaxed), ["RCPT048"]],
  ["RCPT048: four digits, exempt", single({ ProductCode: "1234", TaxCode: "EXEMPT" }, untaxed), ["RCPT048"]],
  ["eight digits at 0 %", single({ TaxCode: "VAT0" }, untaxed), []],
  ["RCPT048: six digits", single({ ProductCode: "123456" }), ["RCPT048"]],
  ["RCPT048: letters", single({ ProductCode: "1234567A" }), ["RCPT048"]]
]

describe("a line", () => {
  for (const [title, body, marks] of cases) {
    it(`${title} is ${marks.length === 0 ? "not marked" : `marked ${marks.join(", ")}`}`, () => {
      assert.deepStrictEqual(marksOf(body), marks)
    })
  }

  it("with tax above 0 % of a taxpayer not registered for VAT is marked RCPT021", () => {
    assert.deepStrictEqual(marksOf(invoice(), { taxpayer: "not-vat-registered" }), ["RCPT021"])
    assert.deepStrictEqual(marksOf(single({ TaxCode: "VAT0" }, untaxed), { taxpayer: "not-vat-registered" }), [])
    assert.deepStrictEqual(marksOf(single({ TaxCode: "EXEMPT" }, untaxed), { taxpayer: "not-vat-registered" }), [])
  })

  it("with an unmapped code fails with RCPT017, which names every code once", () => {
    const body = invoice({
      LineItems: [
        { ...line, TaxCode: "A" },
        { ...line, TaxCode: "A" },
        { ...line, TaxCode: null }
      ]
    })
    assert.strictEqual(marksOf(body), "RCPT017: TaxCode A is not mapped; a line without TaxCode")
  })
})

describe("a currency", () => {
  it("that is unmapped or unsupported by the device fails with RCPT010", () => {
    assert.strictEqual(marksOf(invoice({ CurrencyCode: "XAU" })), "RCPT010: currency XAU is not mapped")
    assert.strictEqual(
      marksOf(invoice({ CurrencyCode: "BTC" })),
      "RCPT010: currency XBT is not supported by the device"
    )
    assert.deepStrictEqual(marksOf(invoice({ CurrencyCode: "EUR" })), [])
  })
})

describe("a device with a tolerance for taxes", () => {
  it("accepts a tax that differs by no more than the tolerance", () => {
    const off = invoice({ TotalTax: 15.01, SubTotal: 99.99 })
    assert.deepStrictEqual(marksOf(off), ["RCPT026", "RCPT027"])
    assert.deepStrictEqual(marksOf(off, { taxTolerance: decimal("0.01") }), [])
  })
})
