/** Cells that an operator corrected are read in place of the workbook's own. */
import { assert, describe, it } from "../../core/test/It.ts"
import { formatPlain } from "../../core/src/document/Money.ts"
import { Effect, Stream } from "effect"
import { Buffer } from "node:buffer"
import { type CorrectedCell, correctedBytes } from "@fiscal-connector/adapter-csv/Table"
import * as WorkbookParts from "./WorkbookParts.ts"
import { d, header, n, read, refusal, refusing, row, settled, t, workbook } from "./Sample.ts"

const cell = (line: number, column: number, from: string, to: string): CorrectedCell => ({
  file: "sales.xlsx",
  line,
  column,
  columnName: "Any",
  from,
  to
})

const corrected = (...cells: ReadonlyArray<CorrectedCell>) => ({ ...settled, cells })

describe("a corrected cell of a workbook", () => {
  it.effect("is read as the operator typed it: a number, a date or a text, and a cell that was blank", function* () {
    const bytes = yield* workbook(
      row("A-1", { 4: t("1O.00") }),
      row("A-2", { 3: n("3"), 1: d("2026-02-30"), 5: undefined }),
      row("A-3")
    )
    assert.isAbove(refusing((yield* read(bytes)).documents[0]!).length, 0)
    const { documents } = yield* read(
      bytes,
      corrected(
        cell(2, 5, "1O.00", "10.00"),
        cell(3, 4, "3", "4"),
        cell(3, 6, "", "VAT15"),
        cell(4, 3, "Pen", "Blue pen"),
        cell(4, 2, "2026-02-03", "2026-02-04")
      )
    )
    assert.deepStrictEqual(refusing(documents[0]!), [])
    const [first, second, third] = documents.map(({ lines }) => lines[0]!)
    assert.deepStrictEqual(
      [first?.unitPrice, second?.quantity].map((figure) => figure && formatPlain(figure)),
      ["10", "4"]
    )
    assert.deepStrictEqual(
      second?.taxes.map(({ code }) => code),
      ["VAT15"]
    )
    assert.strictEqual(third?.description, "Blue pen")
    assert.strictEqual(String(documents[2]?.date), "2026-02-04")
  })

  it.effect("is a cell of one sheet if several sheets are read", function* () {
    const rows = [header, row("A-1")]
    const bytes = yield* Effect.promise(() =>
      WorkbookParts.workbook([
        { name: "Jan", rows },
        { name: "Feb", rows }
      ])
    )
    const { documents } = yield* read(bytes, corrected({ ...cell(2, 3, "Pen", "Ink"), sheet: "Feb" }))
    assert.deepStrictEqual(
      documents.map(({ lines }) => lines[0]?.description),
      ["Pen", "Ink"]
    )
  })

  it.effect("makes the workbook unreadable if the cell or its row is not as it was corrected", function* () {
    const bytes = yield* workbook(row("A-1"), row("A-2"))
    for (const wrong of [cell(2, 3, "Ink", "Pen"), cell(9, 3, "Pen", "Ink")])
      assert.match(
        yield* refusal(bytes, corrected(wrong)),
        new RegExp(`the cell Any in row ${wrong.line} is not the one that was corrected. Take the correction back`)
      )
    const ofAnother = { ...cell(2, 3, "Ink", "Pen"), file: "other.xlsx" }
    assert.strictEqual((yield* read(bytes, corrected(ofAnother))).documents.length, 2)
  })

  it.effect("is found in any pieces of the table", function* () {
    const table = Buffer.from([0x41, 0xff, 0xf8, 0x37, 0xfe, 0xfe, 0x42, 0xfb, 0x65, 0xff, 0x43, 0xfe])
    const cells = [cell(1, 2, "7", "x"), cell(3, 1, "B", "5"), cell(3, 4, "", "z")]
    for (const size of [1, 2, 5, 100]) {
      const bytes = Stream.fromIterable(table).pipe(
        Stream.rechunk(size),
        Stream.chunks,
        Stream.map((part) => Uint8Array.from(part))
      )
      const out = Buffer.concat(yield* Stream.runCollect(correctedBytes({ name: "sales.xlsx", bytes }, cells)))
      assert.deepStrictEqual(
        [...out],
        [0x41, 0xff, 0x78, 0xfe, 0xfe, 0xf8, 0x35, 0xff, 0x43, 0xff, 0xff, 0x7a, 0xfe],
        `${size}`
      )
    }
  })
})
