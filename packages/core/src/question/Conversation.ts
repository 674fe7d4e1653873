/**
 * The conversation about an export, for every host. An answer is about one subject and never
 * removes the answer to another, unless both claim a meaning that only one subject can have. It
 * ends: between two changes, no subject takes the same choice twice.
 */
import { Effect, Result } from "effect"
import * as BookEditing from "../mapping/BookEditing.ts"
import type { BookError } from "../mapping/BookFile.ts"
import { AdapterError, ExportUnreadable } from "../source/Adapter.ts"
import * as AnsweredReading from "./AnsweredReading.ts"
import * as CodeQuestions from "./CodeQuestions.ts"
import { earlierAnswer, fieldOf, idOf, lacking, notUsed, stage } from "./ColumnQuestions.ts"
import * as FieldQuestions from "./FieldQuestions.ts"
import { type Choice, chosen, expected, openOf, type OpenQuestion } from "./OpenQuestion.ts"
import * as OriginalQuestions from "./OriginalQuestions.ts"
import * as ProductCodes from "./ProductCodes.ts"
import * as Questions from "./Questions.ts"

export interface GivenAnswer {
  readonly answer: string
  readonly origin: "run" | "file" | "memory"
  readonly on?: string | undefined
  /** Words of the chosen tax: on an assumed device, its number may be another tax's later. */
  readonly words?: string | undefined
}

export interface SettledQuestion {
  readonly question: OpenQuestion
  readonly choice: Choice
}

export interface ConversationState {
  /** Every answer by subject. An answer to a subject that the export does not have is unused. */
  readonly answers: ReadonlyMap<string, GivenAnswer>
  /** Choices that another subject has taken, by subject. They are not offered again. */
  readonly taken: ReadonlyMap<string, ReadonlySet<string>>
  readonly settled: ReadonlyMap<string, SettledQuestion>
  readonly opened: Questions.OpenedQuestions | undefined
}

export type Next =
  /** Questions to ask together. `later`: further questions, if every answer is the assumed one. */
  | {
      readonly _tag: "Group"
      readonly state: ConversationState
      readonly opened: Questions.OpenedQuestions
      readonly questions: ReadonlyArray<OpenQuestion>
      readonly later: ReadonlyArray<OpenQuestion>
      readonly problems: ReadonlyArray<string>
    }
  | { readonly _tag: "Done"; readonly state: ConversationState; readonly opened: Questions.OpenedQuestions }
  /** Nothing can be read with the answers to these subjects. */
  | {
      readonly _tag: "Stopped"
      readonly state: ConversationState
      readonly error: AdapterError
      readonly by: readonly [string, ...ReadonlyArray<string>]
    }

/**
 * An answer which column states a field becomes the answer what this column is, unless this column
 * has another meaning already.
 */
export const begin = (given: ReadonlyMap<string, GivenAnswer> = new Map()): ConversationState => {
  const answers = new Map(given)
  for (const [subject, one] of given) {
    const field = fieldOf(subject)
    const column = idOf(one.answer)
    if (field === undefined || [FieldQuestions.none, lacking.id, ""].includes(one.answer)) continue
    if ((answers.get(column)?.answer || notUsed) !== notUsed) continue
    answers.delete(subject)
    answers.set(column, { ...one, answer: field })
  }
  return { answers, taken: new Map(), settled: new Map(), opened: undefined }
}

const free = ({ answers, taken }: ConversationState, { id: subject }: OpenQuestion, choices: ReadonlyArray<Choice>) =>
  choices.filter(
    ({ as, id }) =>
      taken.get(as?.subject ?? subject)?.has(as?.choice ?? id) !== true &&
      (as === undefined || [undefined, "", notUsed, as.choice].includes(answers.get(as.subject)?.answer))
  )

