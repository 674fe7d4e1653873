import { assert, describe, it } from "@effect/vitest"
import type { BuyerContact } from "../../src/document/BuyerContact.ts"
import * as Money from "../../src/document/Money.ts"
import { check } from "../../src/preflight/check.ts"
import { documentRules } from "../../src/preflight/documentRules.ts"
import type { Translated } from "../../src/translate/Translated.ts"
import { creditNote, invoice, line, money, totals } from "./SampleTranslated.ts"

const source = { where: (path: ReadonlyArray<string | number>) => ({ file: "x", pointer: path.join("/") }) }

/** Returns breaches as `CODE path: detail`. */
const breaches = (translated: Translated, tolerance?: string) =>
  check(source, translated, {
    tolerances: tolerance === undefined ? undefined : { sums: money(tolerance), lineProduct: Money.cent }
  }).map(({ code, detail, path }) => `${code} ${path.join("/")}${detail === undefined ? "" : `: ${detail}`}`)

const passes = (translated: Translated, tolerance?: string) =>
  assert.deepStrictEqual(breaches(translated, tolerance), [])

const buyer = (fields: Partial<BuyerContact>): BuyerContact => ({
  name: null,
  tradeName: null,
  tin: null,
  vatNumber: null,
  phone: null,
  email: null,
  address: null,
  ...fields
})

it("a valid invoice and a valid credit note break no rule", () => {
  passes(invoice())
  passes(creditNote())
})

it("every rule of the table has its case below", () => {
  assert.deepStrictEqual(
    documentRules.filter(({ rule }) => rule.code.startsWith("RCPT")).map(({ rule }) => rule.code.slice(4)),
    ["016", "017", "019", "022", "023", "024", "026", "027", "034", "037", "038", "040", "043", "047", "048"]
  )
})

describe("RCPT016, the lines", () => {
  it("must be at least one", () => {
    assert.deepStrictEqual(breaches(invoice({ lineItems: [], ...totals("0", "0", "0") })), ["RCPT016 lines"])
  })
})

describe("RCPT017, a tax on every line", () => {
  it("names each line whose code is missing from the book", () => {
    const lineItems = [line(), line({}, { taxCode: "LUXURY" }), line({}, { taxCode: "LUXURY" })]
    assert.deepStrictEqual(
      breaches(invoice({ lineItems, ...totals("300", "15", "315") })).filter((breach) => breach.startsWith("RCPT017")),
      ["RCPT017 lines/1/taxes: LUXURY", "RCPT017 lines/2/taxes: LUXURY"]
    )
  })
})

describe("RCPT019, the total of an inclusive document", () => {
  const lines = (total: string, net: string) =>
    invoice({
      isTaxInclusive: true,
      lineItems: [line({ unitAmount: "115", lineAmount: "115" }), line({ unitAmount: "230", lineAmount: "230" })],
      ...totals(net, "45", total)
    })

  it("is the sum of the lines", () => passes(lines("345", "300")))

  it("must be exact to the cent", () => {
    assert.deepStrictEqual(breaches(lines("345.01", "300.01")), [
      "RCPT019 totals/total: lines 345.00, total 345.01",
      "RCPT038 totals/total: tax groups 345.00, total 345.01"
    ])
    assert.strictEqual(breaches(lines("344.99", "299.99")).length, 2)
  })
})

describe("RCPT022 and RCPT023, price and quantity", () => {
  const one = (unitAmount: string, quantity: string, lineAmount: string) =>
    breaches(
      invoice({
        lineItems: [line({ unitAmount, quantity, lineAmount }, { taxCode: "ZERO" })],
        ...totals(lineAmount, "0", lineAmount)
      })
    )

  it("must be above zero, in any size", () => {
    assert.deepStrictEqual(one("0.000001", "1000000", "1"), [])
    assert.deepStrictEqual(one("1000000", "0.000001", "1"), [])
  })

  it("must not be zero or negative", () => {
    assert.deepStrictEqual(one("0", "1", "0"), ["RCPT022 lines/0/unitPrice: 0"])
    assert.deepStrictEqual(one("1", "0", "0"), ["RCPT023 lines/0/quantity: 0"])
    assert.deepStrictEqual(one("-0.5", "-2", "1"), ["RCPT022 lines/0/unitPrice: -0.5", "RCPT023 lines/0/quantity: -2"])
  })
})

