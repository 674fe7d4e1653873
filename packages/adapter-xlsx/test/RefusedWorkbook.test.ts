import { assert, describe, it } from "../../core/test/It.ts"
import type { RefusedDocument } from "../../core/src/source/Adapter.ts"
import * as SheetJs from "../../../tools/workbooks/index.ts"
import { Effect, Stream } from "effect"
import { Buffer } from "node:buffer"
import * as WorkbookParts from "./WorkbookParts.ts"
import { statements } from "../../../proofs/xlsx/FormatTrial.ts"
import { adapter, type XlsxOptions } from "../src/XlsxAdapter.ts"
import { d, input, n, read, readingsOf, refusing, row, settled, sheetOf, t, workbook } from "./Sample.ts"

/** Writes all readings as refused, and returns the workbook. */
const refused = (bytes: Uint8Array, options: XlsxOptions = settled) =>
  Effect.gen(function* () {
    const documents = (yield* readingsOf(bytes, options)).flatMap((reading): ReadonlyArray<RefusedDocument> =>
      reading._tag === "Skipped"
        ? []
        : [{ reading, findings: reading._tag === "Finding" ? [reading] : reading.findings }]
    )
    return Buffer.concat(yield* Stream.runCollect(adapter.writeRefused!(Stream.fromIterable(documents))))
  })

const everyKind = [
  row("00123", { 2: t('=1+1 "<&>" _x000D_ \u0007\nnext'), 4: n("99.90000000000001", "#,##0.00") }),
  row("", { 0: n("124", "00000"), 5: n("0.155", "0.0%") }),
  row("A-3", { 1: d("2026-02-03T13:05:00"), 4: n("5", '"$"#,##0.00') }),
  row("A-4", { 4: { error: "#N/A" } }),
  row("A-5", { 4: { formula: "B2*2" } }),
  row("A-6", { 2: n("7", '"No. "0') }),
  row("A-7", { 4: n("12345678901234567") }),
  row("A-8", { 1: n("45", "yyyy-mm-dd") }),
  row("A-9", { 2: d("2026-03-01") })
]

describe("the workbook of refused rows", () => {
  for (const dates of ["1900", "1904"] as const) {
    it.effect(`has every cell unchanged, so that it reads back the same (dated from ${dates})`, function* () {
      const bytes = yield* Effect.promise(() =>
        WorkbookParts.workbook(sheetOf(...everyKind), { ...WorkbookParts.usual, dates })
      )
      const again = yield* refused(bytes)
      const of = (bytes: Uint8Array) => statements(adapter.read(input(bytes), settled))
      const expected = (yield* of(bytes)).map((line) =>
        // A formula without a calculated value is now an error: in the new place it would refer
        // to other cells.
        line.replace("XLSX_FORMULA_NOT_CALCULATED", "XLSX_ERROR_CELL")
      )
      assert.deepStrictEqual(yield* of(again), expected)
      assert.deepStrictEqual(yield* of(yield* refused(again)), expected)
    })
  }

  it.effect(
    "states the reason of every row in separate columns, which are skipped when it is read again",
    function* () {
      const again = yield* refused(yield* workbook(row("A-1", { 4: t("x") })))
      const book = SheetJs.read(again, { type: "buffer" })
      assert.deepStrictEqual(book.SheetNames, ["Sales"])
      const rows = SheetJs.utils.sheet_to_json<ReadonlyArray<unknown>>(book.Sheets["Sales"]!, { header: 1 })
      assert.deepStrictEqual(rows[0]!.slice(6), ["Refused", "Refused because", "Refused: what to do"])
      assert.strictEqual(rows[1]![6], "CSV_NUMBER_UNREADABLE")
      assert.match(String(rows[1]![7]), /^sales\.xlsx!Sales:E2 A cell of "UnitPrice" is not a number/)
      const { codes, documents } = yield* read(again)
      assert.deepStrictEqual([codes, documents.map(refusing)], [[], [["CSV_NUMBER_UNREADABLE"]]])
    }
  )

  it.effect("keeps texts as texts in every spreadsheet program, including formulas and leading zeros", function* () {
    const again = yield* refused(yield* workbook(row("00123", { 2: t("=cmd()"), 4: t("x") })))
    const sheet = SheetJs.read(again, { type: "buffer", cellFormula: true }).Sheets["Sales"]!
    assert.deepStrictEqual([sheet["A2"].t, sheet["A2"].v], ["s", "00123"])
    assert.deepStrictEqual([sheet["C2"].t, sheet["C2"].v, sheet["C2"].f], ["s", "=cmd()", undefined])
    assert.deepStrictEqual([sheet["D2"].t, sheet["D2"].v], ["n", 2])
  })

  it.effect("has the header on the line given by the operator, and rows without a document", function* () {
    const [sheet] = sheetOf(row("A-1", { 0: { error: "#N/A" } }), [...row("B-1"), t("too far")])
    const bytes = yield* Effect.promise(() =>
      WorkbookParts.workbook([{ ...sheet!, rows: [[t("A title")], [], ...sheet!.rows] }])
    )
    const options: XlsxOptions = { settings: { ...settled.settings, headerLine: 3, sheet: "Sales" } }
    const again = yield* refused(bytes, options)
    const { codes } = yield* read(again, options)
    assert.deepStrictEqual(codes, ["XLSX_ERROR_CELL", "CSV_ROW_WIDTH"])
  })
})
