/** An import that was handed over, with how its documents stand now: at its end, and at any later time. */
import { isSettled, moving, stuck } from "@fiscal-connector/core/submission/Submission"
import type { KeptImport } from "@fiscal-connector/core/unstable/submission/KeptImport"
import { html, type Html, when } from "../html/Html.ts"
import * as QrCode from "../html/QrCode.ts"
import { table } from "../html/Table.ts"
import * as Parts from "../report/Parts.ts"
import * as Words from "../text/Words.ts"
import type { Shown } from "../work/Kept.ts"
import type { PageImport, Row } from "../work/PageImport.ts"
import { discardForm } from "./AskPages.ts"
import { type Looking, perPage, rowsTable } from "./CheckPage.ts"
import { type Frame, followed, live, steps } from "./Layout.ts"
import { resumeForm } from "./ResumeForm.ts"
import { documentAddress } from "./SendPages.ts"

const words = Words.page

/** Where an import is that the store remembers. */
export const keptAddress = (frame: Frame, id: number): string => `${frame.prefix}/imports/r${id}`

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
      <p class="small"><bdi>${row.buyer}</bdi></p>
      ${when(code, () => html`<p class="small"><span class="soft">${words.verification}</span> <code>${code}</code></p>`)}
      ${when(link !== null && row.proof?.fiscalInvoicePdf, () => html`<p class="small"><a href="${`${link ?? ""}/pdf`}" aria-label="${`${words.pdf} ${name}`}">${words.pdf}</a></p>`)}
    </div>
  </li>`
}

const onTheWay: ReadonlySet<string> = new Set(moving)
const waitsForOperator: ReadonlySet<string> = new Set(stuck)

/** Documents that the store has. */
const stored = (rows: ReadonlyArray<Row>) => rows.filter(({ state }) => state !== "Refused" && state !== "Skipped")

const progress = (known: number, total: number): Html =>
  html`<div class="card">
    <p role="status">${words.progress(known, total)}</p>
    <progress max="${Math.max(1, total)}" value="${known}" aria-label="${words.sendingTitle}"></progress>
  </div>`

type Standing = Pick<KeptImport, "rest" | "standing">

/** How far an import has come, beside its files in the list; nothing where everything was handed over. */
const standingBadge = ({ rest, standing }: Standing): Html => {
  switch (standing) {
    case "whole":
      return html``
    case "accepted":
      return html` <span class="badge waiting">${words.importWaits(rest)}</span>`
    case "begun":
      return html` <span class="badge plain">${words.importBegun}</span>`
    case "cancelled":
      return html` <span class="badge plain">${words.importCancelled}</span>`
    case "incomplete":
      return html` <span class="badge bad">${words.importIncomplete}</span>`
    case "unfinished":
      return html` <span class="badge bad">${words.unfinished}</span>`
  }
}

/** What follows from how far the import has come, on its own page. */
const importNote = ({ rest, standing }: Standing): Html => {
  const note = (kind: "bad" | "waiting", text: string) => html`<div class="note ${kind}"><p>${text}</p></div>`
  switch (standing) {
    case "whole":
      return html``
    case "accepted":
      return note("waiting", words.importWaitsNote(rest))
    case "begun":
      return note("bad", words.importBegunNote)
    case "cancelled":
      return note("waiting", words.importCancelledNote)
    case "incomplete":
      return note("bad", words.importIncompleteNote)
    case "unfinished":
      return note("bad", words.brokeOff)
  }
}

/** `session`: the import of this session of the page, whose refused rows can still be fetched. */
export const keptPage = (
  frame: Frame,
  { kept, result, standing }: Shown,
  session: PageImport | null,
  hasLive: "live" | "none",
  looking: Looking
): Html => {
  const { already, rows, summary, tally } = result
  const { account } = kept.destination
  const here = keptAddress(frame, kept.id)
  const count = (states: ReadonlySet<string>) => rows.filter(({ state }) => states.has(state)).length
  const going = count(onTheWay)
  const total = stored(rows).length
  const known = stored(rows).filter(({ state }) => isSettled(state)).length
  const fiscalised = rows.filter(({ state }) => state === "Fiscalised")
  const at = Math.min(looking.page, Math.max(1, Math.ceil(fiscalised.length / perPage)))
  const refusedFile = session?.phase._tag === "Done" ? session.phase.refusedFile : null
  const files = kept.files.map(({ name }) => name).join(", ")
  return followed(
    frame,
    standing,
    html`${when(session, () => steps(4))}
      <h1>${session === null ? words.importOf(Parts.time(kept.at)) : words.doneTitle}</h1>
      <p class="soft">${files} · ${Parts.time(kept.at)}</p>
      ${importNote(kept)}
      ${live("figures", html`${Parts.figures(summary.counts)} ${when(going > 0, () => progress(known, total))}`)}
      ${when(already > 0, () => html`<p class="soft">${words.already(already)}</p>`)}
      ${live(
        "open",
        when(total > known, () => html`<div class="note waiting"><p>${words.resultLater(total - known)}</p></div>`)
      )}
      ${live(
        "resume",
        when(going + kept.rest > 0, () => resumeForm(frame, going + kept.rest, hasLive, kept.id))
      )}
      <div class="actions">
        <a class="button" href="${here}/report">${words.reportFile}</a>
        ${when(
          fiscalised.some(({ proof }) => proof?.fiscalInvoicePdf),
          () => html`<a class="button" href="${here}/pdfs">${words.allPdfs}</a>`
        )}
        ${when(refusedFile, () => html`<a class="button" href="${`${frame.prefix}/imports/${session?.id ?? ""}/refused`}">${words.refusedFile}</a>`)}
        ${when(
          count(waitsForOperator) > 0,
          () =>
            html`<a class="button quiet" href="${`${frame.prefix}/decide?decision=Withdrawn&import=${kept.id}`}"
              >${Words.decisions.ofImport}</a
            >`
        )}
        <a class="button quiet" href="${frame.prefix}/">${words.another}</a>
      </div>
      ${when(refusedFile, () => html`<p class="soft">${words.correct}</p>`)} ${live("sums", Parts.totals(summary))}
      ${live(
        "receipts",
        when(
          fiscalised.length > 0,
          () =>
            html`<h2>${Words.states["Fiscalised"] ?? ""}</h2>
              <ul class="receipts">
                ${fiscalised.slice((at - 1) * perPage, at * perPage).map((row) => receipt(frame, account, row))}
              </ul>
              <p></p>`
        )
      )}
      ${Parts.causes(Words.report.refused, tally, "error", 5)}
      ${Parts.causes(Words.report.warnings, tally, "warning", 5)} ${Parts.skipped(tally.skipped)}
      ${live(
        "rows",
        rowsTable(here, rows, looking, (row) =>
          row.state === "Refused" || row.state === "Skipped" ? null : documentAddress(frame, account, row)
        )
      )}
      ${Parts.used([kept.destination], kept)}
      ${
        session === null
          ? null
          : html`${discardForm(frame, session)}
              <p class="soft small">${words.discardNote}</p>`
      }`
  )
}

/** Imports that the store remembers, the newest first; `before`: where older ones begin, where there are some. */
export const keptList = (
  frame: Frame,
  found: ReadonlyArray<KeptImport>,
  sessions: ReadonlyMap<number, string>,
  before: number | null
): Html =>
  when(
    found.length > 0,
    () =>
      html`<section class="card" id="imports">
        <h2>${words.imports}</h2>
        ${table(
          words.imports,
          [
            words.date,
            words.files,
            { figures: words.documents },
            { figures: words.refusedCount },
            words.account,
            words.open
          ],
          found.map(({ at, destination, documents, files, id, refused, rest, standing }) => {
            const name = files.map((file) => file.name).join(", ")
            return html`<tr>
              <td>${Parts.time(at)}</td>
              <td>${name}${standingBadge({ rest, standing })}</td>
              <td class="number">${documents.toLocaleString("en")}</td>
              <td class="number">${refused.toLocaleString("en")}</td>
              <td>${destination.account}</td>
              <td>
                <a
                  href="${sessions.get(id) ?? keptAddress(frame, id)}"
                  aria-label="${`${words.open} ${name} ${Parts.time(at)}`}"
                  >${words.open}</a
                >
              </td>
            </tr>`
          })
        )}
        ${when(before !== null, () => html`<div class="paging"><a href="${`${frame.prefix}/?before=${before}#imports`}">${words.older}</a></div>`)}
      </section>`
  )
