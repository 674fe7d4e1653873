import { html, type Html } from "../html/Html.ts"
import * as Texts from "../text/Texts.ts"
import type { PageImport, ImportRow, SendingPhase, Standstill } from "../work/PageImport.ts"
import { discardForm } from "./AskPages.ts"
import { decidedPart } from "./part/HeldPart.ts"
import { form } from "./part/Form.ts"
import { type Frame, steps } from "./part/Layout.ts"

const texts = Texts.page

export const readingPage = (frame: Frame, one: PageImport, read: number): Html =>
  html`${steps(0)}
    <h1>${texts.reading}</h1>
    <p class="soft">${one.files.map(({ name }) => name).join(", ")}</p>
    <div data-events="${`${frame.prefix}/imports/${one.id}/events`}">
      <p data-text="text" role="status">${texts.readSoFar(read)}</p>
      <progress aria-label="${texts.reading}"></progress>
    </div>
    ${discardForm(frame, one)}`

/** Returns the page until the import is accepted. An accepted import has a separate page. */
export const sendingPage = (frame: Frame, one: PageImport, { documents, step }: SendingPhase): Html =>
  html`${steps(4)}
    <h1>${Texts.living.title.sending}: ${one.files.map(({ name }) => name).join(", ")}</h1>
    <div class="card" data-events="${`${frame.prefix}/imports/${one.id}/events`}">
      <p data-text="text" role="status">${texts.preparing[step](documents)}</p>
      <progress aria-label="${Texts.living.title.sending}"></progress>
    </div>
    <p class="soft">${texts.mayClose}</p>`

export const documentAddress = (
  frame: Frame,
  account: string,
  { id, kind }: Pick<ImportRow, "id" | "kind">
): string | null =>
  kind === null ? null : `${frame.prefix}/documents/${encodeURIComponent(account)}/${kind}/${encodeURIComponent(id)}`

/** Returns the address of the note for an invoice. `order`: the choice about the note. */
export const creditAddress = (
  frame: Pick<Frame, "prefix">,
  { account, id }: { readonly account: string; readonly id: string },
  order: Readonly<Record<string, string>> = {}
): string => `${frame.prefix}/credits?${new URLSearchParams({ account, id, ...order }).toString()}#note`

export const standstillPage = (frame: Frame, one: PageImport, { findings, text, title }: Standstill): Html =>
  html`${steps(1)}
    <h1>${title}</h1>
    <div class="note bad" role="alert">
      <p>${text}</p>
      ${findings.map(({ at, fix, message }) => html`<p><strong>${message}</strong>${at?.line === undefined ? "" : ` (line ${at.line})`}<br />${fix}</p>`)}
    </div>
    ${decidedPart(frame, `${frame.prefix}/imports/${one.id}`, one)}
    ${form(frame, `${frame.prefix}/imports/${one.id}/recheck`, {}, html`<div class="actions"><button>${texts.standstillAgain}</button></div>`)}
    <div class="links"><a href="${frame.prefix}/">${texts.another}</a> ${discardForm(frame, one, "link")}</div>`
