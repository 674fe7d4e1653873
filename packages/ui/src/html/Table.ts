import { type Html, html, when } from "./Html.ts"

/**
 * `figures`: a column of numbers, right-aligned. `place`: one whose name a card of a small screen
 * shows, with a text below the name. `look`: class of the cells.
 */
export type HtmlColumn =
  | string
  | { readonly figures: string }
  | { readonly place: string; readonly about?: string }
  | { readonly text: string; readonly look: "mono" | "nowrap" | "small" | "soft nowrap" | "why" }

type Content = string | number | null | Html

/** Cells in the order of the columns, or a finished row. */
export type TableRow = Html | ReadonlyArray<Content>

const lookOf = (column: HtmlColumn | undefined): string =>
  column === undefined || typeof column === "string" ? "" : "look" in column ? column.look : "number"

const headOf = (column: HtmlColumn): Html =>
  typeof column === "string" || "look" in column
    ? html`<th scope="col">${typeof column === "string" ? column : column.text}</th>`
    : "figures" in column
      ? html`<th scope="col" class="number">${column.figures}</th>`
      : html`<th scope="col" class="number">
          ${column.place}${when(column.about, () => html`<br /><span class="soft">${column.about}</span>`)}
        </th>`

export const headsOf = (columns: ReadonlyArray<HtmlColumn>): Html =>
  html`<thead>
    <tr>
      ${columns.map(headOf)}
    </tr>
  </thead>`

const cellOf = (column: HtmlColumn | undefined, cell: Content): Html => {
  if (typeof column === "object" && "place" in column)
    return html`<td class="number" data-l="${column.place}">${when(cell !== "", () => html`<div>${cell}</div>`)}</td>`
  const look = lookOf(column)
  return look === "" ? html`<td>${cell}</td>` : html`<td class="${look}">${cell}</td>`
}

export const rowOf = (columns: ReadonlyArray<HtmlColumn>, row: TableRow): Html =>
  "text" in row
    ? row
    : html`<tr>
        ${row.map((cell, at) => cellOf(columns[at], cell))}
      </tr>`

/** Returns the table. `foot`: row of sums. */
export const table = (
  label: string,
  columns: ReadonlyArray<HtmlColumn>,
  rows: ReadonlyArray<TableRow>,
  foot: TableRow | null = null
): Html =>
  html`<div class="table" tabindex="0" role="region" aria-label="${label}">
    <table>
      ${when(columns.length > 0, () => headsOf(columns))}
      <tbody>
        ${rows.map((row) => rowOf(columns, row))}
      </tbody>
      ${
        foot &&
        html`<tfoot>
          ${rowOf(columns, foot)}
        </tfoot>`
      }
    </table>
  </div>`

/** Returns names with their values. `amounts`: figures, right-aligned; `sum` is their total. */
export const facts = (
  pairs: ReadonlyArray<readonly [name: string, value: Content, is?: "sum"]>,
  look: "facts" | "amounts" = "facts"
): Html =>
  html`<dl class="${look}">
    ${pairs.map(([name, value, is]) =>
      is === "sum"
        ? html`<dt class="sum">${name}</dt>
            <dd class="sum">${value}</dd>`
        : html`<dt>${name}</dt>
            <dd>${value}</dd>`
    )}
  </dl>`

/** Returns a card with its heading. No card without contents. */
export const card = (title: string, contents: Html | ReadonlyArray<Html> | null | undefined | false): Html =>
  when(
    contents,
    () =>
      html`<section class="card">
        <h2>${title}</h2>
        ${contents || null}
      </section>`
  )
