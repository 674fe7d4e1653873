/** Converts an operator's possible answers to a finding into choices that a program can offer. */
import type { Answer } from "@fiscal-connector/core/finding/Answer"
import type { Finding } from "@fiscal-connector/core/finding/Finding"
import type { DeviceFacts } from "@fiscal-connector/core/unstable/preflight/DeviceFacts"
import type { UnmappedCode } from "@fiscal-connector/core/unstable/preflight/Unmapped"
import type { MappingBook } from "@fiscal-connector/core/mapping/MappingBook"
import * as BookChoice from "@fiscal-connector/core/unstable/preflight/BookChoice"
import type { Choice } from "../Problem.ts"

type ChoiceOptions = Readonly<Record<string, unknown>>

/** Part of an adapter that converts an answer to options. */
export interface ReadBy {
  optionsOf?(answer: Answer): ChoiceOptions | undefined
}

const nothingMore = { reading: null, examples: [] }

/** Returns a choice for an answer to the adapter's question. */
export const settling = (
  answer: Answer,
  adapter: ReadBy,
  meant: Pick<Choice, "reading" | "examples"> = nothingMore
): Choice => {
  const optionsOf = (given: Answer): ChoiceOptions | undefined =>
    adapter.optionsOf === undefined ? ("settings" in given ? given.settings : undefined) : adapter.optionsOf(given)
  const options = optionsOf(answer)
  if (options !== undefined) return { ...meant, settles: "options", options, write: null }
  return { ...meant, settles: "writing", options: null, write: written(answer, optionsOf) }
}

const written = (answer: Answer, optionsOf: (answer: Answer) => ChoiceOptions | undefined): string => {
  if ("ask" in answer) {
    const place = answer.ask === "columns" ? { columns: "…" } : optionsOf({ settings: { [answer.ask]: "…" } })
    return JSON.stringify(place ?? { [answer.ask]: "…" })
  }
  const parts = "columns" in answer ? answer.columns : [answer]
  return `${parts.map((part) => JSON.stringify(part)).join(", ")} in the column map`
}

/** Returns the choices of one finding of the document with the number. */
export type ChoicesOf = (finding: Finding, number: string) => ReadonlyArray<Choice>

interface ChoiceInput {
  /**
   * Adapter of the export; undefined for the program's own objects, where the answer belongs in the
   * objects' fields.
   */
  readonly adapter: ReadBy | undefined
  readonly unmapped: ReadonlyArray<UnmappedCode>
  readonly book: MappingBook
  readonly device: DeviceFacts
}

export const of = ({ adapter, book, device, unmapped }: ChoiceInput): ChoicesOf => {
  const keyOf = ({ account, product, spelling, what }: NonNullable<Finding["unmapped"]> | UnmappedCode) =>
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
