/** Reads a file that is not invoices with every command: asked first, and read after the answer. */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as RecognizedFiles from "../../adapter-csv/test/RecognizedFiles.ts"
import * as WorkbookParts from "../../adapter-xlsx/test/WorkbookParts.ts"
import { connector, folderWith } from "./RunningConnector.ts"

const book = {
  version: 1,
  zone: "+02:00",
  taxes: [{ from: ["S"], code: "VAT15", device: 1, percent: "15" }],
  currencies: [{ code: "USD", device: "USD" }],
  defaults: { payment: "Cash", productCode: "12345678", cashBuyer: "Cash sale {name}" }
}

const folder = (files: Readonly<Record<string, string | Uint8Array>>) =>
  Effect.gen(function* () {
    const cwd = yield* folderWith()
    for (const [name, content] of Object.entries(files)) writeFileSync(join(cwd, name), content)
    const read = (name: string) => readFileSync(join(cwd, name), "utf8")
    const run = (args: ReadonlyArray<string>, typed?: ReadonlyArray<string>) =>
      connector(args, { cwd, ...(typed && { typed }) })
    return { cwd, read, run }
  })

const settings = (text: object) => JSON.stringify(text)

/** Commands that read an export, each with what it reads by. */
const commands = (format: "csv" | "xlsx", file = `own.${format}`): ReadonlyArray<ReadonlyArray<string>> => {
  return [
    ["plan", format, file, "--sandbox"],
    ["plan", format, file, "--sandbox", "--book", "b.json"],
    ["plan", format, file, "--sandbox", "--book", "b.json", "--columns", "map.json"],
    ["plan", format, file, "--sandbox", "--book", "b.json", "--answers", "none.json"],
    ["import", format, file, "--sandbox", "--book", "b.json"],
    ["import", format, file, "--sandbox", "--book", "b.json", "--columns", "map.json"],
    ["book", "draft", format, file, "--book", "new.json"],
    ["book", "draft", format, file, "--book", "new.json", "--columns", "map.json"],
    ["columns", format, file],
    ["start", file, "--sandbox", "--answers", "none.json"]
  ]
}

// slow: every command reads every format
describe("a file of every format that is not invoices", () => {
  for (const one of RecognizedFiles.files)
    it.live(`is asked about by every command, and none plans a document: ${one.name}`, function* () {
      const text = (cells: ReadonlyArray<string>) => cells.map((cell): WorkbookParts.Cell => ({ text: cell }))
      const { cwd, run } = yield* folder({
        "own.csv": RecognizedFiles.csvOf(one),
        "own.xlsx": yield* Effect.promise(() => WorkbookParts.workbook([{ name: "Sales", rows: one.rows.map(text) }])),
        "b.json": settings(book),
        "map.json": settings(RecognizedFiles.mapOf(one)),
        "none.json": settings({ version: 1, answers: {} })
      })
      for (const format of one.isText ? (["csv"] as const) : (["csv", "xlsx"] as const))
        for (const args of commands(format)) {
          const { code, err, out } = yield* run(args)
          const call = args.join(" ")
          assert.strictEqual(code, 1, call)
          // the command names the adapters of JSON first
          if (one.name !== "JSON file" || args[0] === "columns") {
            assert.include(out + err, "What is this file?", call)
            assert.include(out + err, `${one.contents}=invoices`, call)
          }
          assert.notMatch(out + err, /\d+ Planned|\d+ fiscalised/, call)
        }
      assert.isFalse(existsSync(join(cwd, "new.json")))
      if (one.name === "JSON file") return
      const flags = ["--columns", "map.json", "--contents", `${one.contents}=invoices`]
      const planned = yield* run(["plan", "csv", "own.csv", "--sandbox", "--book", "b.json", ...flags])
      assert.include(planned.out, `${RecognizedFiles.documents} Planned`, planned.err)
    })
})

/** Kinds of documents that are not sales, each with a word for its columns, sheet and file. */
const kindsOfLists = {
  "credit-notes": "Credit note",
  purchases: "Vendor",
  "debit-notes": "Debit note",
  "pro-formas": "Proforma",
  "delivery-notes": "Lieferschein",
  quotations: "Devis"
} as const

