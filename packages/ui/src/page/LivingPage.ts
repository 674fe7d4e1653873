/**
 * Page of an accepted import. One page serves every state: sending, stopped and done. Title,
 * figures and buttons show the current state.
 */
import * as RunReport from "@fiscal-connector/core/session/RunReport"
import { isSettled, moving, stuck } from "@fiscal-connector/core/submission/Submission"
import type { DateTime } from "effect"
import { html, type Html, when } from "../html/Html.ts"
import * as QrCode from "../html/QrCode.ts"
import * as Parts from "../report/Parts.ts"
import * as Texts from "../text/Texts.ts"
import type { Blocked } from "../work/Blocked.ts"
import type { GoingEnd } from "../work/Going.ts"
import type { Shown } from "../work/Kept.ts"
import type { Pace } from "../work/Pace.ts"
import type { PageImport, Row } from "../work/PageImport.ts"
import { discardForm } from "./AskPages.ts"
import { blockedPart } from "./BlockedPart.ts"
import { type Looking, perPage, rowsTable } from "./CheckPage.ts"
import { importNote, keptAddress } from "./KeptPage.ts"
import { type Frame, followed, live, steps, tokenOf } from "./part/Layout.ts"
import { documentAddress } from "./SendPages.ts"
import * as Tiles from "../report/Tiles.ts"

const texts = Texts.page
const livingTexts = Texts.living

/** State of the sending, in addition to the store's data. */
export interface Sending {
  readonly state: "idle" | "going" | "pausing"
  readonly end: GoingEnd | null
  readonly pace: Pace | null
  readonly blocked: Blocked | null
  /** `asks`: a live device needs consent, and no operator has given it in this run of the page. */
  readonly consent: "given" | "asks"
  /** `there`: the refused rows can be downloaded and corrected here. */
  readonly refusedFile: "there" | "gone"
  /** `offered`: the import's file has rows that can be written again with the receipts. */
  readonly receipts: "offered" | "not-offered"
  readonly zone: DateTime.TimeZone
  /** Message after a form was sent. */
  readonly note: string | null
}

const receipt = (frame: Frame, account: string, row: Row): Html => {
  const link = documentAddress(frame, account, row)
  const name = row.number || row.id
  const code = row.proof?.verificationCode
  return html`<li>
    ${QrCode.picture(row.proof?.qrCodeUrl ?? null)}
    <div class="about">
      <h3>${link === null ? name : html`<a href="${link}">${name}</a>`}</h3>
      <p>${Parts.stateBadge(row.state)}</p>
      <p>${Parts.amount(row.currency, row.total)}</p>
      <p class="small"><bdi>${row.buyer}</bdi></p>
      ${when(code, () => html`<p class="small"><span class="soft">${texts.verification}</span> <code>${code}</code></p>`)}
      ${when(link !== null && row.proof?.fiscalInvoicePdf, () => html`<p class="small"><a href="${`${link ?? ""}/pdf`}" aria-label="${`${texts.pdf} ${name}`}">${texts.pdf}</a></p>`)}
    </div>
  </li>`
}

const onTheWay: ReadonlySet<string> = new Set(moving)
const waitsForOperator: ReadonlySet<string> = new Set(stuck)

/** Returns the import's state as a text, shown before the file's name. */
const titleOf = ({ blocked, end, state }: Sending, waiting: number, ending: RunReport.RunEnding): string => {
  if (state === "pausing") return livingTexts.title.pausing
  if (state === "going") return livingTexts.title.sending
  if (waiting > 0 && (blocked !== null || end?._tag === "Stopped")) return livingTexts.title.stopped
  if (waiting > 0 && end?._tag === "Paused") return livingTexts.title.paused
  return livingTexts.title[ending]
}

const pauseForm = (frame: Frame, here: string, { state }: Sending): Html =>
  state === "idle"
    ? html``
    : state === "pausing"
      ? html`<p role="status">${livingTexts.pausing}</p>`
      : html`<form method="post" action="${here}/pause">
          ${tokenOf(frame)}<button class="quiet">${livingTexts.pause}</button>
        </form>`

