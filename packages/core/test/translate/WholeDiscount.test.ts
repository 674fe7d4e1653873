import { assert, describe, it } from "../It.ts"
import { formatAmount } from "../../src/document/Money.ts"
import * as BookFile from "../../src/mapping/BookFile.ts"
import { translate } from "../../src/translate/translate.ts"
import { policyQuestions } from "../../src/question/PolicyQuestions.ts"
import { invoice, money } from "../import/SampleSources.ts"

const book = BookFile.load(
  "x.book.json",
  `{ "version": 1, "zone": "+02:00", "taxes": [{ "from": ["Standard"], "code": "VAT15", "device": 1, "percent": "15" }],
     "currencies": [{ "code": "USD", "device": "USD" }], "policies": { "charges": "as-line" } }`
)

const discounted = (amount: string, total: string) => {
  const line = {
    ...invoice("x", "2026-01-05").lines[0]!,
    quantity: money("2"),
    unitPrice: money("26"),
    lineAmount: money("52")
  }
  return invoice("INV-1", "2026-01-05", {
    taxMode: "exclusive",
    lines: [line],
    charges: [{ kind: "discount", amount: money(amount), taxes: [] }],
    totals: { total: money(total) }
  })
}

describe("a discount on the whole document", () => {
  it.effect("may be 100 %: the lines become zero and keep their prices", function* () {
    const { findings, translated } = translate(discounted("52", "0"), yield* book)
    assert.deepStrictEqual(findings, [])
    const { lineItems, total } = translated!.document.payload
    assert.strictEqual(formatAmount(total), "0.00")
    assert.deepStrictEqual(
      lineItems.map(({ discountAmount, lineAmount, unitAmount }) =>
        [unitAmount, discountAmount!, lineAmount].map(formatAmount)
      ),
      [["26.00", "52.00", "0.00"]]
    )
  })

  it.effect("is refused if it exceeds the total", function* () {
    const { findings } = translate(discounted("52.01", "0"), yield* book)
    assert.deepStrictEqual(
      findings.map(({ code }) => code),
      ["DISCOUNT_UNPLACED"]
    )
  })
})

describe("a line with a negative amount", () => {
  const withDiscount = (amount: string, tax: string) => {
    const [line] = discounted("1", "0").lines
    const negative = { ...line!, quantity: money("1"), unitPrice: money(amount), lineAmount: money(amount) }
    return invoice("INV-1", "2026-01-05", {
      taxMode: "exclusive",
      lines: [line!, { ...negative, taxes: [{ code: tax }] }]
    })
  }

  it.effect("names the cause if it has no place: too large, all of the lines, or no line of its tax", function* () {
    const text = `{ "version": 1, "zone": "+02:00", "policies": { "negativeLines": "as-discount" },
        "taxes": [{ "from": ["Standard"], "code": "VAT15", "device": 1, "percent": "15" },
          { "from": ["Zero"], "code": "ZERO", "device": 2, "percent": "0" }],
        "currencies": [{ "code": "USD", "device": "USD" }] }`
    const own = yield* BookFile.load("x.book.json", text)
    const codes = (amount: string, tax: string) =>
      translate(withDiscount(amount, tax), own).findings.map(({ code }) => code)
    assert.deepStrictEqual(codes("-52.01", "Standard"), ["DISCOUNT_UNPLACED"])
    assert.deepStrictEqual(codes("-52", "Standard"), ["DISCOUNT_OF_ALL"])
    assert.deepStrictEqual(codes("-20", "Zero"), ["DISCOUNT_WITHOUT_LINES"])
  })
})

describe("a line of nothing", () => {
  it.effect("with a price and 100 % off is a line, and without a price it is text of the line before", function* () {
    const own = yield* book
    const [line] = discounted("1", "0").lines
    const free = { taxes: line!.taxes, description: "Bag", quantity: money("1") }
    const priced = { unitPrice: money("10"), discount: { percent: money("100") } }
    const lines = (of: object, unitPrices: "stated" | "from-line-amount") => {
      const source = invoice("INV-1", "2026-01-05", { taxMode: "exclusive", lines: [line!, { ...free, ...of }] })
      const policies = { ...own.policies, textLines: "append", unitPrices } as const
      const { findings, translated } = translate(source, { ...own, policies })
      assert.deepStrictEqual(findings, [])
      return translated!.document.payload.lineItems.map(({ description, lineAmount }) => [
        description,
        formatAmount(lineAmount)
      ])
    }
    for (const unitPrices of ["stated", "from-line-amount"] as const) {
      for (const of of [priced, { ...priced, lineAmount: money("0") }])
        assert.deepStrictEqual(lines(of, unitPrices)[1], ["Bag", "0.00"], unitPrices)
      for (const of of [{ unitPrice: money("0"), lineAmount: money("0") }, {}])
        assert.strictEqual(lines(of, unitPrices).length, 1)
    }
  })
})

describe("a unit price with more places than the device takes", () => {
  it.effect("raises the question about unit prices, whose answer settles it", function* () {
    const [line] = discounted("1", "0").lines
    const exact = { ...line!, quantity: money("7"), unitPrice: money("8.687142857"), lineAmount: money("60.81") }
    const source = invoice("INV-1", "2026-01-05", { taxMode: "exclusive", lines: [exact] })
    const { findings } = translate(source, yield* book)
    const asked = policyQuestions.filter(({ raises }) => findings.some((finding) => raises(finding)))
    assert.deepStrictEqual(
      asked.map(({ id }) => id),
      ["unit-prices"]
    )
    const own = yield* book
    const { policies } = own
    const settled = translate(source, { ...own, policies: { ...policies, unitPrices: "from-line-amount" } })
    assert.deepStrictEqual(settled.findings, [])
  })
})
