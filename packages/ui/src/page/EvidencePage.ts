import { html, type Html, when } from "../html/Html.ts"
import { card, facts } from "../html/Table.ts"
import * as Parts from "../report/Parts.ts"
import * as Texts from "../text/Texts.ts"
import type { BookHistory } from "../work/BookHistory.ts"
import type { PageImport, Phase } from "../work/PageImport.ts"
import { discardForm, recalledNote } from "./AskPages.ts"
import { answersList } from "./QuestionsPage.ts"
import { form } from "./part/Form.ts"
import { type Frame, steps } from "./part/Layout.ts"

const texts = Texts.page

type LookedAt = Extract<Phase, { readonly _tag: "Checked" | "Questions" }>

export const readPage = (frame: Frame, one: PageImport, phase: LookedAt, answersFile: string): Html => {
  const { files, format } = one
  return html`${steps(0, frame, one)}
    <h1>${texts.howRead}</h1>
    <section class="card">
      ${facts([
        [Texts.report.file, files.map(({ bytes, name }) => `${name}, ${Texts.report.bytes(bytes)}`).join("; ")],
        [Texts.report.read, format.title]
      ])}
    </section>
    ${recalledNote(frame, one, answersFile)}
    ${phase._tag === "Questions" ? null : Parts.causes(Texts.report.warnings, phase.checked.tally, "warning", 5)}
    <div class="links"><a href="${frame.prefix}/">${texts.another}</a> ${discardForm(frame, one, "link")}</div>`
}

export const answersPage = (frame: Frame, one: PageImport, history: BookHistory): Html => {
  const here = `${frame.prefix}/imports/${one.id}`
  const last = history.all().at(-1)
  const answers = new Set(Array.from(one.answers.values(), ({ text }) => text))
  const isOfAnswers = last?.settings.every(({ what }) => answers.has(what)) ?? true
  return html`${steps(2, frame, one)}
    <h1>${texts.changeAnswer}</h1>
    ${card(Texts.questions.yours(one.answers.size), one.answers.size > 0 && form(frame, `${here}/change`, {}, answersList(frame, one)))}
    ${card(
      Texts.fix.lastChange,
      !isOfAnswers &&
        html`<ul class="plain-list">
            ${(last?.settings ?? []).map(({ to, what }) => html`<li>${what}${to === undefined ? "" : `: ${to}`}</li>`)}
          </ul>
          ${form(frame, `${here}/undo-book`, { change: last?.id ?? 0 }, html`<button class="link">${Texts.heldBack.takeBack}</button>`)}`
    )}
    <div class="actions">
      ${form(frame, `${here}/ask-again`, {}, html`<button class="quiet">${Texts.questions.askAgain}</button>`)}
      ${when(one.format.columns, () => html`<a class="button quiet" href="${here}/columns">${Texts.fix.columns}</a>`)}
      <a class="button quiet" href="${frame.prefix}/book">${Texts.word.settings}</a>
    </div>`
}