/** Shows why sending does not continue, with a button to continue. */
const continuePart = (frame: Frame, back: number, sending: Sending, waiting: number, awaited: number): Html => {
  const { consent, end, state } = sending
  if (state !== "idle" || waiting + awaited === 0) return html``
  return html`<section class="note ${end?._tag === "Stopped" ? "bad" : "waiting"}">
    ${
      end?._tag === "Stopped"
        ? html`<h2>${livingTexts.stopped}</h2>
            ${end.reasons.map(Parts.foundText)}`
        : null
    }
    ${when(end?._tag === "Paused", () => html`<p>${livingTexts.paused}</p>`)}
    ${when(waiting > 0, () => html`<p>${livingTexts.waiting(waiting)}</p>`)}
    ${when(awaited > 0, () => html`<p>${livingTexts.awaited(awaited)}</p>`)}
    <form method="post" action="${frame.prefix}/resume">
      ${tokenOf(frame)}<input type="hidden" name="back" value="${back}" />
      ${when(consent === "asks" && waiting > 0, () => html`<label class="line"><input type="checkbox" name="live" value="yes" required /><span>${livingTexts.live}</span></label>`)}
      <div class="actions"><button>${waiting > 0 ? livingTexts.proceed(waiting) : livingTexts.lookAgain}</button></div>
    </form>
  </section>`
}

const notAccepted = (
  frame: Frame,
  here: string,
  tiles: ReadonlyArray<Tiles.Tile>,
  {
    counts,
    refusedFile
  }: { readonly counts: Readonly<Record<string, number | undefined>>; readonly refusedFile: Sending["refusedFile"] },
  strays: number
): Html => {
  const count = Tiles.countOf(tiles, "not-accepted") + strays
  if (count === 0) return html``
  const isRefused = (counts["Refused"] ?? 0) + strays > 0
  return html`<section class="note bad">
    <h2>${livingTexts.notAccepted(count, Tiles.amountOf(tiles, "not-accepted"))}</h2>
    ${when(isRefused, () => html`<p>${livingTexts.notAcceptedText}</p>`)}
    ${when((counts["Rejected"] ?? 0) + (counts["Declined"] ?? 0) > 0, () => html`<p>${livingTexts.rejectedText}</p>`)}
    ${when(isRefused && refusedFile === "gone", () => html`<p>${livingTexts.noRefusedFile}</p>`)}
    <div class="actions">
      ${when(
        isRefused && refusedFile === "there",
        () =>
          html`<form method="post" action="${here}/correct">
              ${tokenOf(frame)}<button class="quiet">${texts.correctHere}</button>
            </form>
            <a class="button quiet" href="${here}/refused">${texts.refusedFile}</a>`
      )}
    </div>
  </section>`
}

