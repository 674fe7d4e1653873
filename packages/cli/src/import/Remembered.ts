/**
 * Applies answers remembered for similar files, given on the page or by hand. Flags of the call
 * win; docs/page.md.
 */
import * as RememberedAnswers from "@fiscal-connector/core/unstable/question/RememberedAnswers"
import type { AdapterError, Input, InputFile } from "@fiscal-connector/core/source/Adapter"
import { Effect, Option, Schema } from "effect"
import * as Output from "../output/Output.ts"
import { ExitError } from "../output/ExitError.ts"
import { systemText } from "../output/SystemText.ts"
import { printable } from "../output/Terminal.ts"

/** Recognizes files of a format and turns remembered answers into options. */
export interface Remembering<Options> {
  header(
    file: InputFile,
    settings: Readonly<Record<string, unknown>>
  ): Effect.Effect<ReadonlyArray<string>, AdapterError>
  /**
   * Merges the remembered answers with the options; a flag wins. Fails with ExitError if the
   * answers cannot be used.
   */
  lay(answers: RememberedAnswers.RememberedAnswers, options: Options): Effect.Effect<Options, ExitError>
}

/**
 * Remembering for formats without a header: answers about one file apply to all files of the
 * format. Settings unknown to the format are refused.
 */
export const ofFormat = <Options extends object>(options: Schema.Codec<Options, unknown>): Remembering<Options> => ({
  header: () => Effect.succeed([]),
  lay: ({ settings }, given) =>
    Effect.mapBoth(Schema.decodeEffect(options)(settings), {
      onFailure: ({ message }) =>
        new ExitError({
          code: 1,
          text: `Nothing was sent: the remembered settings of earlier files cannot be used: ${message}`
        }),
      onSuccess: (answers) => ({ ...answers, ...given })
    })
})

/**
 * Returns the options with the answers remembered for similar files, and prints the answers and
 * their origin.
 */
export const laid = Effect.fnUntraced(function* <Options>(
  adapter: string,
  remembering: Remembering<Options> | undefined,
  { files }: Input,
  bookFile: string,
  options: Options
) {
  if (remembering === undefined) return options
  const file = RememberedAnswers.fileOf(bookFile)
  const entries = yield* RememberedAnswers.load(file).pipe(
    Effect.catchTags({
      AnswersFileError: ({ message }) => new ExitError({ code: 1, text: `Nothing was sent: ${message}.` }),
      PlatformError: (error) => new ExitError({ code: 1, text: `Nothing was sent. ${systemText(error)}` })
    })
  )
  if (entries.length === 0) return options
  const recalled = Option.getOrUndefined(
    yield* RememberedAnswers.recall(entries, adapter, files, (one, settings) => remembering.header(one, settings))
  )
  if (recalled === undefined) return options
  yield* Output.note(
    printable(
      `Read as it was said about ${recalled.from} on ${recalled.on}: ${RememberedAnswers.describe(recalled)}. It is kept in ${file}; a flag goes before it.`
    )
  )
  return yield* remembering.lay(recalled, options)
})
