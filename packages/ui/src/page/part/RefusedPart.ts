/**
 * Documents refused by the check: each cause with its rows, a form that settles it, and cells to
 * correct.
 */
import { Provenance } from "@fiscal-connector/core/adapter"
import { BookRemedy } from "@fiscal-connector/core/host/import"
import { html, type Html, when } from "../../html/Html.ts"
import { card, table } from "../../html/Table.ts"
import type { TalliedCause } from "../../report/Tally.ts"
import * as Parts from "../../report/Parts.ts"
import * as Texts from "../../text/Texts.ts"
import * as Corrections from "../../work/Corrections.ts"
import type { Checked, PageImport } from "../../work/PageImport.ts"
import { caseCard } from "./Case.ts"
import { form, hidden, option } from "./Form.ts"
import type { Frame } from "./Layout.ts"
import * as Tiles from "../../report/Tiles.ts"

const texts = Texts.fix

type CauseRow = TalliedCause["rows"][number]

export const keyOf = ({ finding }: TalliedCause): string => `${finding.code}\n${finding.message}`

export const correctableCells = (
  { format }: PageImport,
  { tally }: Pick<Checked, "tally">
): ReadonlyMap<string, CauseRow & { readonly cause: TalliedCause }> => {
  const isKnown = format.content === "text" || format.withCells !== undefined
  const rows = tally.causes("error").flatMap((cause) => cause.rows.map((row) => ({ ...row, cause })))
  return new Map(
    rows
      .toReversed()
      .flatMap((row) =>
        isKnown && Corrections.isCorrectable(row.finding.at) ? [[Corrections.cellOf(row.finding.at), row] as const] : []
      )
  )
}

const shown = { cells: 25, places: 5 }

const remedies = (cause: TalliedCause, { book, uncoded }: Checked): Html | null => {
  const found = BookRemedy.of(cause.finding, book)
  return found.length === 0
    ? null
    : html`<fieldset>
        <legend class="vh">${cause.finding.message}</legend>
        ${found.map(({ asks, consequence, id, words: text }) =>
          option(
            "remedy",
            id,
            text,
            [consequence],
            asks === null ? null : asks.of === "all" ? fill(id, asks) : items(id, asks, uncoded)
          )
        )}
      </fieldset>`
}

const fill = (id: string, { proposed, words: text }: BookRemedy.RemedyQuestion): Html =>
  html`<label class="field small"
    ><span>${text}</span><input type="text" name="${`fill.${id}`}" value="${proposed}" autocomplete="off"
  /></label>`

const items = (id: string, { words: text }: BookRemedy.RemedyQuestion, uncoded: Checked["uncoded"]): Html =>
  table(
    text,
    [Texts.word.item, { figures: Texts.word.documents }, text],
    Array.from(uncoded, ([description, documents], at) => [
      description,
      documents.toLocaleString("en"),
      html`<input
        type="text"
        name="${`item.${id}.${at}`}"
        aria-label="${`${text}: ${description}`}"
        inputmode="numeric"
        autocomplete="off"
      />`
    ])
  )

type CorrectableCells = ReturnType<typeof correctableCells>

const isCorrectedHere = (
  cells: CorrectableCells,
  cause: TalliedCause,
  at: CauseRow["finding"]["at"]
): at is Corrections.CorrectableCell =>
  Corrections.isCorrectable(at) && cells.get(Corrections.cellOf(at))?.cause === cause

