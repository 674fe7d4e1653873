import { assert, describe, it } from "@effect/vitest"
import { BigDecimal } from "effect"
import * as SignedSums from "../../src/import/SignedSums.ts"
import { money } from "./SampleSources.ts"

const text = ({ sums, unknown }: SignedSums.SignedSums) => [
  ...sums.map(
    ({ currency, documents, net, tax, total }) =>
      `${documents} ${currency} ${BigDecimal.format(total)} = ${net && BigDecimal.format(net)} + ${tax && BigDecimal.format(tax)}`
  ),
  `${unknown} unknown`
]

const figures = (kind: "invoice" | "credit-note", total: string, currency = "USD") => ({
  kind,
  currency,
  total: money(total),
  net: money(total),
  tax: money("0")
})

describe("the one sum of all hosts", () => {
  it("subtracts credit notes and keeps currencies apart", () => {
    const rows = [figures("invoice", "173.25"), figures("credit-note", "34.65"), figures("invoice", "5", "ZAR")]
    assert.deepStrictEqual(text(SignedSums.of(rows)), ["2 USD 138.6 = 138.6 + 0", "1 ZAR 5 = 5 + 0", "0 unknown"])
  })

  it("counts documents whose amount is not known beside the sum", () => {
    const rows = [figures("invoice", "10"), { ...figures("invoice", "10"), total: null }]
    assert.deepStrictEqual(text(SignedSums.of(rows)), ["1 USD 10 = 10 + 0", "1 unknown"])
    assert.isNull(SignedSums.of([{ ...figures("invoice", "10"), net: null }]).sums[0]?.net)
  })

  it("adds up groups to all documents, in count and amount", () => {
    const total = (state: "Planned" | "Fiscalised" | "Refused", kind: "invoice" | "credit-note", amount: string) => ({
      ...figures(kind, amount),
      state,
      documents: 2,
      currency: "USD" as never
    })
    const totals = [
      total("Planned", "invoice", "30"),
      total("Planned", "credit-note", "10"),
      total("Refused", "invoice", "7")
    ]
    const groups = SignedSums.byGroup({ counts: { Planned: 4, Refused: 3 }, totals }, 5)
    assert.deepStrictEqual(
      groups.map((one) => [one.group, one.documents, ...text(one)]),
      [
        ["to-send", 9, "4 USD 20 = 20 + 0", "5 unknown"],
        ["not-accepted", 3, "2 USD 7 = 7 + 0", "1 unknown"]
      ]
    )
    const all = SignedSums.together(groups)
    assert.deepStrictEqual([all.documents, all.unknown, BigDecimal.format(all.sums[0]!.total)], [12, 6, "27"])
  })

  it("shows invoices, credit notes and taxes of a group, which add up", () => {
    const share = (kind: "invoice" | "credit-note", code: string, net: string, tax: string, total: string) => ({
      state: "Planned" as const,
      currency: "USD" as never,
      kind,
      documents: 1,
      taxCode: code as never,
      net: money(net),
      tax: money(tax),
      total: money(total)
    })
    const taxes = [
      share("invoice", "A", "150", "23.25", "173.25"),
      share("invoice", "Z", "190", "0", "190"),
      share("credit-note", "A", "30", "4.65", "34.65")
    ]
    const [sum] = SignedSums.ofGroup({ totals: taxes, taxes }, "to-send")
    const format = (one: { readonly total: BigDecimal.BigDecimal }) => BigDecimal.format(one.total)
    assert.deepStrictEqual(sum?.kinds.map(format), ["363.25", "-34.65"])
    assert.deepStrictEqual(sum?.taxes.map(format), ["138.6", "190"])
    assert.strictEqual(sum === undefined ? "" : format(sum), "328.6")
    assert.strictEqual(sum?.tax === null ? "" : BigDecimal.format(sum!.tax), "18.6")
  })
})
