/** A conversation about a file with unknown column names, up to the column map and the plan. */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as WorkbookParts from "../../adapter-xlsx/test/WorkbookParts.ts"
import { connector, folderWith } from "./RunningConnector.ts"

const rows = (...lines: ReadonlyArray<string>) => `${lines.join("\n")}\n`

const strange = rows(
  "Doc;When;Who;What;How many;Each;Sum;Class",
  "1001;03/02/2026;Acme;Chair;2;10,00;20,00;S",
  "1002;14/02/2026;Bolt;Desk;1;100,00;100,00;S",
  "1003;15/02/2026;Bolt;Bread;4;2,50;10,00;Z"
)

const nameless = rows(
  "N-1,2026-02-03,Acme,Chair,2,10.00,20.00,S",
  "N-1,2026-02-03,Acme,Desk,1,100.00,100.00,S",
  "N-2,2026-02-14,Bolt,Bread,4,2.50,10.00,Z"
)

const twice = rows(
  "Ref,Day,Name,Name,Units,Value,Value,Rate code",
  "T-1,2026-02-03,Acme,Chair,2,10.00,20.00,S",
  "T-2,2026-02-14,Bolt,Desk,1,100.00,100.00,S"
)

const folder = (text: string) =>
  Effect.gen(function* () {
    const cwd = yield* folderWith("historical-invoices.csv")
    writeFileSync(join(cwd, "sales.csv"), text)
    const path = (name: string) => join(cwd, name)
    const read = (name: string) => readFileSync(path(name), "utf8")
    const run = (args: ReadonlyArray<string>, typed?: ReadonlyArray<string>) =>
      connector(args, { cwd, ...(typed && { typed }) })
    const start = (...typed: ReadonlyArray<string>) => run(["start", "sales.csv", "--sandbox"], typed)
    return { path, read, run, start }
  })

const mapIn = (text: string) => JSON.parse(text.replaceAll(/^\s*\/\/.*$/gm, "")) as Readonly<Record<string, unknown>>

/** Columns of fields that no column shows, then Enter for the table of all columns. */
const columns = ["What", "Class", ""]

/** Answers after the columns: amounts, zone, currency, two taxes, HS code, buyers; the summary. */
const facts = ["2", "+02:00", "USD", "15.5", "0.0", "12345678", "1"]

