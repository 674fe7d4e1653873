/** What an adapter asks, or why it cannot read an export: for people with the flag that settles it, for programs as data. */
import type { AdapterError } from "@fiscal-connector/core/source/Adapter"
import { Console, Effect } from "effect"
import { argsOf, flagOf } from "../output/AnswerFlag.ts"
import { Quit } from "../output/Quit.ts"
import { Call, type CallShape } from "../output/Call.ts"

/** What is open about an export, or why it is unreadable, in full: what is read how, three examples each, and the flag that settles it. */
export const explain = (error: AdapterError, call: CallShape): string => {
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
      // with several questions open no single answer is a whole call
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

/** As one line of JSON: the questions with their answers, or what is the matter with which file. */
const toJson = ({ reason }: AdapterError): string => {
  if (reason._tag === "ReadingAmbiguous") return JSON.stringify({ questions: reason.questions })
  const { _tag, ...facts } = reason
  return JSON.stringify({ unreadable: facts })
}

/** Ends the command with exit code 1; where output is JSON, what is open stands on stdout. */
export const quit = (output: "people" | "json") => (error: AdapterError) =>
  output === "people"
    ? Effect.flatMap(Call, (call) => Effect.fail(new Quit({ code: 1, text: explain(error, call) })))
    : Effect.andThen(Console.log(toJson(error)), Effect.fail(new Quit({ code: 1, text: "" })))
