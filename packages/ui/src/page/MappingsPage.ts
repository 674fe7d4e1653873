/**
 * Comparison of the gateway's mappings with the book: changes, consequences, and a button that
 * applies exactly these changes.
 */
import { type Finding, refuses } from "@fiscal-connector/core/finding/Finding"
import * as MappingStep from "@fiscal-connector/core/unstable/mapping/MappingStep"
import { html, type Html, when } from "../html/Html.ts"
import * as Parts from "../report/Parts.ts"
import * as Words from "../text/Words.ts"
import type { PageImport } from "../work/PageImport.ts"
import { type Frame, tokenOf } from "./part/Layout.ts"

const words = Words.mappings

/** Returns the page. `id`: identifies the shown plan in the form, null without changes. */
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
    ${findings.filter(refuses).map((finding) => html`<div class="note bad">${Parts.foundText(finding)}</div>`)}
    ${
      id === null
        ? findings.some(refuses)
          ? html`<p>${words.forAPerson}</p>`
          : html`<div class="note good">
              <p><strong>${words.nothing}</strong></p>
            </div>`
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
            <p><strong>${words.permanent}</strong></p>
            <div class="actions"><button>${words.apply(steps.length)}</button></div>
          </form>`
    }
    ${beside(findings.filter((finding) => !refuses(finding)))}
    <p><a href="${frame.prefix}/">${Words.page.import}</a></p>`

/** Lists mappings that exist only at the gateway. They are harmless and need no action. */
const beside = (findings: ReadonlyArray<Finding>): Html =>
  when(
    findings.length > 0,
    () =>
      html`<details>
        <summary>${words.beside(findings.length)}</summary>
        <ul class="plain-list">
          ${findings.map(({ message }) => html`<li>${message}</li>`)}
        </ul>
      </details>`
  )

/** Lists the applied changes, with buttons for the imports that waited for them. */
export const mappingsDone = (
  frame: Frame,
  account: string,
  steps: ReadonlyArray<MappingStep.MappingStep>,
  imports: ReadonlyArray<PageImport>
): Html => {
  const waiting = imports.filter((one) => one.account === account && one.phase._tag === "Standstill")
  return html`<h1>${words.doneTitle}</h1>
    <div class="note good" role="status">
      <p><strong>${words.applied}</strong></p>
      <ul class="plain-list">
        ${steps.map((step) => html`<li>${MappingStep.describe(step)}</li>`)}
      </ul>
    </div>
    ${waiting.map(
      ({ files, id }) =>
        html`<form method="post" action="${frame.prefix}/imports/${id}/recheck">
          ${tokenOf(frame)}<button>${words.goOnWith(files.map(({ name }) => name).join(", "))}</button>
        </form>`
    )}
    <p><a href="${`${frame.prefix}/mappings?account=${encodeURIComponent(account)}`}">${words.title(account)}</a></p>`
}
