import { formatAmount } from "../../core/src/document/Money.ts"
import { assert, describe, it } from "../../core/test/It.ts"
import type { ColumnMap } from "../src/columns/ColumnMap.ts"
import { codes, found, header, row, table } from "./PlainTable.ts"
import { file, input, read } from "./Sample.ts"

describe("the totals of a document", () => {
  it.effect("are kept as stated, even if total is not subtotal plus tax", function* () {
    const { documents } = yield* read(
      table(`${header},SubTotal,TotalTax`, `${row("1", { total: "71.43" })},63.20,8.22`)
    )
    const { net, tax, total } = documents[0]!.totals
    assert.deepStrictEqual(
      [net, tax, total].map((amount) => formatAmount(amount!)),
      ["63.20", "8.22", "71.43"]
    )
  })

  it.effect("are counted once if every row repeats them", function* () {
    const { documents } = yield* read(
      table(header, row("1", { total: "1580.94" }), row("1", { text: "Ink", total: "1580.9400" }))
    )
    assert.strictEqual(formatAmount(documents[0]!.totals.total!), "1580.94")
    assert.deepStrictEqual(documents[0]!.findings, [])
  })
})

describe("documents with the same values as the document before", () => {
  it.effect("have the places of their own rows for values and findings", function* () {
    const rows = ["1", "1", "2", "3", "3"].map((number, i) => `${row(number, { text: `Pen ${i}` })},1.0E+9`)
    const text = table(`${header},CustomerTIN`, ...rows)
    const { documents } = yield* read({ files: [file(text, "in.csv", text.length)] })
    const alone = yield* read({ files: [file(text, "in.csv", 1)] })
    assert.deepStrictEqual(
      documents.map((document) => ({ ...document, place: document.where(["buyer", "tin"]) })),
      alone.documents.map((document) => ({ ...document, place: document.where(["buyer", "tin"]) }))
    )
    assert.deepStrictEqual(
      documents.map(({ findings }) => findings.map(({ at, code }) => `${code} ${at?.line}`)),
      [["CSV_IDENTIFIER_DAMAGED 2"], ["CSV_IDENTIFIER_DAMAGED 4"], ["CSV_IDENTIFIER_DAMAGED 5"]]
    )
  })

  it.effect("take values from their own rows if rows of the document before disagree", function* () {
    const lines = [header, row("1", { name: "Ada" }), row("1", { name: "Bob" }), row("2", { name: "Bob" })]
    // A row begins with the same buyer as the row before.
    const text = table(...(lines.map((line) => line.replace(/^((?:[^,]*,){3})([^,]*,)/, "$2$1")) as [string]))
    const { documents } = yield* read({ files: [file(text, "in.csv", text.length)] })
    assert.deepStrictEqual(
      documents.map(({ buyer }) => buyer?.name),
      ["Ada", "Bob"]
    )
  })
})

describe("rows with the same number", () => {
  it.effect("that disagree about their document give one conflict for each field", function* () {
    const { documents } = yield* read(
      table(header, row("55", { name: "Ada" }), row("55", { name: "Bob", text: "Ink", date: "2026-01-06" }))
    )
    assert.deepStrictEqual(
      documents[0]!.findings.map(({ code, path }) => [code, path.join(".")]),
      [
        ["CSV_HEADER_CONFLICT", "date"],
        ["CSV_HEADER_CONFLICT", "buyer.name"]
      ]
    )
  })

  it.effect("are separate documents if the grouping key includes the customer", function* () {
    const columns: ColumnMap = {
      version: 1,
      columns: { number: "No", date: "Date", customerName: "Who", lineAmount: "Amount", taxes: [{ code: "Code" }] },
      group: ["No", "Who"],
      settings: { currency: "USD" }
    }
    const { documents } = yield* read(
      table("No,Date,Who,Amount,Code", "55,2026-01-05,Ada,1,S", "55,2026-01-05,Bob,2,S"),
      { columns }
    )
    assert.strictEqual(documents.length, 2)
  })
})

describe("whether amounts include tax", () => {
  it.effect("is never guessed", function* () {
    assert.strictEqual((yield* read(table(header, row("1")))).documents[0]!.taxMode, "unstated")
  })

  it.effect("is the operator's setting", function* () {
    const { documents } = yield* read(table(header, row("1")), { settings: { amounts: "inclusive" } })
    assert.strictEqual(documents[0]!.taxMode, "inclusive")
  })

  it.effect("refuses a document if its lines disagree", function* () {
    const { documents } = yield* read(
      table(`AmountsAre,${header}`, `inclusive,${row("1")}`, `exclusive,${row("1", { text: "Ink" })}`)
    )
    assert.deepStrictEqual(codes(documents[0]!.findings), ["CSV_AMOUNTS_MIXED"])
  })
})

describe("an identifier", () => {
  it.effect("stays text, and damage by a spreadsheet is reported", function* () {
    const sorted = yield* read(
      table(
        header,
        row("0000001"),
        row("2520018000000073144"),
        row("#1001"),
        row("1.23E+12"),
        row("'0007"),
        row("=1+1")
      )
    )
    assert.deepStrictEqual(found(sorted), [
      ["0000001"],
      ["2520018000000073144"],
      ["#1001"],
      ["1.23E+12", "CSV_IDENTIFIER_DAMAGED"],
      ["0007", "CSV_APOSTROPHE"],
      ["=1+1", "CSV_FORMULA"]
    ])
  })

  it.effect("is the same when the file is read again, wherever its document appears", function* () {
    const [a, b] = [row("1"), row("2")]
    const { documents } = yield* read(input(table(header, a, b), table(header, b, a)))
    const said = documents.map(({ id, lines, totals }) =>
      JSON.stringify([id, lines.length, formatAmount(totals.total!)])
    )
    assert.deepStrictEqual(said.slice(0, 2), said.slice(2).toReversed())
  })
})

describe("a buyer", () => {
  const sold = read(table(`${header},CustomerTIN,City,Street`, `${row("1", { name: "" })},,,`, `${row("2")},,Harare,`))

  it.effect("is absent if all cells are blank", function* () {
    assert.strictEqual((yield* sold).documents[0]!.buyer, undefined)
  })

  it.effect("has the stated values, and missing values stay absent", function* () {
    const { documents } = yield* sold
    assert.deepStrictEqual(documents[1]!.buyer, { name: "Ada", address: { city: "Harare" } })
    assert.strictEqual(documents[1]!.paymentMethod, undefined)
  })
})
