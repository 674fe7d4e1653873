import { assert, describe, it } from "../../core/test/It.ts"
import { AdapterError, InputFailed, type InputFile } from "../../core/src/source/Adapter.ts"
import { Effect, Stream } from "effect"
import { gzipSync } from "node:zlib"
import { adapter } from "../src/XeroLikeAdapter.ts"
import { codesOf, documentOf, documentsIn, inputOf, read, readingsOf } from "./Fixture.ts"
import { allocation, creditNote, invoice, without } from "./Sample.ts"

const encode = (text: string) => new TextEncoder().encode(text)

/**
 * Returns an envelope of `count` invoices, one per chunk, and the number of requested chunks so
 * far.
 */
const longFile = (count: number): { readonly file: InputFile; readonly pulled: () => number } => {
  let pulled = 0
  const chunks = function* () {
    yield encode('{"Invoices":[')
    for (let i = 0; i < count; i++) {
      pulled++
      yield encode(`${i === 0 ? "" : ","}${JSON.stringify(invoice({ InvoiceNumber: `INV-${i}` }))}`)
    }
    yield encode("]}")
  }
  return {
    file: { name: "long.json", bytes: Stream.suspend(() => Stream.fromIterable(chunks(), { chunkSize: 1 })) },
    pulled: () => pulled
  }
}

