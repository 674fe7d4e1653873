/** First minutes: from an export and credentials to a plan. */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { connector, examples, folderWith, gatewayFor } from "./RunningConnector.ts"

const started = Effect.gen(function* () {
  const cwd = join(yield* folderWith(), "My Shop (2026)")
  mkdirSync(cwd)
  const sandbox = yield* gatewayFor(cwd)
  copyFileSync(join(examples, "historical-invoices.csv"), join(cwd, "sales of Q1.csv"))
  const answers = ["--base-url", sandbox.url, "--application", "test", "--station", "test", "--zone", "+02:00"]
  const run = (...args: ReadonlyArray<string>) => connector(args, { cwd })
  return { cwd, answers: [...answers, "--key-file", "key", "--secret-file", "secret"], run }
})

describe("connector init", () => {
  it.live(
    "writes a configuration for its owner only, drafts the book, checks the account and prints the next step",
    function* () {
      const { answers, cwd, run } = yield* started
      const { code, err, out } = yield* run("init", "sales of Q1.csv", ...answers)
      assert.strictEqual(code, 0, err)
      assert.strictEqual(statSync(join(cwd, "accounts.json")).mode & 0o777, 0o600)
      assert.notInclude(readFileSync(join(cwd, "accounts.json"), "utf8"), cwd)
      assert.match(readFileSync(join(cwd, "sales of Q1.book.json"), "utf8"), /"zone": "\+02:00"/)
      assert.match(out, /^ok +secret +a signed call is accepted$/m)
      assert.include(out, "  connector doctor --config accounts.json --book 'sales of Q1.book.json'\n")
      assert.include(out, "  connector plan csv 'sales of Q1.csv' --config accounts.json\n")
      const again = yield* run("init", "sales of Q1.csv", ...answers)
      assert.strictEqual(again.code, 1)
      assert.include(again.err, "connector doctor --config accounts.json")
    }
  )

  it.live("keeps the written files if the account check fails, reports the problem and exits with 1", function* () {
    const { answers, cwd, run } = yield* started
    writeFileSync(join(cwd, "key"), "another")
    // The environment of the test contains a key for the account main.
    const { code, out } = yield* run("init", ...answers, "--account", "till")
    assert.strictEqual(code, 1)
    assert.include(out, "KEY_REFUSED")
    assert.include(out, "  connector doctor --config accounts.json\n")
    assert.isTrue(existsSync(join(cwd, "accounts.json")))
  })

  it.live("writes nothing if a required value or a file is missing and no terminal can ask for it", function* () {
    const { answers, cwd, run } = yield* started
    const missing = yield* run("init", ...answers.slice(2, 8))
    assert.strictEqual(missing.code, 1)
    assert.include(missing.err, "Say --base-url URL, --key-file FILE;")
    const noKey = yield* run("init", ...answers.slice(0, 8), "--key-file", "nowhere")
    assert.include(noKey.err, "there is no file nowhere")
    const saying = (flag: string, text: string) =>
      run("init", ...answers.map((said, n) => (answers[n - 1] === flag ? text : said)))
    const noAddress = yield* saying("--base-url", "htp:/x")
    assert.include(noAddress.err, "Nothing was written: --base-url htp:/x is not an address such as https://")
    const noZone = yield* saying("--zone", "CET5")
    assert.include(noZone.err, "Nothing was written: --zone CET5 is not a zone such as +02:00")
    assert.isFalse(existsSync(join(cwd, "accounts.json")))
  })
})

describe("an export given to connector init", () => {
  it.live(
    "is read by the format that finds documents in it; an export that no format reads is reported before anything is written",
    function* () {
      const { answers, cwd, run } = yield* started
      for (const [file, format] of [
        ["historical-invoices.json", "xero-like"],
        ["quickbooks-like.json", "quickbooks-like"],
        ["odoo-like.json", "odoo-like"],
        ["erpnext-like.json", "erpnext-like"],
        ["historical-invoices.xlsx", "xlsx"]
      ] as const) {
        const name = `${format} ${file}`
        copyFileSync(join(examples, file), join(cwd, name))
        const { code, err, out } = yield* run("init", name, "--config", `${format}.json`, ...answers)
        assert.strictEqual(code, 0, err)
        assert.include(out, `  connector plan ${format} '${name}' --config ${format}.json`)
      }
      writeFileSync(join(cwd, "odd.json"), "{}")
      const odd = yield* run("init", "odd.json", ...answers)
      assert.strictEqual(odd.code, 1)
      assert.include(odd.err, "odd.json has a shape that no format reads")
      assert.isFalse(existsSync(join(cwd, "accounts.json")))
    }
  )

  it.live("with two possible readings gets its configuration, and a plan that asks for the reading", function* () {
    const { answers, cwd, run } = yield* started
    const header = "InvoiceNumber,InvoiceDate,Currency,AmountsAre,Description,Quantity,UnitPrice,TaxCode,ProductCode"
    writeFileSync(join(cwd, "sales.csv"), `${header}\nI-1,03/02/2026,USD,inclusive,Lamp,1,1.00,Standard,85131000\n`)
    const { code, err, out } = yield* run("init", "sales.csv", ...answers)
    assert.strictEqual(code, 0, err)
    assert.include(out, "  connector plan csv sales.csv --config accounts.json")
    const plan = yield* run("plan", "csv", "sales.csv", "--config", "accounts.json")
    assert.match(plan.out, /^dates$[^]*^ +dmy +day, month, year \(--dates dmy\)$/m)
    assert.include(plan.out, "connector start sales.csv --config accounts.json")
  })
})

describe("connector plan", () => {
  it.live(
    "without a book shows the stated facts and all open questions, writes nothing, and prints the calls that answer them",
    function* () {
      const { cwd, run } = yield* started
      const { code, err, out } = yield* run("plan", "csv", "sales of Q1.csv", "--dates", "ymd")
      assert.strictEqual(code, 0, err)
      assert.match(out, /^USD +invoice +29 +14168\.15$/m)
      assert.match(out, /^tax Standard$/m)
      assert.match(out, /46 documents, dated 2025-11-19 to 2026-02-08\. Nothing was written or sent\./)
      assert.include(out, "\n  connector book draft csv 'sales of Q1.csv' --dates ymd\n")
      assert.isFalse(existsSync(join(cwd, "sales of Q1.book.json")))
    }
  )

  it.live("with a book but without an account checks against the book only, and says so", function* () {
    const { cwd, run } = yield* started
    copyFileSync(join(examples, "historical-invoices.book.json"), join(cwd, "sales of Q1.book.json"))
    const { code, err, out } = yield* run("plan", "csv", "sales of Q1.csv")
    assert.strictEqual(code, 0, err)
    assert.include(err, "Checked against the mapping book alone")
    assert.include(out, "46 documents: 46 Planned")
    assert.isFalse(existsSync(join(cwd, "fiscal-connector.db")))
  })
})
