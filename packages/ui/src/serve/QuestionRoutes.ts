import { Conversation, OpenQuestion, RememberedAnswers, TypedText } from "@fiscal-connector/core/host/import"
import { Effect, Result } from "effect"
import { isList } from "../page/QuestionsPage.ts"
import * as Texts from "../text/Texts.ts"
import type { GivenFile, PageImport, Phase, TakenAnswer } from "../work/PageImport.ts"
import { remembersOf, type RequestForm } from "./Request.ts"
import type { Site } from "./Site.ts"

type QuestionsPhase = Extract<Phase, { readonly _tag: "Questions" }>

/**
 * Returns the answer to a question. A typed text counts if its choice or no choice is selected.
 * Beside a select list, which always has a selection, the text wins.
 */
const givenIn = (form: RequestForm, question: OpenQuestion.OpenQuestion, at: number): GivenFile => {
  const typed = (form.get(`typed.${at}`) ?? "").trim()
  const choice = form.get(`question.${at}`) ?? ""
  const open = OpenQuestion.openOf(question)
  return { choice: typed !== "" && (choice === "" || isList(question)) ? (open?.id ?? "") : choice, typed }
}

const textOf = (question: OpenQuestion.OpenQuestion, { choice, typed }: GivenFile): string | undefined => {
  const found = question.choices.find(({ id }) => id === choice)
  return found === undefined || found.fill === null ? found?.id : TypedText.inForm(found.fill, typed)
}

export const answer = (site: Site, one: PageImport, phase: QuestionsPhase, form: RequestForm) =>
  Effect.gen(function* () {
    const { opened, text } = phase
    const each = opened.questions.map((question, at) => {
      const given = givenIn(form, question, at)
      return { question, given, text: textOf(question, given) }
    })
    const given = new Map(each.map(({ given, question }) => [question.id, given]))
    const missing = each.filter(({ text }) => text === undefined)
    const [misshapen] = missing.flatMap(({ given: { typed }, question }) =>
      typed === ""
        ? []
        : [Texts.questions.misshapen(question.question, typed, OpenQuestion.openOf(question)?.fill ?? "")]
    )
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
      misshapen ??
      (missing.length > 0
        ? Texts.questions.missing(missing.map(({ question }) => question.question))
        : yield* site.imports.answer(one, { answers, again, text, remembers: remembersOf(form) }))
    if (problem !== null) one.phase = { ...phase, given, problem }
  })
