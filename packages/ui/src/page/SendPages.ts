/** Sending, and what became of it. */
import { html, type Html, when } from "../html/Html.ts"
import * as QrCode from "../html/QrCode.ts"
import * as Parts from "../report/Parts.ts"
import * as Words from "../text/Words.ts"
import type { PageImport, Phase, Result, Row, Standstill } from "../work/PageImport.ts"
import { doneOf } from "../work/Sending.ts"
import { discardForm } from "./AskPages.ts"
import { type Looking, perPage, rowsTable } from "./CheckPage.ts"
import { type Frame, steps, tokenOf } from "./Layout.ts"

const words = Words.page

export const readingPage = (one: PageImport, read: number): Html =>
  html`${steps(0)}
    <h1>${words.reading}</h1>
    <p class="soft">${one.files.map(({ name }) => name).join(", ")}</p>
    <p>${words.readSoFar(read)}</p>
    <progress aria-label="${words.reading}"></progress>`

/** What the bar shows: how many have come to something, and the same in words. */
export const progressOf = ({ done, total }: Extract<Phase, { _tag: "Sending" }>) => {
  const finished = Math.min(total, doneOf(done.values()))
  return { done: finished, total, text: words.progress(finished, total) }
}

export const sendingPage = (frame: Frame, one: PageImport, phase: Extract<Phase, { _tag: "Sending" }>): Html => {
  const { done, text, total } = progressOf(phase)
  return html`${steps(4)}
    <h1>${words.sendingTitle}</h1>
    <div class="card" data-events="${`${frame.prefix}/imports/${one.id}/events`}">
      <p data-text="text" role="status">${text}</p>
      <progress max="${Math.max(1, total)}" value="${done}" aria-label="${words.sendingTitle}"></progress>
    </div>
    <p class="soft">${words.mayClose}</p>`
}

export const documentAddress = (frame: Frame, account: string, { id, kind }: Pick<Row, "id" | "kind">): string | null =>
  kind === null ? null : `${frame.prefix}/documents/${encodeURIComponent(account)}/${kind}/${encodeURIComponent(id)}`

const receipt = (frame: Frame, account: string, row: Row): Html => {
  const link = documentAddress(frame, account, row)
  const name = row.number || row.id
  const code = row.proof?.verificationCode
  return html`<li>
    ${QrCode.picture(row.proof?.qrCodeUrl ?? null)}
    <div class="about">
      <h3>${link === null ? name : html`<a href="${link}">${name}</a>`}</h3>
      <p>${Parts.stateBadge(row.state)}</p>
      <p>${row.total}</p>
      <p class="small">${row.buyer}</p>
      ${when(code, () => html`<p class="small"><span class="soft">${words.verification}</span> <code>${code}</code></p>`)}
      ${when(link !== null && row.proof?.fiscalInvoicePdf, () => html`<p class="small"><a href="${`${link ?? ""}/pdf`}" aria-label="${`${words.pdf} ${name}`}">${words.pdf}</a></p>`)}
    </div>
  </li>`
}

const waiting: ReadonlySet<string> = new Set(["Planned", "Sending", "Accepted", "Unknown"])

export const donePage = (frame: Frame, one: PageImport, result: Result, looking: Looking): Html => {
  const { already, destination, refusedFile, rows, summary, tally } = result
  const here = `${frame.prefix}/imports/${one.id}`
  const open = rows.filter(({ state }) => waiting.has(state)).length
  const fiscalised = rows.filter(({ state }) => state === "Fiscalised")
  const at = Math.min(looking.page, Math.max(1, Math.ceil(fiscalised.length / perPage)))
  return html`${steps(4)}
    <h1>${words.doneTitle}</h1>
    <p class="soft">${one.files.map(({ name }) => name).join(", ")} · ${Parts.time(result.at)}</p>
    ${Parts.figures(summary.counts)} ${when(already > 0, () => html`<p class="soft">${words.already(already)}</p>`)}
    ${when(open > 0, () => html`<div class="note waiting"><p>${words.resultLater(open)}</p></div>`)}
    <div class="actions">
      <a class="button" href="${here}/report">${words.reportFile}</a>
      ${when(refusedFile, () => html`<a class="button" href="${here}/refused">${words.refusedFile}</a>`)}
      <a class="button quiet" href="${frame.prefix}/">${words.another}</a>
    </div>
    ${when(refusedFile, () => html`<p class="soft">${words.correct}</p>`)} ${Parts.totals(summary)}
    ${when(
      fiscalised.length > 0,
      () =>
        html`<h2>${Words.states["Fiscalised"] ?? ""}</h2>
          <ul class="receipts">
            ${fiscalised.slice((at - 1) * perPage, at * perPage).map((row) => receipt(frame, destination.account, row))}
          </ul>
          <p></p>`
    )}
    ${Parts.causes(Words.report.refused, tally, "error", 5)}
    ${rowsTable(here, rows, looking, (row) => (row.state === "Refused" || row.state === "Skipped" ? null : documentAddress(frame, destination.account, row)))}
    ${discardForm(frame, one)}
    <p class="soft small">${words.discardNote}</p>`
}

export const standstillPage = (frame: Frame, one: PageImport, { findings, text, title }: Standstill): Html =>
  html`${steps(1)}
    <h1>${title}</h1>
    <div class="note bad">
      <p>${text}</p>
      ${findings.map(({ at, fix, message }) => html`<p><strong>${message}</strong>${at?.line === undefined ? "" : ` (line ${at.line})`}<br />${fix}</p>`)}
    </div>
    <form method="post" action="${frame.prefix}/imports/${one.id}/recheck">
      ${tokenOf(frame)}
      <div class="actions"><button>${words.standstillAgain}</button></div>
    </form>
    ${discardForm(frame, one)}`
