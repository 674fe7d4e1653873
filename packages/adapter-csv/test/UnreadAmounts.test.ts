import { formatPlain } from "../../core/src/document/Money.ts"
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import type { ColumnMap } from "../src/columns/ColumnMap.ts"
import { reasonColumns } from "../src/columns/ReasonColumns.ts"
import { header, row, table } from "./PlainTable.ts"
import { read } from "./Sample.ts"

const stated = (name: string, ...rows: ReadonlyArray<string>) =>
  Effect.map(read(table(`${header},${name}`, ...rows)), ({ documents }) =>
    documents.map(({ amounts = [] }) => amounts.map(({ values }) => values.map(formatPlain)))
  )

describe("an unread amount column", () => {
  it.effect("is stated with its cell and the way to settle it", function* () {
    const { documents } = yield* read(table(`${header},Charged`, `${row("1")},10.00`, `${row("2")},`))
    const [first, second] = documents
    assert.deepStrictEqual(
      first!.amounts?.map(({ answers, name }) => ({ answers, name })),
      [{ name: "Charged", answers: [{ map: { version: 1, unread: ["Charged"] } }] }]
    )
    assert.strictEqual(first!.where(["amounts", 0]).columnName, "Charged")
    assert.isUndefined(second!.amounts)
  })

  it.effect("with the name of a document discount is settled as a discount", function* () {
    const { documents } = yield* read(
      "InvoiceNo,Customer,InvoiceDate,DueDate,Item(Product/Service),ItemQuantity,ItemRate,ItemAmount,Total Discount\r\n1,Ada,2026-03-02,2026-04-02,Pen,1,10.00,10.00,1.00\r\n",
      { settings: { amounts: "exclusive", currency: "USD", dates: "ymd" } }
    )
    assert.deepStrictEqual(documents[0]!.amounts?.[0]?.answers, [
      { map: { version: 1, columns: { documentDiscount: "Total Discount" } } },
      { map: { version: 1, unread: ["Total Discount"] } }
    ])
  })

  it.effect("states the value of each row, and the sum", function* () {
    assert.deepStrictEqual(
      yield* stated("Charged", `${row("1")},10.00`, `${row("1")},10.00`, `${row("1")},5.00`, `${row("2")},10.00`),
      [[["10", "5", "25"]], [["10"]]]
    )
  })

  it.effect("states an amount between few words, and no other number of a text", function* () {
    const texts = [
      "less 10%",
      "46.20 CR",
      "10 % off",
      "USD 5.00 rebate",
      "5 boxes",
      "Cable 2.50 m and 1.20 m",
      "Size 12"
    ]
    assert.deepStrictEqual(yield* stated("Adj", ...texts.map((text, i) => `${row(String(i + 1))},${text}`)), [
      [["10"]],
      [["-46.2"]],
      [["10"]],
      [["5"]],
      [],
      [],
      []
    ])
  })

  it.effect(
    "is a text column after nine cells without a number, and no cell hides the numbers of others",
    function* () {
      const texts = Array.from({ length: 9 }, (_, i) => `${row(String(i + 1))},A 7`)
      assert.deepStrictEqual(
        yield* stated("Shelf", ...texts, `${row("10")},8.00`),
        Array.from({ length: 10 }, () => [])
      )
      assert.deepStrictEqual(yield* stated("Disc", `${row("1")},none`, `${row("2")},8.00`, `${row("3")},n/a`), [
        [],
        [["8"]],
        []
      ])
    }
  )

  it.effect.each([
    ["10", "10"],
    ["10.00", "10"],
    ["10%", "10"],
    ["10 %", "10"],
    ["$10.00", "10"],
    ["10.00 USD", "10"],
    ["USD 10", "10"],
    ["(10.00)", "-10"],
    ["-10", "-10"],
    ['"10,00"', "10"]
  ] as const)("is read by the reader of the figures from %s", ([cell, value]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* stated("Disc", `${row("1")},${cell}`), [[[value]]])
    })
  )

  it.effect("is skipped if the column map lists it as unread", function* () {
    const { documents } = yield* read(table(`${header},Charged`, `${row("1")},10.00`), {
      columns: { version: 1, unread: ["Charged"] }
    })
    assert.isUndefined(documents[0]!.amounts)
  })
})

describe("a document contradicted by another column of totals, or by a title", () => {
  it.effect.each(["AMOUNT_CONTRADICTS", "WORD_CONTRADICTS"])(
    "stays refused in the file of refused rows, which does not show the contradiction: %s",
    (refused) =>
      Effect.gen(function* () {
        const reasons = `${header},Charged,${reasonColumns.join(",")}`
        const { documents } = yield* read(table(reasons, `${row("1")},9.00,${refused},,`, `${row("2")},9.00,,,`))
        assert.deepStrictEqual(
          documents.map(({ findings }) => findings.map(({ code }) => code)),
          [[refused], []]
        )
      })
  )
})

