/** The user's own export, written again with the receipts: `import FILE --receipts OUT`. */
import { adapter as xlsx } from "@fiscal-connector/adapter-xlsx/XlsxAdapter"
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect, Stream } from "effect"
import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as WorkbookParts from "../../adapter-xlsx/test/WorkbookParts.ts"
import { connector, examples, folderWith, gatewayFor } from "./RunningConnector.ts"

const names = [
  "InvoiceNumber",
  "InvoiceDate",
  "CustomerName",
  "Currency",
  "AmountsAre",
  "Description",
  "Quantity",
  "UnitPrice",
  "TaxCode",
  "ProductCode"
]
const cells = (number: string, { buyer = "Kestrel Tools", text = "Lamp", tax = "Standard" } = {}) => [
  number,
  "2026-02-03",
  buyer,
  "USD",
  "inclusive",
  text,
  "1",
  "10.00",
  tax,
  "94052090"
]
const added = [
  "Fiscal receipt: number",
  "Fiscal receipt: verification code",
  "Fiscal receipt: QR link",
  "Fiscal receipt: state",
  "Fiscal receipt: date"
]

const firm = Effect.gen(function* () {
  const cwd = yield* folderWith("historical-invoices.book.json")
  yield* gatewayFor(cwd)
  const run = (command: string, file: string, ...flags: ReadonlyArray<string>) =>
    connector(
      [command, file, "--config", "account.json", "--book", "historical-invoices.book.json", "--receipts", ...flags],
      { cwd }
    )
  return { cwd, path: (name: string) => join(cwd, name), run }
})

/** Text of an export of a shop: Windows-1252, semicolons, CRLF, a quoted cell over two lines. */
const shop = [
  names.join(";"),
  cells("A-1", { buyer: '"Caf\u00e9 ""Ada""; Ltd"' }).join(";"),
  cells("A-1", { buyer: '"Caf\u00e9 ""Ada""; Ltd"', text: '"Lamp\r\nwith a shade"' }).join(";"),
  "",
  cells("A-2", { text: "=1+2" }).join(";"),
  cells("A-3", { tax: "Unheard of" }).join(";"),
  ""
].join("\r\n")

