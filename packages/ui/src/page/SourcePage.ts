import { Provenance } from "@fiscal-connector/core/adapter"
import type { Submission } from "@fiscal-connector/core/store"
import { html, type Html, when } from "../html/Html.ts"
import { table } from "../html/Table.ts"
import * as Texts from "../text/Texts.ts"
import type { KeptImport } from "@fiscal-connector/core/host"
import type { FileNeeded, ImportedFile, SourceRow } from "../work/SourceRow.ts"
import type { SourceRows } from "../work/Workplace.ts"
import { tooLargeNote, type UploadLimit } from "./FilePage.ts"
import { hidden } from "./part/Form.ts"
import type { Frame } from "./part/Layout.ts"

const texts = Texts.sourceRow

const shown = 50

const tableOf = ({ columns, rows }: Extract<SourceRows, { _tag: "Table" }>): Html => {
  const most = Math.max(columns.length, ...rows.map(({ cells }) => cells.length))
  const some = rows.slice(0, shown)
  return html`${table(
    Texts.word.inFile,
    [Texts.page.column, ...some.map(({ line }) => texts.line(line))],
    Array.from({ length: most }, (_, at) => at).map(
      (at) =>
        html`<tr>
          <th scope="row">${columns[at] || texts.unnamed(at + 1)}</th>
          ${some.map(({ cells }) => html`<td class="mono"><bdi>${cells[at] ?? ""}</bdi></td>`)}
        </tr>`
    )
  )}
  ${when(rows.length > shown, () => html`<p class="soft small">${texts.moreRows(rows.length - shown)}</p>`)}`
}

const rowsOf = (rows: SourceRows): Html =>
  html`<section class="card">
    ${rows._tag === "Table" ? tableOf(rows) : html`<pre tabindex="0" dir="auto">${rows.text}</pre>`}
  </section>`

export const chooseForm = (
  frame: Frame,
  action: string,
  button: string,
  files: readonly [KeptImport.FileRecord, ...ReadonlyArray<KeptImport.FileRecord>],
  { given }: FileNeeded,
  limit: UploadLimit
): Html => {
  const [{ name }] = files
  return html`${when(given === "another", () => html`<div class="note bad" role="alert"><p>${texts.another(name)}</p></div>`)}
    <form class="card" method="post" action="${action}" enctype="multipart/form-data" data-limit="${limit.bytes}">
      ${hidden({ token: frame.token })}
      <p>${texts.needed}</p>
      <label class="field"><span>${texts.choose(name)}</span><input type="file" name="file" required /></label>
      ${tooLargeNote(limit)}
      <button>${button}</button>
      <p class="soft small">${texts.hashes}</p>
      <ul class="plain-list small">
        ${[...new Set(files.map(({ sha256 }) => sha256))].slice(0, 10).map((sha256) => html`<li><code>${sha256}</code></li>`)}
      </ul>
    </form>`
}

/**
 * Returns the page. `here`: address of the document's page. `known`: imports of files with the same
 * name.
 */
export const sourcePage = (
  frame: Frame,
  here: string,
  { number, source }: Pick<Submission.Submission, "number" | "source">,
  known: ReadonlyArray<ImportedFile>,
  found: SourceRow,
  limit: UploadLimit
): Html => {
  const [first, ...others] = known.map(({ file }) => file)
  return html`<p><a href="${here}">‹ ${number}</a></p>
    <h1>${texts.title(number)}</h1>
    <p class="mono">${Provenance.format(source)}</p>
    ${found._tag === "Found" ? rowsOf(found.rows) : null}
    ${found._tag === "NotRead" ? html`<div class="note bad" role="alert"><p>${texts.notRead(found.text)}</p></div>` : null}
    ${
      found._tag !== "FileNeeded"
        ? null
        : first === undefined
          ? html`<p>${texts.notRemembered}</p>`
          : chooseForm(frame, `${here}/source`, texts.show, [first, ...others], found, limit)
    }`
}
