import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { found, table } from "./PlainTable.ts"
import { read } from "./Sample.ts"

const columns =
  "InvoiceNumber,InvoiceDate,Currency,CustomerName,Description,Quantity,UnitPrice,Discount,DiscountPercent,LineGross,TaxCode"

const codesOf = (figures: string, header = columns) =>
  Effect.map(read(table(header, `1,2026-01-05,USD,Ada,Pen,${figures},S`)), (sorted) =>
    found(sorted).flatMap(([, ...codes]) => codes)
  )

describe("a line's discount", () => {
  it.effect.each([
    ["2,10.00,2.00,10,", []],
    ["3,9.99,3.75,12.5,", []],
    ["2,10.00,3.00,10,", ["CSV_LINE_FIGURES_DIFFER"]],
    ["2,10.00,0.00,10,", []],
    ["2,10.00,,10,", []]
  ] as const)("as an amount is compared with its percent: %s", ([figures, codes]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* codesOf(figures), [...codes])
    })
  )

  it.effect.each([
    ["2,10.00,,,20.00", []],
    ["2,10.00,,,25.00", ["CSV_LINE_FIGURES_DIFFER"]]
  ] as const)("is subtracted from an amount that is quantity × unit price: %s", ([figures, codes]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* codesOf(figures), [...codes])
    })
  )
})

describe("a currency in the name of an amount column", () => {
  it.effect.each([
    ["Each (EUR)", ["EUR"]],
    ["Price in EUR", ["EUR"]],
    ["PRICE ALL", []],
    ["Each (all in)", []]
  ] as const)("applies to every document: %s", ([name, texts]) =>
    Effect.gen(function* () {
      const { documents } = yield* read(table(`No,Day,Text,Qty,${name}`, "1,2026-01-05,Pen,1,10.00"), {
        columns: {
          version: 1,
          columns: { number: "No", date: "Day", description: "Text", quantity: "Qty", unitPrice: name }
        },
        settings: { currency: "USD", amounts: "exclusive" }
      })
      assert.deepStrictEqual(
        documents.flatMap(({ words = [] }) => words.map(({ text }) => text)),
        [...texts]
      )
    })
  )
})
