/** Answers remembered for similar files. Flags of the call win; docs/start.md#browser. */
import { AnsweredReading, RememberedAnswers } from "@fiscal-connector/core/host/import"
import type { Adapter } from "@fiscal-connector/core/adapter"
import { Effect, Option, Schema } from "effect"
import * as Format from "../adapter/Format.ts"
import * as Output from "../output/Output.ts"
import { ExitError } from "../output/ExitError.ts"
import { systemText } from "../output/SystemText.ts"
import { printable } from "../output/Terminal.ts"

export const recalled = Effect.fnUntraced(function* (
  { adapter }: Pick<Format.FormatSource, "adapter">,
  { files }: Adapter.Input,
  bookFile: string
) {
  const entries = yield* RememberedAnswers.load(RememberedAnswers.fileOf(bookFile)).pipe(
    Effect.catchTags({
      AnswersFileError: ({ message }) => new ExitError({ code: 1, text: `Nothing was sent: ${message}.` }),
      PlatformError: (error) => new ExitError({ code: 1, text: `Nothing was sent. ${systemText(error)}` })
    })
  )
  if (entries.length === 0) return undefined
  const found = RememberedAnswers.recall(entries, adapter.name, files, (one, settings) =>
    Format.header(adapter, one, settings)
  )
  return Option.getOrUndefined(yield* found)
})

/** Flags win. Fails with ExitError if the answers cannot be used. */
export const laid = Effect.fnUntraced(function* (
  { adapter, options }: Pick<Format.FormatSource, "adapter" | "options">,
  bookFile: string,
  recalled: RememberedAnswers.RememberedAnswers | undefined
) {
  const said = recalled === undefined ? "" : RememberedAnswers.describe(recalled)
  if (recalled === undefined || said === "") return options
  yield* Output.note(
    printable(
      `Read as stated about ${recalled.from} on ${recalled.on}: ${said}. It is kept in ${RememberedAnswers.fileOf(bookFile)}; a flag goes before it.`
    )
  )
  const settings = yield* Effect.mapError(
    Schema.decodeEffect(adapter.options)(recalled.settings),
    ({ message }) =>
      new ExitError({
        code: 1,
        text: `Nothing was sent: the remembered settings of earlier files cannot be used: ${message}`
      })
  )
  const { columnMap, columns, from, layout } = recalled
  const map =
    adapter.table === undefined || columns === undefined || "columns" in options
      ? {}
      : yield* Format.columnMap(
          adapter.table,
          columnMap ?? `the earlier answers about the columns of ${from}`,
          JSON.stringify(columns)
        )
  return AnsweredReading.over(Format.optionsOf(adapter, map, settings, layout), options) as object
})