// slow: each case is a whole conversation that ends in a plan
describe("connector start with a file of unknown columns", () => {
  it.live("asks for every column, writes the map with the line of the names, and plans by it", function* () {
    const { path, read, run, start } = yield* folder(strange)
    const { code, err, out } = yield* start(...columns, ...facts, "")
    assert.strictEqual(code, 0, err + out)
    assert.notInclude(out, "Which line has them?")
    // the item and the tax leave one column of texts
    assert.notInclude(out, "Which column is the name of the buyer?")
    assert.include(out, "column Who: the name of the buyer («Acme» «Bolt»")
    assert.match(out, /column Each: the price of one piece \(.*quantity × price = amount in every row\)/)
    assert.include(out, "sales.columns.json written: which column of the file is what.")
    assert.include(out, "Plan, nothing sent: 3 documents: 3 Planned")
    assert.deepStrictEqual(mapIn(read("sales.columns.json")), {
      version: 1,
      settings: { headerLine: 1, delimiter: "semicolon" },
      layout: "rows",
      columns: {
        number: "Doc",
        date: "When",
        quantity: "How many",
        unitPrice: "Each",
        lineAmount: "Sum",
        description: "What",
        taxes: [{ code: "Class" }],
        customerName: "Who"
      }
    })
    const [, call = ""] = /^ {2}connector (import .*)$/m.exec(out) ?? []
    assert.include(call, "--columns sales.columns.json")
    const imported = yield* run(call.split(" "))
    assert.include(imported.out, "3 documents: 3 fiscalised", imported.err)
    // later files with this header are read by the same map, which is in one place
    const again = yield* run(["import", "sales.csv", "--book", "sales.sandbox.book.json", "--sandbox"])
    assert.include(again.out, "3 documents: 3 fiscalised", again.err)
    writeFileSync(path("sales.columns.json"), read("sales.columns.json").replace('"When"', '"Wen"'))
    const wrong = yield* run(["import", "sales.csv", "--book", "sales.sandbox.book.json", "--sandbox"])
    assert.strictEqual(wrong.code, 1)
    assert.include(wrong.err, 'the header has no column "Wen"')
  })

  it.live(
    "loses no answer about columns when the operator leaves, and uses a finished map without a question",
    function* () {
      const { path, read, start } = yield* folder(strange)
      const left = yield* start("", "What")
      assert.strictEqual(left.code, 1)
      assert.include(read("sales.sandbox.questions.json"), '"column What": "description"')
      assert.isFalse(existsSync(path("sales.columns.json")))
      const second = yield* start(...columns.slice(1), ...facts, "")
      assert.include(second.out, "3 documents: 3 Planned", second.err)
      assert.notInclude(second.out, "Which line has them?")
      rmSync(path("sales.sandbox.book.json"))
      rmSync(path("sales.sandbox.answers.json"))
      const third = yield* start(...facts, "")
      assert.include(third.out, "sales.csv is read by the column map sales.columns.json.")
      assert.include(third.out, "3 documents: 3 Planned", third.err)
      assert.notInclude(third.out, "Which column")
    }
  )

  it.live("asks again what the operator names in the summary, and nothing else", function* () {
    const { read, start } = yield* folder(strange)
    // the tax and the buyer in each other's column, corrected at the end
    const corrected = ["nothing", "column Who,column Class", "Class", "Who", "15.5", "0.0"]
    // no other answer is about the line of the names
    const otherLine = ["header line", "1", ""]
    const { code, err, out } = yield* start("", "What", "Who", "Class", "", ...facts, ...corrected, ...otherLine)
    assert.strictEqual(code, 0, err + out)
    assert.include(out, "nothing: not in the list.")
    assert.include(read("sales.columns.json"), '"code": "Class"')
    assert.include(read("sales.columns.json"), '"customerName": "Who"')
    assert.include(out, "3 documents: 3 Planned")
  })

  it.live("reads a file without names by the places of its columns, and keeps every answer in the map", function* () {
    const { path, read, run, start } = yield* folder(nameless)
    const { code, err, out } = yield* start("", "#8", "", ...facts, "")
    assert.strictEqual(code, 0, err + out)
    assert.include(out, "no line: the file has no names, and begins with its first invoice  ← proposed")
    assert.include(read("sales.columns.json"), '"number": "#1"')
    // nothing distinguishes such a file from another one: it is not remembered
    assert.isFalse(existsSync(path("sales.sandbox.answers.json")))
    const [, call = ""] = /^ {2}connector (import .*)$/m.exec(out) ?? []
    assert.strictEqual(call, "import sales.csv --columns sales.columns.json --book sales.sandbox.book.json --sandbox")
    const { settings } = mapIn(read("sales.columns.json"))
    assert.deepStrictEqual(settings, { headerLine: 0, delimiter: "comma", currency: "USD", amounts: "exclusive" })
    const imported = yield* run(call.split(" "))
    assert.include(imported.out, "2 documents: 2 fiscalised", imported.err)
    // the finished map alone reads the file again, as for another gateway
    rmSync(path("sales.sandbox.book.json"))
    const again = yield* start("+02:00", "", "15.5", "0.0", "12345678", "1", "")
    assert.strictEqual(again.code, 0, again.err + again.out)
    assert.notInclude(again.out, "which currency its amounts are in")
    assert.include(again.out, "2 documents: 2 Planned")
  })

  it.live("asks again if nothing can be read by the answers, and names a file without rows", function* () {
    const { path, start } = yield* folder(nameless)
    // the last line has no row below it
    const { code, err, out } = yield* start("3", "1", "4", "#8", "", ...facts, "")
    assert.strictEqual(code, 0, err + out)
    assert.include(out, "no row below line 3 has a value")
    assert.include(out, "This follows from these answers:")
    writeFileSync(path("sales.csv"), "Aa,Bb,Cc\n")
    rmSync(path("sales.columns.json"))
    rmSync(path("sales.sandbox.book.json"))
    const empty = yield* start("")
    assert.strictEqual(empty.code, 1)
    assert.include(empty.out + empty.err, "no row below line 1 has a value")
  })

  it.live("asks for each of two columns with one name by its place", function* () {
    const { read, start } = yield* folder(twice)
    const named = ["Name (2)", "Rate code", "Name (1)"]
    const { code, err, out } = yield* start("", ...named, "", "2", "+02:00", "USD", "15.5", "12345678", "1", "")
    assert.strictEqual(code, 0, err + out)
    const { columns } = mapIn(read("sales.columns.json")) as { readonly columns: Readonly<Record<string, unknown>> }
    assert.deepStrictEqual(columns["description"], { column: "Name", nth: 2 })
    assert.deepStrictEqual(columns["unitPrice"], { column: "Value", nth: 1 })
    assert.include(out, "2 documents: 2 Planned")
  })

  it.live("asks the same about a sheet of a workbook", function* () {
    const { path, read, run } = yield* folder(strange)
    const [text, number, date] = [
      (text: string) => ({ text }),
      (number: string) => ({ number }),
      (date: string) => ({ date })
    ]
    const names = ["Doc", "When", "Who", "What", "How many", "Each", "Sum", "Class"].map(text)
    const row = (no: string, day: string, who: string, what: string, ...figures: ReadonlyArray<string>) => [
      text(no),
      date(day),
      text(who),
      text(what),
      ...figures.map(number),
      text("S")
    ]
    const rows = [
      names,
      row("A-1", "2026-02-03", "Acme", "Chair", "2", "10", "20"),
      row("A-1", "2026-02-03", "Acme", "Desk", "1", "100", "100"),
      row("A-2", "2026-02-14", "Bolt", "Lamp", "4", "2.5", "10")
    ]
    const workbook = yield* Effect.promise(() => WorkbookParts.workbook([{ name: "Sales", rows }]))
    writeFileSync(path("sales.xlsx"), workbook)
    const { code, err, out } = yield* run(
      ["start", "sales.xlsx", "--sandbox"],
      ["", "Class", "", "2", "+02:00", "USD", "15.5", "12345678", "1", ""]
    )
    assert.strictEqual(code, 0, err + out)
    assert.include(read("sales.columns.json"), '"description": "What"')
    assert.notInclude(read("sales.columns.json"), "delimiter")
    const [, call = ""] = /^ {2}connector (import .*)$/m.exec(out) ?? []
    const imported = yield* run(call.split(" "))
    assert.include(imported.out, "2 documents: 2 fiscalised", imported.err)
  })

  it.live("asks one column of the table by its number, and takes the other proposals", function* () {
    const { read, start } = yield* folder(
      rows("Number;Date;Customer;Item;Qty;Price;Amount", "1001;2026-02-13;Acme;Chair;2;10,00;20,00")
    )
    const { code, err, out } = yield* start("4", "the item", "", "2", "+02:00", "USD", "15.5", "12345678", "1", "")
    assert.strictEqual(code, 0, err + out)
    assert.include(out, 'What is "Item"? «Chair»')
    assert.include(read("sales.columns.json"), '"description": "Item"')
  })

  it.live("takes the answers of a file, to which plan adds the questions that follow", function* () {
    const { path, read, run } = yield* folder(strange)
    const answer = (answers: Readonly<Record<string, string>>) =>
      writeFileSync(
        path("answers.json"),
        Object.entries(answers).reduce(
          (text, [id, answer]) => text.replace(new RegExp(`"${id}": "[^"]*"`), `"${id}": "${answer}"`),
          read("answers.json")
        )
      )
    const bare = yield* run(["start", "sales.csv", "--sandbox"])
    assert.strictEqual(bare.code, 1)
    assert.include(bare.err, "connector plan sales.csv --sandbox --write-answers answers.json")
    yield* run(["plan", "sales.csv", "--write-answers", "answers.json"])
    assert.include(read("answers.json"), '"column Doc": "number"')
    const open = yield* run(["start", "sales.csv", "--sandbox", "--answers", "answers.json"])
    assert.include(open.err, "By the answers in answers.json, 4 questions are open")
    answer({ "which description": "What", "which tax.code": "Who", "which customerName": "Who", zone: "+02:00" })
    const conflict = yield* run(["plan", "sales.csv", "--answers", "answers.json"])
    assert.strictEqual(conflict.code, 1)
    assert.include(conflict.err, "one question is open:\n\nwhich tax.code")
    answer({ "which tax.code": "Class" })
    const more = yield* run(["plan", "sales.csv", "--answers", "answers.json"])
    const [, adding = ""] = /adds them to the file, with the proposals:\n {2}connector (.*)$/m.exec(more.err) ?? []
    assert.strictEqual(adding, "plan sales.csv --answers answers.json --write-answers answers.json")
    const added = yield* run(adding.split(" "))
    assert.include(added.err, "answers.json written: 6 questions are open.")
    assert.include(read("answers.json"), '"which tax.code": "Class"')
    answer({
      currency: "USD",
      "tax S": "15.5",
      "tax Z": "0.0",
      amounts: "exclusive",
      "product-codes": "12345678",
      "buyers-without-number": "cash-sale"
    })
    const started = yield* run(["start", "sales.csv", "--sandbox", "--answers", "answers.json"])
    assert.strictEqual(started.code, 0, started.err)
    assert.include(started.out, "3 documents: 3 Planned")
    assert.isTrue(existsSync(path("sales.columns.json")))
  })
})
