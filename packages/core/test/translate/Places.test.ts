/**
 * Amounts have the places of their currency: an amount with more places is rounded if it is only
 * part of a sum, and refused if it is sent itself.
 */
import { assert, describe, it } from "@effect/vitest"
import { BigDecimal } from "effect"
import { check } from "../../src/preflight/check.ts"
import { translate } from "../../src/translate/translate.ts"
import { bookWith, invoice as sourceOf, money } from "../import/SampleSources.ts"
import { invoice, line, totals } from "../preflight/SampleTranslated.ts"

const where = { where: () => ({ file: "x" }) }
const codes = (translated: Parameters<typeof check>[1]) => check(where, translated).map(({ code }) => code)

describe("the decimal places of an amount", () => {
  it("are two with as-inclusive, even if the source states its tax with three", () => {
    const source = sourceOf("INV-1", "2026-01-31", {
      taxMode: "exclusive",
      lines: [
        {
          description: "Thing",
          quantity: money("1"),
          unitPrice: money("2"),
          taxes: [{ code: "Standard", amount: money("0.311") }],
          productCode: "12345678"
        },
        {
          description: "Other",
          quantity: money("1"),
          unitPrice: money("0.03"),
          taxes: [{ code: "Standard", amount: money("0.005") }],
          productCode: "12345678"
        }
      ]
    })
    const { translated } = translate(source, bookWith({ rounding: "as-inclusive" }))
    const { lineItems, subTotal, total, totalTax } = translated!.document.payload
    for (const figure of [subTotal, total, totalTax, ...lineItems.map(({ lineAmount }) => lineAmount)]) {
      assert.isAtMost(BigDecimal.normalize(figure).scale, 2)
    }
    assert.notInclude(codes(translated!), "PRECISION_EXCEEDED")
  })

  it("are checked in every amount of the body, whatever its origin", () => {
    assert.deepStrictEqual(codes(invoice()), [])
    assert.include(codes(invoice(totals("2.001", "0.310", "2.311"))), "PRECISION_EXCEEDED")
    assert.include(codes(invoice({ lineItems: [line({ lineAmount: "100.001" }, {})] })), "PRECISION_EXCEEDED")
  })

  it("are zero if the currency has no smaller unit", () => {
    const yen = (total: string) => invoice({ ...totals("100", "0", total) }, { deviceCurrency: "JPY" })
    assert.include(codes(yen("115.50")), "PRECISION_EXCEEDED")
    assert.notInclude(codes(yen("115.00")), "PRECISION_EXCEEDED")
  })
})
