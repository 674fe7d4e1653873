import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import type { ColumnMap } from "../src/columns/ColumnMap.ts"
import { codes, header, offered, row, table } from "./PlainTable.ts"
import { question, read, answerText } from "./Sample.ts"

const currenciesOf = (...of: Parameters<typeof read>) =>
  Effect.map(read(...of), ({ documents }) => documents.map(({ currency }) => currency))

describe("a currency", () => {
  const unnamed = "InvoiceNumber,InvoiceDate,Description,Quantity,UnitPrice,TaxCode"

  it.effect("keeps the spelling of the export", function* () {
    const text = table(header, row("1", { currency: "usd" }), row("2", { currency: "$" }))
    assert.deepStrictEqual(yield* currenciesOf(text), ["usd", "$"])
  })

  it.effect("is asked for if the file does not name a currency", function* () {
    const asked = yield* question(table(unnamed, "1,2026-01-05,Pen,1,10.00,S"))
    assert.deepStrictEqual(offered(asked), [["ask currency", "10.00"]])
  })

  it.effect("is taken from the currency sign of the amounts if nothing else names it", function* () {
    assert.deepStrictEqual(yield* currenciesOf(table(unnamed, "1,2026-01-05,Pen,1,$10.00,S")), ["$"])
  })

  it.effect("is the operator's setting if its cell is blank", function* () {
    const text = table(header, row("1", { currency: "" }))
    assert.deepStrictEqual(yield* currenciesOf(text, { settings: { currency: "ZWG" } }), ["ZWG"])
  })

  it.effect("must not contradict the currency sign of an amount", function* () {
    const { documents } = yield* read(table(header, row("1", { price: "€10.00" })))
    assert.deepStrictEqual(codes(documents[0]!.findings), ["CSV_CURRENCY_CONFLICT"])
  })

  it.effect("is compared with the sign beside an amount that is not read", function* () {
    const rows = ["$10.00", "10.00 EUR", "€10.00", "10.00"].map((sum, i) => `${row(String(i))},${sum}`)
    const { documents } = yield* read(table(`${header},Sum`, ...rows))
    assert.deepStrictEqual(
      documents.map(({ amounts = [] }) => amounts.map(({ currency }) => currency)),
      [[undefined], ["EUR"], ["€"], [undefined]]
    )
  })

  it.effect("is not taken from a sign that appears only in the total rows of a report", function* () {
    const columns: ColumnMap = {
      version: 1,
      layout: "report",
      groups: "customerName",
      columns: { number: "No", date: "Date", description: "Item", lineAmount: "Amount", taxes: [{ code: "Code" }] }
    }
    const text = table(",No,Date,Item,Amount,Code", "Ada,,,,,", ",1,2026-01-05,Pen,5.00,S", "Total for Ada,,,,$5.00,")
    const asked = yield* question(text, { columns })
    assert.strictEqual(answerText(asked.readings[0]!.answer), "ask currency")
  })
})
