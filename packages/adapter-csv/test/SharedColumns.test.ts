import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import type { ColumnMap } from "../src/columns/ColumnMap.ts"
import { read } from "./Sample.ts"

const text = "No,Day,Name,What,Pieces,Each,Worth,VAT %\r\nS-1,2026-03-02,Ada,Pen,2,10.00,20.00,15\r\n"

const columns = {
  number: "No",
  date: "Day",
  customerName: "Name",
  description: "What",
  quantity: "Pieces",
  unitPrice: "Each",
  taxes: [{ code: "VAT %", percent: "VAT %" }]
} as const

const readBy = (more: NonNullable<ColumnMap["columns"]>) =>
  read(text, {
    columns: { version: 1, columns: { ...columns, ...more } },
    settings: { amounts: "exclusive", currency: "USD", dates: "ymd" }
  })

const refusedBy = (more: NonNullable<ColumnMap["columns"]>) =>
  Effect.map(Effect.flip(readBy(more)), ({ message }) => message)

describe("a column mapped to two fields", () => {
  it.effect("is refused if one field is an amount, because the amount would be compared with itself", function* () {
    for (const [more, said] of [
      [{ lineAmount: "Worth", total: "Worth" }, '"Worth" cannot state both `total` and `lineAmount`'],
      [{ lineAmount: "Each" }, '"Each" cannot state both `unitPrice` and `lineAmount`'],
      [{ lineAmount: "Worth", customerTin: "Name" }, '"Name" cannot state both `customerName` and `customerTin`'],
      [{ lineAmount: "Worth", cancelled: "Day" }, '"Day" cannot state both `date` and `cancelled`'],
      [{ lineAmount: ["Worth", "Pieces"] }, '"Pieces" cannot state both `quantity` and `lineAmount`']
    ] as const)
      assert.include(yield* refusedBy(more), said)
  })

  it.effect("is read if both fields are texts, or a percent that distinguishes taxes", function* () {
    const { documents } = yield* readBy({ lineAmount: "Worth", productCode: "What", id: "No", original: "No" })
    assert.deepStrictEqual(
      documents.map(({ id, lines: [line] }) => [id, line?.productCode, line?.description]),
      [["S-1", "Pen", "Pen"]]
    )
  })

  it.effect("is refused if a known layout and the map on top of it read it as different fields", function* () {
    const quickbooks =
      "InvoiceNo,Customer,InvoiceDate,DueDate,Item(Product/Service),ItemQuantity,ItemRate,ItemAmount\r\n1,Ada,2026-03-02,2026-04-02,Pen,2,10.00,20.00\r\n"
    const laid = (total: string) =>
      read(quickbooks, {
        columns: { version: 1, columns: { total } },
        settings: { amounts: "exclusive", currency: "USD", dates: "ymd" }
      })
    assert.include(
      (yield* Effect.flip(laid("ItemAmount"))).message,
      '"ItemAmount" cannot state both `total` and `lineAmount`'
    )
  })
})
