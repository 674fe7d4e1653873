import { Money } from "@fiscal-connector/core/adapter"
import type { OpenQuestion } from "@fiscal-connector/core/host/import"
import { Flag, html, type Html, when } from "../html/Html.ts"
import { table } from "../html/Table.ts"
import * as Texts from "../text/Texts.ts"
import type { GivenFile, PageImport, Phase } from "../work/PageImport.ts"
import { discardForm, rememberBox } from "./AskPages.ts"
import { form, hidden } from "./part/Form.ts"
import { type Frame, notice, steps } from "./part/Layout.ts"

const texts = Texts.questions

type QuestionsPhase = Extract<Phase, { readonly _tag: "Questions" }>

const mostShown = 8

export const isList = (question: OpenQuestion.OpenQuestion): boolean =>
  isSpelling(question) || question.choices.length > mostShown

const plain = (text: string): string => text.replaceAll("`", "")

const sentence = (text: string): string => plain(text).replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())

const idOf = (at: number): string => `question-${at}`

/** Links to the questions: each by its first part. */
const listOf = (numbered: ReadonlyArray<readonly [number, OpenQuestion.OpenQuestion]>): Html =>
  html`<ul class="plain-list small">
    ${numbered.map(([at, { question }]) => html`<li><a href="${`#${idOf(at)}`}">${/^[^?;]*\??/.exec(plain(question))?.[0]}</a></li>`)}
  </ul>`

const chosenOf = (
  { choices, id, proposal, subject }: OpenQuestion.OpenQuestion,
  given: QuestionsPhase["given"]
): GivenFile => {
  const before = given.get(id)
  if (before !== undefined) return before
  return { choice: proposal ?? (subject === "zone" ? (choices[0]?.id ?? "") : ""), typed: "" }
}

const usedBy = ({ documents, examples, file }: OpenQuestion.OpenQuestion): string =>
  [
    ...(file === null ? [] : [file]),
    ...(documents === 0
      ? []
      : [
          `${Texts.documents(documents)}${examples.length === 0 ? "" : `: ${examples.join(", ")}${documents > examples.length ? ", …" : ""}`}`
        ])
  ].join(" · ")

const evidenceOf = ({ evidence, examples }: OpenQuestion.Choice): Html =>
  html`${examples.map((example) => html` <code>${example}</code>`)}
  ${when(evidence.length > 0, () => html`<span class="soft small">${plain(evidence.slice(0, 3).join("; "))}</span>`)}`

const typedField = (at: number, { fill }: OpenQuestion.Choice, typed: string, label: string): Html =>
  html`<input
    type="text"
    name="${`typed.${at}`}"
    value="${typed}"
    placeholder="${plain(fill ?? "")}"
    aria-label="${`${label}: ${plain(fill ?? "")}`}"
    autocomplete="off"
  />`

const radios = (at: number, question: OpenQuestion.OpenQuestion, given: GivenFile): Html =>
  html`<div class="opts">
    ${question.choices.map(
      (choice) =>
        html`<label class="opt"
          ><input
            type="radio"
            name="${`question.${at}`}"
            value="${choice.id}"
            required${new Flag("checked", choice.id === given.choice)}
          /><span
            ><b>${sentence(choice.words)}</b>
            ${when(choice.id === question.proposal, () => html`<span class="tag">${texts.proposed}</span>`)}
            ${evidenceOf(choice)}
            ${choice.fill === null ? null : typedField(at, choice, given.typed, plain(question.question))}</span
          ></label
        >`
    )}
  </div>`

const select = (at: number, question: OpenQuestion.OpenQuestion, given: GivenFile): Html => {
  const open = question.choices.find(({ fill }) => fill !== null)
  const chosen = question.choices.find(({ id }) => id === given.choice)
  return html`<select name="${`question.${at}`}" aria-label="${plain(question.question)}">
      ${when(chosen === undefined, () => html`<option value="">${texts.choose}</option>`)}
      ${question.choices.map(
        ({ id, words: text }) =>
          html`<option value="${id}" ${new Flag("selected", id === given.choice)}>
            ${sentence(text).replaceAll("_", " ")}${id === question.proposal ? ` · ${texts.proposed}` : ""}
          </option>`
      )}
    </select>
    ${open === undefined ? null : typedField(at, open, given.typed, plain(question.question))}`
}

const isSpelling = ({ choices, subject }: OpenQuestion.OpenQuestion): boolean =>
  subject === "tax" && choices.every(({ fill }) => fill === null)

const evidenceFor = ({ choices, proposal }: OpenQuestion.OpenQuestion): string =>
  choices.find(({ id }) => id === proposal)?.evidence.join("; ") ??
  choices.find(({ evidence }) => evidence.length > 0)?.evidence.join("; ") ??
  ""

