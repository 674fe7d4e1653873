import type { OpenQuestion } from "@fiscal-connector/core/host/import"
import { Flag, html, type Html, when } from "../html/Html.ts"
import { card, table } from "../html/Table.ts"
import * as Tiles from "../report/Tiles.ts"
import * as Texts from "../text/Texts.ts"
import type { GivenFile, PageImport, Phase } from "../work/PageImport.ts"
import { discardForm, rememberBox } from "./AskPages.ts"
import { hidden } from "./part/Form.ts"
import { type Frame, notice, steps } from "./part/Layout.ts"

const texts = Texts.questions

type QuestionsPhase = Extract<Phase, { readonly _tag: "Questions" }>

const mostShown = 8

export const isList = (question: OpenQuestion.OpenQuestion): boolean =>
  isSpelling(question) || question.choices.length > mostShown

const plain = (text: string): string => text.replaceAll("`", "")

const sentence = (text: string): string => Texts.sentence(plain(text))

/** Returns the question, and what it adds: why it is asked. */
const partsOf = ({ question }: OpenQuestion.OpenQuestion): readonly [question: string, more: string] => {
  const [first = ""] = /^[^?;]*\??/.exec(plain(question)) ?? []
  return [
    first,
    sentence(
      plain(question)
        .slice(first.length)
        .replace(/^[ ;]+/, "")
    )
  ]
}

const idOf = (at: number): string => `question-${at}`

type Numbered = ReadonlyArray<readonly [number, OpenQuestion.OpenQuestion]>

type Given = PageImport["given"]

const isOpen = (question: OpenQuestion.OpenQuestion, given: Given): boolean => chosenOf(question, given).choice === ""

/** Links to the open questions. The script marks a question that is answered meanwhile. */
const listOf = (numbered: Numbered, given: Given): Html =>
  html`<ul class="asked small">
    ${numbered.map(([at, question]) => when(isOpen(question, given), () => html`<li class="badge unknown"><a href="${`#${idOf(at)}`}">${partsOf(question)[0]}</a></li>`))}
  </ul>`

