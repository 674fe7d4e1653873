import { assert, describe, it } from "../../core/test/It.ts"
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { connector, type Ended, examples, folderWith, gatewayFor, lines } from "./RunningConnector.ts"

const example = ["historical-invoices.json", "historical-invoices.book.json"]
const settled = ["--tin", "TaxNumber", "--product-code", "item-code", "--payment-method", "paying-account"]

interface Fields {
  readonly [name: string]: unknown
}

/** Returns the example's lists; a test changes its own copy. */
const exported = (): { readonly [list in "Invoices" | "CreditNotes" | "Contacts"]: Array<Fields> } =>
  JSON.parse(readFileSync(join(examples, example[0]!), "utf8"))

const write = (folder: string, name: string, value: unknown) => {
  writeFileSync(join(folder, name), typeof value === "string" ? value : JSON.stringify(value))
  return join(folder, name)
}

const summaryOf = ({ out }: Ended) => lines(out).at(-1) as Fields
const byNumber = ({ out }: Ended) =>
  Object.fromEntries(
    lines(out).flatMap((line) => (typeof line["number"] === "string" ? [[line["number"], line] as const] : []))
  )
const codesOf = (row: Fields | undefined) =>
  ((row?.["findings"] ?? []) as ReadonlyArray<Fields>)
    .filter(({ severity }) => severity === "error")
    .map(({ code }) => code)

