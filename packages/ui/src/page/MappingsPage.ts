/** The gateway's mappings beside the book: what would change, what follows, and the button that does exactly that. */
import type { Finding } from "@fiscal-connector/core/finding/Finding"
import * as MappingStep from "@fiscal-connector/core/unstable/mapping/MappingStep"
import { html, type Html, when } from "../html/Html.ts"
import * as Parts from "../report/Parts.ts"
import * as Words from "../text/Words.ts"
import { type Frame, tokenOf } from "./Layout.ts"

const words = Words.mappings

/** `id`: by which the form names this very plan; null where nothing is to be done. */
export const mappingsPage = (
  frame: Frame,
  account: string,
  steps: ReadonlyArray<MappingStep.MappingStep>,
  findings: ReadonlyArray<Finding>,
  id: string | null,
  note: string | null
): Html =>
  html`<h1>${words.title(account)}</h1>
    <p>${words.about}</p>
    ${when(note, () => html`<div class="note waiting" role="alert"><p>${note}</p></div>`)}
    ${findings.map((finding) => html`<div class="note bad">${Parts.foundText(finding)}</div>`)}
    ${
      id === null
        ? html`<p>${findings.length === 0 ? words.nothing : words.forAPerson}</p>`
        : html`<form class="card" method="post" action="${frame.prefix}/mappings">
            ${tokenOf(frame)}<input type="hidden" name="plan" value="${id}" />
            <ol>
              ${steps.map(
                (step) =>
                  html`<li>
                    <strong>${MappingStep.describe(step)}</strong><br /><span class="soft"
                      >${MappingStep.consequence(step)}</span
                    >
                  </li>`
              )}
            </ol>
            <div class="actions"><button>${words.apply(steps.length)}</button></div>
          </form>`
    }
    <p><a href="${frame.prefix}/">${Words.page.import}</a></p>`
