/**
 * Page of an accepted import. One page serves every state: sending, stopped and done. Title,
 * figures and buttons show the current state.
 */
import { Submission } from "@fiscal-connector/core/store"
import { SignedSums } from "@fiscal-connector/core/host/import"
import type { Pace } from "@fiscal-connector/core/host/account"
import { LaneFailures } from "@fiscal-connector/core/host"
import type { RunReport } from "@fiscal-connector/core/session"
import { DateTime } from "effect"
import { html, type Html, when } from "../html/Html.ts"
import * as QrCode from "../html/QrCode.ts"
import * as Parts from "../report/Parts.ts"
import * as Texts from "../text/Texts.ts"
import type { Blocked } from "../work/Blocked.ts"
import type { GoingEnd } from "../work/Going.ts"
import type { Shown } from "../work/Kept.ts"
import type { PageImport, ImportRow } from "../work/PageImport.ts"
import { discardForm } from "./AskPages.ts"
import { blockedPart } from "./BlockedPart.ts"
import { type CheckView, rowsTable } from "./CheckPage.ts"
import { countsOf, importedAt, importNote, keptAddress } from "./KeptPage.ts"
import { card, table } from "../html/Table.ts"
import { caseCard, differingPart, sideOf, sideOfRows, warningsPart } from "./part/Case.ts"
import { box, form, hidden } from "./part/Form.ts"
import { followed, type Frame, live, notice, paged } from "./part/Layout.ts"
import { documentAddress } from "./SendPages.ts"
import * as Tiles from "../report/Tiles.ts"

const texts = Texts.page
const livingTexts = Texts.living

export interface Sending {
  readonly state: "idle" | "going" | "pausing"
  readonly end: GoingEnd | null
  readonly pace: Pace.Pace | null
  readonly blocked: Blocked | null
  /** `asks`: a live device needs consent, and no operator has given it in this run of the page. */
  readonly consent: "given" | "asks"
  /** `there`: the refused rows can be downloaded and corrected here. */
  readonly refusedFile: "there" | "gone"
  /** `offered`: the import's file has rows that can be written again with the receipts. */
  readonly receipts: "offered" | "not-offered"
  readonly zone: DateTime.TimeZone
  readonly note: string | null
}

const onTheWay: ReadonlySet<string> = new Set(Submission.moving)

/** Returns the title, and the text below it. */
const titleOf = (
  { blocked, end, state }: Sending,
  { about, ending, needs, waiting }: ReturnType<typeof countsOf>,
  files: string
): readonly [title: string, about: string] => {
  const named = (title: keyof typeof livingTexts.title) => [`${livingTexts.title[title]}: ${files}`, about] as const
  if (state === "pausing") return named("pausing")
  if (state === "going") return named("sending")
  if (waiting > 0 && (blocked !== null || end?._tag === "Stopped")) return named("stopped")
  if (waiting > 0 && end?._tag === "Paused") return named("paused")
  return ending === "needs-operator" ? [`${about}, ${needs}`, files] : named(ending)
}

/** Returns the actions beside the title: pause, or the report and the next file. */
const headActions = (frame: Frame, here: string, { state }: Sending, ending: RunReport.RunEnding): Html =>
  state === "idle"
    ? html`<div class="actions">
        <a class="button quiet" href="${here}/report">${texts.reportFile}</a>
        ${when(ending === "done", () => html`<a class="button" href="${frame.prefix}/">${texts.another}</a>`)}
      </div>`
    : state === "pausing"
      ? html`<p role="status">${livingTexts.pausing}</p>`
      : form(frame, `${here}/pause`, {}, html`<button class="quiet">${livingTexts.pause}</button>`)

const continuePart = (frame: Frame, back: number, sending: Sending, waiting: number, awaited: number): Html => {
  const { consent, end, state } = sending
  if (state !== "idle" || waiting + awaited === 0) return html``
  const stopped =
    end?._tag === "Stopped"
      ? html`<h2>${livingTexts.stopped}</h2>
          ${end.reasons.map(Parts.foundText)}`
      : null
  return html`<section class="note ${stopped === null ? "waiting" : "bad"}">
    ${stopped} ${when(end?._tag === "Paused", () => html`<p>${livingTexts.paused}</p>`)}
    ${when(waiting > 0, () => html`<p>${livingTexts.waiting(waiting)}</p>`)}
    ${when(awaited > 0, () => html`<p>${livingTexts.awaited(awaited)}</p>`)}
    ${form(
      frame,
      `${frame.prefix}/resume`,
      { back },
      html`${when(consent === "asks" && waiting > 0, () => box("live", "yes", livingTexts.live, "required"))}
        <div class="actions">
          <button>${waiting > 0 ? livingTexts.proceed(waiting) : livingTexts.lookAgain}</button>
        </div>`
    )}
  </section>`
}

