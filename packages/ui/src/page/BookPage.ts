/** The mapping book as its text: what the other pages do not ask for is written here, and checked before it is kept. */
import type { Finding } from "@fiscal-connector/core/finding/Finding"
import { html, type Html, when } from "../html/Html.ts"
import * as Words from "../text/Words.ts"
import { type Frame, tokenOf } from "./Layout.ts"

const words = Words.book

/** `was`: by what the form knows whether the book has changed since; null where there is no book yet. */
export const bookPage = (
  frame: Frame,
  name: string,
  was: string | null,
  text: string,
  problems: ReadonlyArray<Finding>,
  note: string | null
): Html =>
  html`<h1>${Words.page.bookFile}</h1>
    <p>${words.about}</p>
    ${when(note, () => html`<div class="note waiting" role="alert"><p>${note}</p></div>`)}
    ${when(
      problems.length > 0,
      () =>
        html`<div class="note bad" role="alert">
          <p><strong>${words.problems}</strong></p>
          <ul class="plain-list">
            ${problems.map(({ at, fix, message }) => html`<li>${at?.line === undefined ? "" : words.line(at.line, at.column ?? 1)}${message}. ${fix}</li>`)}
          </ul>
        </div>`
    )}
    ${
      was === null
        ? html`<p class="soft">${words.none}</p>`
        : html`<form method="post" action="${frame.prefix}/book">
            ${tokenOf(frame)}<input type="hidden" name="was" value="${was}" />
            <label class="field"
              ><span>${name}</span><textarea name="text" spellcheck="false" autocomplete="off">${text}</textarea>
            </label>
            <div class="actions"><button>${words.save}</button></div>
          </form>`
    }`