/** Appears in the bar of a small screen while its question is the first open one. */
const nextLink = (at: number, question: OpenQuestion.OpenQuestion, given: Given): Html =>
  when(isOpen(question, given), () => html`<a class="button next" href="${`#${idOf(at)}`}">${texts.next}</a>`)

/** Returns the proposal. The zone of this computer is one, except UTC: a server says UTC. */
const proposalOf = ({ choices: [first], proposal, subject }: OpenQuestion.OpenQuestion): string | null =>
  proposal ?? (subject === "zone" && first !== undefined && first.id !== "UTC" ? first.id : null)

export const chosenOf = (question: OpenQuestion.OpenQuestion, given: Given): GivenFile =>
  given.get(question.id) ?? { choice: proposalOf(question) ?? "", typed: "" }

const usedBy = ({ documents, examples, file }: OpenQuestion.OpenQuestion): string => {
  const named = `${examples.length === 0 ? "" : ": "}${examples.join(", ")}`
  const all = documents > examples.length && examples.length > 0 ? `${named}, …` : named
  return Texts.joined(file ?? "", documents === 0 ? "" : `${Texts.documents(documents)}${all}`)
}

const evidenceOf = ({ evidence, examples }: OpenQuestion.Choice): Html =>
  html`${examples.map((example) => html` <code>${example}</code>`)}
  ${when(evidence.length > 0, () => html`<span class="soft small">${plain(evidence.slice(0, 3).join("; "))}</span>`)}`

const typedField = (at: number, { fill, id }: OpenQuestion.Choice, typed: string, label: string): Html =>
  html`<input
    type="text"
    name="${`typed.${at}`}"
    data-choice="${id}"
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
            ${sentence(text).replaceAll("_", " ")}${id === proposalOf(question) ? ` · ${texts.proposed}` : ""}
          </option>`
      )}
    </select>
    ${open === undefined ? null : typedField(at, open, given.typed, plain(question.question))}`
}

const isSpelling = ({ choices, subject }: OpenQuestion.OpenQuestion): boolean =>
  subject === "tax" && choices.every(({ fill }) => fill === null)

const evidenceFor = ({ choices, proposal }: OpenQuestion.OpenQuestion): string =>
  (choices.find(({ id }) => id === proposal) ?? choices.find(({ evidence }) => evidence.length > 0))?.evidence.join(
    "; "
  ) ?? ""

const spellings = (rows: Numbered, given: Given): Html => {
  const evidence = rows.map(([, question]) => plain(evidenceFor(question)))
  const hasEvidence = evidence.some((text) => text !== "")
  return html`<section class="card">
    ${table(
      texts.groups.taxes,
      [texts.question, Texts.page.usedBy, Texts.page.meaning, ...(hasEvidence ? [Texts.word.why] : [])],
      rows.map(
        ([at, question], row) =>
          html`<tr id="${idOf(at)}" data-question="${question.id}">
            <td>${plain(question.question)} ${nextLink(at, question, given)}</td>
            <td class="soft small">${usedBy(question)}</td>
            <td>${select(at, question, chosenOf(question, given))}</td>
            ${when(hasEvidence, () => html`<td class="soft small">${evidence[row]}</td>`)}
          </tr>`
      )
    )}
  </section>`
}

const one = (at: number, question: OpenQuestion.OpenQuestion, given: Given): Html => {
  const chosen = chosenOf(question, given)
  const [first, more] = partsOf(question)
  return html`<fieldset class="card" id="${idOf(at)}" data-question="${question.id}">
    <legend>${first} ${when(more !== "", () => html`<span class="soft small">${more}</span>`)}</legend>
    ${when(usedBy(question) !== "", () => html`<p class="soft small">${usedBy(question)}</p>`)}
    ${isList(question) ? select(at, question, chosen) : radios(at, question, chosen)} ${nextLink(at, question, given)}
  </fieldset>`
}

const contents = ({ opened: { contents } }: QuestionsPhase): string => {
  if (contents === undefined) return texts.notReadYet
  const { documents, period, totals } = contents
  return texts.read(
    [
      Texts.documents(documents),
      ...(period === undefined ? [] : [Texts.period([{ date: period.from }, { date: period.to }])]),
      Tiles.statedOf(totals)
    ].join(", ")
  )
}

/** Subjects about the file and the business. Taxes have a group; all others are facts. */
const ofBusiness: ReadonlySet<string> = new Set(["contents", "columns", "file", "zone", "currency"])

export const questionsPage = (frame: Frame, one_: PageImport, phase: QuestionsPhase): Html => {
  const { opened, problem } = phase
  const { given } = one_
  const proposed = opened.questions.filter(({ proposal }) => proposal !== null).length
  const numbered = opened.questions.map((question, at) => [at, question] as const)
  const taxes = numbered.filter(([, question]) => isSpelling(question))
  const others = numbered.filter((each) => !taxes.includes(each))
  const of = (group: "business" | "facts") =>
    others.filter(([, { subject }]) => ofBusiness.has(subject) === (group === "business"))
  const group = (name: keyof typeof texts.groups, of: Numbered, content: Html) =>
    when(
      of.length > 0,
      () =>
        html`<h2 class="soft small">${texts.groups[name]}</h2>
          ${content}`
    )
  const each = (of: Numbered) => html`${of.map(([at, question]) => one(at, question, given))}`
  // taxes in core's order: after questions about reading, before questions about sending
  return html`${steps(2, frame, one_)}
    <h1>${texts.title(opened.questions.length, one_.files.map(({ name }) => name).join(", "))}</h1>
    <p class="soft">${contents(phase)} ${texts.kept}</p>
    ${notice(problem, "bad")}
    <form class="split asking" method="post" action="${`${frame.prefix}/imports/${one_.id}/questions`}">
      <div>
        ${hidden({ token: frame.token })}
        ${when(
          one_.answers.size > 0,
          // the first button is the one that Enter presses
          () =>
            html`<button class="vh" tabindex="-1" aria-hidden="true">${texts.check}</button>
              <details class="card">
                <summary>${texts.yours(one_.answers.size)}</summary>
                ${answersList(frame, one_)}
              </details>`
        )}
        ${group("business", of("business"), each(of("business")))} ${group("taxes", taxes, spellings(taxes, given))}
        ${group("facts", of("facts"), each(of("facts")))}
      </div>
      <div>
        <section class="card stick">
          <h2 class="open-count">${texts.open}</h2>
          ${listOf(numbered, given)}
          ${when(proposed > 0, () => html`<p class="soft small">${texts.proposals(proposed)}</p>`)} ${rememberBox}
          <button class="wide">${texts.check}</button>
          <p class="soft small">${Texts.page.checkedText}</p>
        </section>
      </div>
      <p class="bar open-count" aria-hidden="true">${texts.open}</p>
    </form>
    ${card(
      texts.unsettled,
      opened.unsettled.length > 0 &&
        html`<ul class="plain-list">
            ${opened.unsettled.map(({ documents, examples, finding }) => html`<li>${finding.message} (${Texts.documents(documents)}: ${examples.join(", ")})</li>`)}
          </ul>
          <p class="soft small">${texts.unsettledText}</p>`
    )}
    <div class="links">${discardForm(frame, one_, "link")}</div>`
}

/** Returns the answers, each with a button of the form around them that opens its question. */
export const answersList = ({ prefix }: Frame, { answers, id }: PageImport): Html =>
  html`<ul class="plain-list">
    ${Array.from(answers, ([subject, { text }]) => html`<li>${text} <button class="link" formaction="${`${prefix}/imports/${id}/change`}" formnovalidate name="subject" value="${subject}" aria-label="${`${Texts.word.change}: ${subject}`}">${Texts.word.change}</button></li>`)}
  </ul>`
