/** What was said about files like these, on the page or by hand, laid under the flags of this call; docs/page.md. */
import * as RememberedAnswers from "@fiscal-connector/core/unstable/source/RememberedAnswers"
import type { AdapterError, Input, InputFile } from "@fiscal-connector/core/source/Adapter"
import { Effect, Option, Schema } from "effect"
import * as Output from "../output/Output.ts"
import { Quit } from "../output/Quit.ts"
import { systemText } from "../output/SystemText.ts"
import { printable } from "../output/Terminal.ts"

/** How the files of a format are known again, and how what was said about them becomes options. */
export interface Remembering<Options> {
  header(
    file: InputFile,
    settings: Readonly<Record<string, unknown>>
  ): Effect.Effect<ReadonlyArray<string>, AdapterError>
  /** The options with what was said under them: a flag goes before it. Fails with Quit where what was said cannot be used. */
  lay(said: RememberedAnswers.RememberedAnswers, options: Options): Effect.Effect<Options, Quit>
}

/** Of formats without a header: what was said of one file is said of the next of the format. Settings that the format does not take are refused. */
export const ofFormat = <Options extends object>(options: Schema.Codec<Options, unknown>): Remembering<Options> => ({
  header: () => Effect.succeed([]),
  lay: ({ settings }, given) =>
    Effect.mapBoth(Schema.decodeEffect(options)(settings), {
      onFailure: ({ message }) =>
        new Quit({
          code: 1,
          text: `Nothing was sent: the remembered settings of earlier files cannot be used: ${message}`
        }),
      onSuccess: (said) => ({ ...said, ...given })
    })
})

/** The options, with what is remembered of files like these; it is said what, and from where. */
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
      AnswersFileError: ({ message }) => new Quit({ code: 1, text: `Nothing was sent: ${message}.` }),
      PlatformError: (error) => new Quit({ code: 1, text: `Nothing was sent. ${systemText(error)}` })
    })
  )
  if (entries.length === 0) return options
  const said = Option.getOrUndefined(
    yield* RememberedAnswers.recall(entries, adapter, files, (one, settings) => remembering.header(one, settings))
  )
  if (said === undefined) return options
  yield* Output.note(
    printable(
      `Read as it was said about ${said.from} on ${said.on}: ${RememberedAnswers.inWords(said)}. It is kept in ${file}; a flag goes before it.`
    )
  )
  return yield* remembering.lay(said, options)
})
