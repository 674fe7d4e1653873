/**
 * Guards that cannot be evaluated: the refusal of a document, and the documents that are sent
 * anyway.
 */
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Option } from "effect"
import * as HistoricalGuard from "../../src/account/HistoricalGuard.ts"
import { check } from "../../src/preflight/check.ts"
import * as DeviceFacts from "../../src/preflight/DeviceFacts.ts"
import type * as GatewayMappings from "../../src/mapping/GatewayMappings.ts"
import type { Translated } from "../../src/translate/Translated.ts"
import * as Sample from "../gateway/SampleAnswers.ts"
import { currency, mapping } from "../mapping/Mappings.ts"
import { day, invoice, line, totals } from "./SampleTranslated.ts"

const source = { where: () => ({ file: "x" }) }
const now = Option.getOrThrow(DateTime.makeZoned("2026-02-03T10:00:00Z", { timeZone: "+02:00" }))
const { applicableTaxes: taxes, ...config } = Sample.deviceConfig
const [standard, ...others] = taxes

const answered = (CurrentConfig: unknown) => Sample.deviceAnswered({ ...Sample.fiscalDevice, CurrentConfig })
const configured = (change: object) => answered(JSON.stringify({ ...config, applicableTaxes: taxes, ...change }))

const codes = (
  device: ReturnType<typeof answered>,
  translated: Translated,
  currencies: DeviceFacts.CurrencyAnswer = ["USD"],
  around: DeviceFacts.FactsAround = {}
) => [
  ...new Set(
    check(source, translated, { device: DeviceFacts.make(device, currencies, now, around) }).map(({ code }) => code)
  )
]

const taxed = invoice({}, { taxDate: day("2025-06-30") })
const afterItsEnd = invoice({}, { taxDate: day("2026-01-31") })
const zero = invoice(
  { lineItems: [line({}, { taxCode: "ZERO" })], ...totals("100", "0", "100") },
  { taxDate: day("2025-06-30") }
)

