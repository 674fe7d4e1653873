import type { Adapter } from "@fiscal-connector/core/adapter"
import { type Format as PageFormat, type ReadingAnswers, WorkplaceRefused } from "@fiscal-connector/ui/Workplace"
import { Effect, Schema, Stream } from "effect"
import * as Format from "../../adapter/Format.ts"
import { type FormatAdapter, formats as table, type FormatRow } from "../../format/Formats.ts"

const refused = (text: string) => new WorkplaceRefused({ text })

const record =
  ({ writeRefused }: FormatAdapter): PageFormat["rows"] =>
  (reading) =>
    Effect.map(Stream.mkString(Stream.decodeText(writeRefused(Stream.succeed({ reading, findings: [] })))), (text) => ({
      _tag: "Text",
      text
    }))

const of = async (row: FormatRow): Promise<PageFormat> => {
  const { adapter, ending, extensions } = await Format.of(row)
  const { table } = adapter
  const options = ({ columns, layout, settings }: ReadingAnswers): Effect.Effect<object, WorkplaceRefused> =>
    Effect.gen(function* () {
      const decoded = yield* Effect.mapError(Schema.decodeEffect(adapter.options)(settings), ({ message }) =>
        refused(message)
      )
      const map =
        columns === undefined || table === undefined
          ? {}
          : yield* Effect.mapError(table.map("the column map", columns), ({ findings }) =>
              refused(findings.map(({ message }) => message).join("; "))
            )
      return Format.optionsOf(adapter, map, decoded, layout)
    })
  /** Returns the options without the column map; none if the answers cannot be used. */
  const before = (answers: Omit<ReadingAnswers, "columns">) =>
    Effect.orElseSucceed(options({ ...answers, columns: undefined }), () => ({}))
  return {
    name: row.name,
    title: row.title,
    content: row.content,
    header: (file, settings) =>
      table === undefined
        ? Effect.succeed([])
        : Effect.flatMap(before({ settings, layout: undefined }), (options) => table.header(file, options)),
    endings: extensions,
    ending,
    adapter: adapter as Adapter.Adapter<unknown>,
    rows:
      table === undefined ? record(adapter) : (document) => Effect.succeed({ _tag: "Table", ...table.rows(document) }),
    options,
    ...(table && {
      columns: (file, answers) => Effect.flatMap(before(answers), (options) => table.columns(file, options)),
      receipts: (file, options, documents) => table.receipts(file, options as object, documents)
    }),
    ...(table?.withCells && { withCells: table.withCells })
  }
}

export const formats = Effect.promise(() => Promise.all(table.map(of)))
