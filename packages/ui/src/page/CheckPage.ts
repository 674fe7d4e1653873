/**
 * Result of the check: documents to send, held and refused, by cause. The send button states the
 * consequence.
 */
import type { AccountStopped, StopReason } from "@fiscal-connector/core/account/StopReason"
import { finding } from "@fiscal-connector/core/account/StopReason"
import { html, type Html, when } from "../html/Html.ts"
import { documentTable } from "./part/DocumentTable.ts"
import { decidedPart, heldPart } from "./part/HeldPart.ts"
import * as Parts from "../report/Parts.ts"
import * as Texts from "../text/Texts.ts"
import { type Checked, type PageImport, type Row, readingAnswersOf } from "../work/PageImport.ts"
import { discardForm } from "./AskPages.ts"
import { askAgain } from "./QuestionsPage.ts"
import { type Frame, steps, tokenOf } from "./part/Layout.ts"
import { correctedPart, refusedPart } from "./part/RefusedPart.ts"
import * as Tiles from "../report/Tiles.ts"

const texts = Texts.page

/** Maximum number of rows per page. */
export const perPage = 50

/** Filter and page of the rows. */
export interface Looking {
  readonly state: string | null
  /** Page number from 1. */
  readonly page: number
}

export const lookingOf = (query: URLSearchParams): Looking => {
  const page = Number(query.get("page"))
  return { state: query.get("state"), page: Number.isInteger(page) && page > 0 ? page : 1 }
}

const tabs = (here: string, rows: ReadonlyArray<Row>, { state }: Looking): Html => {
  const counts = Map.groupBy(rows, (row) => row.state)
  const tab = (value: string | null, label: string, count: number) => {
    const text = `${label} ${count.toLocaleString("en")}`
    const address = value === null ? here : `${here}?state=${encodeURIComponent(value)}`
    return value === state
      ? html`<li><a href="${address}" aria-current="true">${text}</a></li>`
      : html`<li><a href="${address}">${text}</a></li>`
  }
  return html`<ul class="tabs" aria-label="${texts.filter}">
    ${[
      tab(null, texts.all, rows.length),
      ...Array.from(counts, ([value, of]) => tab(value, Texts.states[value] ?? value, of.length))
    ]}
  </ul>`
}

/** Returns a page of rows with its filter. `linked`: address of a document's page. */
export const rowsTable = (
  here: string,
  rows: ReadonlyArray<Row>,
  looking: Looking,
  linked: (row: Row) => string | null
): Html => {
  const chosen = looking.state === null ? rows : rows.filter(({ state }) => state === looking.state)
  const pages = Math.max(1, Math.ceil(chosen.length / perPage))
  const at = Math.min(looking.page, pages)
  const shown = chosen.slice((at - 1) * perPage, at * perPage)
  const address = (page: number) =>
    `${here}?${looking.state === null ? "" : `state=${encodeURIComponent(looking.state)}&`}page=${page}`
  return html`<section class="card" id="documents">
    <h2>${texts.table}</h2>
    ${tabs(here, rows, looking)} ${when(shown.length === 0, () => html`<p class="soft">${texts.nothingHere}</p>`)}
    ${when(
      shown.length > 0,
      () =>
        html`${documentTable(
            texts.table,
            shown.map((row) => ({
              ...row,
              number: row.number || row.id,
              link: linked(row),
              verificationCode: row.proof?.verificationCode ?? null,
              why: [...row.codes, row.said ?? ""].join(" ").trim()
            })),
            chosen
          )}
          <div class="paging">
            <span class="soft">${texts.pageOf(at, pages)}</span
            >${when(at > 1, () => html`<a href="${address(at - 1)}">${texts.previous}</a>`)}${when(at < pages, () => html`<a href="${address(at + 1)}">${texts.next}</a>`)}
          </div>`
    )}
  </section>`
}

const firstUseOf = (stopped: AccountStopped | null) =>
  stopped?.reasons.find(
    (reason): reason is Extract<StopReason, { readonly _tag: "FirstUse" }> => reason._tag === "FirstUse"
  )

/**
 * Shows the blockers of the account, except live consent and first use, which the send form asks
 * for.
 */
const stoppedNote = (stopped: AccountStopped | null): Html => {
  const others = (stopped?.reasons ?? [])
    .filter(({ _tag }) => _tag !== "LiveNotAllowed" && _tag !== "FirstUse")
    .map(finding)
  return when(others.length > 0, () => html`<div class="note bad" role="alert">${others.map(Parts.foundText)}</div>`)
}

/** Shows the sums to send, by tax. */
const toSend = ({ summary }: Checked): Html => {
  const taxes = summary.taxes.filter(({ kind, state }) => state === "Planned" && kind === "invoice")
  const notes = summary.totals.filter(({ kind, state }) => state === "Planned" && kind === "credit-note")
  const totals = summary.totals.filter(({ kind, state }) => state === "Planned" && kind === "invoice")
  return html`<dl class="amounts">
    ${taxes.map(
      ({ currency, taxCode, total }) =>
        html`<dt>${taxCode ?? texts.severalTaxes}</dt>
          <dd>${Parts.amount(currency, total)}</dd>`
    )}
    ${totals.map(
      ({ currency, total }) =>
        html`<dt class="sum">${texts.total}</dt>
          <dd class="sum">${Parts.amount(currency, total)}</dd>`
    )}
    ${notes.map(
      ({ currency, documents, total }) =>
        html`<dt>${texts.creditNotes(documents)}</dt>
          <dd>−${Parts.amount(currency, total)}</dd>`
    )}
  </dl>`
}

/**
 * Shows all required consents and the send button, which states the consequence. Not shown if there
 * is nothing to send.
 */
