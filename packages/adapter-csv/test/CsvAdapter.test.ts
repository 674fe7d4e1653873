import { formatPlain } from "../../core/src/document/Money.ts"
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect, Stream } from "effect"
import { readFileSync } from "node:fs"
import { adapter } from "../src/CsvAdapter.ts"
import * as MapFile from "../src/columns/MapFile.ts"
import { file, input, question, read, answerText } from "./Sample.ts"

const header =
  "Kind,InvoiceNumber,InvoiceDate,Currency,CustomerName,CustomerTIN,Description,Quantity,UnitPrice,LineAmount,TaxCode,AmountsAre,Total,OriginalInvoice,Reason"
const sample = [
  header,
  'Invoice,INV-1,2026-01-05,USD,"Müller, & Söhne",2000000001,"Steel ""B""\r\nbar",2,10.50,21.00,VAT15,exclusive,40.25,,',
  'Invoice,INV-1,2026-01-05,USD,"Müller, & Söhne",2000000001,Freight,1,14,14.00,VAT15,exclusive,40.25,,',
  'Credit note,CN-1,2026-01-06,USD,"Müller, & Söhne",2000000001,Freight,1,14,14.00,VAT15,exclusive,16.10,INV-1,Damaged',
  ""
].join("\r\n")

describe("CsvAdapter", () => {
  it.effect("joins rows into documents and states their values", function* () {
    const { documents, findings, skipped } = yield* read(sample)
    assert.deepStrictEqual(findings, [])
    assert.deepStrictEqual(skipped, [])
    assert.deepStrictEqual(
      documents.map(({ kind, lines, number, order }) => [kind, number, order, lines.length]),
      [
        ["invoice", "INV-1", 0, 2],
        ["credit-note", "CN-1", 1, 1]
      ]
    )
    const [invoice, note] = documents
    assert.equal<unknown>(invoice!.date, "2026-01-05")
    assert.deepStrictEqual(invoice!.buyer, { name: "Müller, & Söhne", tin: "2000000001" })
    assert.strictEqual(invoice!.lines[0]!.description, 'Steel "B"\r\nbar')
    assert.strictEqual(formatPlain(invoice!.lines[0]!.unitPrice!), "10.5")
    assert.deepStrictEqual(invoice!.lines[1]!.taxes, [{ code: "VAT15" }])
    assert.strictEqual(formatPlain(invoice!.totals.total!), "40.25")
    assert.deepStrictEqual(note!.originals, [{ by: "number", value: "INV-1" }])
    assert.strictEqual(note!.reason, "Damaged")
  })

  it.effect("states the place of every value, also after quoted line breaks", function* () {
    const { documents } = yield* read(sample)
    const [invoice, note] = documents
    assert.deepStrictEqual(invoice!.where(["lines", 0, "quantity"]), {
      file: "in.csv",
      line: 3,
      column: 6,
      columnName: "Quantity",
      text: "2"
    })
    assert.deepStrictEqual(invoice!.where(["buyer", "tin"]), {
      file: "in.csv",
      line: 2,
      column: 48,
      columnName: "CustomerTIN",
      text: "2000000001"
    })
    assert.strictEqual(note!.where([]).line, 5)
    assert.strictEqual(note!.where(["reason"]).text, "Damaged")
  })

  for (const delimiter of [";", "\t"]) {
    it.effect(`detects that cells are separated by ${JSON.stringify(delimiter)}`, function* () {
      const text = sample.replaceAll('"Müller, & Söhne"', "Muster").replaceAll(",", delimiter)
      const { documents } = yield* read(`\ufeff${text}`)
      assert.strictEqual(documents.length, 2)
    })
  }

  it.effect("reads columns by an explicit column map", function* () {
    const columns = yield* MapFile.load(
      "map.json",
      `{ "version": 1, // ours
           "columns": { "number": "Doc", "date": "When", "customerName": "Who", "description": ["Text", "Item"],
             "quantity": "Qty", "unitPrice": "Each", "taxes": [{ "code": "VAT" }] },
           "settings": { "currency": "USD", "amounts": "inclusive" } }`
    )
    const { documents } = yield* read("Doc;When;Who;Item;Text;Qty;Each;VAT\n7;31.12.2025;Ada;Pen;;1;2,50;S\n", {
      columns
    })
    const [document] = documents
    assert.strictEqual(document!.currency, "USD")
    assert.strictEqual(document!.taxMode, "inclusive")
    assert.equal<unknown>(document!.date, "2025-12-31")
    assert.strictEqual(document!.lines[0]!.description, "Pen")
    assert.strictEqual(formatPlain(document!.lines[0]!.unitPrice!), "2.5")
  })

  it.effect("accepts the column map in the README", function* () {
    const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8")
    const [, text = ""] = /```jsonc\n([^`]*)```/.exec(readme) ?? []
    const columns = yield* MapFile.load("README.md", text)
    assert.deepStrictEqual(columns.group, ["Doc", "Who"])
  })

  it.effect("reports all problems of a column map at once, with line and column", function* () {
    const error = yield* Effect.flip(MapFile.load("map.json", '{ "version": 2,\n  "columns": { "numbr": "Doc" } }'))
    assert.deepStrictEqual(
      error.findings.map(({ at }) => [at?.line, at?.column]),
      [
        [1, 14],
        [2, 25]
      ]
    )
  })

  it.effect("asks for the order of day and month if the file does not show it, and uses the answer", function* () {
    const text = sample.replaceAll("2026-01-05", "03/02/2026").replaceAll("2026-01-06", "04/02/2026")
    const asked = yield* question(text)
    assert.deepStrictEqual(
      asked.readings.map(({ answer }) => answerText(answer)),
      ["dates dmy", "dates mdy"]
    )
    assert.deepStrictEqual(asked.readings[0]!.examples, ["03/02/2026 = 2026-02-03", "04/02/2026 = 2026-02-04"])
    const { documents } = yield* read(text, { settings: { dates: "mdy" } })
    assert.equal<unknown>(documents[0]!.date, "2026-03-02")
  })

  it.effect(
    "reports unreadable values with file, line, column and text, and reads the rest of the document",
    function* () {
      const { documents } = yield* read(sample.replace(",1,14,14.00", ",1,14..0,14.00"))
      const [finding] = documents[0]!.findings
      assert.strictEqual(finding!.code, "CSV_NUMBER_UNREADABLE")
      assert.deepStrictEqual(finding!.path, ["lines", 1, "unitPrice"])
      assert.deepStrictEqual(finding!.at, {
        file: "in.csv",
        line: 4,
        column: 69,
        columnName: "UnitPrice",
        text: "14..0"
      })
      assert.strictEqual(documents[0]!.lines.length, 2)
      assert.strictEqual(documents[0]!.lines[1]!.unitPrice, undefined)
    }
  )

  it.effect("names the letter of a number that looks like a digit", function* () {
    const details = yield* Effect.forEach(["14.0O", "l4.00", "14 boxes"], (cell) =>
      Effect.map(read(sample.replace(",1,14,14.00", `,1,${cell},14.00`)), ({ documents }) =>
        documents[0]!.findings.map(({ detail }) => detail)
      )
    )
    assert.deepStrictEqual(details, [
      ['"14.0O" has the letter O, not a zero'],
      ['"l4.00" has the letter l, not a one'],
      ['"14 boxes"']
    ])
  })

  it.effect("loses one line to an unterminated quote, and refuses the document of this line", function* () {
    const { documents, findings } = yield* read(
      sample.replace(",Freight,1,14,14.00,VAT15,exclusive,40.25", ',"Freight,1,14,14.00,VAT15,exclusive,40.25')
    )
    assert.deepStrictEqual(
      findings.map(({ at, code }) => [code, at?.line, at?.column]),
      [["CSV_UNTERMINATED_QUOTE", 4, 59]]
    )
    assert.deepStrictEqual(
      documents.map(({ findings, number }) => [number, findings.map(({ code }) => code)]),
      [
        ["INV-1", ["CSV_LINE_LOST"]],
        ["CN-1", []]
      ]
    )
  })

  it.effect("refuses a document if its rows disagree", function* () {
    const { documents } = yield* read(
      sample.replace(
        '2026-01-05,USD,"Müller, & Söhne",2000000001,Freight',
        '2026-01-07,USD,"Müller, & Söhne",2000000001,Freight'
      )
    )
    assert.deepStrictEqual(
      documents[0]!.findings.map(({ at, code, path }) => [code, path, at?.line]),
      [["CSV_HEADER_CONFLICT", ["date"], 4]]
    )
  })

  it.effect("writes refused rows with their reasons, for correction and another reading", function* () {
    const { documents } = yield* read(sample.replace("Freight,1,14,", "=1+1,1,1x4,"))
    const refused = documents.slice(0, 1).map((reading) => ({ reading, findings: reading.findings }))
    const written = yield* Stream.mkUint8Array(adapter.writeRefused!(Stream.fromIterable(refused)))
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(written)
    assert.match(text, /^\ufeffKind,InvoiceNumber,.*,Refused,Refused because,Refused: what to do\r\n/)
    assert.include(text, ",'=1+1,1,1x4,")
    assert.include(text, "CSV_NUMBER_UNREADABLE")
    const again = yield* read(text.replace(",1x4,", ",14,"))
    assert.deepStrictEqual(again.documents[0]!.findings, [])
    assert.strictEqual(again.documents[0]!.lines.length, 2)
  })

  it.effect("numbers documents consecutively across several files", function* () {
    const { documents } = yield* read(input(sample, sample.replaceAll("INV-1", "INV-2").replaceAll("CN-1", "CN-2")))
    assert.deepStrictEqual(
      documents.map(({ order, where }) => [order, where.name]).map(([order]) => order),
      [0, 1, 2, 3]
    )
    assert.strictEqual(documents[2]!.where([]).file, "in2.csv")
  })

  it.effect("refuses a file with an unknown header, and states how to continue", function* () {
    const error = yield* Effect.flip(read({ files: [file("a,b,c\n1,2,3\n")] }))
    assert.strictEqual(error.reason._tag, "ExportUnreadable")
    assert.include(error.message, "column map")
  })
})