describe("a check with missing or unreadable facts", () => {
  it("accepts a document if every fact is as documented, and refuses an expired tax", () => {
    assert.deepStrictEqual(codes(configured({}), taxed), [])
    assert.deepStrictEqual(codes(configured({}), afterItsEnd), ["RCPT025"])
  })

  for (const [what, value] of [
    ["no configuration", null],
    ["an empty configuration", "{}"],
    ["no taxes", JSON.stringify(config)],
    ["an empty list of taxes", JSON.stringify({ ...config, applicableTaxes: [] })]
  ] as const) {
    it(`refuses taxed documents if there is ${what}, until an operator accepts that`, () => {
      const device = answered(value)
      assert.include(codes(device, taxed), "FACT_MISSING")
      const accepted = [
        { fact: "taxes", because: "the portal shows them" },
        { fact: "vat", because: "registered" }
      ] as const
      assert.notInclude(codes(device, taxed, ["USD"], { accepted }), "FACT_MISSING")
    })
  }

  for (const [what, value] of [
    ["that is not JSON", "{"],
    ["that is a number", 5],
    ["with text in place of taxes", JSON.stringify({ ...config, applicableTaxes: "none" })],
    ["with another name for its taxes", JSON.stringify({ ...config, applicableTaxesList: taxes })]
  ] as const) {
    it(`refuses taxed documents for a configuration ${what}`, () => {
      assert.include(codes(answered(value), taxed), "FACT_UNREADABLE")
    })
  }

  it("reads a validity in any letter case, and refuses an expired tax", () => {
    const { taxValidTill, ...rest } = standard!
    const device = configured({ applicableTaxes: [{ ...rest, TaxValidTill: taxValidTill }, ...others] })
    assert.deepStrictEqual(codes(device, afterItsEnd), ["RCPT025"])
    assert.deepStrictEqual(codes(device, taxed), [])
  })

  for (const slip of ["taxValidUntil", "tax_valid_to_till", "taxValidTil"]) {
    it(`refuses only documents with the tax if its end has the name ${slip}`, () => {
      const { taxValidTill, ...rest } = standard!
      const device = configured({ applicableTaxes: [{ ...rest, [slip]: taxValidTill }, ...others] })
      assert.deepStrictEqual(codes(device, afterItsEnd), ["FACT_UNREADABLE"])
      assert.deepStrictEqual(codes(device, zero), [])
    })
  }

  for (const change of [{ taxValidTill: "soon" }, { taxPercent: "fifteen" }, { taxValidFrom: {} }]) {
    it(`refuses only documents with the tax if it has ${JSON.stringify(change)}`, () => {
      const device = configured({ applicableTaxes: [{ ...standard, ...change }, ...others] })
      assert.deepStrictEqual(codes(device, taxed), ["FACT_UNREADABLE"])
      assert.deepStrictEqual(codes(device, zero), [])
    })
  }

  it("does not claim that the device lacks a tax if a row of its taxes is unreadable", () => {
    const device = configured({ applicableTaxes: [{ ...standard, taxId: "one" }, ...others] })
    assert.deepStrictEqual(codes(device, taxed), ["FACT_UNREADABLE"])
    assert.deepStrictEqual(codes(device, zero), [])
  })

  it("refuses only documents taxed above 0 % if the VAT number is unreadable", () => {
    for (const change of [{ vatNumber: ["x"] }, { vatNumber: undefined, vatNumbr: "220012345" }]) {
      assert.deepStrictEqual(codes(configured(change), taxed), ["FACT_UNREADABLE"])
      assert.deepStrictEqual(codes(configured(change), zero), [])
    }
    assert.deepStrictEqual(codes(configured({ vatNumber: undefined }), taxed), ["RCPT021"])
  })

  it("skips currencies if the gateway has no list, and refuses if the list is unreadable or empty", () => {
    assert.deepStrictEqual(codes(configured({}), taxed, null), [])
    assert.deepStrictEqual(codes(configured({}), taxed, { unreadable: "5" }), ["FACT_UNREADABLE"])
    assert.deepStrictEqual(codes(configured({}), taxed, []), ["FACT_MISSING"])
    assert.deepStrictEqual(codes(configured({}), taxed, ["ZAR"]), ["RCPT010"])
  })

  it("refuses documents dated before today if the last close is unreadable", () => {
    const lastClose = { state: "unreadable", text: "ClosedAt" } as const
    assert.deepStrictEqual(codes(configured({}), taxed, ["USD"], { lastClose }), ["FACT_UNREADABLE"])
    const today = invoice({}, { date: day("2026-02-03"), taxDate: day("2025-06-30") })
    assert.deepStrictEqual(codes(configured({}), today, ["USD"], { lastClose }), [])
  })

  describe("with unreadable rows of the gateway's mappings", () => {
    const mapped = (
      lost: Partial<GatewayMappings.MappedCodes["lost"]>,
      taxMapped: ReadonlyArray<string> = ["ZERO"],
      currencies: ReadonlyArray<string> = ["USD"]
    ): DeviceFacts.FactsAround => ({
      mappings: {
        taxes: taxMapped.map((code, n) => mapping(n + 1, code, 1)),
        currencies: currencies.map((code, n) => currency(n + 1, code, code)),
        lost: { taxes: [], currencies: [], ...lost }
      }
    })
    const row = (code: string | null) => ({ code, text: "row 1" })
    const refusedBy = (translated: Translated, around: DeviceFacts.FactsAround) =>
      codes(configured({}), translated, ["USD"], around)

    it("refuses only documents whose code a row may map", () => {
      for (const taxes of [[row("VAT15")], [row(null)]]) {
        assert.deepStrictEqual(refusedBy(taxed, mapped({ taxes })), ["FACT_UNREADABLE"])
        assert.deepStrictEqual(refusedBy(zero, mapped({ taxes })), [])
      }
      for (const lost of [[row("USD")], [row(null)]]) {
        assert.deepStrictEqual(refusedBy(zero, mapped({ currencies: lost }, ["ZERO"], [])), ["FACT_UNREADABLE"])
      }
    })

    it("refuses a code that another row maps too, since the rows may differ", () => {
      assert.deepStrictEqual(refusedBy(taxed, mapped({ taxes: [row("VAT15")] }, ["VAT15"])), ["FACT_UNREADABLE"])
    })

    it("refuses nothing for a row of another code, or for an unnamed row if every code is mapped", () => {
      for (const taxes of [[row("OLD")], [row(null)]])
        assert.deepStrictEqual(refusedBy(taxed, mapped({ taxes, currencies: [row(null)] }, ["VAT15"])), [])
    })

    it("offers no way to send without the check", () => {
      const device = DeviceFacts.make(configured({}), ["USD"], now, mapped({ taxes: [row(null)] }))
      const [found] = check(source, taxed, { device })
      assert.deepStrictEqual(found?.steps, [{ do: "list-mappings", of: "tax" }])
      assert.notInclude(found?.fix ?? "", "accept")
    })
  })

  it("reports facts that the gateway may omit by its contract", () => {
    const bare = configured({ vatNumber: undefined, applicableTaxes: [{ taxId: 2, taxPercent: 0 }] })
    assert.strictEqual(DeviceFacts.make(bare, null, now).notStated.length, 3)
    assert.deepStrictEqual(DeviceFacts.make(configured({}), ["USD"], now).notStated, [
      "how long taxes 2, 3 may be used (RCPT025)"
    ])
  })

  it("permits no historical batch with an unreadable permission", () => {
    for (const change of [{ ExpireCsvUpload: "" }, { AllowCsvUpload: "yes" }]) {
      const device = Sample.deviceAnswered({ ...Sample.fiscalDevice, ...change })
      assert.strictEqual(HistoricalGuard.check(device, now, "permitted")._tag, "Refused", JSON.stringify(change))
    }
  })
})