describe("import xero-like --sandbox", () => {
  it.live("fiscalises the example's invoices and credit notes, and reports skipped records", function* () {
    const cwd = yield* folderWith(...example)
    const { code, out } = yield* connector(["import", "xero-like", example[0]!, ...settled, "--sandbox"], { cwd })
    assert.strictEqual(code, 0)
    for (const skipped of ["a draft, not issued (DRAFT)", "voided (VOIDED)", "a bill (ACCPAY)"]) {
      assert.include(out, `1 × ${skipped}`)
    }
    assert.include(out, "20 documents: 16 fiscalised, 4 skipped")
  })

  it.live(
    "shows the exact request bodies: rate of the original, joined contact, payment by account, discount, decimal places",
    function* () {
      const cwd = yield* folderWith(...example)
      const { out } = yield* connector(["plan", "xero-like", join(cwd, example[0]!), ...settled, "--sandbox", "--json"])
      const bodyOf = (number: string) => out.split("\n").find((line) => line.includes(`"number":"${number}"`))!
      const late = bodyOf("CN-2002")
      assert.include(late, '"OriginalInvoiceId":"1a40ce00-0000-4000-8000-000000000007"')
      assert.include(late, '"Reference":"Ten bags wet"')
      assert.include(late, '"Date":"2026-01-12T08:00:01+02:00"')
      assert.include(late, '"TaxCode":"VAT15"')
      assert.include(late, '"SubTotal":117.50,"TotalTax":17.63,"Total":135.13')
      assert.include(bodyOf("INV-2008"), '"TaxCode":"VAT155"')
      const first = bodyOf("INV-2001")
      assert.include(first, '"Tin":"2000112233"')
      assert.include(
        first,
        '"Address":{"Province":"HRE","Street":"Samora Machel Avenue","HouseNo":"7","City":"Harare"}'
      )
      assert.include(first, '"PaymentMethod":"BankTransfer"')
      assert.include(bodyOf("INV-2004"), '"Name":"Cash sale Café Msasa","TradeName":null,"Tin":null')
      assert.include(
        bodyOf("INV-2002"),
        '"UnitAmount":57.5,"TaxCode":"VAT15","ProductCode":"94036000","LineAmount":207.00,"DiscountAmount":23.00'
      )
      assert.include(bodyOf("INV-2010"), '"UnitAmount":0.0612')
    }
  )

  it.live("reads files, folders and a contact file as one export; overlapping records count once", function* () {
    const cwd = yield* folderWith(example[1]!)
    const { Contacts, CreditNotes, Invoices } = exported()
    const pages = join(cwd, "pages")
    mkdirSync(pages)
    write(pages, "1.json", { Invoices: Invoices.slice(0, 9) })
    write(
      pages,
      "2.jsonl",
      Invoices.slice(7)
        .map((invoice) => JSON.stringify(invoice))
        .join("\n")
    )
    write(pages, "refused.json", "[]")
    write(pages, "pages.book.json", "{ // no export\n}")
    const notes = write(cwd, "notes.json", CreditNotes)
    const contacts = write(cwd, "contacts.json", { Contacts })
    const args = ["plan", "xero-like", notes, pages, "--contacts", contacts, ...settled, "--sandbox", "--json"]
    const ended = yield* connector([...args, "--book", join(cwd, example[1]!)])
    assert.deepStrictEqual(summaryOf(ended)["counts"], { Planned: 16, Skipped: 6 })
    assert.include(JSON.stringify(byNumber(ended)["INV-2013"]), '"Tin":"2000778899"')
  })

  const faulty = () => {
    const { Contacts, CreditNotes, Invoices } = exported()
    const [unmapped, off, unpaged, undated, archived, unstated, ...sound] = Invoices.slice(0, 8) as [
      ...Array<Fields & { readonly LineItems: ReadonlyArray<Fields> }>
    ]
    const { LineAmountTypes: _, CurrencyCode: __, ...open } = unstated!
    return {
      Contacts,
      Invoices: [
        { ...unmapped, LineItems: unmapped!.LineItems.map((line) => ({ ...line, TaxType: "TAX999" })) },
        { ...off, Total: 668 },
        { ...unpaged, LineItems: [] },
        { ...undated, DateString: "31/12/2025", Date: "31/12/2025" },
        { ...archived, Status: "ARCHIVED" },
        open,
        ...sound
      ],
      CreditNotes: [{ ...CreditNotes[1], Allocations: [] }, CreditNotes[2]]
    }
  }

  it.live("refuses faulty documents, each with its reason and place, and fiscalises the rest", function* () {
    const cwd = yield* folderWith(example[1]!)
    write(cwd, "historical-invoices.json", JSON.stringify(faulty(), null, 2))
    const ended = yield* connector(["import", "xero-like", "historical-invoices.json", ...settled, "--sandbox"], {
      cwd
    })
    assert.strictEqual(ended.code, 3)
    for (const place of [
      /TAX_UNMAPPED[^]*INV-2001 {2}historical-invoices\.json:\d+ \/Invoices\/0\/LineItems\/0\/TaxType "TAX999"/,
      /TOTAL_MISMATCH[^]*INV-2002 {2}historical-invoices\.json:\d+ \/Invoices\/1\/Total "668" {2}460\.00 \+ 207\.00 = 667\.00, stated 668\.00: 1\.00 apart/,
      /XERO_LINES_MISSING[^]*INV-2003 [^]*page=1/,
      /XERO_DATE_FORM[^]*INV-2004 {2}historical-invoices\.json:\d+ \/Invoices\/3\/DateString "31\/12\/2025"/,
      /XERO_STATUS_UNKNOWN[^]*INV-2005 [^]*--status ARCHIVED=issued/,
      /AMOUNTS_UNSTATED[^]*INV-2006 [^]*--amounts/,
      /CURRENCY_MISSING[^]*INV-2006 [^]*--currency/,
      /RCPT015[^]*CN-2002 [^]*--original CN=INV/,
      /CN-2003 {2}Held: its original INV-2005 is refused/
    ]) {
      assert.match(ended.out, place)
    }
    assert.include(ended.out, "2 fiscalised")
  })

  it.live("settles open facts of the export by flags", function* () {
    const cwd = yield* folderWith(example[1]!)
    const file = write(cwd, "historical-invoices.json", faulty())
    const flags = ["--status", "ARCHIVED=issued", "--amounts", "exclusive", "--currency", "ZAR"]
    const original = ["--original", "CN-2002=INV-2007"]
    const ended = yield* connector([
      "plan",
      "xero-like",
      file,
      ...settled,
      ...flags,
      ...original,
      "--sandbox",
      "--json"
    ])
    const rows = byNumber(ended)
    for (const number of ["INV-2005", "INV-2006", "INV-2007", "INV-2008", "CN-2002", "CN-2003"]) {
      assert.deepStrictEqual([number, rows[number]?.["state"]], [number, "Planned"])
    }
    const skipped = yield* connector(["plan", "xero-like", file, "--status", "ARCHIVED=skip", "--sandbox", "--json"])
    assert.strictEqual(byNumber(skipped)["INV-2005"]?.["state"], "Skipped")
  })

  it.live("reads the originals of many credit notes from a file, and reports unreadable lines", function* () {
    const cwd = yield* folderWith(example[1]!)
    const file = write(cwd, "historical-invoices.json", faulty())
    const plan = (originals: string, ...more: ReadonlyArray<string>) =>
      connector([
        "plan",
        "xero-like",
        file,
        ...settled,
        "--sandbox",
        "--json",
        ...more,
        "--originals",
        write(cwd, "o.txt", originals)
      ])
    const ended = yield* plan("# by hand\nCN-2002=INV-2007\n")
    assert.strictEqual(byNumber(ended)["CN-2002"]?.["state"], "Planned")
    // A flag has priority over the file.
    const other = yield* plan("CN-2002=INV-9999\n", "--original", "CN-2002=INV-2007")
    assert.strictEqual(byNumber(other)["CN-2002"]?.["state"], "Planned")
    const wrong = yield* plan("CN-2002\n")
    assert.strictEqual(wrong.code, 1)
    assert.match(wrong.err, /o\.txt:1: a credit note and its invoice are expected, as CN-1=INV-1/)
  })

  it.live("shows a refused document with its own date, and the printed way out works", function* () {
    const cwd = yield* folderWith(example[1]!)
    const { Contacts, Invoices } = exported()
    const [first, second] = Invoices
    const nobody = { ...second, Contact: undefined }
    const wrongTax = { ...first, TotalTax: 1 }
    const file = write(cwd, "historical-invoices.json", { Invoices: [wrongTax, nobody], Contacts })
    const { out } = yield* connector(["plan", "xero-like", file, ...settled, "--sandbox"])
    assert.match(out, /XERO_BUYER_MISSING[^]*--missing-contacts as-stated/)
    const rows = byNumber(yield* connector(["plan", "xero-like", file, ...settled, "--sandbox", "--json"]))
    assert.deepStrictEqual(codesOf(rows["INV-2001"]), ["TAX_TOTAL_MISMATCH"])
    const date = (rows["INV-2001"]?.["payload"] as Fields | undefined)?.["Date"]
    assert.strictEqual(date, `${String(first?.["DateString"]).slice(0, 10)}T00:00:00+02:00`)
    const printed = ["--missing-contacts", "as-stated"]
    const again = byNumber(yield* connector(["plan", "xero-like", file, ...settled, ...printed, "--sandbox", "--json"]))
    assert.strictEqual(again["INV-2002"]?.["state"], "Planned")
  })

  it.live("refuses an empty file and a list of quotations, and reports 0 documents for an empty list", function* () {
    const cwd = yield* folderWith(example[1]!)
    const plan = (text: string) =>
      connector(["plan", "xero-like", write(cwd, "historical-invoices.json", text), "--sandbox"])
    const empty = yield* plan("")
    assert.strictEqual(empty.code, 1)
    assert.include(empty.err, "it is empty")
    const none = yield* plan("[]")
    assert.strictEqual(none.code, 0)
    assert.match(none.out, /\b(0|no) documents/i)
    const quotes = yield* plan('{"Quotes":[{"QuoteID":"1"}]}')
    assert.notStrictEqual(quotes.code, 0)
    assert.include(quotes.out, "the list holds quotations")
  })

  it.live(
    "writes refused documents back with their reasons, for their owner only, for correction and another import",
    function* () {
      const cwd = yield* folderWith(example[1]!)
      write(cwd, "historical-invoices.json", faulty())
      const again = ["--book", example[1]!, ...settled, "--sandbox"]
      yield* connector(["import", "xero-like", "historical-invoices.json", ...settled, "--sandbox"], { cwd })
      const refused = join(cwd, "historical-invoices.refused.json")
      assert.strictEqual(statSync(refused).mode & 0o777, 0o600)
      const records = JSON.parse(readFileSync(refused, "utf8")) as ReadonlyArray<Fields>
      assert.deepStrictEqual(
        records.map(({ CreditNoteNumber, InvoiceNumber, Refused }) => {
          const last = (Refused as ReadonlyArray<Fields>).at(-1)
          return `${String(InvoiceNumber ?? CreditNoteNumber)} ${String(last?.["Code"])}`
        }),
        [
          "INV-2001 TAX_UNMAPPED",
          "INV-2002 TOTAL_MISMATCH",
          "INV-2003 XERO_LINES_MISSING",
          "INV-2004 XERO_DATE_FORM",
          "INV-2005 XERO_STATUS_UNKNOWN",
          "INV-2006 AMOUNTS_UNSTATED",
          "CN-2002 RCPT015"
        ]
      )
      const sound = new Map(exported().Invoices.map((invoice) => [invoice["InvoiceNumber"], invoice]))
      const corrected = records
        .filter(({ InvoiceNumber }) => InvoiceNumber !== undefined)
        .map(({ InvoiceNumber, Refused }) => ({ Refused, ...sound.get(InvoiceNumber) }))
      write(cwd, "historical-invoices.refused.json", corrected)
      const contacts = write(cwd, "contacts.json", { Contacts: exported().Contacts })
      const ended = yield* connector(["import", "xero-like", refused, "--contacts", contacts, ...again], { cwd })
      assert.strictEqual(ended.code, 0, ended.out)
      assert.include(ended.out, "6 documents: 6 fiscalised")
    }
  )
})

