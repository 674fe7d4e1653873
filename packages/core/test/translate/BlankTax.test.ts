import { assert, describe, it } from "../It.ts"
import { Effect } from "effect"
import * as BookFile from "../../src/mapping/BookFile.ts"
import * as BookText from "../../src/mapping/BookText.ts"
import * as BookAddition from "../../src/preflight/BookAddition.ts"
import * as Unmapped from "../../src/preflight/Unmapped.ts"
import type { SourceLine } from "../../src/source/SourceDocument.ts"
import { translate } from "../../src/translate/translate.ts"
import { invoice, money } from "../import/SampleSources.ts"

const written = (taxes: string) =>
  `{ "version": 1, "zone": "+02:00", "taxes": [${taxes}], "currencies": [{ "code": "USD", "device": "USD" }] }`
const standard = '{ "from": ["Standard"], "code": "VAT15", "device": 1, "percent": "15" }'

const untaxed = (fields: Partial<SourceLine>) =>
  invoice("INV-1", "2026-01-05", { lines: [{ ...invoice("x", "2026-01-05").lines[0]!, taxes: [], ...fields }] })
const load = (taxes: string) => BookFile.load("x.book.json", written(taxes))

describe("a line without a tax code", () => {
  it.effect.each([
    { fields: { account: "200" }, limit: '"accounts": ["200"]' },
    { fields: { productCode: "BOOK-1" }, limit: '"products": ["BOOK-1"]' },
    { fields: { account: "200", taxes: [{ code: " ", percent: money("15") }] }, limit: '"accounts": ["200"]' }
  ])("is refused with a working entry, and sent after the entry was added: $limit", ({ fields, limit }) =>
    Effect.gen(function* () {
      const book = yield* load(standard)
      const { findings } = translate(untaxed(fields), book)
      assert.deepStrictEqual(
        findings.map(({ code }) => code),
        ["TAX_UNMAPPED"]
      )
      assert.include(findings[0]?.fix, `{ "from": [""], ${limit}`)
      const unmapped = Unmapped.make()
      unmapped.add("INV-1", findings)
      const device = {
        taxes: [{ id: 1, name: "VAT", percent: money("15"), since: null, until: null }],
        currencies: null
      }
      const [addition] = unmapped.codes.flatMap((code) => BookAddition.of(code, book, device))
      assert.include(addition?.text, `"from": [""], ${limit}`)
      // Only the operator knows the values that are still "".
      const filled = addition!.text
        .replace('"code": ""', '"code": "VAT15"')
        .replace('"device": ""', '"device": 1')
        .replace('"percent": ""', '"percent": "15"')
      const text = BookText.append(written(standard), "taxes", [filled])
      const again = translate(untaxed(fields), yield* BookFile.load("x.book.json", text))
      assert.deepStrictEqual(again.findings, [])
      assert.strictEqual(again.translated?.document.payload.lineItems[0]?.taxCode as string, "VAT15")
    })
  )

  it.effect("does not get the tax of another account or product, and no suggestion if it states neither", function* () {
    const book = yield* load(
      `${standard}, { "from": [""], "accounts": ["200"], "code": "VAT15", "device": 1, "percent": "15" }`
    )
    for (const fields of [{}, { account: "201" }, { productCode: "200" }, { account: "" }]) {
      const [finding] = translate(untaxed({ productCode: "", ...fields }), book).findings
      assert.strictEqual(finding?.code, "TAX_UNMAPPED")
      assert.strictEqual(
        finding?.unmapped === undefined,
        !("account" in fields && fields.account) && !("productCode" in fields)
      )
    }
  })

  it.effect("is refused if its account and its product disagree, or outside of the period", function* () {
    const book = yield* load(
      `{ "from": [""], "accounts": ["200"], "code": "VAT15", "device": 1, "percent": "15" },
         { "from": [""], "products": ["BOOK"], "until": "2025-12-31", "code": "EXEMPT", "device": 3, "percent": null }`
    )
    const both = (date: string) => ({
      ...untaxed({ account: "200", productCode: "BOOK" }),
      date: invoice("x", date).date!
    })
    assert.deepStrictEqual(
      translate(both("2026-01-05"), book).findings.map(({ code }) => code),
      []
    )
    const [contradiction] = translate(both("2025-06-30"), book).findings
    assert.deepStrictEqual(
      [contradiction?.code, contradiction?.detail],
      ["TAX_UNMAPPED", "by its account and its product it is VAT15 and EXEMPT"]
    )
    const [out] = translate(untaxed({ productCode: "BOOK" }), book).findings
    assert.strictEqual(out?.code, "TAX_OUT_OF_PERIOD")
  })

  it.effect("has its stated tax compared with the tax of the blank entry", function* () {
    const book = yield* load('{ "from": [""], "accounts": ["200"], "code": "VAT15", "device": 1, "percent": "15" }')
    const { findings } = translate(untaxed({ account: "200", totals: { tax: money("0.00") } }), book)
    assert.deepStrictEqual(
      findings.map(({ code }) => code),
      ["TAX_AMOUNT_DIFFERS"]
    )
  })
})