// slow: every command reads every kind at every place
describe("a list whose names state another kind than invoices", () => {
  for (const [contents, word] of Object.entries(kindsOfLists))
    it.live(`is asked about by every command, and none plans a document: ${word}`, function* () {
      const plain = ["InvoiceNumber", "InvoiceDate", "Description", "Quantity", "UnitPrice", "TaxCode", "Currency"]
      const values = ["A-1", "2026-01-05", "Nails", "1", "2.50", "S", "USD"]
      const csv = (...rows: ReadonlyArray<ReadonlyArray<string>>) =>
        rows.map((cells) => `${cells.join(",")}\n`).join("")
      const own = [`${word} no`, `${word} date`, ...plain.slice(2)]
      const columns = { number: own[0], date: own[1], description: "Description", quantity: "Quantity" }
      const map = { version: 1, columns: { ...columns, unitPrice: "UnitPrice", taxes: [{ code: "TaxCode" }] } }
      const sheet = [plain, values].map((cells) => cells.map((text) => ({ text })))
      const { cwd, run } = yield* folder({
        "own.csv": csv(own, values),
        "titled.csv": csv([`${word} list`], plain, values),
        [`${word}.csv`]: csv(plain, values),
        "sheet.xlsx": yield* Effect.promise(() => WorkbookParts.workbook([{ name: word, rows: sheet }])),
        "b.json": settings(book),
        "map.json": settings({ ...map, settings: { amounts: "exclusive", currency: "USD" } }),
        "none.json": settings({ version: 1, answers: {} })
      })
      const places = {
        "own.csv": [`--contents`, `${contents}=invoices`],
        "titled.csv": ["--titles", "title WORD=invoices"],
        [`${word}.csv`]: ["--titles", "file WORD=invoices"],
        "sheet.xlsx": ["--titles", "sheet WORD=invoices"]
      }
      for (const [file, answer] of Object.entries(places)) {
        const format = file.endsWith("xlsx") ? "xlsx" : "csv"
        for (const args of commands(format, file)) {
          if (file !== "own.csv" && args.includes("map.json")) continue
          const { code, err, out } = yield* run(args)
          const call = args.join(" ")
          assert.strictEqual(code, 1, call)
          assert.include(out + err, "What is this file?", call)
          assert.notMatch(out + err, /\d+ Planned|\d+ fiscalised/, call)
        }
        const flags = answer.map((one) => one.replace("WORD", word === "Proforma" ? "pro forma" : word.toLowerCase()))
        const mapped = file === "own.csv" ? ["--columns", "map.json"] : ["--amounts", "exclusive"]
        const planned = yield* run(["plan", format, file, "--sandbox", "--book", "b.json", ...mapped, ...flags])
        assert.include(planned.out, "1 Planned", `${file}: ${planned.err}`)
      }
      assert.isFalse(existsSync(join(cwd, "new.json")))
    })
})

