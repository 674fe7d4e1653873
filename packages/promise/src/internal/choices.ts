import type { Adapter, Answer, Finding } from "@fiscal-connector/core/adapter"
import { DocUrl } from "@fiscal-connector/core/host"
import { BookChoice, type DeviceFacts, type Unmapped } from "@fiscal-connector/core/host/import"
import type { MappingBook } from "@fiscal-connector/core/book"
import { FiscalConnectorError } from "../FiscalConnectorError.ts"
import type { Choice, Problem } from "../Problem.ts"

type ChoiceOptions = Readonly<Record<string, unknown>>

export interface ReadBy {
  optionsOf?(answer: Answer.Answer): ChoiceOptions | undefined
}

const nothingMore = { reading: null, examples: [] }

export const settling = (
  answer: Answer.Answer,
  adapter: ReadBy,
  meant: Pick<Choice, "reading" | "examples"> = nothingMore
): Choice => {
  const optionsOf = (given: Answer.Answer): ChoiceOptions | undefined =>
    adapter.optionsOf === undefined ? ("settings" in given ? given.settings : undefined) : adapter.optionsOf(given)
  const options = optionsOf(answer)
  if (options !== undefined) return { ...meant, settles: "options", options, write: null }
  return { ...meant, settles: "writing", options: null, write: written(answer, optionsOf) }
}

const written = (answer: Answer.Answer, optionsOf: (answer: Answer.Answer) => ChoiceOptions | undefined): string => {
  if ("ask" in answer) {
    const place = answer.ask === "columns" ? { columns: "…" } : optionsOf({ settings: { [answer.ask]: "…" } })
    return JSON.stringify(place ?? { [answer.ask]: "…" })
  }
  return `${JSON.stringify(answer)} in the column map`
}

export type ChoicesOf = (finding: Finding.Finding, number: string) => ReadonlyArray<Choice>

interface ChoiceInput {
  readonly adapter: ReadBy | undefined
  readonly unmapped: ReadonlyArray<Unmapped.UnmappedCode>
  readonly book: MappingBook.MappingBook
  readonly device: DeviceFacts.DeviceFacts
}

export const of = ({ adapter, book, device, unmapped }: ChoiceInput): ChoicesOf => {
  const keyOf = ({
    account,
    product,
    spelling,
    what
  }: NonNullable<Finding.Finding["unmapped"]> | Unmapped.UnmappedCode) =>
    JSON.stringify([what, spelling, account, product])
  const ofBook = new Map(
    unmapped.map((code) => [
      keyOf(code),
      BookChoice.of(code, book, device).map(({ edits, standing, words }): Choice => ({
        reading: words,
        examples: [],
        settles: "book",
        entries: edits,
        standing,
        options: null,
        write: null
      }))
    ])
  )
  return (finding, number) => [
    ...(finding.unmapped === undefined ? [] : (ofBook.get(keyOf(finding.unmapped)) ?? [])),
    ...(finding.answers ?? []).flatMap((answer) => {
      if ("ask" in answer && answer.ask === "original") return [original(number)]
      // originals in another file: use `registerOriginals`
      if ("ask" in answer && answer.ask === "originals") return []
      return adapter === undefined ? [] : [settling(answer, adapter)]
    })
  ]
}

const original = (note: string): Choice => ({
  ...nothingMore,
  settles: "originals",
  note,
  options: null,
  write: JSON.stringify({ originals: { [note]: "…" } })
})

/**
 * Converts an adapter's failure to an error, with the possible answers for every open question.
 */
export const exportError =
  (adapter: ReadBy) =>
  (error: Adapter.AdapterError): FiscalConnectorError => {
    const { message, reason } = error
    return new FiscalConnectorError(
      reason._tag === "ReadingAmbiguous" ? "export_ambiguous" : "export_unreadable",
      message,
      { problems: problemsOf(reason, adapter), cause: error }
    )
  }

const fixes = {
  InputFailed: "Check that the file is there, is complete and may be read",
  AdapterBroke: "Mend the adapter, not the export"
}

const problemsOf = (reason: Adapter.AdapterError["reason"], adapter: ReadBy): ReadonlyArray<Problem> => {
  const problem = (message: string, file: string, fix: string, choices: ReadonlyArray<Choice> = []): Problem => ({
    code: reason._tag,
    severity: "error",
    message,
    detail: file,
    fix,
    path: [],
    docUrl: DocUrl.docUrl(reason._tag),
    choices
  })
  if (reason._tag === "ReadingAmbiguous")
    return reason.questions.map(({ file, question, readings }) =>
      problem(
        question,
        file,
        "Say which of the choices is right: lay its options over those of the export",
        readings.map(({ answer, examples, reading }) => settling(answer, adapter, { reading, examples }))
      )
    )
  const { answers, fix } = reason._tag === "ExportUnreadable" ? reason : { answers: [], fix: fixes[reason._tag] }
  return [
    problem(
      reason.problem,
      reason.file,
      fix,
      answers?.map((answer) => settling(answer, adapter))
    )
  ]
}
