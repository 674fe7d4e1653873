/** Cells merged over the lines of one document, as users make them in a spreadsheet. */
import { assert, describe, it } from "../../core/test/It.ts"
import type { RefusedDocument } from "../../core/src/source/Adapter.ts"
import { Effect, Stream } from "effect"
import { Buffer } from "node:buffer"
import { adapter } from "../src/XlsxAdapter.ts"
import { linesOf, read, readingsOf, refusing, row, sheetOf, settled, t } from "./Sample.ts"
import * as WorkbookParts from "./WorkbookParts.ts"

const more = (name: string) => row("", { 0: undefined, 1: undefined, 2: t(name) })

const bytesOf = (merged: ReadonlyArray<string>, ...rows: ReadonlyArray<ReadonlyArray<WorkbookParts.Cell>>) =>
  Effect.promise(() => WorkbookParts.workbook([{ ...sheetOf(...rows)[0]!, merged }]))

describe("a number merged over rows", () => {
  it.effect("makes the rows lines of one document, with its date merged or repeated", function* () {
    const bytes = yield* bytesOf(
      ["A2:A4", "B2:B4"],
      row("A-1"),
      more("Ink"),
      row("", { 0: undefined, 2: t("Paper") }),
      row("A-2"),
      row("A-3")
    )
    for (const grouping of ["window", "two-pass"] as const) {
      const { documents } = yield* read(bytes, { settings: { ...settled.settings, grouping } })
      assert.deepStrictEqual(
        documents.map(({ findings, lines, number }) => [number, lines.length, findings.length]),
        [
          ["A-1", 3, 0],
          ["A-2", 1, 0],
          ["A-3", 1, 0]
        ]
      )
      assert.deepStrictEqual(linesOf(documents[0]!)[1], "Ink|2|99.9||VAT15")
    }
  })

  it.effect("leaves the row below and unmerged cells unchanged", function* () {
    const below = yield* read(yield* bytesOf(["A2:A3"], row("A-1"), more("Ink"), more("Paper")))
    assert.include(below.codes, "CSV_KEY_MISSING")
    const beside = yield* read(yield* bytesOf(["B2:B3"], row("A-1"), more("Ink")))
    assert.include(beside.codes, "CSV_KEY_MISSING")
  })

  it.effect("does not join a row with another date", function* () {
    const bytes = yield* bytesOf(["A2:A3"], row("A-1"), row("", { 0: undefined, 1: { date: "2026-02-04" } }))
    assert.include((yield* read(bytes)).codes, "CSV_KEY_MISSING")
  })

  it.effect("is written on each row of a refused document, which reads back the same", function* () {
    const bytes = yield* bytesOf(["A2:A3", "B2:B3"], row("A-1", { 4: { error: "#N/A" } }), more("Ink"))
    const refused = (yield* readingsOf(bytes)).flatMap((reading): ReadonlyArray<RefusedDocument> =>
      reading._tag === "SourceDocument" ? [{ reading, findings: reading.findings }] : []
    )
    const written = Buffer.concat(yield* Stream.runCollect(adapter.writeRefused!(Stream.fromIterable(refused))))
    const { documents } = yield* read(written)
    assert.deepStrictEqual(
      documents.map((document) => [document.number, document.lines.length, refusing(document)]),
      [["A-1", 2, ["XLSX_ERROR_CELL"]]]
    )
  })
})
