import { assert, describe, it } from "../It.ts"
import { Effect, Stream } from "effect"
import type { SourceDocument, SourceWord } from "../../src/source/SourceDocument.ts"
import { ExportStatements } from "../../src/source/ExportStatements.ts"
import * as Readings from "../../src/source/Readings.ts"
import { translate } from "../../src/translate/translate.ts"
import { day, money } from "../preflight/SampleTranslated.ts"
import { bookWith } from "./GeneratedSources.ts"

const book = bookWith({})

const source: SourceDocument = {
  _tag: "SourceDocument",
  kind: "invoice",
  id: "inv-1",
  number: "INV-1",
  order: 0,
  date: day("2025-06-30"),
  currency: "USD",
  taxMode: "exclusive",
  lines: [
    { description: "Widget", quantity: money("2"), unitPrice: money("50"), taxes: [{ code: "Standard" }] },
    { description: "Gadget", quantity: money("1"), unitPrice: money("10"), taxes: [{ code: "Exempt" }] }
  ],
  charges: [],
  totals: { total: money("125") },
  originals: [],
  findings: [],
  where: (path) => ({ file: "a.csv", line: 7, text: path.join("/") })
}

const note: SourceDocument = {
  ...source,
  kind: "credit-note",
  reason: "Returned",
  originals: [{ by: "id", value: "inv-7", number: "INV-7" }]
}

const messages = (document: SourceDocument, ...words: ReadonlyArray<SourceWord>) =>
  translate({ ...document, words }, book).findings.map(({ code, message }) => `${code}: ${message}`)

type Row = readonly [subject: SourceWord["subject"], name: string, text: string]

const word = ([subject, name, text]: Row): SourceWord => ({ subject, name, text })

describe("a word that contradicts the reading as an invoice in USD", () => {
  it.each<Row>([
    ["kind", "Document Type", "Credit Note"],
    ["kind", "Type", "Quote"],
    ["credited", "Is Return", "1"],
    ["status", "State", "VOID"],
    ["status", "State", "Refunded"],
    ["docstatus", "Docstatus", "2"],
    ["unissued", "Voided", "yes"],
    ["unissued", "Cancelled At", "2026-03-05 10:15"],
    ["unissued", "Is Opening Entry", "Yes"],
    ["original", "Credited Invoice", "INV-7"],
    ["currency", "Currency Code", "ZAR"],
    ["exempt", "Tax Exempt", "true"]
  ])("refuses the document: %s in %s, %s", (...row) => {
    const [found, ...others] = messages(source, word(row))
    assert.deepStrictEqual(others, [])
    assert.match(
      found ?? "",
      new RegExp(`^WORD_CONTRADICTS: "${row[1]}" says "${row[2]}", and the document is read as `)
    )
  })

  it.each<Row>([
    ["status", "Order Status", "Pending"],
    ["status", "Financial Status", "pending"],
    ["status", "order_status", "Declined"]
  ])("is not an open order or an open payment: %s in %s, %s", (...row) => {
    assert.deepStrictEqual(messages(source, word(row)), [])
  })

  it("may be a cancelled order, or a pending document", () => {
    assert.lengthOf(messages(source, word(["status", "Order Status", "Cancelled"])), 1)
    assert.lengthOf(messages(source, word(["status", "Invoice Status", "Pending"])), 1)
  })

  it("is reported with its place", () => {
    const [found] = translate({ ...source, words: [word(["unissued", "Voided", "yes"])] }, book).findings
    assert.strictEqual(found?.at?.text, "words/0")
  })

  it("refuses a credit note for another original, but not one matched by id or number", () => {
    const said = (text: string) => messages(note, word(["original", "Credited Invoice", text]))
    assert.deepStrictEqual(
      [said("INV-7"), said("inv-7"), said("INV-8")].map(({ length }) => length),
      [0, 0, 1]
    )
  })

  it("refuses a taxed line marked as untaxed, and no other line", () => {
    const said = (line: number) => messages(source, { ...word(["taxable", "Taxable", "No"]), line })
    assert.deepStrictEqual([said(0).length, said(1).length], [1, 0])
  })

  it("has the meaning given by the export's own column map", () => {
    assert.deepStrictEqual(messages(source, { ...word(["status", "State", "Void"]), means: "issued" }), [])
    assert.strictEqual(messages(source, { ...word(["status", "State", "Parked"]), means: "skip" }).length, 1)
  })
})

describe("a word that agrees or is unknown", () => {
  it.each<Row>([
    ["kind", "Document Type", "Tax Invoice"],
    ["kind", "Type", "please credit note the change"],
    ["status", "State", "Harare"],
    ["docstatus", "Docstatus", "1"],
    ["unissued", "Voided", "no"],
    ["unissued", "Deleted", "-"],
    ["original", "Credited Invoice", "INV-1"],
    ["original", "Credited Invoice", "none"],
    ["currency", "Currency", "USD"],
    ["currency", "Currency", "Dollars"],
    ["taxable", "Taxable", "yes"],
    ["exempt", "Tax Exempt", "0"]
  ])("refuses nothing: %s in %s, %s", (...row) => {
    assert.deepStrictEqual(messages(source, word(row)), [])
  })
})

const entered = (...documents: ReadonlyArray<SourceDocument>) =>
  Stream.runCollect(Readings.entering(Stream.fromIterable(documents)))

describe("an unread statement of an export", () => {
  it("is listed once per file if its values are unknown", () => {
    const statements = new ExportStatements()
    const words = [word(["status", "State", "Harare"]), word(["kind", "Type", "Invoice"])]
    const elsewhere: SourceDocument = { ...source, where: () => ({ file: "b.csv" }) }
    statements.take({ ...source, words })
    statements.take({ ...source, words: [word(["currency", "Currency", "Dollars"])] })
    statements.take({ ...elsewhere, words: [word(["taxable", "Taxable", "12.50"])] })
    statements.take(source)
    assert.deepStrictEqual(
      statements.findings(() => false).map(({ at, message }) => `${at?.file} ${message}`),
      ['a.csv not read: "State", "Currency"', 'b.csv not read: "Taxable"']
    )
  })

  it.effect("must name one seller: the reading ends at a second seller", function* () {
    const by = (text: string): SourceDocument => ({ ...source, words: [word(["seller", "Company", text])] })
    assert.strictEqual((yield* entered(by("Own Ltd"), by("Own Ltd"), by("-"))).length, 3)
    const stopped = yield* Effect.flip(entered(by("Own Ltd"), by("Other Ltd")))
    assert.match(stopped.message, /^a\.csv: "Company" names two sellers, "Own Ltd" and "Other Ltd"/)
  })
})
