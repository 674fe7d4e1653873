/** Page with the reading of a file and its deciding cells, for comparison with the file. */
import { html, type Html } from "../html/Html.ts"
import * as Words from "../text/Words.ts"
import type { PageImport } from "../work/PageImport.ts"
import type { Frame } from "./part/Layout.ts"

const words = Words.page

export const evidencePage = (frame: Frame, { id }: PageImport, name: string, text: string): Html =>
  html`<p><a href="${`${frame.prefix}/imports/${id}`}">‹ ${name}</a></p>
    <h1>${words.evidence}</h1>
    <p>${words.evidenceText}</p>
    <pre tabindex="0">${text}</pre>`
