import type { RefusedDocument } from "../../core/src/source/Adapter.ts"
import { assert, describe, it } from "../../core/test/It.ts"
import { Arbitrary, Effect, Schema, Stream } from "effect"
import { adapter, type CsvOptions } from "../src/CsvAdapter.ts"
import { RowFinding } from "../src/finding/RowFinding.ts"
import { file, input, read, type Sorted } from "./Sample.ts"
import { seeded } from "../../core/test/Property.ts"

const all = ({ readings }: Sorted): ReadonlyArray<RefusedDocument> =>
  readings.flatMap((reading): ReadonlyArray<RefusedDocument> => {
    if (reading._tag === "SourceDocument") return [{ reading, findings: reading.findings }]
    return reading instanceof RowFinding ? [{ reading, findings: [reading] }] : []
  })

const write = (refused: ReadonlyArray<RefusedDocument>) =>
  Effect.map(Stream.mkUint8Array(adapter.writeRefused!(Stream.fromIterable(refused))), (bytes) =>
    new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)
  )

const header = "InvoiceNumber,InvoiceDate,Currency,Description,Quantity,UnitPrice,TaxCode"

describe("the file of refused rows", () => {
  it.effect("has the columns of all files, with each row under its own columns", function* () {
    const sorted = yield* read(
      input(
        `${header}\n1,2026-01-05,USD,Pen,1,x,S\n`,
        `Reason;${header.replaceAll(",", ";")}\nr;2;2026-01-05;USD;Pen;1;y;S\n`
      )
    )
    const [head, first, second] = (yield* write(all(sorted))).split("\r\n")
    assert.strictEqual(head, `\ufeff${header},Reason,Refused,Refused because,Refused: what to do`)
    assert.match(first!, /^1,2026-01-05,USD,Pen,1,x,S,,CSV_NUMBER_UNREADABLE,"in\.csv:2:24 /)
    assert.match(second!, /^2,2026-01-05,USD,Pen,1,y,S,r,CSV_NUMBER_UNREADABLE,"in2\.csv:2:26 /)
  })

  it.effect(
    "contains damaged lines with their readable cells and the rest behind the reasons, and these lines stay refused",
    function* () {
      const sorted = yield* read(`${header}\n1,2026-01-05,USD,"Pen,1,2,S\n2,2026-01-05,USD,Ink,1,2,S,more,and more\n`)
      const [, broken, wide] = (yield* write(all(sorted))).split("\r\n")
      assert.match(broken!, /^1,2026-01-05,USD,,,,,CSV_UNTERMINATED_QUOTE,.*,"""Pen,1,2,S"$/)
      assert.match(wide!, /^2,2026-01-05,USD,Ink,1,2,S,CSV_ROW_WIDTH,.*,more,and more$/)
      const short = yield* read(`${header}\n3,2026-01-05,USD,Ink,1,2\n`)
      for (const [sound, rows] of [
        [sorted, 2],
        [short, 1]
      ] as const) {
        const again = yield* read(yield* write(all(sound)))
        assert.deepStrictEqual(again.documents, [])
        assert.deepStrictEqual(
          again.findings.map(({ code }) => code),
          Array.from({ length: rows }, () => "CSV_ROW_WIDTH")
        )
      }
    }
  )

  it.effect(
    "keeps the header on the line given by the operator, and the group of a report above its rows",
    function* () {
      const options: CsvOptions = {
        columns: {
          version: 1,
          layout: "report",
          columns: { number: "No", date: "Date", description: "Item", lineAmount: "Amount", taxes: [{ code: "Code" }] },
          settings: { headerLine: 3, currency: "USD" }
        }
      }
      const text = "Sales\n\n,No,Date,Item,Amount,Code\nAda,,,,,\n,1,2026-01-05,Pen,x,S\n,2,2026-01-05,Pen,2.50,S\n"
      const sorted = yield* read(text, options)
      const written = yield* write(all(sorted).slice(0, 1))
      assert.match(
        written,
        /^\ufeff\r\n\r\n,No,Date,Item,Amount,Code,Refused,Refused because,Refused: what to do\r\nAda,,,,,\r\n,1,/
      )
      const again = yield* read(written.replace(",x,", ",2.50,"), options)
      assert.deepStrictEqual(
        again.documents.map(({ buyer, findings, number }) => [number, buyer?.name, findings.length]),
        [["1", "Ada", 0]]
      )
    }
  )

  describe("a document that is refused because of other rows", () => {
    const broken = `${header}\n1,2026-01-05,USD,Pen,1,2,S\n1,2026-01-05,U"SD"x,Ink,1,2\n2,2026-01-05,USD,Pen,1,2,S\n`
    const codesOf = ({ documents }: Sorted) =>
      documents.map(({ findings, number }) => [number, ...new Set(findings.map(({ code }) => code))])

    /** Only the documents: the broken row is removed. */
    const documentsOf = Effect.gen(function* () {
      const sorted = yield* read(broken)
      assert.deepStrictEqual(codesOf(sorted), [
        ["1", "CSV_LINE_LOST"],
        ["2", "CSV_LINE_LOST"]
      ])
      return yield* write(all(sorted).filter(({ reading }) => !(reading instanceof RowFinding)))
    })

    it.effect("stays refused as long as the reason column states the reason", function* () {
      const again = yield* read(yield* documentsOf)
      assert.deepStrictEqual(codesOf(again), [
        ["1", "CSV_LINE_LOST"],
        ["2", "CSV_LINE_LOST"]
      ])
      assert.match(again.documents[0]!.findings[0]!.fix, /empty the column "Refused" of all its rows/)
    })

    it.effect("has the way to release it once, and is released that way", function* () {
      const written = yield* write(all(yield* read(yield* documentsOf)))
      assert.strictEqual(written.split('empty the column ""Refused""').length, 3)
      const again = yield* read(written.replaceAll(",CSV_LINE_LOST,", ",,"))
      assert.deepStrictEqual(codesOf(again), [["1"], ["2"]])
    })

    it.effect("is read without the reasons that its rows or the mapping book show again", function* () {
      const text = (yield* documentsOf).replaceAll("CSV_LINE_LOST", "TAX_UNMAPPED; CSV_NUMBER_UNREADABLE")
      assert.deepStrictEqual(codesOf(yield* read(text)), [["1"], ["2"]])
    })
  })

  it.effect("does not collect repeated reasons when it is refused again", function* () {
    const once = yield* write(all(yield* read(`${header}\n1,2026-01-05,USD,Pen,1,x,S\n`)))
    const sorted = yield* read(once)
    assert.deepStrictEqual(sorted.findings, [])
    const twice = yield* write(all(sorted))
    assert.strictEqual(twice.split("Refused because").length, 2)
  })

  it.effect("contains no formula that a spreadsheet would run, and leaves numbers unchanged", function* () {
    const texts = ["=cmd|' /C calc'!A0", "+1+1", "@SUM(1)", "-2+3", '"\t=1"']
    const rows = texts.map((text, i) => `${i},2026-01-05,USD,${text},1,-5.00,S`)
    const sorted = yield* read([header, ...rows, ""].join("\n"))
    const written = yield* write(all(sorted))
    for (const cell of written.split(/[,\r\n]+/)) assert.notMatch(cell.replace(/^"/, ""), /^[=@\t]|^[+-](?![\d.]+$)/)
    assert.strictEqual(written.split(",-5.00,").length, texts.length + 1)
    const again = yield* read(written)
    assert.deepStrictEqual(
      again.documents.map(({ lines }) => lines[0]!.description),
      sorted.documents.map(({ lines }) => lines[0]!.description)
    )
  })

  const text = Schema.String.check(Schema.isPattern(/^[ a=+@"',;\nß漢-]{0,6}$/))
  it.effect.prop(
    "gives the same documents when it is read again, whatever its cells contain",
    { texts: Arbitrary.array(Arbitrary.schema(text), { minLength: 1, maxLength: 4 }) },
    ({ texts }) =>
      Effect.gen(function* () {
        const rows = texts.map((text, i) => `${i},2026-01-05,USD,"${text.replaceAll('"', '""')}",1,2.50,S`)
        const sorted = yield* read({ files: [file([header, ...rows, ""].join("\n"))] })
        const again = yield* read(yield* write(all(sorted)))
        const said = ({ documents }: Sorted) => documents.map(({ lines, number }) => [number, lines[0]!.description])
        assert.deepStrictEqual(said(again), said(sorted))
      }),
    seeded()
  )
})
