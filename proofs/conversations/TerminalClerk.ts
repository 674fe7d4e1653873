/** Types the answers of a clerk at the prompts of a terminal. */
import type { OpenQuestion } from "../../packages/core/src/question/OpenQuestion.ts"
import { printable } from "../../packages/cli/src/output/Terminal.ts"
import type { Asked } from "../business/Clerk.ts"

export interface TerminalClerk {
  /** Number of prompts so far. */
  readonly prompts: () => number
  /**
   * Returns the line that answers the prompt at the end of the output; undefined without a prompt.
   * `shown`: all output so far, without control sequences.
   */
  readonly line: (shown: string) => string | undefined
}

const table = /Enter takes all \d+; [^\n]*: $/
const single = /\nAnswer(?:, or Enter for the proposed one)?: $/
const typed = /(?:^|\n) {2}[^\n]+: $/
const confirmed = /"no" stops here: $/

/** Returns numbered rows: table rows, or choices. */
const rowsIn = (text: string): ReadonlyArray<readonly [number: string, row: string]> =>
  Array.from(text.matchAll(/^ {1,3}(\d+) +(.*)$/gm), ([, number = "", row = ""]) => [number, row] as const)

const wordsOf = ({ choices }: OpenQuestion, answer: string): string | undefined =>
  choices.find(({ fill, id }) => id === answer && fill === null)?.words

/** `asked`: every question of the conversation, with its answer. */
export const make = (asked: ReadonlyArray<Asked>): TerminalClerk => {
  let from = 0
  let count = 0
  let fill = ""
  const longest = (found: ReadonlyArray<Asked>, of: (one: Asked) => string) =>
    found.toSorted((a, b) => of(b).length - of(a).length)[0]
  /** Returns the rows whose proposal is not the answer; Enter if each is. */
  const tableLine = (text: string): string => {
    const others: Array<string> = []
    for (const [number, row] of rowsIn(text)) {
      const of = (one: Asked) => printable(`${one.question.id}: `)
      const found = longest(
        asked.filter((one) => row.startsWith(of(one))),
        of
      )
      if (found === undefined) throw new Error(`no answer to ${row}`)
      const words = wordsOf(found.question, found.answer)
      if (words === undefined || !row.slice(of(found).length).startsWith(words)) others.push(number)
    }
    return others.join(",")
  }
  const singleLine = (text: string): string => {
    const of = ({ question }: Asked) => printable(question.question)
    const found = longest(
      asked.filter((one) => text.includes(of(one))),
      of
    )
    if (found === undefined) throw new Error(`no answer to ${text}`)
    // a text of another form than a number of the list is taken at once
    if (wordsOf(found.question, found.answer) === undefined && !/^\d{1,2}(?: %)?$/.test(found.answer))
      return found.answer
    const words = wordsOf(found.question, found.answer)
    const choice = rowsIn(text).find(([, row]) =>
      words === undefined ? row.includes(": type ") : row.startsWith(words)
    )
    if (choice === undefined) throw new Error(`${found.answer} is not offered: ${text}`)
    fill = found.answer
    return choice[0]
  }
  return {
    prompts: () => count,
    line: (shown) => {
      const text = shown.slice(from)
      const answer = table.test(text)
        ? tableLine(text)
        : confirmed.test(text)
          ? ""
          : single.test(text)
            ? singleLine(text)
            : typed.test(text)
              ? fill
              : undefined
      if (answer === undefined) return undefined
      from = shown.length
      count += 1
      return answer
    }
  }
}
