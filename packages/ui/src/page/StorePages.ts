/**
 * Decisions about the store and the device of an account: cause, consequence, and a form with the
 * reason.
 */
import type { AttentionItem } from "@fiscal-connector/core/attention/Attention"
import { html, type Html } from "../html/Html.ts"
import * as Texts from "../text/Texts.ts"
import { type Frame, notice, tokenOf } from "./part/Layout.ts"

const texts = Texts.storeDecisions

const top = (frame: Frame, title: string, note: string | null, items: ReadonlyArray<AttentionItem>): Html =>
  html`<p><a href="${frame.prefix}/health">‹ ${Texts.page.health}</a></p>
    <h1>${title}</h1>
    ${notice(note)}
    ${items.map(
      ({ code, consequence, text, until }) =>
        html`<div class="note bad">
          <p><strong>${text}</strong> <code>${code}</code></p>
          <p class="small">${consequence} ${until}</p>
        </div>`
    )}`

const consequences = (items: ReadonlyArray<string>): Html =>
  html`<h2>${texts.consequence}</h2>
    <ul class="plain-list">
      ${items.map((text) => html`<li>${text}</li>`)}
    </ul>`

const reason: Html = html`<label class="field"
  ><span>${Texts.document.because}</span><input type="text" name="because" required autocomplete="off"
/></label>`

export const olderPage = (
  frame: Frame,
  items: ReadonlyArray<AttentionItem>,
  planned: number,
  note: string | null
): Html =>
  html`${top(frame, texts.older, note, items)}
  ${
    items.length === 0
      ? html`<p>${texts.nothingListed}</p>`
      : html`<form class="card" method="post" action="${frame.prefix}/accept-older">
          ${tokenOf(frame)} ${consequences(texts.olderConsequences(planned))} ${reason}
          <button>${texts.acceptOlder(planned)}</button>
        </form>`
  }`

export const acceptedPage = (frame: Frame, note: string): Html =>
  html`${top(frame, texts.older, note, [])}
    <p>${texts.openAgain}</p>
    <form method="post" action="${frame.prefix}/resume">
      ${tokenOf(frame)}<button class="quiet">${Texts.health.proceed}</button>
    </form>`

export interface Devices {
  readonly account: string
  readonly before: string
  readonly now: string
}

export const repinPage = (
  frame: Frame,
  { account, before, now }: Devices,
  items: ReadonlyArray<AttentionItem>,
  planned: number,
  note: string | null
): Html =>
  html`${top(frame, texts.repin(account), note, items)}
    <dl>
      <dt>${texts.before}</dt>
      <dd>${before}</dd>
      <dt>${texts.now}</dt>
      <dd>${now}</dd>
    </dl>
    ${
      before === now
        ? html`<p>${texts.sameDevice}</p>`
        : html`<form class="card" method="post" action="${frame.prefix}/repin">
            ${tokenOf(frame)}<input type="hidden" name="account" value="${account}" /><input
              type="hidden"
              name="device"
              value="${now}"
            />
            ${consequences(texts.repinConsequences(planned))} ${reason}
            <button>${texts.move(now)}</button>
          </form>`
    }`
