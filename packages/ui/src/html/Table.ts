/** A table that scrolls by itself where it is too wide, by keyboard too. */
import { type Html, html, when } from "./Html.ts"

/** `figures`: a column of numbers, which stand at its right. */
export type Column = string | { readonly figures: string }

/** `label`: what a screen reader calls it; without columns it has no head. */
export const table = (label: string, columns: ReadonlyArray<Column>, rows: ReadonlyArray<Html>): Html =>
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