describe("RCPT024, a line's amount", () => {
  const one = (quantity: string, unitAmount: string, lineAmount: string, discount: string | null = null) =>
    breaches(
      invoice({
        lineItems: [line({ quantity, unitAmount, lineAmount }, { taxCode: "ZERO", discount })],
        ...totals(lineAmount, "0", lineAmount)
      })
    )

  it("must be price × quantity − discount within one cent", () => {
    assert.deepStrictEqual(one("3", "0.335", "1.01"), [])
    assert.deepStrictEqual(one("3", "0.335", "1.00"), [])
    assert.deepStrictEqual(one("1", "10.01", "10.00"), [])
    assert.deepStrictEqual(one("1", "9.99", "10.00"), [])
    assert.deepStrictEqual(one("2", "50", "92.50", "7.50"), [])
    assert.deepStrictEqual(one("2", "50", "0", "100"), [])
  })

  it("must not differ by more than one cent", () => {
    assert.deepStrictEqual(one("1", "10.010001", "10.00"), [
      "RCPT024 lines/0/lineAmount: 1 × 10.010001 = 10.010001, stated 10.00"
    ])
    assert.deepStrictEqual(one("1", "9.989999", "10.00"), [
      "RCPT024 lines/0/lineAmount: 1 × 9.989999 = 9.989999, stated 10.00"
    ])
    assert.deepStrictEqual(one("2", "50", "92.52", "7.50"), [
      "RCPT024 lines/0/lineAmount: 2 × 50 − 7.50 = 92.50, stated 92.52"
    ])
  })

  it("keeps its own tolerance with the switch for sums", () => {
    const translated = invoice({ lineItems: [line({ lineAmount: "100.02" })], ...totals("100.02", "15", "115.02") })
    assert.deepStrictEqual(breaches(translated, "0.02"), [
      "RCPT024 lines/0/lineAmount: 1 × 100 = 100.00, stated 100.02"
    ])
  })
})

describe("RCPT026, the tax", () => {
  const three = (net: string, tax: string, total: string, codes = ["VAT15", "VAT15", "VAT15"]) =>
    invoice({
      lineItems: ["25.06", "25.61", "25.63"].map((amount, i) =>
        line({ unitAmount: amount, lineAmount: amount }, { taxCode: codes[i]! })
      ),
      ...totals(net, tax, total)
    })

  it("is computed from the sum of the lines of a tax", () => passes(three("76.30", "11.45", "87.75")))

  it("is not the sum of the rounded taxes of the lines", () => {
    assert.deepStrictEqual(breaches(three("76.30", "11.44", "87.74")), [
      "RCPT026 totals/tax: the device computes 11.45, the document says 11.44",
      "RCPT038 totals/total: tax groups 87.75, total 87.74"
    ])
    passes(three("76.30", "11.44", "87.74"), "0.01")
  })

  it("is one group for two codes of the same device tax", () => {
    passes(three("76.30", "11.45", "87.75", ["VAT15", "GOODS", "VAT15"]))
  })

  it("is rounded half up in an inclusive document, too: 1.15 × 15 / 115 = 0.15; 0.04 × 15 / 115 = 0.0052… → 0.01", () => {
    const inclusive = (lineAmount: string, net: string, tax: string) =>
      invoice({
        isTaxInclusive: true,
        lineItems: [line({ unitAmount: lineAmount, lineAmount })],
        ...totals(net, tax, lineAmount)
      })
    passes(inclusive("1.15", "1.00", "0.15"))
    passes(inclusive("0.04", "0.03", "0.01"))
    assert.strictEqual(breaches(inclusive("0.04", "0.04", "0")).length, 1)
  })

  it("is zero if the percent is 0 or the line is exempt", () => {
    const lineItems = [line({}, { taxCode: "ZERO" }), line({}, { taxCode: "EXEMPT" })]
    passes(invoice({ lineItems, ...totals("200", "0", "200") }))
    assert.deepStrictEqual(breaches(invoice({ lineItems, ...totals("199.99", "0.01", "200") })), [
      "RCPT026 totals/tax: the device computes 0.00, the document says 0.01",
      "RCPT037 totals/total: lines and tax 200.01, total 200.00"
    ])
  })
})

describe("RCPT027, the taxed amount", () => {
  it("is exactly the total less the tax, whatever the switch", () => {
    const off = invoice(totals("100.01", "15", "115"))
    assert.deepStrictEqual(breaches(off), ["RCPT027 totals/net: 115.00 − 15.00 = 100.00, not 100.01"])
    assert.strictEqual(breaches(off, "0.02").length, 1)
  })
})

describe("RCPT034, the reason of a credit note", () => {
  it.each([null, "", "  "])("must not be %j", (reference) => {
    assert.deepStrictEqual(breaches(creditNote({ reference })), ["RCPT034 reason"])
  })
  it("is required for credit notes only", () => passes(invoice({ reference: null })))
})

describe("RCPT037 and RCPT038, the total of an exclusive document", () => {
  it("is the sum of lines and tax, and the sum of the tax groups", () => {
    assert.deepStrictEqual(breaches(invoice(totals("100.01", "15", "115.01"))), [
      "RCPT037 totals/total: lines and tax 115.00, total 115.01",
      "RCPT038 totals/total: tax groups 115.00, total 115.01"
    ])
  })
})

