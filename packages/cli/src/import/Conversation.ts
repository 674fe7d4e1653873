/**
 * Asks the open questions of an export at a terminal, line by line. A number selects a choice,
 * Enter takes the proposal.
 */
import * as AnswersFile from "@fiscal-connector/core/unstable/question/AnswersFile"
import { type Choice, filled, openOf, type OpenQuestion } from "@fiscal-connector/core/unstable/question/OpenQuestion"
import { hasForm } from "@fiscal-connector/core/unstable/question/TypedText"
import { Console, Effect, Terminal } from "effect"
import { printable } from "../output/Terminal.ts"
import * as QuestionList from "./QuestionList.ts"

/** Asks for a line of text. Ctrl-C and Ctrl-D fail with QuitError. */
export const readAnswer = Effect.fnUntraced(function* (prompt: string) {
  const terminal = yield* Terminal.Terminal
  yield* terminal.display(`${printable(prompt)} `)
  return (yield* terminal.readLine).trim()
})

/**
 * Returns the typed choice: by its number, by its id, or `fill` if the choice asks for a text.
 * Returns undefined for other input.
 */
const typedChoice = ({ choices, proposal }: OpenQuestion, text: string): Choice | "fill" | undefined => {
  if (text === "") return choices.find(({ id }) => id === proposal)
  const numbered = /^\d{1,2}$/.test(text) ? choices[Number(text) - 1] : undefined
  if (numbered !== undefined) return numbered.fill === null ? numbered : "fill"
  return choices.find(({ fill, id }) => id === text && fill === null)
}

const notOfForm = (fill: string) => Console.log(printable(`  Expected ${fill}.`))

const fillIn = (choice: Choice, fill: string) =>
  Effect.gen(function* () {
    for (;;) {
      const text = yield* readAnswer(`  ${fill}:`)
      if (hasForm(fill, text)) return { text, choice: filled(choice, text) }
      if (text !== "") yield* notOfForm(fill)
    }
  })

/** Asks one question until the answer is valid. */
const askOne = Effect.fnUntraced(function* (question: OpenQuestion) {
  yield* Console.log(`\n${QuestionList.question(question, "numbers")}`)
  const open = openOf(question)
  const fill = open?.fill ?? ""
  const prompt = question.proposal === null ? "Number:" : "Number, or Enter for the proposed one:"
  for (;;) {
    const text = yield* readAnswer(prompt)
    const choice = typedChoice(question, text)
    if (choice === "fill") return yield* fillIn(question.choices[Number(text) - 1]!, fill)
    if (choice !== undefined) return { text: choice.id, choice }
    // input other than a number is the text for the fill-in choice
    if (open !== undefined && text !== "" && !/^\d{1,2}$/.test(text)) {
      if (hasForm(fill, text)) return { text, choice: filled(open, text) }
      yield* notOfForm(fill)
    }
    const opens = open === undefined ? "" : `; ${question.choices.indexOf(open) + 1} asks for ${fill}`
    yield* Console.log(
      printable(`Type a number from 1 to ${question.choices.length}${opens}. Ctrl-C leaves; what was answered is kept.`)
    )
  }
})

export interface Kept {
  /** Earlier and current answers by question id. */
  readonly answers: Map<string, string>
  /** Saves the answers so far. */
  readonly keep: Effect.Effect<void>
}

/** Asks the unanswered questions. Offers all proposals together first. */
export const ask = (questions: ReadonlyArray<OpenQuestion>, { answers, keep }: Kept) =>
  Effect.gen(function* () {
    const before = AnswersFile.settle(questions, answers)
    const columns = before.open.length === 0 ? undefined : QuestionList.preview(questions)
    if (columns !== undefined) yield* Console.log(`\n${columns}`)
    const proposed = before.open.filter(({ proposal }) => proposal !== null)
    if (proposed.length > 1) {
      yield* Console.log(
        `\nWhat the export states:\n\n${proposed.map((question) => summaryOf(question, question.proposal!)).join("\n")}\n`
      )
      const text = yield* readAnswer(`Enter takes all ${proposed.length}; "one" asks them one by one:`)
      if (text === "") {
        for (const { id, proposal } of proposed) answers.set(id, proposal!)
        yield* keep
      }
    }
    for (;;) {
      const { choices, open } = AnswersFile.settle(questions, answers)
      const [question] = open
      if (question === undefined) return { choices, open: [], problems: [] }
      const reading = readersOf(questions, answers)
      const { choice, text } = yield* askOne(marked(question, reading))
      // a column states one field: the earlier answer is asked again
      for (const column of choice.columns ?? []) answers.delete(reading.get(column) ?? "")
      answers.set(question.id, text)
      yield* keep
    }
  })

/** Returns the questions whose answers read the columns of the file, by column. */
const readersOf = (questions: ReadonlyArray<OpenQuestion>, answers: AnswersFile.Answers): ReadonlyMap<string, string> =>
  new Map(
    questions.flatMap((question) =>
      AnswersFile.settle([question], answers).choices.flatMap(({ columns = [] }) =>
        columns.map((column) => [column, question.id] as const)
      )
    )
  )

/** Marks the columns that other answers read. */
const marked = (question: OpenQuestion, reading: ReadonlyMap<string, string>): OpenQuestion => {
  const readerOf = ({ columns = [] }: Choice) => columns.flatMap((column) => reading.get(column) ?? [])[0]
  const choices = question.choices.map((choice): Choice => {
    const reader = readerOf(choice)
    return reader === undefined ? choice : { ...choice, evidence: [...choice.evidence, `now: ${reader}`] }
  })
  const proposed = question.choices.find(({ id }) => id === question.proposal)
  const isTaken = proposed !== undefined && readerOf(proposed) !== undefined
  return { ...question, choices, proposal: isTaken ? null : question.proposal }
}

/** Summarizes a question and its answer with the evidence, on one text line. */
export const summaryOf = ({ choices, id }: OpenQuestion, answer: string): string => {
  const choice = choices.find((one) => one.id === answer)
  const all = choice?.evidence ?? []
  const evidence = id === "columns" || id === "other columns" ? all.join(", ") : (all[0] ?? "")
  return printable(`  ${id}: ${choice?.words ?? answer}${evidence === "" ? "" : ` (${evidence})`}`)
}
