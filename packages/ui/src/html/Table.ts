import { type Html, html, when } from "./Html.ts"

/** `figures`: a column of numbers, right-aligned. */
export type HtmlColumn = string | { readonly figures: string }

export const table = (label: string, columns: ReadonlyArray<HtmlColumn>, rows: ReadonlyArray<Html>): Html =>
  html`<div class="table" tabindex="0" role="region" aria-label="${label}">
    <table>
      ${when(
        columns.length > 0,
        () =>
          html`<thead>
            <tr>
              ${columns.map((column) =>
                typeof column === "string"
                  ? html`<th scope="col">${column}</th>`
                  : html`<th scope="col" class="number">${column.figures}</th>`
              )}
            </tr>
          </thead>`
      )}
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`
