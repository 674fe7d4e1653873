/** First step of an import: the choice of a file, and the running imports. */
import { html, type Html, when } from "../html/Html.ts"
import { table } from "../html/Table.ts"
import * as Words from "../text/Words.ts"
import type { PageImport } from "../work/PageImport.ts"
import type { Workplace } from "../work/Workplace.ts"
import { type Frame, steps, tokenOf } from "./part/Layout.ts"

const words = Words.page

/** Maximum total size of the files in a form. */
export interface UploadLimit {
  readonly bytes: number
  readonly words: string
}

/** Returns the note about too large files. The script shows it before sending. */
export const tooLargeNote = ({ words: limit }: UploadLimit): Html =>
  html`<p class="note bad" role="alert" data-too-large="files" hidden>${words.tooLarge(limit)}</p>`

export const filePage = (
  frame: Frame,
  { accounts, formats }: Pick<Workplace, "accounts" | "formats">,
  running: ReadonlyArray<PageImport>,
  kept: Html,
  limit: UploadLimit,
  problem: string | null,
  example: "offered" | "hidden"
): Html =>
  html`${steps(0)}
    <h1>${words.import}</h1>
    ${when(
      frame.around.open > 0,
      () =>
        html`<div class="note waiting">
          <p><strong>${words.openTitle(frame.around.open)}</strong></p>
          <ul class="plain-list">
            ${frame.around.worst.map((text) => html`<li>${text}</li>`)}
          </ul>
          <div class="actions"><a class="button quiet" href="${frame.prefix}/health">${words.openLook}</a></div>
        </div>`
    )}
    ${when(problem, () => html`<div class="note bad" role="alert"><p>${problem}</p></div>`)}
    <form method="post" action="${frame.prefix}/imports" enctype="multipart/form-data" data-limit="${limit.bytes}">
      ${tokenOf(frame)}
      ${
        accounts.length > 1
          ? html`<div class="field">
              <span id="account-name">${words.account}</span
              ><select name="account" aria-labelledby="account-name">
                ${accounts.map((name) => html`<option value="${name}">${name}</option>`)}
              </select>
            </div>`
          : html`<input type="hidden" name="account" value="${accounts[0] ?? ""}" />`
      }
      <div class="drop" data-drop="files">
        <p class="big" id="files-name">${words.choose}</p>
        <input type="file" name="file" multiple required aria-labelledby="files-name" />
        <p class="soft small">${words.limit(limit.words)}</p>
      </div>
      ${tooLargeNote(limit)}
      <p class="soft">${words.promise}</p>
      <div class="actions"><button>${words.read}</button></div>
      <div class="chips">
        <div>
          <span id="format-name">${words.format}</span>
          <select name="format" aria-labelledby="format-name">
            <option value="">${words.byEnding}</option>
            ${formats.map(({ name, title }) => html`<option value="${name}">${title}</option>`)}
          </select>
        </div>
        <div>
          <span id="purpose-name">${Words.originals.purpose}</span>
          <select name="purpose" aria-labelledby="purpose-name">
            <option value="import">${Words.originals.import}</option>
            <option value="originals">${Words.originals.register}</option>
          </select>
        </div>
      </div>
    </form>
    ${when(
      example === "offered",
      () =>
        html`<form class="card" method="post" action="${frame.prefix}/example">
          ${tokenOf(frame)}
          <h2>${words.exampleTitle}</h2>
          <p>${words.exampleText}</p>
          <button class="quiet">${words.example}</button>
        </form>`
    )}
    ${when(running.length > 0, () => runningOf(frame, running))} ${kept}`

const runningOf = (frame: Frame, running: ReadonlyArray<PageImport>): Html =>
  html`<section class="card">
    <h2>${words.running}</h2>
    ${table(
      words.running,
      [],
      running.map(
        ({ files, id, phase }) =>
          html`<tr>
            <td>${files.map(({ name }) => name).join(", ")}</td>
            <td>${Words.phases[phase._tag]}</td>
            <td>
              <a href="${frame.prefix}/imports/${id}" aria-label="${`${words.open} ${files[0]?.name ?? ""}`}"
                >${words.open}</a
              >
            </td>
          </tr>`
      )
    )}
  </section>`
