import { formatAmount, formatPlain } from "../../core/src/document/Money.ts"
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import type { CsvOptions } from "../src/CsvAdapter.ts"
import { codes, header, row, table } from "./PlainTable.ts"
import { read } from "./Sample.ts"

describe("shipping, adjustment, rounding and document discount", () => {
  const charged = read(
    table(
      `${header},Shipping,Adjustment,Rounding,DocumentDiscount,Fee`,
      `${row("1", { total: "819.20" })},109.20,50,-0.01,5.00,0.00`
    )
  )

  it.effect("are charges, not lines; a zero amount makes no charge", function* () {
    const { documents } = yield* charged
    assert.deepStrictEqual(
      documents[0]!.charges.map(({ amount, kind }) => [kind, formatAmount(amount)]),
      [
        ["shipping", "109.20"],
        ["adjustment", "50.00"],
        ["rounding", "-0.01"],
        ["discount", "5.00"]
      ]
    )
    assert.strictEqual(documents[0]!.lines.length, 1)
  })

  it.effect("have the places of their cells", function* () {
    assert.strictEqual((yield* charged).documents[0]!.where(["charges", 1]).text, "50")
  })
})

describe("the tax of a charge", () => {
  const text = table(
    `${header},Shipping,ShippingTaxCode,ShippingTaxPercent,ShippingTaxAmount,Fee`,
    `${row("1")},50.00,S,15,7.50,3.00`,
    `${row("1", { text: "Ink" })},50.00,S,15,7.50,3.00`,
    `${row("2")},50.00,,,,`,
    `${row("3")},50.00,,,7.50,`,
    `${row("4")},0.00,,,7.50,`,
    `${row("5")},50.00,S,,7.5x,`
  )
  const taxes = (options: CsvOptions) =>
    Effect.map(read(text, options), ({ documents }) =>
      documents.map(({ charges }) =>
        charges.map(({ kind, taxes }) =>
          [kind, ...taxes.flatMap(({ amount, code, percent }) => [code, percent, amount])]
            .map((part) => (typeof part === "object" ? formatPlain(part) : (part ?? "-")))
            .join(" ")
        )
      )
    )

  it.effect("is read from its own columns", function* () {
    assert.deepStrictEqual(yield* taxes({}), [
      ["shipping S 15 7.5", "fee"],
      ["shipping"],
      ["shipping  - 7.5"],
      [],
      ["shipping S - -"]
    ])
  })

  it.effect("is the operator's setting if no column names the tax", function* () {
    const said = yield* taxes({ settings: { chargeTaxes: { shipping: "Z", fee: "F" } } })
    assert.deepStrictEqual(said.slice(0, 3), [
      ["shipping S 15 7.5", "fee F - -"],
      ["shipping Z - -"],
      ["shipping Z - 7.5"]
    ])
  })

  it.effect("refuses its document if the charge is missing or the tax cannot be read", function* () {
    const { documents } = yield* read(text)
    assert.deepStrictEqual(
      documents.map(({ findings }) => codes(findings)),
      [[], [], [], ["CSV_CHARGE_TAX_ALONE"], ["CSV_NUMBER_UNREADABLE"]]
    )
  })

  it.effect("has the place of its separate cell", function* () {
    const { documents } = yield* read(text)
    assert.strictEqual(documents[0]!.where(["charges", 0, "taxes"]).text, "S")
    assert.strictEqual(documents[0]!.where(["charges", 0]).text, "50.00")
  })
})
