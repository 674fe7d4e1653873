import { Effect } from "effect"
import { formatPlain } from "../../core/src/document/Money.ts"
import { assert, describe, it } from "../../core/test/It.ts"
import type { ColumnMap } from "../src/columns/ColumnMap.ts"
import type { CsvOptions } from "../src/CsvAdapter.ts"
import { codes, header, plainly, row, table } from "./PlainTable.ts"
import { questions, read } from "./Sample.ts"

describe("a line", () => {
  it.effect("is kept if it is negative, zero or only a description", function* () {
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

  it.effect("has the stated amount, which may differ from quantity × price", function* () {
    const { documents } = yield* read(
      table(header, row("1", { qty: "1000", price: "0.0612", amount: "61.17", total: "" }))
    )
    assert.strictEqual(plainly(documents[0]!.lines[0]!.lineAmount), "61.17")
  })

  it.effect("has its discount as an amount or a percent, and no discount if it is zero", function* () {
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

  it.effect("has its tax codes as texts: two codes stay two, and a blank code is absent", function* () {
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

  it.effect("continue the document above, and tax rows next to them are not lines", function* () {
    assert.deepStrictEqual(
      (yield* continued).documents.map(({ lines, number }) => [number, lines.length]),
      [
        ["S1", 2],
        ["S2", 1]
      ]
    )
  })

  it.effect("skips a row without a number as no part of a document only by the operator's answer", function* () {
    const names = "InvoiceNumber,InvoiceDate,Currency,Description,Quantity,UnitPrice,TaxCode"
    const text = `${names}\n,,,Opening balance,,500.00,\n1,2026-01-05,USD,Pen,1,2.50,S\n2,2026-01-06,USD,Ink,1,2.50,S\n`
    const outcome = (settings: CsvOptions["settings"]) =>
      Effect.map(read(text, { settings: { amounts: "exclusive", ...settings } }), ({ documents, findings }) => [
        documents.filter(({ findings }) => findings.length === 0).map(({ number }) => number),
        codes(findings)
      ])
    assert.deepStrictEqual(yield* outcome({}), [["2"], ["CSV_KEY_MISSING"]])
    assert.deepStrictEqual(yield* outcome({ unnumberedRows: "skip" }), [["1", "2"], ["CSV_TOTAL_ROWS_PASSED"]])
  })

  it.effect("are refused if a filled cell contradicts the document above", function* () {
    const { documents, findings } = yield* continued
    assert.deepStrictEqual(codes(findings), ["CSV_KEY_MISSING", "STATEMENTS_NOT_READ"])
    assert.deepStrictEqual(codes(documents[1]!.findings), ["CSV_LINE_LOST"])
  })
})

describe("identical rows", () => {
  const twice = (total: string) =>
    table(
      header,
      row("2", { amount: "26.67", price: "26.67", total }),
      row("2", { amount: "26.67", price: "26.67", total })
    )

  it.effect("are one duplicated line if the document total fits one line", function* () {
    const { documents } = yield* read(twice("26.67"))
    assert.strictEqual(documents[0]!.lines.length, 1)
    assert.deepStrictEqual(codes(documents[0]!.findings), ["CSV_ROWS_DROPPED"])
  })

  it.effect("are two lines if the document total fits two lines", function* () {
    const { documents } = yield* read(twice("53.34"))
    assert.strictEqual(documents[0]!.lines.length, 2)
    assert.deepStrictEqual(documents[0]!.findings, [])
  })

  it.effect("are refused if the total fits neither", function* () {
    const { documents } = yield* read(twice("99.99"))
    assert.deepStrictEqual(codes(documents[0]!.findings), ["CSV_ROWS_REPEATED"])
  })

  it.effect("are two lines if there is no total and the operator chooses so", function* () {
    const { documents } = yield* read(twice(""), { settings: { repeatedRows: "keep" } })
    assert.strictEqual(documents[0]!.lines.length, 2)
    assert.deepStrictEqual(documents[0]!.findings, [])
  })
})

describe("lines side by side, in columns that differ in a number alone", () => {
  const own = { number: "no", date: "date" }
  const lineOf = (rename: (name: string) => string) => ({
    description: rename("text"),
    quantity: rename("qty"),
    unitPrice: rename("price"),
    lineAmount: rename("total"),
    taxes: [{ code: rename("tax") }]
  })
  const shapes: Readonly<Record<string, (name: string, line: number) => string>> = {
    "a path": (name, line) => `invoice/lines/${line}/${name}`,
    "a path with points": (name, line) => `lines.${line}.${name}`,
    "a number behind the name": (name, line) => `${name} ${line + 1}`,
    "a number from the second line on": (name, line) => (line === 0 ? name : `${name}${line + 1}`)
  }
  const values = (text: string, qty: string, total: string) => [text, qty, "10.00", total, "S"]
  const names = ["text", "qty", "price", "total", "tax"]
  const fileOf = (nameOf: (name: string, line: number) => string) =>
    table(
      ["no", "date", "sum", ...[0, 1, 2].flatMap((line) => names.map((name) => nameOf(name, line)))].join(","),
      [
        "A",
        "2026-01-05",
        "60.00",
        ...values("Nut", "1", "10.00"),
        ...values("Bolt", "2", "20.00"),
        ...values("Nut", "3", "30.00")
      ].join(","),
      ["B", "2026-01-05", "10.00", ...values("Nut", "1", "10.00"), ...Array.from({ length: 10 }, () => "")].join(",")
    )
  const settings = { amounts: "exclusive", currency: "USD" } as const

  for (const [shape, nameOf] of Object.entries(shapes))
    it.effect(`are all read, and blank ones are skipped: ${shape}`, function* () {
      const columns = { version: 1, columns: { ...own, ...lineOf((name) => nameOf(name, 0)), total: "sum" } } as const
      const { documents } = yield* read(fileOf(nameOf), { columns, settings })
      assert.deepStrictEqual(
        documents.map(({ lines, number }) => [
          number,
          ...lines.map(
            ({ description, lineAmount, quantity, taxes }) =>
              `${plainly(quantity)} ${description} ${plainly(lineAmount)} ${taxes[0]?.code}`
          )
        ]),
        [
          ["A", "1 Nut 10 S", "2 Bolt 20 S", "3 Nut 30 S"],
          ["B", "1 Nut 10 S"]
        ]
      )
      assert.deepStrictEqual(documents[0]!.findings, [])
      assert.strictEqual(documents[0]!.where(["lines", 2, "lineAmount"]).text, "30.00")
    })

  it.effect("are asked about if the columns are no whole lines, and read without them after the answer", function* () {
    const prices = table("no,date,text,qty,price 1,price 2,tax", "A,2026-01-05,Nut,1,10.00,9.00,S")
    const columns = {
      version: 1,
      columns: { ...own, description: "text", quantity: "qty", unitPrice: "price 1", taxes: [{ code: "tax" }] }
    } as const
    const [asked, ...others] = yield* questions(prices, { columns, settings })
    assert.deepStrictEqual(others, [])
    assert.include(asked?.question, '"price 1" is read as a figure of a line, and "price 2" differs in a number alone')
    const { documents } = yield* read(prices, { columns: { ...columns, unread: ["price 2"] }, settings })
    assert.strictEqual(documents.length, 1)
  })

  it.effect("are further taxes of the line if only taxes have numbers", function* () {
    const taxes = table(
      "no,date,text,qty,price,tax 1 name,tax 1 sum,tax 2 name,tax 2 sum",
      "A,2026-01-05,Nut,1,10.00,VAT,1.50,Levy,0.20"
    )
    const tax = { code: "tax 1 name", amount: "tax 1 sum" }
    const line = { description: "text", quantity: "qty", unitPrice: "price", taxes: [tax] }
    const { documents } = yield* read(taxes, { columns: { version: 1, columns: { ...own, ...line } }, settings })
    assert.deepStrictEqual(
      documents[0]!.lines[0]!.taxes.map(({ amount, code }) => `${code} ${plainly(amount)}`),
      ["VAT 1.5", "Levy 0.2"]
    )
  })
})

describe("the amount with tax of a line in an export of orders", () => {
  it.effect("is of its row, also where it equals the totals of orders with one row", function* () {
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
})
