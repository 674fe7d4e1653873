/**
 * Lists open questions of an export as plain text, each with its choices, their evidence and the
 * text to type.
 */
import type { Choice, OpenQuestion } from "@fiscal-connector/core/unstable/question/OpenQuestion"
import type { Opened } from "@fiscal-connector/core/unstable/question/Questions"
import { flagOf } from "../output/AnswerFlag.ts"
import { printable } from "../output/Terminal.ts"

const counted = ({ documents, examples }: Pick<OpenQuestion, "documents" | "examples">): string =>
  documents === 0
    ? ""
    : ` (${documents} document${documents === 1 ? "" : "s"}${examples.length === 0 ? "" : `, as ${examples.join(", ")}`})`

/** Maximum text lines of evidence for a choice: enough for all columns of most files. */
const shown = 24

/** Maximum pieces of evidence on the text line of a column. */
const mostInLine = 3

/** Longest example on the text line of a column. */
const longestExample = 24

const shortExample = (text: string): string =>
  `«${text.length > longestExample ? `${text.slice(0, longestExample)}…` : text}»`

/**
 * Returns the text of a choice. `name`: the number typed in a conversation, or the id for a file of
 * answers.
 */
const choiceText = (
  { columns, evidence, examples, fill, reading, words }: Choice,
  name: string,
  isProposed: boolean,
  names: "numbers" | "ids"
): string => {
  // a file has many columns: one text line for each
  if (columns !== undefined && evidence.length <= mostInLine)
    return `  ${name}  ${[words, ...examples.map(shortExample), ...evidence.map((text) => `(${text})`)].join(" ")}${isProposed ? "  ← proposed" : ""}`
  const flag = reading === null || fill !== null || names === "numbers" ? "" : flagOf(reading)
  return [
    `  ${name}  ${fill === null ? words : `${words}: type ${fill}`}${flag.startsWith("--") ? ` (${flag})` : ""}${isProposed ? "  ← proposed" : ""}`,
    ...[...examples.map((example) => `«${example}»`), ...evidence.slice(0, shown)].map((text) => `       ${text}`),
    ...(evidence.length > shown ? [`       … and ${evidence.length - shown} more`] : [])
  ].join("\n")
}

/**
 * Returns the text of a question. `names`: `numbers` for choices to type, `ids` for a file of
 * answers.
 */
export const question = (asked: OpenQuestion, names: "numbers" | "ids"): string => {
  const width = Math.max(...asked.choices.map(({ id }, i) => (names === "ids" ? id : String(i + 1)).length))
  // a list shows the values of the columns once, not for every field
  const isPlain = ({ columns, evidence, id }: Choice) =>
    names === "ids" && columns !== undefined && evidence.length === 0 && id !== asked.proposal
  const plain = asked.choices.filter(isPlain).map(({ id }) => id)
  const choices = asked.choices.flatMap((choice, i) => {
    if (isPlain(choice)) return plain[0] === choice.id ? [`  one of  ${plain.join(", ")}`] : []
    const name = choice.fill !== null && names === "ids" ? "…" : names === "ids" ? choice.id : String(i + 1)
    return choiceText(choice, name.padEnd(width), choice.id === asked.proposal, names)
  })
  const file = asked.file === null ? "" : `${asked.file}: `
  return [`${file}${asked.question}${counted(asked)}`, ...choices.flatMap((text) => text.split("\n"))]
    .map(printable)
    .join("\n")
}

/**
 * Returns the columns of a file with their first values, if the questions ask for columns;
 * undefined for other questions.
 */
export const preview = (questions: ReadonlyArray<OpenQuestion>): string | undefined => {
  const choices = questions.map((asked) =>
    asked.choices.filter(({ columns, examples }) => columns && examples.length > 0)
  )
  const [most] = choices.toSorted((a, b) => b.length - a.length)
  if (most === undefined || most.length === 0) return undefined
  const width = Math.max(...most.map(({ words }) => words.length))
  const rows = most.map(({ examples, words }) => `  ${words.padEnd(width)}  ${examples.map(shortExample).join(" ")}`)
  return ["The columns, with their first values:", "", ...rows].map(printable).join("\n")
}

/** Returns the text of all questions, with their ids. */
export const list = (questions: ReadonlyArray<OpenQuestion>): string => {
  const columns = preview(questions)
  return [
    ...(columns === undefined ? [] : [columns]),
    ...questions.map((asked) => `${printable(asked.id)}\n${question(asked, "ids").replace(/^/gm, "  ")}`)
  ].join("\n\n")
}

/** Lists problems that no answer settles. */
export const unsettled = (groups: Opened["unsettled"]): string =>
  groups
    .map(({ documents, examples, finding }) =>
      [`  ${finding.code}  ${finding.message}${counted({ documents, examples })}`, `    → ${finding.fix}`]
        .map(printable)
        .join("\n")
    )
    .join("\n")
