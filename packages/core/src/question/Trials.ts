/** Policies tried on the documents that need one: how many of them could be sent by each choice. Reads the export once for all policies. */
import { Effect, Stream } from "effect"
import type { Finding } from "../finding/Finding.ts"
import { refuses } from "../finding/Finding.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import { check } from "../preflight/check.ts"
import type { AdapterError, Reading } from "../source/Adapter.ts"
import * as Readings from "../source/Readings.ts"
import type { SourceDocument } from "../source/SourceDocument.ts"
import { translate } from "../translate/translate.ts"
import type { PolicyQuestion } from "./PolicyQuestions.ts"

export interface TriedChoice {
  /** Of the documents that were tried: those of which nothing is refused, and those whose question is settled. */
  passing: number
  settled: number
}

export interface Tried {
  readonly question: PolicyQuestion
  documents: number
  tried: number
  readonly examples: Array<string>
  /** By the choice's id. */
  readonly choices: Map<string, TriedChoice>
}

/** Whether a choice settles the question for one of the documents at least, as far as it was tried. */
export const isSettling = ({ choices, tried }: Tried): boolean =>
  tried === 0 || [...choices.values()].some(({ settled }) => settled > 0)

/** Documents on which one question is tried: more of them prove nothing more. */
const most = 500

/** Everything that refuses a document by this book, except what only other documents or the device can say. */
export const refusing = (source: SourceDocument, book: MappingBook): ReadonlyArray<Finding> => {
  const { findings, translated } = translate(source, book)
  return [...findings, ...(translated === undefined ? [] : check(source, translated, { book }))].filter(refuses)
}

export interface Trying {
  readonly book: MappingBook
  readonly questions: ReadonlyArray<PolicyQuestion>
  /** The book with a choice in it, by the question's and the choice's id. */
  readonly bookWith: (question: string, choice: string) => MappingBook | undefined
  /** Whether the figures of a document can be held against anything: its taxes are known. */
  readonly isSound: (source: SourceDocument) => boolean
}

export interface Trial {
  readonly tried: ReadonlyArray<Tried>
  readonly documents: number
  readonly passing: number
}

/** `found` gets every document that would be refused, with what refuses it. */
export const run = <R>(
  readings: Stream.Stream<Reading, AdapterError, R>,
  { book, bookWith, isSound, questions }: Trying,
  found: (source: SourceDocument, findings: ReadonlyArray<Finding>) => void
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
      const findings = refusing(source, book)
      if (findings.length === 0) {
        passing += 1
        return
      }
      found(source, findings)
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
