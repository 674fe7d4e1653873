/**
 * Tries policies on the documents that need a decision and counts the documents that each choice
 * would let pass. Reads the export once for all policies.
 */
import { Effect, Stream } from "effect"
import type { Finding } from "../finding/Finding.ts"
import { refuses } from "../finding/Finding.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import { check } from "../preflight/check.ts"
import type { AdapterError, Reading } from "../source/Adapter.ts"
import * as Readings from "../source/Readings.ts"
import type { SourceDocument } from "../source/SourceDocument.ts"
import { translate } from "../translate/translate.ts"
import type { Translated } from "../translate/Translated.ts"
import type { PolicyQuestion } from "./PolicyQuestions.ts"

export interface TriedChoice {
  /**
   * Counts of tried documents: `passing` without any refusal, `settled` without this question's
   * findings.
   */
  passing: number
  settled: number
}

export interface Tried {
  readonly question: PolicyQuestion
  documents: number
  tried: number
  readonly examples: Array<string>
  /** Counts by the choice's id. */
  readonly choices: Map<string, TriedChoice>
}

/**
 * Returns true if a choice settles the question for at least one tried document, or if no document
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
  /** Returns the book with a choice applied, by the ids of the question and the choice. */
  readonly bookWith: (question: string, choice: string) => MappingBook | undefined
  /** Returns true if the document's figures can be checked, because its taxes are known. */
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
