import { assert, describe, it } from "@effect/vitest"
import { CurrencyCode, TaxCode } from "../../src/document/Identifiers.ts"
import { checkCredit } from "../../src/preflight/check.ts"
import type { CreditedInvoice } from "../../src/credit/creditRules.ts"
import type { Translated } from "../../src/translate/Translated.ts"
import { creditNote, day, line, money, totals } from "../preflight/SampleTranslated.ts"

const source = { where: () => ({ file: "x" }) }

const original: CreditedInvoice = {
  number: "INV-1",
  day: day("2025-06-01"),
  currency: CurrencyCode.make("USD"),
  total: money("230"),
  taxCodes: new Set([TaxCode.make("VAT15")]),
  credited: money("0")
}

const breaches = (note: Translated, change: Partial<CreditedInvoice> = {}, on = "2025-06-30") =>
  checkCredit(source, note, { ...original, ...change }, day(on)).map(
    ({ code, detail, path }) => `${code} ${path.join("/")}: ${detail}`
  )

it("a credit note for a part of its original breaks no rule", () => {
  assert.deepStrictEqual(breaches(creditNote()), [])
})

describe("RCPT033, the age of the original", () => {
  it("is twelve months at most, to the day", () => {
    assert.deepStrictEqual(breaches(creditNote(), {}, "2026-06-01"), [])
    assert.deepStrictEqual(breaches(creditNote(), {}, "2026-06-02"), [
      "RCPT033 originals: INV-1 is of 2025-06-01, the credit note of 2026-06-02"
    ])
  })

  it("ends on the last day of February for an invoice of a leap day", () => {
    const leap = { day: day("2024-02-29") }
    assert.deepStrictEqual(breaches(creditNote(), leap, "2025-02-28"), [])
    assert.strictEqual(breaches(creditNote(), leap, "2025-03-01").length, 1)
  })
})

describe("RCPT035, the rest to credit", () => {
  it("may be credited to the last cent, including pending credits", () => {
    assert.deepStrictEqual(breaches(creditNote(), { credited: money("115") }), [])
    assert.deepStrictEqual(breaches(creditNote(), { total: money("115") }), [])
  })

  it("may not be exceeded by one cent", () => {
    assert.deepStrictEqual(breaches(creditNote(), { credited: money("115.01") }), [
      "RCPT035 totals/total: 115.01 credited before + 115.00 > 230.00 of INV-1"
    ])
    assert.deepStrictEqual(breaches(creditNote(), { total: money("114.99") }), [
      "RCPT035 totals/total: 115.00 > 114.99 of INV-1"
    ])
  })

  it("is not checked with the totals of a partly translated note", () => {
    assert.deepStrictEqual(breaches(creditNote({}, { completeness: "partial" }), { total: money("1") }), [])
  })
})

describe("RCPT036, taxes of the original", () => {
  it("are the only taxes that a credit note may have", () => {
    const lineItems = [line(), line({}, { taxCode: "ZERO" }), line({}, { taxCode: "ZERO" })]
    assert.deepStrictEqual(breaches(creditNote({ lineItems, ...totals("200", "15", "215") })), [
      "RCPT036 lines/1/taxes: INV-1 has VAT15"
    ])
  })
})

describe("RCPT042, the currency of the original", () => {
  it("must be the currency of the credit note", () => {
    assert.deepStrictEqual(breaches(creditNote({ currencyCode: CurrencyCode.make("ZAR") })), [
      "RCPT042 currency: ZAR, INV-1 is in USD"
    ])
  })
})
