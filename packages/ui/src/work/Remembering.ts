/** Converts answers about an import's files to and from remembered answers. */
import { RememberedAnswers } from "@fiscal-connector/core/host/import"
import type { Adapter } from "@fiscal-connector/core/adapter"
import { DateTime, Effect } from "effect"
import { type PageImport, readingAnswersOf } from "./PageImport.ts"
import type { ReadingAnswers } from "./Workplace.ts"

export const answersOf = ({ columns, layout, settings }: RememberedAnswers.RememberedAnswers): ReadingAnswers => ({
  settings,
  layout,
  columns: columns === undefined ? undefined : JSON.stringify(columns)
})

export const takenOf = ({ answers = {} }: RememberedAnswers.RememberedAnswers): PageImport["answers"] =>
  new Map(
    Object.entries(answers).map(([subject, { about, answer, book, reading, says }]) => [
      subject,
      { answer, text: says, choice: { book, reading }, ...(about && { about }) }
    ])
  )

export const entryOf = (
  one: Pick<PageImport, "answers" | "base" | "format" | "recalled">,
  files: ReadonlyArray<Adapter.InputFile>
) =>
  Effect.gen(function* () {
    const { header, name } = one.format
    const { columns, layout, settings } = readingAnswersOf(one)
    const [first] = files
    if (first === undefined) return undefined
    const headers = yield* Effect.orElseSucceed(
      Effect.forEach(files, (file) => header(file, settings)),
      () => []
    )
    const [own] = headers
    if (own === undefined || new Set(headers.map((one) => JSON.stringify(one))).size > 1) return undefined
    const at = DateTime.setZone(yield* DateTime.now, DateTime.zoneMakeLocal())
    const kept = Array.from(one.answers, ([subject, { about, answer, choice, text }]) => {
      const on = one.recalled?.answers?.[subject]?.on ?? DateTime.formatIsoDate(at)
      const { book, reading } = choice
      return [subject, { answer, says: text, on, reading, book, ...(about && { about }) }] as const
    })
    const answers = {
      adapter: name,
      answers: Object.fromEntries(kept),
      header: own,
      from: first.name,
      settings,
      ...(layout !== undefined && { layout }),
      ...(columns !== undefined && { columns: JSON.parse(columns) as Readonly<Record<string, unknown>> })
    }
    return RememberedAnswers.worth(answers, at)
  })
