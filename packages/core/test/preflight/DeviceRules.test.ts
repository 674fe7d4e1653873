import { assert, describe, it } from "@effect/vitest"
import { check } from "../../src/preflight/check.ts"
import type { DeviceFacts } from "../../src/preflight/DeviceFacts.ts"
import type { Translated } from "../../src/translate/Translated.ts"
import { day, invoice, line, money, totals } from "./SampleTranslated.ts"

const source = { where: () => ({ file: "x" }) }

const device: DeviceFacts = {
  taxes: [
    { id: 1, name: "VAT", percent: money("15.00"), since: null, until: day("2025-12-31") },
    { id: 515, name: "VAT", percent: money("15.5"), since: day("2026-01-01"), until: null },
    { id: 2, name: "Zero rated", percent: money("0"), since: null, until: null },
    { id: 3, name: "Exempt", percent: null, since: null, until: null }
  ],
  lostTax: null,
  vat: "registered",
  currencies: new Set(["USD", "ZWG"]),
  creditWithoutOriginal: "refused",
  doubts: [],
  notStated: [],
  today: day("2026-02-01"),
  dayHours: 24,
  mappings: null
}

const breaches = (translated: Translated, change: Partial<DeviceFacts> = {}) =>
  check(source, translated, { device: { ...device, ...change } }).map(
    ({ code, message, path }) => `${code} ${path.join("/")}: ${message}`
  )
const withTax = (taxCode: string, taxDate = "2025-06-30") => {
  const figures = taxCode === "VAT15" ? totals("100", "15", "115") : totals("100", "0", "100")
  return invoice({ lineItems: [line({}, { taxCode })], ...figures }, { taxDate: day(taxDate) })
}

it("a valid invoice breaks no device rule, and no rule applies to an unknown device", () => {
  assert.deepStrictEqual(breaches(invoice()), [])
  assert.deepStrictEqual(check(source, invoice({}, { deviceCurrency: "???" })), [])
})

describe("RCPT010, the currency", () => {
  it("must be in the gateway's list, if the list was requested", () => {
    const euro = invoice({}, { deviceCurrency: "EUR" })
    assert.deepStrictEqual(breaches(euro), ["RCPT010 currency: the device does not know the currency EUR"])
    assert.deepStrictEqual(breaches(euro, { currencies: null }), [])
  })
})

describe("RCPT021, VAT of an unregistered taxpayer", () => {
  it("must not be above 0 %", () => {
    const vat = { vat: "not-registered" } as const
    assert.deepStrictEqual(breaches(withTax("VAT15"), vat), [
      "RCPT021 lines/0/taxes: VAT15 is 15 %, and the taxpayer is not registered for VAT"
    ])
    assert.deepStrictEqual([...breaches(withTax("ZERO"), vat), ...breaches(withTax("EXEMPT"), vat)], [])
  })

  it("is not checked if the registration is unknown", () => {
    assert.deepStrictEqual(breaches(withTax("VAT15"), { vat: "unknown" }), [])
  })
})

describe("RCPT025, the device's tax on the day", () => {
  it("is valid to its last day and not after, judged by the document's tax date", () => {
    assert.deepStrictEqual(breaches(withTax("VAT15", "2025-12-31")), [])
    assert.deepStrictEqual(breaches(withTax("VAT15", "2026-01-01")), [
      "RCPT025 lines/0/taxes: VAT15 is device tax 1 at 15 %, which the device does not apply on 2026-01-01"
    ])
  })

  it("must have the book's percent, and exempt is not 0 %", () => {
    const other = device.taxes!.map((tax) => (tax.id === 3 ? { ...tax, percent: money("0") } : tax))
    assert.deepStrictEqual(breaches(withTax("EXEMPT"), { taxes: other }), [
      "RCPT025 lines/0/taxes: EXEMPT is device tax 3 at exempt, which the device does not apply on 2025-06-30"
    ])
  })

  it("must exist on the device", () => {
    assert.deepStrictEqual(breaches(withTax("ZERO"), { taxes: device.taxes!.filter(({ id }) => id !== 2) }), [
      "RCPT025 lines/0/taxes: ZERO is device tax 2, which the device does not have"
    ])
  })

  it("is left to the gateway if the device does not list its taxes", () => {
    assert.deepStrictEqual(breaches(withTax("VAT15", "2030-01-01"), { taxes: null }), [])
  })
})
