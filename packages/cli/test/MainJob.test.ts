import { assert, describe, it } from "../../core/test/It.ts"
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { connector, exampleResult, folderWith, lines } from "./RunningConnector.ts"

const good = ["historical-invoices.csv", "historical-invoices.book.json"]
const faulty = ["historical-invoices-with-faults.csv", "historical-invoices-with-faults.book.json"]

describe("import csv --sandbox", () => {
  it.live("fiscalises every document of the example, each with its own verification code", function* () {
    const cwd = yield* folderWith(...good)
    const { code, out } = yield* connector(["import", "csv", "historical-invoices.csv", "--sandbox", "--json"], {
      cwd
    })
    const objects = lines(out)
    const documents = objects.slice(0, -1)
    assert.strictEqual(code, 0)
    assert.strictEqual(documents.length, 46)
    assert.deepStrictEqual([...new Set(documents.map(({ state }) => state))], ["Fiscalised"])
    assert.strictEqual(new Set(documents.map(({ verificationCode }) => verificationCode)).size, 46)
    assert.strictEqual(documents.filter(({ kind }) => kind === "credit-note").length, 4)
    assert.deepInclude(objects.at(-1), exampleResult)
    assert.isFalse(existsSync(join(cwd, "fiscal-connector.db")))
  })

  it.live("refuses five documents for five reasons with their places, and fiscalises the rest", function* () {
    const cwd = yield* folderWith(...faulty)
    const { code, out } = yield* connector(["import", "csv", faulty[0]!, "--sandbox"], { cwd })
    assert.strictEqual(code, 2)
    for (const place of [
      /TAX_UNMAPPED[^]*INV-0103 {2}historical-invoices-with-faults\.csv:8:167 "Luxury"/,
      /TOTAL_MISMATCH[^]*INV-0105 {2}historical-invoices-with-faults\.csv:12:233 "299\.48"[^\n]*299\.38, stated 299\.48: 0\.10 apart/,
      /CSV_DATE_UNREADABLE[^]*INV-0108 {2}historical-invoices-with-faults\.csv:19:18 "2026-02-30"/,
      /RCPT048[^]*INV-0110 {2}historical-invoices-with-faults\.csv:25:170 "1102"/,
      /BUYER_FORM[^]*INV-0114 {2}historical-invoices-with-faults\.csv:37:62 "20006677"/
    ]) {
      assert.match(out, place)
    }
    assert.include(out, "17 documents: 12 fiscalised, 5 refused")
  })

  it.live("writes the refused rows for their owner only, for correction and another import", function* () {
    const cwd = yield* folderWith(...faulty)
    yield* connector(["import", "csv", faulty[0]!, "--sandbox"], { cwd })
    const refused = join(cwd, "historical-invoices-with-faults.refused.csv")
    assert.strictEqual(statSync(refused).mode & 0o777, 0o600)
    const numbers = readFileSync(refused, "utf8").match(/INV-01\d\d/g)
    assert.deepStrictEqual([...new Set(numbers)], ["INV-0103", "INV-0105", "INV-0108", "INV-0110", "INV-0114"])
    const again = yield* connector(["plan", "csv", refused, "--sandbox", "--book", faulty[1]!], { cwd })
    assert.include(again.out, "5 documents: 5 refused")
  })

  it.live(
    "stops without a book and prints the command that writes one, also for a header that no list knows",
    function* () {
      const cwd = yield* folderWith("historical-invoices.csv")
      const { code, err } = yield* connector(["import", "csv", "historical-invoices.csv", "--sandbox"], { cwd })
      assert.strictEqual(code, 1)
      assert.include(err, "historical-invoices.csv has no mapping book")
      assert.include(err, "  connector start historical-invoices.csv --sandbox\n")
      writeFileSync(join(cwd, "unknown.csv"), "Beleg;Tag;Wert\nR-1;2026-02-03;10,00\n")
      const unknown = yield* connector(["import", "csv", "unknown.csv", "--sandbox"], { cwd })
      assert.include(unknown.err, "  connector start unknown.csv --sandbox\n")
      // a draft cannot be made of a file that is not read
      for (const { err, out } of [unknown, yield* connector(["plan", "unknown.csv", "--sandbox"], { cwd })])
        assert.notInclude(out + err, "book draft")
    }
  )

  it.live("reports a missing file in one sentence", function* () {
    const { code, err } = yield* connector(["import", "csv", "nothing.csv", "--sandbox"])
    assert.strictEqual(code, 1)
    assert.strictEqual(err.trim(), "There is no file nothing.csv.")
  })

  it.live("requires an account or --sandbox", function* () {
    const cwd = yield* folderWith(...good)
    const { code, err } = yield* connector(["import", "csv", "historical-invoices.csv"], { cwd })
    assert.strictEqual(code, 1)
    assert.include(err, "--sandbox for a gateway of our own, or --config FILE")
  })
})

describe("plan csv --sandbox", () => {
  it.live("shows the exact request bodies of the import", function* () {
    const cwd = yield* folderWith(...good)
    const { code, out } = yield* connector(["plan", "csv", "historical-invoices.csv", "--sandbox", "--json"], { cwd })
    const first = out.split("\n")[0]!
    assert.strictEqual(code, 0)
    assert.include(first, '"Date":"2025-11-19T08:00:01+02:00"')
    assert.include(first, '"SubTotal":131.78,"TotalTax":1.88,"Total":133.66,"CurrencyCode":"USD","IsRetry":false}')
    assert.include(first, '"UnitAmount":6.4,')
    assert.include(first, '"LineAmount":51.20,')
  })
})