/** Shows the rows of a cause. Cells of a table are inputs, and the typed text replaces the cell. */
const rows = (cells: CorrectableCells, cause: TalliedCause, most: number): Html => {
  const shown = cause.rows.slice(0, most)
  const whys = shown.map(({ finding: { at, detail } }) => Parts.figuresOf(detail, at?.text))
  const hasWhy = whys.some((why) => why !== "")
  return table(
    cause.finding.message,
    [Texts.word.number, Texts.report.place, texts.cell, ...(hasWhy ? [Texts.word.why] : [])],
    shown.map(({ finding: { at }, number }, row) => {
      const { columnName: name = "", line, text = "" } = at ?? {}
      const place = line !== undefined ? texts.row(line) : at === undefined ? "" : Provenance.format(at)
      const cell = isCorrectedHere(cells, cause, at)
        ? html`<input
            type="text"
            class="wrong"
            form="cells"
            name="${`cell.${Corrections.cellOf(at)}`}"
            value="${text}"
            aria-label="${`${number} ${name}, ${place}`}"
            autocomplete="off"
            spellcheck="false"
          />`
        : html`<span class="mono">${text === "" ? "" : `«${text.slice(0, 200)}»`}</span>`
      return [
        html`<strong>${number || Texts.report.outside}</strong>`,
        html`<span class="soft">${[place, name].filter((part) => part !== "").join(", ")}</span>`,
        cell,
        ...(hasWhy ? [whys[row] ?? ""] : [])
      ]
    })
  )
}

const causePart = (
  frame: Frame,
  here: string,
  cells: CorrectableCells,
  checked: Checked,
  cause: TalliedCause
): Html => {
  const { code, consequence, fix, message } = cause.finding
  const hasCells = cause.rows.some(({ finding }) => isCorrectedHere(cells, cause, finding.at))
  const most = hasCells ? shown.cells : shown.places
  const choices = remedies(cause, checked)
  const more = cause.count - Math.min(most, cause.rows.length)
  return form(
    frame,
    `${here}/remedy`,
    { cause: keyOf(cause) },
    caseCard(
      "bad",
      `${message} (${cause.count.toLocaleString("en")})`,
      Tiles.amountsOf(cause.sums),
      html`<p class="small">
          ${Parts.marked(consequence)} ${when(choices === null, () => Parts.marked(fix))}
          ${when(hasCells, () => html`${texts.typing}`)} <code class="soft">${code}</code>
        </p>
        ${choices} ${rows(cells, cause, most)}
        ${when(more > 0, () => html`<p class="soft small">${Texts.report.moreRows(more)}</p>`)}`,
      html`${when(choices, () => html`<button class="quiet" name="do" value="apply">${texts.apply(cause.documents)}</button>`)}
      ${when(hasCells, () => html`<button class="quiet" form="cells">${texts.checkCells}</button>`)}
      ${when(cause.documents > 0, () => html`<button class="link later" name="do" value="leave-out" formnovalidate>${texts.leaveOut(cause.documents, cause.rows[0]?.number)}</button>`)}`
    )
  )
}

export const refusedPart = (frame: Frame, here: string, one: PageImport, checked: Checked): Html => {
  const { tally } = checked
  const cells = correctableCells(one, checked)
  return html`<form id="cells" method="post" action="${here}/cells">${hidden({ token: frame.token })}</form>
    ${tally.causes("error").map((cause) => causePart(frame, here, cells, checked, cause))}
    ${when(tally.beyond > 0, () => html`<p class="soft">${Texts.report.otherCauses(tally.beyond)}</p>`)}`
}

export const correctedPart = (frame: Frame, here: string, { decided }: Pick<PageImport, "decided">): Html =>
  card(
    texts.corrected(decided.corrections.length),
    decided.corrections.length > 0 &&
      html`<p class="soft small">${texts.correctedText}</p>
        ${table(
          texts.corrected(decided.corrections.length),
          [
            Texts.word.number,
            { text: Texts.report.place, look: "nowrap" },
            Texts.word.inFile,
            Texts.word.sentAs,
            Texts.word.by,
            texts.undo
          ],
          decided.corrections.map((one) => [
            html`<strong>${one.number || Texts.report.outside}</strong>`,
            `${texts.row(one.line)}, ${one.columnName}`,
            html`<del>${one.from}</del>`,
            one.to,
            one.by,
            form(
              frame,
              `${here}/undo-cell`,
              { cell: Corrections.cellOf(one) },
              html`<button class="link" aria-label="${`${texts.undo} ${one.number} ${one.columnName}`}">
                ${texts.undo}
              </button>`
            )
          ])
        )}`
  )
