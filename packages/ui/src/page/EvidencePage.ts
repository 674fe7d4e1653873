/** Page with the reading of a file and its deciding cells, for comparison with the file. */
import { html, type Html } from "../html/Html.ts"
import * as Texts from "../text/Texts.ts"
import type { PageImport } from "../work/PageImport.ts"
import type { Frame } from "./part/Layout.ts"

const texts = Texts.page

export const evidencePage = (frame: Frame, { id }: PageImport, name: string, text: string): Html =>
  html`<p><a href="${`${frame.prefix}/imports/${id}`}">‹ ${name}</a></p>
    <h1>${texts.evidence}</h1>
    <p>${texts.evidenceText}</p>
    <pre tabindex="0">${text}</pre>`
