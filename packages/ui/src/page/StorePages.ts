/**
 * Decisions about the store and the device of an account: cause, consequence, and a form with the
 * reason.
 */
import type { Attention } from "@fiscal-connector/core/attention"
import { html, type Html } from "../html/Html.ts"
import { facts } from "../html/Table.ts"
import * as Texts from "../text/Texts.ts"
import { form, reasonField, resumeForm } from "./part/Form.ts"
import { type Frame, notice, toAttention } from "./part/Layout.ts"

const texts = Texts.storeDecisions

export const top = (
  frame: Frame,
  title: string,
  note: string | null,
  items: ReadonlyArray<Attention.AttentionItem>,
  tone: "bad" | "waiting" = "bad"
): Html =>
  html`${toAttention(frame)}
    <h1>${title}</h1>
    ${notice(note)}
    ${items.map(
      ({ code, consequence, until, words }) =>
        html`<div class="note ${tone}">
          <p><strong>${Texts.sentence(words)}</strong> <code class="soft small">${code}</code></p>
          <p class="small">${consequence} ${until}</p>
        </div>`
    )}`

/** Returns the form of a decision: what follows from it, its reason, and its button. */
const decisionForm = (
  frame: Frame,
  path: string,
  fields: Parameters<typeof form>[2],
  follows: ReadonlyArray<string>,
  button: string
): Html =>
  form(
    frame,
    `${frame.prefix}${path}`,
    fields,
    html`<h2>${Texts.word.follows}</h2>
      <ul class="plain-list">
        ${follows.map((text) => html`<li>${text}</li>`)}
      </ul>
      ${reasonField}<button>${button}</button>`,
    "card"
  )

export const olderPage = (
  frame: Frame,
  items: ReadonlyArray<Attention.AttentionItem>,
  planned: number,
  note: string | null
): Html =>
  html`${top(frame, texts.older, note, items)}
  ${items.length === 0 ? html`<p>${texts.nothingListed}</p>` : decisionForm(frame, "/accept-older", {}, texts.olderConsequences, texts.acceptOlder(planned))}`

/** Ends the item of documents that were not accepted, and must not be sent. */
export const dismissPage = (
  frame: Frame,
  { account, cause }: { readonly account: string; readonly cause: string },
  items: ReadonlyArray<Attention.AttentionItem>,
  note: string | null
): Html => {
  const documents = items.reduce((sum, one) => sum + one.documents, 0)
  return html`${top(frame, texts.dismiss(documents), note, items)}
  ${items.length === 0 ? html`<p>${texts.nothingListed}</p>` : decisionForm(frame, "/dismiss", { account, cause }, texts.dismissConsequences, texts.dismiss(documents))}`
}

export const acceptedPage = (frame: Frame, note: string): Html =>
  html`${top(frame, texts.older, note, [])}
    <p>${texts.openAgain}</p>
    ${resumeForm(frame, "none")}`

/** Asks who makes receipts on the device. Neither answer is chosen in advance. */
export const othersPage = (
  frame: Frame,
  { account, lane }: { readonly account: string; readonly lane: string },
  items: ReadonlyArray<Attention.AttentionItem>,
  note: string | null
): Html =>
  html`${top(frame, texts.others(lane), note, items)}
  ${form(
    frame,
    `${frame.prefix}/other-programs`,
    { account },
    html`<fieldset>
        <legend>${texts.whoUses}</legend>
        ${Object.entries(texts.whoUsesIt).map(
          ([name, [label, follows]]) =>
            html`<label class="line"
              ><input type="radio" name="stated" value="${name}" required /><span
                >${label} <span class="soft small">${follows}</span></span
              ></label
            >`
        )}
      </fieldset>
      ${reasonField}
      <button>${Texts.document.record}</button>`,
    "card"
  )}`

export interface Devices {
  readonly account: string
  readonly before: string
  readonly now: string
}

export const repinPage = (
  frame: Frame,
  { account, before, now }: Devices,
  items: ReadonlyArray<Attention.AttentionItem>,
  planned: number,
  note: string | null
): Html =>
  html`${top(frame, texts.repin(account), note, items)}
  ${facts([
    [texts.before, before],
    [texts.now, now]
  ])}
  ${
    before === now
      ? html`<p>${texts.sameDevice}</p>`
      : decisionForm(frame, "/repin", { account, device: now }, texts.repinConsequences(planned), texts.move(now))
  }`
