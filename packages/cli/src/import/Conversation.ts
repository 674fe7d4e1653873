/**
 * Asks the open questions of an export at a terminal. A number, a word or its beginning selects a
 * choice, Enter takes the proposal.
 */
import {
  answer,
  change,
  type Next,
  openIn,
  type ConversationState
} from "@fiscal-connector/core/unstable/question/Conversation"
import { type Choice, openOf, type OpenQuestion } from "@fiscal-connector/core/unstable/question/OpenQuestion"
import { inForm } from "@fiscal-connector/core/unstable/question/TypedText"
import { Console, Effect, Terminal } from "effect"
import { printable } from "../output/Terminal.ts"
import * as QuestionList from "./QuestionList.ts"

/** Asks for a line of text. Ctrl-C and Ctrl-D fail with QuitError. */
export const readAnswer = Effect.fnUntraced(function* (prompt: string) {
  const terminal = yield* Terminal.Terminal
  yield* terminal.display(`${printable(prompt)} `)
  return (yield* terminal.readLine).trim()
})

/** Returns the choice for a number, a word or its beginning. Returns undefined for other input. */
const typedChoice = ({ choices, proposal }: OpenQuestion, text: string): Choice | undefined => {
  if (text === "") return choices.find(({ id }) => id === proposal)
  const numbered = /^\d{1,2}$/.test(text) ? choices[Number(text) - 1] : undefined
  const named = choices.find(({ fill, id }) => id === text && fill === null)
  if (numbered !== undefined || named !== undefined) return numbered ?? named
  const begins = (word: string) => word.toLowerCase().startsWith(text.toLowerCase())
  const [one, other] = choices.filter(({ id, words }) => begins(id) || begins(words.replaceAll('"', "")))
  return other === undefined ? one : undefined
}

/** Asks one question until the answer is valid. Returns the id of a choice, or the typed text. */
const askOne = Effect.fnUntraced(function* (question: OpenQuestion) {
  yield* Console.log(`\n${QuestionList.question(question, "numbers")}`)
  const open = openOf(question)
  const prompt = question.proposal === null ? "Answer:" : "Answer, or Enter for the proposed one:"
  let fill = prompt
  for (;;) {
    const text = yield* readAnswer(fill === prompt ? prompt : `  ${fill}:`)
    const typed = open?.fill == null ? undefined : inForm(open.fill, text)
    const choice = fill === prompt ? typedChoice(question, text) : undefined
    if (choice?.fill === null) {
      // 15 may be a number of the list, the beginning of "15.5 %", and a percent
      const isBoth = typed !== undefined && typed !== text && /^\d/.test(text) && !choice.words.startsWith(typed)
      if (!isBoth) return choice.id
      yield* Console.log(
        printable(`  ${text} may be "${choice.words}" and ${open?.fill}. Type the words, or ${typed}.`)
      )
      continue
    }
    // the number of the choice with a typed text asks for the text
    if (choice !== undefined) fill = choice.fill
    else if (typed !== undefined) return typed
    else if (open?.fill != null && text !== "") yield* Console.log(printable(`  Expected ${open.fill}.`))
    if (choice === undefined && fill === prompt) yield* Console.log(printable(howTo(question, open)))
  }
})

const howTo = ({ choices }: OpenQuestion, open: Choice | undefined): string => {
  const opens = open === undefined ? "" : `; ${choices.indexOf(open) + 1} asks for ${open.fill}`
  return `Type a number from 1 to ${choices.length}, or a word${opens}. Ctrl-C leaves; what was answered is kept.`
}

/** Applies an answer, and states which other subjects are asked again because of it. */
const answered = (state: ConversationState, { id }: OpenQuestion, text: string) =>
  Effect.gen(function* () {
    const { again, state: after } = yield* Effect.orDie(Effect.fromResult(answer(state, id, text)))
    for (const other of again) yield* Console.log(printable(`  ${other} had this meaning, and is asked again.`))
    return after
  })

/**
 * Asks the questions of a group: first a table of everything with a proposal, then each other one.
 * Stops early if an answer changes how the file is read.
 */
