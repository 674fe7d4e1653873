import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import type { ColumnMap } from "../src/columns/ColumnMap.ts"
import { read } from "./Sample.ts"

const header = "InvoiceNumber,InvoiceDate,Currency,Description,Quantity,UnitPrice,TaxCode,Total"
const row = (number: string, text = "Pen") => `${number},2026-01-05,USD,${text},1,10.00,S,`
const others = (count: number) => Array.from({ length: count }, (_, i) => row(`X-${i}`))
const settled = {
  quotes: "doubled",
  dates: "dmy",
  decimalMark: "point",
  encoding: "utf-8"
} as const

const lines = (text: string, number: string, settings = {}) =>
  Effect.map(read(text, { settings }), ({ documents }) =>
    documents.filter((document) => document.number === number).map(({ lines }) => lines.length)
  )

describe("rows of a document that are not adjacent", () => {
  it.effect("are joined within the grouping window", function* () {
    const text = [header, row("A"), ...others(250), row("A", "Ink"), ""].join("\n")
    assert.deepStrictEqual(yield* lines(text, "A", { ...settled, grouping: "window" }), [2])
  })

  it.effect("are joined at any distance if the whole file was read before", function* () {
    const text = [header, row("A"), ...others(2500), row("A", "Ink"), row("B"), ""].join("\n")
    assert.deepStrictEqual(yield* lines(text, "A"), [2])
    assert.deepStrictEqual(yield* lines(text, "A", { ...settled, grouping: "two-pass" }), [2])
  })

  it.effect("stop a single-pass reading, because the incomplete document may already be sent", function* () {
    const text = [header, row("A"), ...others(2500), row("A", "Ink"), ""].join("\n")
    const error = yield* Effect.flip(read(text, { settings: { ...settled, grouping: "window" } }))
    assert.include(error.message, 'line 2503 belongs to document "A"')
    assert.include(error.message, "read twice")
  })

  it.effect("are joined with continuation rows in the same way", function* () {
    const columns: ColumnMap = {
      version: 1,
      layout: "continuation",
      columns: { number: "No", date: "Date", description: "Item", lineAmount: "Amount", taxes: [{ code: "Code" }] },
      settings: { currency: "USD" }
    }
    const body = Array.from({ length: 1500 }, (_, i) => `X-${i},2026-01-05,Pen,1,S\n,,Ink,2,S`)
    const text = [
      "No,Date,Item,Amount,Code",
      "A,2026-01-05,Pen,1,S",
      ...body,
      "A,2026-01-05,Cup,1,S",
      ",,Mug,2,S",
      ""
    ].join("\n")
    const { documents } = yield* read(text, { columns })
    assert.strictEqual(documents.length, 1501)
    assert.deepStrictEqual(
      documents.filter(({ number }) => number === "A").map(({ lines }) => lines.map(({ description }) => description)),
      [["Pen", "Cup", "Mug"]]
    )
  })

  it.effect("keep the order in which their documents begin", function* () {
    const { documents } = yield* read([header, row("B"), row("A"), row("B", "Ink"), row("C"), ""].join("\n"))
    assert.deepStrictEqual(
      documents.toSorted((a, b) => a.order - b.order).map(({ number }) => number),
      ["B", "A", "C"]
    )
  })
})
