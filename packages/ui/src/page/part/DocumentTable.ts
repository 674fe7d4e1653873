/**
 * Table of documents, a row each, with sums. At 360 px each document is a card, and ARIA roles keep
 * the table structure.
 */
import { SignedSums } from "@fiscal-connector/core/host/import"
import { html, type Html, when } from "../../html/Html.ts"
import * as Parts from "../../report/Parts.ts"
import * as Texts from "../../text/Texts.ts"
import type { ImportRow } from "../../work/PageImport.ts"

export interface TableDocument extends Pick<
  ImportRow,
  "kind" | "number" | "date" | "buyer" | "currency" | "net" | "tax" | "taxes" | "total"
> {
  readonly state: string
  readonly link: string | null
  readonly verificationCode: string | null
  readonly why: string
}

const sums = (rows: ReadonlyArray<SignedSums.Figured>): Html => {
  const { sums, unknown } = SignedSums.of(rows)
  // of one currency, the documents of unknown amount are counted in its row
  const isOne = sums.length === 1
  const label = (documents: number) =>
    isOne && unknown > 0
      ? `${Texts.living.allOf(documents + unknown)}, ${Texts.living.notKnown(unknown)}`
      : Texts.living.allOf(documents)
  return html`${sums.map(
    ({ currency, documents, net, tax, total }) =>
      html`<tr role="row">
        <th role="rowheader" scope="row" colspan="3">${label(documents)}</th>
        <td role="cell" class="number net">${Parts.figureOrBlank(net)}</td>
        <td role="cell" class="number tax">${Parts.figureOrBlank(tax)}</td>
        <td role="cell" class="number">${Parts.amount(currency, total)}</td>
        <td role="cell" class="gone" colspan="2"></td>
      </tr>`
  )}
  ${when(
    unknown > 0 && !isOne,
    () =>
      html`<tr role="row">
        <th role="rowheader" scope="row" colspan="8">${Texts.living.notKnown(unknown)}</th>
      </tr>`
  )}`
}

const state = ({ state, verificationCode }: TableDocument): Html =>
  state === "Fiscalised" && verificationCode !== null
    ? html`<span class="badge good"
        ><code>${verificationCode.slice(0, 9)}</code><span class="vh"> fiscalised</span></span
      >`
    : Parts.stateBadge(state)

/** Columns with their looks. Null: the taxes, or what the caller shows instead. */
const heads = [
  ["", Texts.word.number],
  ["", Texts.word.date],
  ["", Texts.word.buyer],
  ["number net", Texts.word.net],
  ["number tax", Texts.word.tax],
  ["number", Texts.word.total],
  ["taxes", null],
  ["", Texts.word.state]
] as const

/** Returns the table. `all`: documents to sum up. `why`: title of a column instead of the taxes. */
export const documentTable = (
  label: string,
  rows: ReadonlyArray<TableDocument>,
  all: ReadonlyArray<SignedSums.Figured>,
  why: string | null = null
): Html =>
  html`<table class="docs" role="table">
    <caption class="vh">
      ${label}
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        ${heads.map(([look, text]) => html`<th role="columnheader" scope="col" class="${text === null && why !== null ? "why" : look}">${text ?? why ?? Texts.word.taxes}</th>`)}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows.map(
        (row) =>
          html`<tr role="row">
            <th role="rowheader" scope="row" class="number-cell">
              ${row.link === null ? row.number : html`<a href="${row.link}">${row.number}</a>`}
            </th>
            <td role="cell" class="date">${Texts.day(row.date)}</td>
            <td role="cell" class="buyer"><bdi>${row.buyer}</bdi></td>
            <td role="cell" class="number net">${Parts.figureOrBlank(SignedSums.signed(row.kind, row.net))}</td>
            <td role="cell" class="number tax">${Parts.figureOrBlank(SignedSums.signed(row.kind, row.tax))}</td>
            <td role="cell" class="number total">
              ${Parts.amount(row.currency, SignedSums.signed(row.kind, row.total))}
            </td>
            <td role="cell" class="${why === null ? "taxes" : "why"}">${row.taxes}</td>
            <td role="cell" class="state">
              ${state(row)}${when(row.why !== "" && row.state !== "Fiscalised", () => html`<span class="vh">: ${row.why}</span>`)}
            </td>
          </tr>`
      )}
    </tbody>
    <tfoot role="rowgroup">
      ${sums(all)}
    </tfoot>
  </table>`
