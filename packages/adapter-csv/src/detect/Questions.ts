/**
 * Reasons why a whole export cannot be read, with answers for the next command; all open questions
 * are asked at once.
 */
import type { Answer } from "@fiscal-connector/core/finding/Answer"
import { AdapterError, ExportUnreadable, type Question, ReadingAmbiguous } from "@fiscal-connector/core/source/Adapter"
import { Data, Effect, Result } from "effect"
import type { CsvOptions } from "../columns/CsvOptions.ts"
import type { Contents } from "../columns/Settings.ts"

/** A settled value, or the questions to ask. */
export type SettledReading<A> = Result.Result<A, ReadonlyArray<Question>>

/** A question whose answer changes all further detection. */
export class Ambiguity extends Data.TaggedError("Ambiguity")<{
  readonly question: Question
  /** Possible answers, in addition to earlier answers. */
  readonly answers: ReadonlyArray<Pick<CsvOptions, "layout" | "settings">>
}> {}

/** Creates the error with the questions; no document is read before the answers. */
export const ambiguous = ([first, ...others]: readonly [Question, ...ReadonlyArray<Question>]) =>
  new AdapterError({ adapter: "csv", reason: new ReadingAmbiguous({ questions: [first, ...others] }) })

export const unreadable = (file: string, problem: string, fix: string, answers?: ReadonlyArray<Answer>) =>
  new AdapterError({
    adapter: "csv",
    reason: new ExportUnreadable({ file, problem, fix, ...(answers && { answers }) })
  })

/** Kind of a file that does not look like a list of invoices with their lines. */
export interface Recognised {
  readonly contents: Contents
  readonly problem: string
  readonly evidence: string
  readonly fix: string
}

/** Asks what a file is. The proposal is to stop. */
export const contentsQuestion = (file: string, { contents, evidence, fix, problem }: Recognised): Question => ({
  id: `contents ${contents}`,
  subject: "contents",
  file,
  question: `${problem}. Evidence: ${evidence}. What is this file?`,
  readings: [
    { id: "stop", reading: `not invoices: stop. ${fix}`, examples: [], answer: answered(contents, "stop") },
    {
      id: "invoices",
      reading: "it is nevertheless a list of invoices",
      examples: [],
      answer: answered(contents, "invoices")
    }
  ],
  proposal: "stop"
})

const answered = (contents: Contents, answer: "invoices" | "stop"): Answer => ({
  settings: { contents: { [contents]: answer } }
})

/** Returns all values, or fails with all questions and the additional ones. */
export const settledAll = <Values extends ReadonlyArray<unknown>>(
  settled: readonly [...{ readonly [I in keyof Values]: SettledReading<Values[I]> }],
  besides: ReadonlyArray<Question>
): Effect.Effect<Values, AdapterError> => {
  const [first, ...others] = settled.flatMap((one: SettledReading<unknown>) =>
    Result.isFailure(one) ? one.failure : []
  )
  if (first !== undefined) return Effect.fail(ambiguous([first, ...others, ...besides]))
  return Effect.succeed(settled.map((one: SettledReading<unknown>) => Result.getOrThrow(one)) as unknown as Values)
}

/** Runs all effects and fails with all questions together; an unreadable file takes precedence. */
export const together = <A, R>(
  all: ReadonlyArray<Effect.Effect<A, AdapterError, R>>
): Effect.Effect<ReadonlyArray<A>, AdapterError, R> =>
  Effect.flatMap(Effect.forEach(all, Effect.result), (results) => {
    const failures = results.filter(Result.isFailure).map(({ failure }) => failure)
    const [first, ...others] = failures.flatMap(questionsOf)
    const unreadable = failures.find(({ reason }) => reason._tag !== "ReadingAmbiguous")
    if (unreadable !== undefined) return Effect.fail(unreadable)
    if (first !== undefined) return Effect.fail(ambiguous([first, ...others]))
    return Effect.succeed(results.filter(Result.isSuccess).map(({ success }) => success))
  })

/** Asks the question, together with the questions that follow from every answer. */
export const whichever = <A>(
  question: Question,
  answered: ReadonlyArray<Effect.Effect<A, AdapterError>>
): Effect.Effect<never, AdapterError> =>
  Effect.flatMap(Effect.forEach(answered, Effect.result), (results) => {
    const [first = [], ...others] = results.map((result) =>
      Result.isFailure(result) ? questionsOf(result.failure) : []
    )
    const always = first.filter((one) => others.every((asked) => asked.some((other) => other.id === one.id)))
    return Effect.fail(ambiguous([question, ...always]))
  })

const questionsOf = ({ reason }: AdapterError): ReadonlyArray<Question> =>
  reason._tag === "ReadingAmbiguous" ? reason.questions : []
