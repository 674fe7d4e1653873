import { assert, describe, it } from "@effect/vitest"
import { refuses } from "../../src/finding/Finding.ts"
import type { SourceDocument } from "../../src/source/SourceDocument.ts"
import { translate } from "../../src/translate/translate.ts"
import { day, money } from "../preflight/SampleTranslated.ts"
import { bookWith, deviceTaxes, percents } from "./GeneratedSources.ts"

const line: SourceDocument["lines"][number] = {
  description: "Lamp",
  quantity: money("1"),
  unitPrice: money("100"),
  taxes: [{ code: "Standard" }]
}

const document = (fields: Partial<SourceDocument>): SourceDocument => ({
  _tag: "SourceDocument",
  kind: "invoice",
  id: "inv-1",
  number: "INV-1",
  order: 0,
  date: day("2025-06-30"),
  currency: "USD",
  taxMode: "exclusive",
  lines: [line],
  charges: [],
  totals: {},
  originals: [],
  amounts: [{ name: "Total Discount", values: [money("10.00")], answers: [{ settings: { amounts: "net" } }] }],
  findings: [],
  where: () => ({ file: "a.csv" }),
  ...fields
})

const found = (fields: Partial<SourceDocument>) =>
  translate(document(fields), bookWith({ policies: { charges: "as-line" } })).findings.flatMap((finding) =>
    finding.code === "DISCOUNT_NOWHERE" ? [refuses(finding) ? "refused" : "warned"] : []
  )

describe("a discount that only the document states", () => {
  it("refuses it, with the way to settle the discount", () => {
    assert.deepStrictEqual(found({}), ["refused"])
    const [finding] = translate(document({}), bookWith({})).findings
    assert.deepStrictEqual(finding?.answers, [{ settings: { amounts: "net" } }])
    assert.strictEqual(finding?.detail, "10.00")
  })

  it("is already in the prices if a stated total equals the sum without it", () => {
    assert.deepStrictEqual(found({ totals: { total: money("115") } }), ["warned"])
    assert.deepStrictEqual(found({ totals: { total: money("103.50") } }), ["refused"])
  })

  it("has no effect if it is zero, if a line or charge has a discount, or if the column has another meaning", () => {
    assert.deepStrictEqual(found({ amounts: [{ name: "Total Discount", values: [money("0.00")] }] }), [])
    assert.deepStrictEqual(found({ lines: [{ ...line, discount: { percent: money("10") } }] }), [])
    const off = { amount: money("10"), taxes: [] }
    assert.deepStrictEqual(found({ charges: [{ ...off, kind: "discount" }] }), [])
    assert.deepStrictEqual(found({ amounts: [{ name: "Discount Amount", values: [money("10")] }] }), [])
  })
})

describe("a charge without a tax", () => {
  const of = (kind: "shipping" | "rounding", codes: ReadonlyArray<string>, lines: string) => {
    const charge = { kind, amount: money("10"), taxes: [] }
    const taxes = Object.keys(percents).map((code) => ({ from: [code], code, device: deviceTaxes[code], percent: "1" }))
    const { findings, translated } = translate(
      document({ amounts: [], lines: codes.map((code) => ({ ...line, taxes: [{ code }] })), charges: [charge] }),
      bookWith({
        policies: { charges: "as-line-taxed-like-lines" },
        taxes: [...taxes, { from: [""], lines, code: "Reduced", device: 5, percent: "1" }]
      })
    )
    return findings[0]?.code ?? (translated?.document.payload.lineItems.at(-1)?.taxCode as string)
  }

  it("has the tax of all lines, of which two codes may be one, and otherwise the book's tax of charges", () => {
    assert.strictEqual(of("shipping", ["Standard", "Services"], "charges"), "Standard")
    assert.strictEqual(of("shipping", ["Standard", "Zero"], "charges"), "Reduced")
    for (const kind of ["shipping", "rounding"] as const)
      assert.strictEqual(of(kind, ["Standard", "Zero"], kind === "rounding" ? "charges" : "all"), "CHARGE_UNTAXED")
  })
})

describe("a charge or discount that is the tax of the lines", () => {
  const taxed = (tax: string) => ({ ...line, taxes: [{ code: "Standard", amount: money(tax) }] })
  const of = (kind: "shipping" | "discount", amount: string, totals: SourceDocument["totals"] = {}) =>
    translate(
      document({
        amounts: [],
        lines: [taxed("15.00"), taxed("15.00")],
        charges: [{ kind, amount: money(amount), taxes: [] }],
        totals
      }),
      bookWith({ policies: { charges: "as-line-taxed-like-lines" } })
    ).findings.map(({ code }) => code)

  it("is refused without a stated total: a wrong column map may read the tax of the document so", () => {
    for (const kind of ["shipping", "discount"] as const) assert.include(of(kind, "30.00"), "CHARGE_EQUALS_TAX")
  })

  it("is refused as well if the lines name their tax and state no amount of it", () => {
    const codes = (amount: string, taxMode: "exclusive" | "inclusive") =>
      translate(
        document({
          amounts: [],
          taxMode,
          lines: [line, { ...line, unitPrice: money("0.10") }, { ...line, unitPrice: money("0.10") }],
          charges: [{ kind: "shipping", amount: money(amount), taxes: [] }]
        }),
        bookWith({ policies: { charges: "as-line-taxed-like-lines" } })
      ).findings.map(({ code }) => code)
    // 15.00 + 0.02 + 0.02 line by line, and once for all lines
    for (const tax of ["15.04", "15.03"]) assert.include(codes(tax, "exclusive"), "CHARGE_EQUALS_TAX")
    assert.include(codes("13.07", "inclusive"), "CHARGE_EQUALS_TAX")
    for (const other of ["15.05", "13.07"]) assert.notInclude(codes(other, "exclusive"), "CHARGE_EQUALS_TAX")
  })

  it("is read as stated if it is another amount, or if a total shows that it is charged", () => {
    assert.notInclude(of("shipping", "29.99"), "CHARGE_EQUALS_TAX")
    assert.notInclude(of("shipping", "30.00", { total: money("264.50") }), "CHARGE_EQUALS_TAX")
  })
})
