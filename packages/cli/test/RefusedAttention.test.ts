/** Proves that a document that was given and refused is named until it is accounted for. */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { copyFileSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { pasted, pastedWithReason } from "./PrintedCommands.ts"
import { connector, examples, folderWith, gatewayFor, lines } from "./RunningConnector.ts"

// slow: each case is several runs of the command

const header = "InvoiceNumber,InvoiceDate,Currency,AmountsAre,Description,Quantity,UnitPrice,TaxCode,ProductCode"
const config = ["--config", "account.json"]

const shop = Effect.gen(function* () {
  const cwd = yield* folderWith()
  yield* gatewayFor(cwd, { gateway: { processingDelayMillis: 1 } })
  copyFileSync(join(examples, "historical-invoices.book.json"), join(cwd, "sales.book.json"))
  const importing = (...invoices: ReadonlyArray<string>) =>
    Effect.suspend(() => {
      const rows = invoices.map((invoice) => {
        const [number, date, tax = "Standard"] = invoice.split(" ")
        return `${number},${date},USD,inclusive,Lamp,1,10.00,${tax},85131000`
      })
      writeFileSync(join(cwd, "sales.csv"), [header, ...rows].join("\n"))
      return connector(["import", "csv", "sales.csv", ...config, "--book", "sales.book.json"], { cwd })
    })
  const run = (...args: ReadonlyArray<string>) => connector([...args, ...config], { cwd })
  return { cwd, importing, run }
})

describe("refused documents of an import", () => {
  it.live("are named by health and resume until they are corrected or dismissed", function* () {
    const { cwd, importing, run } = yield* shop
    const first = yield* importing("INV-1 2026-03-07", "INV-2 2026-03-07 Luxury", "INV-3 2026-03-07 Luxury")
    assert.strictEqual(first.code, 2, first.err)
    for (const command of ["health", "resume"]) {
      const asked = yield* run(command)
      assert.strictEqual(asked.code, 3, asked.out)
      assert.match(asked.out, /IMPORT_REFUSED main: 2 documents .*\(TAX_UNMAPPED\): INV-2, INV-3/)
    }
    assert.strictEqual((yield* importing("INV-2 2026-03-08")).code, 0)
    const [listed] = lines((yield* run("imports", "refused", "--account", "main", "--json")).out)
    assert.deepStrictEqual([listed?.["number"], listed?.["codes"]], ["INV-3", ["TAX_UNMAPPED"]])
    const printed = (yield* run("health")).out.split("\n").find((line) => line.includes("imports dismiss"))!
    assert.notStrictEqual((yield* pasted(printed.trim(), cwd)).code, 0)
    const dismissed = yield* pastedWithReason(printed.trim(), cwd)
    assert.include(dismissed.out, "INV-3")
    assert.strictEqual((yield* run("health")).code, 0)
    assert.strictEqual((yield* run("resume")).code, 0)
    assert.match((yield* run("audit")).out, /dismiss.*invoice INV-3/)
  })

  it.live("are named by explain, as is a document that is only registered as fiscalised elsewhere", function* () {
    const { cwd, importing, run } = yield* shop
    yield* importing("INV-1 2026-03-07", "INV-2 2026-03-07 Luxury")
    const refused = yield* run("explain", "INV-2")
    assert.strictEqual(refused.code, 1)
    assert.match(refused.err, /The store has no document INV-2: it was given and refused on .* \(TAX_UNMAPPED\)/)
    assert.match(refused.err, /nothing of it was sent/)
    const printed = refused.err.split("\n").find((line) => line.includes("imports refused"))!
    assert.include((yield* pasted(printed.trim(), cwd)).out, "INV-2")
    yield* run("originals", "import", "sales.csv", "--book", "sales.book.json")
    writeFileSync(
      join(cwd, "old.csv"),
      [header, "A-7,2026-01-05,USD,inclusive,Lamp,1,10.00,Standard,85131000"].join("\n")
    )
    yield* run("originals", "import", "old.csv", "--book", "sales.book.json")
    const registered = yield* run("explain", "A-7")
    assert.match(
      registered.err,
      /The store has no document A-7: it is registered as fiscalised elsewhere \(registered on .*\), 2026-01-05, USD 10\.00/
    )
    assert.match((yield* run("explain", "A-8")).err, /The store has no document A-8\./)
  })

  it.live("need no operator in an import that states a dismissed one unchanged", function* () {
    const { importing, run } = yield* shop
    const given = ["INV-1 2026-03-07", "INV-2 2026-03-07 Luxury"]
    assert.strictEqual((yield* importing(...given)).code, 2)
    yield* run("imports", "dismiss", "INV-2", "--account", "main", "--because", "written by hand")
    const again = yield* importing(...given)
    assert.strictEqual(again.code, 0, again.out)
    assert.match(again.out, /INV-2/)
    const other = yield* importing(given[0]!, "INV-2 2026-03-08 Luxury")
    assert.strictEqual(other.code, 2, other.out)
  })

  it.live("are named by resume for an account that the configuration no longer has", function* () {
    const { cwd, importing, run } = yield* shop
    yield* importing("INV-1 2026-03-07", "INV-2 2026-03-07 Luxury")
    const file = join(cwd, "account.json")
    writeFileSync(file, readFileSync(file, "utf8").replace('"main"', '"shop"'))
    const { code, out } = yield* run("resume")
    assert.strictEqual(code, 3, out)
    assert.match(out, /IMPORT_REFUSED main: 1 document /)
  })

  it.live("are shown beside a fiscal day that cannot be closed, which the import names", function* () {
    const { cwd, importing } = yield* shop
    yield* importing("INV-1 2026-03-07")
    const database = new DatabaseSync(join(cwd, "fiscal-connector.db"))
    const noticed = database.prepare("insert into fiscal_notice values (?, ?, ?, ?, ?, 1, 1)")
    noticed.run("counters", "test/1001", "DAY_FAILED", "4", "the fiscal day 4 could not be closed")
    database.close()
    const { code, out } = yield* importing("INV-2 2026-03-08")
    assert.strictEqual(code, 0, out)
    assert.match(out, /DAY_FAILED test\/1001: the fiscal day 4 could not be closed/)
  })
})

describe("a file that is refused whole", () => {
  it.live("is named by health where no operator is present, until a file of that name is accepted", function* () {
    const { cwd, importing, run } = yield* shop
    yield* importing("INV-1 2026-03-07")
    const table = readFileSync(join(cwd, "sales.csv"), "utf8")
    writeFileSync(join(cwd, "sales.csv"), table.replaceAll("2026-03-07", "03/07/2026").replace("INV-1", "INV-2"))
    const broken = yield* run("import", "csv", "sales.csv", "--book", "sales.book.json")
    assert.strictEqual(broken.code, 1, broken.out)
    const { code, out } = yield* run("health")
    assert.strictEqual(code, 3)
    assert.match(out, /IMPORT_REFUSED main: 1 file .*\(FILE_REFUSED\): sales\.csv/)
    yield* importing("INV-2 2026-03-07")
    assert.strictEqual((yield* run("health")).code, 0)
  })

  it.live("stays dismissed only while its content is the same", function* () {
    const { cwd, importing, run } = yield* shop
    yield* importing("INV-1 2026-03-07")
    const table = readFileSync(join(cwd, "sales.csv"), "utf8").replaceAll("2026-03-07", "03/07/2026")
    const refusing = (content: string) => {
      writeFileSync(join(cwd, "sales.csv"), content)
      return run("import", "csv", "sales.csv", "--book", "sales.book.json")
    }
    yield* refusing(table.replace("INV-1", "INV-2"))
    const dismissing = ["imports", "dismiss", "--account", "main", "--cause", "FILE_REFUSED"]
    yield* run(...dismissing, "--because", "this week has no sales")
    yield* refusing(table.replace("INV-1", "INV-2"))
    assert.strictEqual((yield* run("health")).code, 0)
    yield* refusing(table.replace("INV-1", "INV-3"))
    assert.strictEqual((yield* run("health")).code, 3)
  })
})

describe("a decision that dates a document today", () => {
  it.live("says what becomes late by it, and says nothing once the device has a receipt of today", function* () {
    const { importing, run } = yield* shop
    yield* importing("INV-5 2026-03-07")
    yield* importing("INV-1 2026-03-01", "INV-2 2026-03-02", "INV-6 2026-03-08 Luxury")
    const resend = (...args: ReadonlyArray<string>) =>
      run("resolve", ...args, "--resend", "--because", "the month is over")
    const preview = yield* resend("--state", "Held", "--cause", "late")
    assert.match(preview.out, /1 document, and every later import of days before \d{4}-\d\d-\d\d would be late/)
    assert.match(preview.out, /If earlier months are still to come, wait/)
    const decided = yield* resend("INV-1")
    assert.match(decided.out, /1 document, and every later import of days before/)
    yield* run("resume")
    const next = yield* resend("INV-2")
    assert.notInclude(next.out, "would be late")
  })
})
