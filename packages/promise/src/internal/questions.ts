/** Asks the open questions about an export, by core's conversation. */
import type { AdapterError, AskedColumns, InputFile } from "@fiscal-connector/core/source/Adapter"
import * as KnownOfGateway from "@fiscal-connector/core/unstable/attention/KnownOfGateway"
import * as AnsweredReading from "@fiscal-connector/core/unstable/question/AnsweredReading"
import * as Conversation from "@fiscal-connector/core/unstable/question/Conversation"
import { DateTime, Effect } from "effect"
import type { ExportQuestions } from "../ExportInput.ts"
import type { Account } from "./Account.ts"
import * as Book from "./Book.ts"
import type { Exported, Options } from "./handed.ts"

/** Columns of an adapter of tables. */
interface Table {
  readonly table?: { ask(file: InputFile, options: Options): Effect.Effect<AskedColumns, AdapterError> }
}

export const questions = (
  { settings }: Account,
  given: string | object,
  { adapter, input, options }: Exported,
  answers: Readonly<Record<string, string>> = {}
) =>
  Effect.gen(function* () {
    const book = yield* Book.text(given)
    const { zone } = yield* Book.load(book)
    const { table } = adapter as Table
    const [first] = input.files
    const asking = {
      ...(yield* KnownOfGateway.read(settings.gateway)),
      adapter,
      input,
      options,
      book,
      zones: [DateTime.zoneToString(zone)] as const,
      ...(table && first && { columns: (_: unknown, options: Options) => table.ask(first, options) })
    }
    const begun = new Map(Object.entries(answers).map(([id, answer]) => [id, { answer, origin: "run" as const }]))
    const next = yield* Conversation.next(asking, Conversation.begin(begun))
    if (next._tag === "Stopped") return yield* next.error
    const { state } = next
    return {
      questions: next._tag === "Done" ? [] : [...next.questions, ...next.later],
      problems: next._tag === "Done" ? [] : next.problems,
      unused: Conversation.unusedOf(state),
      options: AnsweredReading.laidAll(adapter, options, Conversation.readingsOf(state)),
      book: Conversation.bookOf(asking, state)
    } satisfies ExportQuestions<Options>
  })
