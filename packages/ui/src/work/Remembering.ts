/** Converts answers about an import's files to and from remembered answers. */
import * as RememberedAnswers from "@fiscal-connector/core/unstable/question/RememberedAnswers"
import type { InputFile } from "@fiscal-connector/core/source/Adapter"
import { DateTime, Effect } from "effect"
import { type PageImport, readingAnswersOf } from "./PageImport.ts"
import type { ReadingAnswers } from "./Workplace.ts"

export const answersOf = ({ columns, layout, settings }: RememberedAnswers.RememberedAnswers): ReadingAnswers => ({
  settings,
  layout,
  columns: columns === undefined ? undefined : JSON.stringify(columns)
})

/**
 * Returns the entry to remember. Undefined if nothing is worth remembering or the files have
 * different headers.
 */
export const entryOf = (one: Pick<PageImport, "answers" | "base" | "format">, files: ReadonlyArray<InputFile>) =>
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
    const answers = {
      adapter: name,
      header: own,
      from: first.name,
      settings,
      ...(layout !== undefined && { layout }),
      ...(columns !== undefined && { columns: JSON.parse(columns) as Readonly<Record<string, unknown>> })
    }
    return RememberedAnswers.worth(answers, DateTime.setZone(yield* DateTime.now, DateTime.zoneMakeLocal()))
  })
