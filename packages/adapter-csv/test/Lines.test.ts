import { formatPlain } from "@fiscal-connector/core/document/Money"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { ColumnMap } from "../src/columns/ColumnMap.ts"
import { codes, header, plainly, row, table } from "./PlainTable.ts"
import { read } from "./Sample.ts"

describe("a line", () => {
  it.effect("is kept if it is negative, zero or only a description", () =>
    Effect.gen(function* () {
      const { documents } = yield* read(
        table(
          header,
          row("1", { total: "" }),
          row("1", { text: "Discount", qty: "0.05", price: "-36", amount: "-1.80", total: "" }),
          row("1", { text: "Thank you", qty: "", price: "", amount: "", tax: "", total: "" }),
          row("1", { text: "", qty: "", price: "", amount: "0", tax: "", total: "" })
        )
      )
      assert.deepStrictEqual(
        documents[0]!.lines.map(({ description, lineAmount }) => [description, plainly(lineAmount)]),
        [
          ["Pen", "10"],
          ["Discount", "-1.8"],
          ["Thank you", undefined],
          [undefined, "0"]
        ]
      )
    })
  )

  it.effect("has the stated amount, which may differ from quantity × price", () =>
    Effect.gen(function* () {
      const { documents } = yield* read(
        table(header, row("1", { qty: "1000", price: "0.0612", amount: "61.17", total: "" }))
      )
      assert.strictEqual(plainly(documents[0]!.lines[0]!.lineAmount), "61.17")
    })
  )

  it.effect("has its discount as an amount or a percent, and no discount if it is zero", () =>
    Effect.gen(function* () {
      const { documents } = yield* read(
        table(
          `${header},Discount,DiscountPercent`,
          `${row("1", { qty: "1000", price: "0.0612", amount: "61.17", total: "" })},,`,
          `${row("1", { text: "b", total: "" })},2.00,`,
          `${row("1", { text: "c", total: "" })},,5`,
          `${row("1", { text: "d", total: "" })},0.00,0`
        )
      )
      const said = documents[0]!.lines.map(({ discount }) =>
        discount === undefined
          ? "none"
          : "amount" in discount
            ? formatPlain(discount.amount)
            : `${formatPlain(discount.percent)} %`
      )
      assert.strictEqual(plainly(documents[0]!.lines[0]!.lineAmount), "61.17")
      assert.deepStrictEqual(said, ["none", "2", "5 %", "none"])
    })
  )

  it.effect("has its tax codes as texts: two codes stay two, and a blank code is absent", () =>
    Effect.gen(function* () {
      const columns: ColumnMap = {
        version: 1,
        columns: {
          number: "No",
          date: "Date",
          lineAmount: "Amount",
          taxes: [{ code: "T1", amount: "A1" }, { code: "T2" }]
        },
        settings: { currency: "USD" }
      }
      const { documents } = yield* read(
        table(
          "No,Date,Amount,T1,A1,T2",
          "1,2026-01-05,10,20% (VAT on Income),2.00,PST",
          "1,2026-01-05,11,L/GST-18%,,",
          "1,2026-01-05,12,,,"
        ),
        { columns }
      )
      assert.deepStrictEqual(
        documents[0]!.lines.map(({ taxes }) => taxes.map(({ code }) => code)),
        [["20% (VAT on Income)", "PST"], ["L/GST-18%"], []]
      )
    })
  )
})

describe("rows with blank document cells", () => {
  const columns: ColumnMap = {
    version: 1,
    layout: "continuation",
    columns: { number: "No", date: "Date", description: "Item", lineAmount: "Amount", taxes: [{ code: "Code" }] },
    settings: { currency: "USD" }
  }
  const continued = read(
    table(
      "Row,No,Date,Item,Amount,Code,Tax account",
      "1,S1,2026-01-05,Pen,10,S,VAT",
      ",,,Ink,20,S,",
      ",,,,,,Levy",
      ",S2,2026-01-06,Pad,5,S,VAT",
      ",,2026-01-07,Cup,5,S,"
    ),
    { columns }
  )

  it.effect("continue the document above, and tax rows next to them are not lines", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        (yield* continued).documents.map(({ lines, number }) => [number, lines.length]),
        [
          ["S1", 2],
          ["S2", 1]
        ]
      )
    })
  )

  it.effect("are refused if a filled cell contradicts the document above", () =>
    Effect.gen(function* () {
      const { documents, findings } = yield* continued
      assert.deepStrictEqual(codes(findings), ["CSV_KEY_MISSING"])
      assert.deepStrictEqual(codes(documents[1]!.findings), ["CSV_LINE_LOST"])
    })
  )
})

describe("identical rows", () => {
  const twice = (total: string) =>
    table(
      header,
      row("2", { amount: "26.67", price: "26.67", total }),
      row("2", { amount: "26.67", price: "26.67", total })
    )

  it.effect("are one duplicated line if the document total fits one line", () =>
    Effect.gen(function* () {
      const { documents } = yield* read(twice("26.67"))
      assert.strictEqual(documents[0]!.lines.length, 1)
      assert.deepStrictEqual(codes(documents[0]!.findings), ["CSV_ROWS_DROPPED"])
    })
  )

  it.effect("are two lines if the document total fits two lines", () =>
    Effect.gen(function* () {
      const { documents } = yield* read(twice("53.34"))
      assert.strictEqual(documents[0]!.lines.length, 2)
      assert.deepStrictEqual(documents[0]!.findings, [])
    })
  )

  it.effect("are refused if the total fits neither", () =>
    Effect.gen(function* () {
      const { documents } = yield* read(twice("99.99"))
      assert.deepStrictEqual(codes(documents[0]!.findings), ["CSV_ROWS_REPEATED"])
    })
  )

  it.effect("are two lines if there is no total and the operator chooses so", () =>
    Effect.gen(function* () {
      const { documents } = yield* read(twice(""), { settings: { repeatedRows: "keep" } })
      assert.strictEqual(documents[0]!.lines.length, 2)
      assert.deepStrictEqual(documents[0]!.findings, [])
    })
  )
})

describe("the amount with tax of a line in an export of orders", () => {
  it.effect("is of its row, also where it equals the totals of orders with one row", () =>
    Effect.gen(function* () {
      const { documents } = yield* read(
        table(
          "Order Number,Order Status,Order Date,Item Name,Quantity (- Refund),Item Cost,Order Line (w/o tax),Order Line Tax,Order Line Total,Order Shipping Amount,Order Total Amount,Order Total Tax Amount",
          "1,Completed,2026-03-02,Lamp,1,10.00,10.00,1.50,11.50,0,11.50,1.50",
          "2,Completed,2026-03-03,Lamp,1,10.00,10.00,1.50,11.50,10.00,46.00,6.00",
          "2,Completed,2026-03-03,Mat,1,20.00,20.00,3.00,23.00,10.00,46.00,6.00"
        ),
        { settings: { amounts: "exclusive", currency: "USD" } }
      )
      assert.deepStrictEqual(
        documents.map(({ amounts, lines }) => [lines.map(({ totals }) => formatPlain(totals!.total!)), amounts]),
        [
          [["11.5"], undefined],
          [["11.5", "23"], undefined]
        ]
      )
    })
  )
})
