import { html, type Html } from "../html/Html.ts"
import * as Texts from "../text/Texts.ts"
import type { PageImport, ImportRow, SendingPhase, Standstill } from "../work/PageImport.ts"
import { discardForm } from "./AskPages.ts"
import { decidedPart } from "./part/HeldPart.ts"
import { form } from "./part/Form.ts"
import { type Frame, steps } from "./part/Layout.ts"

const texts = Texts.page

/** Returns a step that ends alone, with its progress. */
const waitingPage = (frame: Frame, { files, id }: PageImport, step: number, title: string, text: string): Html =>
  html`${steps(step)}
    <h1>${title}</h1>
    <p class="soft">${files.map(({ name }) => name).join(", ")}</p>
    <div class="card" data-events="${`${frame.prefix}/imports/${id}/events`}">
      <p data-text="text" role="status">${text}</p>
      <progress aria-label="${title}"></progress>
    </div>`

export const readingPage = (frame: Frame, one: PageImport, read: number): Html =>
  html`${waitingPage(frame, one, 0, texts.reading, texts.readSoFar(read))} ${discardForm(frame, one)}`

/** Returns the page until the import is accepted. An accepted import has a separate page. */
export const sendingPage = (frame: Frame, one: PageImport, { documents, step }: SendingPhase): Html =>
  html`${waitingPage(frame, one, 4, Texts.living.title.sending, texts.preparing[step](documents))}
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
