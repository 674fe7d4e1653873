import { Conversation, OpenQuestion, RememberedAnswers, TypedText } from "@fiscal-connector/core/host/import"
import { Effect, Result } from "effect"
import { chosenOf, isList } from "../page/QuestionsPage.ts"
import * as Texts from "../text/Texts.ts"
import type { GivenFile, PageImport, PhaseOf, TakenAnswer } from "../work/PageImport.ts"
import { remembersOf, type RequestForm } from "./Request.ts"
import type { Site } from "./Site.ts"

/**
 * Returns the answer to a question. A text beside `— choose —`, or beside the choice that the page
 * shows first, is the answer. `other`: a choice marked by the operator, beside the text.
 */
const givenIn = (form: RequestForm, question: OpenQuestion.OpenQuestion, at: number) => {
  const typed = (form.get(`typed.${at}`) ?? "").trim()
  const choice = form.get(`question.${at}`) ?? ""
  const open = OpenQuestion.openOf(question)?.id ?? ""
  if (typed === "" || choice === open) return { choice, typed }
  const isShownFirst = isList(question) && choice === chosenOf(question, new Map()).choice
  const other = isShownFirst ? undefined : question.choices.find(({ id }) => id === choice)?.words
  return other === undefined ? { choice: open, typed } : { choice, typed, other }
}

/** Returns what the form says, by question, before anything of it is taken. */
export const givenOf = ({ opened }: PhaseOf<"Questions">, form: RequestForm) =>
  new Map(opened.questions.map((question, at) => [question.id, givenIn(form, question, at)] as const))

const textOf = (question: OpenQuestion.OpenQuestion, { choice, typed }: GivenFile): string | undefined => {
  const found = question.choices.find(({ id }) => id === choice)
  return found === undefined || found.fill === null ? found?.id : TypedText.inForm(found.fill, typed)
}

export const answer = (site: Site, one: PageImport, phase: PhaseOf<"Questions">, form: RequestForm) =>
  Effect.gen(function* () {
    const { opened, text } = phase
    one.given = givenOf(phase, form)
    const each = opened.questions.map((question) => {
      const given = one.given.get(question.id)!
      return { question, given, text: textOf(question, given) }
    })
    const missing = each.filter(({ text }) => text === undefined)
    const [both] = each.flatMap(({ given: { other, typed }, question }) =>
      other === undefined ? [] : [Texts.questions.both(question.question, typed, other)]
    )
    const [misshapen] = missing.flatMap(({ given: { typed }, question }) => {
      const expected = OpenQuestion.openOf(question)?.fill ?? ""
      return typed === "" ? [] : [Texts.questions.misshapen(question.question, typed, expected)]
    })
    const answers = new Map<string, TakenAnswer>()
    const again: Array<string> = []
    let { state } = phase
    for (const { given, question, text = "" } of each) {
      const answered = Conversation.answer(state, question.id, text)
      const choice = OpenQuestion.chosen(question, text)
      if (choice === undefined || Result.isFailure(answered)) continue
      state = answered.success.state
      again.push(...answered.success.again)
      const words = Texts.questions.answered(question.question, choice.words, given.typed)
      answers.set(choice.as?.subject ?? question.id, {
        answer: choice.as?.choice ?? text,
        choice,
        text: words,
        ...RememberedAnswers.aboutOf(question)
      })
    }
    const problem =
      both ??
      misshapen ??
      (missing.length > 0
        ? Texts.questions.missing(missing.map(({ question }) => question.question))
        : yield* site.imports.answer(one, { answers, again, text, remembers: remembersOf(form) }))
    if (problem !== null) one.phase = { ...phase, problem }
  })
