/** Everything that only a person can know: the zone, how a file is to be read, which column is what. One decision after the other, with the file's own cells. */
import type { Answer } from "@fiscal-connector/core/finding/Answer"
import * as RememberedAnswers from "@fiscal-connector/core/unstable/source/RememberedAnswers"
import type { Question } from "@fiscal-connector/core/source/Adapter"
import { Flag, html, type Html, when } from "../html/Html.ts"
import { table } from "../html/Table.ts"
import * as Words from "../text/Words.ts"
import type { PageImport, Phase } from "../work/PageImport.ts"
import { zoneOptions } from "./part/ZoneOptions.ts"
import { type Frame, steps, tokenOf } from "./part/Layout.ts"

const words = Words.page

const action = (frame: Frame, { id }: PageImport, what: string): string => `${frame.prefix}/imports/${id}/${what}`

export const discardForm = (frame: Frame, one: PageImport): Html =>
  html`<form method="post" action="${action(frame, one, "discard")}">
    ${tokenOf(frame)}<button class="quiet">${words.discard}</button>
  </form>`

/** For files whose columns have names. */
const rememberBox = ({ format }: PageImport): Html =>
  when(
    format.header,
    () =>
      html`<label class="line"
        ><input type="checkbox" name="remember" value="yes" checked /><span>${words.remember}</span></label
      >`
  )

/** What was remembered, from where, and how it is forgotten. */
export const recalledNote = (frame: Frame, one: PageImport, file: string): Html => {
  const { recalled } = one
  return recalled === null
    ? html``
    : html`<form class="note" method="post" action="${action(frame, one, "forget")}">
        ${tokenOf(frame)}
        <p>${words.recalledFrom(RememberedAnswers.inWords(recalled), recalled.from, recalled.on, file)}</p>
        <div class="actions"><button class="quiet">${words.forgetAnswers}</button></div>
      </form>`
}

export const zonePage = (
  frame: Frame,
  one: PageImport,
  { documents, problem, proposed }: Extract<Phase, { _tag: "Zone" }>
): Html =>
  html`${steps(1)}
    <h1>${words.zoneTitle}</h1>
    ${when(documents > 0, () => html`<p>${words.zoneRead(documents)}</p>`)}
    <p>${words.zoneText}</p>
    ${when(problem, () => html`<div class="note bad" role="alert"><p>${problem}</p></div>`)}
    <form class="card" method="post" action="${action(frame, one, "zone")}">
      ${tokenOf(frame)}
      <label class="field"
        ><span>${words.zone}</span
        ><select name="zone" required>
          ${zoneOptions(proposed)}
        </select></label
      >
      <button>${words.goOn}</button>
    </form>
    ${discardForm(frame, one)}`

/** The name of what a person has to fill in. */
const asked = (answer: Answer): string | null => ("ask" in answer ? answer.ask : null)

const readings = (question: Question, at: number): ReadonlyArray<Html> =>
  question.readings.map(({ answer, examples, reading }, index) => {
    const fill = asked(answer)
    const value = `${at}.${index}`
    return html`<label class="line"
      ><input
        type="radio"
        name="${`answer.${at}`}"
        value="${value}"
        required${new Flag("checked", question.readings.length === 1)}
      />
      <span
        >${reading} ${examples.map((example) => html`<span class="reading"><code>${example}</code></span>`)}
        ${fill === null ? null : html`<input type="text" name="${`fill.${value}`}" aria-label="${fill === "currency" ? words.askCurrency : words.askOther(fill)}" autocomplete="off" />`}</span
      ></label
    >`
  })

export const questionsPage = (frame: Frame, one: PageImport, { questions }: Extract<Phase, { _tag: "Asking" }>): Html =>
  html`${steps(1)}
    <h1>${words.questionsTitle}</h1>
    <p>${words.questionsText(questions.length)}</p>
    <form method="post" action="${action(frame, one, "answers")}">
      ${tokenOf(frame)}
      ${questions.map(
        (question, at) =>
          html`<fieldset class="card">
            <legend>${question.question}</legend>
            <p class="soft small">${question.file}</p>
            ${readings(question, at)}
          </fieldset>`
      )}
      ${rememberBox(one)}
      <div class="actions"><button>${words.goOn}</button></div>
    </form>
    ${discardForm(frame, one)}`

/** What an answer of the adapter means, as far as a click can say it. */
const answerText = (answer: Answer): string => {
  if ("settings" in answer)
    return Object.entries(answer.settings)
      .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
      .join(", ")
  if ("layout" in answer) return answer.layout
  if ("ask" in answer) return answer.ask
  return JSON.stringify("map" in answer ? answer.map : answer.columns)
}

export const unreadablePage = (
  frame: Frame,
  one: PageImport,
  { answers, fix, problem }: Extract<Phase, { _tag: "Unreadable" }>
): Html => {
  const usable = answers.filter((answer) => !("columns" in answer))
  return html`${steps(1)}
    <h1>${words.unreadableTitle}</h1>
    <div class="note bad">
      <p>${problem}</p>
      <p>${fix}</p>
    </div>
    ${when(
      usable.length > 0,
      () =>
        html`<form class="card" method="post" action="${action(frame, one, "answers")}">
          ${tokenOf(frame)}
          <fieldset>
            <legend>${words.answersTitle}</legend>
            ${usable.map((answer) => {
              const at = answers.indexOf(answer)
              const fill = asked(answer)
              return html`<label class="line"
                ><input type="radio" name="answer.0" value="${`0.${at}`}" required /><span
                  >${answerText(answer)}
                  ${fill === null ? null : html`<input type="text" name="${`fill.0.${at}`}" aria-label="${words.askOther(fill)}" autocomplete="off" />`}</span
                ></label
              >`
            })}
          </fieldset>
          ${rememberBox(one)}
          <button>${words.goOn}</button>
        </form>`
    )}
    ${discardForm(frame, one)}`
}

export const columnsPage = (
  frame: Frame,
  one: PageImport,
  { problem, seen }: Extract<Phase, { _tag: "Columns" }>
): Html => {
  const missing = seen.needed.filter((field) => seen.columns.every((column) => column.field !== field))
  return html`${steps(1)}
    <h1>${words.columnsTitle}</h1>
    <div class="note waiting">
      <p>${problem}</p>
      ${when(missing.length > 0, () => html`<p>${words.missing(missing.map(Words.field).join(", "))}</p>`)}
    </div>
    <form class="card" method="post" action="${action(frame, one, "columns")}" data-once="columns">
      ${tokenOf(frame)}
      ${table(
        words.columnsTitle,
        [words.column, words.examples, words.is],
        seen.columns.map(
          ({ examples, field, name }, at) =>
            html`<tr>
              <th scope="row">${name === "" ? "—" : name}</th>
              <td class="mono">${examples.slice(0, 3).map((example) => html`«${example.slice(0, 60)}» `)}</td>
              <td>
                <select name="${`column.${at}`}" aria-label="${`${words.is} ${name}`}">
                  <option value="">${words.notUsed}</option>
                  ${seen.fields.map(
                    (each) =>
                      html`<option value="${each}" ${new Flag("selected", each === field)}>
                        ${Words.field(each)}
                      </option>`
                  )}
                </select>
              </td>
            </tr>`
        )
      )}
      ${rememberBox(one)}
      <div class="actions"><button>${words.goOn}</button></div>
    </form>
    ${discardForm(frame, one)}`
}
