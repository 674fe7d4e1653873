import { defineAdapter } from "@fiscal-connector/adapter-kit"
import * as CsvRows from "@fiscal-connector/adapter-csv/CsvRows"
import * as Money from "../../core/src/document/Money.ts"
import * as Provenance from "../../core/src/finding/Provenance.ts"
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect, Stream } from "effect"
import { gzipSync } from "node:zlib"

/** Returns an adapter for a till's export: one row per line, with columns that the author knows. */
const tillWith = (settings: Partial<CsvRows.CsvRowsSettings>) =>
  defineAdapter({
    name: "till",
    async *read(file, { document, rows }) {
      for await (const row of rows(file, CsvRows.of(file, { columns: ["Slip", "Day"], ...settings })))
        yield document(row, {
          kind: "invoice",
          id: row.text("Slip"),
          number: row.text("Slip"),
          date: row.date("Day"),
          currency: "USD",
          taxMode: "inclusive",
          lines: [
            {
              description: row.optional.text("Article"),
              quantity: row.decimal("Pieces"),
              unitPrice: row.decimal("Price"),
              taxCode: row.optional.text("Tax#2") ?? row.text("Tax")
            }
          ]
        })
    }
  })

const plain =
  'Slip,Day,Article,Pieces,Price,Tax\nA-1,2026-03-02,"Lamp,\nblue",2,9.99,STD\n\nA-2,2026-03-03,Straße,three,1,STD\n'

/** Reads a file with the adapter, in byte chunks of the given size. */
const read = (content: string | Uint8Array, settings: Partial<CsvRows.CsvRowsSettings> = {}, size = 1 << 16) => {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.slice(i * size, (i + 1) * size))
  const file = { name: "till.csv", bytes: Stream.fromIterable(pieces) }
  return Stream.runCollect(tillWith(settings).read({ files: [file] }, {})).pipe(
    Effect.map((readings) =>
      readings.map((reading) => {
        if (reading._tag !== "SourceDocument") return reading._tag
        const [line] = reading.lines
        const found = reading.findings.map(({ at, message }) => `${message} at ${Provenance.format(at!)}`)
        const price = line?.unitPrice && Money.formatPlain(line.unitPrice)
        return [reading.number, line?.description ?? null, price ?? null, line?.taxes[0]?.code ?? null, ...found]
      })
    )
  )
}

const both = [
  ["A-1", "Lamp,\nblue", "9.99", "STD"],
  ["A-2", "Straße", "1", "STD", "Pieces is not a decimal number at till.csv:5"]
]

const failure = (content: string | Uint8Array, settings?: Partial<CsvRows.CsvRowsSettings>) =>
  Effect.map(Effect.flip(read(content, settings)), ({ message }) => message)

describe("CSV rows for an adapter of the kit", () => {
  it.effect("have cells by column name and their line number, however the bytes are split", function* () {
    for (const size of [1, 7, 1 << 16]) assert.deepStrictEqual(yield* read(plain, {}, size), both)
  })

  it.effect(
    "are found below titles, in any encoding, compressed, after a sep= line, or with a given delimiter",
    function* () {
      const shifted = both.map((row) => row.map((text) => text?.replace(":5", ":7") ?? null))
      assert.deepStrictEqual(yield* read(`Till 3\n\n${plain}`), shifted)
      assert.deepStrictEqual(yield* read(gzipSync(plain)), both)
      assert.deepStrictEqual(yield* read(Buffer.from(`\uFEFF${plain}`, "utf16le")), both)
      assert.deepStrictEqual(yield* read(Buffer.from(plain, "latin1"), { encoding: "windows-1252" }), both)
      const semicolons = plain.replaceAll(",", ";")
      const asSaid = both.map((row) => row.map((text) => text?.replace("Lamp,", "Lamp;") ?? null))
      assert.deepStrictEqual(yield* read(semicolons, { delimiter: "semicolon" }), asSaid)
      const marked = asSaid.map((row) => row.map((text) => text?.replace(":5", ":6") ?? null))
      assert.deepStrictEqual(yield* read(`sep=;\n${semicolons}`), marked)
    }
  )

  it.effect("keep the second of two columns with the same name, and skip a repeated header", function* () {
    const twice = "Slip,Day,Pieces,Price,Tax,Tax,\nA-1,2026-03-02,1,2,STD,ZERO,\nSlip,Day,Pieces,Price,Tax,Tax,\n"
    assert.deepStrictEqual(yield* read(twice), [["A-1", null, "2", "ZERO"], "Finding"])
  })

  it.effect("stop the whole reading at an unreadable row, since the row may belong to any document", function* () {
    const first = "Slip,Day,Pieces,Price,Tax\nA-1,2026-03-02,1,2,STD\n"
    assert.match(yield* failure(`${first}A-2,"2026-03-03,1,2,STD\n`), /^till.csv: line 3: a quote is opened and never/)
    assert.match(yield* failure(`${first}A-2,2026-03-03,1,2,STD,7\n`), /line 3: it has 6 cells, and the header has 5/)
    assert.match(yield* failure(`${first}A-2,2026-03-03,1,2\n`), /line 3: it has 4 cells, and the header has 5/)
    assert.strictEqual((yield* read(`${first}A-2,2026-03-03,1,2\n`, { shortRows: "pad" })).length, 2)
    const latin = Buffer.from(`${first}M\u00fcller,2026-03-03,1,2,STD\n`, "latin1")
    assert.match(yield* failure(latin, { encoding: "utf-8" }), /line 3: a character is not in the file's encoding/)
  })

  it.effect("fail if no row is the header: an export of another system is not an empty export", function* () {
    assert.match(yield* failure("Number,Date\n1,2026-03-02\n"), /no row names the columns "Slip", "Day"/)
  })
})
