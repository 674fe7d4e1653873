/** Open questions of an export, all asked at once, with answers for the next command. */
import { Adapter, type Answer } from "@fiscal-connector/core/adapter"
import { Data, Effect, Result } from "effect"
import type { CsvOptions } from "../columns/CsvOptions.ts"
import type { Contents } from "../columns/Settings.ts"

export type SettledReading<A> = Result.Result<A, ReadonlyArray<Adapter.Question>>

/** A question whose answer changes all further detection. */
export class Ambiguity extends Data.TaggedError("Ambiguity")<{
  readonly question: Adapter.Question
  /** Possible answers, in addition to earlier answers. */
  readonly answers: ReadonlyArray<Pick<CsvOptions, "layout" | "settings">>
}> {}

/** Creates the error with the questions; no document is read before the answers. */
export const ambiguous = ([first, ...others]: readonly [Adapter.Question, ...ReadonlyArray<Adapter.Question>]) =>
  new Adapter.AdapterError({ adapter: "csv", reason: new Adapter.ReadingAmbiguous({ questions: [first, ...others] }) })

export const unreadable = (file: string, problem: string, fix: string, answers?: ReadonlyArray<Answer.Answer>) =>
  new Adapter.AdapterError({
    adapter: "csv",
    reason: new Adapter.ExportUnreadable({ file, problem, fix, ...(answers && { answers }) })
  })

/** Kind of a file that does not look like a list of invoices with their lines. */
export interface RecognizedFile {
  readonly contents: Contents
  readonly text: string
  readonly evidence: string
  readonly fix: string
}

export const contentsQuestion = (
  file: string,
  { contents, evidence, fix, text }: RecognizedFile
): Adapter.Question => ({
  id: `contents ${contents}`,
  subject: "contents",
  file,
  question: `${text}. Evidence: ${evidence}. What is this file?`,
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

const answered = (contents: Contents, answer: "invoices" | "stop"): Answer.Answer => ({
  settings: { contents: { [contents]: answer } }
})

export const settledAll = <Values extends ReadonlyArray<unknown>>(
  settled: readonly [...{ readonly [I in keyof Values]: SettledReading<Values[I]> }],
  besides: ReadonlyArray<Adapter.Question>
): Effect.Effect<Values, Adapter.AdapterError> => {
  const [first, ...others] = settled.flatMap((one: SettledReading<unknown>) =>
    Result.isFailure(one) ? one.failure : []
  )
  if (first !== undefined) return Effect.fail(ambiguous([first, ...others, ...besides]))
  return Effect.succeed(settled.map((one: SettledReading<unknown>) => Result.getOrThrow(one)) as unknown as Values)
}

/** Runs all effects and fails with all questions together; an unreadable file takes precedence. */
export const together = <A, R>(
  all: ReadonlyArray<Effect.Effect<A, Adapter.AdapterError, R>>
): Effect.Effect<ReadonlyArray<A>, Adapter.AdapterError, R> =>
  Effect.flatMap(Effect.forEach(all, Effect.result), (results) => {
    const failures = results.filter(Result.isFailure).map(({ failure }) => failure)
    const [first, ...others] = failures.flatMap(questionsOf)
    const unreadable = failures.find(({ reason }) => reason._tag !== "ReadingAmbiguous")
    if (unreadable !== undefined) return Effect.fail(unreadable)
    if (first !== undefined) return Effect.fail(ambiguous([first, ...others]))
    return Effect.succeed(results.filter(Result.isSuccess).map(({ success }) => success))
  })

export const whichever = <A>(
  question: Adapter.Question,
  answered: ReadonlyArray<Effect.Effect<A, Adapter.AdapterError>>
): Effect.Effect<never, Adapter.AdapterError> =>
  Effect.flatMap(Effect.forEach(answered, Effect.result), (results) => {
    const [first = [], ...others] = results.map((result) =>
      Result.isFailure(result) ? questionsOf(result.failure) : []
    )
    const always = first.filter((one) => others.every((asked) => asked.some((other) => other.id === one.id)))
    return Effect.fail(ambiguous([question, ...always]))
  })

const questionsOf = ({ reason }: Adapter.AdapterError): ReadonlyArray<Adapter.Question> =>
  reason._tag === "ReadingAmbiguous" ? reason.questions : []
