/**
 * Counts the documents that each policy would let pass. Reads the export once for all policies.
 * Tries settings of a file, too: a single bad cell does not justify a question about the file.
 */
import { Effect, Option, Stream } from "effect"
import type { Finding } from "../finding/Finding.ts"
import { refuses } from "../finding/Finding.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import { check } from "../preflight/check.ts"
import type { Adapter, AdapterError, Input, Reading } from "../source/Adapter.ts"
import * as Readings from "../source/Readings.ts"
import type { SourceDocument } from "../source/SourceDocument.ts"
import { translate } from "../translate/translate.ts"
import type { Translated } from "../translate/Translated.ts"
import * as AnsweredReading from "./AnsweredReading.ts"
import type { AskedFinding } from "./FindingQuestions.ts"
import { type Choice, filled, leaveOut } from "./OpenQuestion.ts"
import type { PolicyQuestion } from "./PolicyQuestions.ts"

export interface TriedChoice {
  passing: number
  settled: number
}

export interface Tried {
  readonly question: PolicyQuestion
  documents: number
  tried: number
  readonly examples: Array<string>
  readonly choices: Map<string, TriedChoice>
}

/**
 * True if a choice settles the question for at least one tried document, or if no document
 * was tried.
 */
export const isSettling = ({ choices, tried }: Tried): boolean =>
  tried === 0 || [...choices.values()].some(({ settled }) => settled > 0)

/**
 * Maximum number of documents tried per question: more documents would not improve the evidence.
 */
const most = 500

/**
 * Returns every finding that refuses a document with this book, except findings that depend on
 * other documents or the device.
 */
export const refusing = (source: SourceDocument, book: MappingBook): ReadonlyArray<Finding> =>
  examined(source, book).findings

const examined = (source: SourceDocument, book: MappingBook) => {
  const { findings, translated } = translate(source, book)
  const all = [...findings, ...(translated === undefined ? [] : check(source, translated, { book }))]
  return { findings: all.filter(refuses), translated }
}

export interface Trying {
  readonly book: MappingBook
  readonly questions: ReadonlyArray<PolicyQuestion>
  readonly bookWith: (question: string, choice: string) => MappingBook | undefined
  /** True if the document's figures can be checked, because its taxes are known. */
  readonly isSound: (source: SourceDocument) => boolean
}

export interface Trial {
  readonly tried: ReadonlyArray<Tried>
  readonly documents: number
  readonly passing: number
}

/**
 * Tries all questions. `found` receives every document with the findings that would refuse it.
 */
export const run = <R>(
  readings: Stream.Stream<Reading, AdapterError, R>,
  { book, bookWith, isSound, questions }: Trying,
  found: (source: SourceDocument, findings: ReadonlyArray<Finding>, translated: Translated | undefined) => void
): Effect.Effect<Trial, AdapterError, R> =>
  Effect.suspend(() => {
    const tried = questions.map((question): Tried => ({
      question,
      documents: 0,
      tried: 0,
      examples: [],
      choices: new Map(question.choices.map(({ id }) => [id, { passing: 0, settled: 0 }]))
    }))
    let [documents, passing] = [0, 0]
    const attempt = (source: SourceDocument, one: Tried) => {
      one.documents += 1
      if (one.examples.length < 3) one.examples.push(source.number || source.id)
      if (one.tried >= most) return
      one.tried += 1
      for (const [choice, counts] of one.choices) {
        const changed = bookWith(one.question.id, choice)
        if (changed === undefined) continue
        const left = refusing(source, changed)
        if (left.length === 0) counts.passing += 1
        if (!left.some(one.question.raises)) counts.settled += 1
      }
    }
    const take = (source: SourceDocument) => {
      documents += 1
      const { findings, translated } = examined(source, book)
      found(source, findings, translated)
      if (findings.length === 0) {
        passing += 1
        return
      }
      for (const one of tried) {
        if (one.question.subject === "amounts" && !isSound(source)) continue
        if (findings.some(one.question.raises)) attempt(source, one)
      }
    }
    return Effect.map(
      Stream.runForEach(Readings.entering(readings), ({ reading }) =>
        Effect.sync(() => {
          if (reading._tag === "SourceDocument") take(reading)
        })
      ),
      () => ({ tried: tried.filter(({ documents }) => documents > 0), documents, passing })
    )
  })

interface TriedExport<Options> {
  readonly adapter: Adapter<Options>
  readonly input: Input
  readonly options: Options
}

export const isOfFile = ({ group: { by }, question: { choices } }: AskedFinding): boolean =>
  by === "adapter" &&
  choices.every(({ id, reading }) => id === leaveOut.id || (reading !== null && "settings" in reading))

const tries: { readonly [setting: string]: ReadonlyArray<string> } = { dates: ["dmy", "mdy", "ymd"] }

/**
 * Undefined if no setting reduces the number of documents with the finding. A single bad cell is
 * not a problem of the whole file.
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
  source.findings.some((found) => found.code === code) || refusing(source, book).some((found) => found.code === code)
