/**
 * Asks the open questions of an export at a terminal. A number, a word or its beginning selects a
 * choice, Enter takes the proposal.
 */
import { Conversation, OpenQuestion, TypedText } from "@fiscal-connector/core/host/import"
import { Console, Effect, Terminal } from "effect"
import { printable } from "../output/Terminal.ts"
import * as QuestionList from "./QuestionList.ts"

export const readAnswer = Effect.fnUntraced(function* (prompt: string) {
  const terminal = yield* Terminal.Terminal
  yield* terminal.display(`${printable(prompt)} `)
  return (yield* terminal.readLine).trim()
})

const typedChoice = (
  { choices, proposal }: OpenQuestion.OpenQuestion,
  text: string
): OpenQuestion.Choice | undefined => {
  if (text === "") return choices.find(({ id }) => id === proposal)
  const numbered = /^\d{1,2}$/.test(text) ? choices[Number(text) - 1] : undefined
  const named = choices.find(({ fill, id }) => id === text && fill === null)
  if (numbered !== undefined || named !== undefined) return numbered ?? named
  const begins = (word: string) => word.toLowerCase().startsWith(text.toLowerCase())
  const [one, other] = choices.filter(({ id, words }) => begins(id) || begins(words.replaceAll('"', "")))
  return other === undefined ? one : undefined
}

/** Returns the id of a choice, or the typed text. */
const askOne = Effect.fnUntraced(function* (question: OpenQuestion.OpenQuestion) {
  yield* Console.log(`\n${QuestionList.question(question, "numbers")}`)
  const open = OpenQuestion.openOf(question)
  const prompt = question.proposal === null ? "Answer:" : "Answer, or Enter for the proposed one:"
  let fill = prompt
  let doubted: string | undefined
  for (;;) {
    const text = yield* readAnswer(fill === prompt ? prompt : `  ${fill}:`)
    const typed = open?.fill == null ? undefined : TypedText.inForm(open.fill, text)
    const choice = fill === prompt ? typedChoice(question, text) : undefined
    if (choice?.fill === null) {
      // 15 may be a number of the list, the beginning of "15.5 %", and a percent
      const isBoth = typed !== undefined && typed !== text && /^\d/.test(text) && !choice.words.startsWith(typed)
      if (!isBoth || text === doubted) return choice.id
      yield* Console.log(
        printable(
          `  ${text} may be "${choice.words}" and ${open?.fill}. Type ${text} again for the first, or ${typed}.`
        )
      )
      doubted = text
      continue
    }
    // the number of the choice with a typed text asks for the text
    if (choice !== undefined) fill = choice.fill
    else if (typed !== undefined) return typed
    else if (open?.fill != null && text !== "") yield* Console.log(printable(`  Expected ${open.fill}.`))
    if (choice === undefined && fill === prompt) yield* Console.log(printable(howTo(question, open)))
  }
})

const howTo = ({ choices }: OpenQuestion.OpenQuestion, open: OpenQuestion.Choice | undefined): string => {
  const opens = open === undefined ? "" : `; ${choices.indexOf(open) + 1} asks for ${open.fill}`
  return `Type a number from 1 to ${choices.length}, or a word${opens}. Ctrl-C leaves; what was answered is kept.`
}

const answered = (state: Conversation.ConversationState, { id }: OpenQuestion.OpenQuestion, text: string) =>
  Effect.gen(function* () {
    const { again, state: after } = yield* Effect.orDie(Effect.fromResult(Conversation.answer(state, id, text)))
    for (const other of again) yield* Console.log(printable(`  ${other} had this meaning, and is asked again.`))
    return after
  })

/**
 * First a table of everything with a proposal, then each other question. Stops early if an answer
 * changes how the file is read.
 */
const askGroup = Effect.fnUntraced(function* ({ questions, ...group }: QuestionGroup, keep: Keep) {
  let { state } = group
  const open = () => (state.opened === undefined ? [] : Conversation.openIn(state, questions))
  const settle = (question: OpenQuestion.OpenQuestion, text: string) =>
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
    const text = yield* readAnswer(
      `Enter takes all ${proposed.length}; numbers, as 2,5, ask those and take the others:`
    )
    const rowOf = (part: string) =>
      proposed[Number(part) - 1] ?? proposed.find(({ id }) => part !== "" && id.toLowerCase().includes(part))
    const named = text === "" ? [] : text.split(",").map((part) => rowOf(part.trim().toLowerCase())?.id)
    if (named.includes(undefined)) {
      yield* Console.log(printable(`${text}: not in the list.`))
      continue
    }
    for (const id of named) {
      // an answer may close or change the next question
      const question = open().find((one) => one.id === id)
      if (question !== undefined) yield* settle(question, yield* askOne(question))
    }
    for (const { id, proposal } of proposed) {
      const question = open().find((one) => one.id === id)
      if (question?.proposal === proposal && proposal !== null) state = yield* answered(state, question, proposal)
    }
    yield* keep(state)
  }
  for (;;) {
    const [question] = open()
    if (question === undefined) return state
    yield* settle(question, yield* askOne(question))
  }
})

const stop = "stop"

export type Keep = (state: Conversation.ConversationState) => Effect.Effect<void>

type QuestionGroup = Extract<Conversation.Next, { readonly _tag: "Group" }>

/** `confirm`: what Enter does at the end. Undefined if the operator stops. */
export const hold = <E, R>(
  next: (state: Conversation.ConversationState) => Effect.Effect<Conversation.Next, E, R>,
  begun: Conversation.ConversationState,
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
          if (by.some(isStop))
            return { state: by.filter(isStop).reduce(Conversation.change, state), stopped: following }
          yield* Console.log(printable(`${error.message}. This follows from these answers:`))
          const again = yield* changed(rowsOf(state, by), "")
          if (again === undefined) return { state, stopped: following }
          state = again.reduce(Conversation.change, state)
          yield* keep(state)
          break
        }
        case "Done": {
          if (state.settled.size === 0) return { state, stopped: undefined }
          const again = yield* changed(rowsOf(state, [...state.settled.keys()]), confirm)
          if (again === undefined) return { state, stopped: "left" as const }
          if (again.length === 0) return { state, stopped: undefined }
          state = again.reduce(Conversation.change, state)
          yield* keep(state)
        }
      }
    }
  })

const rowsOf = (state: Conversation.ConversationState, subjects: ReadonlyArray<string>) =>
  subjects.flatMap((subject) => {
    const one = state.settled.get(subject)
    if (one === undefined || one.choice.as !== undefined) return []
    const { choice, question } = one
    return [{ subject, text: summaryOf(question, choice.id, { ...choice, words: Conversation.sayingOf(state, one) }) }]
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

export const summaryOf = (
  { choices, examples, id, subject }: OpenQuestion.OpenQuestion,
  answer: string,
  settled: OpenQuestion.Choice | undefined = choices.find((one) => one.id === answer)
): string => {
  const cells = subject === "columns" ? examples.map((text) => `«${text}»`).join(" ") : ""
  const evidence = [cells, settled?.evidence[0] ?? ""].filter((text) => text !== "").join("; ")
  return printable(`${id}: ${settled?.words ?? answer}${evidence === "" ? "" : ` (${evidence})`}`)
}