const refusedPart = (frame: Frame, here: string, { tally }: Shown["result"], file: Sending["refusedFile"]): Html => {
  const causes = tally.causes("error")
  const correct =
    file === "gone"
      ? html`<p class="small soft">${livingTexts.noRefusedFile}</p>`
      : html`<button class="quiet" form="correct">${texts.correctHere}</button>
          <a class="button quiet" href="${here}/refused">${texts.refusedFile}</a>`
  return html`<form id="correct" method="post" action="${here}/correct">${hidden({ token: frame.token })}</form>
    ${causes.map(({ count, documents, finding, rows, sums }, at) =>
      caseCard(
        "bad",
        `${finding.message} (${count.toLocaleString("en")})`,
        sideOf(
          sums,
          rows.map(({ number }) => number),
          documents
        ),
        html`<p class="small">${Parts.marked(finding.consequence)} ${Parts.marked(finding.fix)}</p>`,
        at === 0 ? correct : null
      )
    )}`
}

const rejectedPart = (frame: Frame, { kept, result }: Shown): Html => {
  const rejected = result.rows.filter(({ state }) => state === "Rejected" || state === "Declined")
  const causes = Map.groupBy(rejected, ({ state, text }) => `${state}\n${LaneFailures.causeOf(text ?? "")}`)
  return html`${Array.from(causes, ([key, rows]) => {
    const [state = "", cause = ""] = key.split("\n")
    const query = new URLSearchParams({ state, cause, account: kept.destination.account })
    return caseCard(
      "bad",
      livingTexts.rejected(rows.length),
      sideOfRows(rows),
      html`<p>${rows[0]?.text ?? cause}</p>`,
      html`<a class="button quiet" href="${`${frame.prefix}/decide?${query.toString()}`}"
          >${livingTexts.lookAtThem(rows.length)}</a
        ><span class="later small soft">${livingTexts.stayUnderAttention}</span>`
    )
  })}`
}

const heldPart = (here: string, rows: ReadonlyArray<ImportRow>): Html => {
  const held = rows.filter(({ state }) => state === "Held")
  return when(held.length > 0, () =>
    caseCard(
      "waiting",
      livingTexts.held(held.length),
      sideOfRows(held),
      html`<p>${livingTexts.heldText}</p>`,
      html`<a class="button quiet" href="${here}?state=Held#documents">${livingTexts.lookAtThem(held.length)}</a>`
    )
  )
}

/** Maximum number of documents listed while sending. More are shown by the day of the invoice. */
const mostListed = 200

const byDay = (here: string, rows: ReadonlyArray<ImportRow>): Html =>
  html`<section class="card">
    <header>
      <h2>${livingTexts.byDay}</h2>
      <a href="${here}?page=1#documents">${livingTexts.table}</a>
    </header>
    ${table(
      livingTexts.byDay,
      [Texts.word.date, { figures: livingTexts.tiles.fiscalised }, { figures: Texts.word.total }],
      Array.from(
        Map.groupBy(rows, ({ date }) => date.slice(0, "YYYY-MM-DD".length)),
        ([day, own]) => {
          const done = own.filter(({ state }) => state === "Fiscalised")
          const count = livingTexts.ofAll(done.length, own.length)
          return [
            Texts.day(day),
            html`${count} <progress aria-label="${count}" max="${own.length}" value="${done.length}"></progress>`,
            Tiles.amountsOf(SignedSums.of(done))
          ]
        }
      )
    )}
  </section>`

const fiscalizedPart = (here: string, { rows, summary }: Shown["result"], receipts: Sending["receipts"]): Html =>
  card(
    livingTexts.tiles.fiscalised,
    html`${Tiles.amounts(summary, "fiscalised")}
      <p class="links">
        <a href="${here}/report.xlsx">${texts.reportSheet}</a>
        ${when(receipts === "offered", () => html`<a href="${here}/receipts">${texts.withReceipts}</a>`)}
        ${when(
          rows.some(({ proof }) => proof?.fiscalInvoicePdf),
          () => html`<a href="${here}/pdfs">${texts.allPdfs}</a>`
        )}
        <a href="${here}/codes">${livingTexts.receipts}</a>
      </p>`
  )

const progress = (
  at: number,
  tiles: ReadonlyArray<SignedSums.GroupSum>,
  known: number,
  total: number,
  { pace, zone }: Sending
): Html => {
  const end = pace === null ? null : DateTime.makeUnsafe(at + pace.secondsLeft * 1000)
  return html`<div class="card">
    ${Tiles.meter(tiles)}
    <p class="small" role="status">
      <strong>${livingTexts.outcomes(known, total)}</strong>
      <span class="soft"
        >${pace === null || end === null ? "" : livingTexts.pace(pace.perSecond * 60, pace.secondsLeft / 60, Parts.clock(DateTime.setZone(end, zone)).slice(0, 5))}</span
      >
    </p>
  </div>`
}

