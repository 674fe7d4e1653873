/** From a user's own export to its plan, in one conversation. */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { connector, folderWith, gatewayFor, key, lines, secret } from "./RunningConnector.ts"

const strange = `Number;Date;Customer;Item;Qty;Price;Amount;Total
1001;03/02/2026;Acme;Chair;2;10,00;20,00;23,10
1002;04/02/2026;Bolt;Desk;1;100,00;100,00;115,50
`

const folder = Effect.gen(function* () {
  const cwd = yield* folderWith("historical-invoices.csv")
  writeFileSync(join(cwd, "sales.csv"), strange)
  const read = (name: string) => readFileSync(join(cwd, name), "utf8")
  const run = (args: ReadonlyArray<string>, typed?: ReadonlyArray<string>) =>
    connector(args, { cwd, ...(typed && { typed }) })
  return { cwd, read, run }
})

/**
 * Answers of the owner: the columns as proposed, the order of dates, the other proposals, the zone,
 * the currency, the codes of goods, the buyers.
 */
const said = ["", "1", "", "+02:00", "USD", "12345678", "1"]

describe("connector start", () => {
  it.live(
    "asks for facts missing from the export, writes the book, and ends with a plan of every document",
    function* () {
      const { read, run } = yield* folder
      const { code, err, out } = yield* run(["start", "sales.csv", "--sandbox"], [...said, ""])
      assert.strictEqual(code, 0, err + out)
      assert.include(out, "sales.csv is read as csv.")
      assert.include(out, "2 of 2 amounts work out at 15.5 %")
      assert.include(out, "Plan, nothing sent: 2 documents: 2 Planned")
      assert.match(
        out,
        /connector import sales\.csv --columns sales\.columns\.json --book sales\.sandbox\.book\.json --sandbox/
      )
      assert.include(read("sales.sandbox.book.json"), '"lines": "all"')
      assert.include(read("sales.sandbox.answers.json"), '"dates": "dmy"')
      const imported = yield* run(["import", "sales.csv", "--book", "sales.sandbox.book.json", "--sandbox"])
      assert.include(imported.out, "2 documents: 2 fiscalised", imported.err)
    }
  )

  it.live("asks again for a text of another form, and states the expected one", function* () {
    const { run } = yield* folder
    const typed = [...said.slice(0, 3), "Nowhere", "harare", "US Dollar", ...said.slice(4), ""]
    const { code, err, out } = yield* run(["start", "sales.csv", "--sandbox"], typed)
    assert.strictEqual(code, 0, err + out)
    assert.include(out, "Expected the zone, as +02:00 or Africa/Harare.")
    assert.include(out, "Expected the currency's code, as USD.")
    assert.include(out, "Plan, nothing sent: 2 documents: 2 Planned")
  })

  it.live(
    "takes a typed percent by its form, and asks which is meant if it is also a number of the list",
    function* () {
      const { cwd, read, run } = yield* folder
      const text =
        "Number;Date;Customer;Item;Qty;Amount;VAT\n1;13/02/2026;Acme;Chair;2;20,00;A\n2;14/02/2026;Bolt;Desk;1;100,00;B\n"
      writeFileSync(join(cwd, "taxed-sales.csv"), text)
      const typed = ["", "2", "+02:00", "USD", "15", "2", "2 %", "", "12345678", "1", ""]
      const { code, err, out } = yield* run(["start", "taxed-sales.csv", "--sandbox"], typed)
      assert.strictEqual(code, 0, err + out)
      assert.include(
        out,
        `2 may be "exempt (device tax 2)" and the percent, as 15.5 %. Type 2 again for the first, or 2 %.`
      )
      assert.match(read("taxed-sales.sandbox.book.json"), /"percent": "15"[^]*"percent": "2"/)
      writeFileSync(join(cwd, "again-sales.csv"), text)
      const again = yield* run(["start", "again-sales.csv", "--sandbox"], typed.with(6, "2"))
      assert.strictEqual(again.code, 0, again.err + again.out)
      assert.match(read("again-sales.sandbox.book.json"), /"percent": "15"[^]*"percent": null/)
    }
  )

  it.live("asks several rows of its table again after one prompt", function* () {
    const { run } = yield* folder
    const typed = ["customer, item", "", "", ...said, ""]
    const { code, err, out } = yield* run(["start", "sales.csv", "--sandbox"], typed)
    assert.strictEqual(code, 0, err + out)
    assert.match(out, /What is "Customer"\?[^]*What is "Item"\?/)
  })

  it.live("shows the detected header line below a title, and the meaning of every column", function* () {
    const { cwd, read, run } = yield* folder
    writeFileSync(join(cwd, "titled-sales.csv"), `ACME Trading (Pvt) Ltd\n\n${strange}`)
    const planned = yield* run(["plan", "titled-sales.csv"])
    assert.include(planned.out, 'titled-sales.csv: What is "Total"? «23,10» «115,50»')
    assert.match(planned.out, / total +the total of the invoice with tax \(its name states it\) {2}← proposed/)
    const { code, err, out } = yield* run(["start", "titled-sales.csv", "--sandbox"], [...said, ""])
    assert.strictEqual(code, 0, err + out)
    assert.match(out, /column Number: the number of the invoice \(«1001» «1002»; its name states it\)/)
    assert.match(read("titled-sales.columns.json"), /"headerLine": 3/)
    assert.include(out, "Plan, nothing sent: 2 documents: 2 Planned")
  })

  it.live("keeps the given answers when the operator leaves, and later asks only the rest", function* () {
    const { cwd, read, run } = yield* folder
    const left = yield* run(["start", "sales.csv", "--sandbox"], said.slice(0, 4))
    assert.strictEqual(left.code, 1)
    assert.include(left.err, "The answers are kept in sales.sandbox.questions.json")
    assert.include(left.err, "connector start sales.csv --sandbox")
    assert.include(read("sales.sandbox.questions.json"), '"zone": "+02:00"')
    assert.isFalse(existsSync(join(cwd, "sales.sandbox.book.json")))
    const { code, err, out } = yield* run(["start", "sales.csv", "--sandbox"], [...said.slice(4), ""])
    assert.strictEqual(code, 0, err + out)
    assert.include(out, "Plan, nothing sent: 2 documents: 2 Planned")
    assert.isFalse(existsSync(join(cwd, "sales.sandbox.questions.json")))
  })

  it.live("asks for the gateway, hides key and secret, and matches taxes with the device's taxes", function* () {
    const { cwd, read, run } = yield* folder
    const { url } = yield* gatewayFor(cwd)
    const gateway = [url, "test", "test", key, secret]
    const { code, err, out } = yield* run(
      ["start", "historical-invoices.csv"],
      [
        ...gateway,
        // Answers: the proposals, the zone, buyers without a number, and the payment method
        // "transfer".
        "",
        "Africa/Harare",
        "1",
        "6",
        ""
      ]
    )
    assert.strictEqual(code, 0, err + out)
    assert.notInclude(out + err, key)
    assert.notInclude(out + err, secret)
    assert.strictEqual(read("main.key"), key)
    assert.strictEqual(statSync(join(cwd, "main.secret")).mode & 0o777, 0o600)
    assert.include(out, "15 % until 2025-12-31 (device tax 1, VAT 15 %), then 15.5 % from 2026-01-01 (device tax 515")
    assert.include(out, "Plan, nothing sent: 46 documents: 46 Planned")
    // The gateway's existing mapping provides the code, and the export's spelling is mapped to
    // it.
    assert.match(read("historical-invoices.book.json"), /"Standard"[^}]*"code": "VAT155"/)
    // every command finds the configuration in the folder, or beside the file
    assert.include((yield* run(["doctor"])).out, "a signed call is accepted")
    const beside = yield* connector(["plan", join(cwd, "historical-invoices.csv")], { cwd: join(cwd, "..") })
    assert.include(beside.out, "This sends it", beside.err)
  })

  it.live("reads answers from a file for scripts, which plan writes with its proposals", function* () {
    const { cwd, read, run } = yield* folder
    const nowhere = yield* run(["start", "sales.csv"])
    assert.include(nowhere.err, "\n  connector start sales.csv --sandbox\n")
    const bare = yield* run(["start", "sales.csv", "--sandbox"])
    assert.strictEqual(bare.code, 1)
    // the gateway of the call is the gateway of the printed one
    assert.include(bare.err, "connector plan sales.csv --sandbox --write-answers answers.json")
    const written = yield* run(["plan", "sales.csv", "--write-answers", "answers.json"])
    // The completed step is not proposed again; the next step is.
    assert.notInclude(written.out + written.err, "--write-answers")
    assert.include(written.out, "answers.json written")
    assert.include(written.out, "\n  connector plan sales.csv --answers answers.json\n")
    const open = yield* run(["start", "sales.csv", "--sandbox", "--answers", "answers.json"])
    assert.strictEqual(open.code, 1)
    assert.include(open.err, "By the answers in answers.json, 5 questions are open")
    const answers = {
      dates: "dmy",
      zone: "+02:00",
      currency: "USD",
      "product-codes": "12345678",
      "buyers-without-number": "cash-sale"
    }
    const text = Object.entries(answers).reduce(
      (text, [id, answer]) => text.replace(`"${id}": ""`, `"${id}": "${answer}"`),
      read("answers.json")
    )
    writeFileSync(join(cwd, "answers.json"), text)
    const planned = yield* run(["plan", "sales.csv", "--answers", "answers.json"])
    assert.strictEqual(planned.code, 0, planned.err)
    assert.include(planned.out, "2 documents: 2 Planned")
    // An import takes its answers from a book, which must be written first.
    assert.include(planned.out + planned.err, "connector start sales.csv --answers answers.json")
    assert.isFalse(existsSync(join(cwd, "sales.book.json")))
    const started = yield* run(["start", "sales.csv", "--sandbox", "--answers", "answers.json"])
    assert.strictEqual(started.code, 0, started.err)
    assert.isTrue(existsSync(join(cwd, "sales.sandbox.book.json")))
  })
})

