/** Proves that every printed action leads to a fiscalized document when executed as printed. */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { envelope } from "./Envelope.ts"
import { connector, folderWith } from "./RunningConnector.ts"

const header =
  "InvoiceNumber,InvoiceDate,Currency,CustomerName,CustomerTIN,CustomerVAT,Province,Street,HouseNo,City,Description,Quantity,UnitPrice,LineAmount,TaxCode,AmountsAre,ProductCode"
const line = (number: string, text = "Pen", amount = "5.00", day = "2026-01-05") =>
  `${number},${day},USD,Ada Ltd,2000000001,100000001,HRE,Main Road,1,Harare,${text},1,${amount},${amount},Standard,exclusive,12345678`
const table = (...rows: ReadonlyArray<string>): string => `${rows.join("\n")}\n`

const book = {
  version: 1,
  zone: "+02:00",
  taxes: [{ from: ["Standard"], code: "VAT15", device: 1, percent: "15" }],
  currencies: [{ from: ["USD"], code: "USD", device: "USD" }],
  defaults: { payment: "Cash", productCode: "12345678", cashBuyer: "Cash sale {name}" }
}

const imported = (files: Readonly<Record<string, string>>, args: ReadonlyArray<string> = []) =>
  Effect.gen(function* () {
    const cwd = yield* folderWith()
    writeFileSync(join(cwd, "sales.book.json"), JSON.stringify(book))
    for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text)
    return yield* connector(["import", "csv", "sales.csv", "--sandbox", "--book", "sales.book.json", ...args], { cwd })
  })

/** Returns the first matching printed flag, with the value. */
const printedFlag = (out: string, wanted: RegExp): ReadonlyArray<string> =>
  out
    .split("\n")
    .map((text) => text.trim().replace(/^→ /, ""))
    .find((text) => wanted.test(text))!
    .split(" ")

const cases: ReadonlyArray<readonly [what: string, text: string, flag: RegExp, code: string]> = [
  [
    "a row named total with a wrong sum",
    table(header, line("1"), line("1", "Total", "8.00")),
    /^--total-rows skip$/,
    "CSV_TOTAL_ROW_UNSURE"
  ],
  [
    "a control character",
    table(header, line("1", "Pen\u000bblue")),
    /^--control-characters blank$/,
    "CSV_CONTROL_CHARACTER"
  ],
  [
    "a day written as a time",
    table(header, line("1", "Pen", "5.00", "2026-01-05T00:00:00Z")),
    /^--times written-day$/,
    "CSV_DATE_HAS_TIME"
  ],
  ["repeated rows", table(header, line("1"), line("1")), /^--repeated-rows keep$/, "CSV_ROWS_REPEATED"],
  ["a row with too few cells", table(`${header},Reason`, line("1")), /^--short-rows pad$/, "CSV_ROW_WIDTH"]
]

describe("the way out that import csv prints", () => {
  for (const [what, text, flag, code] of cases) {
    it.live(`leads to a fiscalised document for ${what}`, function* () {
      const refused = yield* imported({ "sales.csv": text })
      assert.strictEqual(refused.code, 2, refused.out + refused.err)
      assert.include(refused.out, code)
      const again = yield* imported({ "sales.csv": text }, printedFlag(refused.out, flag))
      assert.strictEqual(again.code, 0, again.out + again.err)
      assert.include(again.out, "1 document: 1 fiscalised")
    })
  }

  it.live(
    "leads to a fiscalised document after every open question is answered as printed, in text and JSON",
    function* () {
      const text = table(header, line("1", "Pen", "5.00", "03/02/2026"))
      const asked = yield* imported({ "sales.csv": text })
      assert.strictEqual(asked.code, 1)
      const flags = printedFlag(asked.err, /^--dates dmy$/)
      assert.include((yield* imported({ "sales.csv": text }, flags)).out, "1 document: 1 fiscalised")
      const json = yield* imported({ "sales.csv": text }, ["--json"])
      assert.strictEqual(json.code, 1)
      const { kind, data } = envelope(json.out)
      assert.deepStrictEqual([kind, data["exitCode"]], ["questions", 1])
      const questions = data["questions"] as ReadonlyArray<{ id: string; readings: ReadonlyArray<{ answer: unknown }> }>
      assert.deepStrictEqual(
        questions.map(({ id, readings }) => [id, ...readings.map(({ answer }) => answer)]),
        [["dates", { settings: { dates: "dmy" } }, { settings: { dates: "mdy" } }]]
      )
    }
  )

  it.live("leads to a fiscalised shop order after a column map explains its status word", function* () {
    const shop =
      "Name,Financial Status,Created at,Lineitem quantity,Lineitem name,Lineitem price,Refunded Amount,Currency,Total,Billing Name,Tax 1 Name"
    const text = table(shop, "#1,Settled,2026-01-05 10:00:00 +0200,1,Pen,5.00,,USD,5.75,Ada Ltd,Standard")
    const args = ["--amounts", "exclusive"]
    const refused = yield* imported({ "sales.csv": text }, args)
    assert.strictEqual(refused.code, 2, refused.out + refused.err)
    assert.include(refused.out, "State in `statuses` of the column map")
    const map = '{ "version": 1, "statuses": { "Settled": "issued" } }'
    const files = { "sales.csv": text, "map.json": map }
    const again = yield* imported(files, [...args, "--columns", "map.json"])
    assert.notInclude(again.out, "CSV_STATUS_UNKNOWN")
    assert.strictEqual(again.code, 0, again.out + again.err)
  })
})

describe("import csv", () => {
  it.live("reports 0 documents for a file with only a header, and refuses an empty file", function* () {
    const none = yield* imported({ "sales.csv": `${header}\n` })
    assert.strictEqual(none.code, 0, none.out + none.err)
    assert.include(none.out, "0 documents")
    const empty = yield* imported({ "sales.csv": "" })
    assert.strictEqual(empty.code, 1)
    assert.include(empty.err, "the file is empty")
  })

  it.live("reports skipped documents by number, and files of a folder that it does not read", function* () {
    const cwd = yield* folderWith()
    mkdirSync(join(cwd, "exports/older"), { recursive: true })
    writeFileSync(join(cwd, "sales.book.json"), JSON.stringify(book))
    writeFileSync(join(cwd, "exports/notes.pdf"), "%PDF-")
    writeFileSync(
      join(cwd, "exports/sales.csv"),
      table(`${header},Status`, `${line("1")},Issued`, `${line("2")},Draft`, `${line("3")},Draft`)
    )
    const args = ["plan", "csv", "exports", "--sandbox", "--book", "sales.book.json"]
    const { err, out } = yield* connector(args, { cwd })
    assert.include(out, '2 × status "Draft": 2, 3')
    assert.include(err, "Not read in the folder exports: notes.pdf, older.")
  })

  it.live("lists the known layouts in its help text", function* () {
    const { out } = yield* connector(["import", "csv", "--help"])
    for (const layout of ["plain", "xero-template", "zoho-invoices", "shopify", "square-items"])
      assert.include(out, layout)
  })
})
