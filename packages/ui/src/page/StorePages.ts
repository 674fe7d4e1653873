/**
 * Decisions about the store and the device of an account: cause, consequence, and a form with the
 * reason.
 */
import type { Attention } from "@fiscal-connector/core/attention"
import { html, type Html } from "../html/Html.ts"
import * as Texts from "../text/Texts.ts"
import { type Frame, notice, reasonField, toAttention, tokenOf } from "./part/Layout.ts"

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
      ({ code, consequence, text, until }) =>
        html`<div class="note ${tone}">
          <p><strong>${text}</strong> <code>${code}</code></p>
          <p class="small">${consequence} ${until}</p>
        </div>`
    )}`

const consequences = (items: ReadonlyArray<string>): Html =>
  html`<h2>${Texts.word.follows}</h2>
    <ul class="plain-list">
      ${items.map((text) => html`<li>${text}</li>`)}
    </ul>`

export const olderPage = (
  frame: Frame,
  items: ReadonlyArray<Attention.AttentionItem>,
  planned: number,
  note: string | null
): Html =>
  html`${top(frame, texts.older, note, items)}
  ${
    items.length === 0
      ? html`<p>${texts.nothingListed}</p>`
      : html`<form class="card" method="post" action="${frame.prefix}/accept-older">
          ${tokenOf(frame)} ${consequences(texts.olderConsequences)} ${reasonField}
          <button>${texts.acceptOlder(planned)}</button>
        </form>`
  }`

export const acceptedPage = (frame: Frame, note: string): Html =>
  html`${top(frame, texts.older, note, [])}
    <p>${texts.openAgain}</p>
    <form method="post" action="${frame.prefix}/resume">
      ${tokenOf(frame)}<button class="quiet">${Texts.document.resume}</button>
    </form>`

/** Asks who makes receipts on the device. Neither answer is chosen in advance. */
export const othersPage = (
  frame: Frame,
  { account, lane }: { readonly account: string; readonly lane: string },
  items: ReadonlyArray<Attention.AttentionItem>,
  note: string | null
): Html =>
  html`${top(frame, texts.others(lane), note, items)}
    <form class="card" method="post" action="${frame.prefix}/other-programs">
      ${tokenOf(frame)}<input type="hidden" name="account" value="${account}" />
      <fieldset>
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
      <button>${Texts.document.record}</button>
    </form>`

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
            ${consequences(texts.repinConsequences(planned))} ${reasonField}
            <button>${texts.move(now)}</button>
          </form>`
    }`
