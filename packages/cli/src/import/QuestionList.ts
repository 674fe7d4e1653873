/**
 * Lists open questions of an export as plain text, each with its choices, their evidence and the
 * text to type.
 */
import type { OpenQuestion, Questions } from "@fiscal-connector/core/host/import"
import { flagOf } from "../output/AnswerFlag.ts"
import { printable } from "../output/Terminal.ts"

const counted = ({ documents, examples }: Pick<OpenQuestion.OpenQuestion, "documents" | "examples">): string =>
  documents === 0
    ? ""
    : ` (${documents} document${documents === 1 ? "" : "s"}${examples.length === 0 ? "" : `, for example ${examples.join(", ")}`})`

const cellsOf = ({ examples, subject }: OpenQuestion.OpenQuestion): string =>
  subject === "columns" ? examples.map((text) => ` ${shortExample(text)}`).join("") : ""

const shown = 24

const longestExample = 24

const shortExample = (text: string): string =>
  `«${text.length > longestExample ? `${text.slice(0, longestExample)}…` : text}»`

const choiceText = (
  { as, evidence, examples, fill, meaning, reading, words }: OpenQuestion.Choice,
  name: string,
  isProposed: boolean,
  names: "numbers" | "ids"
): string => {
  const proposed = isProposed ? "  ← proposed" : ""
  // a file has many columns: one text line for each
  if (as !== undefined || meaning !== undefined)
    return `  ${name}  ${[words, ...examples.map(shortExample), ...evidence.map((text) => `(${text})`)].join(" ")}${proposed}`
  const flag = reading === null || fill !== null || names === "numbers" ? "" : flagOf(reading)
  return [
    `  ${name}  ${fill === null ? words : `${words}: type ${fill}`}${flag.startsWith("--") ? ` (${flag})` : ""}${proposed}`,
    ...[...examples.map((example) => `«${example}»`), ...evidence.slice(0, shown)].map((text) => `       ${text}`),
    ...(evidence.length > shown ? [`       … and ${evidence.length - shown} more`] : [])
  ].join("\n")
}

export const question = (asked: OpenQuestion.OpenQuestion, names: "numbers" | "ids"): string => {
  const width = Math.max(...asked.choices.map(({ id }, i) => (names === "ids" ? id : String(i + 1)).length))
  // a list names the meanings of a column once: every column has nearly all of them
  const isPlain = ({ as, evidence, id, meaning }: OpenQuestion.Choice) =>
    names === "ids" && meaning !== undefined && as === undefined && evidence.length === 0 && id !== asked.proposal
  const plain = asked.choices.filter(isPlain).map(({ id }) => id)
  const choices = asked.choices.flatMap((choice, i) => {
    if (isPlain(choice)) return []
    const name = choice.fill !== null && names === "ids" ? "…" : names === "ids" ? choice.id : String(i + 1)
    return choiceText(choice, name.padEnd(width), choice.id === asked.proposal, names)
  })
  const others = plain.length === 0 ? [] : [`  or one of  ${plain.join(", ")}`]
  const file = asked.file === null ? "" : `${asked.file}: `
  return [
    `${file}${asked.question}${counted(asked)}${cellsOf(asked)}`,
    ...[...choices, ...others].flatMap((text) => text.split("\n"))
  ]
    .map(printable)
    .join("\n")
}

export const list = (questions: ReadonlyArray<OpenQuestion.OpenQuestion>): string =>
  questions.map((asked) => `${printable(asked.id)}\n${question(asked, "ids").replace(/^/gm, "  ")}`).join("\n\n")

export const unsettled = (groups: Questions.OpenedQuestions["unsettled"]): string =>
  groups
    .map(({ documents, examples, finding }) =>
      [`  ${finding.code}  ${finding.message}${counted({ documents, examples })}`, `    → ${finding.fix}`]
        .map(printable)
        .join("\n")
    )
    .join("\n")
