/**
 * Comparison of the gateway's mappings with the book: changes, consequences, and a button that
 * applies exactly these changes.
 */
import { type Finding, refuses } from "@fiscal-connector/core/finding/Finding"
import * as MappingStep from "@fiscal-connector/core/unstable/mapping/MappingStep"
import { html, type Html, when } from "../html/Html.ts"
import * as Parts from "../report/Parts.ts"
import * as Texts from "../text/Texts.ts"
import type { PageImport } from "../work/PageImport.ts"
import { type Frame, tokenOf } from "./part/Layout.ts"

const texts = Texts.mappings

/** Returns the page. `id`: identifies the shown plan in the form, null without changes. */
export const mappingsPage = (
  frame: Frame,
  account: string,
  steps: ReadonlyArray<MappingStep.MappingStep>,
  findings: ReadonlyArray<Finding>,
  id: string | null,
  note: string | null
): Html =>
  html`<h1>${texts.title(account)}</h1>
    <p>${texts.about}</p>
    ${when(note, () => html`<div class="note waiting" role="alert"><p>${note}</p></div>`)}
    ${findings.filter(refuses).map((finding) => html`<div class="note bad">${Parts.foundText(finding)}</div>`)}
    ${
      id === null
        ? findings.some(refuses)
          ? html`<p>${texts.forAPerson}</p>`
          : html`<div class="note good">
              <p><strong>${texts.nothing}</strong></p>
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
            <p><strong>${texts.permanent}</strong></p>
            <div class="actions"><button>${texts.apply(steps.length)}</button></div>
          </form>`
    }
    ${beside(findings.filter((finding) => !refuses(finding)))}
    <p><a href="${frame.prefix}/">${Texts.page.import}</a></p>`

/** Lists mappings that exist only at the gateway. They are harmless and need no action. */
const beside = (findings: ReadonlyArray<Finding>): Html =>
  when(
    findings.length > 0,
    () =>
      html`<details>
        <summary>${texts.beside(findings.length)}</summary>
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
  return html`<h1>${texts.doneTitle}</h1>
    <div class="note good" role="status">
      <p><strong>${texts.applied}</strong></p>
      <ul class="plain-list">
        ${steps.map((step) => html`<li>${MappingStep.describe(step)}</li>`)}
      </ul>
    </div>
    ${waiting.map(
      ({ files, id }) =>
        html`<form method="post" action="${frame.prefix}/imports/${id}/recheck">
          ${tokenOf(frame)}<button>${texts.continueWith(files.map(({ name }) => name).join(", "))}</button>
        </form>`
    )}
    <p><a href="${`${frame.prefix}/mappings?account=${encodeURIComponent(account)}`}">${texts.title(account)}</a></p>`
}