describe("RCPT040, the sign of the total", () => {
  it("may be zero", () => {
    passes(invoice({ lineItems: [line({ lineAmount: "0" }, { discount: "100" })], ...totals("0", "0", "0") }))
  })
  it("must not be negative", () => {
    const lineItems = [line({ lineAmount: "-0.01" }, { taxCode: "ZERO", discount: "100.01" })]
    assert.deepStrictEqual(breaches(invoice({ lineItems, ...totals("-0.01", "0", "-0.01") })), [
      "RCPT040 totals/total: -0.01"
    ])
  })
})

describe("RCPT043, the buyer", () => {
  it("may be a walk-in, a name with a TIN, or a name that begins with Cash", () => {
    passes(invoice({ buyerContact: null }))
    passes(invoice({ buyerContact: buyer({ name: "Rudo", tin: "1234567890" }) }))
    passes(invoice({ buyerContact: buyer({ name: "Cash sale Rudo" }) }))
  })

  it("must not be a name without a TIN, a TIN without a name, or only an address", () => {
    assert.deepStrictEqual(breaches(invoice({ buyerContact: buyer({ name: "Rudo" }) })), ["RCPT043 buyer/tin"])
    assert.deepStrictEqual(breaches(invoice({ buyerContact: buyer({ name: "cash" }) })), ["RCPT043 buyer/tin"])
    assert.deepStrictEqual(breaches(invoice({ buyerContact: buyer({ tin: "1234567890" }) })), ["RCPT043 buyer/name"])
    assert.deepStrictEqual(breaches(creditNote({ buyerContact: buyer({ email: "a@example.test" }) })), [
      "RCPT043 buyer/name"
    ])
  })
})

describe("RCPT047 and RCPT048, the HS code", () => {
  const product = (productCode: string | null, taxCode = "VAT15") => {
    const tax = taxCode === "VAT15" ? totals("100", "15", "115") : totals("100", "0", "100")
    return breaches(invoice({ lineItems: [line({}, { productCode, taxCode })], ...tax }))
  }

  it("has 8 digits, or 4 if the tax is above 0 %", () => {
    assert.deepStrictEqual(product("12345678"), [])
    assert.deepStrictEqual(product("1234"), [])
    assert.deepStrictEqual(product("12345678", "ZERO"), [])
    assert.deepStrictEqual(product("00000000", "EXEMPT"), [])
  })

  it("must be present", () => assert.deepStrictEqual(product(null), ["RCPT047 lines/0/productCode"]))

  it.each(["", "123", "12345", "123456789", "1234567X", "1234 678", "１２３４５６７８"])("must not be %j", (code) => {
    assert.deepStrictEqual(product(code), [`RCPT048 lines/0/productCode: "${code}"`])
  })

  it.each(["ZERO", "EXEMPT"])("must not have 4 digits if the tax is %s", (tax) => {
    assert.deepStrictEqual(product("1234", tax), ['RCPT048 lines/0/productCode: "1234"'])
  })

  it("is not too short for an unknown tax", () => {
    const lineItems = [line({}, { productCode: "1234", taxCode: "LUXURY" })]
    passes(invoice({ lineItems }, { completeness: "partial" }))
    const five = [line({}, { productCode: "12345", taxCode: "LUXURY" })]
    assert.deepStrictEqual(breaches(invoice({ lineItems: five }, { completeness: "partial" })), [
      'RCPT048 lines/0/productCode: "12345"'
    ])
  })
})

describe("a partly translated document", () => {
  it("is checked by the rules for lines and buyer, but not by the rules for totals", () => {
    const lineItems = [line({ unitAmount: "0", lineAmount: "0" }, { productCode: null, taxCode: "LUXURY" })]
    const translated = invoice(
      { lineItems, buyerContact: buyer({ name: "Rudo" }), ...totals("0", "7", "-9") },
      { completeness: "partial" }
    )
    assert.deepStrictEqual(breaches(translated), [
      "RCPT022 lines/0/unitPrice: 0",
      "RCPT043 buyer/tin",
      "RCPT047 lines/0/productCode"
    ])
  })

  it("has findings with the places of the source, not of the wire", () => {
    const lineItems = [
      line({}, { productCode: null }),
      line({ unitAmount: "20", lineAmount: "20" }, { productCode: null })
    ]
    const translated = invoice(
      { lineItems, ...totals("120", "18", "138") },
      {
        origins: [
          ["lines", 3],
          ["charges", 0]
        ]
      }
    )
    assert.deepStrictEqual(breaches(translated), ["RCPT047 lines/3/productCode", "RCPT047 charges/0/productCode"])
    assert.deepStrictEqual(
      check(source, translated).map(({ at }) => at?.pointer),
      ["lines/3/productCode", "charges/0/productCode"]
    )
  })
})