describe("a title above the table", () => {
  const rows =
    "InvoiceNumber,InvoiceDate,Description,Quantity,UnitPrice,TaxCode,Currency\nA-1,2026-01-05,Nails,1,2.50,S,USD\n"
  const planned = (title: string, ...args: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const { run } = yield* folder({ "own.csv": `"${title}"\n${rows}`, "b.json": settings(book) })
      const { err, out } = yield* run(["plan", "csv", "own.csv", "--sandbox", "--book", "b.json", ...args])
      return out + err
    })

  it.live("is held against every document: its period, its currency, and whether amounts include tax", function* () {
    const contradicting = {
      "Sales in February 2026": "2026-02-01/2026-02-28",
      "Period: 01/02/2026 - 28/02/2026": "2026-02-01/2026-02-28",
      "Février - mars 2026": "2026-02-01/2026-03-31",
      "Currency: EUR": "EUR",
      "All amounts include VAT": "including tax",
      "Preise inkl. MwSt": "including tax"
    }
    for (const [title, text] of Object.entries(contradicting)) {
      const refused = yield* planned(title, "--amounts", "exclusive")
      assert.notMatch(refused, /\d+ Planned/, title)
      assert.include(refused, `says "${text}"`, title)
      const unused = yield* planned(title, "--amounts", "exclusive", "--titles", `title ${text}=unused`)
      assert.include(unused, "1 Planned", title)
    }
    const agreeing = [
      "Sales in January 2026",
      "1/1/2026 to 31/1/2026",
      "Currency: USD",
      "Amounts exclude VAT",
      "Printed on 3 February 2026",
      "February 3, 2026 10:15",
      "Acme Ltd, PIN 3000 ALL RIGHTS RESERVED",
      "Prices do not include VAT",
      "Trading since March 2019",
      "Financial year starting July 2025",
      "Report generated: February 2026"
    ]
    for (const title of agreeing) assert.include(yield* planned(title, "--amounts", "exclusive"), "1 Planned", title)
  })

  it.live("states whether amounts include tax if nothing else does", function* () {
    assert.include(yield* planned("All amounts include VAT"), "1 Planned")
    assert.include(yield* planned("Sales"), "amounts")
  })

  it.live("that states thousands is asked about before anything else", function* () {
    for (const title of ["USD in thousands", "Beträge in Tausend", "Amounts (000s)", "in TEUR", "US$'000"]) {
      const asked = yield* planned(title, "--amounts", "exclusive")
      assert.include(asked, "Which amounts are these?", title)
      assert.notMatch(asked, /\d+ Planned/, title)
    }
    assert.include(
      yield* planned("in thousands", "--amounts", "exclusive", "--titles", "title thousands=unused"),
      "1 Planned"
    )
    assert.include(yield* planned("in thousands", "--titles", "title thousands=stop"), "Export the amounts in full")
    assert.include(yield* planned("Thousand Oaks Ltd", "--amounts", "exclusive"), "1 Planned")
  })
})

describe("a number in two sheets with one header", () => {
  const names = ["InvoiceNumber", "InvoiceDate", "Description", "Quantity", "UnitPrice", "TaxCode", "Currency"]
  const values = ["A-1", "2026-01-05", "Nails", "1", "2.50", "S", "USD"]
  const sheets = (...rows: ReadonlyArray<ReadonlyArray<string>>) =>
    WorkbookParts.workbook(
      rows.map((cells, i) => ({
        name: `Sheet ${i + 1}`,
        rows: [names, cells].map((row) => row.map((text) => ({ text })))
      }))
    )

  it.live("is planned once if its rows are equal, and refused with both places if they differ", function* () {
    const { run } = yield* folder({
      "equal.xlsx": yield* Effect.promise(() => sheets(values, values)),
      "other.xlsx": yield* Effect.promise(() => sheets(values, values.with(3, "2"))),
      "b.json": settings(book)
    })
    const plan = (file: string, ...args: ReadonlyArray<string>) =>
      run(["plan", "xlsx", file, "--sandbox", "--book", "b.json", "--amounts", "exclusive", ...args])
    const equal = yield* plan("equal.xlsx")
    assert.include(equal.out, "1 Planned", equal.err)
    assert.include(equal.out, "stated twice, word for word: A-1")
    const other = yield* plan("other.xlsx")
    assert.notMatch(other.out, /\d+ Planned/)
    assert.include(other.out, "also at other.xlsx!Sheet 1:2")
    assert.include(other.out, "also at other.xlsx!Sheet 2:2")
    assert.include((yield* plan("other.xlsx", "--sheet", "Sheet 2")).out, "1 Planned")
  })
})

const ledger = `Txn,Day,Account,Text,Debit,Credit,Number
9001,2026-01-25,Sales,Nails,,100.00,2
9001,2026-01-25,Services,Fitting,,50.00,2
9001,2026-01-25,Receivables,Joe,150.00,,2
`