/** Returns the page. `session`: the import, if it was started in this session of the page. */
export const livingPage = (
  frame: Frame,
  { kept, result, standing }: Shown,
  session: PageImport | null,
  sending: Sending,
  looking: Looking
): Html => {
  const { already, rows, summary, tally } = result
  const { account } = kept.destination
  const here = keptAddress(frame, kept.id)
  const tiles = Tiles.of(summary, kept.rest)
  const all = Tiles.allOf(tiles)
  const waiting = Tiles.countOf(tiles, "to-send")
  const awaited = rows.filter(({ state }) => state !== "Planned" && onTheWay.has(state)).length
  const ending = RunReport.ending(kept.rest > 0 ? new Set([...tally.standings, "on-its-way"]) : tally.standings)
  const stored = rows.filter(({ state }) => state !== "Refused" && state !== "Skipped")
  const known = stored.filter(({ state }) => isSettled(state)).length
  const total = stored.length + kept.rest
  const fiscalised = rows.filter(({ state }) => state === "Fiscalised")
  const at = Math.min(looking.page, Math.max(1, Math.ceil(fiscalised.length / perPage)))
  const files = kept.files.map(({ name }) => name).join(", ")
  const held = Tiles.countOf(tiles, "held")
  const strays = rows.some(({ state }) => state === "Refused") ? 0 : tally.causes("error").length
  return followed(
    frame,
    standing,
    html`${when(session, () => html`${steps(4)}<span data-address="${here}" hidden></span>`)}
      ${live(
        "head",
        html`<div class="head">
          <div>
            <h1>${titleOf(sending, waiting, ending)}: ${files}</h1>
            <p>
              ${livingTexts.imported(`${Texts.day(Parts.time(kept.at))}, ${Parts.clock(kept.at).slice(0, 5)}`)} ·
              ${livingTexts.accounted(all.count, kept.documents)}${all.amounts.size === 0 ? "" : ` · ${Tiles.amountsOf(all.amounts)}`}
            </p>
          </div>
          ${pauseForm(frame, here, sending)}
        </div>`
      )}
      ${when(sending.note, () => html`<div class="note waiting" role="alert"><p>${sending.note}</p></div>`)}
      ${importNote(kept)}
      ${live(
        "figures",
        html`${Tiles.tilesPart(tiles)}
          <div class="card">
            ${Tiles.meter(tiles)}
            <p class="small" role="status">
              <strong>${livingTexts.fiscalised(fiscalised.length, total)}</strong>
              <span class="soft"
                >${livingTexts.outcomes(known, total)}${sending.pace === null || waiting + awaited === 0 ? "" : ` · ${livingTexts.pace(sending.pace.perMinute, sending.pace.minutesLeft)}`}</span
              >
            </p>
            ${when(already > 0, () => html`<p class="soft small">${texts.already(already)}</p>`)}
          </div>`
      )}
      ${live(
        "blocked",
        sending.blocked === null
          ? html``
          : blockedPart(
              frame,
              sending.blocked,
              waiting,
              kept.id,
              sending.consent === "asks" && waiting > 0 ? "live" : "nothing",
              sending.zone
            )
      )}
      ${live("resume", sending.blocked !== null && sending.end?._tag !== "Stopped" && awaited === 0 ? html`` : continuePart(frame, kept.id, sending, waiting, awaited))}
      ${live("not-accepted", notAccepted(frame, here, tiles, { counts: summary.counts, refusedFile: sending.refusedFile }, strays))}
      ${live(
        "held",
        when(
          held > 0,
          () =>
            html`<section class="note waiting">
              <h2>${livingTexts.held(held, Tiles.amountOf(tiles, "held"))}</h2>
              <p>${livingTexts.heldText}</p>
              <div class="actions">
                <a class="button quiet" href="${here}?state=Held#documents">${livingTexts.showHeld}</a>
              </div>
            </section>`
        )
      )}
      <div class="actions">
        <a class="button quiet" href="${here}/report">${texts.reportFile}</a>
        <a class="button quiet" href="${here}/report?qr=yes">${texts.reportQr}</a>
        <a class="button quiet" href="${here}/report.xlsx">${texts.reportSheet}</a>
        ${when(sending.receipts === "offered", () => html`<a class="button quiet" href="${here}/receipts">${texts.withReceipts}</a>`)}
        ${when(
          fiscalised.some(({ proof }) => proof?.fiscalInvoicePdf),
          () => html`<a class="button quiet" href="${here}/pdfs">${texts.allPdfs}</a>`
        )}
        ${when(
          rows.some(({ state }) => waitsForOperator.has(state)),
          () =>
            html`<a class="button quiet" href="${frame.prefix}/health">${Texts.page.health}</a>
              <a class="button quiet" href="${`${frame.prefix}/decide?decision=Withdrawn&import=${kept.id}`}"
                >${Texts.decisions.ofImport}</a
              >`
        )}
        <a class="button quiet" href="${frame.prefix}/">${texts.another}</a>
      </div>
      ${live(
        "rows",
        rowsTable(here, rows, looking, (row) =>
          row.state === "Refused" || row.state === "Skipped" ? null : documentAddress(frame, account, row)
        )
      )}
      ${Parts.causes(Texts.report.refused, tally, "error", 5)} ${live("sums", Parts.totals(summary))}
      ${Parts.causes(Texts.report.warnings, tally, "warning", 5)} ${Parts.skipped(tally.skipped)}
      ${live(
        "receipts",
        when(
          fiscalised.length > 0,
          () =>
            html`<h2>${livingTexts.receipts}</h2>
              <ul class="receipts">
                ${fiscalised.slice((at - 1) * perPage, at * perPage).map((row) => receipt(frame, account, row))}
              </ul>
              <p></p>`
        )
      )}
      ${Parts.corrections(kept)} ${Parts.used([kept.destination], kept)}
      <p class="small soft">${texts.mayClose}</p>
      ${
        session === null || sending.state !== "idle"
          ? null
          : html`${discardForm(frame, session)}
              <p class="soft small">${texts.discardNote}</p>`
      }`
  )
}
