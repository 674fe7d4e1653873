import type { Originals } from "@fiscal-connector/core/session"
import { Provenance } from "@fiscal-connector/core/adapter"
import { html, type Html, when } from "../html/Html.ts"
import { card, table } from "../html/Table.ts"
import * as Texts from "../text/Texts.ts"
import type { PageImport } from "../work/PageImport.ts"
import { discardForm } from "./AskPages.ts"
import type { Frame } from "./part/Layout.ts"

const texts = Texts.originals

/** Maximum number of entries that were not registered. The command lists all. */
const shown = 200

const listed = (what: string, numbers: ReadonlyArray<string>): Html =>
  when(
    numbers.length > 0,
    () => html`<div class="note bad"><p>${what}: ${numbers.slice(0, shown).join(", ")}</p></div>`
  )

export const originalsPage = (
  frame: Frame,
  one: PageImport,
  { differing, findings, fiscalisedHere, held, known, passedOver, registered, taken }: Originals.OriginalsReport
): Html =>
  html`<h1>${texts.done}</h1>
    <p class="soft">${one.files.map(({ name }) => name).join(", ")}</p>
    <ul class="figures">
      <li><strong>${registered.toLocaleString("en")}</strong> ${texts.registered}</li>
      <li><strong>${known.toLocaleString("en")}</strong> ${texts.known}</li>
      <li><strong>${passedOver.toLocaleString("en")}</strong> ${texts.passedOver}</li>
    </ul>
    <p>${texts.nothingSent}</p>
    ${listed(texts.held, held)}${listed(texts.differing, differing)}${listed(texts.fiscalisedHere, fiscalisedHere)}${listed(texts.taken, taken)}
    ${card(
      texts.not,
      findings.length > 0 &&
        table(
          texts.not,
          [Texts.word.number, { text: Texts.report.place, look: "mono" }, Texts.word.why, Texts.word.toDo],
          findings
            .slice(0, shown)
            .map(({ finding: { at, detail, fix, message }, number }) => [
              number ?? "",
              at === undefined ? "" : Provenance.format(at),
              `${message}${detail === undefined ? "" : ` (${detail})`}`,
              fix
            ])
        )
    )}
    <div class="actions"><a class="button" href="${frame.prefix}/">${Texts.page.another}</a></div>
    ${discardForm(frame, one)}`
