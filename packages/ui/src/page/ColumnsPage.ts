/**
 * Assignment of columns: each with its meaning, the evidence and its first cells, and a preview of
 * the first document.
 */
import type { Money, SourceDocument } from "@fiscal-connector/core/adapter"
import { ColumnQuestions, ExportContents } from "@fiscal-connector/core/host/import"
import { DateTime } from "effect"
import { Flag, html, type Html, when } from "../html/Html.ts"
import { facts, table } from "../html/Table.ts"
import * as Parts from "../report/Parts.ts"
import * as Texts from "../text/Texts.ts"
import type { PageImport, Phase, ImportPreview } from "../work/PageImport.ts"
import type { ColumnsSeen, ShownColumn } from "../work/Workplace.ts"
import { discardForm, rememberBox } from "./AskPages.ts"
import { hidden } from "./part/Form.ts"
import { type Frame, steps } from "./part/Layout.ts"

const texts = Texts.columns

type ColumnsPhase = Extract<Phase, { readonly _tag: "Columns" }>

const figure = (money: Money.Money | undefined): string => Parts.figureOrBlank(money ?? null)

const dayOf = ({ date }: SourceDocument.SourceDocument): string =>
  date === undefined ? "" : Texts.day(typeof date === "string" ? date : DateTime.formatIsoDate(date))

const sums = (source: SourceDocument.SourceDocument): ReadonlyArray<readonly [string, string]> => {
  const { agree, lines } = ExportContents.sumOfLines(source)
  const { net, tax, total } = source.totals
  const stated = [
    [texts.sum, lines, { equal: ` ${texts.equal}`, different: ` ${texts.different}`, "not-known": "" }[agree]],
    [texts.net, net, ""],
    [texts.tax, tax, ""],
    [texts.total, total, ""]
  ] as const
  return stated.flatMap(([name, money, mark]) =>
    money === undefined ? [] : [[name, `${figure(money)}${mark}`] as const]
  )
}

const document = (source: SourceDocument.SourceDocument, taken: ReadonlyArray<string>): Html => {
  const { buyer, currency, findings, kind, lines, number, paymentMethod } = source
  const stated: ReadonlyArray<readonly [string, string]> = [
    [Texts.word.date, dayOf(source)],
    [Texts.word.buyer, [buyer?.name, buyer?.tin].filter((text) => text !== undefined).join(", ")],
    [Texts.word.currency, currency ?? ""],
    [Texts.word.payment, paymentMethod ?? ""]
  ]
  return html`<h2>${texts.preview(Texts.kinds[kind]?.[0] ?? kind, number || texts.noNumber)}</h2>
    <div class="proof">
      <div>
        ${table(
          Texts.word.lines,
          [
            Texts.document.description,
            { figures: Texts.document.quantity },
            { figures: Texts.document.unitPrice },
            { figures: texts.amount },
            Texts.word.tax,
            Texts.word.productCode
          ],
          lines
            .slice(0, 8)
            .map(({ description, lineAmount, productCode, quantity, taxes, unitPrice }) => [
              description ?? "",
              ...[quantity, unitPrice, lineAmount].map(figure),
              taxes.map(({ code }) => code).join(", "),
              productCode ?? ""
            ])
        )}
        ${when(lines.length > 8, () => html`<p class="soft small">${texts.moreLines(lines.length - 8)}</p>`)}
      </div>
      ${facts(
        [
          ...stated.map(
            ([name, value]) =>
              [
                name,
                value === "" ? html`<span class="soft">${texts.nothing}</span>` : html`<bdi>${value}</bdi>`
              ] as const
          ),
          ...sums(source)
        ],
        "amounts"
      )}
    </div>
    ${when(taken.length > 0, () => html`<p class="soft small">${texts.taken(taken.join("; "))}</p>`)}
    ${when(
      findings.length > 0,
      () =>
        html`<ul class="plain-list">
          ${findings.slice(0, 5).map(({ message }) => html`<li>${message}</li>`)}
        </ul>`
    )}`
}

const previewPart = (preview: ImportPreview): Html =>
  preview._tag === "Document"
    ? document(preview.document, preview.taken)
    : html`<h2>${texts.noPreview}</h2>
        <p>${texts.because(preview.text)}</p>`

const chooser = ({ field, name }: ShownColumn, at: number, { fields, frequent, needed, words }: ColumnsSeen): Html => {
  const rest = fields.filter((each) => !needed.includes(each) && !frequent.includes(each))
  const group = (label: string, names: ReadonlyArray<string>) =>
    html`<optgroup label="${label}">
      ${names.map((each) => html`<option value="${each}" ${new Flag("selected", each === field)}>${Texts.field(each, words)}</option>`)}
    </optgroup>`
  return html`<select name="${`column.${at}`}" aria-label="${`${Texts.page.is} ${name}`}">
    <option value="">${Texts.page.notDecided}</option>
    <option value="${ColumnQuestions.notUsed}" ${new Flag("selected", field === ColumnQuestions.notUsed)}>
      ${Texts.page.notUsed}
    </option>
    ${group(texts.required, needed)} ${group(texts.frequent, frequent)} ${group(texts.others, rest)}
  </select>`
}

const areFigures = (cells: ReadonlyArray<string>): boolean => {
  const filled = cells.filter((cell) => cell !== "")
  return filled.length > 0 && filled.every((cell) => /^-?\d{1,9}(?:[.,]\d{1,6})?$/.test(cell))
}

const columnPart = (column: ShownColumn, at: number, seen: ColumnsSeen): Html =>
  html`<div class="${areFigures(column.cells) ? "column figures-of" : "column"}">
    <div class="meaning">
      <h2>${column.name === "" ? "—" : column.name}</h2>
      ${chooser(column, at, seen)}
    </div>
    <p class="soft small">${column.because}</p>
    <ul aria-label="${texts.firstCells(column.name)}">
      ${column.cells.map((cell) => (cell === "" ? html`<li class="soft">${Texts.word.blank}</li>` : html`<li title="${cell}">${cell.slice(0, 60)}</li>`))}
    </ul>
  </div>`

export const columnsPage = (frame: Frame, one: PageImport, { preview, problem, seen }: ColumnsPhase): Html => {
  const missing = seen.needed.filter((field) => seen.columns.every((column) => column.field !== field))
  const here = `${frame.prefix}/imports/${one.id}`
  return html`${steps(1, frame, one)}
    <h1>${Texts.page.columnsTitle}</h1>
    <form method="post" action="${here}/columns" data-once="columns" data-preview-at="${`${here}/preview`}">
      ${hidden({ token: frame.token })}
      <div class="note waiting" data-shown="problem">
        <p>${problem}</p>
        <p>
          <strong
            >${texts.required}: ${Texts.page.found(seen.needed.length - missing.length, seen.needed.length)}.</strong
          >
          ${when(missing.length > 0, () => html`${Texts.page.missing(missing.map((each) => Texts.field(each, seen.words)).join(", "))}`)}
        </p>
      </div>
      <section class="card columns">${seen.columns.map((column, at) => columnPart(column, at, seen))}</section>
      <section class="card" data-shown="preview" aria-live="polite">${previewPart(preview)}</section>
      ${rememberBox}
      <div class="actions">
        <button>${Texts.page.proceed}</button>
      </div>
    </form>
    <div class="links">${discardForm(frame, one, "link")}</div>`
}