const offered = (state: ConversationState, question: OpenQuestion): OpenQuestion => {
  const { kept: _, ...asked } = question
  const choices = free(state, question, question.choices)
  return { ...asked, choices, proposal: choices.find(({ id }) => id === question.proposal)?.id ?? null }
}

const givenTo = ({ answers }: ConversationState, question: OpenQuestion): string | undefined => {
  const textOf = (subject: string) => answers.get(subject)?.answer.trim() || undefined
  const { answer = "", words } = answers.get(question.id) ?? {}
  if (words !== undefined && chosen(question, answer)?.words !== words) return undefined
  const as = question.choices.find((one) => one.as !== undefined && textOf(one.as.subject) === one.as.choice)
  return (
    textOf(question.id) ?? as?.id ?? earlierAnswer(question, textOf) ?? ProductCodes.earlierAnswer(question, textOf)
  )
}

const choiceOf = (state: ConversationState, question: OpenQuestion): Choice | undefined => {
  const asked = offered(state, question)
  const text = givenTo(state, question)
  if (text !== undefined)
    return chosen({ choices: [...asked.choices, ...free(state, question, question.kept ?? [])] }, text)
  // no column is left that may state the field
  const [only, other] = asked.choices
  const isField = question.choices.some(({ as }) => as !== undefined)
  return isField && other === undefined && only?.as === undefined ? only : undefined
}

export const openIn = (state: ConversationState, questions: ReadonlyArray<OpenQuestion>): ReadonlyArray<OpenQuestion> =>
  questions.filter((question) => choiceOf(state, question) === undefined).map((question) => offered(state, question))

const subjectOf = (question: OpenQuestion, { as }: Choice): string => as?.subject ?? question.id

const questionsOf = ({ opened, settled }: ConversationState): ReadonlyArray<OpenQuestion> => [
  ...Array.from(settled.values(), ({ question }) => question),
  ...(opened?.questions ?? []).filter(({ id }) => !settled.has(id))
]

/** All answers are settled again, so that their order in time does not count. */
const again = (state: ConversationState): ConversationState => ({ ...state, settled: new Map(), opened: undefined })

/**
 * Answers a question of the group, with the id of a choice or a typed text. Fails with the expected
 * answers. `again`: subjects that had the meaning before; they are asked again without it.
 */
export const answer = (
  state: ConversationState,
  subject: string,
  text: string
): Result.Result<{ readonly state: ConversationState; readonly again: ReadonlyArray<string> }, string> => {
  const question = questionsOf(state).find(({ id }) => id === subject)
  const choice = question && chosen(offered(state, question), text)
  if (question === undefined || choice === undefined)
    return Result.fail(question === undefined ? "it is not asked" : `it is not ${expected(offered(state, question))}`)
  const own = subjectOf(question, choice)
  const words = question.subject === "tax" && !ProductCodes.isEachItem(choice) ? { words: choice.words } : {}
  const answers = new Map(state.answers).set(own, { answer: choice.as?.choice ?? text, origin: "run", ...words })
  const taken = new Map(state.taken)
  const holders = questionsOf(state).flatMap((other) => {
    const held = choiceOf(state, other)
    const isHolder = choice.meaning !== undefined && held?.meaning === choice.meaning && held.as === undefined
    return isHolder && other.id !== own ? [other.id] : []
  })
  for (const id of holders) {
    answers.delete(id)
    taken.set(id, new Set([...(taken.get(id) ?? []), choice.meaning!]))
  }
  const isSettled = [...state.settled.values()].some((one) =>
    [own, ...holders].includes(subjectOf(one.question, one.choice))
  )
  const changed = { ...state, answers, taken }
  return Result.succeed({ state: isSettled ? again(changed) : changed, again: holders })
}

/**
 * Takes the answer to one subject back: it is asked again, with every choice. A meaning that the
 * answer had is offered again for every subject.
 */
