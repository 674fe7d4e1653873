import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Option } from "effect"
import * as CivilDate from "../../src/document/CivilDate.ts"
import * as Instant from "../../src/document/Instant.ts"
import { catalogue } from "../../src/finding/FindingCode.ts"
import * as Finding from "../../src/finding/Finding.ts"
import { fingerprint, roundedFingerprints, wording } from "../../src/source/Fingerprint.ts"
import type { SourceDocument } from "../../src/source/SourceDocument.ts"

const money = BigDecimal.fromStringUnsafe
const day = (text: string) => Option.getOrThrow(CivilDate.parse(text))
const instant = (text: string) => Option.getOrThrow(Instant.parse(text))

const address = { province: "HA", street: "Main Road", houseNo: "12", city: "Harbour" }

const stated: SourceDocument = {
  _tag: "SourceDocument",
  kind: "credit-note",
  id: "c9",
  number: "CN-3",
  order: 4,
  date: day("2026-01-31"),
  currency: "USD",
  taxMode: "exclusive",
  buyer: { name: "Example Stores", tin: "1234567890", address },
  lines: [
    {
      description: "Widget",
      quantity: money("2"),
      unitPrice: money("10.10"),
      lineAmount: money("18.18"),
      discount: { percent: money("10") },
      taxes: [{ code: "Standard", percent: money("15"), amount: money("2.73") }],
      productCode: "12345678"
    },
    { description: "Delivery", quantity: money("1"), unitPrice: money("5"), taxes: [{ code: "Standard" }] }
  ],
  charges: [{ kind: "shipping", amount: money("3"), taxes: [{ code: "Standard" }] }],
  totals: { net: money("26.18"), tax: money("3.93"), total: money("30.11") },
  originals: [{ by: "number", value: "INV-1", amount: money("30.11") }],
  reason: "Damaged",
  reference: "PO 7",
  paymentMethod: "card",
  findings: [],
  where: () => ({ file: "a.csv", line: 7 })
}
const [widget, delivery] = stated.lines as [SourceDocument["lines"][0], SourceDocument["lines"][0]]
const line = (change: Partial<SourceDocument["lines"][0]>) => ({ lines: [{ ...widget, ...change }, delivery] })

describe("a fingerprint with rounded unit prices", () => {
  const priced = (price: string): SourceDocument => ({
    ...stated,
    lines: stated.lines.map((line) => ({ ...line, unitPrice: money(price) }))
  })
  const roundings = (price: string, candidates: ReadonlyArray<string>) =>
    candidates.filter((one) => roundedFingerprints(priced(price)).includes(fingerprint(priced(one))))

  it("is that of half up and of half even, in both signs, and nothing for prices of two places", () => {
    const candidates = ["1.76", "1.77", "1.78", "1.79", "-1.76", "-1.77", "-1.78", "-1.79"]
    assert.deepStrictEqual(roundings("1.7733", candidates), ["1.77"])
    assert.deepStrictEqual(roundings("1.765", candidates), ["1.76", "1.77"])
    assert.deepStrictEqual(roundings("1.775", candidates), ["1.78"])
    assert.deepStrictEqual(roundings("-1.765", candidates), ["-1.76", "-1.77"])
    assert.deepStrictEqual(roundedFingerprints(priced("1.7700")), [])
    assert.deepStrictEqual(roundedFingerprints({ ...priced("1.77"), number: "CN-4" }), [])
  })
})