/** Returns the page. `session`: the import, if it was started in this session of the page. */
export const livingPage = (
  frame: Frame,
  shown: Shown,
  session: PageImport | null,
  sending: Sending,
  looking: CheckView
): Html => {
  const { kept, result, standing } = shown
  const { already, rows, tally } = result
  const { account } = kept.destination
  const here = keptAddress(frame, kept.id)
  const counts = countsOf(shown)
  const { tiles, waiting } = counts
  const awaited = rows.filter(({ state }) => state !== "Planned" && onTheWay.has(state)).length
  const stored = rows.filter(({ state }) => state !== "Refused" && state !== "Skipped")
  const known = stored.filter(({ state }) => Submission.isSettled(state)).length
  const files = kept.files.map(({ name }) => name).join(", ")
  const asks = sending.consent === "asks" && waiting > 0 ? "live" : "nothing"
  const [title, about] = titleOf(sending, counts, files)
  const isListed = rows.length <= mostListed || sending.state === "idle" || looking.state !== null || looking.isPaged
  return followed(
    frame,
    standing,
    html`${when(session, () => html`<span data-address="${here}" hidden></span>`)}
      ${live(
        "head",
        html`<div class="head ${sending.state === "idle" ? counts.ending : ""}">
          <div>
            <h1>${title}</h1>
            <p>${Texts.joined(about, Texts.period(rows), livingTexts.imported(importedAt(kept), kept.by))}</p>
          </div>
          ${headActions(frame, here, sending, counts.ending)}
        </div>`
      )}
      ${notice(sending.note)} ${importNote(kept)}
      ${live(
        "figures",
        html`${Tiles.equation(tiles)}
        ${when(waiting + awaited > 0, () => progress(shown.at, tiles, known, stored.length + kept.rest, sending))}
        ${when(already > 0, () => html`<p class="soft small">${texts.already(already)}</p>`)}`
      )}
      <div class="split">
        <div>
          ${live(
            "blocked",
            sending.blocked === null
              ? html``
              : blockedPart(frame, sending.blocked, waiting, kept.id, asks, sending.zone)
          )}
          ${live("resume", sending.blocked !== null && sending.end?._tag !== "Stopped" && awaited === 0 ? html`` : continuePart(frame, kept.id, sending, waiting, awaited))}
          ${live("refused", refusedPart(frame, here, result, sending.refusedFile))}
          ${live("rejected", rejectedPart(frame, shown))} ${live("held", heldPart(here, rows))}
          ${differingPart(frame, tally)} ${Parts.skipped(tally.skipped)} ${warningsPart(tally)}
        </div>
        <div>${live("sums", fiscalizedPart(here, result, sending.receipts))}</div>
      </div>
      ${live(
        "rows",
        isListed
          ? rowsTable(here, rows, looking, (row) =>
              row.state === "Refused" || row.state === "Skipped" ? null : documentAddress(frame, account, row)
            )
          : byDay(here, rows)
      )}
      ${live(
        "links",
        html`${when(sending.state === "going", () => html`<p class="small soft">${texts.mayClose}</p>`)}
          <div class="links">
            ${when(sending.state !== "idle" || counts.ending !== "done", () => html`<a href="${frame.prefix}/">${texts.another}</a>`)}
            ${when(counts.needs !== "", () => html`<a href="${frame.prefix}/health">${texts.health}</a>`)}
            ${session === null || sending.state !== "idle" ? null : discardForm(frame, session, "link")}
          </div>`
      )}`
  )
}

const receipt = (frame: Frame, account: string, row: ImportRow): Html =>
  html`<li>
    ${QrCode.picture(row.proof?.qrCodeUrl ?? null)}
    <div class="about">
      <h2><a href="${documentAddress(frame, account, row) ?? ""}">${row.number || row.id}</a></h2>
      <p>${Parts.amount(row.currency, row.total)}</p>
      <p class="small"><bdi>${row.buyer}</bdi></p>
      <code class="small">${row.proof?.verificationCode ?? ""}</code>
    </div>
  </li>`

export const codesPage = (frame: Frame, { kept, result }: Shown, looking: CheckView): Html => {
  const fiscalised = result.rows.filter(({ state }) => state === "Fiscalised")
  const here = keptAddress(frame, kept.id)
  const { paging, shown } = paged(fiscalised, looking.page, (page) => `${here}/codes?page=${page}`)
  return html`<p><a href="${here}">‹ ${kept.files.map(({ name }) => name).join(", ")}</a></p>
    <h1>${livingTexts.receipts}</h1>
    <p><a href="${here}/report?qr=yes">${texts.reportQr}</a></p>
    <ul class="receipts">
      ${shown.map((row) => receipt(frame, kept.destination.account, row))}
    </ul>
    ${paging}`
}