/** The tax of each row shows that T1 is 15.5 %. */
const taxed = `Number;Date;Customer;Item;Qty;Price;Amount;Tax Code;Tax Amount;Currency
1001;2026-02-13;Acme;Chair;2;10,00;20,00;T1;3,10;USD
1002;2026-02-14;Bolt;Desk;1;100,00;100,00;T1;15,50;USD
`

const wrong = {
  columns: "proposed",
  zone: "+02:00",
  "currency USD": "USD",
  amounts: "exclusive",
  "product-codes": "12345678",
  "buyers-without-number": "cash-sale"
}

describe("an answer", () => {
  it.live("that a refusal follows from is named by it, and start changes this one alone", function* () {
    const { cwd, read, run } = yield* folder
    writeFileSync(join(cwd, "taxed-sales.csv"), taxed)
    const file = { version: 1, answers: { ...wrong, "tax T1": "leave-out" } }
    writeFileSync(join(cwd, "answers.json"), JSON.stringify(file))
    const started = yield* run(["start", "taxed-sales.csv", "--sandbox", "--answers", "answers.json"])
    assert.strictEqual(started.code, 2, started.err)
    assert.include(started.out, "2 documents: 2 refused")
    const said =
      'You answered "tax T1" with "leave these documents out: they are refused, and nothing of them is sent".'
    assert.include(started.out, `${said} If it is wrong, change it: connector start taxed-sales.csv --sandbox.`)
    const planned = yield* run([
      "plan",
      "taxed-sales.csv",
      "--sandbox",
      "--book",
      "taxed-sales.sandbox.book.json",
      "--json"
    ])
    const findings = lines(planned.out).flatMap(
      ({ findings = [] }) => findings as ReadonlyArray<{ becauseOf?: string }>
    )
    assert.include(
      findings.map(({ becauseOf }) => becauseOf),
      "tax T1"
    )
    const changed = yield* run(["start", "taxed-sales.csv", "--sandbox"], ["tax T1", "", ""])
    assert.strictEqual(changed.code, 0, changed.err + changed.out)
    assert.match(changed.out, /column Customer: the name of the buyer \(\d{4}-\d\d-\d\d\)/)
    assert.include(changed.out, "Plan, nothing sent: 2 documents: 2 Planned")
    assert.match(
      read("taxed-sales.sandbox.answers.json"),
      /"tax T1": \{\s+"answer": "1",\s+"says": "15.5 % \(device tax 1\)"/
    )
    // a changed column leaves the map, and every other column stays
    const other = yield* run(["start", "taxed-sales.csv", "--sandbox"], ["column Customer", "not used", "", ""])
    assert.strictEqual(other.code, 0, other.err + other.out)
    const map = read("taxed-sales.columns.json")
    assert.notInclude(map, "customerName")
    assert.include(map, '"unitPrice": "Price"')
  })

  it.live("which invoice a note credits is kept in the book, held as if the export stated it, and named", function* () {
    const { cwd, read, run } = yield* folder
    const row = (number: string, kind: string, buyer: string, tin: string) =>
      `${number};2026-02-03;${kind};USD;inclusive;${buyer};${tin};Lamp;1;10.00;10.00;Zero;87168000;10.00\n`
    const header =
      "InvoiceNumber;InvoiceDate;Type;Currency;AmountsAre;CustomerName;CustomerTin;Description;Quantity;UnitPrice;LineAmount;TaxCode;ProductCode;Total\n"
    const sales = row("1", "Invoice", "Ann", "2000000001") + row("2", "Invoice", "Bo", "2000000002")
    writeFileSync(join(cwd, "note.csv"), header + sales + row("3", "Credit note", "Ann", "2000000001"))
    const answer = (original: string) => {
      const given = { "column Type": "kind", zone: "+02:00", "currency USD": "USD", "tax Zero": "1" }
      const answers = { ...given, "credit-reasons": "credit-note", "original of 3": original }
      writeFileSync(join(cwd, "a.json"), JSON.stringify({ version: 1, answers }))
      return run(["plan", "note.csv", "--answers", "a.json"])
    }
    const open = yield* answer("")
    assert.match(open.err, /original of 3\n[^]* 1 +1 of 2026-02-03, USD 10.00 not credited yet\n/)
    assert.notMatch(open.err, /2 of 2026-02-03/)
    for (const wrong of ["2", "none"]) {
      const refused = yield* answer(wrong)
      assert.include(refused.out, "2 Planned, 1 refused", refused.err)
      assert.include(refused.out, `You answered "original of 3" with "${wrong}"`)
    }
    assert.include((yield* answer("1")).out, "3 documents: 3 Planned")
    const started = yield* run(["start", "note.csv", "--sandbox", "--answers", "a.json"])
    assert.include(started.out, "3 documents: 3 Planned", started.err)
    assert.match(read("note.sandbox.book.json"), /"originals": \{\s+"3": "1"\s+\}/)
    const imported = yield* run(["import", "note.csv", "--book", "note.sandbox.book.json", "--sandbox"])
    assert.include(imported.out, "3 documents: 3 fiscalised", imported.err)
  })

  it.live("that is missing is asked as data, with --json, by plan and by start", function* () {
    const { cwd, run } = yield* folder
    writeFileSync(join(cwd, "taxed-sales.csv"), taxed)
    writeFileSync(join(cwd, "answers.json"), JSON.stringify({ version: 1, answers: { ...wrong, zone: "" } }))
    for (const command of [["plan"], ["start", "--sandbox"]]) {
      const [first = "", ...flags] = command
      const { code, out } = yield* run([first, "taxed-sales.csv", ...flags, "--answers", "answers.json", "--json"])
      assert.strictEqual(code, 1)
      const [open] = lines(out) as ReadonlyArray<{ readonly questions: ReadonlyArray<{ readonly id: string }> }>
      assert.deepStrictEqual(
        open?.questions.map(({ id }) => id),
        ["zone", "tax T1"]
      )
    }
  })

  it.live("is refused if its subject is answered twice, and a list to fill in is not read as memory", function* () {
    const { cwd, run } = yield* folder
    writeFileSync(join(cwd, "taxed-sales.csv"), taxed)
    writeFileSync(join(cwd, "answers.json"), '{ "version": 1, "answers": { "zone": "UTC", "zone": "+02:00" } }')
    const twice = yield* run(["plan", "taxed-sales.csv", "--answers", "answers.json"])
    assert.include(twice.err, "answers.zone: appears twice")
    yield* run(["plan", "taxed-sales.csv", "--write-answers", "taxed-sales.answers.json"])
    assert.include((yield* run(["plan", "taxed-sales.csv"])).out, "Read without a mapping book: 2 documents")
  })
})

describe("plan without a mapping book", () => {
  it.live("asks all questions at once, as data for programs", function* () {
    const { run } = yield* folder
    const { out } = yield* run(["plan", "sales.csv", "--json"])
    const [{ questions } = { questions: undefined }] = lines(out) as ReadonlyArray<{
      readonly questions: ReadonlyArray<{ readonly id: string; readonly choices: ReadonlyArray<unknown> }>
    }>
    assert.deepStrictEqual(
      questions?.map(({ id }) => id),
      [
        ...["Number", "Date", "Customer", "Item", "Qty", "Price", "Amount", "Total"].map((name) => `column ${name}`),
        "dates",
        "zone",
        "currency",
        "tax of all lines",
        "amounts",
        "product-codes",
        "buyers-without-number"
      ]
    )
    assert.isTrue(questions?.every(({ choices }) => choices.length > 0))
  })
})

const german = (...rates: ReadonlyArray<string>) =>
  [
    "Rechnungsnummer;Rechnungsdatum;Kunde;Bezeichnung;Menge;Einzelpreis;Gesamtpreis;MwSt;Währung",
    ...rates.map((rate, i) => `R-${i};03.02.2026;Huber;Stuhl;2;10,00;20,00;${rate};USD`)
  ].join("\n")

describe("a column of percents", () => {
  it.live(
    "gives proposals for the tax of each percent; a column of whole numbers, which may be codes, does not",
    function* () {
      const { cwd, run } = yield* folder
      const proposals = (...rates: ReadonlyArray<string>) =>
        Effect.gen(function* () {
          writeFileSync(join(cwd, "german.csv"), german(...rates))
          const { out } = yield* run(["plan", "german.csv", "--json"])
          const [contents] = lines(out) as ReadonlyArray<{
            readonly questions: ReadonlyArray<{
              readonly id: string
              readonly proposal: string | null
              readonly choices: ReadonlyArray<{ readonly id: string; readonly words: string }>
            }>
          }>
          return contents!.questions
            .filter(({ id }) => id.startsWith("tax "))
            .map(({ choices, id, proposal }) => [id, choices.find((one) => one.id === proposal)?.words ?? null])
        })
      assert.deepStrictEqual(yield* proposals("15,5", "0"), [
        ["tax 15,5", "15.5 % (device tax 1)"],
        ["tax 0", "0 % (device tax 2)"]
      ])
      assert.deepStrictEqual(yield* proposals("1", "2"), [
        ["tax 1", null],
        ["tax 2", null]
      ])
    }
  )
})

describe("the format of an export", () => {
  it.live(
    "is detected from the content, and a wrong format word prints the call that detects the format",
    function* () {
      const { cwd, run } = yield* folder
      writeFileSync(join(cwd, "sales.dat"), strange)
      const planned = yield* run(["plan", "historical-invoices.csv"])
      assert.include(planned.out, "Read without a mapping book: 46 documents")
      assert.include((yield* run(["plan", "sales.dat"])).out, "Read without a mapping book: 2 documents")
      const wrong = yield* run(["plan", "xlsx", "historical-invoices.csv"])
      assert.strictEqual(wrong.code, 1)
      assert.include(wrong.err, "connector plan historical-invoices.csv")
    }
  )
})