export const change = (state: ConversationState, subject: string): ConversationState => {
  const answers = new Map(state.answers)
  answers.delete(subject)
  const question = questionsOf(state).find(({ id }) => id === subject)
  const meaning = question && choiceOf(state, question)?.meaning
  const taken = new Map(
    [...state.taken].flatMap(([id, meanings]) =>
      id === subject ? [] : [[id, new Set([...meanings].filter((one) => one !== meaning))] as const]
    )
  )
  return again({ ...state, answers, taken })
}

export const choicesOf = ({ settled }: ConversationState): ReadonlyArray<Choice> =>
  Array.from(settled.values(), ({ choice }) => choice)

export const sayingOf = (
  { answers }: Pick<ConversationState, "answers">,
  { choice, question }: SettledQuestion
): string => (openOf(question)?.id === choice.id ? answers.get(question.id)?.answer : undefined) ?? choice.words

export const bookOf = (
  asking: Pick<Questions.Asking<never>, "book" | "draft" | "zones">,
  state: ConversationState
): string => BookEditing.apply(Questions.bookText(asking), CodeQuestions.editsOf(choicesOf(state)))

export const readingsOf = (state: ConversationState) => choicesOf(state).flatMap(({ reading }) => reading ?? [])

export const unusedOf = (state: ConversationState): ReadonlyArray<string> => {
  const asked = new Set(
    questionsOf(state).flatMap(({ choices, id }) => [id, ...choices.flatMap(({ as }) => as?.subject ?? [])])
  )
  return [...state.answers.keys()].filter((subject) => !asked.has(subject))
}

const readBy = ({ settled }: ConversationState): ReadonlyArray<string> =>
  [...settled].flatMap(([subject, { choice }]) => (choice.reading === null ? [] : [subject]))

const read = <Options>(asking: Questions.Asking<Options>, state: ConversationState) => {
  const text = bookOf(asking, state)
  return Questions.open({
    ...asking,
    settled: state.settled,
    productCodes: ProductCodes.askedAfter(state.settled),
    originals: OriginalQuestions.askedAfter(state.answers, state.settled),
    options: AnsweredReading.laidAll(asking.adapter, asking.options, readingsOf(state)),
    ...(asking.book === undefined ? { draft: text } : { book: { ...asking.book, text } })
  })
}

/** An answer which column states a field is kept as the answer about this column. */
const readingsIn = ({ questions }: Questions.OpenedQuestions, settled: ConversationState["settled"]) =>
  Array.from(settled.values(), ({ choice }) => choice).flatMap(({ as, reading }) => {
    const column = as && questions.find(({ id }) => id === as.subject)
    return (as === undefined ? reading : column?.choices.find(({ id }) => id === as.choice)?.reading) ?? []
  })

/** Texts about answers of a file that cannot be used, and the questions that they leave open. */
const judged = (state: ConversationState, questions: ReadonlyArray<OpenQuestion>) => {
  const each = questions.map((question) => ({ question, choice: choiceOf(state, question) }))
  const held = [
    ...state.settled.values(),
    ...each.flatMap(({ choice, question }) => (choice === undefined ? [] : [{ choice, question }]))
  ].filter(({ choice }) => choice.as === undefined && choice.meaning !== undefined)
  const twice = new Map(
    held.flatMap(({ choice, question }) => {
      const others = held.filter((other) => other.choice.meaning === choice.meaning && other.question !== question)
      return others.length === 0 ? [] : [[question.id, { choice, other: others[0]!.question.id }] as const]
    })
  )
  const wrong = each.flatMap(({ choice, question }) => {
    const text = givenTo(state, question)
    return choice !== undefined || text === undefined
      ? []
      : [`${question.id}: ${JSON.stringify(text)} is not ${expected(offered(state, question))}`]
  })
  return {
    answered: each.flatMap(({ choice, question }) =>
      choice === undefined || twice.has(question.id) ? [] : [{ choice, question }]
    ),
    problems: [
      ...wrong,
      ...Array.from(
        twice,
        ([subject, { choice, other }]) => `${subject} and ${other} are both ${choice.words}: it can be one of them`
      )
    ]
  }
}

