import { StopReason } from "@fiscal-connector/core/session"
import { Lane } from "@fiscal-connector/core/store"
import { SignedSums } from "@fiscal-connector/core/host/import"
import { Flag, html, type Html, when } from "../html/Html.ts"
import { documentTable } from "./part/DocumentTable.ts"
import { decidedPart, heldPart } from "./part/HeldPart.ts"
import { missingCodes } from "./part/MappingsPart.ts"
import * as Parts from "../report/Parts.ts"
import * as Texts from "../text/Texts.ts"
import type { Checked, PageImport, ImportRow } from "../work/PageImport.ts"
import { discardForm } from "./AskPages.ts"
import { consentWords } from "./part/ConsentWords.ts"
import { box, form } from "./part/Form.ts"
import { type Frame, modeBadge, notice, paged, pageAsked, steps, tabs } from "./part/Layout.ts"
import { differingPart, ofAnswers, warningsPart } from "./part/Case.ts"
import { correctedPart, refusedPart } from "./part/RefusedPart.ts"
import * as Tiles from "../report/Tiles.ts"

const texts = Texts.page

export interface CheckView {
  readonly state: string | null
  /** Page number from 1. */
  readonly page: number
  readonly isPaged: boolean
}

export const lookingOf = (query: URLSearchParams): CheckView => ({
  state: query.get("state"),
  isPaged: query.has("page"),
  page: pageAsked(query)
})

export const rowsTable = (
  here: string,
  rows: ReadonlyArray<ImportRow>,
  looking: CheckView,
  linked: (row: ImportRow) => string | null
): Html => {
  const address = (state: string | null, more = "") =>
    `${here}?${state === null ? "" : `state=${encodeURIComponent(state)}&`}${more}#documents`
  const tab = (state: string | null, label: string, count: number) =>
    [address(state), `${label} ${count.toLocaleString("en")}`, state === looking.state] as const
  const states = Array.from(
    Map.groupBy(rows, (row) => row.state),
    ([value, of]) => tab(value, Texts.states[value] ?? value, of.length)
  )
  const chosen = looking.state === null ? rows : rows.filter(({ state }) => state === looking.state)
  const { paging, shown } = paged(chosen, looking.page, (page) => address(looking.state, `page=${page}`))
  return html`<section class="card" id="documents">
    <header>
      <h2>${Texts.word.documents}</h2>
      ${tabs(texts.filter, [tab(null, texts.all, rows.length), ...states])}
    </header>
    ${when(shown.length === 0, () => html`<p class="soft">${texts.nothingHere}</p>`)}
    ${when(
      shown.length > 0,
      () =>
        html`${documentTable(
          Texts.word.documents,
          shown.map((row) => ({
            ...row,
            number: row.number || row.id,
            link: linked(row),
            verificationCode: row.proof?.verificationCode ?? null,
            why: [...row.codes, row.text ?? ""].join(" ").trim()
          })),
          chosen
        )}
        ${when(chosen.length > shown.length, () => paging)}`
    )}
  </section>`
}

const stoppedNote = (stopped: StopReason.AccountStopped | null): Html => {
  const others = (stopped?.reasons ?? [])
    .filter(({ _tag }) => _tag !== "LiveNotAllowed" && _tag !== "FirstUse")
    .map(StopReason.finding)
  return when(others.length > 0, () => html`<div class="note bad" role="alert">${others.map(Parts.foundText)}</div>`)
}

/**
 * Shows everything that the send button needs. A button that cannot work yet says what is missing.
 */
const sendForm = (frame: Frame, one: PageImport, checked: Checked, stopped: StopReason.AccountStopped | null): Html => {
  const { asks, destination, missing, overtaken, planned } = checked
  const lacking = missing.codes.length + missing.findings.length
  return form(
    frame,
    `${frame.prefix}/imports/${one.id}/send`,
    { check: checked.check },
    html`<h2>${texts.sendTitle(planned)}</h2>
      ${Tiles.amounts(checked.summary, "to-send")}
      <p class="found"><b>${texts.device(Lane.deviceOf(destination.lane))}</b> ${modeBadge(destination.environment)}</p>
      ${when(
        overtaken.count > 0 && frame.place !== "sandbox",
        () =>
          html`<div class="note waiting">
            <p>${texts.late(overtaken.first.join(", "))}</p>
            ${box("rest", "yes", texts.sendRest, "required")}
          </div>`
      )}
      ${consentWords(
        destination,
        [...asks, ...(stopped?.reasons ?? [])].find((reason) => reason._tag === "FirstUse")
      )}
      <button class="wide" ${new Flag("disabled", lacking > 0)}>${texts.send(planned, destination.environment)}</button>
      ${when(lacking > 0, () => html`<p class="small soft">${Texts.mappings.first(lacking)}</p>`)}`,
    "card stick"
  )
}

const nothingToSend = (frame: Frame): Html =>
  html`<section class="card stick">
    <h2>${texts.nothingToSend}</h2>
    <div class="actions"><a class="button quiet" href="${frame.prefix}/">${texts.another}</a></div>
  </section>`

export const checkPage = (
  frame: Frame,
  one: PageImport,
  checked: Checked,
  { note, stopped }: { readonly note: string | null; readonly stopped: StopReason.AccountStopped | null },
  looking: CheckView,
  plan: string
): Html => {
  const { already, documents, planned, refused, rows, summary, tally, warning, warnings } = checked
  const here = `${frame.prefix}/imports/${one.id}`
  const groups = SignedSums.byGroup(summary)
  const { from = "" } = one.recalled ?? {}
  const like = from === "" || one.files.some(({ name }) => name === from) ? "" : texts.readLike(from)
  const names = one.files.map(({ name }) => name).join(", ")
  const filled = ofAnswers(tally)
  return html`${steps(3, frame, one)}
    <h1>${texts.checkTitle}</h1>
    <p class="soft">${Texts.joined(names, Texts.period(rows), like, texts.checkedText)}</p>
    ${notice(note)} ${stoppedNote(stopped)} ${notice(warning, "bad")} ${Tiles.equation(groups)}
    ${when(already > 0, () => html`<p class="soft">${texts.already(already)}</p>`)}
    <div class="split">
      <div>
        ${missingCodes(frame, here, checked, plan)} ${heldPart(frame, here, one, checked)}
        ${refusedPart(frame, here, one, checked)} ${correctedPart(frame, here, one)} ${decidedPart(frame, here, one)}
        ${differingPart(frame, tally)} ${warningsPart(tally, warnings)} ${Parts.skipped(tally.skipped)}
      </div>
      <div>${planned === 0 ? nothingToSend(frame) : sendForm(frame, one, checked, stopped)}</div>
    </div>
    ${rowsTable(here, rows, looking, ({ id, kind, total }) =>
      kind === null || total === null || documents === null
        ? null
        : `${here}/document?${new URLSearchParams({ kind, id }).toString()}`
    )}
    <div class="links">
      <a href="${here}/questions">${texts.changeAnswer}</a>
      <a href="${here}/read">${texts.howRead}${filled > 0 ? texts.filled(filled) : ""}</a>
      ${when(documents, () => html`<a href="${here}/plan">${texts.planFile}</a>`)}
      ${when(refused !== null && tally.causes("error").length > 0, () => html`<a href="${here}/refused">${texts.refusedFile}</a>`)}
      ${form(frame, `${here}/recheck`, {}, html`<button class="link">${texts.standstillAgain}</button>`)}
      ${discardForm(frame, one, "link")}
    </div>`
}
