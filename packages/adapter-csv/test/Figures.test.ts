import { formatPlain } from "../../core/src/document/Money.ts"
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect, Stream } from "effect"
import * as Readings from "../../core/src/source/Readings.ts"
import { adapter } from "../src/CsvAdapter.ts"
import { firstAmounts, header, offered, plainly, row, table } from "./PlainTable.ts"
import { input, question, read } from "./Sample.ts"

/** Returns documents of one line that state only the amount. */
const amounts = (...cells: ReadonlyArray<string>) =>
  table(header, ...cells.map((amount, i) => row(`${i}`, { qty: "", price: "", total: "", amount: `"${amount}"` })))
const amountsOf = (...of: Parameters<typeof read>) => Effect.map(read(...of), firstAmounts)

describe("the decimal mark of a column", () => {
  for (const [because, cells, expected] of [
    ["a figure with both marks", ["-19.170,48", "1.234"], ["-19170.48", "1234"]],
    ["groups of two and three digits", ["12,48,500.00", "1,020.00", "1,000"], ["1248500", "1020", "1000"]],
    ["digits that cannot be a group", ["1200,00", "1,5"], ["1200", "1.5"]]
  ] as const) {
    it.effect(`is decided by ${because}`, function* () {
      assert.deepStrictEqual(yield* amountsOf(amounts(...cells)), [...expected])
    })
  }

  it.effect("is asked for if 1,000 is the only evidence", function* () {
    assert.deepStrictEqual(offered(yield* question(amounts("1,000", "2"))), [
      ["decimalMark point", "1,000 = 1000"],
      ["decimalMark comma", "1,000 = 1"]
    ])
  })

  it.effect("is the operator's setting", function* () {
    const read = amountsOf(amounts("1,000"), { settings: { decimalMark: "point" } })
    assert.deepStrictEqual(yield* read, ["1000"])
  })

  it.effect("cannot be both: the column is named in the finding", function* () {
    assert.include((yield* question(amounts("1,5", "1.5"))).question, "LineAmount")
  })
})

describe("the decimal mark of quantities", () => {
  const line = (qty: string, price: string, amount: string) =>
    table(header, row("1", { qty: `"${qty}"`, price: `"${price}"`, amount: `"${amount}"`, total: "" }))
  const quantityOf = (text: string) =>
    Effect.map(read(text), ({ documents }) => formatPlain(documents[0]!.lines[0]!.quantity!))

  it.effect("follows the mark of amounts if quantity × price equals the amount in that reading only", function* () {
    assert.strictEqual(yield* quantityOf(line("1,000", "2.50", "2,500.00")), "1000")
    assert.strictEqual(yield* quantityOf(line("1.000", "12,50", "12,50")), "1")
  })

  it.effect("is asked for if there is no price to compare with", function* () {
    assert.include((yield* question(line("1,000", "", "12.50"))).question, "Quantity")
  })

  it.effect("is asked for if quantity × price equals the amount in both readings", function* () {
    assert.include((yield* question(line("2,2", "8,000", "17,600"))).question, "UnitPrice")
  })
})

describe("an amount", () => {
  for (const [form, cell, expected] of [
    ["a money sign", "$1,149.00 ", "1149"],
    ["brackets", "($33.62)", "-33.62"],
    ["a minus before the money sign", "-$12.00", "-12"],
    ["a minus behind it", "12.00-", "-12"],
    ["a typographic minus", "\u221212.00", "-12"],
    ["a space between its digits", "1\u00a0234.50", "1234.5"],
    ["dashes alone", "--", undefined]
  ] as const) {
    it.effect(`is read with ${form}`, function* () {
      const [first, ...others] = yield* amountsOf(
        table(
          header,
          ...[cell, "$1,149.00"].map((amount, i) => row(`${i}`, { price: "", total: "", amount: `"${amount}"` }))
        )
      )
      assert.strictEqual(first, expected)
      assert.deepStrictEqual(others, ["1149"])
    })
  }

  it.effect("is read in any form that other amounts of its column have", function* () {
    const forms = ["$1,149.00 ", "($33.62)", "-$12.00", "12.00-", "\u221212.00", "1\u00a0234.50", "--"]
    const rows = forms.map((amount, i) => row(`${i}`, { price: "", total: "", amount: `"${amount}"` }))
    assert.deepStrictEqual(yield* amountsOf(table(header, ...rows)), [
      "1149",
      "-33.62",
      "-12",
      "-12",
      "-12",
      "1234.5",
      undefined
    ])
  })
})

describe("numbers with the noise of a double", () => {
  it.effect("are read with 15 digits and reported once, and an identifier keeps its digits", function* () {
    const noisy = (number: string) =>
      row(number, { qty: "3.0000000000000004", price: "47.089999999999996", amount: "141.26999999999998", total: "" })
    const text = table(header, noisy("12345678901234567.5"), noisy("A-2"))
    const settings = { amounts: "exclusive" } as const
    const readings = yield* Stream.runCollect(Readings.entering(adapter.read(input(text), { settings })))
    const documents = readings.flatMap(({ reading }) => (reading._tag === "SourceDocument" ? [reading] : []))
    assert.deepStrictEqual(
      documents.map(({ lines: [line], number }) => [
        number,
        ...[line?.quantity, line?.unitPrice, line?.lineAmount].map((figure) => plainly(figure))
      ]),
      [
        ["12345678901234567.5", "3", "47.09", "141.27"],
        ["A-2", "3", "47.09", "141.27"]
      ]
    )
    const findings = readings.flatMap(({ reading }) => (reading._tag === "Finding" ? [reading] : []))
    assert.deepStrictEqual(
      findings.filter(({ code }) => code === "DIGITS_ROUNDED").map(({ detail }) => detail),
      ["6 numbers, the first 3"]
    )
  })
})
