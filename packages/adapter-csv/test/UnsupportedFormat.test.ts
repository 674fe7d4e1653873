import type { AdapterError } from "../../core/src/source/Adapter.ts"
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { adapter, type CsvOptions, optionsOf } from "../src/CsvAdapter.ts"
import { askedOf } from "../src/propose/AskedColumns.ts"
import { columnsOf, propose } from "../src/propose/ColumnProposal.ts"
import { unsupportedFormats } from "../src/detect/UnsupportedFormat.ts"
import * as RecognizedFiles from "./RecognizedFiles.ts"
import { file, input, questions, read } from "./Sample.ts"

type File = RecognizedFiles.RecognizedFile

/** All readers of a file. */
const readersOf = (
  one: File
): Readonly<Record<string, (text: string, options: CsvOptions) => Effect.Effect<unknown, AdapterError>>> => ({
  read: (text, options) => read(text, options),
  "read with a column map": (text, options) => read(text, { columns: RecognizedFiles.mapOf(one), ...options }),
  "draft of a book": (text, options) => adapter.draftBook!(input(text), options),
  "questions about columns": (text, options) => askedOf(file(text), options),
  "columns of the page": (text, options) => columnsOf(file(text), options),
  "proposed column map": (text, options) => propose(file(text), options)
})

const questionsIn = (effect: Effect.Effect<unknown, AdapterError>) =>
  Effect.match(effect, {
    onSuccess: () => [],
    onFailure: ({ reason }) => (reason._tag === "ReadingAmbiguous" ? reason.questions : [])
  })

describe("a file of every format that is not invoices", () => {
  it("is in the table of tests", () => {
    assert.isTrue(RecognizedFiles.files.length >= unsupportedFormats.length)
    for (const { name } of unsupportedFormats)
      assert.isTrue(
        RecognizedFiles.files.some((one) => one.name.startsWith(name)),
        name
      )
  })

  for (const one of RecognizedFiles.files) {
    const text = RecognizedFiles.csvOf(one)
    const id = `contents ${one.contents}`

    it.effect(`is asked about first, by every reader: ${one.name}`, function* () {
      for (const [what, reader] of Object.entries(readersOf(one))) {
        const asked = yield* questionsIn(reader(text, {}))
        assert.deepStrictEqual(
          asked.map(({ id, proposal, subject }) => ({ id, proposal, subject })),
          [{ id, proposal: "stop", subject: "contents" }],
          what
        )
        assert.include(asked[0]!.question, `this looks like a ${one.name.replace(/, row \d+$/, "")}`)
        assert.include(asked[0]!.question, "Evidence: ")
      }
    })

    it.effect(`is read after the answer, and refused after the other answer: ${one.name}`, function* () {
      const [asked] = yield* questions(text)
      const [stop, invoices] = asked!.readings.map(({ answer }) => optionsOf(answer)!)
      for (const [what, reader] of Object.entries(readersOf(one))) {
        const after = yield* questionsIn(reader(text, invoices!))
        assert.notInclude(
          after.map(({ id }) => id),
          id,
          what
        )
        const refused = yield* Effect.flip(reader(text, stop!))
        assert.strictEqual(refused.reason._tag, "ExportUnreadable", what)
      }
      const columns = RecognizedFiles.mapOf(one)
      const settings = { ...columns.settings, ...invoices!.settings }
      assert.strictEqual((yield* read(text, { columns, settings })).documents.length, RecognizedFiles.documents)
    })
  }

  it.effect("is not asked about for its kinds of documents if the map or a setting states them", function* () {
    const one = RecognizedFiles.files.find(({ contents }) => contents === "no-kinds")!
    const text = RecognizedFiles.csvOf(one)
    const columns = RecognizedFiles.mapOf(one)
    const settings = { ...columns.settings, kind: "invoice" } as const
    assert.strictEqual((yield* read(text, { columns, settings })).documents.length, RecognizedFiles.documents)
  })

  it.effect("of two formats is asked about twice: an answer overrules the evidence for one kind", function* () {
    const rows = [
      "Quote Number,Day,Account,Amount",
      "Q-1,2026-01-05,Bank,-5.50",
      "Q-1,2026-01-05,Sales,3.40",
      "Q-1,2026-01-05,Tax,2.10"
    ]
    const text = `${rows.join("\n")}\n`
    const ids = (options: CsvOptions) => Effect.map(questions(text, options), (all) => all.map(({ id }) => id))
    assert.deepStrictEqual(yield* ids({}), ["contents ledger"])
    const settings = { contents: { ledger: "invoices" } } as const
    assert.deepStrictEqual(yield* ids({ settings }), ["contents quotations"])
  })

  it.effect("is read by a column map whose settings have the answer", function* () {
    const [one] = RecognizedFiles.files
    const columns = RecognizedFiles.mapOf(one!)
    const settings = { ...columns.settings, contents: { [one!.contents]: "invoices" } }
    const { documents } = yield* read(RecognizedFiles.csvOf(one!), { columns: { ...columns, settings } })
    assert.strictEqual(documents.length, RecognizedFiles.documents)
  })
})
