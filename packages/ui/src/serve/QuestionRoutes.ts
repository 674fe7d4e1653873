/** Routes for answers to an import's questions: apply all at once, take back, ask again. */
import { type Choice, filled, openOf, type OpenQuestion } from "@fiscal-connector/core/unstable/question/OpenQuestion"
import { hasForm } from "@fiscal-connector/core/unstable/question/TypedText"
import { Effect } from "effect"
import { isList } from "../page/QuestionsPage.ts"
import * as Texts from "../text/Texts.ts"
import type { Given, PageImport, Phase } from "../work/PageImport.ts"
import { undoChange } from "./FixRoutes.ts"
import { remembersOf, type Form } from "./Request.ts"
import { gone, type Site } from "./Site.ts"

type QuestionsPhase = Extract<Phase, { readonly _tag: "Questions" }>

/**
 * Returns the answer to a question. A typed text counts if its choice or no choice is selected.
 * Beside a select list, which always has a selection, the text wins.
 */
const givenIn = (form: Form, question: OpenQuestion, at: number): Given => {
  const typed = (form.get(`typed.${at}`) ?? "").trim()
  const choice = form.get(`question.${at}`) ?? ""
  const open = openOf(question)
  return { choice: typed !== "" && (choice === "" || isList(question)) ? (open?.id ?? "") : choice, typed }
}

const choiceOf = ({ choices }: OpenQuestion, { choice, typed }: Given): Choice | undefined => {
  const chosen = choices.find(({ id }) => id === choice)
  if (chosen === undefined || chosen.fill === null) return chosen
  return hasForm(chosen.fill, typed) ? filled(chosen, typed) : undefined
}

export const answer = (site: Site, one: PageImport, phase: QuestionsPhase, form: Form) =>
  Effect.gen(function* () {
    const { opened, text } = phase
    const each = opened.questions.map((question, at) => {
      const given = givenIn(form, question, at)
      return { question, given, choice: choiceOf(question, given) }
    })
    const given = new Map(each.map(({ given, question }) => [question.id, given]))
    const questions = each.flatMap(({ choice, given: { typed }, question }) =>
      choice === undefined
        ? []
        : [{ id: question.id, choice, text: Texts.questions.answered(question.question, choice.words, typed) }]
    )
    const missing = each.filter(({ choice }) => choice === undefined)
    const [misshapen] = missing.flatMap(({ given: { typed }, question }) =>
      typed === "" ? [] : [Texts.questions.misshapen(question.question, typed, openOf(question)?.fill ?? "")]
    )
    const problem =
      misshapen ??
      (missing.length > 0
        ? Texts.questions.missing(missing.map(({ question }) => question.question))
        : yield* site.imports.answer(one, { questions, text, remembers: remembersOf(form) }))
    if (problem !== null) one.phase = { ...phase, given, problem }
  })

/**
 * Takes the last answers back. Refuses if documents were sent with them, or if the settings were
 * changed since.
 */
export const takeBack = (site: Site, one: PageImport, phase: Extract<Phase, { readonly _tag: "Checked" }>) =>
  Effect.gen(function* () {
    const last = one.answers.at(-1)
    if (last === undefined) return yield* gone
    const isLast = last.change === null || site.history.all().at(-1)?.id === last.change
    const undone = !isLast
      ? Texts.fix.changedSince
      : last.change === null
        ? Texts.fix.undone
        : yield* undoChange(site, new Map([["change", String(last.change)]]))
    if (undone !== Texts.fix.undone) one.phase = { ...phase, note: undone }
    else yield* site.imports.takeAnswersBack(one)
  })
