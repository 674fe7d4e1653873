import { type Adapter, Readings, type SourceDocument } from "@fiscal-connector/core/adapter"
import { AnsweredReading, OpenQuestion, Questions } from "@fiscal-connector/core/host/import"
import { Effect, Stream } from "effect"
import * as Texts from "../text/Texts.ts"
import * as ChosenColumns from "./ChosenColumns.ts"
import { type PageImport, type ImportPreview, readingAnswersOf } from "./PageImport.ts"
import * as Planning from "./Planning.ts"
import type { ColumnsSeen } from "./Workplace.ts"

const beginning = 256 * 1024
const lineEnd = 0x0a

const beginningOf = ({ bytes, name }: Adapter.InputFile): Adapter.InputFile => ({
  name,
  bytes: Stream.suspend(() => {
    let left = beginning
    return bytes.pipe(
      Stream.takeWhile(() => left > 0),
      Stream.map((chunk) => {
        left -= chunk.length
        if (left > 0) return chunk
        const whole = chunk.subarray(0, chunk.length + left)
        const end = whole.lastIndexOf(lineEnd)
        return end === -1 ? whole : whole.subarray(0, end + 1)
      })
    )
  })
})

const none = (text: string) => Effect.succeed<ImportPreview>({ _tag: "None", text })

const mostRounds = 3

const firstOf = (
  { format: { adapter } }: Pick<PageImport, "format">,
  input: Adapter.Input,
  given: unknown
): Effect.Effect<ImportPreview, Adapter.AdapterError> =>
  Effect.gen(function* () {
    let options = given
    const taken: Array<string> = []
    for (let round = 0; ; round++) {
      const read = yield* Readings.from(adapter, input, options).pipe(
        Stream.filter((reading): reading is SourceDocument.SourceDocument => reading._tag === "SourceDocument"),
        Stream.take(1),
        Stream.runCollect,
        Effect.result
      )
      if (read._tag === "Success") {
        const [document] = read.success
        if (document === undefined) return yield* none("no row makes a document by these columns")
        return { _tag: "Document", document: withoutPlaceholder(document), taken }
      }
      const { reason } = read.failure
      if (reason._tag !== "ReadingAmbiguous" || round === mostRounds) return yield* read.failure
      for (const question of reason.questions.map(AnsweredReading.fromAdapter)) {
        const choice = Questions.provisional(question)
        const laid = choice?.reading && AnsweredReading.laid(adapter, options, choice.reading)
        if (!choice || !laid) return yield* read.failure
        options = laid
        if (question.id !== "currency") taken.push(Texts.questionAndChoice(question.question, choice.words))
      }
    }
  })

const withoutPlaceholder = ({ currency, ...document }: SourceDocument.SourceDocument): SourceDocument.SourceDocument =>
  currency === undefined || currency === OpenQuestion.placeholder ? document : { ...document, currency }

export const of = (one: PageImport, seen: ColumnsSeen) =>
  Effect.gen(function* () {
    const answers = new Map([...one.answers, ...ChosenColumns.answersOf(seen)])
    const options = yield* one.format.options(
      readingAnswersOf({ base: ChosenColumns.withoutColumns(one.base), answers })
    )
    const { files } = yield* Planning.inputOf(one)
    const first = files.slice(0, 1)
    const input = { files: one.format.content === "text" ? first.map(beginningOf) : first }
    return yield* firstOf(one, input, options)
  }).pipe(
    Effect.catchTags({
      AdapterError: ({ reason }) =>
        none(reason._tag === "ExportUnreadable" ? reason.problem : "the file cannot be read by these columns"),
      WorkplaceRefused: ({ text }) => none(text)
    })
  )