describe("the fingerprint of a source document", () => {
  it("is a SHA-256 in hexadecimal", () => assert.match(fingerprint(stated), /^[0-9a-f]{64}$/))

  const { UNREADABLE } = catalogue({
    UNREADABLE: { severity: "warning", meaning: "unreadable", consequence: "none", fix: "none" }
  })

  it.each<[string, Partial<SourceDocument>]>([
    ["another place in the export", { order: 99 }],
    ["another file", { where: () => ({ file: "b.csv", line: 1 }) }],
    ["other findings about it", { findings: [Finding.make(UNREADABLE)] }],
    [
      "figures written with more zeros",
      { totals: { net: money("26.180"), tax: money("3.93"), total: money("30.11") } }
    ],
    ["fields in another order", { totals: { total: money("30.11"), tax: money("3.93"), net: money("26.18") } }],
    ["a buyer's fields in another order", { buyer: { address, tin: "1234567890", name: "Example Stores" } }],
    ["another name of the same taxpayer", { buyer: { ...stated.buyer, name: "Example Shops" } }],
    ["another address of the buyer", { buyer: { ...stated.buyer, address: { ...address, houseNo: "13" } } }],
    ["a phone and an e-mail of the buyer", { buyer: { ...stated.buyer, phone: "+263 4 1", email: "a@example.com" } }],
    ["another payment method", { paymentMethod: "cash" }],
    ["an original that is named later", { originals: [] }],
    ["a further original", { originals: [...stated.originals, { by: "id", value: "i2" }] }],
    ["another percent of a tax code", line({ taxes: [{ ...widget.taxes[0]!, percent: money("15.5") }] })],
    ["another reference, where a reason is stated", { reference: "PO 8" }],
    ["a reason with white space round it", { reason: " Damaged\n" }]
  ])("stays the same for %s", (_, change) => {
    assert.strictEqual(fingerprint({ ...stated, ...change }), fingerprint(stated))
  })

  it.each<[string, Partial<SourceDocument>]>([
    ["kind", { kind: "invoice" }],
    ["id", { id: "c10" }],
    ["number", { number: "CN-4" }],
    ["date", { date: day("2026-02-01") }],
    ["date, now with a time", { date: instant("2026-01-31T00:00:00+02:00") }],
    ["currency", { currency: "usd" }],
    ["basis of its amounts", { taxMode: "inclusive" }],
    ["buyer's TIN", { buyer: { ...stated.buyer, tin: "1234567891" } }],
    ["buyer's VAT number", { buyer: { ...stated.buyer, vatNumber: "123456789" } }],
    ["line's description", line({ description: "Widgets" })],
    ["line's quantity", line({ quantity: money("3") })],
    ["line's unit price", line({ unitPrice: money("10.11") })],
    ["line's amount", line({ lineAmount: money("18.19") })],
    ["line's discount", line({ discount: { percent: money("11") } })],
    ["line's discount, an amount instead of a percent", line({ discount: { amount: money("10") } })],
    ["line's tax code", line({ taxes: [{ ...widget.taxes[0]!, code: "Zero" }] })],
    ["line's tax amount", line({ taxes: [{ ...widget.taxes[0]!, amount: money("2.72") }] })],
    ["line's product code", line({ productCode: "87654321" })],
    ["order of lines", { lines: [delivery, widget] }],
    ["number of lines", { lines: [widget] }],
    ["charge's kind", { charges: [{ ...stated.charges[0]!, kind: "fee" }] }],
    ["charge's amount", { charges: [{ ...stated.charges[0]!, amount: money("3.01") }] }],
    ["total", { totals: { ...stated.totals, total: money("30.12") } }],
    ["set of totals", { totals: { total: money("30.11"), tax: money("3.93") } }],
    ["reason", { reason: "Returned" }]
  ])("differs with another %s", (_, change) => {
    assert.notStrictEqual(fingerprint({ ...stated, ...change }), fingerprint(stated))
  })

  it("differs if a field is missing", () => {
    const { currency: _, ...rest } = stated
    assert.notStrictEqual(fingerprint(rest), fingerprint(stated))
    assert.notStrictEqual(fingerprint(rest), fingerprint({ ...rest, currency: "" }))
  })

  it("differs with the name of a buyer without a TIN", () => {
    const of = (buyer: SourceDocument["buyer"]) => fingerprint({ ...stated, ...(buyer && { buyer }) })
    const walkIn = of({ name: "Example Stores" })
    assert.strictEqual(of({ name: "Example Stores", tin: " ", phone: "1" }), walkIn)
    assert.notStrictEqual(of({ name: "Example Shops" }), walkIn)
    assert.notStrictEqual(of({ name: "Example Stores", tin: "1234567890" }), walkIn)
  })

  it("uses a credit note's reference as its reason if no reason is stated, and ignores an invoice's reference", () => {
    const { reason: _, ...unreasoned } = stated
    const of = (fields: Partial<SourceDocument>) => fingerprint({ ...unreasoned, ...fields })
    assert.strictEqual(of({ reference: "PO 7" }), of({ reason: "PO 7" }))
    assert.notStrictEqual(of({ reference: "PO 8" }), of({ reference: "PO 7" }))
    assert.strictEqual(of({ kind: "invoice", reference: "PO 8" }), of({ kind: "invoice", reference: "PO 7" }))
  })

  it("differs with the offset of an instant, because the source states the offset", () => {
    const of = (text: string) => fingerprint({ ...stated, date: instant(text) })
    assert.strictEqual(of("2026-01-31T08:00:00+02:00"), of("2026-01-31T08:00:00+02:00"))
    assert.notStrictEqual(of("2026-01-31T08:00:00+02:00"), of("2026-01-31T06:00:00Z"))
  })

  it("separates neighboring texts", () => {
    const of = (number: string, currency: string) => fingerprint({ ...stated, number, currency })
    assert.notStrictEqual(of("ab", "c"), of("a", "bc"))
  })
})

describe("the wording of a source document", () => {
  it("contains every stated fact, whatever its place in the export", () => {
    assert.strictEqual(wording({ ...stated, order: 99, where: () => ({ file: "b.csv", line: 1 }) }), wording(stated))
    for (const change of [
      { paymentMethod: "cash" },
      { originals: [] },
      { reference: "PO 8" },
      { buyer: { ...stated.buyer, name: "Example Shops" } }
    ]) {
      assert.strictEqual(fingerprint({ ...stated, ...change }), fingerprint(stated))
      assert.notStrictEqual(wording({ ...stated, ...change }), wording(stated))
    }
  })
})