describe("connector import --receipts", () => {
  it.live("adds the receipt to each document's first row, and leaves every other byte as it was", function* () {
    const { cwd, path, run } = yield* firm
    writeFileSync(path("shop.csv"), Buffer.from(shop, "latin1"))
    const first = yield* run("import", "shop.csv", "out.csv", "--send-rest")
    assert.strictEqual(first.code, 2, first.err + first.out)
    assert.include(first.out, "The export with its receipts: out.csv")
    const written = readFileSync(path("out.csv"))
    const [head = "", one = "", more = "", rest = "", blank, two = "", three = ""] = written
      .toString("latin1")
      .split("\r\n")
    assert.strictEqual(head, [...names, ...added].join(";"))
    const [number, code, link, state, date] = one.split(";").slice(-5)
    assert.match(number ?? "", /^\d+$/)
    assert.match(code ?? "", /^[0-9A-F-]{16,}$/)
    assert.match(link ?? "", /^https?:/)
    assert.deepStrictEqual([state, date?.slice(0, 10)], ["Fiscalised", "2026-02-03"])
    assert.include(one, 'Caf\u00e9 ""Ada""; Ltd"')
    assert.isTrue(rest.endsWith(";94052090;;;;;"), more + rest)
    assert.strictEqual(blank, "")
    assert.include(two, ";'=1+2;")
    assert.include(two, ";Fiscalised;2026-02-03")
    assert.isTrue(three.endsWith(";94052090;;;;Refused;2026-02-03"), three)
    const without = written
      .toString("latin1")
      .replace(added.map((name) => `;${name}`).join(""), "")
      .replaceAll(/(;94052090)(;[^;\r]*){5}(?=\r\n)/g, "$1")
      .replace("'=", "=")
    assert.strictEqual(without, shop)
    // a second run, and a plan, write the stored receipts
    for (const command of ["import", "plan"]) {
      writeFileSync(path("again.csv"), "an older file")
      assert.strictEqual((yield* run(command, "shop.csv", "again.csv", "--send-rest")).code, 2)
      assert.deepStrictEqual(readFileSync(path("again.csv")), written)
    }
    // the written file is read as the export was
    copyFileSync(path("out.csv"), path("back.csv"))
    const back = yield* connector(
      ["plan", "back.csv", "--config", "account.json", "--book", "historical-invoices.book.json"],
      { cwd }
    )
    assert.include(back.out, "2 already fiscalised, 1 refused", back.err + back.out)
  })

  it.live("keeps UTF-16 and the empty cells behind the last column", function* () {
    const { path, run } = yield* firm
    const text = `\ufeff${[names.join("\t"), `${cells("A-1", { buyer: "Caf\u00e9 \u{1f600}" }).join("\t")}`].join("\n")}`
    writeFileSync(path("wide.csv"), Buffer.from(text, "utf16le"))
    const { code, err, out } = yield* run("import", "wide.csv", "out.csv")
    assert.strictEqual(code, 0, err + out)
    const [head, one = ""] = readFileSync(path("out.csv"), "utf16le").split("\n")
    assert.strictEqual(head, `\ufeff${[...names, ...added].join("\t")}`)
    assert.match(one, /Caf\u00e9 \u{1f600}\t.*\t94052090\t\d+\t[^\t]+\thttp[^\t]+\tFiscalised\t2026-02-03[^\t]*$/u)
  })

  it.live("writes the sheet of a workbook, each row at its place and each cell with its kind", function* () {
    const { path, run } = yield* firm
    const t = (text: string): WorkbookParts.Cell => ({ text })
    const row = (number: string, text = "Lamp") =>
      cells(number, { text }).map((text, i) =>
        i === 1 ? { date: text } : i === 6 || i === 7 ? { number: text } : t(text)
      )
    const rows = [names.map(t), row("A-1"), row("A-1", "Desk"), row("A-2")]
    const bytes = yield* Effect.promise(() => WorkbookParts.workbook([{ name: "My sales", rows }]))
    writeFileSync(path("sales.xlsx"), bytes)
    const { code, err, out } = yield* run("import", "sales.xlsx", "out.xlsx")
    assert.strictEqual(code, 0, err + out)
    const file = { name: "out.xlsx", bytes: Stream.succeed(new Uint8Array(readFileSync(path("out.xlsx")))) }
    const readings = yield* Stream.runCollect(xlsx.read({ files: [file] }, {}))
    const read = readings.flatMap((reading) => (reading._tag === "SourceDocument" ? [reading] : []))
    assert.deepStrictEqual(
      read.map((document) => [document.number, document.date, document.where([]).cell]),
      [
        ["A-1", "2026-02-03", "A2"],
        ["A-2", "2026-02-03", "A4"]
      ]
    )
    const [first, second] = read.map((document) => xlsx.table.rows(document))
    assert.deepStrictEqual(first?.columns, [...names, ...added])
    assert.strictEqual(first?.rows[0]?.cells.at(-2), "Fiscalised")
    assert.strictEqual(first?.rows[1]?.cells.length, names.length)
    assert.match(second?.rows[0]?.cells.at(-5) ?? "", /^\d+$/)
  })

  it.live("sends nothing if the file cannot be written, is the export itself, or has no rows", function* () {
    const { path, run } = yield* firm
    writeFileSync(path("shop.csv"), Buffer.from(shop, "latin1"))
    copyFileSync(join(examples, "historical-invoices.json"), path("xero.json"))
    const tries = [
      ["shop.csv", "nowhere/out.csv", "there is no folder nowhere"],
      ["shop.csv", "./shop.csv", "is the export itself"],
      ["xero.json", "out.csv", "has no rows"]
    ] as const
    for (const [file, out, because] of tries) {
      const tried = yield* run("import", file, out)
      assert.strictEqual(tried.code, 1, tried.out)
      assert.include(tried.err, "Nothing was sent")
      assert.include(tried.err, because)
    }
    assert.isFalse(existsSync(path("out.csv")))
    assert.deepStrictEqual(readFileSync(path("shop.csv")), Buffer.from(shop, "latin1"))
  })
})