const spellings = (
  rows: ReadonlyArray<readonly [number, OpenQuestion.OpenQuestion]>,
  given: QuestionsPhase["given"]
): Html =>
  when(
    rows.length > 0,
    () =>
      html`<section class="card">
        <h2>${texts.taxes}</h2>
        ${table(
          texts.taxes,
          [texts.question, Texts.page.usedBy, Texts.page.meaning, Texts.word.why],
          rows.map(
            ([at, question]) =>
              html`<tr id="${idOf(at)}" data-question="${question.id}">
                <td>${plain(question.question)}</td>
                <td class="soft small">${usedBy(question)}</td>
                <td>${select(at, question, chosenOf(question, given))}</td>
                <td class="soft small">${plain(evidenceFor(question))}</td>
              </tr>`
          )
        )}
      </section>`
  )

const one = (at: number, question: OpenQuestion.OpenQuestion, given: QuestionsPhase["given"]): Html => {
  const chosen = chosenOf(question, given)
  return html`<fieldset class="card" id="${idOf(at)}" data-question="${question.id}">
    <legend>${plain(question.question)}</legend>
    ${when(usedBy(question) !== "", () => html`<p class="soft small">${usedBy(question)}</p>`)}
    ${isList(question) ? select(at, question, chosen) : radios(at, question, chosen)}
  </fieldset>`
}

const contents = ({ opened: { contents } }: QuestionsPhase): string =>
  contents === undefined
    ? texts.notReadYet
    : texts.read(
        [
          Texts.documents(contents.documents),
          ...(contents.period === undefined
            ? []
            : [`${Texts.day(contents.period.from)} – ${Texts.day(contents.period.to)}`]),
          ...contents.totals.map(({ currency, total }) => `${currency} ${Money.formatAmount(total)}`.trim())
        ].join(", ")
      )

export const questionsPage = (frame: Frame, one_: PageImport, phase: QuestionsPhase): Html => {
  const { given, opened, problem } = phase
  const proposed = opened.questions.filter(({ proposal }) => proposal !== null).length
  const numbered = opened.questions.map((question, at) => [at, question] as const)
  const others = numbered.filter(([, question]) => !isSpelling(question))
  // taxes in core's order: after questions about reading, before questions about sending
  const first = others.filter(
    ([, { subject }]) => subject === "columns" || subject === "file" || subject === "zone" || subject === "currency"
  )
  const rest = others.filter((each) => !first.includes(each))
  return html`${steps(2)}
    <h1>${texts.title(opened.questions.length, one_.files.map(({ name }) => name).join(", "))}</h1>
    <p class="soft">${contents(phase)} ${texts.kept}</p>
    ${notice(problem, "bad")}
    <form class="split" method="post" action="${`${frame.prefix}/imports/${one_.id}/questions`}">
      <div>
        ${hidden({ token: frame.token })} ${first.map(([at, question]) => one(at, question, given))}
        ${spellings(
          numbered.filter(([, question]) => isSpelling(question)),
          given
        )}
        ${rest.map(([at, question]) => one(at, question, given))}
      </div>
      <div>
        <section class="card stick">
          <h2>${texts.answers(opened.questions.length)}</h2>
          ${listOf(numbered)} ${when(proposed > 0, () => html`<p class="soft small">${texts.proposals(proposed)}</p>`)}
          ${rememberBox}
          <button class="wide">${texts.check}</button>
          <p class="soft small">${Texts.page.checkedText}</p>
        </section>
      </div>
    </form>
    ${when(
      opened.unsettled.length > 0,
      () =>
        html`<section class="card">
          <h2>${texts.unsettled}</h2>
          <ul class="plain-list">
            ${opened.unsettled.map(({ documents, examples, finding }) => html`<li>${finding.message} (${Texts.documents(documents)}: ${examples.join(", ")})</li>`)}
          </ul>
          <p class="soft small">${texts.unsettledText}</p>
        </section>`
    )}
    ${discardForm(frame, one_)}`
}

export const answersPart = (frame: Frame, one_: PageImport): Html =>
  when(
    one_.answers.size > 0,
    () =>
      html`<section class="card">
        <h2>${texts.yours}</h2>
        ${form(
          frame,
          `${frame.prefix}/imports/${one_.id}/change`,
          {},
          html`<ul class="plain-list">
            ${Array.from(one_.answers, ([subject, { text }]) => html`<li>${text} <button class="link" name="subject" value="${subject}" aria-label="${`${Texts.word.change}: ${subject}`}">${Texts.word.change}</button></li>`)}
          </ul>`
        )}
      </section>`
  )

export const askAgain = (frame: Frame, one_: PageImport): Html =>
  form(
    frame,
    `${frame.prefix}/imports/${one_.id}/ask-again`,
    {},
    html`<button class="quiet">${texts.askAgain}</button>`
  )