/**
 * Fails if the export cannot be read whatever the answers, or if the existing book cannot be used.
 */
export const next = <Options>(
  asking: Questions.Asking<Options>,
  state: ConversationState
): Effect.Effect<Next, AdapterError | BookError> =>
  Effect.gen(function* () {
    const settled = new Map(state.settled)
    let { opened } = state
    for (;;) {
      const current: ConversationState = { ...state, settled: new Map(settled), opened }
      if (opened === undefined) {
        const found = yield* Effect.result(read(asking, current))
        if (Result.isFailure(found)) {
          const error = found.failure
          if (error._tag === "AdapterError") return yield* stopped(current, error, readBy(current))
          const by = [...settled.keys()]
          // without an answer, the existing book itself cannot be used
          if (by.length === 0) return yield* error
          return yield* stopped(current, refusedBook(asking.adapter.name, error), by)
        }
        opened = found.success
        continue
      }
      const asked = opened.questions.filter(({ id }) => !settled.has(id))
      if (asked.length === 0) return { _tag: "Done", state: current, opened }
      const earliest = Math.min(...asked.map(stage))
      const now = asked.filter((question) => stage(question) === earliest)
      const { answered, problems } = judged(current, now)
      // the fields without a column are read with all columns
      const isAssumed = answered.every(
        ({ choice, question }) => fieldOf(question.id) !== undefined || choice === Questions.provisional(question)
      )
      const open = now.filter((question) => answered.every((one) => one.question !== question))
      // a stage is settled as a whole, so that the order of its answers stays
      if (open.length > 0) {
        const isLater = (one: OpenQuestion) => !now.includes(one)
        return {
          _tag: "Group",
          state: current,
          opened,
          questions: open.map((question) => offered(current, question)),
          later: isAssumed ? openIn(current, asked.filter(isLater)) : [],
          problems
        }
      }
      const without = answered.find(
        ({ choice, question }) => choice.id === lacking.id && fieldOf(question.id) !== undefined
      )
      if (without !== undefined) return yield* lackingIn(asking.adapter.name, current, without.question)
      for (const one of answered) settled.set(one.question.id, one)
      // nothing was read while a column was open
      const isUnread =
        opened.contents === undefined && asked.every(({ id, subject }) => subject !== "columns" || settled.has(id))
      if (!isAssumed || isUnread || now.length === asked.length) opened = undefined
      else if (now.some(({ id }) => fieldOf(id) !== undefined))
        opened = yield* Questions.withFields(asking, opened, readingsIn(opened, settled))
    }
  })

const stopped = (
  state: ConversationState,
  error: AdapterError,
  [first, ...others]: ReadonlyArray<string>
): Effect.Effect<Next, AdapterError> =>
  first === undefined ? Effect.fail(error) : Effect.succeed({ _tag: "Stopped", state, error, by: [first, ...others] })

const refusedBook = (adapter: string, { file, findings }: BookError): AdapterError => {
  const problem = `the answers write a mapping book that is refused: ${findings.map(({ message }) => message).join("; ")}`
  const reason = new ExportUnreadable({ file, problem, fix: "Change the answer that states this value" })
  return new AdapterError({ adapter, reason })
}

const lackingIn = (adapter: string, state: ConversationState, { file, id, question }: OpenQuestion) => {
  const reason = new ExportUnreadable({
    file: file ?? "",
    problem: `no column answers: ${question}`,
    fix: "Export it again with this column, or change the answers about its columns"
  })
  const columns = [...state.answers.keys()].filter((subject) => subject.startsWith(idOf("")))
  const by = state.answers.has(id) ? [id] : [...new Set([...readBy(state), ...columns])]
  return stopped(state, new AdapterError({ adapter, reason }), by)
}
