import type { AdapterError } from "../../core/src/source/Adapter.ts"
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import * as RecognizedFiles from "../../adapter-csv/test/RecognizedFiles.ts"
import { adapter, askedOf, columnsOf, propose, type XlsxOptions } from "../src/XlsxAdapter.ts"
import { input, read, t } from "./Sample.ts"
import * as WorkbookParts from "./WorkbookParts.ts"

describe("a sheet of every format that is not invoices", () => {
  for (const one of RecognizedFiles.files.filter(({ isText }) => !isText))
    it.effect(`is asked about first, and read after the answer: ${one.name}`, function* () {
      const rows = one.rows.map((cells) => cells.map(t))
      const bytes = yield* Effect.promise(() => WorkbookParts.workbook([{ name: "Sales", rows }]))
      const [file] = input(bytes).files
      const columns = RecognizedFiles.mapOf(one)
      const readers: Readonly<Record<string, (options: XlsxOptions) => Effect.Effect<unknown, AdapterError>>> = {
        read: (options) => read(bytes, options),
        "read with a column map": (options) => read(bytes, { columns, ...options }),
        "draft of a book": (options) => adapter.draftBook!(input(bytes), options),
        "questions about columns": (options) => askedOf(file!, options),
        "columns of the page": (options) => columnsOf(file!, options),
        "proposed column map": (options) => propose(file!, options)
      }
      for (const [what, reader] of Object.entries(readers)) {
        const { reason } = yield* Effect.flip(reader({}))
        const asked = reason._tag === "ReadingAmbiguous" ? reason.questions.map(({ id }) => id) : []
        assert.deepStrictEqual(asked, [`contents ${one.contents}`], what)
      }
      const settings = { ...columns.settings, contents: { [one.contents]: "invoices" } }
      assert.strictEqual((yield* read(bytes, { columns, settings })).documents.length, RecognizedFiles.documents)
    })
})
