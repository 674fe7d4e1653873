/**
 * Sends an adapter's export instead of plain documents: a job with promises can send everything
 * that an adapter can read.
 */
import { assert, describe, it } from "@effect/vitest"
import * as CsvAdapter from "@fiscal-connector/adapter-csv/CsvAdapter"
import * as CsvFormat from "@fiscal-connector/adapter-csv/CsvFormat"
import { defineAdapter } from "@fiscal-connector/adapter-kit"
import { adapter as xeroLike } from "@fiscal-connector/adapter-xero-like/XeroLikeAdapter"
import { adapter as xlsx } from "@fiscal-connector/adapter-xlsx/XlsxAdapter"
import { connect, type ExportAdapter, type FiscalConnector, type FiscalConnectorError } from "@fiscal-connector/promise"
import { Effect, Schema, type Scope } from "effect"
import { createReadStream, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as RecognizedFiles from "../../adapter-csv/test/RecognizedFiles.ts"
import { book, failure, gateway, type Given, invoice, receipts } from "./Gateway.ts"

const csv = CsvAdapter.adapter

const test = (use: (fiscal: FiscalConnector, folder: string, given: Given) => Promise<void>) => () =>
  Effect.gen(function* () {
    const given = yield* gateway
    const { config, folder, store } = given
    yield* Effect.promise(async () => {
      await using fiscal = await connect({ account: "shop", config, book, store })
      await use(fiscal, folder, given)
    })
  }) as Effect.Effect<void, never, Scope.Scope>
const bytes = (text: string) => new TextEncoder().encode(text)

const table = [
  "Invoice Number,Date,Currency,Amounts Are,Description,Quantity,Unit Price,Tax,Total,HS Code",
  "S-1,2026-03-02,USD,inclusive,Solar lamp,2,9.99,Standard,19.98,85131000",
  "S-2,2026-03-03,USD,inclusive,Solar lamp,1,9.99,Standard,9.99,85131000"
].join("\n")

const columns = {
  version: 1,
  columns: {
    number: "Invoice Number",
    date: "Date",
    currency: "Currency",
    description: "Description",
    quantity: "Quantity",
    unitPrice: "Unit Price",
    taxes: [{ code: "Tax" }],
    total: "Total",
    productCode: "HS Code"
  },
  settings: { amounts: "inclusive" }
} as const

const xeroInvoice = (number: string) => ({
  Type: "ACCREC",
  InvoiceID: `00000000-0000-4000-8000-${number.padStart(12, "0")}`,
  InvoiceNumber: number,
  DateString: "2026-03-02T00:00:00",
  Status: "AUTHORISED",
  LineAmountTypes: "Inclusive",
  LineItems: [
    {
      Description: "Lamp",
      Quantity: 2.0,
      UnitAmount: 9.99,
      LineAmount: 19.98,
      TaxType: "Standard",
      ItemCode: "85131000"
    }
  ],
  Total: 19.98,
  CurrencyCode: "USD"
})

const acme = defineAdapter({
  name: "acme",
  extensions: [".json"],
  options: { since: Schema.optionalKey(Schema.String) },
  async *read(file, { document, json, options, skip }) {
    for await (const row of json.items(file, "/rows")) {
      if (options.since !== undefined && row.date("date") < options.since) yield skip(row, "too old")
      else
        yield document(row, {
          kind: "invoice",
          id: row.text("id"),
          number: row.text("id"),
          date: row.date("date"),
          currency: "USD",
          taxMode: "inclusive",
          lines: row.each("lines", (line) => ({
            description: line.text("label"),
            quantity: line.decimal("qty"),
            unitPrice: line.decimal("price"),
            taxCode: "Standard",
            productCode: "85131000"
          }))
        })
    }
  }
})

const acmeRows = JSON.stringify({
  rows: ["2026-02-01", "2026-03-02"].map((date, i) => ({
    id: `A-${i + 1}`,
    date,
    lines: [{ label: "Lamp", qty: "2", price: "9.99" }]
  }))
})

describe("an export passed instead of documents", () => {
  it.live(
    "of the CSV adapter is fiscalised once, from a file and from bytes",
    test(async (fiscal, folder, given) => {
      const file = join(folder, "sales.csv")
      writeFileSync(file, table)
      const results = (await fiscal.sync({ adapter: csv, files: [file], options: { columns } })).results
      assert.deepStrictEqual(
        results.map(({ number, problems, status, total }) => [number, status, total, problems.map(({ code }) => code)]),
        [
          ["S-1", "fiscalised", "19.98", []],
          ["S-2", "fiscalised", "9.99", []]
        ]
      )
      const again = [bytes(table), () => createReadStream(file)] as const
      for (const content of again) {
        const files = [{ name: file, bytes: content }]
        const known = (await fiscal.sync({ adapter: csv, files, options: { columns } })).results
        assert.deepStrictEqual(
          known.map(({ verificationCode }) => verificationCode),
          results.map(({ verificationCode }) => verificationCode)
        )
      }
      assert.strictEqual((await receipts(given)).length, 2)
    })
  )

  it.live(
    "of the Xero-like adapter, which reads its files twice, is fiscalised",
    test(async (fiscal, folder) => {
      const file = join(folder, "invoices.json")
      writeFileSync(file, JSON.stringify([xeroInvoice("1"), xeroInvoice("2")]))
      const results = (
        await fiscal.sync({
          adapter: xeroLike,
          files: [{ name: "invoices.json", bytes: () => createReadStream(file) }],
          options: { productCode: "item-code", missingContacts: "as-stated" }
        })
      ).results
      assert.deepStrictEqual(
        results.map(({ number, problems, status }) => [number, status, problems.map(({ code }) => code)]),
        [
          ["1", "fiscalised", []],
          ["2", "fiscalised", []]
        ]
      )
    })
  )

  it.live(
    "of an adapter made with the kit is planned, and its options are checked against its declaration",
    test(async (fiscal) => {
      const files = [{ name: "acme.json", bytes: bytes(acmeRows) }]
      await using plan = await fiscal.plan({ adapter: acme, files, options: { since: "2026-03-01" } })
      assert.deepStrictEqual(plan.counts, { planned: 1, skipped: 1 })
      const untyped = { adapter: acme as ExportAdapter<object>, files, options: { sinse: "2026-03-01" } }
      const wrong = await failure(fiscal.plan(untyped))
      assert.strictEqual(wrong.code, "config_invalid")
      assert.match(wrong.message, /^options of the adapter acme: .*sinse/s)
      // @ts-expect-error the adapter has no such option
      const options: Parameters<typeof acme.read>[1] = { until: "x" }
      assert.strictEqual((await failure(fiscal.plan({ adapter: acme, files, options }))).code, "config_invalid")
    })
  )

  it.live(
    "is registered as originals, and a credit note can name them",
    test(async (fiscal) => {
      const files = [{ name: "old.csv", bytes: bytes(table) }]
      const report = await fiscal.registerOriginals({ adapter: csv, files, options: { columns } })
      assert.strictEqual(report.registered, 2)
      assert.deepStrictEqual(
        report.problems.map(({ message, statements }) => [
          message,
          statements?.find(({ treatment }) => treatment === "named")?.samples
        ]),
        [['not read: the same everywhere "Amounts Are"', ["inclusive"]]]
      )
      const note = { ...invoice("CN-1"), kind: "credit-note", original: { number: "S-1" }, reason: "Returned" } as const
      const [result] = (await fiscal.sync([note])).results
      assert.notStrictEqual(result!.status, "refused")
    })
  )
})

describe("an export that is not invoices", () => {
  it.live(
    "is asked about by every call, in every format, and only the answer lets it be planned",
    test(async (fiscal, _folder, given) => {
      for (const one of RecognizedFiles.files) {
        const files = [{ name: "sales.csv", bytes: bytes(RecognizedFiles.csvOf(one)) }]
        for (const options of [{}, { columns: RecognizedFiles.mapOf(one) }]) {
          const asking = { adapter: csv, files, options }
          const calls = [() => fiscal.plan(asking), () => fiscal.sync(asking), () => fiscal.registerOriginals(asking)]
          for (const call of calls) {
            const error = await failure(call())
            assert.strictEqual(error.code, "export_ambiguous", one.name)
            assert.deepStrictEqual(
              error.problems.map(({ choices }) => choices?.map(({ options }) => options)),
              [["stop", "invoices"].map((answer) => ({ settings: { contents: { [one.contents]: answer } } }))],
              one.name
            )
          }
        }
        const options = {
          columns: RecognizedFiles.mapOf(one),
          settings: { contents: { [one.contents]: "invoices" as const } }
        }
        await using plan = await fiscal.plan({ adapter: csv, files, options })
        assert.strictEqual(
          Object.values(plan.counts).reduce((sum, count) => sum + count, 0),
          RecognizedFiles.documents
        )
      }
      assert.strictEqual((await receipts(given)).length, 0)
    })
  )

  it.live(
    "by its titles or names is asked about by every call",
    test(async (fiscal, _folder, given) => {
      const rows = "InvoiceNumber,InvoiceDate,Description,Quantity,UnitPrice,TaxCode\nA-1,2026-01-05,Nails,1,2.50,S\n"
      for (const [name, text] of [
        ["sales.csv", rows.replace("InvoiceNumber,InvoiceDate", "Vendor bill no,Vendor bill date")],
        ["sales.csv", `Purchases in January\n${rows}`],
        ["purchases.csv", rows]
      ] as const) {
        const asking = { adapter: csv, files: [{ name, bytes: bytes(text) }], options: {} }
        for (const call of [() => fiscal.plan(asking), () => fiscal.sync(asking)]) {
          const error = await failure(call())
          assert.strictEqual(error.code, "export_ambiguous", text)
          assert.include(JSON.stringify(error.problems), "these are our own sales", text)
        }
      }
      assert.strictEqual((await receipts(given)).length, 0)
    })
  )
})

describe("an ambiguous export", () => {
  const questioned = table
    .replace("2026-03-02", "03/02/2026")
    .replace("2026-03-03", "04/02/2026")
    .replaceAll(",USD,", ",,")
  const files = [{ name: "sales.csv", bytes: bytes(questioned) }]

  it.live(
    "returns every open question with its readings, and the options of a choice settle the question",
    test(async (fiscal, _folder, given) => {
      const asking = { adapter: csv, files, options: { columns } }
      const calls = [() => fiscal.plan(asking), () => fiscal.sync(asking), () => fiscal.registerOriginals(asking)]
      for (const call of calls) {
        const error = await failure(call())
        assert.strictEqual(error.code, "export_ambiguous")
        assert.deepStrictEqual(
          error.problems.map(({ choices, code, detail }) => [
            code,
            detail,
            choices?.map(({ options, write }) => options ?? write)
          ]),
          [
            ["ReadingAmbiguous", "sales.csv", [{ settings: { dates: "dmy" } }, { settings: { dates: "mdy" } }]],
            ["ReadingAmbiguous", "sales.csv", ['{"settings":{"currency":"…"}}']]
          ]
        )
        const [order] = error.problems
        assert.deepStrictEqual(order!.choices![0]!.examples, ["03/02/2026 = 2026-02-03", "04/02/2026 = 2026-02-04"])
        assert.match(order!.docUrl, /README\.md#readingambiguous$/)
      }
      assert.strictEqual((await receipts(given)).length, 0)
      const { choices } = (await failure(fiscal.plan(asking))).problems[0]!
      const { settings } = choices![1]!.options as { settings: object }
      const options = { columns, settings: { ...settings, currency: "USD" } }
      await using plan = await fiscal.plan({ adapter: csv, files, options })
      assert.deepStrictEqual(plan.counts, { planned: 2 })
    })
  )

  it.live(
    "also returns choices for a problem of a single document, and a choice settles it",
    test(async (fiscal) => {
      const ambiguous = table.replace(
        "S-2,2026-03-03,USD,inclusive,Solar lamp,1,9.99,Standard,9.99",
        "S-2,2026-03-03,USD,inclusive,Solar lamp,-1,9.99,Standard,-9.99"
      )
      const given = { adapter: csv, files: [{ name: "sales.csv", bytes: bytes(ambiguous) }], options: { columns } }
      await using plan = await fiscal.plan(given)
      const refused = []
      for await (const entry of plan.entries()) if (entry.status === "refused") refused.push(entry)
      assert.lengthOf(refused, 1)
      const choices = refused[0]!.problems.flatMap(({ choices = [] }) => choices)
      const [choice] = choices
      if (choice?.settles !== "options") return assert.fail(`it settles ${choice?.settles}`)
      assert.deepStrictEqual(choice.options, { settings: { negativeTotals: "credit-note" } })
      const { settings } = choice.options as { settings: object }
      await using again = await fiscal.plan({
        ...given,
        options: { columns: { ...columns, settings: { ...columns.settings, ...settings } } }
      })
      for await (const { kind, number, problems } of again.entries())
        if (number === "S-2") {
          assert.strictEqual(kind, "credit-note")
          assert.notInclude(
            problems.map(({ code }) => code),
            refused[0]!.problems[0]!.code
          )
        }
    })
  )

  it("states each answer in the form of the adapter's options", () => {
    assert.deepStrictEqual(CsvAdapter.optionsOf({ layout: "busy" }), { layout: "busy" })
    assert.deepStrictEqual(CsvAdapter.optionsOf({ map: { unread: ["Paid"] } }), {
      columns: { version: 1, unread: ["Paid"] }
    })
    assert.strictEqual(xlsx.optionsOf, CsvAdapter.optionsOf)
  })
})

describe("an unreadable export", () => {
  const codes = (error: FiscalConnectorError) => [
    error.code,
    error.problems.map(({ code, detail }) => `${code} ${detail}`)
  ]

  it.live(
    "is reported with file and reason",
    test(async (fiscal, folder) => {
      const absent = join(folder, "absent.csv")
      assert.deepStrictEqual(codes(await failure(fiscal.plan({ adapter: csv, files: [absent] }))), [
        "export_unreadable",
        [`InputFailed ${absent}`]
      ])
      const unknown = await failure(
        fiscal.plan({ adapter: csv, files: [{ name: "x.csv", bytes: bytes("a,b\n1,2\n") }] })
      )
      assert.deepStrictEqual(codes(unknown), ["export_unreadable", ["ExportUnreadable x.csv"]])
      assert.notStrictEqual(unknown.problems[0]!.fix, "")
    })
  )

  it.live(
    "is named by health until a file of that name is accepted, and stays dismissed only while it is the same",
    test(async (fiscal) => {
      const causes = async () =>
        (await fiscal.health()).concerns.flatMap(({ cause, code, text }) =>
          code === "IMPORT_REFUSED" ? [`${cause}: ${text.includes("sales.csv")}`] : []
        )
      const given = (text: string) => ({ adapter: csv, files: [{ name: "in/sales.csv", bytes: bytes(text) }] })
      const isRefused = async (text: string) =>
        assert.strictEqual((await failure(fiscal.sync(given(text)))).code, "export_unreadable")
      await failure(fiscal.plan(given("a,b\n1,2\n")))
      assert.deepStrictEqual(await causes(), [], "a plan writes nothing")
      await isRefused("a,b\n1,2\n")
      assert.deepStrictEqual(await causes(), ["FILE_REFUSED: true"])
      await fiscal.dismiss({ cause: "FILE_REFUSED" }, "an empty week")
      await isRefused("a,b\n1,2\n")
      assert.deepStrictEqual(await causes(), [])
      await isRefused("a,b\n1,3\n")
      assert.deepStrictEqual(await causes(), ["FILE_REFUSED: true"])
      await fiscal.sync({ ...given(table), options: { columns } })
      assert.deepStrictEqual(await causes(), [])
    })
  )

  it.live(
    "whose bytes the caller fails to read is rejected with the caller's own exception",
    test(async (fiscal) => {
      const thrown = new TypeError("Baobab Traders")
      const fails = (): AsyncIterable<Uint8Array> => {
        throw thrown
      }
      const breaks = async function* () {
        yield bytes("Invoice Number\n")
        throw thrown
      }
      for (const content of [fails, breaks]) {
        const [result] = await Promise.allSettled([
          fiscal.plan({ adapter: csv, files: [{ name: "y.csv", bytes: content }] })
        ])
        assert.strictEqual(result.status === "rejected" ? result.reason : undefined, thrown)
      }
    })
  )

  it.live(
    "with an invalid or failing adapter is reported as an error in the adapter",
    test(async (fiscal) => {
      const files = [{ name: "x.json", bytes: bytes("{}") }]
      const none = { name: "none", read: () => "nothing" }
      assert.deepStrictEqual(codes(await failure(fiscal.sync({ adapter: none, files }))), [
        "export_unreadable",
        ["AdapterBroke x.json"]
      ])
    })
  )
})

describe("the questions about an export", () => {
  const strange = [
    "Beleg;Tag;Kunde;Ware;Stk;Preis;Summe;Steuer",
    "1001;13.02.2026;Acme;Lampe;2;10,00;20,00;N",
    "1002;14.02.2026;Bolt;Tisch;1;100,00;100,00;N"
  ].join("\n")
  const files = [{ name: "strange.csv", bytes: bytes(strange) }]
  // no name in the file states sales
  const isSales = { "contents no-kinds": "invoices" } as const
  const truth: Readonly<Record<string, string>> = {
    ...isSales,
    "column Beleg": "number",
    "column Kunde": "customerName",
    "column Steuer": "tax.code",
    amounts: "exclusive",
    currency: "USD",
    "product-codes": "85131000",
    "buyers-without-number": "cash-sale"
  }

  it.live(
    "are data, take answers, and end with options and a book that plan every document",
    test(async (fiscal, folder, { config, store }) => {
      let answers: Readonly<Record<string, string>> = {}
      const adapter = CsvFormat.adapter
      let asked = await fiscal.questions({ adapter, files })
      assert.deepStrictEqual(
        asked.questions.map(({ id }) => id),
        ["contents no-kinds"]
      )
      for (let round = 0; asked.questions.length > 0 && round < 6; round++) {
        const ofTax = (id: string, choices: ReadonlyArray<{ readonly id: string; readonly words: string }>) =>
          id.startsWith("tax ") ? choices.find(({ words }) => words.includes("15.5 %"))?.id : undefined
        answers = Object.fromEntries([
          ...Object.entries(answers),
          ...asked.questions.flatMap(({ choices, id, proposal }) => {
            const answer = truth[id] ?? ofTax(id, choices) ?? proposal
            return answer === null ? [] : [[id, answer]]
          })
        ])
        asked = await fiscal.questions({ adapter, files }, { answers })
        assert.deepStrictEqual(asked.problems, [])
      }
      assert.deepStrictEqual(asked.questions, [])
      // the answers are one record: in another order they give the same options and the same book
      const again = await fiscal.questions(
        { adapter, files },
        { answers: Object.fromEntries(Object.entries(answers).toReversed()) }
      )
      assert.deepStrictEqual([again.book, again.options], [asked.book, asked.options])
      // an answer that is not taken leaves the others of its group as they are
      const tax = Object.keys(answers).find((id) => id.startsWith("tax "))!
      const spoiled = { ...answers, [tax]: "7 %", "column Nobody": "unused" }
      const wrong = await fiscal.questions({ adapter, files }, { answers: spoiled })
      assert.match(wrong.problems.join("\n"), /^tax /)
      assert.deepStrictEqual(wrong.unused, ["column Nobody"])
      writeFileSync(join(folder, "asked.book.json"), asked.book)
      await using answered = await connect({ account: "shop", config, book: join(folder, "asked.book.json"), store })
      await using plan = await answered.plan({ adapter, files, options: asked.options })
      assert.deepStrictEqual(plan.counts, { planned: 2 }, JSON.stringify(plan.causes))
    })
  )

  it.live(
    "name the answer that is not among the choices, and are refused for plain documents",
    test(async (fiscal) => {
      const adapter = CsvFormat.adapter
      const asked = await fiscal.questions({ adapter, files }, { answers: { ...isSales, "column Stk": "colour" } })
      assert.match(asked.problems.join("\n"), /^column Stk: "colour" is not one of /)
      const refused = await failure(fiscal.questions([invoice("S-1")] as never))
      assert.strictEqual(refused.code, "config_invalid")
    })
  )
})
