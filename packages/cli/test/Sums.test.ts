/** Proves that sums are labeled at every width. */
import * as Money from "../../core/src/document/Money.ts"
import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import stringWidth from "string-width"
import * as Sums from "../src/import/Sums.ts"

const money = (text: string) => Option.getOrThrow(Money.parse(text))

const of = { state: "Fiscalised", currency: "USD", kind: "invoice", documents: 29 } as const
const figures = {
  totals: [
    { ...of, total: money("14168.15") },
    { ...of, kind: "credit-note" as const, documents: 3, total: money("151.41") }
  ],
  taxes: [
    { ...of, taxCode: "VAT155", net: money("6562.29"), tax: money("1017.16"), total: money("7579.45") },
    {
      ...of,
      taxCode: "A-CODE-OF-THIRTY-LETTERS-OR-SO",
      net: money("6588.70"),
      tax: money("0.00"),
      total: money("6588.70")
    },
    { ...of, kind: "credit-note" as const, taxCode: null, net: null, tax: null, total: money("151.41") }
  ]
}

const at = (width: number | undefined) => Sums.print(figures as never, { width, color: "none" })

describe("the sums of documents", () => {
  it("are printed in one table if the screen is wide enough", () => {
    assert.strictEqual(at(200), at(undefined))
    assert.match(
      at(undefined),
      /\nState +Currency +Documents +Tax code +Net +Tax +Total\nFiscalised +USD +29 invoices /
    )
  })

  for (const width of [24, 32, 40, 60, 80]) {
    it(`show state, currency, kind and tax of each sum, on ${width} columns`, () => {
      const lines = at(width).split("\n")
      for (const line of lines)
        if (!line.startsWith("(no room")) assert.isAtMost(stringWidth(line), Math.max(width, 30), line)
      assert.isTrue(
        lines.some((line) => /^Fiscalised +USD,? +29 invoices/.test(line)),
        at(width)
      )
      assert.isTrue(
        lines.some((line) => /^Fiscalised +USD,? +3 credit notes/.test(line)),
        at(width)
      )
      assert.isTrue(
        lines.some((line) => /VAT155 .*7579\.45$/.test(line)),
        at(width)
      )
      assert.isTrue(
        lines.some((line) => /A-CODE-\S* .*6588\.70$/.test(line)),
        at(width)
      )
      assert.isTrue(
        lines.some((line) => /\(not kno\S* .*-151\.41$|not known\) .*-151\.41$/.test(line)),
        at(width)
      )
    })
  }
})
