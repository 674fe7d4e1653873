import { assert, describe, it } from "../../core/test/It.ts"
import { Effect, Stream } from "effect"
import { adapter } from "../src/CsvAdapter.ts"
import { load } from "../src/columns/MapFile.ts"
import { columnsOf, propose } from "../src/propose/ColumnProposal.ts"
import { file, input, read } from "./Sample.ts"

const rows = [
  "INV-1,2026-03-02,Ada,Lamp,2,10.00,20.00,15,3.00,23.00,USD",
  "INV-1,2026-03-02,Ada,Pen,1,5.00,5.00,0,0.00,5.00,USD",
  "INV-2,2026-03-03,Moyo,Lamp,3,10.00,30.00,15,4.50,34.50,USD"
]
const text = `${rows.join("\r\n")}\r\n`

const fieldsOf = (...lines: ReadonlyArray<string>) =>
  Effect.map(columnsOf(file(`${lines.join("\n")}\n`), { settings: { headerLine: 0 } }), ({ columns }) =>
    columns.map(({ field }) => field ?? "-")
  )

describe("a file without a header", () => {
  it.effect("has its columns recognized by their cells", function* () {
    assert.deepStrictEqual(yield* fieldsOf(...rows), [
      "number",
      "date",
      "customerName",
      "description",
      "quantity",
      "unitPrice",
      "lineAmount",
      "tax.code",
      "tax.amount",
      "lineTotal",
      "currency"
    ])
  })

  it.effect("has its quantity in the column of whole numbers, and its tax in a column of tax words", function* () {
    assert.deepStrictEqual(
      yield* fieldsOf("07/03/2026,0001,9.99,3,29.97,Std,Pen", "08/03/2026,0002,2.50,2,5.00,Exempt,Cap"),
      ["date", "number", "unitPrice", "quantity", "lineAmount", "tax.code", "description"]
    )
  })

  it.effect("is not guessed if no numbers multiply to an amount, or no column has days", function* () {
    for (const lines of [
      ["INV-1,2026-03-02,Ada,2,10.00,19.00", "INV-2,2026-03-02,Ada,1,5.00,5.00"],
      ["INV-1,Ada,Pen,2,10.00,20.00", "INV-2,Ada,Pen,1,5.00,5.00"],
      ["INV-1,2026-03-02,Ada,2,10.00,20.00"]
    ]) {
      const error = yield* Effect.flip(propose(file(`${lines.join("\n")}\n`)))
      assert.include(error.message, "no row among the first 40 looks like a header")
    }
  })

  it.effect("is read from its first row with the map proposed from it", function* () {
    const columns = yield* load("proposed.json", yield* propose(file(text)))
    const { documents } = yield* read(text, { columns, settings: { amounts: "exclusive" } })
    assert.deepStrictEqual(
      documents.map(({ findings, lines, number }) => [number, lines.length, findings.length]),
      [
        ["INV-1", 2, 0],
        ["INV-2", 1, 0]
      ]
    )
    assert.strictEqual(documents[0]!.where(["lines", 1, "quantity"]).columnName, "#5")
  })

  it.effect("gets column names in its file of refused rows, which is read with the same map", function* () {
    const columns = yield* load("proposed.json", yield* propose(file(text)))
    const options = { columns, settings: { amounts: "exclusive" as const } }
    const { documents } = yield* read(text, options)
    const written = yield* Stream.mkString(
      Stream.decodeText(
        adapter.writeRefused!(Stream.fromIterable(documents.map((reading) => ({ reading, findings: [] }))))
      )
    )
    assert.include(written, "#1,#2,#3")
    const again = yield* read(input(written), options)
    assert.deepStrictEqual(
      again.documents.map(({ findings, number }) => [number, findings.length]),
      [
        ["INV-1", 0],
        ["INV-2", 0]
      ]
    )
  })
})