describe("the Xero-like adapter", () => {
  it.effect("streams a long file, after one pass for records that are joined", function* () {
    const { file, pulled } = longFile(500)
    const first = yield* Stream.runCollect(Stream.take(adapter.read({ files: [file] }, {}), 3))
    assert.deepStrictEqual(
      documentsIn(first).map(({ number }) => number),
      ["INV-0", "INV-1", "INV-2"]
    )
    assert.isBelow(pulled(), 500 + 10)
  })

  it.effect("numbers the documents of all files in one order", function* () {
    const file = JSON.stringify([invoice(), invoice({ Status: "DRAFT" }), invoice()])
    const readings = yield* read(inputOf({ "1.json": file, "2.json": file }))
    assert.deepStrictEqual(
      documentsIn(readings).map(({ order }) => order),
      [0, 1, 2, 3]
    )
  })

  it.effect("fails when the file fails", function* () {
    const failed = new AdapterError({ adapter: "test", reason: new InputFailed({ file: "x.json", problem: "gone" }) })
    const bytes = Stream.concat(Stream.make(encode("[{}")), Stream.fail(failed))
    const error = yield* Effect.flip(Stream.runDrain(adapter.read({ files: [{ name: "x.json", bytes }] }, {})))
    assert.strictEqual(error, failed)
  })

  it.effect("decompresses gzip content, and names a damaged archive", function* () {
    const packed = gzipSync(JSON.stringify({ Invoices: [invoice()] }))
    const [document] = documentsIn(yield* read(inputOf({ "invoices.json.gz": packed })))
    assert.strictEqual(document?.number, "INV-0001")
    assert.deepInclude(document?.where(["number"]), {
      file: "invoices.json.gz",
      pointer: "/Invoices/0/InvoiceNumber"
    })
    const error = yield* Effect.flip(read(inputOf({ "invoices.json.gz": packed.subarray(0, 200) })))
    assert.include(error.message, "invoices.json.gz: cannot be unpacked")
  })

  it.effect("reads files without documents as empty", function* () {
    assert.deepStrictEqual(yield* read(inputOf({ "b.json": "[]", "c.json": '{"Invoices":[]}' })), [])
  })

  it.effect.each(["", " \n", "\uFEFF"])("distinguishes an empty file from a file without documents", (text) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(read(inputOf({ "a.json": "[]", "b.json": text })))
      assert.match(error.message, /^b\.json: line \d: it is empty/)
    })
  )

  it.effect("uses the number as id if the export has no id", function* () {
    for (const document of [
      without(invoice(), "InvoiceID"),
      invoice({ InvoiceID: "00000000-0000-0000-0000-000000000000" })
    ]) {
      assert.strictEqual((yield* documentOf(document)).id, "INV-0001")
    }
    const note = yield* documentOf(creditNote({ CreditNoteNumber: "" }))
    assert.deepStrictEqual([note.id, note.number], ["6f9d2a10-0000-4000-8000-000000000002", ""])
  })

  it.effect("keeps a buyer or an original that is not written like the API", function* () {
    const named = yield* documentOf(invoice({ Contact: "Baobab Traders" }))
    assert.deepStrictEqual(
      named.findings.map(({ code, path }) => [code, path]),
      [["XERO_VALUE_FORM", ["buyer"]]]
    )
    const note = yield* documentOf(creditNote({ Allocations: { Allocation: [allocation()] } }))
    assert.deepStrictEqual(
      note.findings.map(({ code, path }) => [code, path]),
      [["XERO_VALUE_FORM", ["originals"]]]
    )
  })

  it.effect("adds up several allocations to one invoice, and separates those to others", function* () {
    const other = { InvoiceID: "6f9d2a10-0000-4000-8000-000000000009" }
    const note = yield* documentOf(
      creditNote({
        Allocations: [
          allocation({ Amount: 40.1 }),
          allocation({ Amount: 5, Invoice: other }),
          allocation({ Amount: 69.9 })
        ]
      })
    )
    assert.deepStrictEqual(
      note.originals.map(({ amount, value }) => [value.slice(-1), String(amount)]),
      [
        ["1", "BigDecimal(110)"],
        ["9", "BigDecimal(5)"]
      ]
    )
  })

  describe("reading flat rows", () => {
    const row = {
      invoice_id: "r1",
      invoice_number: "R-1",
      type: "ACCREC",
      status: "PAID",
      contact_name: "Baobab Traders",
      quantity: 1,
      unit_amount: 50,
      line_amount: 50
    }

    it.effect("begins a document each time the id changes, with blank columns of other tables", function* () {
      const blank = {
        overpayment_id: null,
        prepayment_id: null,
        credit_note_id: null,
        discount_entered_as_percent: null
      }
      const readings = yield* readingsOf([
        { ...row, ...blank },
        { ...row, ...blank },
        { ...row, invoice_id: "r2" }
      ])
      assert.deepStrictEqual(
        documentsIn(readings).map(({ id, kind, lines }) => [id, kind, lines.length]),
        [
          ["r1", "invoice", 2],
          ["r2", "invoice", 1]
        ]
      )
    })

    it.effect("refuses a document whose rows disagree about the buyer", function* () {
      const { findings } = yield* documentOf([row, { ...row, contact_name: "Kopje Stores" }])
      assert.deepStrictEqual(
        findings.map(({ code, detail }) => [code, detail]),
        [["XERO_ROWS_DISAGREE", "Baobab Traders and Kopje Stores"]]
      )
    })

    it.effect("accepts several invoices in the rows of a credit note", function* () {
      const note = {
        ...row,
        type: "ACCRECCREDIT",
        credit_note_id: "c1",
        credit_note_number: "C-1",
        line_item_id: "l1"
      }
      const { findings, lines, originals } = yield* documentOf([
        { ...note, allocation_amount: "30.00" },
        { ...note, invoice_id: "r2", invoice_number: "R-2", allocation_amount: 20 }
      ])
      assert.deepStrictEqual(codesOf(findings), [])
      assert.deepStrictEqual([lines.length, originals.map(({ value }) => value)], [1, ["r1", "r2"]])
    })
  })

  it.effect("reports once per list that nothing is read from it", function* () {
    const readings = yield* readingsOf({
      Accounts: [{ Code: 1 }, { Code: 2 }],
      Items: [{ Code: 3 }],
      Invoices: [invoice()]
    })
    assert.deepStrictEqual(
      readings.map((reading) => (reading._tag === "Skipped" ? reading.key : reading._tag)),
      ["accounts", "items", "SourceDocument"]
    )
  })

  it.effect("reads a single credit note with alphabetically ordered keys", function* () {
    const note = creditNote({ Allocations: [allocation()] })
    const sorted = Object.fromEntries(Object.entries(note).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    assert.strictEqual(Object.keys(sorted)[0], "Allocations")
    const { findings, originals } = yield* documentOf(sorted)
    assert.deepStrictEqual([codesOf(findings), originals.length], [[], 1])
  })
})