describe("a column called Fee", () => {
  const quickbooks = "InvoiceNo,Customer,InvoiceDate,DueDate,Item(Product/Service),ItemQuantity,ItemRate,ItemAmount"
  const of = (more: string, cells: string) =>
    Effect.map(
      read(`${quickbooks}${more}\r\n1,Ada,2026-03-02,2026-04-02,Pen,1,10.00,10.00${cells}\r\n`, {
        settings: { amounts: "exclusive", currency: "USD", dates: "ymd" }
      }),
      ({ documents }) => documents.map(({ amounts = [], charges }) => [charges.length, amounts.length])
    )

  it.effect(
    "is a cost of the seller if the total shows that the customer did not pay it, and otherwise a charge",
    function* () {
      assert.deepStrictEqual(yield* of(",Grand Total,Fee", ",10.00,0.30"), [[0, 1]])
      assert.deepStrictEqual(yield* of(",Fee", ",0.30"), [[1, 0]])
    }
  )
})

describe("a column map from documents of one row", () => {
  const columns = {
    version: 1,
    columns: { number: "No", date: "Day", description: "What", lineAmount: "Sum", taxes: [{ code: "Tax" }] },
    settings: { amounts: "exclusive", currency: "USD", dates: "ymd" }
  } as const
  const amountsOf = (rows: string, map: ColumnMap = columns) =>
    Effect.map(read(`No,Day,What,Sum,Tax\n${rows}`, { columns: map }), ({ documents }) =>
      documents.map(({ amounts = [] }) => amounts.map(({ answers, name, of }) => ({ answers, name, of })))
    )
  const answers = [{ map: { version: 1, rowAmounts: ["Sum"] } }]
  const repeated = "1,2026-03-02,Pen,50.00,S\n1,2026-03-02,Cap,50.00,S\n"

  it.effect("states rows that repeat one amount, which may be the amount of the document", function* () {
    assert.deepStrictEqual(yield* amountsOf(repeated), [[{ answers, name: "Sum", of: "repeated" }]])
    assert.deepStrictEqual(yield* amountsOf("1,2026-03-02,Pen,50.00,S\n1,2026-03-02,Cap,20.00,S\n"), [
      [{ answers: undefined, name: "Sum", of: "rows" }]
    ])
  })

  /** Reads rows with quantity, price and more cells, and returns what is stated of the columns. */
  const statedOf = (cells: string, map: Pick<ColumnMap, "rowAmounts">, ...texts: ReadonlyArray<string>) => {
    const rows = texts.map((text) => `1,2026-03-02,Pen,${text},S\n`).join("")
    const more = cells === "Sum" ? {} : { discount: "Off" }
    const of = { ...columns.columns, quantity: "Qty", unitPrice: "Each", ...more }
    const settings = { amounts: "exclusive", currency: "USD" } as const
    return Effect.map(
      read(`No,Day,What,Qty,Each,${cells},Tax\n${rows}`, { columns: { version: 1, columns: of, ...map }, settings }),
      ({ documents }) => documents.map(({ amounts = [] }) => amounts.map(({ name, of }) => `${name} ${of}`))
    )
  }

  it.effect("states rows if quantity × price is the amount of each, also for pieces of one price", function* () {
    const priced = (...rows: ReadonlyArray<string>) => statedOf("Sum", {}, ...rows)
    assert.deepStrictEqual(yield* priced("1,100.00,100.00", "1,100.00,100.00"), [["Sum rows"]])
    assert.deepStrictEqual(yield* priced("1,50.00,100.00", "1,50.00,100.00"), [["Sum repeated"]])
  })

  it.effect("states a discount that each row repeats, which may be the discount of the document", function* () {
    const reduced = (...rows: ReadonlyArray<string>) => statedOf("Off,Sum", { rowAmounts: ["Sum"] }, ...rows)
    assert.deepStrictEqual(yield* reduced("1,50.00,5.00,", "2,30.00,5.00,"), [["Off repeated"]])
    assert.deepStrictEqual(yield* reduced("1,50.00,5.00,", "2,30.00,,"), [["Off rows"]])
    assert.deepStrictEqual(yield* reduced("1,50.00,5.00,45.00", "2,30.00,5.00,55.00"), [["Off rows"]])
    assert.deepStrictEqual(yield* reduced("1,50.00,,50.00", "2,30.00,,60.00"), [[]])
  })

  it.effect("states nothing about a single row, or after the answer that the amounts are of rows", function* () {
    assert.deepStrictEqual(yield* amountsOf("1,2026-03-02,Pen,50.00,S\n"), [[]])
    assert.deepStrictEqual(yield* amountsOf(repeated, { ...columns, rowAmounts: ["Sum"] }), [[]])
  })
})
