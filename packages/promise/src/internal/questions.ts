import { KnownOfGateway } from "@fiscal-connector/core/host/account"
import { AnsweredReading, ColumnQuestions, Conversation } from "@fiscal-connector/core/host/import"
import type { MappingBook } from "@fiscal-connector/core/book"
import { DateTime, Effect } from "effect"
import type { ExportInput, ExportQuestions, QuestionsOptions } from "../ExportInput.ts"
import { FiscalConnectorError } from "../FiscalConnectorError.ts"
import type { ConnectedAccount } from "./Account.ts"
import * as Book from "./Book.ts"
import { handed, type HandedOptions } from "./handed.ts"

interface WithTable {
  readonly table?: ColumnQuestions.AsksColumns<HandedOptions>
}

export const questions = <Given>(
  { settings }: ConnectedAccount,
  book: MappingBook.MappingBook,
  source: string | object,
  given: ExportInput<Given>,
  { answers = {} }: QuestionsOptions
) =>
  Effect.gen(function* () {
    const { exported, failed } = yield* handed(given, book)
    if (exported === undefined) return yield* Effect.fail(notAnExport())
    const { adapter, options } = exported
    const { table } = adapter as WithTable
    const asking = {
      ...(yield* KnownOfGateway.read(settings.gateway)),
      ...exported,
      book: yield* Book.text(source),
      zones: [DateTime.zoneToString(book.zone)] as const,
      ...(table && { columns: ColumnQuestions.ofFirst(table) })
    }
    const begun = new Map(Object.entries(answers).map(([id, answer]) => [id, { answer, origin: "run" as const }]))
    const next = yield* Conversation.next(asking, Conversation.begin(begun)).pipe(
      Effect.flatMap((next) => (next._tag === "Stopped" ? Effect.fail(next.error) : Effect.succeed(next))),
      Effect.catchTag("AdapterError", (error) => Effect.fail(failed(error)))
    )
    const { state } = next
    return {
      questions: next._tag === "Group" ? [...next.questions, ...next.later] : [],
      problems: next._tag === "Group" ? next.problems : [],
      unused: Conversation.unusedOf(state),
      // the same options, with the answers laid over
      options: AnsweredReading.laidAll(adapter, options, Conversation.readingsOf(state)) as Given,
      book: Conversation.bookOf(asking, state)
    } satisfies ExportQuestions<Given>
  })

const notAnExport = () =>
  new FiscalConnectorError("config_invalid", "questions are about an export: { adapter, files }")
