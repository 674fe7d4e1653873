/**
 * Applies answers remembered for similar files, given on the page or by hand. Flags of the call
 * win; docs/start.md#browser.
 */
import * as RememberedAnswers from "@fiscal-connector/core/unstable/question/RememberedAnswers"
import type { Input } from "@fiscal-connector/core/source/Adapter"
import * as AnsweredReading from "@fiscal-connector/core/unstable/question/AnsweredReading"
import { Effect, Option, Schema } from "effect"
import * as Format from "../adapter/Format.ts"
import * as Output from "../output/Output.ts"
import { ExitError } from "../output/ExitError.ts"
import { systemText } from "../output/SystemText.ts"
import { printable } from "../output/Terminal.ts"

/**
 * Returns the options with the answers remembered for similar files, and prints the answers and
 * their origin. Flags win. Fails with ExitError if the answers cannot be used.
 */
export const laid = Effect.fnUntraced(function* (
  { adapter, options }: Pick<Format.Source, "adapter" | "options">,
  { files }: Input,
  bookFile: string
) {
  const file = RememberedAnswers.fileOf(bookFile)
  const entries = yield* RememberedAnswers.load(file).pipe(
    Effect.catchTags({
      AnswersFileError: ({ message }) => new ExitError({ code: 1, text: `Nothing was sent: ${message}.` }),
      PlatformError: (error) => new ExitError({ code: 1, text: `Nothing was sent. ${systemText(error)}` })
    })
  )
  if (entries.length === 0) return options
  const recalled = Option.getOrUndefined(
    yield* RememberedAnswers.recall(entries, adapter.name, files, (one, settings) =>
      Format.header(adapter, one, settings)
    )
  )
  if (recalled === undefined) return options
  yield* Output.note(
    printable(
      `Read as it was said about ${recalled.from} on ${recalled.on}: ${RememberedAnswers.describe(recalled)}. It is kept in ${file}; a flag goes before it.`
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
          columnMap ?? `what was said about the columns of ${from}`,
          JSON.stringify(columns)
        )
  return AnsweredReading.over(Format.optionsOf(adapter, map, settings, layout), options) as object
})
