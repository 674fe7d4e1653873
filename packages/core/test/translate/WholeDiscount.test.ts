import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { formatAmount } from "@fiscal-connector/core/document/Money"
import * as BookFile from "@fiscal-connector/core/mapping/BookFile"
import { translate } from "@fiscal-connector/core/translate/translate"
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
  it.effect("may be 100 %: the lines become zero and keep their prices", () =>
    Effect.gen(function* () {
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
  )

  it.effect("is refused if it exceeds the total", () =>
    Effect.gen(function* () {
      const { findings } = translate(discounted("52.01", "0"), yield* book)
      assert.deepStrictEqual(
        findings.map(({ code }) => code),
        ["DISCOUNT_UNPLACED"]
      )
    })
  )
})
