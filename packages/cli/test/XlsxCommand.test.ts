import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as WorkbookParts from "../../adapter-xlsx/test/WorkbookParts.ts"
import { connector, examples, folderWith, lines } from "./RunningConnector.ts"

const example = "historical-invoices"
const t = (text: string): WorkbookParts.Cell => ({ text })
const header = [
  "InvoiceNumber",
  "InvoiceDate",
  "Currency",
  "AmountsAre",
  "CustomerName",
  "Description",
  "Quantity",
  "UnitPrice",
  "TaxCode",
  "ProductCode"
]
const row = (number: string, price: WorkbookParts.Cell): ReadonlyArray<WorkbookParts.Cell> => [
  t(number),
  { date: "2026-02-03" },
  ...["USD", "inclusive", "Ada Ltd", "Pen"].map(t),
  { number: "2" },
  price,
  ...["Standard", "25232900"].map(t)
]

/** Writes a workbook of the sheets into a folder, with the example's book beside it. */
const workbook = (name: string, sheets: ReadonlyArray<WorkbookParts.SheetSpec>) =>
  Effect.gen(function* () {
    const folder = yield* folderWith()
    const file = join(folder, name)
    writeFileSync(file, yield* Effect.promise(() => WorkbookParts.workbook(sheets)))
    copyFileSync(join(examples, `${example}.book.json`), join(folder, `${name.replace(/\.[^.]*$/, "")}.book.json`))
    return file
  })

const sales = (...rows: ReadonlyArray<ReadonlyArray<WorkbookParts.Cell>>) => ({
  name: "My sales",
  rows: [header.map(t), ...rows]
})

describe("connector import xlsx", () => {
  it.live("gives the same plan for the example as its CSV twin", function* () {
    const xlsx = yield* connector(["plan", "xlsx", join(examples, `${example}.xlsx`), "--sandbox", "--json"])
    const csv = yield* connector(["plan", "csv", join(examples, `${example}.csv`), "--sandbox", "--json"])
    assert.strictEqual(xlsx.code, 0)
    const documents = (out: string) =>
      lines(out).flatMap(({ number, payload, state, summary, total }) =>
        summary === undefined ? [{ number, payload, state, total }] : []
      )
    assert.isAbove(documents(csv.out).length, 40)
    assert.deepStrictEqual(documents(xlsx.out), documents(csv.out))
  })

  it.live(
    "sends valid documents, and writes the refused rows as a workbook that can be corrected and imported again",
    function* () {
      const file = yield* workbook("sales.xlsm", [
        sales(row("A-1", { number: "10.5" }), row("00002", { error: "#N/A" }))
      ])
      const first = yield* connector(["import", "xlsx", file, "--sandbox"])
      assert.strictEqual(first.code, 2, first.err)
      assert.include(first.out, `${file}!My sales:H3 "#N/A"`)
      const refused = file.replace(".xlsm", ".refused.xlsx")
      assert.include(first.out, refused)
      assert.strictEqual(statSync(refused).mode & 0o777, 0o600)
      const again = yield* connector([
        "import",
        "xlsx",
        refused,
        "--sandbox",
        "--book",
        file.replace(".xlsm", ".book.json")
      ])
      assert.include(again.out, "00002")
      assert.include(again.out, "XLSX_ERROR_CELL")
    }
  )

  it.live("asks for the sheet with its flag, and accepts the flag", function* () {
    const file = yield* workbook("two.xlsx", [
      sales(row("A-1", { number: "5" })),
      {
        name: "Old",
        rows: [
          ["Buyer", "Street", "Town"],
          ["Ada", "High Street", "Bern"]
        ].map((cells) => cells.map(t))
      }
    ])
    const asked = yield* connector(["import", "xlsx", file, "--sandbox"])
    assert.strictEqual(asked.code, 1)
    assert.include(asked.err, "→ --sheet 'My sales'")
    assert.notInclude(asked.err, "--sheet Old", "it has no day, so it has no documents")
    const settled = yield* connector(["plan", "xlsx", file, "--sandbox", "--sheet", "My sales"])
    assert.strictEqual(settled.code, 0)
    assert.include(settled.out, "A-1")
  })

  it.live("reads the sheets of the flag if a sheet with the same header may be an old one", function* () {
    const other = { ...sales(row("B-1", { number: "5" })), name: "Old" }
    const file = yield* workbook("same.xlsx", [sales(row("A-1", { number: "5" })), other])
    const asked = yield* connector(["plan", "xlsx", file, "--sandbox"])
    assert.include(asked.err, "→ --sheet 'My sales/Old'")
    const both = yield* connector(["plan", "xlsx", file, "--sandbox", "--sheet", "My sales/Old"])
    for (const number of ["A-1", "B-1"]) assert.include(both.out, number)
    const one = yield* connector(["plan", "xlsx", file, "--sandbox", "--sheet", "My sales"])
    assert.include(one.out, "A-1")
    assert.notInclude(one.out, "B-1")
  })

  it.live("is suggested if a workbook is given to import csv, and vice versa", function* () {
    const book = join(examples, `${example}.book.json`)
    const wrong = yield* connector(["import", "csv", join(examples, `${example}.xlsx`), "--sandbox", "--book", book])
    assert.match(
      wrong.err,
      /is an Excel workbook, and csv reads a table in text.*\n +connector import \S+\.xlsx --book/
    )
    const other = yield* connector(["import", "xlsx", join(examples, `${example}.csv`), "--sandbox", "--book", book])
    assert.match(other.err, /is a table in text, and xlsx reads an Excel workbook/)
  })
})

describe("a file written from a workbook", () => {
  it.live("may be a column map that reads the workbook", function* () {
    const other = {
      ...sales(row("A-1", { number: "5" })),
      rows: [
        [
          "Invoice No.",
          "Invoice Date",
          "Currency Code",
          "Amounts Are",
          "Customer",
          "Item Description",
          "Qty",
          "Price",
          "Tax Code",
          "HS Code"
        ].map(t),
        row("A-1", { number: "5" })
      ]
    }
    const file = yield* workbook("other.xlsx", [other])
    const refused = yield* connector(["plan", "xlsx", file, "--sandbox"])
    assert.include(refused.err, `connector columns xlsx ${file} proposes one`)
    const proposed = yield* connector(["columns", "xlsx", file])
    assert.strictEqual(proposed.code, 0)
    assert.include(proposed.out, `Proposed from ${file}!My sales`)
    assert.notInclude(proposed.out, "delimiter")
    const map = file.replace("other.xlsx", "map.json")
    writeFileSync(map, proposed.out)
    const read = yield* connector(["plan", "xlsx", file, "--sandbox", "--columns", map])
    assert.strictEqual(read.err, "")
    assert.match(read.out, /^A-1 .*USD 10.00  Planned .*2026-02-03/m)
  })

  it.live("may be a mapping book with the spellings in the workbook", function* () {
    const file = yield* workbook("sales.xlsx", [sales(row("A-1", { number: "5" }))])
    const target = file.replace("sales.xlsx", "drafted.json")
    const drafted = yield* connector(["book", "draft", "xlsx", file, "--book", target])
    assert.strictEqual(drafted.code, 0)
    assert.isTrue(existsSync(target))
    assert.include(readFileSync(target, "utf8"), '"Standard"')
  })
})
