/**
 * Table of documents, a row each, with sums. At 360 px each document is a card, and ARIA roles keep
 * the table structure.
 */
import type { Money } from "@fiscal-connector/core/adapter"
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

const sums = ({ sums, unknown }: SignedSums.SignedSums): Html =>
  html`${sums.map(
    ({ currency, documents, net, tax, total }) =>
      html`<tr role="row">
        <th role="rowheader" scope="row" colspan="3">${Texts.documents(documents)}</th>
        <td role="cell" class="number net">${Parts.figureOrBlank(net)}</td>
        <td role="cell" class="number tax">${Parts.figureOrBlank(tax)}</td>
        <td role="cell" class="number">${Parts.amount(currency, total)}</td>
        <td role="cell" class="gone" colspan="2"></td>
      </tr>`
  )}
  ${when(
    unknown > 0,
    () =>
      html`<tr role="row">
        <th role="rowheader" scope="row" colspan="8">${Texts.living.notKnown(unknown)}</th>
      </tr>`
  )}`

const state = ({ state, verificationCode }: TableDocument): Html =>
  state === "Fiscalised" && verificationCode !== null
    ? html`<span class="badge good"
        ><code>${verificationCode.slice(0, 9)}</code><span class="vh"> fiscalised</span></span
      >`
    : Parts.stateBadge(state)

/** Returns the table. `all`: documents to sum up. `why`: title of a column instead of the taxes. */
export const documentTable = (
  label: string,
  rows: ReadonlyArray<TableDocument>,
  all: ReadonlyArray<SignedSums.Figured>,
  why: string | null = null
): Html => {
  const summed = SignedSums.of(all)
  // the heading names a single currency, else each row does
  const only = summed.sums.length === 1 ? (summed.sums[0]?.currency ?? null) : null
  const head = (look: string, text: string) => html`<th role="columnheader" scope="col" class="${look}">${text}</th>`
  return html`<table class="docs" role="table">
    <caption class="vh">
      ${label}
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        ${head("", Texts.word.number)} ${head("", Texts.word.date)} ${head("", Texts.word.buyer)}
        ${head("number net", Texts.word.net)} ${head("number tax", Texts.word.tax)}
        ${head("number", only === null ? Texts.word.total : `${Texts.word.total} ${only}`)}
        ${head(why === null ? "taxes" : "why", why ?? Texts.word.taxes)} ${head("", Texts.word.state)}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows.map((row) => {
        const signed = (money: Money.Money | null) => SignedSums.signed(row.kind, money)
        return html`<tr role="row">
          <th role="rowheader" scope="row" class="number-cell">
            ${row.link === null ? row.number : html`<a href="${row.link}">${row.number}</a>`}
          </th>
          <td role="cell" class="date">${Texts.day(row.date)}</td>
          <td role="cell" class="buyer">
            <bdi>${row.buyer}</bdi>
            ${when(why === null && row.kind === "credit-note", () => html`<span class="soft small">${Texts.kinds["credit-note"]?.[0]}</span>`)}
          </td>
          <td role="cell" class="number net">${Parts.figureOrBlank(signed(row.net))}</td>
          <td role="cell" class="number tax">${Parts.figureOrBlank(signed(row.tax))}</td>
          <td role="cell" class="number total">
            ${only === null ? Parts.amount(row.currency, signed(row.total)) : Parts.figureOrBlank(signed(row.total))}
          </td>
          <td role="cell" class="${why === null ? "taxes" : "why"}">${row.taxes}</td>
          <td role="cell" class="state">
            ${state(row)}${when(row.why !== "" && row.state !== "Fiscalised", () => html`<span class="vh">: ${row.why}</span>`)}
          </td>
        </tr>`
      })}
    </tbody>
    <tfoot role="rowgroup">
      ${sums(summed)}
    </tfoot>
  </table>`
}
