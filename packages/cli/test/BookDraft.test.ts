import { assert, describe, it } from "../../core/test/It.ts"
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { connector, folderWith } from "./RunningConnector.ts"

describe("connector book draft", () => {
  it.live("xero-like: gives a book that imports the export after its gaps are filled", function* () {
    const cwd = yield* folderWith("historical-invoices.json")
    const file = join(cwd, "historical-invoices.json")
    const book = join(cwd, "historical-invoices.book.json")
    const rates = join(cwd, "rates.json")
    writeFileSync(rates, JSON.stringify({ TaxRates: [{ TaxType: "TAX001", EffectiveRate: 5 }] }))
    const flags = ["--payment-method", "paying-account"]
    const drafted = yield* connector(["book", "draft", "xero-like", file, rates, ...flags, "--zone", "+02:00"])
    assert.strictEqual(drafted.code, 0)
    assert.include(drafted.out, `${book} drafted: 4 taxes, 2 currencies, 1 payment method`)
    const text = readFileSync(book, "utf8")
    assert.match(text, /\/\/ OUTPUT: 14 lines, as in INV-2001, INV-2002, INV-2005\n/)
    assert.include(text, '"code": "TAX001", "device": "", "percent": "5" }')
    const unfinished = yield* connector(["book", "check", book])
    assert.strictEqual(unfinished.code, 1)
    assert.include(unfinished.err, "taxes.0.device")
    assert.include(unfinished.err, "payments.0.method")

    const complete = text
      .replace(
        /\{ "from": \["OUTPUT"\].*\}/,
        `{ "from": ["OUTPUT"], "until": "2025-12-31", "code": "OUTPUT15", "device": 1, "percent": "15" },
           { "from": ["OUTPUT"], "since": "2026-01-01", "code": "OUTPUT155", "device": 515, "percent": "15.5" }`
      )
      .replace('"EXEMPTOUTPUT", "device": "", "percent": ""', '"EXEMPTOUTPUT", "device": 3, "percent": null')
      .replace('"ZERORATEDOUTPUT", "device": "", "percent": ""', '"ZERORATEDOUTPUT", "device": 2, "percent": "0"')
      .replace('"TAX001", "device": ""', '"TAX001", "device": 5')
      .replace('"method": ""', '"method": "BankTransfer"')
      .replace(/\n\}\n$/, ',\n  "defaults": { "cashBuyer": "Cash sale {name}" }\n}\n')
    writeFileSync(book, complete)
    assert.strictEqual((yield* connector(["book", "check", book])).err, "")
    const settled = ["--tin", "TaxNumber", "--product-code", "item-code", ...flags, "--sandbox"]
    const { code, out } = yield* connector(["plan", "xero-like", file, ...settled])
    assert.strictEqual(code, 0, out)
    assert.include(out, "16 Planned, 4 skipped")
  })

  it.live("csv: drafts the spellings that occur, and leaves missing facts to the operator", function* () {
    const cwd = yield* folderWith("historical-invoices.csv")
    const book = join(cwd, "account.book.json")
    const drafted = yield* connector(["book", "draft", "csv", join(cwd, "historical-invoices.csv"), "--book", book])
    assert.include(drafted.out, "4 taxes, 2 currencies, 4 payment methods")
    const { err } = yield* connector(["book", "check", book])
    assert.include(err, "zone: not filled in yet")
    assert.include(err, "taxes.3.percent")
  })

  it.live("does not overwrite an existing book, and says so", function* () {
    const cwd = yield* folderWith("historical-invoices.json", "historical-invoices.book.json")
    const book = join(cwd, "historical-invoices.book.json")
    const before = readFileSync(book, "utf8")
    const { code, err } = yield* connector(["book", "draft", "xero-like", join(cwd, "historical-invoices.json")])
    assert.deepStrictEqual(
      [code, err],
      [1, `There is a book ${book} already; it was not changed. Name another with --book.\n`]
    )
    assert.strictEqual(readFileSync(book, "utf8"), before)
  })

  it.live("writes the book of a folder next to the folder, where an import of the folder finds it", function* () {
    const cwd = yield* folderWith("historical-invoices.json")
    const pages = join(cwd, "pages")
    mkdirSync(pages)
    renameSync(join(cwd, "historical-invoices.json"), join(pages, "1.json"))
    yield* connector(["book", "draft", "xero-like", `${pages}/`])
    assert.isTrue(existsSync(join(cwd, "pages.book.json")))
    const { err } = yield* connector(["plan", "xero-like", pages, "--sandbox"])
    assert.include(err, "pages.book.json")
    assert.include(err, "zone: not filled in yet")
  })

  it.live("does not write a book if the export is unreadable or has nothing to draft from", function* () {
    const cwd = yield* folderWith()
    const file = join(cwd, "x.json")
    for (const [content, said] of [
      ['{"Invoices":[]}', `No issued document in ${file} states a tax or a currency; no book was written.`],
      ['{"Invoices":', "the file ends inside the value"]
    ] as const) {
      writeFileSync(file, content)
      const { code, err } = yield* connector(["book", "draft", "xero-like", file])
      assert.strictEqual(code, 1)
      assert.include(err, said)
      assert.isFalse(existsSync(join(cwd, "x.book.json")))
    }
    const nameless = yield* connector(["book", "draft", "csv", "-"])
    assert.deepStrictEqual(
      [nameless.code, nameless.err],
      [1, "Standard input has no folder: name the book with --book FILE.\n"]
    )
  })
})