describe("import xero-like --config", () => {
  it.live("submits nothing again after payments, allocations, renamed customers and edited references", function* () {
    const cwd = yield* folderWith(...example)
    const sandbox = yield* gatewayFor(cwd)
    const args = [...settled, "--config", "account.json", "--book", example[1]!, "--json"]
    const first = yield* connector(["import", "xero-like", example[0]!, ...args], { cwd })
    assert.strictEqual(first.code, 0, first.err)
    const { Contacts, CreditNotes, Invoices } = exported()
    const later = (document: Fields): Fields => ({
      ...document,
      Status: document["Status"] === "AUTHORISED" ? "PAID" : document["Status"],
      Payments: [{ Account: { Code: "090" } }],
      Contact: { ...(document["Contact"] as Fields), Name: "Under another name" }
    })
    const isCash = (document: Fields) => JSON.stringify(document["Contact"]).includes("Msasa")
    write(cwd, "later.json", {
      Invoices: Invoices.map((one) => (isCash(one) ? one : { ...later(one), Reference: "PO 1" })).toReversed(),
      CreditNotes: CreditNotes.map((note) => ({
        ...later(note),
        Allocations: [...(note["Allocations"] as ReadonlyArray<Fields>), { Amount: 1, Invoice: Invoices[0] }]
      })),
      Contacts
    })
    const second = yield* connector(["import", "xero-like", "later.json", ...args], { cwd })
    assert.strictEqual(second.code, 0, second.err)
    assert.deepInclude(summaryOf(second), { counts: { Fiscalised: 16, Skipped: 4 } })
    assert.deepStrictEqual(
      lines(second.out).filter(({ findings }) => Array.isArray(findings) && findings.length > 0),
      []
    )
    const accepted = yield* sandbox.control.accepted
    assert.strictEqual(accepted.length, 16)
    assert.isTrue(accepted.every(({ accepted, receipts }) => accepted === 1 && receipts === 1))
  })

  it.live("reports fiscalised documents that were voided or changed in the source, and sends nothing", function* () {
    const cwd = yield* folderWith(...example)
    const sandbox = yield* gatewayFor(cwd)
    const args = [...settled, "--config", "account.json", "--book", example[1]!]
    yield* connector(["import", "xero-like", example[0]!, ...args], { cwd })
    const { Contacts, CreditNotes, Invoices } = exported()
    const [voided, altered, ...rest] = Invoices
    write(cwd, "later.json", {
      Invoices: [
        { ...voided, Status: "VOIDED" },
        { ...altered, DateString: "2025-11-25T00:00:00", Date: "2025-11-25" },
        ...rest
      ],
      CreditNotes,
      Contacts
    })
    const { out } = yield* connector(["import", "xero-like", "later.json", ...args], { cwd })
    assert.match(out, /CANCELLED_AFTER_SENDING[^]*INV-2001 is Fiscalised here/)
    assert.match(out, /INV-2002 [^\n]*it is Fiscalised, and the export now states something else/)
    assert.strictEqual((yield* sandbox.control.accepted).length, 16)
  })
})