describe("the answer about what a file is", () => {
  it.live("is given in a file of answers, and a wrong value is named", function* () {
    const answers = (answer: string) => settings({ version: 1, answers: { "contents ledger": answer } })
    const { read, run } = yield* folder({
      "own.csv": ledger,
      "wrong.json": answers("yes"),
      "stop.json": answers("stop"),
      "goes-on.json": answers("invoices")
    })
    const plan = (file: string) => run(["plan", "own.csv", "--sandbox", "--answers", file])
    const wrong = yield* plan("wrong.json")
    assert.strictEqual(wrong.code, 1)
    assert.include(wrong.err, 'contents ledger: "yes" is not one of "stop", "invoices"')
    const stopped = yield* plan("stop.json")
    assert.strictEqual(stopped.code, 1)
    assert.include(stopped.err, "own.csv: this looks like a ledger: it holds bookings, not invoices")
    assert.notInclude(stopped.err, "column")
    const goesOn = yield* plan("goes-on.json")
    assert.strictEqual(goesOn.code, 1)
    assert.include(goesOn.err + goesOn.out, "Which column is the quantity?")
    const written = yield* run(["plan", "own.csv", "--sandbox", "--write-answers", "new.json"])
    assert.strictEqual(written.code, 1)
    assert.include(read("new.json"), '"contents ledger": "stop"')
    assert.notInclude(read("new.json"), '"column number"')
  })

  it.live("is remembered by `start` for later files with the same header", function* () {
    const header =
      "Quote Number,Invoice Date,Currency,Amounts Are,Customer Name,Description,Quantity,Unit Price,Line Amount,Tax Code"
    const table = (number: string) => `${header}\n${number},2026-01-05,USD,exclusive,Ada,Pen,1,5.00,5.00,S\n`
    const answers = {
      "contents quotations": "invoices",
      "column number": "Quote Number",
      "column date": "Invoice Date",
      "column description": "Description",
      "column quantity": "Quantity",
      "column price": "Unit Price",
      "column amount": "Line Amount",
      "column tax": "Tax Code",
      "column buyer": "Customer Name",
      "column currency": "Currency",
      "other columns": "proposed",
      zone: "+02:00",
      "currency USD": "USD",
      "tax S": "15",
      "product-codes": "12345678",
      "buyers-without-number": "cash-sale"
    }
    const { run } = yield* folder({
      "own.csv": table("Q-1"),
      "next.csv": table("Q-2"),
      "answers.json": settings({ version: 1, answers })
    })
    const started = yield* run(["start", "own.csv", "--sandbox", "--answers", "answers.json"])
    assert.include(started.out, "Plan, nothing sent: 1 document: 1 Planned", started.err)
    const next = yield* run(["plan", "next.csv", "--sandbox", "--book", "own.sandbox.book.json"])
    assert.include(next.out, "Plan, nothing sent: 1 document: 1 Planned", next.err)
    const other = yield* run(["plan", "next.csv", "--sandbox"])
    assert.include(other.out, "What is this file?")
  })

  it.live("stops `start`, which asks again at the next call and keeps the other answer", function* () {
    const { cwd, read, run } = yield* folder({ "own.csv": ledger, "next.csv": ledger.replaceAll("9001", "9002") })
    const stopped = yield* run(["start", "own.csv", "--sandbox"], [""])
    assert.strictEqual(stopped.code, 1)
    assert.include(stopped.out, "1  not invoices: stop.")
    assert.include(stopped.err, "Export the invoices with their lines")
    assert.isFalse(existsSync(join(cwd, "own.sandbox.book.json")))
    assert.isFalse(existsSync(join(cwd, "own.sandbox.answers.json")))
    const kept = yield* run(["start", "own.csv", "--sandbox"], ["2"])
    assert.include(kept.out, "Which column is the quantity?", kept.err)
    assert.include(read("own.sandbox.questions.json"), '"contents ledger": "invoices"')
  })

  it.live("names a kind that exists", function* () {
    const { run } = yield* folder({ "own.csv": ledger })
    for (const flag of ["book=invoices", "ledger=yes", "ledger"]) {
      const { code, err, out } = yield* run(["plan", "csv", "own.csv", "--sandbox", "--contents", flag])
      assert.strictEqual(code, 1, flag)
      assert.match(out + err, /KIND is one of ledger, no-lines|contents/, flag)
    }
  })
})