const sendForm = (frame: Frame, one: PageImport, checked: Checked, stopped: AccountStopped | null): Html => {
  const { destination, overtaken, planned } = checked
  const isLive = destination.environment === "live"
  const device = destination.lane.split("/").at(-1) ?? ""
  const first = firstUseOf(stopped)
  return html`<form class="card stick" method="post" action="${frame.prefix}/imports/${one.id}/send">
    ${tokenOf(frame)}
    <h2>${texts.sendTitle(planned)}</h2>
    ${toSend(checked)}
    <p class="small soft">${destination.account} · ${texts.device(device)}</p>
    ${when(
      overtaken.count > 0 && frame.place !== "sandbox",
      () =>
        html`<div class="note waiting">
          <p>
            ${texts.late(`${overtaken.first.join(", ")} would become late: documents of a later date would be sent before them`)}
          </p>
          <label class="line"
            ><input type="checkbox" name="rest" value="yes" required /><span>${texts.sendRest}</span></label
          >
        </div>`
    )}
    ${when(
      isLive,
      () =>
        html`<p><b>${texts.consentLive}</b> <span class="soft small">${texts.consent}</span></p>
          <label class="field"
            ><span>${texts.consentDevice(device)}</span
            ><input type="text" name="device" required autocomplete="off" inputmode="numeric"
          /></label>`
    )}
    ${
      first === undefined
        ? null
        : html`<div class="note bad">
            <p>${texts.firstUse}</p>
            <label class="field"
              ><span>${texts.firstUseCode(first.code)}</span
              ><input type="text" name="first-use" required autocomplete="off"
            /></label>
          </div>`
    }
    <button class="wide">${texts.send(planned, destination.environment)}</button>
  </form>`
}

/** Explains why nothing can be sent and offers the alternative. */
const nothingToSend = (frame: Frame, tiles: ReadonlyArray<Tiles.Tile>): Html =>
  html`<section class="card stick">
    <h2>${texts.nothingToSend}</h2>
    <ul class="plain-list">
      ${tiles.map(({ count, group }) => html`<li>${count.toLocaleString("en")}: ${texts.nothingBecause[group]}</li>`)}
    </ul>
    <div class="actions"><a class="button quiet" href="${frame.prefix}/">${texts.another}</a></div>
  </section>`

export const checkPage = (
  frame: Frame,
  one: PageImport,
  checked: Checked,
  { note, stopped }: { readonly note: string | null; readonly stopped: AccountStopped | null },
  looking: Looking,
  recalled: Html,
  lastChange: Html
): Html => {
  const { already, planned, rows, summary, tally, warning, warnings } = checked
  const here = `${frame.prefix}/imports/${one.id}`
  const tiles = Tiles.of(summary)
  const all = Tiles.allOf(tiles)
  return html`${steps(3)}
    <h1>${texts.checkTitle}</h1>
    <p class="soft">
      ${one.files.map(({ name }) => name).join(", ")} · ${texts.inTheFile(all.count, Tiles.amountsOf(all.amounts))} ·
      ${texts.checkedText}
    </p>
    ${when(note, () => html`<div class="note waiting" role="alert"><p>${note}</p></div>`)} ${stoppedNote(stopped)}
    ${when(warning, () => html`<div class="note bad"><p>${warning}</p></div>`)}
    ${warnings.map((found) => html`<div class="note waiting">${Parts.foundText(found)}</div>`)}
    ${Tiles.tilesPart(tiles)} ${when(already > 0, () => html`<p class="soft">${texts.already(already)}</p>`)}
    <div class="split">
      <div>
        ${heldPart(frame, here, one, checked)} ${refusedPart(frame, here, one, checked)}
        ${correctedPart(frame, here, one)} ${lastChange} ${decidedPart(frame, here, one)}
        ${Parts.causes(Texts.report.warnings, tally, "warning", 5)}
      </div>
      <div>${planned === 0 ? nothingToSend(frame, tiles) : sendForm(frame, one, checked, stopped)}</div>
    </div>
    ${rowsTable(here, rows, looking, () => null)} ${Parts.totals(summary)} ${Parts.skipped(tally.skipped)}
    <section class="card">
      <h2>${texts.howRead}</h2>
      ${answersPart(one)}
      ${when(one.format.evidence, () => html`<p><a href="${here}/evidence">${texts.evidence}</a></p>`)}
    </section>
    ${recalled}
    <div class="actions">
      ${when(one.answers.size > 0 && tally.causes("error").length > 0, () => askAgain(frame, one))}
      <form method="post" action="${here}/recheck">
        ${tokenOf(frame)}<button class="quiet">${texts.standstillAgain}</button>
      </form>
      <a class="button quiet" href="${frame.prefix}/book">${texts.bookFile}</a>
      <a class="button quiet" href="${here}/plan">${texts.planFile}</a> ${discardForm(frame, one)}
    </div>`
}

/** Shows the format and the operator's answers. */
const answersPart = (one: PageImport): Html => {
  const { columns, layout, settings } = readingAnswersOf(one)
  const entries = [
    ...Object.entries(settings),
    ...(layout === undefined ? [] : [["layout", layout] as const]),
    ...(columns === undefined ? [] : [["columns", columns] as const])
  ]
  return html`<dl>
    <dt>${Texts.report.read}</dt>
    <dd>${one.format.title}</dd>
    <dt>${Texts.report.settings}</dt>
    <dd>
      ${
        entries.length === 0
          ? texts.noAnswers
          : html`<ul class="plain-list">
              ${entries.map(([name, value]) => html`<li><code>${name}</code> ${typeof value === "string" ? value : JSON.stringify(value)}</li>`)}
            </ul>`
      }
    </dd>
  </dl>`
}