const askGroup = Effect.fnUntraced(function* ({ questions, ...group }: QuestionGroup, keep: Keep) {
  let { state } = group
  const open = () => (state.opened === undefined ? [] : openIn(state, questions))
  const settle = (question: OpenQuestion, text: string) =>
    Effect.gen(function* () {
      state = yield* answered(state, question, text)
      yield* keep(state)
    })
  for (;;) {
    const proposed = open().filter(({ proposal }) => proposal !== null)
    if (proposed.length < 2) break
    const rows = proposed.map(
      (question, i) => `${String(i + 1).padStart(3)}  ${summaryOf(question, question.proposal!)}`
    )
    yield* Console.log(`\nWhat the export states:\n\n${rows.join("\n")}\n`)
    const text = yield* readAnswer(`Enter takes all ${proposed.length}; a number asks that one:`)
    if (text === "") {
      for (const { id, proposal } of proposed) {
        const question = open().find((one) => one.id === id)
        if (question?.proposal === proposal && proposal !== null) state = yield* answered(state, question, proposal)
      }
      yield* keep(state)
      continue
    }
    const one = proposed[Number(text) - 1] ?? proposed.find(({ id }) => id.toLowerCase().includes(text.toLowerCase()))
    if (one === undefined) yield* Console.log(printable(`${text}: not in the list.`))
    else yield* settle(one, yield* askOne(one))
  }
  for (;;) {
    const [question] = open()
    if (question === undefined) return state
    yield* settle(question, yield* askOne(question))
  }
})

/** Id of the answer that a file is not invoices. */
const stop = "stop"

/** Saves the answers so far. */
export type Keep = (state: ConversationState) => Effect.Effect<void>

type QuestionGroup = Extract<Next, { readonly _tag: "Group" }>

/**
 * Asks until every question is answered and the operator confirms. `confirm`: what Enter does at
 * the end. Undefined if the operator stops.
 */
export const hold = <E, R>(
  next: (state: ConversationState) => Effect.Effect<Next, E, R>,
  begun: ConversationState,
  keep: Keep,
  confirm: string
) =>
  Effect.gen(function* () {
    let state = begun
    for (;;) {
      const following = yield* next(state)
      state = following.state
      switch (following._tag) {
        case "Group":
          state = yield* askGroup(following, keep)
          break
        case "Stopped": {
          const { by, error } = following
          const isStop = (subject: string) => state.settled.get(subject)?.choice.id === stop
          if (by.some(isStop)) return { state: by.filter(isStop).reduce(change, state), stopped: following }
          yield* Console.log(printable(`${error.message}. This follows from these answers:`))
          const again = yield* changed(rowsOf(state, by), "")
          if (again === undefined) return { state, stopped: following }
          state = again.reduce(change, state)
          yield* keep(state)
          break
        }
        case "Done": {
          if (state.settled.size === 0) return { state, stopped: undefined }
          const again = yield* changed(rowsOf(state, [...state.settled.keys()]), confirm)
          if (again === undefined) return { state, stopped: "left" as const }
          if (again.length === 0) return { state, stopped: undefined }
          state = again.reduce(change, state)
          yield* keep(state)
        }
      }
    }
  })

/** Returns the settled answers to the subjects, to list them. */
const rowsOf = ({ answers, settled }: ConversationState, subjects: ReadonlyArray<string>) =>
  subjects.flatMap((subject) => {
    const { choice, question } = settled.get(subject) ?? {}
    if (choice === undefined || question === undefined || choice.as !== undefined) return []
    const isTyped = openOf(question)?.id === choice.id
    const words = isTyped ? (answers.get(subject)?.answer ?? choice.words) : choice.words
    return [{ subject, text: summaryOf(question, choice.id, { ...choice, words }) }]
  })

/**
 * Shows answers and returns the subjects to ask again: none for Enter, undefined if the operator
 * stops. `confirm`: what Enter does; empty if the operator has to change an answer.
 */
export const changed = Effect.fnUntraced(function* (
  rows: ReadonlyArray<{ readonly subject: string; readonly text: string }>,
  confirm: string
) {
  const listed = rows.map(({ text }, i) => printable(`${String(i + 1).padStart(3)}  ${text}`))
  yield* Console.log(`\n${listed.join("\n")}\n`)
  for (;;) {
    const text = yield* readAnswer(
      `${confirm === "" ? "" : `Enter ${confirm}; `}a number changes its answer; "no" stops here:`
    )
    if (text === "no") return undefined
    if (text === "" && confirm !== "") return []
    const again = text
      .split(",")
      .map((part) => (rows[Number(part) - 1] ?? rows.find(({ subject }) => subject === part.trim()))?.subject)
    if (again.every((subject) => subject !== undefined)) return again
    yield* Console.log(printable(`${text}: not in the list.`))
  }
})

/** Summarizes a question and its answer with the evidence, on one text line. */
export const summaryOf = (
  { choices, examples, id, subject }: OpenQuestion,
  answer: string,
  settled: Choice | undefined = choices.find((one) => one.id === answer)
): string => {
  const cells = subject === "columns" ? examples.map((text) => `«${text}»`).join(" ") : ""
  const evidence = [cells, settled?.evidence[0] ?? ""].filter((text) => text !== "").join("; ")
  return printable(`${id}: ${settled?.words ?? answer}${evidence === "" ? "" : ` (${evidence})`}`)
}
