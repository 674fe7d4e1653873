/**
 * Tries settings for the whole file that a finding offers. A single bad cell does not justify a
 * question about the file.
 */
import { Effect, Option, Stream } from "effect"
import type { MappingBook } from "../mapping/MappingBook.ts"
import type { Adapter, Input } from "../source/Adapter.ts"
import * as Readings from "../source/Readings.ts"
import type { SourceDocument } from "../source/SourceDocument.ts"
import * as AnsweredReading from "./AnsweredReading.ts"
import type { AskedFinding } from "./FindingQuestions.ts"
import { type Choice, filled, leaveOut } from "./OpenQuestion.ts"
import * as Trials from "./Trials.ts"

interface TriedExport<Options> {
  readonly adapter: Adapter<Options>
  readonly input: Input
  readonly options: Options
}

/**
 * Returns true if the adapter made the finding while reading, and every answer is a setting for the
 * whole file.
 */
export const isOfFile = ({ group: { by }, question: { choices } }: AskedFinding): boolean =>
  by === "adapter" &&
  choices.every(({ id, reading }) => id === leaveOut.id || (reading !== null && "settings" in reading))

/** Texts to try for a typed setting. */
const tries: { readonly [setting: string]: ReadonlyArray<string> } = { dates: ["dmy", "mdy", "ymd"] }

/**
 * Returns the question with the settings that reduce the number of documents with the finding;
 * undefined if none does. A single bad cell is not a problem of the whole file.
 */
export const helpful = <Options>(
  exported: TriedExport<Options>,
  book: MappingBook,
  { group, question }: AskedFinding
): Effect.Effect<AskedFinding | undefined> =>
  Effect.map(
    Effect.filter(question.choices, (choice) =>
      choice.id === leaveOut.id ? Effect.succeed(true) : helps(exported, book, group, choice)
    ),
    (choices) =>
      choices.every(({ id }) => id === leaveOut.id) ? undefined : { group, question: { ...question, choices } }
  )

/** Returns true if the setting, with one of the texts that are tried for it, helps a document. */
const helps = <Options>(
  { adapter, input, options }: TriedExport<Options>,
  book: MappingBook,
  { documents, finding }: AskedFinding["group"],
  choice: Choice
): Effect.Effect<boolean> => {
  if (choice.reading === null || !("settings" in choice.reading)) return Effect.succeed(false)
  const [setting = ""] = Object.keys(choice.reading.settings)
  const texts = choice.fill === null ? [""] : tries[setting]
  // a setting with arbitrary text cannot be tried: ask
  if (texts === undefined) return Effect.succeed(true)
  const found = Effect.findFirst(texts, (text) => {
    const answer = filled(choice, text).reading
    const laid = answer === null ? undefined : AnsweredReading.laid(adapter, options, answer)
    if (laid === undefined) return Effect.succeed(false)
    return Readings.from(adapter, input, laid, book).pipe(
      Stream.filter((reading) => reading._tag === "SourceDocument" && hasCode(reading, finding.code, book)),
      Stream.runCount,
      Effect.map((count) => count < documents),
      Effect.orElseSucceed(() => false)
    )
  })
  return Effect.map(found, Option.isSome)
}

const hasCode = (source: SourceDocument, code: string, book: MappingBook): boolean =>
  source.findings.some((found) => found.code === code) ||
  Trials.refusing(source, book).some((found) => found.code === code)
