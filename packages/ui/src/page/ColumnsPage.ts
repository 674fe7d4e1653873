/** Assignment of columns: the columns with example cells, and a preview of the first document. */
import { formatAmount, type Money } from "@fiscal-connector/core/document/Money"
import type { SourceDocument, SourceLine } from "@fiscal-connector/core/source/SourceDocument"
import { BigDecimal, DateTime } from "effect"
import { Flag, html, type Html, when } from "../html/Html.ts"
import { table } from "../html/Table.ts"
import * as Words from "../text/Words.ts"
import type { PageImport, Phase, Preview } from "../work/PageImport.ts"
import type { ColumnsSeen, SeenColumn } from "../work/Workplace.ts"
import { discardForm, rememberBox } from "./AskPages.ts"
import { type Frame, steps, tokenOf } from "./part/Layout.ts"

const words = Words.columns

type ColumnsPhase = Extract<Phase, { readonly _tag: "Columns" }>

const figure = (money: Money | undefined): string => (money === undefined ? "" : formatAmount(money))

const dayOf = ({ date }: SourceDocument): string =>
  date === undefined ? "" : Words.day(typeof date === "string" ? date : DateTime.formatIsoDate(date))

const sumOf = (lines: ReadonlyArray<SourceLine>): Money | undefined => {
  const amounts = lines.flatMap(({ lineAmount }) => lineAmount ?? [])
  return amounts.length === lines.length && lines.length > 0 ? BigDecimal.sumAll(amounts) : undefined
}

/** Compares the sum of the lines with the totals stated in the file. */
const sums = ({
  charges,
  lines,
  totals: { net, tax, total }
}: SourceDocument): ReadonlyArray<readonly [string, string]> => {
  const sum = sumOf(lines)
  const isEqual = (other: Money | undefined) =>
    sum !== undefined && other !== undefined && BigDecimal.equals(sum, other)
  const standing =
    sum === undefined || (net === undefined && total === undefined) || charges.length > 0
      ? ""
      : isEqual(total) ||
          isEqual(net) ||
          (tax !== undefined && total !== undefined && isEqual(BigDecimal.subtract(total, tax)))
        ? ` ${words.equal}`
        : ` ${words.different}`
  return [
    ...(sum === undefined ? [] : [[words.sum, `${figure(sum)}${standing}`] as const]),
    ...(net === undefined ? [] : [[words.net, figure(net)] as const]),
    ...(tax === undefined ? [] : [[words.tax, figure(tax)] as const]),
    ...(total === undefined ? [] : [[words.total, figure(total)] as const])
  ]
}

const document = (source: SourceDocument, taken: ReadonlyArray<string>): Html => {
  const { buyer, currency, findings, kind, lines, number, paymentMethod } = source
  const facts: ReadonlyArray<readonly [string, string]> = [
    [Words.page.date, dayOf(source)],
    [Words.page.buyer, [buyer?.name, buyer?.tin].filter((text) => text !== undefined).join(", ")],
    [Words.report.currency, currency ?? ""],
    [words.payment, paymentMethod ?? ""]
  ]
  return html`<h2>${words.preview(Words.kinds[kind]?.[0] ?? kind, number || words.noNumber)}</h2>
    <dl class="facts">
      ${facts.map(
        ([name, value]) =>
          html`<dt>${name}</dt>
            <dd>${value === "" ? html`<span class="soft">${words.nothing}</span>` : html`<bdi>${value}</bdi>`}</dd>`
      )}
    </dl>
    ${table(
      words.lines,
      [
        Words.document.description,
        { figures: Words.document.quantity },
        { figures: Words.document.unitPrice },
        { figures: words.amount },
        Words.report.tax,
        Words.document.productCode
      ],
      lines.slice(0, 8).map(
        ({ description, lineAmount, productCode, quantity, taxes, unitPrice }) =>
          html`<tr>
            <td>${description ?? ""}</td>
            <td class="number">${figure(quantity)}</td>
            <td class="number">${figure(unitPrice)}</td>
            <td class="number">${figure(lineAmount)}</td>
            <td>${taxes.map(({ code }) => code).join(", ")}</td>
            <td>${productCode ?? ""}</td>
          </tr>`
      )
    )}
    ${when(lines.length > 8, () => html`<p class="soft small">${words.moreLines(lines.length - 8)}</p>`)}
    <dl class="amounts">
      ${sums(source).map(
        ([name, value]) =>
          html`<dt>${name}</dt>
            <dd>${value}</dd>`
      )}
    </dl>
    ${when(taken.length > 0, () => html`<p class="soft small">${words.taken(taken)}</p>`)}
    ${when(
      findings.length > 0,
      () =>
        html`<ul class="plain-list">
          ${findings.slice(0, 5).map(({ message }) => html`<li>${message}</li>`)}
        </ul>`
    )}`
}

const previewPart = (preview: Preview): Html =>
  preview._tag === "Document"
    ? document(preview.document, preview.taken)
    : html`<h2>${words.noPreview}</h2>
        <p>${words.because(preview.because)}</p>`

const options = (names: ReadonlyArray<string>, field: string | null): Html =>
  html`${names.map((each) => html`<option value="${each}" ${new Flag("selected", each === field)}>${Words.field(each)}</option>`)}`

const chooser = ({ field, name }: SeenColumn, at: number, { fields, needed }: ColumnsSeen): Html =>
  html`<select name="${`column.${at}`}" aria-label="${`${Words.page.is} ${name}`}">
    <option value="">${Words.page.notUsed}</option>
    <optgroup label="${words.required}">${options(needed, field)}</optgroup>
    <optgroup label="${words.others}">
      ${options(
        fields.filter((each) => !needed.includes(each)),
        field
      )}
    </optgroup>
  </select>`

export const columnsPage = (frame: Frame, one: PageImport, { preview, problem, seen }: ColumnsPhase): Html => {
  const missing = seen.needed.filter((field) => seen.columns.every((column) => column.field !== field))
  const here = `${frame.prefix}/imports/${one.id}`
  return html`${steps(1)}
    <h1>${Words.page.columnsTitle}</h1>
    <form method="post" action="${here}/columns" data-once="columns" data-preview-at="${`${here}/preview`}">
      ${tokenOf(frame)}
      <div class="note waiting" data-shown="problem">
        <p>${problem}</p>
        ${when(missing.length > 0, () => html`<p>${Words.page.missing(missing.map(Words.field).join(", "))}</p>`)}
      </div>
      <section class="card">
        ${table(
          Words.page.columnsTitle,
          [Words.page.column, Words.page.examples, Words.page.is],
          seen.columns.map(
            (column, at) =>
              html`<tr>
                <th scope="row">${column.name === "" ? "—" : column.name}</th>
                <td class="mono">${column.examples.slice(0, 3).map((example) => html`«${example.slice(0, 60)}» `)}</td>
                <td>${chooser(column, at, seen)}</td>
              </tr>`
          )
        )}
      </section>
      <section class="card" data-shown="preview" aria-live="polite">${previewPart(preview)}</section>
      ${rememberBox}
      <div class="actions">
        <button>${Words.page.goOn}</button>
        <button class="quiet" formaction="${here}/preview">${words.showAgain}</button>
      </div>
    </form>
    ${discardForm(frame, one)}`
}
