import { assert, describe, it } from "@effect/vitest"
import { refuses } from "../../src/finding/Finding.ts"
import type { SourceDocument } from "../../src/source/SourceDocument.ts"
import { translate } from "../../src/translate/translate.ts"
import { day, money } from "../preflight/SampleTranslated.ts"
import { bookWith } from "./GeneratedSources.ts"

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
