/** Text with the deciding flag for people, and data for programs. */
import type { Adapter } from "@fiscal-connector/core/adapter"
import { Effect } from "effect"
import { argsOf, flagOf } from "../output/AnswerFlag.ts"
import { ExitError } from "../output/ExitError.ts"
import { Call, type CallShape } from "../output/Call.ts"
import * as Output from "../output/Output.ts"

/**
 * Describes the open questions of an export, or why it is unreadable: the possible readings, three
 * examples each, and the flag that selects each reading.
 */
export const explain = (error: Adapter.AdapterError, call: CallShape): string => {
  const { reason } = error
  if (reason._tag === "ExportUnreadable")
    return [
      error.message,
      ...(reason.answers ?? []).map((answer) => `  → ${flagOf(answer, reason.file, error.adapter)}`)
    ].join("\n")
  if (reason._tag !== "ReadingAmbiguous") return error.message
  const { questions } = reason
  const asked = questions.map(({ file, question, readings }, i) => {
    const competing = readings.map(({ answer, examples, reading }) => {
      const args = argsOf(answer)
      // with several open questions a single answer is not a complete call
      const whole = questions.length > 1 || args.length === 0 ? [] : [call.again(...args)]
      return [
        reading,
        ...examples.map((example) => `  ${example}`),
        `  → ${flagOf(answer, file, error.adapter)}`,
        ...whole.map((line) => `    ${line}`)
      ]
        .map((line) => `  ${line}`)
        .join("\n")
    })
    return `${questions.length > 1 ? `${i + 1}. ` : ""}${file}: ${question}\n\n${competing.join("\n\n")}`
  })
  const count =
    questions.length > 1
      ? `${questions.length} questions are open; answer all of them in the next run.`
      : "One question is open."
  return `Nothing was sent. ${count} Each reading below is possible; say which is right:\n\n${asked.join("\n\n")}`
}

/** Exit code 1. JSON output has the questions with their answers, or the problem and its file. */
export const quit = (error: Adapter.AdapterError) =>
  Effect.gen(function* () {
    const { form } = yield* Output.Output
    const { reason } = error
    if (form === "people") return yield* new ExitError({ code: 1, text: explain(error, yield* Call) })
    if (reason._tag === "ReadingAmbiguous") {
      yield* Output.tell("questions", { exitCode: 1, questions: reason.questions })
    } else {
      const { _tag, ...facts } = reason
      yield* Output.tell("unreadable", { exitCode: 1, reason: _tag, ...facts })
    }
    return yield* new ExitError({ code: 1, text: "" })
  })
