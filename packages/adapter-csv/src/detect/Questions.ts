/** The ways in which an export as a whole cannot be read: said so that the next command can settle it, everything that is open at once. */
import type { Answer } from "@fiscal-connector/core/finding/Answer"
import { AdapterError, ExportUnreadable, type Question, ReadingAmbiguous } from "@fiscal-connector/core/source/Adapter"
import { Data, Effect, Result } from "effect"
import type { CsvOptions } from "../columns/CsvOptions.ts"

/** What the file says, or what has to be asked. */
export type Settled<A> = Result.Result<A, ReadonlyArray<Question>>

/** A question whose answer changes how everything after it is read. */
export class Ambiguity extends Data.TaggedError("Ambiguity")<{
  readonly question: Question
  /** What the person may say, beside what has been said already. */
  readonly answers: ReadonlyArray<Pick<CsvOptions, "layout" | "settings">>
}> {}

/** Nothing has been read as a document when this is asked. */
export const ambiguous = ([first, ...others]: readonly [Question, ...ReadonlyArray<Question>]) =>
  new AdapterError({ adapter: "csv", reason: new ReadingAmbiguous({ questions: [first, ...others] }) })

export const unreadable = (file: string, problem: string, fix: string, answers?: ReadonlyArray<Answer>) =>
  new AdapterError({
    adapter: "csv",
    reason: new ExportUnreadable({ file, problem, fix, ...(answers && { answers }) })
  })

/** All values, else all questions, and then those that are asked besides. */
export const settledAll = <Values extends ReadonlyArray<unknown>>(
  settled: readonly [...{ readonly [I in keyof Values]: Settled<Values[I]> }],
  besides: ReadonlyArray<Question>
): Effect.Effect<Values, AdapterError> => {
  const [first, ...others] = settled.flatMap((one: Settled<unknown>) => (Result.isFailure(one) ? one.failure : []))
  if (first !== undefined) return Effect.fail(ambiguous([first, ...others, ...besides]))
  return Effect.succeed(settled.map((one: Settled<unknown>) => Result.getOrThrow(one)) as unknown as Values)
}

/** Does all of it, and asks everything that has to be asked; what is unreadable goes first. */
export const together = <A>(
  all: ReadonlyArray<Effect.Effect<A, AdapterError>>
): Effect.Effect<ReadonlyArray<A>, AdapterError> =>
  Effect.flatMap(Effect.forEach(all, Effect.result), (results) => {
    const failures = results.filter(Result.isFailure).map(({ failure }) => failure)
    const [first, ...others] = failures.flatMap(questionsOf)
    const unreadable = failures.find(({ reason }) => reason._tag !== "ReadingAmbiguous")
    if (unreadable !== undefined) return Effect.fail(unreadable)
    if (first !== undefined) return Effect.fail(ambiguous([first, ...others]))
    return Effect.succeed(results.filter(Result.isSuccess).map(({ success }) => success))
  })

/** Asks the question, and with it what is asked whichever answer is given. */
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