describe("invalid input to xero-like", () => {
  it.live("ends with one sentence and sends nothing", function* () {
    const cwd = yield* folderWith(...example)
    const plan = (...args: ReadonlyArray<string>) => connector(["plan", "xero-like", ...args, "--sandbox"])
    const book = ["--book", join(cwd, example[1]!)]
    for (const [content, said] of [
      ['{"Invoices":[', "line 1: the file ends inside the value that begins on line 1"],
      ["Number,Date\n1,2", "line 1: it is not JSON"]
    ] as const) {
      const { code, err } = yield* plan(write(cwd, "bad.json", content), ...book)
      assert.strictEqual(code, 1)
      assert.include(err, said)
    }
    mkdirSync(join(cwd, "empty"))
    const empty = yield* plan(join(cwd, "empty"), ...book)
    assert.deepStrictEqual([empty.code, empty.err], [1, `There is no export in the folder ${join(cwd, "empty")}.\n`])
    const status = yield* plan(join(cwd, example[0]!), "--status", "ARCHIVED=perhaps")
    assert.deepStrictEqual([status.code, status.err], [1, "--status takes NAME=issued or NAME=skip.\n"])
    assert.strictEqual((yield* plan(join(cwd, example[0]!), "--tin", "Iban")).code, 1)
  })

  it.live("such as an API error answer is not read as documents", function* () {
    const cwd = yield* folderWith(...example)
    const answer = {
      ErrorNumber: 10,
      Type: "ValidationException",
      Message: "A validation exception occurred",
      Elements: []
    }
    const ended = yield* connector([
      "plan",
      "xero-like",
      write(cwd, "answer.json", answer),
      "--sandbox",
      "--book",
      join(cwd, example[1]!)
    ])
    assert.strictEqual(ended.code, 2)
    assert.include(ended.out, "XERO_ERROR_ANSWER")
  })

  it.live("such as a missing book prints how to get one", function* () {
    const cwd = yield* folderWith(example[0]!)
    const { code, err } = yield* connector(["import", "xero-like", join(cwd, example[0]!), "--sandbox"])
    assert.strictEqual(code, 1)
    assert.match(err, / {2}connector start .* --sandbox\n/)
  })
})

it.live("documents without lines print how to export again", function* () {
  const cwd = yield* folderWith(...example)
  const unpaged = exported().Invoices.map((invoice) => ({ ...invoice, LineItems: undefined }))
  const ended = yield* connector([
    "plan",
    "xero-like",
    write(cwd, "summary.json", unpaged),
    "--sandbox",
    "--json",
    "--book",
    join(cwd, example[1]!)
  ])
  assert.include(codesOf(byNumber(ended)["INV-2001"]), "XERO_LINES_MISSING")
  assert.deepInclude(summaryOf(ended)["counts"] as Fields, { Refused: 13 })
})
