/**
 * Decisions about the store and the device of an account: cause, consequence, and a form with the
 * reason.
 */
import type { Attention } from "@fiscal-connector/core/attention"
import { html, type Html, when } from "../html/Html.ts"
import { facts } from "../html/Table.ts"
import * as Texts from "../text/Texts.ts"
import { form, reasonField } from "./part/Form.ts"
import { type Frame, notice, toAttention } from "./part/Layout.ts"
import { toneOf } from "./HealthPage.ts"

const texts = Texts.storeDecisions

/** Returns what follows from a decision. */
export const followsPart = (follows: ReadonlyArray<string>): Html =>
  html`<h2>${Texts.word.follows}</h2>
    <ul class="plain-list">
      ${follows.map((text) => html`<li>${text}</li>`)}
    </ul>`

/** Form of a decision. */
export interface StoreDecision {
  readonly path: string
  readonly fields: Parameters<typeof form>[2]
  readonly content: Html
  readonly button: string
}

/** Shows a decision about open items. `about`: facts that are shown without an item, too. */
export const decisionPage = (
  frame: Frame,
  title: string,
  note: string | null,
  items: ReadonlyArray<Attention.AttentionItem>,
  decision: StoreDecision | null,
  about: Html | null = null
): Html =>
  html`${toAttention(frame)}
    <h1>${title}</h1>
    ${notice(note)}
    ${items.map(
      (item) =>
        html`<div class="note ${toneOf(item)}">
          <p><strong>${Texts.sentence(item.words)}</strong> <code class="soft small">${item.code}</code></p>
          <p class="small">${item.consequence} ${item.until}</p>
        </div>`
    )}
    ${about}
    ${
      decision === null || (items.length === 0 && about === null)
        ? when(note === null && about === null, () => html`<p>${texts.nothingListed}</p>`)
        : form(
            frame,
            `${frame.prefix}${decision.path}`,
            decision.fields,
            html`${decision.content} ${reasonField}<button>${decision.button}</button>`,
            "card"
          )
    }`

/** Asks who makes receipts on the device. Neither answer is chosen in advance. */
export const whoUses: Html = html`<fieldset>
  <legend>${texts.whoUses}</legend>
  ${Object.entries(texts.whoUsesIt).map(
    ([name, [label, follows]]) =>
      html`<label class="line"
        ><input type="radio" name="stated" value="${name}" required /><span
          >${label} <span class="soft small">${follows}</span></span
        ></label
      >`
  )}
</fieldset>`

/** Returns the device so far, and the one that the gateway names now. */
export const devicesPart = (before: string, now: string): Html =>
  html`${facts([
    [texts.before, before],
    [texts.now, now]
  ])}
  ${when(before === now, () => html`<p>${texts.sameDevice}</p>`)}`
