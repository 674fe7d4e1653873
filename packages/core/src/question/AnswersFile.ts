/**
 * Answers to open questions as a file: writes a template with proposals for the operator to
 * complete, and reads it back.
 */
import { escaped } from "../document/EscapedText.ts"
import { Result, Schema } from "effect"
import * as Jsonc from "#jsonc-parser"
import { comment } from "../mapping/BookSkeleton.ts"
import type { Choice, OpenQuestion } from "./OpenQuestion.ts"

const AnswersFile = Schema.Struct({
  version: Schema.Literal(1),
  answers: Schema.Record(Schema.String, Schema.String)
})

/** Answers by question id: the id of a choice, or the typed text. */
export type Answers = ReadonlyMap<string, string>

const decode = Schema.decodeUnknownResult(AnswersFile)

/** Reads a file of answers. Fails with a description of the problem. */
export const read = (text: string): Result.Result<Answers, string> => {
  const errors: Array<Jsonc.ParseError> = []
  const value: unknown = Jsonc.parse(text, errors, { allowTrailingComma: true })
  if (errors.length > 0) return Result.fail("it is not JSON")
  const decoded = decode(value)
  return Result.isFailure(decoded)
    ? Result.fail('it is not { "version": 1, "answers": { "QUESTION": "ANSWER", … } }')
    : Result.succeed(new Map(Object.entries(decoded.success.answers)))
}

const choiceText = ({ evidence, examples, fill, id, words }: Choice): string => {
  const support = [...examples.map((example) => `«${example}»`), ...evidence].join("; ")
  return `${fill === null ? JSON.stringify(id) : `or ${fill}`}: ${words}${support === "" ? "" : ` (${support})`}`
}

const proposed = ({ proposal }: OpenQuestion): string => proposal ?? ""

/**
 * Writes a template: every question with its choices as comments. `answerOf`: the answer written
 * for a question, "" to leave the question open. Default: the proposal. `others`: answers to write
 * for questions that are not among these. Default: none.
 */
export const template = (
  questions: ReadonlyArray<OpenQuestion>,
  answerOf: (question: OpenQuestion) => string = proposed,
  others: Answers = new Map()
): string =>
  [
    "{",
    '  // One answer for each question: the id of a choice, or the text that is asked for. "" leaves the question open.',
    '  "version": 1,',
    '  "answers": {',
    [
      ...questions.map((asked) => {
        const { choices, file, question } = asked
        return [
          "",
          ...[
            `${file === null ? "" : `${file}: `}${question}`,
            ...choices.map((choice) => `  ${choiceText(choice)}`)
          ].map((text) => `    ${comment(text)}`),
          entry(asked.id, answerOf(asked))
        ].join("\n")
      }),
      ...[...others].filter(([id]) => questions.every((asked) => asked.id !== id)).map(([id, text]) => entry(id, text))
    ].join(",\n"),
    "  }",
    "}",
    ""
  ].join("\n")

const entry = (id: string, answer: string): string =>
  `    ${escaped(JSON.stringify(id))}: ${escaped(JSON.stringify(answer))}`
